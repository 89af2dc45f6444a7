"""Translators' files written back: what a review makes of each, where each was last written, what stands there now."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from qe_desktop.corpus import JobFile, QeError, ReviewStatus, SourceLocation, TranslationJob, View
from qe_desktop.formats.bilingual.document import RewrittenDocument
from qe_desktop.formats.io.atomic_write import resolve_target, write_bytes
from qe_desktop.formats.io.files import CheckCancelled, display_name, never_cancelled, read_bytes
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import SessionChange
from qe_desktop.project.events import Row, SettingRow
from qe_desktop.project.review.target_marks import TargetMarks

WRITTEN_SETTING = "job/written/"
"""With a file's number in its job: the setting that keeps where it was last written."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """Where a file lies, and the SHA-256 of the bytes that it had there when it was last read or written."""

    path: str
    sha256: str

    def as_kept(self) -> dict[str, str]:
        """What a setting holds."""
        return {"path": self.path, "sha256": self.sha256}


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def written_files(settings: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[int, WrittenFile]:
    """Where files were last written, by number, as settings have it; what is no such thing is left out."""
    found: dict[int, WrittenFile] = {}
    for name, value in dict(settings).items():
        number = name.removeprefix(WRITTEN_SETTING) if name.startswith(WRITTEN_SETTING) else ""
        if number.isdecimal() and isinstance(value, dict):
            path, known = value.get("path"), value.get("sha256")
            if isinstance(path, str) and isinstance(known, str):
                found[int(number)] = WrittenFile(path, known)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class ReviewedFile:
    """What a review says of one file: targets as lines and statuses, by the segments of the file, from 0."""

    number: int
    file: JobFile
    targets: Mapping[int, str]
    statuses: Mapping[int, ReviewStatus]
    place: WrittenFile | None
    """Where it was written before; None where it was only read."""

    def rewritten(self, *, other_codes: bool = False, without: Set[int] = frozenset()) -> RewrittenDocument:
        """The file as it is to be, made of the bytes that were read, in which segments stay as they are that a person
        leaves out (`without`, by their numbers in the corpus). QeError as `Document.with_targets` has it.
        """
        # here, so that nobody waits for these formats who has no files of them
        from qe_desktop.formats.bilingual import parse_document
        from qe_desktop.formats.bilingual.document_corpus import job_column_choice

        document = parse_document(self.file.data, self.file.name, job_column_choice(self.file))
        first = self.file.first
        targets = {number: line for number, line in self.targets.items() if first + number not in without}
        statuses = {number: status for number, status in self.statuses.items() if first + number not in without}
        return document.with_targets(targets, statuses, other_codes=other_codes)

    def marked(self, rewritten: RewrittenDocument, marks: TargetMarks) -> tuple[RewrittenDocument, int]:
        """The same with issues on the words that are marked, and how many these are; as it is where the dialect has no
        place for them. QeError where they cannot be written without changing anything else.
        """
        from qe_desktop.formats.bilingual import parse_document
        from qe_desktop.formats.bilingual.document_corpus import job_column_choice
        from qe_desktop.formats.bilingual.xml.its_writer import issues_from_spans, supports_issues, with_issues

        if not supports_issues(self.file.form):
            return rewritten, 0
        document = parse_document(rewritten.data, self.file.name, job_column_choice(self.file))
        held, first = self.file.segments, self.file.first
        issues = issues_from_spans(document, {one - first: spans for one, spans in marks.spans.items() if one in held})
        made = with_issues(document, issues, marks.system)
        return replace(rewritten, data=made.data), sum(map(len, issues.values()))

    def known(self) -> WrittenFile:
        """Where it lies and what it was there, as far as this program knows."""
        return self.place or WrittenFile(self.file.path, sha256_hex(self.file.data))


class JobFilesHost(Protocol):
    """The session whose files they are."""

    places: dict[int, WrittenFile]
    person: str
    window: str
    read_only: str

    def tell(self, change: SessionChange, *rows: Row) -> SessionChange:
        """Keep what was done, and tell everybody."""
        ...


def note_written(session: JobFilesHost, number: int, place: WrittenFile) -> SessionChange:
    """Note where a translator's file was written, so that a later save knows whether it changed since."""
    session.places[number] = place
    row = SettingRow(f"{WRITTEN_SETTING}{number}", place.as_kept(), "", time.time(), session.person, session.window)
    return session.tell(SessionChange(None, text=tr("saved")), *(() if session.read_only else (row,)))


def reviewed_files(view: View, job: TranslationJob, places: Mapping[int, WrittenFile]) -> list[ReviewedFile]:
    """What the review in a view says of each file of its job; `places` are where they were last written."""
    review = view.review
    found = []
    for number, file in enumerate(job.files):
        held = file.segments
        targets = {one - file.first: line for one, line in review.targets.items() if one in held}
        statuses = {one - file.first: status for one, status in review.statuses.items() if one in held}
        found.append(ReviewedFile(number, file, targets, statuses, places.get(number)))
    return found


def count_hard_links(path: Path) -> int:
    """How many other names a file has on its disk. They keep what it was: a file is written whole, in its place."""
    try:
        return path.stat().st_nlink - 1
    except OSError:
        return 0


def hard_links_text(names: int, file: str) -> str:
    """What other names of a file have that was replaced."""
    return tr(
        "{n:,} other {n:name|names} of {file} on the disk (hard {n:link|links}) still {n:has|have} the text from "
        "before.", "", names, file=file,
    )  # fmt: skip


def is_missing(path: Path) -> bool:
    """Whether nothing stands at a path any longer."""
    try:
        return not path.exists()
    except OSError:
        return False


def check_writable(path: Path) -> None:
    """QeError where a file may not be written, before anything is."""
    resolve_target(path)


def write_job_file(path: Path, data: bytes, expected: str | None) -> WrittenFile:
    """Write a file whole or not at all; over what is there only where that is as `expected` (None: whatever it is).

    QeError where it cannot be written, ChangedError where it is another by now; then nothing is replaced.
    """
    if expected is not None and sha256_hex(read_bytes(path)) != expected:
        raise FileChangedError(path)
    write_bytes(path, data)
    return WrittenFile(str(path), sha256_hex(data))


class FileChangedError(QeError):
    """Another program changed a file that was to be written."""

    def __init__(self, path: Path) -> None:
        from qe_desktop.corpus import SourceLocation
        from qe_desktop.formats.io.files import display_name

        message = tr("another program changed the file since it was read")
        super().__init__(
            message, hint=tr("Nothing was written. Save it elsewhere."), place=SourceLocation(display_name(path))
        )


JOB_SUFFIXES = frozenset((
    ".xlf", ".xliff", ".xlif", ".xml", ".sdlxliff", ".mxliff", ".mqxliff", ".mqxlz", ".tmx", ".po", ".pot",
    ".csv", ".tsv", ".tab", ".txt", ".xlsx",
))  # fmt: skip
"""How names of translators' files end; a file that is not there yet is written under no other one."""


def check_job_path(file: JobFile, path: Path, watch: CheckCancelled = never_cancelled) -> None:
    """QeError where a path that a project names for a file of it cannot be that of such a file: it is not whole, ends
    otherwise, or something else stands there than a translator's file of that dialect.
    """
    there = _path_exists(path)
    if there is None or path.suffix.lower() not in JOB_SUFFIXES or (there and not _is_same_dialect(file, path, watch)):
        message = tr("the project names a path for {file} that is none of such a file", file=file.name)
        hint = tr("Nothing was written. Save it elsewhere: File ▸ Save a copy.")
        raise QeError(message, hint=hint, place=SourceLocation(display_name(path)))


def _path_exists(path: Path) -> bool | None:
    """Whether anything stands at a path; None for one that leads nowhere, or elsewhere from other folders."""
    if not path.is_absolute() or "\0" in str(path):
        return None
    try:
        return path.exists()
    except OSError:
        return None


def _is_same_dialect(file: JobFile, path: Path, watch: CheckCancelled) -> bool:
    """Whether a file of the same dialect lies there. QeError where it cannot be read."""
    from qe_desktop.formats.bilingual import parse_document
    from qe_desktop.formats.bilingual.document_corpus import job_column_choice

    data = read_bytes(path, watch)
    if data == file.data:
        return True
    try:
        return parse_document(data, path.name, job_column_choice(file)).form == file.form
    except QeError:
        return False
