"""Bilingual files before they are written: new contents and the state on disk, computed on a worker thread."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from qe_desktop.corpus import LayerKey, QeError, Review, ReviewStatus
from qe_desktop.escaping import escape_label
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import RewrittenDocument, TargetsRejectedError
from qe_desktop.formats.bilingual.document_corpus import job_column_choice
from qe_desktop.formats.files import read_bytes
from qe_desktop.formats.files_in_use import count_hard_links, hard_links_text, is_open_elsewhere
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.target_marks import TargetMarks
from qe_desktop.project.reviewed_files import (
    ReviewedFile,
    WrittenFile,
    check_job_path,
    check_writable,
    is_missing,
    sha256_hex,
    write_job_file,
)
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.notices import Message


@dataclass(frozen=True, slots=True, eq=False)
class PreparedFile:
    """File to be written to `path`; replaces only a file with the digest `expected`, or any file if `expected` is None.

    `rejection` states which targets cannot be written, `write_obstacle` why nothing can be written to the path.
    `is_untrusted` means that only a project names the path. `changed` means that the file on disk was changed,
    `is_missing` that it was deleted or moved, and `is_in_use` that another program has it open. `hard_link_count` is
    the number of other hard links to the file. `keeps_path` states whether later saves use the same path. `issue_count`
    is the number of issues marked in the new contents.
    """

    reviewed: ReviewedFile
    path: Path
    expected: str | None
    rewritten: RewrittenDocument | None = None
    rejection: TargetsRejectedError | None = None
    is_untrusted: bool = False
    changed: bool = False
    is_missing: bool = False
    is_in_use: bool = False
    hard_link_count: int = 0
    keeps_path: bool = True
    issue_count: int = 0
    write_obstacle: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether the new contents differ from the contents last read."""
        known = self.reviewed.file.data if self.reviewed.reloaded_data is None else self.reviewed.reloaded_data
        return self.rewritten is not None and self.rewritten.data != known

    def is_unclear(self) -> bool:
        """Return whether the user must be asked before the file is written."""
        return bool(self.is_untrusted or self.changed or self.is_missing or self.write_obstacle or self.is_in_use)


@dataclass(frozen=True, slots=True, eq=False)
class SaveRequest:
    """Input of a save: the session, its review at the time of the request, and any paths of copies by file index.

    `untrusted_files` are the 0-based indices of files whose paths are named only by a project. `allow_other_codes`
    allows inline codes that differ from those in the source. `add_missing` are the indices of files to which missing
    attributes and cells for statuses are added. `languages` are the target languages to add, by file index.
    `excluded_segments` are not written, and remain unchanged in their files. `layer` is the layer whose BAD words are
    marked in copies, if any; `marks` are computed in the background. `requested_at_s` is the Unix time of the request
    in seconds.
    """

    session: Session
    review: Review
    copies: dict[int, Path]
    untrusted_files: frozenset[int] = frozenset()
    allow_other_codes: bool = False
    add_missing: frozenset[int] = frozenset()
    languages: Mapping[int, str] = field(default_factory=dict)
    excluded_segments: frozenset[int] = frozenset()
    layer: LayerKey | None = None
    marks: TargetMarks | None = None
    requested_at_s: float = field(default_factory=time.time)


@dataclass(slots=True, eq=False)
class SaveResult:
    """Files written so far, each with its new state on disk; the state is None if the file was already up to date.

    `unsaved` contains the path of each file that was not written, with the error, or with None if the user cancelled.
    """

    files: list[tuple[PreparedFile, WrittenFile | None]] = field(default_factory=list)
    unsaved: list[tuple[Path, QeError | None]] = field(default_factory=list)

    def includes(self, segment: int) -> bool:
        """Return whether the file that contains a segment was written or was already up to date."""
        return any(segment in file.reviewed.file.segments for file, _ in self.files)


