"""Heights that a segment needs while it is read and while its target is edited, and the sizes of its tag rows.

If the texts do not fit, the segment list becomes shorter first. Then the tag rows become thinner. Finally, the MT
scrolls. While the target is edited, the MT becomes compact before the list has fewer than `COMFORTABLE_ROWS` rows.
The heights for reading and for editing are always computed together, so that the source does not move when editing
begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from qe_desktop.ui.inspect.reader.layout_metrics import DEFAULT_SIZE, MAX_THIN_ROW_REDUCTION, NAMED_SIZE, TrackSize
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout

READING_SIZES = tuple(TrackSize(thin_row_reduction=thinner) for thinner in range(MAX_THIN_ROW_REDUCTION + 1))
EDITING_SIZES = tuple(
    TrackSize(compact=True, thin_row_reduction=thinner) for thinner in range(MAX_THIN_ROW_REDUCTION + 1)
)
"""Sizes of the MT and its tag rows while the target is edited, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class AvailableHeights:
    """Heights in pixels that are available for the texts, depending on the height of the segment list.

    `comfortable` is available if the list has `list_height.COMFORTABLE_ROWS` rows, or fewer if the user set a smaller
    list height. `maximum` is available if the list has the height that the user set or, if the user set none, its
    minimum height. `editing` is available if the list has its minimum height and the `FoldBar` is hidden, as it is
    while the MT is compact.
    """

    comfortable: int
    maximum: int
    editing: int


@dataclass(frozen=True, slots=True)
class SegmentHeights:
    """Heights of a segment in pixels, and sizes of its MT and tag rows, for reading and for editing the target."""

    reading: int
    editing: int
    reading_size: TrackSize = DEFAULT_SIZE
    editing_size: TrackSize = DEFAULT_SIZE
    names: int = 0
    """Height that names of tag rows below all lines need in addition to names below one line."""

    @classmethod
    def of(
        cls,
        page: SegmentLayout,
        available: AvailableHeights,
        panels: tuple[int, int],
        height_of: Callable[[SegmentLayout], float],
        compact_page: Callable[[], SegmentLayout],
    ) -> SegmentHeights:
        """Compute the heights of a segment from `page`, its layout in the default size.

        `panels` are the heights of the target panel in pixels: while the segment is read, and while its target is
        edited. `height_of` returns the height of a layout in the pane. `compact_page` returns the layout with a compact
        MT; it is called only if that layout is needed.
        """
        (read, edited), names = panels, ceil(page.names_height())
        reading_size, reading = _fit(page, READING_SIZES, available.maximum, lambda layout: height_of(layout) + read)
        full = ceil(height_of(page)) + edited
        if not page.view_mode.tag_rows or full <= available.comfortable:
            return cls(reading, full, reading_size, names=names)
        size, compact = _fit(
            compact_page(), EDITING_SIZES, available.editing, lambda layout: height_of(layout) + edited
        )
        # without the `FoldBar`, more height is available
        editing = max(available.comfortable, compact - (available.editing - available.maximum))
        return cls(reading, editing, reading_size, size, names)

    def with_names(self, reading: int, editing: int, maximum: int) -> SegmentHeights:
        """Return the heights with names of tag rows below all lines, while reading or editing, if there is space.

        `reading` and `editing` are the reserved heights; the texts get the larger one, but at most `maximum`.
        """
        reserved = max(reading, min(editing, maximum))

        def size(current: TrackSize, height: int) -> TrackSize:
            return NAMED_SIZE if current == DEFAULT_SIZE and height + self.names <= reserved else current

        return replace(
            self,
            reading_size=size(self.reading_size, self.reading),
            editing_size=size(self.editing_size, self.editing),
        )


def _fit(
    page: SegmentLayout, sizes: tuple[TrackSize, ...], available: int, height_of: Callable[[SegmentLayout], float]
) -> tuple[TrackSize, int]:
    """Return the first of `sizes` in which the layout fits into `available` pixels, and its height in that size.

    If the layout fits in none of them, return the last size.
    """
    heights = [ceil(height_of(page) - page.saved_height(size.thin_row_reduction)) for size in sizes]
    return next(
        ((size, height) for size, height in zip(sizes, heights, strict=True) if height <= available),
        (sizes[-1], heights[-1]),
    )
