"""Saving of reviewed bilingual files: new content, paths last written to, and detection of later changes."""

from __future__ import annotations

import base64
import hashlib
import time
import zlib
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from qe_desktop.corpus import JobFile, QeError, ReviewStatus, SourceLocation, TranslationJob, View
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.atomic_write import resolve_target, write_bytes
from qe_desktop.formats.bilingual.document import RewrittenDocument
from qe_desktop.formats.files import (
    MAX_COMPRESSION_RATIO,
    UNPACKED_ALLOWANCE_BYTES,
    display_name,
    never_cancelled,
    read_bytes,
)
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import SessionChange
from qe_desktop.project.events import Row, SettingRow
from qe_desktop.project.review.target_marks import TargetMarks

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual import Document

WRITTEN_SETTING = "job/written/"
"""Prefix of the settings that store each file's last written version; the file's number in the job follows."""
RELOADED_SETTING = "job/reloaded/"
"""Prefix of the settings that store the bytes of files reloaded into a project (zlib, then Base64)."""
NO_RELOADED_FILES: Mapping[int, bytes] = {}
MAX_SAVED_TIME = 1e11
"""Upper limit (exclusive) of the Unix time in a setting, in seconds; other times are treated as unknown."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """Path of a file, and the SHA-256 hash of its bytes when it was last read or written.

    `saved` is the Unix time, in seconds, at which the complete review was last saved to the file; 0 if unknown.
    """

    path: str
    sha256: str
    saved: float = field(default=0.0, compare=False)

    def as_setting(self) -> dict[str, str | float]:
        """Return the value of the setting that stores this file."""
        setting: dict[str, str | float] = {"path": self.path, "sha256": self.sha256}
        return setting | ({"saved": self.saved} if self.saved else {})


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 hash of bytes as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def written_files(settings: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[int, WrittenFile]:
    """Read the last written version of each file from settings, by file number; invalid settings are skipped."""
    written: dict[int, WrittenFile] = {}
    for name, value in dict(settings).items():
        suffix = name.removeprefix(WRITTEN_SETTING) if name.startswith(WRITTEN_SETTING) else ""
        if suffix.isdecimal() and isinstance(value, dict):
            path, sha256, saved = value.get("path"), value.get("sha256"), value.get("saved")
            if isinstance(path, str) and isinstance(sha256, str):
                known_time = saved if isinstance(saved, float) and 0 <= saved < MAX_SAVED_TIME else 0.0
                written[int(suffix)] = WrittenFile(path, sha256, known_time)
    return written


def reloaded_files(settings: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> dict[int, bytes]:
    """Read the bytes of reloaded files from settings, by file number; invalid settings are skipped."""
    files: dict[int, bytes] = {}
    for name, value in dict(settings).items():
        number = name.removeprefix(RELOADED_SETTING) if name.startswith(RELOADED_SETTING) else ""
        if number.isdecimal() and isinstance(value, str):
            with suppress(ValueError, zlib.error):
                packed = base64.b64decode(value, validate=True)
                unpacker = zlib.decompressobj()
                data = unpacker.decompress(packed, max(UNPACKED_ALLOWANCE_BYTES, MAX_COMPRESSION_RATIO * len(packed)))
                if unpacker.eof:
                    files[int(number)] = data
    return files


@dataclass(frozen=True, slots=True, eq=False)
class ReviewedFile:
    """Bilingual file, its number in the job, and its review.

    The keys of `targets` (lines with codes), `statuses` and `notes` are 0-based segment numbers within the file.
    """

    number: int
    file: JobFile
    targets: Mapping[int, str]
    statuses: Mapping[int, ReviewStatus]
    written_file: WrittenFile | None
    """Location and hash of the file when it was last written; None if it was only read."""
    notes: Mapping[int, str] = field(default_factory=dict)
    reloaded_data: bytes | None = None
    """Bytes of the file when it was reloaded into a project; None if it was not reloaded."""
    job: TranslationJob | None = None
    """Job that contains the file as first read; needed only if the file was reloaded."""

    def rewrite(
        self,
        *,
        other_codes: bool = False,
        excluded: Set[int] = frozenset(),
        add_missing: bool = False,
        language: str = "",
    ) -> RewrittenDocument:
        """Return the file with its review, built from the bytes that were read or reloaded.

        Segments in `excluded`, which contains segment numbers of the corpus, are left unchanged. `other_codes` allows
        missing or extra codes. `add_missing` adds missing attributes and fills empty cells to store statuses.
        `language` is added as the target language if the file requires one but lacks it. Raises QeError as
        `with_targets` does.
        """
        # imported on first use, so that start-up does not wait for the formats
        from qe_desktop.formats.bilingual import parse_document
        from qe_desktop.formats.bilingual.document_corpus import job_column_choice
        from qe_desktop.formats.bilingual.xml.sdl_comments import without_comment_codes

        data = self.file.data if self.reloaded_data is None else self.reloaded_data
        document = parse_document(data, self.file.name, job_column_choice(self.file))
        reviewed_file = self if self.reloaded_data is None else self._with_loaded_values(document)
        first = self.file.first
        targets = {
            number: without_comment_codes(document.segments[number], line)
            for number, line in reviewed_file.targets.items()
            if first + number not in excluded
        }
        statuses = {
            number: status for number, status in reviewed_file.statuses.items() if first + number not in excluded
        }
        notes = {number: note for number, note in reviewed_file.notes.items() if first + number not in excluded}
        return document.with_targets(
            targets, statuses, notes, other_codes=other_codes, add_missing=add_missing, language=language
        )

    def _with_loaded_values(self, document: Document) -> ReviewedFile:
        """Return a copy with the values of the session, loaded or edited, that must be written to `document`.

        `document` is the reloaded file. Segments that are locked in it, or were locked when the job was loaded, have no
        target or status in the copy. Raises QeError if the number of segments has changed.
        """
        job, first = self.job, self.file.first
        assert job is not None
        if len(document.segments) != self.file.count:
            message = tr("the reloaded file and the project have different numbers of segments")
            raise QeError(message, place=SourceLocation(self.file.name))
        targets, statuses, notes = dict(self.targets), dict(self.statuses), dict(self.notes)
        for number, segment in enumerate(document.segments):
            loaded_status = ReviewStatus(int(job.statuses[first + number]))
            status = document.status(segment)
            if ReviewStatus.LOCKED in (status, loaded_status):
                targets.pop(number, None)
                statuses.pop(number, None)
            else:
                targets.setdefault(number, job.targets[first + number])
                if statuses.setdefault(number, loaded_status) is status:
                    del statuses[number]
            if notes.setdefault(number, job.reviewer_notes.get(first + number, "")) == segment.note:
                del notes[number]
        return replace(self, targets=targets, statuses=statuses, notes=notes)

    def add_issues(self, rewritten: RewrittenDocument, marks: TargetMarks) -> tuple[RewrittenDocument, int]:
        """Add an issue for each word in `marks`; return the document and the number of issues.

        The document is unchanged if its dialect does not support issues. Raises QeError if adding issues would change
        anything else.
        """
        from qe_desktop.formats.bilingual import parse_document
        from qe_desktop.formats.bilingual.document_corpus import job_column_choice
        from qe_desktop.formats.bilingual.xml.its_writer import issues_from_spans, supports_issues, with_issues

        if not supports_issues(self.file.form):
            return rewritten, 0
        document = parse_document(rewritten.data, self.file.name, job_column_choice(self.file))
        segments, first = self.file.segments, self.file.first
        issues = issues_from_spans(document, {n - first: spans for n, spans in marks.spans.items() if n in segments})
        marked = with_issues(document, issues, marks.system)
        return replace(rewritten, data=marked.data), sum(map(len, issues.values()))

    def known_version(self) -> WrittenFile:
        """Path of the file and the last known hash of its bytes."""
        return self.written_file or WrittenFile(self.file.path, sha256_hex(self.file.data))


class JobFilesHost(Protocol):
    """Session that the bilingual files belong to."""

    written_files: dict[int, WrittenFile]
    reloaded_data: dict[int, bytes]
    person: str
    window: str
    read_only: str

    def publish(self, change: SessionChange, *rows: Row) -> SessionChange:
        """Store rows and notify all subscribers of a change; return the change that was reported to them."""


def record_written(session: JobFilesHost, number: int, written: WrittenFile, saved: float = 0.0) -> SessionChange:
    """Record the path and hash of a written bilingual file, so that a later save can detect changes by other programs.

    The record is not stored in the project if the session is read-only. `saved` is as in `WrittenFile`; 0 keeps the
    previous time.
    """
    former = session.written_files.get(number)
    written = session.written_files[number] = replace(written, saved=saved or (0.0 if former is None else former.saved))
    row = SettingRow(
        f"{WRITTEN_SETTING}{number}", written.as_setting(), "", time.time(), session.person, session.window
    )
    return session.publish(SessionChange(None, text=tr("saved")), *(() if session.read_only else (row,)))


def record_reloaded(session: JobFilesHost, number: int, place: WrittenFile, data: bytes) -> SessionChange:
    """Record the bytes of a bilingual file that was reloaded into a project, and its path and hash (`place`)."""
    session.reloaded_data[number] = data
    packed = base64.b64encode(_compress(data)).decode()
    author = (session.person, session.window)
    session.publish(SessionChange(None), SettingRow(f"{RELOADED_SETTING}{number}", packed, "", time.time(), *author))
    return record_written(session, number, place)


def _compress(data: bytes) -> bytes:
    """Return bytes in zlib format, stored uncompressed if `reloaded_files` would reject the compression ratio."""
    packed = zlib.compress(data)
    is_small = len(data) <= max(UNPACKED_ALLOWANCE_BYTES, MAX_COMPRESSION_RATIO * len(packed))
    return packed if is_small else zlib.compress(data, 0)


def reviewed_files(
    view: View,
    job: TranslationJob,
    written_files: Mapping[int, WrittenFile],
    bases: Mapping[int, bytes] = NO_RELOADED_FILES,
) -> list[ReviewedFile]:
    """Return each file of `job` with its review from `view`.

    `written_files` and `bases` are the attributes `written_files` and `reloaded_data` of the session.
    """
    review = view.review
    files = []
    for number, file in enumerate(job.files):
        segments = file.segments
        targets = {segment - file.first: line for segment, line in review.targets.items() if segment in segments}
        statuses = {segment - file.first: status for segment, status in review.statuses.items() if segment in segments}
        notes = {segment - file.first: note for segment, note in review.notes.items() if segment in segments}
        files.append(
            ReviewedFile(number, file, targets, statuses, written_files.get(number), notes, bases.get(number), job)
        )  # fmt: skip
    return files


def is_missing(path: Path) -> bool:
    """Return whether a path does not exist; False if that cannot be determined."""
    try:
        return not path.exists()
    except OSError:
        return False


def check_writable(path: Path) -> None:
    """Raise QeError if a path is a folder, a special file or a read-only file; called before anything is written."""
    resolve_target(path)


def write_job_file(path: Path, data: bytes, expected: str | None) -> WrittenFile:
    """Write a file atomically, and return its path and hash; `expected` is the hash of the file to replace (None: any).

    Raises FileChangedError, without writing anything, if the hash differs. Raises QeError if the file cannot be read or
    written.
    """
    if expected is not None and sha256_hex(read_bytes(path)) != expected:
        raise FileChangedError(path)
    write_bytes(path, data)
    return WrittenFile(str(path), sha256_hex(data))


class FileChangedError(QeError):
    """Error for a file that is not written because another program has changed it."""

    def __init__(self, path: Path) -> None:
        message = tr("the file was changed by another program after it was last read or saved")
        super().__init__(
            message,
            hint=tr("Nothing was written. Save your version under another name."),
            place=SourceLocation(display_name(path)),
        )


JOB_SUFFIXES = frozenset((
    ".xlf", ".xliff", ".xlif", ".xml", ".sdlxliff", ".mxliff", ".mqxliff", ".mqxlz", ".tmx", ".po", ".pot",
    ".csv", ".tsv", ".tab", ".txt", ".xlsx",
))  # fmt: skip
"""File extensions of bilingual files; a path stored in a project must have one of them."""


def check_job_path(file: JobFile, path: Path, check_cancelled: CheckCancelled = never_cancelled) -> None:
    """Raise QeError if a path stored in a project is not valid for a job file, or if a file at the path is unreadable.

    A path is valid if it is absolute and has one of `JOB_SUFFIXES`, and if an existing file at the path has the same
    dialect as `file`.
    """
    exists = _path_exists(path)
    if (
        exists is None
        or path.suffix.lower() not in JOB_SUFFIXES
        or (exists and not _is_same_dialect(file, path, check_cancelled))
    ):
        message = tr("the path stored in the project is not valid for {file}", file=file.name)
        hint = tr("Nothing was written. Use File ▸ Save a copy of the bilingual file.")
        raise QeError(message, hint=hint, place=SourceLocation(display_name(path)))


def _path_exists(path: Path) -> bool | None:
    """Return whether a path exists; None if it is invalid or relative."""
    if not path.is_absolute() or "\0" in str(path):
        return None
    try:
        return path.exists()
    except OSError:
        return None


def _is_same_dialect(file: JobFile, path: Path, check_cancelled: CheckCancelled) -> bool:
    """Return whether the file at `path` has the dialect of `file`. Raises QeError if `path` cannot be read."""
    from qe_desktop.formats.bilingual import parse_document
    from qe_desktop.formats.bilingual.document_corpus import job_column_choice

    data = read_bytes(path, check_cancelled)
    if data == file.data:
        return True
    try:
        return parse_document(data, path.name, job_column_choice(file)).dialect == file.form
    except QeError:
        return False
