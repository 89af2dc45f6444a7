"""Joins the window to what it shows. Imported after the first paint, so that nothing slow stands before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.formats import Plan, Role
from qe_desktop.project import Change
from qe_desktop.ui.comparing import ComparisonKeeper
from qe_desktop.ui.importing.opener import Opener
from qe_desktop.ui.inspect.area import ACTIONS as INSPECT_ACTIONS
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.saving import Saver
from qe_desktop.ui.scoring import ScoreKeeper
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.ui.shell.window import Shell


def wire(shell: Shell) -> Wiring:
    """Build the workspace with its areas, and say who opens, saves and undoes."""
    return Wiring(shell)


class Wiring(QObject):
    """What connects the shell with the workspace; it does nothing of its own."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        self.workspace = Workspace(shell.settings, shell.jobs, self)
        self.scores = ScoreKeeper(self.workspace)
        self.comparison = ComparisonKeeper(self.workspace, self.scores)
        self.saver = Saver(self.workspace, shell)
        self.opener = Opener(self.workspace, self.saver.may_close, shell)
        self._add_areas()
        self._connect()
        shell.add_close_guard(self.saver.may_close)
        shell.set_openers(self.opener.paths, self.opener.sample)

    def _add_areas(self) -> None:
        self.shell.add_area(
            "inspect",
            "Inspect",
            "inspect",
            self._inspect,
            tip="Read segments word by word, and edit tags",
            actions=INSPECT_ACTIONS,
        )
        self.shell.add_area("scores", "Scores", "scores", self._scores, tip="Compare systems")

    def _inspect(self) -> QWidget:
        from qe_desktop.ui.scores.panel import ScorePanel

        area = InspectArea(self.workspace, ScorePanel(self.scores, self.comparison))
        area.connect_actions(self.shell.commands)
        return area

    def _scores(self) -> QWidget:
        from qe_desktop.ui.scores.area import ScoresArea

        area = ScoresArea(self.workspace, self.scores, self.comparison)
        area.folder_wanted.connect(self.shell.commands["file.open-folder"].trigger)
        area.files_wanted.connect(self.shell.commands["file.open-files"].trigger)
        return area

    def _connect(self) -> None:
        commands, workspace = self.shell.commands, self.workspace
        commands.connect_to("file.save", self.saver.ask, enabled=False)
        commands.connect_to("file.close", self._close, enabled=False)
        commands.connect_to("file.recognised", self.opener.show_recognised, enabled=False)
        commands.connect_to("edit.undo", workspace.undo, enabled=False)
        commands.connect_to("edit.redo", workspace.redo, enabled=False)
        commands.connect_to("edit.own-layer", self._own_layer, enabled=False)
        commands.connect_to("edit.preferences", self._show_preferences)
        workspace.failed.connect(self.shell.notices.from_error)
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)
        workspace.segments_wanted.connect(self._show_inspect)
        self.opener.refused.connect(self.shell.notices.from_error)
        self.opener.opened.connect(self._on_plan)
        self.saver.saved.connect(self.shell.status.set_saved)

    # --- what follows from what

    def _on_opened(self) -> None:
        if self.workspace.session is None:
            self.shell.show_start()
        else:
            self.shell.notices.clear()
            self.shell.show_area("inspect")
        self.shell.status.set_saved("")
        self._tell()

    def _on_plan(self, plan: Plan) -> None:
        samples = "resources/samples" in plan.folder.replace("\\", "/")
        if plan.folder and not samples:
            self.shell.remember_recent(plan.folder)
        said = [
            f"{file.path.name}: {'; '.join(file.notes)}"
            for file in plan.files
            if file.notes and file.role is not Role.IGNORED
        ]
        if said:
            self.shell.notices.info(
                f"{len(said)} remark{'' if len(said) == 1 else 's'} about the files that were opened", details=said
            )

    def _on_change(self, change: Change) -> None:
        self._tell()

    def _show_inspect(self, left: LayerKey, right: LayerKey) -> None:
        area = self.shell.area("inspect")
        self.shell.show_area("inspect")
        if isinstance(area, InspectArea):
            area.show_difference(left, right)

    def _close(self) -> None:
        if self.saver.may_close():
            self.workspace.close()

    def _show_preferences(self) -> None:
        from qe_desktop.ui.preferences import Preferences

        Preferences(self.shell.settings, self.shell).show()

    def _own_layer(self) -> None:
        session = self.workspace.session
        if session is not None:
            tracks = session.tracks(self.workspace.kind)
            self.workspace.own_layer(self.workspace.target or (tracks[0] if tracks else None))

    def _tell(self) -> None:
        """Title, counts and commands say what is open and what was done."""
        session, commands = self.workspace.session, self.shell.commands
        is_open = session is not None
        for name in ("file.save", "file.close", "file.recognised", "edit.own-layer"):
            commands[name].setEnabled(is_open)
        undo, redo = (session.undo_text, session.redo_text) if session is not None else ("", "")
        for name, text in (("edit.undo", undo), ("edit.redo", redo)):
            verb = name.partition(".")[2].capitalize()
            commands[name].setEnabled(bool(text))
            commands.rename(name, f"{verb}: {text}" if text else verb)
        if session is None:
            self.shell.set_document("")
            self.shell.status.set_counts("")
            return
        edited = session.edited_tags()
        self.shell.set_document(session.corpus.name, modified=bool(session.unsaved()))
        self.shell.status.set_counts(self._counts(edited))
        if session.unsaved():
            self.shell.status.set_saved("Edits are not saved in a file")

    def _counts(self, edited: int) -> str:
        corpus = self.workspace.corpus
        assert corpus is not None
        systems = len(corpus.names(Provenance.SYSTEM))
        parts = [f"{corpus.size:,} segments", f"{systems} system{'' if systems == 1 else 's'}"]
        gold = next((found for kind in Kind if (found := corpus.gold(kind)) is not None), None)
        parts.append(f"gold: {gold.origin}" if gold is not None else "no gold")
        if edited:
            parts.append(f"{edited:,} tag{'' if edited == 1 else 's'} edited")
        return " · ".join(parts)
