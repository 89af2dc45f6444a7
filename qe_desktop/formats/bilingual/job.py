"""What is kept of translators' files while their segments are reviewed: bytes, lines with codes, statuses, notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from qe_desktop.corpus import Job, JobFile
from qe_desktop.formats.bilingual.choices import Choice
from qe_desktop.formats.bilingual.codes import Code, Content
from qe_desktop.formats.bilingual.columns import Columns
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.text_columns import Texts

_Value = TypeVar("_Value")


def job_of(documents: Sequence[Document], columns: Columns, loaded: Texts, paths: Sequence[Path] = ()) -> Job:
    """The job of documents, in their order, with what all their segments have.

    `loaded` is the MT that the targets were made of; the same object where no file tells one from the other. `paths`
    say where they lie, without them their names do.

    A segment is locked or confirmed where its file says so (`statuses`), and open where it says nothing.
    """
    sources, targets = columns.sources, columns.targets
    places = list(paths) or [Path(document.name) for document in documents]
    found = np.fromiter(_statuses(documents, columns), np.uint8, len(columns.states))
    without = np.asarray(targets.are_empty, bool)
    for column in (found, without):
        column.flags.writeable = False
    return Job(
        tuple(_files(documents, places)),
        sources.lines(),
        targets.lines(),
        found,
        without,
        _said(columns.notes),
        _said(columns.states),
        _said(columns.origins),
        {
            number: labels
            for number in sorted({*sources.coded, *targets.coded, *loaded.coded})
            if (labels := _labels(*[texts.coded.get(number, ()) for texts in (sources, targets, loaded)]))
        },
        None if loaded is targets else loaded.lines(),
    )


def _statuses(documents: Sequence[Document], columns: Columns) -> Iterator[int]:
    """The status of each segment."""
    rows = zip(columns.states, columns.locks, columns.origins, strict=True)
    for document in documents:
        told: dict[tuple[str, bool, str], int] = {}
        for row in islice(rows, len(document.segments)):
            # no rule asks for more of a segment than these, which most have in common
            status = told.get(row)
            if status is None:
                state, locked, origin = row
                status = told[row] = int(document.status(Segment("", 0, (), None, None, state, locked, origin)))
            yield status


def _said(column: Sequence[_Value]) -> dict[int, _Value]:
    """What is said of segments, by the numbers of those of which something is."""
    return {number: value for number, value in enumerate(column) if value}


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


def _labels(*contents: Content) -> dict[int, str]:
    """What may be said of the codes of a segment, by number; the source says it first."""
    found: dict[int, str] = {}
    for run in chain(*contents):
        # what opens comes before what closes
        if isinstance(run, Code) and run.label:
            found.setdefault(run.number, run.label)
    return found


def choice_of(file: JobFile) -> Choice:
    """What was said of a file, as reading it again takes it."""
    return Choice(file.choice.get("source", ""), file.choice.get("target", ""))
