"""Controller of the name matching dialog, which opens on request, or if system names match no translation."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, SystemNameMapping, TextRole
from qe_desktop.corpus.system_matching import SystemNameDraft
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.system_matches import NamedSystems, corpus_system_names
from qe_desktop.project.corpus_settings import match_from_setting, match_to_setting
from qe_desktop.project.edits import SessionChange
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.files.importing.name_matching_dialog import NameMatchingDialog
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace

COMMAND = "edit.match-systems"
JOB = "names"
MAX_SAVED_MATCHES = 100
"""Maximum number of sets of names whose matches are saved in the settings; the oldest are deleted."""
NameMatches = Sequence[tuple[NamedSystems, SystemNameDraft]]


class NameMatchingController(QObject):
    """Controller that applies matches of system names to the session.

    The matches are saved in the project or, without a project, in the settings, separately for each set of names.
    """

    message_posted = Signal(str, str)
    """Emitted with a title and details when saved matches have been applied, or if there are no names to match."""

    def __init__(self, workspace: Workspace, commands: ActionRegistry, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self.dialog: NameMatchingDialog | None = None
        self._commands = commands
        self._window = window
        self._offered_keys: set[str] = set()
        commands.connect_to(COMMAND, self.ask, enabled=False)
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)

    # --- triggers

    def _on_opened(self) -> None:
        self._offered_keys.clear()
        self.workspace.jobs.cancel(JOB)
        self._update_command()

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_all_views:
            self._update_command()

    def _update_command(self) -> None:
        session = self.workspace.session
        corpus = None if session is None or session.read_only else session.corpus
        has_names = corpus is not None and bool(corpus.metric_scores or corpus.ratings is not None)
        has_translations = corpus is not None and bool(
            corpus.translations or {TextRole.MT, TextRole.RAW_MT} & corpus.texts.keys()
        )
        self._commands[COMMAND].setEnabled(has_names and has_translations)

    def on_scores_added(self) -> None:
        """Apply saved matches to new scores and ratings whose names do not match the translations.

        Open the dialog for such scores and ratings without saved matches.
        """
        corpus = self.workspace.corpus
        if corpus is not None and corpus.translations and self._commands[COMMAND].isEnabled():
            self._collect_names(corpus, self._on_names_collected)

    def ask(self) -> None:
        """Open the dialog for all scores and ratings; if they have no system names, post a message."""
        corpus = self.workspace.corpus
        if corpus is not None:
            self._collect_names(corpus, self._show_or_explain)

    def _show_or_explain(self, matches: NameMatches) -> None:
        if matches:
            self._show(matches)
            return
        details = tr("Open files with translations, and files with scores or ratings that contain system names.")
        self.message_posted.emit(tr("There are no system names to match"), details)

    def _collect_names(self, corpus: Corpus, on_done: Callable[[NameMatches], object]) -> None:
        def work(progress: Progress) -> NameMatches:
            return [
                (scores, SystemNameDraft.create(scores.scored_names, scores.systems, scores.matched))
                for scores in corpus_system_names(corpus)
            ]

        self.workspace.jobs.submit(tr("System names"), work, on_done, latest=JOB, owner=self)

    # --- dialog

    def _on_names_collected(self, matches: NameMatches) -> None:
        uncertain = [
            (named, draft) for named, draft in matches if named.needs_matching and _key(named) not in self._offered_keys
        ]
        self._offered_keys |= {_key(named) for named, _ in uncertain}
        saved = [(named, self._saved_match(named)) for named, _ in uncertain]
        reapplied = {named.metric: matched for named, matched in saved if matched}
        if self._match(reapplied) and reapplied:
            pairs = [
                f"{system} = {name}"
                for matched in reapplied.values()
                for name, system in matched.names.items()
                if system
            ]
            self.message_posted.emit(tr("The saved matches of system names were applied"), "\n".join(pairs))
        remaining = [(named, draft) for named, draft in uncertain if named.metric not in reapplied]
        if remaining:
            self._show(remaining)

    def _show(self, matches: NameMatches) -> None:
        if not matches or self.dialog is not None:
            return
        sheet = NameMatchingDialog(matches, self._window)
        sheet.applied.connect(self._apply)
        sheet.finished.connect(self._forget)
        self.dialog = sheet
        sheet.show()

    def _forget(self) -> None:
        self.dialog = None

    def _apply(self, named: Sequence[NamedSystems]) -> None:
        if self._match({scores.metric: scores.matched for scores in named}) and self.workspace.project is None:
            for scores in named:
                self._save_match(scores)

    def _match(self, matches: dict[str, SystemNameMapping]) -> bool:
        session = self.workspace.session
        if session is None:
            return False
        corpus = session.corpus
        current = {"": corpus.rating_systems, **{name: scores.matched for name, scores in corpus.metric_scores.items()}}
        changed = {metric: matched for metric, matched in matches.items() if current.get(metric) != matched}
        return all(
            self.workspace.attempt(lambda metric=metric, matched=matched: session.match(metric, matched))  # type: ignore[misc]
            for metric, matched in changed.items()
        )

    # --- saved matches

    @property
    def _settings(self) -> Settings:
        return self.workspace.settings

    def _saved_match(self, named: NamedSystems) -> SystemNameMapping | None:
        if self.workspace.project is not None:
            return None
        try:
            return match_from_setting(json.loads(self._settings.matches.get(_key(named), "null"))) or None
        except ValueError:
            return None

    def _save_match(self, named: NamedSystems) -> None:
        saved = {key: value for key, value in self._settings.matches.items() if key != _key(named)}
        saved[_key(named)] = json.dumps(match_to_setting(named.matched))
        self._settings.matches = dict(list(saved.items())[-MAX_SAVED_MATCHES:])


def _key(named: NamedSystems) -> str:
    """Return the settings key for the names in a file and the names of the translations."""
    names = json.dumps([sorted(named.scored_names), sorted(named.systems)])
    return sha256(names.encode()).hexdigest()[:32]
