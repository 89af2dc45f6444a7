"""Asks for matches where scores or ratings that were added call systems otherwise, and whenever a person wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, SystemNameMapping
from qe_desktop.corpus.system_matching import SystemNameDraft
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.system_matching import NamedSystems, corpus_system_names
from qe_desktop.project.edits import SessionChange
from qe_desktop.project.system_matching import match_from_setting, match_to_setting
from qe_desktop.ui.actions import ActionRegistry
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.name_matching.name_matching_dialog import NameMatchingDialog
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace

COMMAND = "edit.match-systems"
JOB = "names"
MAX_SAVED_MATCHES = 100
"""Sets of names whose matches are remembered, the latest."""
NameMatches = Sequence[tuple[NamedSystems, SystemNameDraft]]


class NameMatchingController(QObject):
    """Matches go through the session, so a project keeps them; of plain files the settings do, by the sets of names."""

    told = Signal(str, str)
    """That matches were remembered, and which."""

    def __init__(self, workspace: Workspace, commands: ActionRegistry, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self.sheet: NameMatchingDialog | None = None
        self._commands = commands
        self._window = window
        self._asked: set[str] = set()
        commands.connect_to(COMMAND, self.ask, enabled=False)
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)

    # --- when

    def _on_opened(self) -> None:
        self._asked.clear()
        self.workspace.jobs.cancel(JOB)
        self._offer()

    def _on_change(self, change: SessionChange) -> None:
        if change.layers:
            self._offer()

    def _offer(self) -> None:
        session = self.workspace.session
        corpus = None if session is None or session.read_only else session.corpus
        there = corpus is not None and bool(corpus.metric_scores or corpus.ratings is not None)
        self._commands[COMMAND].setEnabled(there)

    def on_added(self) -> None:
        """Files were opened or added: ask where names are left on both sides of their scores."""
        corpus = self.workspace.corpus
        if corpus is not None and corpus.translations and self._commands[COMMAND].isEnabled():
            self._look(corpus, self._on_found_added)

    def ask(self) -> None:
        """Show who is who of all scores and ratings, to be changed."""
        corpus = self.workspace.corpus
        if corpus is not None:
            self._look(corpus, self._show)

    def _look(self, corpus: Corpus, then: Callable[[NameMatches], object]) -> None:
        def work(progress: Progress) -> NameMatches:
            return [
                (one, SystemNameDraft.begun(one.given, one.systems, one.matched)) for one in corpus_system_names(corpus)
            ]

        self.workspace.jobs.submit(tr("Names of systems"), work, then, latest=JOB, owner=self)

    # --- what

    def _on_found_added(self, found: NameMatches) -> None:
        doubtful = [(named, draft) for named, draft in found if named.doubtful and _key(named) not in self._asked]
        self._asked |= {_key(named) for named, _ in doubtful}
        known = [(named, self._remembered(named)) for named, _ in doubtful]
        again = {named.metric: matched for named, matched in known if matched}
        self._match(again)
        if again:
            pairs = [f"{one} = {name}" for matched in again.values() for name, one in matched.names.items() if one]
            self.told.emit(tr("Systems were matched as before"), "\n".join(pairs))
        asked = [(named, draft) for named, draft in doubtful if named.metric not in again]
        if asked:
            self._show(asked)

    def _show(self, found: NameMatches) -> None:
        if not found or self.sheet is not None:
            return
        sheet = NameMatchingDialog(found, self._window)
        sheet.applied.connect(self._apply)
        sheet.finished.connect(self._forget)
        self.sheet = sheet
        sheet.show()

    def _forget(self) -> None:
        if self.sheet is not None:
            self.sheet.deleteLater()
        self.sheet = None

    def _apply(self, named: Sequence[NamedSystems]) -> None:
        if self._match({one.metric: one.matched for one in named}) and self.workspace.project is None:
            for one in named:
                self._remember(one)

    def _match(self, matches: dict[str, SystemNameMapping]) -> bool:
        session = self.workspace.session
        if session is None:
            return False
        corpus = session.corpus
        now = {"": corpus.rated, **{name: one.matched for name, one in corpus.metric_scores.items()}}
        others = {metric: matched for metric, matched in matches.items() if now.get(metric) != matched}
        return all(
            self.workspace.attempt(lambda metric=metric, matched=matched: session.match(metric, matched))  # type: ignore[misc]
            for metric, matched in others.items()
        )

    # --- what is remembered

    @property
    def _settings(self) -> Settings:
        return self.workspace.settings

    def _remembered(self, named: NamedSystems) -> SystemNameMapping | None:
        if self.workspace.project is not None:
            return None
        try:
            return match_from_setting(json.loads(self._settings.matches.get(_key(named), "null"))) or None
        except ValueError:
            return None

    def _remember(self, named: NamedSystems) -> None:
        held = {key: value for key, value in self._settings.matches.items() if key != _key(named)}
        held[_key(named)] = json.dumps(match_to_setting(named.matched))
        self._settings.matches = dict(list(held.items())[-MAX_SAVED_MATCHES:])


def _key(named: NamedSystems) -> str:
    """What the settings know two sets of names by."""
    names = json.dumps([sorted(named.given), sorted(named.systems)])
    return sha256(names.encode()).hexdigest()[:32]
