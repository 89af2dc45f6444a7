"""Fonts and distances of the reader, and the labels that determine its left margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtGui import QFont, QFontMetricsF

from qe_desktop.corpus import Kind, Provenance, TextRole, View
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.settings import Settings

READING_SCALE, COMPACT_SCALE = 1.4, 1.15
"""Font sizes of the texts in the reader and of a compact MT, as multiples of the font size of controls."""
LABEL_FRACTION = 0.22
"""Maximum fraction of the reader's width that labels may occupy."""
SHOWN_ROLES = (TextRole.SOURCE, TextRole.MT, TextRole.POST_EDIT, TextRole.REFERENCE)
"""Roles of the texts in the reader, in the order in which the texts are shown."""
TEXT_LEFT_EM = 6.5
"""Left edge, in line heights, of texts in the segment list and, unless labels need more space, in the reader."""
NAMED_ROW_EM, THIN_ROW_EM = 0.92, 0.28
"""Heights of a tag row with a name and of a thin tag row, as multiples of the line height of small text."""
MIN_THIN_ROW_PX, MAX_THIN_ROW_REDUCTION = 3, 3
"""Minimum height of a thin tag row, and maximum reduction of its usual height, both in pixels."""


class TrackSize(NamedTuple):
    """Size of the MT and its tag rows, chosen for the available height."""

    compact: bool = False
    """Whether the MT has a smaller font and its tag rows have no names, to save space while the target is edited."""
    thin_row_reduction: int = 0
    """Number of pixels by which the usual height of thin tag rows is reduced."""
    are_all_named: bool = False
    """Whether the tag rows below all lines have names, not only those below one line."""


DEFAULT_SIZE, NAMED_SIZE = TrackSize(), TrackSize(are_all_named=True)


def text_left(font: QFont) -> int:
    """Return the left edge of texts in pixels, as defined by `TEXT_LEFT_EM`."""
    return round(QFontMetricsF(font).height() * TEXT_LEFT_EM)


def row_name(provenance: Provenance, name: str) -> str:
    """Return the label of a tag row; the label of a user's layer begins with a pencil symbol."""
    return f"✎ {name}" if provenance is Provenance.PERSON else name


def label_names(view: View, view_mode: InspectView = EVALUATION_VIEW) -> list[str]:
    """Return the labels of texts and tag rows, except rows whose tags are derived from the user's target edits."""
    kinds = (Kind.SOURCE, Kind.WORDS, Kind.GAPS) if view_mode.tag_rows else ()
    keys = [key for kind in kinds for key in view.displayed_layers(kind) if not view.is_derived(key)]
    names = [row_name(key.provenance, key.name) for key in keys]
    return names + [role.display_name for role in SHOWN_ROLES if view.corpus.text(role) is not None]


@dataclass(frozen=True, slots=True)
class LayoutMetrics:
    """Fonts and distances of the reader.

    `compact_font` is the font of a compact MT. Distances are in pixels: `left` is the left edge of the texts, and
    `margin` is the space around the texts. `row_height` is the height of a tag row with a name, and `thin_row_height`
    the height of a thin tag row. `thin_row_spacing` is the distance between the tops of adjacent thin rows.
    `gap_mark_size` is the size of gap marks.
    """

    text_font: QFont
    source_font: QFont
    compact_font: QFont
    small_font: QFont
    left: float
    margin: float
    row_height: float
    thin_row_height: float
    thin_row_spacing: float
    gap_mark_size: float

    @classmethod
    def of(
        cls, font: QFont, settings: Settings, names: Sequence[str], width: float, thin_row_reduction: int = 0
    ) -> LayoutMetrics:
        """Compute the metrics of a reader that is `width` pixels wide and has the labels `names`.

        Thin tag rows are `thin_row_reduction` pixels shorter than usual, but at least `MIN_THIN_ROW_PX` pixels high.
        """
        small = QFont(font)
        unit = QFontMetricsF(font).height()
        thin, step = thin_row(unit, thin_row_reduction)
        labels = round(min(_max_label_width(names, small), max(80.0, width * LABEL_FRACTION)))
        return cls(
            _reading_font(font, settings.mt_font),
            _reading_font(font, settings.source_font),
            _reading_font(font, settings.mt_font, COMPACT_SCALE),
            small,
            left=max(float(text_left(font)), 16.0 + labels + 12),
            margin=16.0,
            row_height=round(unit * NAMED_ROW_EM),
            thin_row_height=thin,
            thin_row_spacing=step,
            gap_mark_size=round(unit * 0.42),
        )


def thin_row(unit: float, thin_row_reduction: int = 0) -> tuple[int, int]:
    """Return the height of a thin tag row, and the distance between the tops of adjacent thin rows, in pixels.

    `unit` is the line height of small text in pixels. `thin_row_reduction` is the number of pixels by which the usual
    height of a thin row is reduced.
    """
    thin = max(MIN_THIN_ROW_PX, round(unit * THIN_ROW_EM) - thin_row_reduction)
    return thin, thin + (2 if thin_row_reduction < MAX_THIN_ROW_REDUCTION else 1)


def _max_label_width(names: Sequence[str], font: QFont) -> float:
    bold = QFont(font)
    bold.setBold(True)
    metrics = QFontMetricsF(bold)
    return max((metrics.horizontalAdvance(name) for name in names), default=0.0)


def _reading_font(font: QFont, family: str, scale: float = READING_SCALE) -> QFont:
    reading = QFont(font)
    if family:
        reading.setFamily(family)
    if font.pointSizeF() > 0:
        reading.setPointSizeF(font.pointSizeF() * scale)
    else:
        reading.setPixelSize(round(font.pixelSize() * scale))
    # space between words for gap markers
    reading.setWordSpacing(QFontMetricsF(reading).horizontalAdvance(" ") * 0.6)
    return reading
