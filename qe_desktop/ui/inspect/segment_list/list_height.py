"""Height of the segment list: what a long segment leaves, or the user's splitter position, limited by its rows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QSplitter

from qe_desktop.ui.inspect.reader.segment_pane import SegmentPane
from qe_desktop.ui.inspect.segment_list.segment_view import SegmentView
from qe_desktop.ui.settings import Settings

STATE_KEY = "inspect-list"
"""Settings key of the list's fraction of the height."""
DEFAULT_ROWS = 3
"""Number of rows next to a segment that scrolls even if the list has only one, unless the user moved the splitter."""
MIN_ROWS_WHILE_TYPING = 2
"""Minimum number of rows while a long target is edited."""
MIN_ROWS = 6
"""Number of rows that the list may have room for, even if it contains fewer."""


class ListHeightManager(QObject):
    """Controller of the splitter between list and text.

    During editing, the list shrinks to make room for source, target and MT, and keeps a few rows. Its height is
    restored when editing ends, not between segments.
    """

    def __init__(self, splitter: QSplitter, view: SegmentView, place: SegmentPane, settings: Settings) -> None:
        super().__init__(splitter)
        self._splitter, self._view, self._place, self._settings = splitter, view, place, settings
        self._wanted = _saved_fraction(settings.state(STATE_KEY))
        """Fraction of the height that the user selected; None until then."""
        splitter.setSizes([300, 700])
        self._typing: int | None = None
        """List height during editing; None if no target is edited."""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._settle)
        splitter.splitterMoved.connect(self._on_moved)
        splitter.installEventFilter(self)
        place.shared.connect(self._on_shared)
        for signal in (view.model().modelReset, view.model().layoutChanged):
            signal.connect(self.share)

    def _on_moved(self) -> None:
        list_height, text_height = self._splitter.sizes()
        if self._typing is None:
            self._wanted = list_height / max(1, list_height + text_height)
            self._settings.keep_state(STATE_KEY, f"{self._wanted:.4f}".encode())
        else:
            # kept until editing ends
            self._typing = list_height

    def _on_shared(self) -> None:
        if self._place.typed:
            self._later.stop()
            self.share()
        elif self._typing is not None or self._wanted is None:
            # not while the pane is being laid out
            self._later.start()

    def _settle(self) -> None:
        if not self._place.typed:
            self._typing = None
        self.share()

    def share(self) -> None:
        """Set the height of the list from the splitter position, its rows and the target editor."""
        total = sum(self._splitter.sizes())
        if not total:
            return
        bars = self._view.y() + self._view.horizontalHeader().height()
        row = self._view.verticalHeader().defaultSectionSize()
        rows = self._view.model().rowCount()
        lower = self._splitter.sizes()[1] - self._place.height()
        rest = self._rest(total - lower, bars, row) if self._wanted is None else round(self._wanted * total)
        # whole rows only
        wanted = bars + (rest - bars) // row * row
        height = min(max(wanted, bars + row), bars + row * max(MIN_ROWS, rows))
        if self._place.typed:
            left = total - lower - self._place.needed()
            least = bars + row * MIN_ROWS_WHILE_TYPING
            height = min(height, max(least, left), height if self._typing is None else self._typing)
            self._typing = height
        if height != self._splitter.sizes()[0]:
            self._splitter.setSizes([height, total - height])

    def _rest(self, height: int, bars: int, row: int) -> int:
        """Return the height that a long segment leaves for the list.

        It also leaves space for the target that is edited if the list has enough rows then.
        """
        texts, editing = self._place.typical_heights()
        rest = min(height - texts, max(height - texts - editing, bars + row * MIN_ROWS))
        return rest if rest >= bars + row else bars + row * DEFAULT_ROWS

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the height after a resize."""
        if event.type() == QEvent.Type.Resize:
            self._later.start()
        return False


def _saved_fraction(saved: bytes) -> float | None:
    """Return the saved fraction of the height; None if it is missing or invalid."""
    try:
        fraction = float(saved.decode("ascii"))
    except ValueError:
        return None
    return fraction if 0 < fraction < 1 else None
