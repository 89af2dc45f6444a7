"""Journal of the open bilingual files: notices on restored edits, storage of typed text, deletion of old journals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance

from qe_desktop.corpus import QeError
from qe_desktop.escaping import escape_label
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.files.importing.file_opener import FileOpener
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.projects.last_position import LastPosition
from qe_desktop.ui.settings import JOURNALS_KEY
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import JournalReport
    from qe_desktop.project.journal.typing_draft import TypedText

DRAFT_DELAY_MS = 100
"""Delay in milliseconds before uncommitted text is stored in the journal."""
CLEAN_UP_DELAY_MS = 60_000
"""Delay in milliseconds between the start of the program and the deletion of old journals."""


class TypingSource(Protocol):
    """Controller that edits targets and notes."""

    def uncommitted_text(self) -> TypedText | None:
        """Return the text that is not committed yet; None if there is none."""
        ...


class JournalController(QObject):
    """Controller of the open files' journal: reports restored edits, and stores text while it is typed."""

    def __init__(self, shell: Shell, workspace: Workspace, opener: FileOpener, position: LastPosition) -> None:
        super().__init__(shell)
        self.workspace = workspace
        self._position = position
        self._typing: TypingSource | None = None
        self._notices = NoticeSlot(shell.notices, "journal")
        self._draft_timer = QTimer(self, singleShot=True, interval=DRAFT_DELAY_MS)
        self._draft_timer.timeout.connect(self._store_draft)
        opener.restored.connect(self._on_restored)
        workspace.settings.changed.connect(self._on_setting)
        QTimer.singleShot(CLEAN_UP_DELAY_MS, self, self._remove_old)

    def watch(self, typing: TypingSource, *edits: SignalInstance) -> None:
        """Store the uncommitted text of `typing` in the journal shortly after any of the `edits` signals is emitted."""
        self._typing = typing
        for edited in edits:
            edited.connect(self._on_typed)

    def _on_typed(self) -> None:
        if self.workspace.journal is not None and not self._draft_timer.isActive():
            self._draft_timer.start()

    def _store_draft(self) -> None:
        journal = self.workspace.journal
        if journal is not None and self._typing is not None:
            typed = self._typing.uncommitted_text()
            if typed is None:
                journal.clear_draft()
            else:
                journal.store_draft(typed)

    def _on_setting(self, key: str) -> None:
        """Stop storing edits of the open files, and delete their journal, when private mode begins."""
        journal = self.workspace.journal
        if key == JOURNALS_KEY and not self.workspace.settings.journals and journal is not None:
            self.workspace.stop_journal()
            journal.entry.remove()

    def _remove_old(self) -> None:
        def remove(progress: Progress) -> int:
            from qe_desktop.project.journal.file_journal import JournalFolder

            return JournalFolder().remove_old()

        self.workspace.jobs.submit(tr("Deleting old stored edits"), remove, owner=self, computing=True)

    # --- restored edits

    def _on_restored(self, report: JournalReport) -> None:
        if self.workspace.journal is not None:
            self._position.restore(self.workspace.journal.user_settings)
        self._notices.remove_messages()
        if report.problem is not None:
            self._show_problem(report.problem)
        elif report.damaged is not None:
            title = tr("The stored edits to this file are damaged and cannot be restored")
            advice = tr("New edits are stored from now on. The damaged data are not deleted.")
            # any reported changes belong to other files
            advice, details = join_localized(" ", [advice, *_changes(report)]), _unmatched_edits(report)
            self._notices.show(Message(title, "warning", str(report.damaged), advice, details=details))
        elif changes := _changes(report):
            title, advice = tr("The file was changed by another program"), join_localized(" ", changes)
            kind = "warning" if report.changed or report.unmatched else "info"
            self._notices.show(Message(title, kind, advice=advice, details=_unmatched_edits(report)))
        elif report.unsaved:
            text = tr(
                "Restored: {n:,} {n:segment|segments} with changes that are not saved in the file yet",
                "", report.unsaved,
            )  # fmt: skip
            self._notices.show(Message(text))

    def _show_problem(self, error: QeError) -> None:
        title = tr("Edits are stored only when you save the file: {reason}", reason=error.message)
        self._notices.show(Message(title, "warning", str(error.place or ""), error.hint))


def _changes(report: JournalReport) -> list[str]:
    """Return sentences about segments that other programs changed in the files or removed from them."""
    sentences = []
    if report.changed:
        sentences.append(
            tr(
                "In the file, {n:,} {n:segment|segments} that you edited {n:has|have} a different target, "
                "status or note. The version in the file is shown; undo restores your {n:edit|edits}.",
                "", len(report.changed),
            )
        )  # fmt: skip
    if report.unmatched:
        sentences.append(
            tr(
                "{n:,} {n:segment that you edited was|segments that you edited were} not found in the file.",
                "", len(report.unmatched),
            )
        )  # fmt: skip
    if report.updated:
        sentences.append(
            tr(
                "In {n:,} {n:segment|segments} that you did not edit, the target, status or note has changed.",
                "", report.updated,
            )
        )  # fmt: skip
        if report.unsaved and not report.changed:
            sentences.append(
                tr(
                    "{n:,} {n:segment has|segments have} edits of yours that are not saved in the file yet.",
                    "", report.unsaved,
                )
            )  # fmt: skip
    return sentences


def _unmatched_edits(report: JournalReport) -> tuple[str, ...]:
    """Return one line for each edited segment that the files no longer contain: its source, target and any note."""
    lines = []
    for edit in report.unmatched:
        source, target = (escape_label(strip_codes(text)) for text in (edit.source, edit.target))
        if edit.note:
            note = escape_label(edit.note)
            lines.append(
                tr("{source} – your target: {target} – your note: {note}", source=source, target=target, note=note)
            )
        else:
            lines.append(tr("{source} – your target: {target}", source=source, target=target))
    return tuple(lines)
