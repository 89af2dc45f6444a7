"""Heights that a segment needs while it is read and while its target is edited, with the sizes of its tag rows.

If the height is insufficient, tag rows first become thinner; while the target is edited, the MT also becomes compact.
Then the segment list becomes shorter; finally, the MT scrolls. Heights do not depend on whether the target is being
edited, so that the source does not move when editing begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from qe_desktop.ui.inspect.reader.layout_metrics import DEFAULT_SIZE, MAX_THIN_ROW_REDUCTION, TrackSize
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout

READING_SIZES = tuple(TrackSize(thin_row_reduction=thinner) for thinner in range(MAX_THIN_ROW_REDUCTION + 1))
EDITING_SIZES = tuple(
    TrackSize(compact=True, thin_row_reduction=thinner) for thinner in range(MAX_THIN_ROW_REDUCTION + 1)
)
"""Sizes in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class AvailableHeights:
    """Heights in pixels that are available for the texts, depending on the number of rows of the segment list.

    `comfortable` is for a list with at most `list_height.COMFORTABLE_ROWS` rows. `maximum` is for the shortest list, or
    for the list height that the user set. `editing` is for the shortest list without the `FoldBar`, which is hidden
    while the MT is compact.
    """

    comfortable: int
    maximum: int
    editing: int


@dataclass(frozen=True, slots=True)
class SegmentHeights:
    """Heights in pixels that a segment needs, and sizes of its MT and tag rows, while read and while edited."""

    reading: int
    editing: int
    reading_size: TrackSize = DEFAULT_SIZE
    editing_size: TrackSize = DEFAULT_SIZE

    @classmethod
    def of(
        cls,
        page: SegmentLayout,
        available: AvailableHeights,
        panels: tuple[int, int],
        height_of: Callable[[SegmentLayout], float],
        compact_page: Callable[[], SegmentLayout],
    ) -> SegmentHeights:
        """Compute the heights of a segment from its layout in the usual size.

        `panels` are the heights of its target panel while it is read and while it is edited. `height_of` returns the
        height of a layout in the pane. `compact_page` is called only if it is needed.
        """
        read, edited = panels
        reading_size, reading = _fit(page, READING_SIZES, available.maximum, lambda layout: height_of(layout) + read)
        full = ceil(height_of(page)) + edited
        if not page.view_mode.tag_rows or full <= available.comfortable:
            return cls(reading, full, reading_size)
        size, compact = _fit(
            compact_page(), EDITING_SIZES, available.editing, lambda layout: height_of(layout) + edited
        )
        # without the `FoldBar`, more height is available
        editing = max(available.comfortable, compact - (available.editing - available.maximum))
        return cls(reading, editing, reading_size, size)


def _fit(
    page: SegmentLayout, sizes: tuple[TrackSize, ...], available: int, height_of: Callable[[SegmentLayout], float]
) -> tuple[TrackSize, int]:
    """Return the first size in which a layout fits into `available` pixels, or else the last size, with the height."""
    heights = [ceil(height_of(page) - page.saved_height(size.thin_row_reduction)) for size in sizes]
    return next(
        ((size, height) for size, height in zip(sizes, heights, strict=True) if height <= available),
        (sizes[-1], heights[-1]),
    )
