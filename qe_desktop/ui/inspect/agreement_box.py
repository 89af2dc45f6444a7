"""The choice of how many of several systems must call a word BAD for the text to mark it."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QWidget

from qe_desktop.corpus.agreement import Agreement, are_several, others
from qe_desktop.project import Change
from qe_desktop.ui.parts.glossary import meaning
from qe_desktop.ui.parts.labels import tip
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

_TITLES = {
    Agreement.ANY: tr("marked: BAD by any"),
    Agreement.MAJORITY: tr("marked: BAD by most"),
    Agreement.ALL: tr("marked: BAD by all"),
}


class AgreementBox(QComboBox):
    """There only where several systems tagged what is looked at, and nobody says who is right."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setAccessibleName(tr("Which words are marked"))
        self.setToolTip(tip(meaning("agreement")))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for signal in (workspace.opened, workspace.level_changed):
            signal.connect(self._refresh)
        workspace.changed.connect(self._on_change)
        workspace.settings.changed.connect(self._on_setting)
        self.activated.connect(self._choose)
        self._refresh()

    def next(self) -> None:
        """Choose the next one."""
        if self.count():
            self.setCurrentIndex((self.currentIndex() + 1) % self.count())
            self._choose()

    def _on_change(self, change: Change) -> None:
        if change.layers:
            self._refresh()

    def _on_setting(self, key: str) -> None:
        if key == "inspect/agreement":
            self._refresh()

    def _refresh(self) -> None:
        view, kind = self._workspace.view, self._workspace.kind
        several = view is not None and are_several(view, kind)
        systems = len(others(view, kind)) if view is not None and several else 0
        self.clear()
        for agreement in Agreement.distinct(systems):
            self.addItem(_TITLES[agreement], agreement.value)
        chosen = Agreement(self._workspace.settings.agreement).among(systems)
        self.setCurrentIndex(self.findData(chosen.value))
        self.setVisible(several)

    def _choose(self) -> None:
        self._workspace.settings.agreement = self.currentData()