def prepare_file(reviewed: ReviewedFile, request: SaveRequest, progress: Progress) -> PreparedFile:
    """Compute the new contents of a file and its state on disk.

    Raises QeError if the contents cannot be computed, if the file on disk cannot be read, if a copy cannot be written,
    or if a path that only a project names is not valid for the file. Raises JobCancelled if the job was cancelled.
    """
    written = reviewed.known_version()
    copy = request.copies.get(reviewed.number)
    path = copy or Path(written.path)
    # a copy may replace the file itself; a copy with marks differs from what later saves write
    keeps = copy is None or (request.marks is None and os.path.realpath(copy) == os.path.realpath(written.path))
    prepared = PreparedFile(reviewed, path, None if copy else written.sha256, keeps_path=keeps)
    rewrite = partial(
        reviewed.rewrite, other_codes=request.allow_other_codes, excluded=request.excluded_segments,
        add_missing=reviewed.number in request.add_missing,
    )  # fmt: skip
    try:
        rewritten = rewrite(language=request.languages.get(reviewed.number, ""))
        if rewritten.lacks_language and (language := _written_language(reviewed, progress)):
            rewritten = rewrite(language=language)
    except TargetsRejectedError as refused:
        return replace(prepared, rejection=refused)
    progress.check()
    prepared = replace(prepared, rewritten=rewritten)
    if copy is not None:
        check_writable(path)
        if request.marks is None:
            return prepared
        marked, issues = reviewed.add_issues(rewritten, request.marks)
        return replace(prepared, rewritten=marked, issue_count=issues)
    untouched = reviewed.written_file is None and rewritten.data == reviewed.file.data
    if reviewed.number in request.untrusted_files:
        if untouched:
            return prepared
        check_job_path(reviewed.file, path, progress.check)
        prepared = replace(prepared, is_untrusted=True)
    if is_missing(path):
        # if its folder no longer exists either, nothing can be written there
        obstacle = "" if path.parent.is_dir() else tr("its folder no longer exists")
        return replace(prepared, is_missing=True, write_obstacle=obstacle)
    return prepared if untouched else _compare_with_disk(prepared, rewritten, progress)


def _written_language(reviewed: ReviewedFile, progress: Progress) -> str:
    """Return the target language in a file as last written; empty if the file was never written or has changed."""
    place = reviewed.written_file
    if place is None or is_missing(Path(place.path)):
        return ""
    data = read_bytes(Path(place.path), progress.check)
    if sha256_hex(data) != place.sha256:
        return ""
    return parse_document(data, reviewed.file.name, job_column_choice(reviewed.file)).target_language


def _compare_with_disk(prepared: PreparedFile, rewritten: RewrittenDocument, progress: Progress) -> PreparedFile:
    """Compare the new contents with the file on disk; return `prepared`, updated with the state of the file on disk."""
    new_hash, on_disk = sha256_hex(rewritten.data), sha256_hex(read_bytes(prepared.path, progress.check))
    if on_disk == new_hash:
        # the bytes on disk are equal, so nothing will be overwritten
        return replace(prepared, expected=on_disk, is_untrusted=False)
    try:
        check_writable(prepared.path)
    except QeError as error:
        return replace(prepared, write_obstacle=error.message)
    changed, is_open = on_disk != prepared.expected, is_open_elsewhere(prepared.path)
    return replace(prepared, changed=changed, is_in_use=is_open, hard_link_count=count_hard_links(prepared.path))


def write_files(files: list[PreparedFile], result: SaveResult, progress: Progress) -> SaveResult:
    """Write the files in order; return `result`, extended with the written files and the errors for all other files.

    Raises JobCancelled if the job was cancelled; `result` then includes the files written so far.
    """
    for index, file in enumerate(files):
        progress.report(index / len(files), file.path.name)
        try:
            result.files.append((file, _write_file(file)))
        except QeError as error:
            result.unsaved.append((file.path, error))
    return result


def _write_file(file: PreparedFile) -> WrittenFile | None:
    """Write a file, and return its new state on disk; None if the file is already up to date."""
    assert file.rewritten is not None
    if file.expected is not None and sha256_hex(file.rewritten.data) == file.expected:
        return None
    return write_job_file(file.path, file.rewritten.data, file.expected)


def match_existing_file(file: PreparedFile) -> WrittenFile | None:
    """Return the state of an up-to-date file; None if this state is already known or later saves use another path."""
    written = file.reviewed.known_version()
    if not file.keeps_path or file.expected is None or file.expected == written.sha256:
        return None
    return WrittenFile(str(file.path), file.expected)


