"""Scroll area whose scroll bar lies over the margin of its content, so that the content keeps its width."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QWidget


class OverlayScrollArea(QScrollArea):
    """Area that scrolls a widget vertically; the margin of the widget must be as wide as a scroll bar."""

    def __init__(self, widget: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidget(widget)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.bar = QScrollBar(Qt.Orientation.Vertical, self)
        """Visible scroll bar; that of the area is hidden, because it would make the content narrower."""
        self.bar.hide()
        hidden = self.verticalScrollBar()
        hidden.rangeChanged.connect(self._follow)
        hidden.valueChanged.connect(self.bar.setValue)
        self.bar.valueChanged.connect(hidden.setValue)
        self.viewport().installEventFilter(self)

    def _follow(self) -> None:
        hidden = self.verticalScrollBar()
        self.bar.setRange(hidden.minimum(), hidden.maximum())
        self.bar.setPageStep(hidden.pageStep())
        self.bar.setSingleStep(hidden.singleStep())
        self.bar.setValue(hidden.value())
        self.bar.setVisible(hidden.maximum() > hidden.minimum())
        self._place()

    def _place(self) -> None:
        width = self.bar.sizeHint().width()
        left = 0 if self.isRightToLeft() else self.width() - width
        self.bar.setGeometry(left, 0, width, self.height())
        self.bar.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the scroll bar when the area is resized."""
        if event.type() == QEvent.Type.Resize:
            self._follow()
        return super().eventFilter(watched, event)
