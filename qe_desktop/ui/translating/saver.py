"""Saves translators' files: prepared and written beside the window, asked about where anything is doubtful."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from qe_desktop.corpus import Review
from qe_desktop.formats.bilingual.document import Rewritten, TargetsRefused
from qe_desktop.outgoing import label, within
from qe_desktop.project import Session
from qe_desktop.project.job_files import (
    Reviewed,
    Written,
    differs,
    digest,
    is_gone,
    refuse_unwritable,
    reviewed_files,
    wrote,
)
from qe_desktop.project.job_files import write as write_file
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.translating.questions import Answer, SegmentsQuestion, ask_changed, ask_leaving
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import side_by_side, tr

JOB = "save-job"


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A file as it is to be written: to `path`, over what has the digest `expected` there, or whatever is there (None).

    `refused` says why it cannot be. `changed` and `gone` tell of the file on the disk, `keeps` that later saves go
    there too.
    """

    reviewed: Reviewed
    path: Path
    expected: str | None
    rewritten: Rewritten | None = None
    refused: TargetsRefused | None = None
    changed: bool = False
    gone: bool = False
    keeps: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is to be saved: the session and its review when it was asked for, and where copies go, if any."""

    session: Session
    review: Review
    copies: dict[int, Path]
    other_codes: bool = False


class JobSaver(QObject):
    """Saves what was reviewed into the files that it came from, and guards against losing it."""

    saved = Signal(str)
    """What the status bar says."""
    told = Signal(object)
    """A `Message`."""
    ended = Signal(bool)
    """A save came to its end; whether all of it was written."""

    def __init__(self, workspace: Workspace, window: QWidget, export: Callable[[], bool]) -> None:
        super().__init__(window)
        self.workspace = workspace
        self.question: SegmentsQuestion | None = None
        self._window = window
        self._export = export

    # --- what is asked for

    def save(self) -> None:
        """Write what was reviewed into the files that it came from."""
        session = self.workspace.session
        if session is not None and session.corpus.job is not None:
            self._prepare(Asked(session, session.reviewing.review, {}))

    def save_copy(self) -> None:
        """Write what was reviewed into another file, or others in a folder."""
        session = self.workspace.session
        job = session.corpus.job if session is not None else None
        if session is None or job is None:
            return
        if len(job.files) == 1:
            path = self._ask_file(Path(job.files[0].path))
            copies = {0: path} if path is not None else {}
        else:
            start = self.workspace.settings.last_folder
            folder = QFileDialog.getExistingDirectory(self._window, tr("Save copies into a folder"), start)
            copies = {place: Path(folder) / Path(file.path).name for place, file in enumerate(job.files) if folder}
        if copies:
            self._prepare(Asked(session, session.reviewing.review, copies))

    def may_close(self) -> bool:
        """Whether what is open may be closed: yes, unless something was reviewed that a person wants to keep."""
        session = self.workspace.session
        unsaved = [] if session is None else session.reviewing.unsaved()
        if session is None or not unsaved:
            return True
        job = session.corpus.job is not None
        answer = ask_leaving(len(unsaved), job=job, parent=self._window)
        if answer is Answer.SAVE_AS:
            return (self._save_and_wait() if job else self._export()) and not session.reviewing.unsaved()
        return answer is Answer.DISCARD

    def _save_and_wait(self) -> bool:
        loop, outcome = QEventLoop(), [False]

        def end(well: bool) -> None:
            outcome[0] = well
            loop.quit()

        self.ended.connect(end)
        self.save()
        loop.exec()
        self.ended.disconnect(end)
        return outcome[0]

    def _ask_file(self, before: Path) -> Path | None:
        proposed = before.with_name(f"{before.stem}.reviewed{before.suffix}")
        path, _ = QFileDialog.getSaveFileName(self._window, tr("Save as"), str(proposed))
        return Path(path) if path else None

    # --- beside the window

    def _prepare(self, asked: Asked) -> None:
        session = asked.session
        view, places, job = session.view, dict(session.places), session.corpus.job
        assert job is not None

        def work(progress: Progress) -> list[Prepared]:
            files = reviewed_files(view, job, places)
            found = []
            for place, one in enumerate(files):
                progress.report(place / len(files), one.file.name)
                found.append(_prepared(one, asked, progress))
            return found

        self.workspace.jobs.submit(
            tr("Save", "what is being done"), work, lambda found: self._on_prepared(asked, found), self._fail,
            on_cancelled=lambda: self.ended.emit(False), latest=JOB, owner=self,
        )  # fmt: skip

    def _on_prepared(self, asked: Asked, found: list[Prepared]) -> None:
        refused = [one for one in found if one.refused is not None]
        if refused:
            self._ask_segments(asked, refused)
            return
        wanted: list[Prepared] = []
        for one in found:
            answered = self._settled(one)
            if answered is None:
                self.ended.emit(False)
                return
            wanted.append(answered)
        self._write(asked, wanted)

    def _settled(self, one: Prepared) -> Prepared | None:
        """A file as a person wants it written that changed on the disk; None where it is not to be."""
        if not (one.changed or one.gone):
            return one
        answer = ask_changed(one.path.name, gone=one.gone, parent=self._window)
        if answer is Answer.OVERWRITE:
            return replace(one, expected=None)
        path = self._ask_file(one.path) if answer is Answer.SAVE_AS else None
        return None if path is None else replace(one, path=path, expected=None)

    def _ask_segments(self, asked: Asked, refused: list[Prepared]) -> None:
        wrong: dict[int, str] = {}
        only_codes = True
        for one in refused:
            if one.refused is not None:
                first = one.reviewed.file.first
                wrong |= {first + segment: fault for segment, fault in one.refused.segments.items()}
                only_codes = only_codes and one.refused.only_codes
        names = side_by_side(", ", [one.reviewed.file.name for one in refused])
        question = self.question = SegmentsQuestion(names, wrong, only_codes=only_codes, parent=self._window)
        well = question.exec() == SegmentsQuestion.DialogCode.Accepted
        self.question = None
        question.deleteLater()
        if well:
            self._prepare(replace(asked, other_codes=True))
            return
        if question.wanted is not None:
            self.workspace.segment_wanted.emit(question.wanted)
        self.ended.emit(False)

    def _write(self, asked: Asked, wanted: list[Prepared]) -> None:
        def work(progress: Progress) -> list[tuple[Prepared, Written | None]]:
            done = []
            for place, one in enumerate(wanted):
                progress.report(place / len(wanted), one.path.name)
                done.append((one, _written(one)))
            return done

        self.workspace.jobs.submit(
            tr("Save", "what is being done"), work, lambda done: self._on_written(asked, done), self._fail,
            on_cancelled=lambda: self.ended.emit(False), latest=JOB, owner=self,
        )  # fmt: skip

    def _fail(self, error: object) -> None:
        self.workspace.failed.emit(error)
        self.ended.emit(False)

    def _on_written(self, asked: Asked, done: list[tuple[Prepared, Written | None]]) -> None:
        session = asked.session
        for one, place in done:
            if place is not None and one.keeps:
                wrote(session, one.reviewed.number, place)
        if not asked.copies and session.reviewing.review is asked.review:
            # what was done meanwhile is in no file yet
            session.reviewing.saved()
        if session is self.workspace.session:
            message = _told(asked, done)
            self.told.emit(message)
            names = side_by_side(", ", [one.path.name for one, _ in done])
            self.saved.emit(tr("{file}: {what}", file=within(names), what=message.title) if message.where else "")
        self.ended.emit(True)


def _prepared(one: Reviewed, asked: Asked, progress: Progress) -> Prepared:
    """A file as it would be written, and how it is on the disk. QeError where it can be written in no case."""
    known = one.known()
    copy = asked.copies.get(one.number)
    path = copy or Path(known.path)
    prepared = Prepared(one, path, None if copy else known.sha256, keeps=copy is None)
    try:
        rewritten = one.rewritten(other_codes=asked.other_codes)
    except TargetsRefused as refused:
        return replace(prepared, refused=refused)
    progress.check()
    prepared = replace(prepared, rewritten=rewritten)
    if copy is not None:
        refuse_unwritable(path)
        return prepared
    if is_gone(path):
        return replace(prepared, gone=True)
    if digest(rewritten.data) != known.sha256:
        refuse_unwritable(path)
        return replace(prepared, changed=differs(known, progress.check))
    return prepared


def _written(one: Prepared) -> Written | None:
    """Write one file; None where it has these bytes already."""
    assert one.rewritten is not None
    if one.expected is not None and digest(one.rewritten.data) == one.expected:
        return None
    return write_file(one.path, one.rewritten.data, one.expected)


def _told(asked: Asked, done: list[tuple[Prepared, Written | None]]) -> Message:
    """What was written, what stayed, and what is in no file all the same."""
    written = [(one, one.rewritten) for one, place in done if place is not None and one.rewritten is not None]
    if not written:
        names = side_by_side(", ", [label(one.path.name) for one, _ in done])
        return Message(tr("Nothing to save: {file} holds all of it already", file=names))
    title = tr(
        "{n:,} {n:segment|segments} changed, {bytes:,} other bytes identical", "",
        sum(rewritten.changed for _, rewritten in written), bytes=sum(rewritten.identical for _, rewritten in written),
    )  # fmt: skip
    unsaid = sum(len(rewritten.unsaid) for _, rewritten in written)
    advice = []
    if unsaid:
        advice.append(tr("{n:,} {n:confirmation has|confirmations have} no place in the file.", "", unsaid))
    if asked.review.notes:
        advice.append(tr("{n:,} {n:note is|notes are} in no file.", "", len(asked.review.notes)))
    if advice:
        advice.append(tr("A project keeps all of it (File ▸ Save as project)."))
    where = side_by_side(", ", [label(str(one.path)) for one, _ in written])
    return Message(title, "info", where, side_by_side(" ", advice))
