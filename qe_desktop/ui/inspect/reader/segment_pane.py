"""Pane of a segment: pinned source, scrolling MT with tags, and target.

The source is on the left if the user selected this layout and the pane is wide enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from operator import is_

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtGui import QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from qe_desktop.corpus import Corpus, Kind, Provenance, TextColumn, TextRole, View
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.inspect.postedit.target_editor import MAX_LINES_COMPACT
from qe_desktop.ui.inspect.postedit.target_panel import TargetPanel
from qe_desktop.ui.inspect.reader.layout_metrics import DEFAULT_SIZE, NAMED_SIZE
from qe_desktop.ui.inspect.reader.overlay_scroll_area import OverlayScrollArea
from qe_desktop.ui.inspect.reader.segment_heights import EDITING_SIZES, AvailableHeights, SegmentHeights
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.reader.segment_text_view import SourcePane, pinned_height, whole_lines_height
from qe_desktop.ui.settings import SOURCE_SIDE_BY_SIDE_KEY, Settings
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.layouts import Stretched, vbox, wrap_layout

MAX_SOURCE_FRACTION = 0.4
"""Maximum fraction of the pane's height for a source above the MT, unless all texts fit without scrolling.

A taller source scrolls in an area that is a whole number of lines high.
"""
MIN_LINES = 8
"""Minimum height of the pane, in lines of small text.

