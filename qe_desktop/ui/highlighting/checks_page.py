"""The page of Preferences that says what each check marks, and switches it on and off."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QWidget

from qe_desktop.highlights.checks.registry import CHECKS
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Part, Placed, Space, Stretch, column_of, row_of, scrolling
from qe_desktop.ui.settings import Settings
from qe_desktop.wording import tr


class ChecksPage(QWidget):
    """A box for each check. What is found already is found anew when one is switched."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.boxes: dict[str, QCheckBox] = {}
        about = tr("Edit, Plain checks marks what they find as a system of its own.")
        rows: list[Part] = [Label(about, token="muted")]
        for check in CHECKS:
            box = self.boxes[check.name] = QCheckBox(check.title)
            box.setChecked(check.name not in settings.checks_off)
            box.setAccessibleDescription(check.rule)
            box.toggled.connect(self._keep)
            rule = Label(check.rule, wraps=True, token="muted")
            rows += [column_of(box, row_of(Space(24), Placed(rule, 1)), gap=2)]
        inner = QWidget()
        column_of(*rows, Stretch(), on=inner, gap=12, margins=8)
        column_of(scrolling(inner), on=self)
        # they can be switched in the menu as well
        settings.changed.connect(self._show)

    def _show(self) -> None:
        off = self._settings.checks_off
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(name not in off)

    def _keep(self) -> None:
        self._settings.checks_off = [name for name, box in self.boxes.items() if not box.isChecked()]
