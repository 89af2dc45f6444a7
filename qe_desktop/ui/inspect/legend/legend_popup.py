"""Popup with the legends of a segment; it opens upwards from the segment header, over the segment list."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QFrame, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.legend.legend_entries import LegendEntry
from qe_desktop.ui.inspect.legend.tag_legend import TagLegend
from qe_desktop.ui.inspect.segment_header_bar import SegmentHeaderBar
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import vbox


class LegendPopup(QFrame):
    """Frame with the legends, which covers the segment list down to the segment header.

    `comparison` is the legend of compared translations, whose owner shows and hides it.
    """

    opened = Signal()
    """Emitted when the frame was opened, so that its entries are needed."""

    def __init__(self, comparison: QWidget, header: SegmentHeaderBar, parent: QWidget) -> None:
        super().__init__(parent)
        self.tags = TagLegend()
        self._comparison, self._header, self._area = comparison, header, parent
        self.nothing = Label(tr("Nothing is marked in this segment."), token="muted")
        self.nothing.setContentsMargins(12, 4, 12, 4)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        vbox(self.tags, comparison, self.nothing, on=self, gap=0, margins=4)
        self.hide()
        header.legend_wanted.connect(self._show)

    def show_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        """Show the marks of a segment, or that there are none."""
        self.tags.show_entries(entries)
        self.tags.setVisible(bool(entries))
        self.nothing.setVisible(not entries and self._comparison.isHidden())

    def close_if_open(self) -> bool:
        """Close the frame; return whether it was open."""
        was_open = self._header.legend.isChecked()
        self._header.legend.setChecked(False)
        return was_open

    def _show(self, shown: bool) -> None:
        self.setVisible(shown)
        if shown:
            self._follow_header()
            self.opened.emit()
            self.place()
            self.raise_()

    def _follow_header(self) -> None:
        """Watch the header and all widgets whose position moves it."""
        moving: QWidget | None = self._header
        while moving is not None and moving is not self._area:
            moving.installEventFilter(self)
            moving = moving.parentWidget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Reposition the frame when the header moves, and show or hide it with the header."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and not self.isHidden():
            self.place()
        elif event.type() in (QEvent.Type.HideToParent, QEvent.Type.ShowToParent):
            self._show(self._header.legend.isChecked() and self._header.isVisibleTo(self._area))
        return False

    def event(self, event: QEvent) -> bool:
        """Adapt the height to changed entries."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and not self.isHidden():
            self.place()
        return done

    def place(self) -> None:
        """Place the frame so that it ends at the top of the header."""
        top_left = self._header.mapTo(self._area, self._header.rect().topLeft())
        width = self._header.width()
        # it covers the list, never the texts
        height = min(self.heightForWidth(width), top_left.y())
        self.setGeometry(top_left.x(), top_left.y() - height, width, height)