It does not depend on the content, so that editing does not move the layout.
"""
MIN_SIDE_BY_SIDE_DIGITS = 195
"""Minimum width of the pane for source and target side by side, as a multiple of the width of a digit."""
LONG_SEGMENT_FRACTION = 0.98
"""Fraction of the segments of a corpus, in order of increasing length, for which enough height is reserved."""
MT_STRETCH = 1000
"""Stretch factor of the MT, so large that the MT is shown in full before the target panel gets extra height."""
SIDE_BY_SIDE_COMMAND = "inspect.source-beside"
_NO_LIMIT = 16777215


class SegmentPane(QWidget):
    """Pane that divides its space among source, MT with tags, and target."""

    space_distributed = Signal()
    """Emitted after the space has been divided; the pane may then need a different height."""

    def __init__(self, reader: SegmentTagEditor, below: QWidget, target: TargetPanel) -> None:
        super().__init__()
        self.reader, self.target, self._panels_below = reader, target, below
        self.source = SourcePane(reader)
        self._pinned = OverlayScrollArea(self.source)
        self._scroll = OverlayScrollArea(wrap_layout(vbox(reader, Stretched(below, 1), gap=0)))
        self._separator = QWidget()
        self._long_segments: tuple[tuple[TextColumn | None, ...], set[int]] | None = None
        self._cached_long_heights: tuple[object, SegmentHeights] | None = None
        """State for which the heights reserved for long segments were computed, and these heights."""
        self._heights: tuple[int, dict[tuple[object, ...], SegmentHeights]] | None = None
        """Current segment, and cached heights by `_key()` and `AvailableHeights`, which may change during layout."""
        self._tallest_texts: tuple[object, int] = None, 0
        """State of the pane, and the greatest height of texts and compared translations so far in that state."""
        self.available_heights: Callable[[], AvailableHeights] = self._default_heights
        """Function that returns the heights available for the texts."""
        self._text_layout = vbox(Stretched(self._scroll, MT_STRETCH), target, gap=0)
        self._text_layout.addStretch(0)
        self._main_layout = vbox(
            self._pinned, self._separator, Stretched(wrap_layout(self._text_layout), 1), on=self, gap=0
        )
        reader.pin(self.source)
        reader.laid_out.connect(self.distribute_space)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._keep_in_view)
        reader.workspace.settings.changed.connect(self._on_setting)
        for part in (target, below):
            part.installEventFilter(self)
        themes.theme_changed.connect(self._update_colours)
        self._update_colours()
        self.distribute_space()

    def _update_colours(self) -> None:
        for part, colour in ((self._separator, current().border), (self, current().surface)):
            palette = part.palette()
            palette.setColor(QPalette.ColorRole.Window, colour)
            part.setPalette(palette)
            part.setAutoFillBackground(True)

    def _on_setting(self, key: str) -> None:
        if key == SOURCE_SIDE_BY_SIDE_KEY:
            self.distribute_space()

    def _keep_in_view(self) -> None:
        """Keep the word at the cursor in view when heights change.

        Do nothing if compared translations are shown and no target is being edited, because the user may be reading
        the translations.
        """
        if self.is_editing or not self._panels_below.isVisibleTo(self):
            self.reader.keep_in_view()

    # --- state

    @property
    def is_editing(self) -> bool:
        """Whether a target is being edited."""
        return self.target.isVisibleTo(self) and not self.target.edit.isHidden()

    @property
    def is_wide(self) -> bool:
        """Whether the pane is wide enough for source and target side by side."""
        return self.width() >= MIN_SIDE_BY_SIDE_DIGITS * self.fontMetrics().horizontalAdvance("0")

    @property
    def is_side_by_side(self) -> bool:
        """Whether the source is to the left of the MT and the target, not above them."""
        is_requested = self.reader.workspace.settings.source_side_by_side
        return is_requested and self.is_wide and self.reader.can_show_side_by_side

    def heights(self) -> SegmentHeights | None:
        """Return the larger of the heights that a long segment and the current segment need; None if nothing is shown.

        Nearly all segments of a corpus have the same heights, so that the texts do not move when the segment changes.
        Edits of the current segment do not change its heights, so that the texts do not move during editing.
        """
        view = self.reader.inspect_view.view
        if view is None or not view.corpus.size or self.reader.page is None:
            self._heights = self._long_segments = None
            return None
        available, segment = self.available_heights(), self.reader.workspace.segment
        key = self._key(), available
        if self._heights is None or self._heights[0] != segment:
            self._heights = segment, {}
        if key not in self._heights[1]:
            if self._cached_long_heights is None or self._cached_long_heights[0] != key:
                self._cached_long_heights = key, self._reserved_heights(view, available)
            long, current = self._cached_long_heights[1], self._heights_of(view, segment, available)
            reading, editing = max(long.reading, current.reading), max(long.editing, current.editing)
            heights = current.with_names(reading, editing, available.maximum)
            self._heights[1][key] = replace(heights, reading=self._with_translations(reading), editing=editing)
        return self._heights[1][key]

    def _reserved_heights(self, view: View, available: AvailableHeights) -> SegmentHeights:
        """Return the heights to reserve: the greatest heights of long segments, at most `available.comfortable`."""
        # added tags do not change the texts, whose lengths take some milliseconds to compare
        columns = view.corpus.text(TextRole.SOURCE), view.corpus.text(TextRole.MT)
        if self._long_segments is None or not all(map(is_, columns, self._long_segments[0])):
            self._long_segments = columns, _long_segments(view.corpus)
        heights = [self._heights_of(view, segment, available) for segment in self._long_segments[1]]
        return SegmentHeights(
            min(available.comfortable, max(long.reading for long in heights)),
            min(available.comfortable, max(long.editing for long in heights)),
        )

    def _key(self) -> tuple[object, ...]:
        """Return the values on which the heights of all segments depend, as a cache key."""
        reader, workspace = self.reader, self.reader.workspace
        view = reader.inspect_view.view
        assert view is not None
        assert reader.page is not None
        rows = len(
            [*view.corpus.find(Provenance.SYSTEM, Kind.WORDS), *view.corpus.find(Provenance.SYSTEM, Kind.SOURCE)]
        )
        return (
            id(workspace.session),
            rows,
            self.width(),
            reader.page.metrics.text_font.toString(),
            id(reader.inspect_view.view_mode),
            reader.inspect_view.kind,
            reader.page.tags_shown,
            reader.panels_below,
            self._below_height(),
            self.is_side_by_side,
        )

    def _heights_of(self, view: View, segment: int, available: AvailableHeights) -> SegmentHeights:
        """Return the heights of a segment; the notes in the target panel are included only for the current segment."""
        current = self.reader.page
        is_shown = current is not None and current.segment == segment == self.reader.workspace.segment
        usual = current is not None and is_shown and self.reader.track_size in (DEFAULT_SIZE, NAMED_SIZE)
        page = current if current is not None and usual else self.reader.page_of(view, segment)
        return SegmentHeights.of(
            page,
            available,
            self._panel_heights(page, is_shown=is_shown),
            lambda page: self._height_of(page) - (page.names_height() if page.are_all_named else 0),
            lambda: self.reader.page_of(view, segment, size=EDITING_SIZES[0]),
        )

    def _panel_heights(self, page: SegmentLayout, *, is_shown: bool) -> tuple[int, int]:
        """Return the heights of the target panel in pixels: while a segment is read, and while its target is edited."""
        block, width = page.block(Kind.WORDS), self._target_width()
        read = self.target.reading_height(width) if is_shown and not self.target.isHidden() else 0
        if self.target.isHidden() or block is None:
            return read, read
        lines, explained = len(block.layout.lines), not page.view_mode.tag_rows
        return read, self.target.editing_height(lines, width if is_shown else None, with_explanations=explained)

    def _below_height(self) -> int:
        """Return the height of the compared translations in pixels; 0 while they are hidden."""
        return self._panels_below.sizeHint().height() if self._panels_below.isVisibleTo(self) else 0

    def _with_translations(self, texts: int) -> int:
        """Return `texts` if the compared translations are hidden, otherwise the greatest total height so far.

        `texts` is the height of the texts in pixels; the total height also includes the translations.
        """
        if not self._panels_below.isVisibleTo(self):
            return texts
        reader = self.reader
        key = id(reader.workspace.session), self.width(), reader.font().toString(), reader.panels_below
        tallest = self._tallest_texts[1] if self._tallest_texts[0] == key else 0
        self._tallest_texts = key, max(tallest, texts + self._below_height())
        return self._tallest_texts[1]

    def _target_width(self) -> int:
        return self.width() // 2 if self.is_side_by_side else self.width()

    def _default_heights(self) -> AvailableHeights:
        return AvailableHeights(self.height(), self.height(), self.height())

    def _height_of(self, page: SegmentLayout) -> float:
        """Return the height of the texts in pixels, including the separator line if the source is above the MT."""
        source = pinned_height(page)
        return max(source, page.height - source + self._source_offset()) if self.is_side_by_side else page.height + 1

    def _mt_line_height(self) -> int:
        return 0 if self.reader.page is None else ceil(self.reader.page.line_height())

    def _source_offset(self) -> int:
        """Return the top margin of the MT, in pixels, that aligns its first line with that of a source on the left."""
        page = self.reader.page
        if page is None or len(page.blocks) < 2:
            return 0
        return max(0, round(page.blocks[0].top - (page.blocks[1].top - self.reader.visible_top)))

    # --- layout

    def distribute_space(self) -> None:
        """Divide the space among source, MT and target; a hidden pane does so when it is shown."""
        if not self.isVisible():
            return
        pinned, side_by_side = round(self.reader.visible_top), self.is_side_by_side
        self.reader.set_source_width(self.width() // 2 if side_by_side else None)
        heights = self.heights()
        if heights is not None:
            self.reader.set_track_size(heights.editing_size if self.is_editing else heights.reading_size)
        self._pinned.setVisible(pinned > 0)
        self._separator.setVisible(pinned > 0)
        self.source.setFixedHeight(max(1, pinned))
        self._place_source(side_by_side)
        self._distribute_below(0 if side_by_side else self._pinned.height())
        self.space_distributed.emit()

    def _place_source(self, side_by_side: bool) -> None:
        direction = QBoxLayout.Direction.LeftToRight if side_by_side else QBoxLayout.Direction.TopToBottom
        if self._main_layout.direction() is not direction:
            self._main_layout.setDirection(direction)
        self._text_layout.setContentsMargins(0, self._source_offset() if side_by_side else 0, 0, 0)
        page, max_height = self.reader.page, round(self.height() * MAX_SOURCE_FRACTION)
        if side_by_side:
            _fix_size(self._pinned, self.width() // 2, None)
            _fix_size(self._separator, 1, None)
            return
        pinned = round(self.reader.visible_top)
        if pinned > max_height and page is not None and not self._all_texts_fit(page):
            pinned = round(whole_lines_height(page, max_height))
        _fix_size(self._pinned, None, max(1, pinned))
        _fix_size(self._separator, None, 1)

    def _all_texts_fit(self, page: SegmentLayout) -> bool:
        """Return whether source, MT, target and compared translations fit; False while the target is being edited."""
        if self.is_editing:
            return False
        target = self.target.reading_height(self._target_width()) if self.target.isVisibleTo(self) else 0
        return ceil(self._height_of(page)) + target + self._below_height() <= self.height()

    def _distribute_below(self, used: int) -> None:
        """Divide the height, minus `used` pixels, between the MT and the target.

        One MT line with its tag rows has priority over the target, and the target over the rest of the MT.
        """
        target, edit, is_editing = self.target, self.target.edit, self.is_editing
        if self.reader.page is not None and not is_editing:
            target_height = target.reading_height(self._target_width()) - target.changes.height()
            target.set_room(self.height() - ceil(self._height_of(self.reader.page)) - target_height)
        # with tag rows, the target is edited above the MT, so that the rows are not between target and source
        is_above = is_editing and self.reader.inspect_view.view_mode.tag_rows
        direction = QBoxLayout.Direction.BottomToTop if is_above else QBoxLayout.Direction.TopToBottom
        if self._text_layout.direction() is not direction:
            self._text_layout.setDirection(direction)
        height = self.height() - used - self._text_layout.contentsMargins().top()
        # the editor gets the height minus one MT line with its tag rows, or the whole height if the rest is too small
        edited, line = height - (target.sizeHint().height() - edit.height()), self._mt_line_height()
        remaining = edited - min(edit.needed_height(), edit.needed_height(MAX_LINES_COMPACT))
        crowded = is_editing and remaining < line - self.fontMetrics().height()
        if is_editing:
            edit.set_max_height(edited - (0 if crowded else line))
        if self._scroll.isHidden() is not crowded:
            self._scroll.setVisible(not crowded)
            self._text_layout.setStretch(self._text_layout.count() - 1, 1 if crowded else 0)
        # a target that becomes longer than the MT takes the space below the words of the MT
        self._scroll.setMinimumHeight(self.fontMetrics().height())
        # keep MT and target adjacent if nothing is between them
        are_adjacent = target.isVisibleTo(self) and not self._panels_below.isVisibleTo(self) and not is_above
        self._scroll.setMaximumHeight(max(1, self.reader.minimumHeight()) if are_adjacent else _NO_LIMIT)
        self._text_layout.setStretch(1, 1 if are_adjacent else 0)

    def minimumSizeHint(self) -> QSize:
        """Return a minimum size that does not depend on the content."""
        return QSize(200, MIN_LINES * self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the space again for the new size."""
        super().resizeEvent(event)
        self.distribute_space()

    def showEvent(self, event: QShowEvent) -> None:
        """Divide the space, because `distribute_space` does nothing while the pane is hidden."""
        super().showEvent(event)
        self.distribute_space()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Divide the space when the target or the compared translations change their height."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.Hide):
            self.distribute_space()
        return False


