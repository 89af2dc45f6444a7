"""Common height of the controls in a bar."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLayout, QLineEdit, QWidget

from qe_desktop.ui.widgets.buttons import LinkButton, control_height
from qe_desktop.ui.widgets.layouts import layout_widgets

_CONTROLS = (QAbstractButton, QComboBox, QLineEdit)


class ControlHeights(QObject):
    """Common minimum height of the controls in the layout of a bar, except links; adapted to the text size."""

    def __init__(self, bar: QWidget) -> None:
        super().__init__(bar)
        self._bar = bar
        bar.installEventFilter(self)
        self.apply()

    def apply(self) -> None:
        """Set the minimum heights; also called after controls were added."""
        height = control_height(self._bar.fontMetrics())
        for control in _controls(self._bar.layout()):
            if control.minimumHeight() != height:
                control.setMinimumHeight(height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Set the minimum heights again when the text size changes."""
        if event.type() == QEvent.Type.FontChange:
            self.apply()
        return False


def _controls(layout: QLayout | None) -> Iterator[QWidget]:
    """Yield the controls of a layout and of the layouts and wrapping widgets in it."""
    for widget in [] if layout is None else layout_widgets(layout):
        if not isinstance(widget, _CONTROLS):
            yield from _controls(widget.layout())
        elif not isinstance(widget, LinkButton):
            yield widget
