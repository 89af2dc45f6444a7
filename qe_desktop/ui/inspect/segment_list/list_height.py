"""Height of the segment list, which the user sets with the splitter or which depends on the height of the texts.

The list is at most as tall as its rows or, if it contains fewer than `MIN_ROWS` rows, as tall as `MIN_ROWS` rows.
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QSplitter, QWidget

from qe_desktop.ui.inspect.fold_bar import FoldBar
from qe_desktop.ui.inspect.reader.segment_heights import AvailableHeights
from qe_desktop.ui.inspect.reader.segment_pane import SegmentPane
from qe_desktop.ui.inspect.segment_list.segment_view import SegmentView
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.layouts import layout_widgets

STATE_KEY = "inspect-list"
"""Settings key of the list height, as a fraction of the total height of list and texts."""
COMFORTABLE_ROWS, MIN_SHRUNK_ROWS = 5, 3
"""Numbers of rows to which the list is shortened before the MT becomes compact, and before the MT scrolls.

The list has fewer than `MIN_SHRUNK_ROWS` rows only if the user made it shorter, or if this is enough to show the texts
of a segment without scrolling while its target is not being edited.
"""
MIN_ROWS = 6
"""Number of rows to which the user can always enlarge the list, even if it contains fewer rows."""


class ListHeightManager(QObject):
    """Controller of the splitter between the segment list and the texts.

    The list has a whole number of rows. This number does not change when the user begins to edit a target, so that the
    source does not move. Only a list that the user made too tall for editing is shortened, until editing ends.
    """

    def __init__(
        self,
        splitter: QSplitter,
        view: SegmentView,
        filters: QWidget,
        pane: SegmentPane,
        folds: FoldBar,
        settings: Settings,
    ) -> None:
        super().__init__(splitter)
        self._splitter, self._view, self._filters = splitter, view, filters
        self._pane, self._fold_bar, self._settings = pane, folds, settings
        self._saved_fraction = _saved_fraction(settings.state(STATE_KEY))
        """List height that the user set, as a fraction of the total height; None if the user has not set it."""
        splitter.setSizes([300, 700])
        # the list has whole rows, so the texts get additional height
        splitter.setStretchFactor(1, 1)
        self._height_during_editing: int | None = None
        """List height in pixels that the user set while a target was being edited; None if the user has not set it."""
        pane.available_heights = self._available_heights
        self._update_timer = QTimer(self, singleShot=True, interval=0)
        self._update_timer.timeout.connect(self.update_list_height)
        splitter.splitterMoved.connect(self._on_moved)
        splitter.installEventFilter(self)
        upper = splitter.widget(0)
        if upper is not None:
            upper.installEventFilter(self)
        # delayed, because the pane is still being laid out
        pane.space_distributed.connect(self._update_timer.start)
        for signal in (view.model().modelReset, view.model().layoutChanged):
            signal.connect(self.update_list_height)

    def _on_moved(self) -> None:
        list_height, text_height = self._splitter.sizes()
        if self._pane.is_editing:
            # kept until editing ends
            self._height_during_editing = list_height
        else:
            self._saved_fraction = list_height / max(1, list_height + text_height)
            self._settings.save_state(STATE_KEY, f"{self._saved_fraction:.4f}".encode())

    def update_list_height(self) -> None:
        """Set the list height from the splitter position, the number of rows and the heights of the segment texts."""
        total = sum(self._splitter.sizes())
        if not total:
            return
        self._align_bars()
        height = self._height_above_rows() + self._row_height() * min(max(self._rows(total), 1), self._max_rows())
        if height != self._splitter.sizes()[0]:
            self._splitter.setSizes([height, total - height])

    def _rows(self, total: int) -> int:
        """Return the number of rows to reserve space for; `total` is the height of list and texts in pixels."""
        if not self._pane.is_editing:
            self._height_during_editing = None
        if self._height_during_editing is not None:
            return self._rows_in(self._height_during_editing)
        heights = self._pane.heights()
        if self._saved_fraction is not None:
            wanted_rows = self._rows_in(round(self._saved_fraction * total))
            if heights is None or not self._pane.is_editing:
                return wanted_rows
            return min(wanted_rows, max(MIN_SHRUNK_ROWS, self._rows_for_text_height(heights.editing)))
        if heights is None:
            return self._rows_for_text_height(0)
        rows = min(
            self._rows_for_text_height(heights.reading),
            max(MIN_SHRUNK_ROWS, self._rows_for_text_height(heights.editing)),
        )
        return rows if rows >= 1 else MIN_SHRUNK_ROWS

    def _rows_in(self, height: int) -> int:
        """Return how many whole rows fit into `height` pixels, which include the filters and the list header."""
        return (height - self._height_above_rows()) // self._row_height()

    def _rows_for_text_height(self, height: int) -> int:
        """Return the number of rows that fit into the list if the texts are `height` pixels tall."""
        return self._rows_in(sum(self._splitter.sizes()) - self._bars_around_texts() - height)

    def _available_heights(self) -> AvailableHeights:
        """Return the heights that are available for the texts."""
        total = sum(self._splitter.sizes())
        chosen = None if self._saved_fraction is None else self._rows_in(round(self._saved_fraction * total))
        without_rows = total - self._bars_around_texts() - self._height_above_rows()
        comfortable, minimum = (
            without_rows - self._row_height() * (rows if chosen is None else min(rows, chosen))
            for rows in (COMFORTABLE_ROWS, MIN_SHRUNK_ROWS)
        )
        maximum = minimum if chosen is None else without_rows - self._row_height() * chosen
        return AvailableHeights(comfortable, maximum, minimum + self._fold_bar.preferred_height)

    def _max_rows(self) -> int:
        return max(MIN_ROWS, self._view.model().rowCount())

    def _height_above_rows(self) -> int:
        """Return the height of filters and list header in pixels; other bars replace rows (see `_align_bars`)."""
        return self._filters.height() + self._view.horizontalHeader().height()

    def _bars_around_texts(self) -> int:
        """Return the height of the bars above and below the texts, in pixels."""
        bars = [bar for bar in _sibling_widgets(self._pane) if bar is not self._fold_bar]
        visible_bars = [bar for bar in bars if not bar.isHidden() or bar.sizePolicy().retainSizeWhenHidden()]
        return self._fold_bar.preferred_height + sum(bar.sizeHint().height() for bar in visible_bars)

    def _align_bars(self) -> None:
        """Make the height of each bar between filters and list a multiple of the row height, to keep rows whole."""
        row = self._row_height()
        for bar in _sibling_widgets(self._view):
            if bar is not self._filters:
                bar.setFixedHeight(ceil(bar.sizeHint().height() / row) * row)

    def _row_height(self) -> int:
        return self._view.verticalHeader().defaultSectionSize()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Schedule an update of the list height after a resize, or after a bar above the list is shown or hidden."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._update_timer.start()
        return False


def _sibling_widgets(widget: QWidget) -> list[QWidget]:
    """Return the other widgets in the layout of the parent of `widget`, including those in nested layouts."""
    parent = widget.parentWidget()
    layout = None if parent is None else parent.layout()
    return [] if layout is None else [sibling for sibling in layout_widgets(layout) if sibling is not widget]


def _saved_fraction(saved: bytes) -> float | None:
    """Parse the saved list height, a fraction of the total height; return None if it is missing or invalid."""
    try:
        fraction = float(saved.decode("ascii"))
    except ValueError:
        return None
    return fraction if 0 < fraction < 1 else None
