"""The bar above the reader: which tags are worked on, whose layer is edited, and the threshold of probabilities."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSlider, QToolButton, QWidget

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.outgoing import label, within
from qe_desktop.project import Change
from qe_desktop.ui.inspect.agreement_box import AgreementBox
from qe_desktop.ui.inspect.offered import judged
from qe_desktop.ui.inspect.untagged import UntaggedLine
from qe_desktop.ui.parts.layouts import Placed, Stretch, row_of
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

NEW_EMPTY = "new empty"
STEPS = 100


@dataclass(frozen=True, slots=True)
class _Copy:
    """A layer of one's own that begins as a copy."""

    of: LayerKey


class TagBar(QWidget):
    """Combos for kind and edited layer, and a slider for probabilities."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.kind = QComboBox()
        self.kind.setAccessibleName(tr("Tags"))
        self.kind.setToolTip(tr("Which tags are shown, scored and edited"))
        self.system = QComboBox()
        self.system.setAccessibleName(tr("System with probabilities"))
        self.target = QComboBox()
        self.target.setAccessibleName(tr("Edited layer"))
        self.target.setToolTip(tr("Where your edits go. What systems said is never changed."))
        for box in (self.target, self.system):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(13)
        self.target.view().setTextElideMode(Qt.TextElideMode.ElideNone)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(5)
        self.slider.setMinimumWidth(110)
        self.slider.setAccessibleName(tr("Threshold of P(BAD)"))
        self.slider.setToolTip(tr("A word is BAD where the system's P(BAD) is above this; the scores follow"))
        self.shown = QLabel()
        self.given = QToolButton()
        self.given.setText(tr("As given"))
        self.given.setToolTip(tr("Back to the tags that the system gave"))
        self._kind_label, self._target_label = QLabel(tr("&Tags")), QLabel(tr("&Edit tags in"))
        self._kind_label.setBuddy(self.kind)
        self._target_label.setBuddy(self.target)
        self._threshold_label = QLabel(tr("BAD a&bove"))
        self._threshold_label.setBuddy(self.slider)
        self.agreement = AgreementBox(workspace)
        self.untagged = UntaggedLine(workspace)
        self._lay_out()
        self._connect()
        self._refresh()
        self.untagged.refresh()

    def _lay_out(self) -> None:
        choices: tuple[QWidget, ...] = (self._kind_label, self.kind, self._target_label, self.target)
        threshold: tuple[QWidget, ...] = (self.system, self._threshold_label, self.slider, self.shown, self.given)
        row_of(
            *choices,
            self.agreement,
            *threshold,
            Placed(self.untagged, 1),
            Stretch(),
            on=self,
            gap=6,
            margins=(8, 4, 8, 4),
        )

    def _connect(self) -> None:
        for signal in (self.workspace.opened, self.workspace.level_changed, self.workspace.target_changed):
            signal.connect(self._refresh)
        self.workspace.changed.connect(self._on_change)
        self.kind.activated.connect(self._choose_kind)
        self.target.activated.connect(self._choose_target)
        self.system.activated.connect(self._show_threshold)
        self.slider.valueChanged.connect(self._set_threshold)
        self.given.clicked.connect(self._clear_threshold)

    def _on_change(self, change: Change) -> None:
        if change.layers and not self.slider.isSliderDown():
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
        shown = len(kinds) > 1 and self.has_targets
        self.kind.setVisible(shown)
        self._kind_label.setVisible(shown)

    def _fill_targets(self) -> None:
        self.target.clear()
        person = self.workspace.person
        for key in self.workspace.editable():
            self.target.addItem(key.shown, key)
        own = LayerKey(Provenance.PERSON, person, self.workspace.kind)
        if self.workspace.session is not None and own not in self.workspace.session.corpus.layers:
            tracks = self.workspace.session.view.tracks(self.workspace.kind)
            for key in tracks:
                text = tr("my own ({person}), as a copy of {layer}…", person=within(person), layer=within(key.shown))
                self.target.addItem(text, _Copy(key))
            if not tracks:
                self.target.addItem(tr("an empty layer of my own ({person})…", person=within(person)), NEW_EMPTY)
        target = self.workspace.target
        if target is None and self.target.count():
            self.target.insertItem(0, tr("no layer yet"), None)
        self.target.setCurrentIndex(max(0, self.target.findData(target)))
        shown = self.has_targets
        self.target.setVisible(shown)
        self._target_label.setVisible(shown)

    @property
    def has_targets(self) -> bool:
        """Whether tags are edited here, or likely to be: where translators' files bring none, the text is."""
        session, workspace = self.workspace.session, self.workspace
        if session is None:
            return False
        return session.corpus.job is None or bool(workspace.editable()) or judged(session.view, workspace.kind)

    @property
    def has_something(self) -> bool:
        """Whether there is anything to choose, or to be done about words that nobody marked."""
        held = (self.kind, self.target, self.agreement, self.system, self.untagged)
        return any(not widget.isHidden() for widget in held)

    def _fill_systems(self) -> None:
        session = self.workspace.session
        held = self.system.currentData()
        self.system.clear()
        if session is not None and self.workspace.kind is Kind.WORDS:
            for layer in session.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
                self.system.addItem(label(layer.key.name), layer.key.name)
        self.system.setCurrentIndex(max(0, self.system.findData(held)))
        shown = self.system.count() > 0
        for widget in (self.system, self._threshold_label, self.slider, self.shown):
            widget.setVisible(shown)
        self._show_threshold()

    def _show_threshold(self) -> None:
        session = self.workspace.session
        if session is None or not self.system.count():
            self.given.hide()
            return
        name = self.system.currentData()
        key, value = LayerKey(Provenance.SYSTEM, name, Kind.WORDS), session.threshold(name)
        tagged = key in session.corpus.layers
        made = tagged and session.from_probabilities(key)
        self.given.setVisible(made)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(value * STEPS))
        self.shown.setText(tr("as given") if tagged and not made else f"{value:.2f}")

    def _choose_kind(self) -> None:
        self.workspace.set_kind(self.kind.currentData())

    def _choose_target(self) -> None:
        chosen = self.target.currentData()
        if isinstance(chosen, LayerKey):
            self.workspace.set_target(chosen)
        elif isinstance(chosen, _Copy):
            self.workspace.own_layer(chosen.of)
        elif chosen == NEW_EMPTY:
            self.workspace.own_layer()
        self._fill_targets()

    def _set_threshold(self, step: int) -> None:
        session = self.workspace.session
        if session is not None and self.system.count():
            self.shown.setText(f"{step / STEPS:.2f}")
            session.set_threshold(self.system.currentData(), step / STEPS)

    def _clear_threshold(self) -> None:
        session = self.workspace.session
        if session is not None and self.system.count():
            session.clear_threshold(self.system.currentData())
            self._show_threshold()
