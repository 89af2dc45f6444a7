"""Scroll areas for reading panes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from qe_desktop.ui.rate.texts.reading_pane import ReadingPane

UNLIMITED = 16_777_215
"""Maximum size of a widget without a size limit, in pixels: Qt's QWIDGETSIZE_MAX."""


class TextView(QScrollArea):
    """Scroll area that has no frame or background and does not take the focus."""

    resized = Signal(int, int, int)
    """Emitted with the visible width and height and the width of the scroll bar (0 if hidden), in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self._position: Callable[[], int] = int
        self._has_user_scrolled = False
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range)
        bar.actionTriggered.connect(self._on_moved)
        bar.valueChanged.connect(self._repaint_panes)

    def show_position(self, position: Callable[[], int]) -> None:
        """Scroll to the position that `position` returns, and again after each layout change until the user scrolls."""
        self._position, self._has_user_scrolled = position, False
        self.verticalScrollBar().setValue(position())

    def scroll_by(self, pages: float) -> None:
        """Scroll down by `pages` times the visible height, or up if `pages` is negative."""
        self._has_user_scrolled = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + round(pages * self.viewport().height()))

    def _on_range(self) -> None:
        # the range may be larger than when the position was set
        if not self._has_user_scrolled:
            self.verticalScrollBar().setValue(self._position())

    def _on_moved(self) -> None:
        self._has_user_scrolled = True

    def _repaint_panes(self) -> None:
        # the first and the last visible line change
        for pane in self.findChildren(ReadingPane):
            pane.viewport().update()

    def set_content(self, texts: QWidget) -> None:
        """Set the content."""
        self.setWidget(texts)
        texts.setAutoFillBackground(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emit the new size, and restore the scroll position unless the user has scrolled."""
        super().resizeEvent(event)
        size = self.viewport().size()
        self.resized.emit(size.width(), size.height(), self.width() - size.width())
        # the position may depend on the size even if the range is unchanged
        self._on_range()


class FittedView(TextView):
    """Base class of scroll areas that adapt to the size of their content; subclasses implement `fit`."""

    def set_content(self, texts: QWidget) -> None:
        """Set the content, and call `fit` whenever the layout of the content changes."""
        super().set_content(texts)
        texts.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Call `fit` when the layout of the content changes."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return False

    def needed_height(self) -> int:
        """Return the height that the content needs, in pixels; 0 if there is no content."""
        texts = self.widget()
        layout = texts.layout() if texts is not None else None
        return layout.sizeHint().height() if layout is not None else 0

    def fit(self) -> None:
        """Set the height of the view; implemented by subclasses."""
        raise NotImplementedError
