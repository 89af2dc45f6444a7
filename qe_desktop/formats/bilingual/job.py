"""What is kept of translators' files while their segments are reviewed: bytes, lines with codes, statuses, notes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Job, JobFile
from qe_desktop.formats.bilingual.choices import Choice
from qe_desktop.formats.bilingual.codes import Code, Content
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.text_columns import Texts


def job_of(
    documents: Sequence[Document], sources: Texts, targets: Texts, loaded: Texts, paths: Sequence[Path] = ()
) -> Job:
    """The job of documents, in their order, with the texts of all their segments.

    `loaded` is the MT that the targets were made of; the same object where no file tells one from the other. `paths`
    say where they lie, without them their names do.

    A segment is locked or confirmed where its file says so (`statuses`), and open where it says nothing.
    """
    places = list(paths) or [Path(document.name) for document in documents]
    said = _Said(documents)
    found = np.asarray(said.statuses, np.uint8)
    without = np.asarray([not target for target in targets.contents], bool)
    for column in (found, without):
        column.flags.writeable = False
    return Job(
        tuple(_files(documents, places)),
        sources.lines(),
        targets.lines(),
        found,
        without,
        said.notes,
        said.states,
        said.origins,
        {
            number: labels
            for number in sorted({*sources.others, *targets.others, *loaded.others})
            if (labels := _labels(*(texts.contents[number] for texts in (sources, targets, loaded))))
        },
        None if loaded is targets else loaded.lines(),
    )


class _Said:
    """What files say of their segments, gone through once: they lie too far apart to be looked at often."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.statuses: list[int] = []
        self.notes: dict[int, tuple[str, ...]] = {}
        self.states: dict[int, str] = {}
        self.origins: dict[int, str] = {}
        for document in documents:
            self._add(document)

    def _add(self, document: Document) -> None:
        told: dict[tuple[str, bool, str], int] = {}
        tell = self.statuses.append
        for number, one in enumerate(document.segments, len(self.statuses)):
            _, _, _, _, _, state, locked, origin, notes, _, _, _ = one
            # no rule asks for more of a segment than these, which most have in common
            key = (state, locked, origin)
            status = told.get(key)
            if status is None:
                status = told[key] = int(document.status(one))
            tell(status)
            if notes:
                self.notes[number] = notes
            if state:
                self.states[number] = state
            if origin:
                self.origins[number] = origin


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