@dataclass(frozen=True, slots=True)
class UnsupportedFields:
    """Indices of segments whose statuses (confirmed or rejected) or notes their files cannot store."""

    statuses: frozenset[int] = frozenset()
    notes: frozenset[int] = frozenset()

    def without_saved(self, result: SaveResult) -> UnsupportedFields:
        """Return a copy without the segments of files that were written or already up to date."""
        return UnsupportedFields(
            frozenset(segment for segment in self.statuses if not result.includes(segment)),
            frozenset(segment for segment in self.notes if not result.includes(segment)),
        )

    def union(self, more: UnsupportedFields) -> UnsupportedFields:
        """Return the segments of this object and of `more`."""
        return UnsupportedFields(self.statuses | more.statuses, self.notes | more.notes)


def unsupported_fields(result: SaveResult) -> UnsupportedFields:
    """Return the segments whose statuses or notes the saved files cannot store."""
    contents = [(file.reviewed.file.first, file.rewritten) for file, _ in result.files if file.rewritten is not None]
    return UnsupportedFields(
        frozenset(first + segment for first, rewritten in contents for segment in rewritten.unsupported_statuses),
        frozenset(first + segment for first, rewritten in contents for segment in rewritten.unsupported_notes),
    )


def can_store_field(unsupported: UnsupportedFields, segment: int, field: ReviewField) -> bool:
    """Return whether files can store a field of a segment: targets always, status and note unless in `unsupported`."""
    if field is ReviewField.STATUS:
        return segment not in unsupported.statuses
    return field is ReviewField.TARGET or (field is ReviewField.NOTE and segment not in unsupported.notes)


def is_saved(
    request: SaveRequest, result: SaveResult, unsupported: UnsupportedFields, segment: int, field: ReviewField
) -> bool:
    """Return whether the save stored a field of a segment, with the value from `request.review`."""
    is_written = segment not in request.excluded_segments and result.includes(segment)
    return is_written and can_store_field(unsupported, segment, field)


def save_message(request: SaveRequest, result: SaveResult, since_last: int = 0, *, in_project: bool = False) -> Message:
    """Return a message about the files that were written or already up to date, and about what they cannot store.

    `since_last` is the number of segments that changed since the files were last saved; 0 if unknown. `in_project`
    states whether a project is open; a project also stores what the files cannot store.
    """
    written = [(file, file.rewritten) for file, on_disk in result.files if on_disk is not None and file.rewritten]
    advice = _unsupported_texts(request.review, unsupported_fields(result), in_project=in_project)
    if not written:
        names = join_localized(", ", [escape_label(file.path.name) for file, _ in result.files])
        if advice:
            title = tr("Nothing was saved: {file} cannot store the remaining edits", file=names)
            return Message(title, "info", "", join_localized(" ", advice))
        return Message(tr("Nothing to save: no unsaved changes in {file}", file=names))
    changed = sum(rewritten.changed_segments for _, rewritten in written)
    # an empty target may count as an edit, although the file is as before
    recent = min(since_last or changed, changed)
    if request.marks is None and recent < changed:
        title = tr(
            "Saved with {n:,} changed {n:segment|segments}, {total:,} in total since the file was first opened; "
            "everything else is unchanged", "", recent, total=changed,
        )  # fmt: skip
    elif request.marks is None:
        title = tr("Saved with {n:,} changed {n:segment|segments}; everything else is unchanged", "", changed)
    else:
        title = tr(
            "Saved with {n:,} changed {n:segment|segments} and {issues:,} issue {issues:mark|marks} from {layer}; "
            "everything else is unchanged", "", changed, issues=sum(file.issue_count for file, _ in written),
            layer=escape_label(request.marks.layer.display_name),
        )  # fmt: skip
        advice += unmarked_warnings(request.marks)
    linked_files = [file for file, _ in written if file.hard_link_count]
    advice += [hard_links_text(file.hard_link_count, escape_label(file.path.name)) for file in linked_files]
    where = join_localized(", ", [escape_label(str(file.path)) for file, _ in written])
    return Message(title, "info", where, join_localized(" ", advice))


