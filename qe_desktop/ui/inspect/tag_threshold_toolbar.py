"""Tag controls: voting rule and threshold in the View panel; kind of tags and edited layer in the segment header."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QLabel, QSlider, QWidget

from qe_desktop.corpus import Kind, LayerKey, Provenance, TextRole, View
from qe_desktop.corpus.tag_voting import VotingRule, count_voters, has_several_tagging_layers, tagging_layers
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.project import SessionChange
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.inspect.segment_list.list_queries import has_mt_tags
from qe_desktop.ui.scores.number_format import format_probability
from qe_desktop.ui.widgets.form_controls import make_combo_box, make_tool_button
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.labels import ElidedLabel, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox
from qe_desktop.ui.workspace import Workspace

_TITLES = {
    VotingRule.ANY: tr("flagged by any"),
    VotingRule.MAJORITY: tr("flagged by a majority"),
    VotingRule.ALL: tr("flagged by all"),
}


class AgreementComboBox(QComboBox):
    """Combo box for the voting rule; visible only if several layers have tags and no reference covers all segments."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace, self._inspect_view = workspace, InspectViewController.of(workspace)
        self._taggable = True
        self._action: QAction | None = None
        self.setAccessibleName(tr("Flagged words"))
        self.setToolTip(plain_tooltip(term_meaning("agreement")))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for signal in (workspace.opened, workspace.level_changed, self._inspect_view.switched):
            signal.connect(self._refresh)
        workspace.changed.connect(self._on_change)
        workspace.settings.changed.connect(self._on_setting)
        self.activated.connect(self._save_rule)
        self._refresh()

    def set_taggable(self, taggable: bool) -> None:
        """Set whether tags of the segment are shown or can be added; if not, the combo box is hidden."""
        self._taggable = taggable
        self._refresh()

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the command that selects the next rule; it is enabled while this combo box is shown."""
        self._action = commands.connect_to("inspect.agreement", self.select_next)
        self._refresh()

    def select_next(self) -> None:
        """Select the next voting rule; after the last rule, select the first."""
        if self.count():
            self.setCurrentIndex((self.currentIndex() + 1) % self.count())
            self._save_rule()

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_all_views:
            self._refresh()

    def _on_setting(self, key: str) -> None:
        if key == "inspect/agreement":
            self._refresh()

    def _refresh(self) -> None:
        view, kind = self._inspect_view.view, self._inspect_view.kind
        has_several_layers = view is not None and has_several_tagging_layers(view, kind)
        systems = count_voters(view, tagging_layers(view, kind)) if view is not None and has_several_layers else 0
        self.clear()
        for agreement in VotingRule.distinct_rules(systems):
            self.addItem(_TITLES[agreement], agreement.value)
        chosen = VotingRule(self._workspace.settings.agreement).for_system_count(systems)
        self.setCurrentIndex(self.findData(chosen.value))
        is_offered = has_several_layers and self._taggable
        self.setVisible(is_offered)
        if self._action is not None:
            self._action.setEnabled(is_offered)

    def _save_rule(self) -> None:
        self._workspace.settings.agreement = self.currentData()


HINT_COMMANDS = {"edit.qe-checks": tr("QA checks"), "edit.qe-run": tr("Run a QE system…")}


class NoTagsHint(QWidget):
    """Hint shown if there are no tags, with buttons for the commands that create them.

    When the hint disappears, its space remains reserved until another segment is shown, so that the texts do not move.
    """

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._inspect_view = workspace, InspectViewController.of(workspace)
        self.label = ElidedLabel(tr("No QE highlights yet."), token="muted")
        self.buttons = {id: make_tool_button(text) for id, text in HINT_COMMANDS.items()}
        hbox(self.label, *self.buttons.values(), Stretched(QWidget(), 1), on=self, gap=8, margins=(16, 0, 16, 0))
        self.hide()
        workspace.opened.connect(self._on_opened)
        workspace.segment_changed.connect(self._release_space)
        self._inspect_view.switched.connect(self.refresh)
        workspace.changed.connect(self._on_change)

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the buttons to their commands, and give the buttons the tooltips of the commands."""
        for id, button in self.buttons.items():
            button.clicked.connect(commands[id].trigger)
            button.setToolTip(commands[id].toolTip())
        self.refresh()

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_all_views:
            self.refresh()

    def _on_opened(self) -> None:
        self._reserve_space(False)
        self.refresh()

    def _release_space(self) -> None:
        if self.isHidden():
            self._reserve_space(False)

    def _reserve_space(self, reserved: bool) -> None:
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(reserved)
        self.setSizePolicy(policy)

    def refresh(self) -> None:
        """Show the hint if tags can be added and there are none yet; otherwise, hide it."""
        session, view = self._workspace.session, self._inspect_view.view
        can_add_tags = session is not None and not session.read_only
        if can_add_tags and view is not None and is_untagged(view):
            self._reserve_space(True)
            self.show()
        else:
            self.hide()


