"""What is kept of translators' files while their segments are reviewed: bytes, lines with codes, statuses, notes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Job, JobFile, TextColumn
from qe_desktop.formats.bilingual.choices import Choice
from qe_desktop.formats.bilingual.codes import codes_in
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.segments import Segment


def job_of(documents: Sequence[Document], paths: Sequence[Path] = ()) -> Job:
    """The job of documents, in their order; `paths` say where they lie, without them their names do.

    A segment is locked or confirmed where its file says so (`statuses`), and open where it says nothing.
    """
    places = list(paths) or [Path(document.name) for document in documents]
    segments = [segment for document in documents for segment in document.segments]
    statuses = [int(document.status(segment)) for document in documents for segment in document.segments]
    found = np.asarray(statuses, np.uint8)
    without = np.asarray([segment.target is None or not segment.target for segment in segments], bool)
    for column in (found, without):
        column.flags.writeable = False
    return Job(
        tuple(_files(documents, places)),
        TextColumn.of([segment.source_line for segment in segments]),
        TextColumn.of([segment.target_line for segment in segments]),
        found,
        without,
        {number: one.notes for number, one in enumerate(segments) if one.notes},
        {number: one.state for number, one in enumerate(segments) if one.state},
        {number: one.origin for number, one in enumerate(segments) if one.origin},
        {number: labels for number, one in enumerate(segments) if (labels := _labels(one))},
    )


def _files(documents: Sequence[Document], paths: Sequence[Path]) -> list[JobFile]:
    files: list[JobFile] = []
    names: set[str] = set()
    first = 0
    for document, path in zip(documents, paths, strict=True):
        name = _free(path, names)
        names.add(name)
        count = len(document.segments)
        kept = document.choice.as_kept()
        files.append(JobFile(name, str(path), document.form, document.text.data, first, count, kept))
        first += count
    return files


def _free(path: Path, taken: set[str]) -> str:
    """A file's name, with its folder where another file is called so, and a number where that is not enough."""
    for name in (path.name, f"{path.parent.name}/{path.name}"):
        if name not in taken:
            return name
    return next(name for number in range(2, len(taken) + 3) if (name := f"{path.name} ({number})") not in taken)


def _labels(segment: Segment) -> dict[int, str]:
    """What may be said of the codes of a segment, by number; the source says it first."""
    if len(segment.source) < 2 and len(segment.target or ()) < 2:
        return {}
    found: dict[int, str] = {}
    for code in (*codes_in(segment.source), *codes_in(segment.target or ())):
        if code.label:
            # what opens comes before what closes
            found.setdefault(code.number, code.label)
    return found


def choice_of(file: JobFile) -> Choice:
    """What was said of a file, as reading it again takes it."""
    return Choice(file.choice.get("source", ""), file.choice.get("target", ""))