def _long_segments(corpus: Corpus) -> set[int]:
    """Return the segments at quantile `LONG_SEGMENT_FRACTION` of the lengths of source, MT, and both together.

    In a corpus of at most 50 segments, these are the longest segments.
    """
    columns = [column for role in (TextRole.SOURCE, TextRole.MT) if (column := corpus.text(role)) is not None]
    lengths = [column.ends - column.starts for column in columns]
    if not lengths:
        return {0}
    index = ceil(LONG_SEGMENT_FRACTION * (corpus.size - 1))
    return {int(np.argpartition(length, index)[index]) for length in (*lengths, np.sum(lengths, axis=0))}


def _fix_size(part: QWidget, width: int | None, height: int | None) -> None:
    """Fix the width and the height of a widget; a dimension that is None remains flexible."""
    part.setMinimumSize(width or 0, height or 0)
    part.setMaximumSize(width or _NO_LIMIT, height or _NO_LIMIT)


class SourceSideBySideAction(QObject):
    """Action that moves the source to the left of the target, or back to the top; checked if the source is on the left.

    If the pane is too narrow for the layout that the user selected, the text of the action says so.
    """

    def __init__(
        self, pane: SegmentPane, controller: PostEditController, settings: Settings, commands: ActionRegistry
    ) -> None:
        super().__init__(pane)
        self._pane, self._controller, self._settings, self._commands = pane, controller, settings, commands
        self._action = commands.connect_to(SIDE_BY_SIDE_COMMAND, self._toggle)
        self._name = ""
        pane.space_distributed.connect(self._refresh)
        self._refresh()

    def _toggle(self) -> None:
        self._settings.source_side_by_side = not self._settings.source_side_by_side
        # Qt has toggled the action, but the layout may be unchanged
        self._refresh()
        if self._pane.is_wide:
            return
        if self._settings.source_side_by_side:
            self._controller.message_posted.emit(
                tr("The source will move next to the target when the window is wide enough")
            )
        else:
            self._controller.message_posted.emit(tr("The source will stay above the target, even in wide windows"))

    def _refresh(self) -> None:
        pane = self._pane
        self._action.setEnabled(pane.reader.can_show_side_by_side)
        self._action.setChecked(pane.is_side_by_side)
        is_too_narrow = self._settings.source_side_by_side and not pane.is_wide
        name = tr("Source next to the target (window too narrow)") if is_too_narrow else ""
        if name != self._name:
            self._name = name
            self._commands.set_text(SIDE_BY_SIDE_COMMAND, name)
