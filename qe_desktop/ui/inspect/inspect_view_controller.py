"""Controller of what the Inspect area shows: the translator's view or evaluation, and all or two compared systems."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, View
from qe_desktop.local_qe.qa_checks.live_checks import check_layers
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, TRANSLATOR_VIEW, InspectView
from qe_desktop.ui.settings import EVALUATION_KEY
from qe_desktop.ui.workspace import Workspace

COMMAND = "view.evaluation"


def file_format(corpus: Corpus | None) -> str:
    """Return the format of the first bilingual file of a corpus; empty if the corpus has no bilingual files."""
    job = None if corpus is None else corpus.job
    return "" if job is None else next((file.form for file in job.files), "bilingual")


class InspectViewController(QObject):
    """Controller that provides the view, layers and kind of tags to all parts of the Inspect area; see `of`."""

    switched = Signal()
    """Emitted after the Inspect area has switched between the translator's view and evaluation."""
    comparison_changed = Signal()
    """Emitted after other layers have been compared, or the comparison has ended."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self._commands: ActionRegistry | None = None
        self._evaluation_by_format = workspace.settings.evaluation
        self._cached_corpus: tuple[Corpus, InspectView, Corpus] | None = None
        self._cached_view: tuple[View, InspectView, View] | None = None
        self._compared_layers: tuple[LayerKey, ...] = ()
        workspace.settings.changed.connect(self._on_setting)
        workspace.opened.connect(self._on_opened)
        # a layer to edit was selected, perhaps in another area
        workspace.target_changed.connect(self.show_evaluation)

    @classmethod
    def of(cls, workspace: Workspace) -> InspectViewController:
        """Return the controller that all parts of the Inspect area share in a workspace; create it if necessary."""
        return workspace.findChild(cls) or cls(workspace)

    # --- what is shown

    @property
    def view_mode(self) -> InspectView:
        """Current view: for bilingual files, as selected (default: translator's view); otherwise evaluation."""
        name = file_format(self.workspace.corpus)
        return TRANSLATOR_VIEW if name and not self._evaluation_by_format.get(name, False) else EVALUATION_VIEW

    @property
    def view(self) -> View | None:
        """`View` of the session, limited to what the Inspect area shows; None if nothing is open.

        The same object is returned until the session's view or the limits change.
        """
        view, inspected = self.workspace.view, self.view_mode
        if view is None or (inspected.all_layers and not self._compared_layers):
            return view
        if self._cached_view is None or self._cached_view[0] is not view or self._cached_view[1] is not inspected:
            self._cached_view = view, inspected, self._limited_view(view, inspected)
        return self._cached_view[2]

    def _limited_view(self, view: View, inspected: InspectView) -> View:
        if inspected.all_layers:
            return view.with_compared_layers(self._compared_layers)
        corpus = self._corpus_to_show(view.corpus, inspected)
        return view.with_corpus(corpus, check_layers(corpus))

    def compare(self, layers: tuple[LayerKey, ...]) -> View | None:
        """Hide the tags of systems other than those to which `layers` belong, and return `view`.

        No system is hidden if `layers` are empty or without tags, or in the translator's view.
        """
        layers = layers if all(key.kind.is_tags for key in layers) else ()
        if layers != self._compared_layers:
            self._compared_layers, self._cached_view = layers, None
            self.comparison_changed.emit()
        return self.view

    def _corpus_to_show(self, corpus: Corpus, view_mode: InspectView) -> Corpus:
        """Return the corpus that a view shows; the same object is returned while corpus and view are unchanged."""
        if (
            self._cached_corpus is None
            or self._cached_corpus[0] is not corpus
            or self._cached_corpus[1] is not view_mode
        ):
            self._cached_corpus = corpus, view_mode, view_mode.corpus_to_show(corpus)
        return self._cached_corpus[2]

    @property
    def kind(self) -> Kind:
        """Kind of tags that the Inspect area shows; always `Kind.WORDS` in views without tag editing."""
        return self.workspace.kind if self.view_mode.tag_editing else Kind.WORDS

    @property
    def target(self) -> LayerKey | None:
        """Layer in which tags are edited; None if there is none, or if the view does not allow tag editing."""
        return self.workspace.target if self.view_mode.tag_editing else None

    # --- switching

    def switch(self) -> None:
        """Switch between the translator's view and evaluation; no effect unless a bilingual file is open."""
        self._set_evaluation(evaluation=not self.view_mode.all_layers)

    def show_evaluation(self) -> None:
        """Switch to the evaluation view."""
        self._set_evaluation(evaluation=True)

    def _set_evaluation(self, *, evaluation: bool) -> None:
        settings, name = self.workspace.settings, file_format(self.workspace.corpus)
        if name:
            settings.evaluation = {**settings.evaluation, name: evaluation}

    def _on_setting(self, key: str) -> None:
        if key != EVALUATION_KEY:
            return
        before, self._evaluation_by_format = self.view_mode, self.workspace.settings.evaluation
        if self.view_mode is not before:
            self._show_commands()
            self.switched.emit()

    # --- commands

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the command that switches the view, and show the commands of the current view."""
        self._commands = commands
        commands.connect_to(COMMAND, self.switch)
        self._show_commands()

    def _on_opened(self) -> None:
        self.compare(())
        self._show_commands()

    def _show_commands(self) -> None:
        commands, inspected = self._commands, self.view_mode
        if commands is None:
            return
        commands.leading_group = inspected.leading_group
        commands[COMMAND].setVisible(bool(file_format(self.workspace.corpus)))
        commands[COMMAND].setChecked(inspected.all_layers)
        for name in TRANSLATOR_VIEW.hidden_commands:
            # Qt disables hidden actions and restores their own state when they are shown again
            commands[name].setVisible(name not in inspected.hidden_commands)
        for name in TRANSLATOR_VIEW.command_texts:
            commands.set_text(name, inspected.command_texts.get(name, ""))