def unsaved_message(result: SaveResult) -> Message | None:
    """Return a message on unsaved files (with reasons) and saved files; None if saving the only file was cancelled."""
    errors = [error for _, error in result.unsaved if error is not None]
    if len(result.unsaved) + len(result.files) == 1:
        return Message.from_error(errors[0]) if errors else None
    names = join_localized(", ", [escape_label(path.name) for path, _ in result.unsaved])
    title = tr("{n:,} {n:file was|files were} not saved: {names}", "", len(result.unsaved), names=names)
    saved = join_localized(", ", [escape_label(file.path.name) for file, _ in result.files])
    reasons = [
        join_localized(": ", [escape_label(path.name), tr("cancelled") if error is None else error.message])
        for path, error in result.unsaved
    ]
    hints = dict.fromkeys(error.hint for error in errors if error.hint)
    return Message(
        title,
        "error" if errors else "warning",
        tr("Saved: {names}", names=saved) if saved else tr("No file was saved."),
        join_localized(" ", list(hints)),
        tuple(reasons),
    )


def unmarked_warnings(marks: TargetMarks) -> list[str]:
    """Return a list with one warning if some BAD words were not marked, otherwise an empty list."""
    if not marks.unmarked_count:
        return []
    return [
        tr(
            "{n:,} BAD {n:word was|words were} not marked: {n:it was|they were} edited, or {n:its|their} segment is "
            "locked, is too long, or does not match the tags.", "", marks.unmarked_count,
        )
    ]  # fmt: skip


def _unsupported_texts(review: Review, unsupported: UnsupportedFields, *, in_project: bool) -> list[str]:
    rejected = sum(review.statuses.get(segment) is ReviewStatus.REJECTED for segment in unsupported.statuses)
    confirmed = len(unsupported.statuses) - rejected
    advice = []
    if confirmed:
        advice.append(tr("The file cannot store {n:,} {n:confirmation|confirmations}.", "", confirmed))
    if rejected:
        advice.append(tr("The file cannot store {n:,} {n:rejection|rejections}.", "", rejected))
    if unsupported.notes:
        advice.append(tr("The file cannot store {n:,} {n:note|notes}.", "", len(unsupported.notes)))
    if advice:
        project = tr("The project stores what the file cannot.")
        advice.append(project if in_project else tr("A project can store everything (File ▸ Save as project)."))
    return advice


def copy_paths(folder: Path, names: list[str]) -> dict[int, Path]:
    """Return a path in `folder` for a copy of each of the files `names`, by 0-based file index.

    All paths differ, even if case is ignored. Files may already exist at these paths.
    """
    used_names: set[str] = set()
    paths: dict[int, Path] = {}
    for number, name in enumerate(names):
        stem, suffix = Path(name).stem, Path(name).suffix
        free, tried = name, 1
        while free.casefold() in used_names:
            tried += 1
            free = f"{stem} ({tried}){suffix}"
        used_names.add(free.casefold())
        paths[number] = folder / free
    return paths


MAX_PATHS = 1000
"""Maximum number of remembered paths; if there are more, the oldest are forgotten and must be confirmed again."""


class TrustedPaths:
    """Paths that projects may write to, remembered in the settings of this computer."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def is_trusted(self, project: str, path: str) -> bool:
        """Return whether a file at `path` was opened or saved on this computer for `project` (its path or address)."""
        return _digest(project, path) in self._settings.trusted_path_digests

    def add_paths(self, project: str, paths: Iterable[str]) -> None:
        """Remember that files at `paths` were opened or saved for a project."""
        new = list(dict.fromkeys(_digest(project, path) for path in paths))
        before = self._settings.trusted_path_digests
        if not set(new) <= set(before):
            self._settings.trusted_path_digests = list(dict.fromkeys([*new, *before]))[:MAX_PATHS]


def _digest(project: str, path: str) -> str:
    return hashlib.sha256(f"{project}\0{path}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def unsaved_text(session: Session, *, has_storable_edits: bool) -> str:
    """Return a warning about unsaved edits; `has_storable_edits` states whether files can store any of these edits."""
    job = session.corpus.job
    if job is None or not session.reviewing.unsaved_segments():
        return tr("Edits are not saved")
    if not has_storable_edits:
        return tr("Edits are not saved") if session.unsaved_layers() else tr("Notes or statuses are not saved")
    return tr("Not saved")


def save_offer_text() -> str:
    """Return the text of the button that saves the open bilingual files, including the command's shortcut, if any."""
    key = shortcut_text("file.save")
    return tr("Save ({key})", key=key) if key else tr("Save")
