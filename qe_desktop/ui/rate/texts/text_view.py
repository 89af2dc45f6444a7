"""Where texts scroll."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

UNLIMITED = 16_777_215
"""Qt's own word for no limit of a size."""


class TextView(QScrollArea):
    """Without a frame or a ground of its own; the focus stays with the page."""

    resized = Signal(int)
    """How high what is in view is now."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)

    def hold(self, texts: QWidget) -> None:
        """Show these texts."""
        self.setWidget(texts)
        texts.setAutoFillBackground(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell of it."""
        super().resizeEvent(event)
        self.resized.emit(self.viewport().height())


class FittedView(TextView):
    """As high as its texts need, in the way that `fit` says."""

    def hold(self, texts: QWidget) -> None:
        """Show these texts, and hear of another height of theirs."""
        super().hold(texts)
        texts.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The texts need another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return False

    def needed(self) -> int:
        """How high the texts are."""
        texts = self.widget()
        layout = texts.layout() if texts is not None else None
        return layout.sizeHint().height() if layout is not None else 0

    def fit(self) -> None:
        """Take the height that is right now."""
        raise NotImplementedError
