"""How much of the height the list takes: as much as a person gives it, and no more than it fills or a target leaves."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QSplitter

from qe_desktop.ui.inspect.reader.segment_pane import SegmentPane
from qe_desktop.ui.inspect.segment_list.segment_view import SegmentView
from qe_desktop.ui.settings import Settings

STATE_KEY = "inspect-list"
"""What the settings keep: which part of the height a person gave the list."""
DEFAULT_FRACTION = 1 / 3
"""The same where nobody chose."""
MIN_ROWS_WHILE_TYPING = 2
"""Rows that stay in view while a long target is typed."""
MIN_ROWS = 6
"""Rows that the list has room for at the least, however few it shows."""


class ListHeightManager(QObject):
    """Moves the handle between list and text.

    While one types, a list gives up rows where source, target and a line of the MT lack the height; it gets them back
    once nobody types, not from one segment to the next.
    """

    tight_changed = Signal()
    """What can be done without while one types has to give its room as well, or no longer."""

    def __init__(self, splitter: QSplitter, view: SegmentView, place: SegmentPane, settings: Settings) -> None:
        super().__init__(splitter)
        self._splitter, self._view, self._place, self._settings = splitter, view, place, settings
        self.tight = False
        """Whether also what stands over the text is in the way of a target that is typed."""
        self._wanted = _saved_fraction(settings.state(STATE_KEY))
        splitter.setSizes([round(1000 * self._wanted), round(1000 * (1 - self._wanted))])
        self._typing: int | None = None
        """The height of the list since somebody types; None while nobody does."""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._settle)
        splitter.splitterMoved.connect(self._on_moved)
        splitter.installEventFilter(self)
        place.shared.connect(self._on_shared)
        for signal in (view.model().modelReset, view.model().layoutChanged):
            signal.connect(self.share)

    def _on_moved(self) -> None:
        above, below = self._splitter.sizes()
        if self._typing is None:
            self._wanted = above / max(1, above + below)
            self._settings.keep_state(STATE_KEY, f"{self._wanted:.4f}".encode())
        else:
            # for as long as the target is typed
            self._typing = above

    def _on_shared(self) -> None:
        if self._place.typed:
            self._later.stop()
            self.share()
        elif self._typing is not None:
            self._later.start()

    def _settle(self) -> None:
        if not self._place.typed:
            self._typing = None
            self._tell(tight=False)
        self.share()

    def _tell(self, *, tight: bool) -> None:
        if tight is not self.tight:
            self.tight = tight
            self.tight_changed.emit()

    def share(self) -> None:
        """Give the list its height."""
        total = sum(self._splitter.sizes())
        if not total:
            return
        bars = self._view.y() + self._view.horizontalHeader().height()
        row = self._view.verticalHeader().defaultSectionSize()
        rows = self._view.model().rowCount()
        # no row in parts
        wanted = bars + (round(self._wanted * total) - bars) // row * row
        height = min(max(wanted, bars + row), bars + row * max(MIN_ROWS, rows))
        if self._place.typed:
            lower = self._splitter.sizes()[1] - self._place.height()
            left = total - lower - self._place.needed()
            least = bars + row * MIN_ROWS_WHILE_TYPING
            height = min(height, max(least, left), height if self._typing is None else self._typing)
            self._typing = height
            if left < least:
                self._tell(tight=True)
        if height != self._splitter.sizes()[0]:
            self._splitter.setSizes([height, total - height])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window has another height."""
        if event.type() == QEvent.Type.Resize:
            self._later.start()
        return False


def _saved_fraction(kept: bytes) -> float:
    """The part of the height that was kept; the usual one where nothing is, or nothing of the kind."""
    try:
        part = float(kept.decode("ascii"))
    except ValueError:
        return DEFAULT_FRACTION
    return part if 0 < part < 1 else DEFAULT_FRACTION