def is_untagged(view: View) -> bool:
    """Return whether a view has a source and an MT, but no tags except those derived from edited targets."""
    texts = view.corpus.texts
    if TextRole.SOURCE not in texts or TextRole.MT not in texts:
        return False
    return not any(has_mt_tags(view, kind) for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE))


NEW_EMPTY = "new empty"
SLIDER_STEPS = 100


@dataclass(frozen=True, slots=True)
class _LayerCopy:
    """New annotation layer that starts as a copy of another layer."""

    source: LayerKey


class TagThresholdToolbar(QWidget):
    """Toolbar for voting rule and threshold; its combo boxes `kind` and `target` are shown in the segment header."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace, self._inspect_view = workspace, InspectViewController.of(workspace)
        self.is_taggable = True
        """Whether tags of the segment are shown or can be added; if not, all controls are hidden."""
        self.kind = make_combo_box(tr("Tags"), tr("Kind of tags that are shown, scored and edited"))
        self.system = make_combo_box(tr("System to which the threshold applies"))
        self.target = make_combo_box(
            tr("Edited layer"), tr("Layer that receives your edits. Edits never change system tags.")
        )
        for box in (self.target, self.system):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(13)
        self.target.view().setTextElideMode(Qt.TextElideMode.ElideNone)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, SLIDER_STEPS)
        self.slider.setPageStep(5)
        self.slider.setMinimumWidth(110)
        self.slider.setAccessibleName(tr("Threshold of P(BAD)"))
        self.threshold_value = QLabel()
        self.reset_button = make_tool_button(
            tr("Reset"), tr("Use the system's own tags again or, if it has none, the default threshold")
        )
        self._threshold_label = QLabel(tr("BAD t&hreshold"))
        self._threshold_label.setBuddy(self.slider)
        self.agreement = AgreementComboBox(workspace)
        self.no_tags_hint = NoTagsHint(workspace)
        self._lay_out()
        self._connect()
        self._refresh()
        self.no_tags_hint.refresh()

    def _lay_out(self) -> None:
        line = hbox(self._threshold_label, Stretched(self.slider, 1), self.threshold_value, self.reset_button, gap=8)
        vbox(self.agreement, self.system, line, on=self, gap=8, margins=8)

    def _connect(self) -> None:
        workspace = self.workspace
        signals = (workspace.opened, workspace.level_changed, workspace.target_changed, self._inspect_view.switched)
        for signal in signals:
            signal.connect(self._refresh)
        self.workspace.changed.connect(self._on_change)
        self.kind.activated.connect(self._choose_kind)
        self.target.activated.connect(self._choose_target)
        self.system.activated.connect(self._show_threshold)
        self.slider.valueChanged.connect(self._set_threshold)
        self.reset_button.clicked.connect(self._clear_threshold)

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_all_views and not self.slider.isSliderDown():
            self._refresh()

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the commands of the voting rule and of the hint."""
        self.agreement.connect_actions(commands)
        self.no_tags_hint.connect_actions(commands)

    def set_taggable(self, taggable: bool) -> None:
        """Set whether tags of the segment are shown or can be added."""
        if taggable is not self.is_taggable:
            self.is_taggable = taggable
            self.agreement.set_taggable(taggable)
            self._refresh()

    def _refresh(self) -> None:
        self._fill_kinds()
        self._fill_targets()
        self._fill_systems()

    def _fill_kinds(self) -> None:
        kinds = [level for level in self.workspace.levels() if level.tags is not None]
        self.kind.clear()
        for level in kinds:
            self.kind.addItem(level.title, level.tags)
        self.kind.setCurrentIndex(max(0, self.kind.findData(self.workspace.kind)))
        self.kind.setVisible(len(kinds) > 1 and self.has_targets)

    def _fill_targets(self) -> None:
        self.target.clear()
        person = self.workspace.person
        for key in self.workspace.editable_layers():
            self.target.addItem(key.display_name, key)
        own_layer = LayerKey(Provenance.PERSON, person, self.workspace.kind)
        if self.workspace.session is not None and own_layer not in self.workspace.session.corpus.layers:
            tag_rows = self.workspace.session.view.tag_layers(self.workspace.kind)
            for key in tag_rows:
                text = tr(
                    "new layer for {person}, copy of {layer}…",
                    person=isolate_bidi(person),
                    layer=isolate_bidi(key.display_name),
                )
                self.target.addItem(text, _LayerCopy(key))
            if not tag_rows:
                self.target.addItem(tr("new empty layer for {person}…", person=isolate_bidi(person)), NEW_EMPTY)
        target = self.workspace.target
        if target is None and self.target.count():
            self.target.insertItem(0, tr("Tag as…"), None)
        self.target.setCurrentIndex(max(0, self.target.findData(target)))
        self.target.setVisible(self.has_targets)

    @property
    def has_targets(self) -> bool:
        """Whether tag editing is offered; in bilingual files without tags, the text is edited instead."""
        session, workspace = self.workspace.session, self.workspace
        if session is None or not (self.is_taggable and self._inspect_view.view_mode.tag_editing):
            return False
        return (
            session.corpus.job is None or bool(workspace.editable_layers()) or has_mt_tags(session.view, workspace.kind)
        )

    def _fill_systems(self) -> None:
        session = self.workspace.session
        previous = self.system.currentData()
        self.system.clear()
        if session is not None and self._inspect_view.kind is Kind.WORDS:
            for layer in session.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
                self.system.addItem(escape_label(layer.key.name), layer.key.name)
        self.system.setCurrentIndex(max(0, self.system.findData(previous)))
        visible, wording = self.system.count() > 0 and self.is_taggable, self._inspect_view.view_mode.flag_wording
        self._threshold_label.setText(tr("Flag t&hreshold") if wording else tr("BAD t&hreshold"))
        self.slider.setToolTip(
            tr("A word is flagged if the system's P(BAD) is above this threshold")
            if wording
            else tr(
                "A word is BAD if the system's P(BAD) is above this threshold. Moving the slider updates the scores."
            )
        )
        for widget in (self.system, self._threshold_label, self.slider, self.threshold_value):
            widget.setVisible(visible)
        self._show_threshold()

    def _show_threshold(self) -> None:
        session = self.workspace.session
        if session is None or not self.system.count() or not self.is_taggable:
            self.reset_button.hide()
            return
        name = self.system.currentData()
        key, value = LayerKey(Provenance.SYSTEM, name, Kind.WORDS), session.threshold(name)
        tagged = key in session.corpus.layers
        from_probabilities = tagged and session.has_probability_tags(key)
        self.reset_button.setVisible(from_probabilities)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(value * SLIDER_STEPS))
        self.threshold_value.setText(tr("own tags") if tagged and not from_probabilities else format_probability(value))

    def next_kind(self) -> None:
        """Switch to the next kind of tags."""
        kinds = self.workspace.kinds()
        if self.workspace.kind in kinds:
            self.workspace.set_kind(kinds[(kinds.index(self.workspace.kind) + 1) % len(kinds)])

    def _choose_kind(self) -> None:
        self.workspace.set_kind(self.kind.currentData())

    def _choose_target(self) -> None:
        chosen = self.target.currentData()
        if isinstance(chosen, LayerKey):
            self.workspace.set_target(chosen)
        elif isinstance(chosen, _LayerCopy):
            self.workspace.add_own_layer(chosen.source)
        elif chosen == NEW_EMPTY:
            self.workspace.add_own_layer()
        self._fill_targets()

    def _set_threshold(self, step: int) -> None:
        session = self.workspace.session
        if session is not None and self.system.count():
            self.threshold_value.setText(format_probability(step / SLIDER_STEPS))
            session.set_threshold(self.system.currentData(), step / SLIDER_STEPS)

    def _clear_threshold(self) -> None:
        session = self.workspace.session
        if session is not None and self.system.count():
            session.clear_threshold(self.system.currentData())
            self._show_threshold()
