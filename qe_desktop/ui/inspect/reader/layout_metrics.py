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
"""Font size of the texts in the reader, and of a compact MT, relative to the font size of controls."""
LABEL_FRACTION = 0.22
"""Maximum fraction of the reader's width that labels can use."""
SHOWN_ROLES = (TextRole.SOURCE, TextRole.MT, TextRole.POST_EDIT, TextRole.REFERENCE)
"""Texts in the order in which they are shown."""
TEXT_LEFT_EM = 6.5
"""Left edge of texts in the segment list and, unless labels are longer, in the reader, in line heights."""
NAMED_ROW_EM, THIN_ROW_EM = 0.92, 0.28
"""Heights of a named and of a thin tag row, relative to the line height of small text."""
MIN_THIN_ROW, MAX_THINNER = 3, 3
"""Minimum height of a thin tag row, and maximum reduction of its usual height, in pixels."""


class TrackSize(NamedTuple):
    """Size of the MT and its tag rows, chosen for the available height."""

    compact: bool = False
    """Whether the MT is small and no line has named tag rows, because the target is being edited."""
    thinner: int = 0
    """Pixels by which the height of thin tag rows is reduced."""


USUAL_SIZE = TrackSize()


def text_left(font: QFont) -> int:
    """Return the left edge of texts in the segment list and, unless labels are longer, in the reader."""
    return round(QFontMetricsF(font).height() * TEXT_LEFT_EM)


def row_name(provenance: Provenance, name: str) -> str:
    """Return the label of a tag row; layers of users have a symbol."""
    return f"✎ {name}" if provenance is Provenance.PERSON else name


def label_names(view: View, inspected: InspectView = EVALUATION_VIEW) -> list[str]:
    """Return the labels of texts and tag rows, except those of tags derived from the user's edits of the target."""
    kinds = (Kind.SOURCE, Kind.WORDS, Kind.GAPS) if inspected.tag_rows else ()
    keys = [key for kind in kinds for key in view.displayed_layers(kind) if not view.is_derived(key)]
    names = [row_name(key.provenance, key.name) for key in keys]
    return names + [role.display_name for role in SHOWN_ROLES if view.corpus.text(role) is not None]


@dataclass(frozen=True, slots=True)
class LayoutMetrics:
    """Fonts and distances, derived from the font size.

    `compact` is the font of a compact MT. Distances are in pixels: `left` is the left edge of texts, and `margin` the
    space around them. `row` and `thin` are the heights of a named and of a thin tag row. `step` is the distance between
    the tops of two thin rows, and `tick` the size of gap marks.
    """

    reading: QFont
    reading_source: QFont
    compact: QFont
    small: QFont
    left: float
    margin: float
    row: float
    thin: float
    step: float
    tick: float

    @classmethod
    def of(cls, font: QFont, settings: Settings, names: Sequence[str], width: float, thinner: int = 0) -> LayoutMetrics:
        """Compute the metrics from font, settings and labels `names`; `thinner` reduces the height of thin tag rows."""
        small = QFont(font)
        unit = QFontMetricsF(font).height()
        thin, step = thin_row(unit, thinner)
        labels = round(min(_max_label_width(names, small), max(80.0, width * LABEL_FRACTION)))
        return cls(
            _reading_font(font, settings.mt_font),
            _reading_font(font, settings.source_font),
            _reading_font(font, settings.mt_font, COMPACT_SCALE),
            small,
            left=max(float(text_left(font)), 16.0 + labels + 12),
            margin=16.0,
            row=round(unit * NAMED_ROW_EM),
            thin=thin,
            step=step,
            tick=round(unit * 0.42),
        )


def thin_row(unit: float, thinner: int = 0) -> tuple[int, int]:
    """Return the height of a thin tag row, and the distance between the tops of two, in pixels.

    `unit` is the line height of small text; `thinner` is the reduction of the usual height.
    """
    thin = max(MIN_THIN_ROW, round(unit * THIN_ROW_EM) - thinner)
    return thin, thin + (2 if thinner < MAX_THINNER else 1)


def _max_label_width(names: Sequence[str], font: QFont) -> float:
    """Return the maximum width of the labels in bold."""
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
