"""Translators' files written back: what a review makes of each, where each was last written, what stands there now."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from qe_desktop.corpus import Job, JobFile, QeError, Status, View
from qe_desktop.formats.bilingual.document import Rewritten
from qe_desktop.formats.regular_files import bytes_of
from qe_desktop.formats.writing import ordinary, write_bytes
from qe_desktop.project.edits import Change
from qe_desktop.project.events import Row, SettingRow
from qe_desktop.project.target_marks import TargetMarks
from qe_desktop.wording import tr

SETTING = "job/written/"
"""With a file's number in its job: the setting that keeps where it was last written."""


@dataclass(frozen=True, slots=True)
class Written:
    """Where a file lies, and the SHA-256 of the bytes that it had there when it was last read or written."""

    path: str
    sha256: str

    def as_kept(self) -> dict[str, str]:
        """What a setting holds."""
        return {"path": self.path, "sha256": self.sha256}


def digest(data: bytes) -> str:
    """The SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def written_in(settings: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[int, Written]:
    """Where files were last written, by number, as settings have it; what is no such thing is left out."""
    found: dict[int, Written] = {}
    for name, value in dict(settings).items():
        number = name.removeprefix(SETTING) if name.startswith(SETTING) else ""
        if number.isdecimal() and isinstance(value, dict):
            path, known = value.get("path"), value.get("sha256")
            if isinstance(path, str) and isinstance(known, str):
                found[int(number)] = Written(path, known)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Reviewed:
    """What a review says of one file: targets as lines and statuses, by the segments of the file, from 0."""

    number: int
    file: JobFile
    targets: Mapping[int, str]
    statuses: Mapping[int, Status]
    place: Written | None
    """Where it was written before; None where it was only read."""

    def rewritten(self, *, other_codes: bool = False, without: Set[int] = frozenset()) -> Rewritten:
        """The file as it is to be, made of the bytes that were read, in which segments stay as they are that a person
        leaves out (`without`, by their numbers in the corpus). QeError as `Document.with_targets` has it.
        """
        # here, so that nobody waits for these formats who has no files of them
        from qe_desktop.formats.bilingual import document_of
        from qe_desktop.formats.bilingual.job import choice_of

        document = document_of(self.file.data, self.file.name, choice_of(self.file))
        first = self.file.first
        targets = {number: line for number, line in self.targets.items() if first + number not in without}
        statuses = {number: status for number, status in self.statuses.items() if first + number not in without}
        return document.with_targets(targets, statuses, other_codes=other_codes)

    def marked(self, rewritten: Rewritten, marks: TargetMarks) -> tuple[Rewritten, int]:
        """The same with issues on the words that are marked, and how many these are; as it is where the dialect has no
        place for them. QeError where they cannot be written without changing anything else.
        """
        from qe_desktop.formats.bilingual import document_of
        from qe_desktop.formats.bilingual.issue_writing import holds_issues, with_issues
        from qe_desktop.formats.bilingual.job import choice_of
        from qe_desktop.formats.bilingual.tagged_words import issues_of_spans

        if not holds_issues(self.file.form):
            return rewritten, 0
        document = document_of(rewritten.data, self.file.name, choice_of(self.file))
        held, first = self.file.segments, self.file.first
        issues = issues_of_spans(document, {one - first: spans for one, spans in marks.spans.items() if one in held})
        made = with_issues(document, issues, marks.system)
        return replace(rewritten, data=made.data), sum(map(len, issues.values()))

    def known(self) -> Written:
        """Where it lies and what it was there, as far as this program knows."""
        return self.place or Written(self.file.path, digest(self.file.data))


class Host(Protocol):
    """The session whose files they are."""

    places: dict[int, Written]
    person: str
    window: str
    read_only: str

    def tell(self, change: Change, *rows: Row) -> Change:
        """Keep what was done, and tell everybody."""
        ...


def wrote(session: Host, number: int, place: Written) -> Change:
    """Note where a translator's file was written, so that a later save knows whether it changed since."""
    session.places[number] = place
    row = SettingRow(f"{SETTING}{number}", place.as_kept(), "", time.time(), session.person, session.window)
    return session.tell(Change(None, text=tr("saved")), *(() if session.read_only else (row,)))


def reviewed_files(view: View, job: Job, places: Mapping[int, Written]) -> list[Reviewed]:
    """What the review in a view says of each file of its job; `places` are where they were last written."""
    review = view.review
    found = []
    for number, file in enumerate(job.files):
        held = file.segments
        targets = {one - file.first: line for one, line in review.targets.items() if one in held}
        statuses = {one - file.first: status for one, status in review.statuses.items() if one in held}
        found.append(Reviewed(number, file, targets, statuses, places.get(number)))
    return found


def other_names(path: Path) -> int:
    """How many other names a file has on its disk. They keep what it was: a file is written whole, in its place."""
    try:
        return path.stat().st_nlink - 1
    except OSError:
        return 0


def names_text(names: int, file: str) -> str:
    """What other names of a file have that was replaced."""
    return tr(
        "{n:,} other {n:name|names} of {file} on the disk (hard {n:link|links}) still {n:has|have} the text from "
        "before.", "", names, file=file,
    )  # fmt: skip


def is_gone(path: Path) -> bool:
    """Whether nothing stands at a path any longer."""
    try:
        return not path.exists()
    except OSError:
        return False


def refuse_unwritable(path: Path) -> None:
    """QeError where a file may not be written, before anything is."""
    ordinary(path)


def write(path: Path, data: bytes, expected: str | None) -> Written:
    """Write a file whole or not at all; over what is there only where that is as `expected` (None: whatever it is).

    QeError where it cannot be written, ChangedError where it is another by now; then nothing is replaced.
    """
    if expected is not None and digest(bytes_of(path)) != expected:
        raise ChangedError(path)
    write_bytes(path, data)
    return Written(str(path), digest(data))


class ChangedError(QeError):
    """Another program changed a file that was to be written."""

    def __init__(self, path: Path) -> None:
        from qe_desktop.corpus import Place
        from qe_desktop.formats.regular_files import shown_name

        message = tr("another program changed the file since it was read")
        super().__init__(message, hint=tr("Nothing was written. Save it elsewhere."), place=Place(shown_name(path)))
