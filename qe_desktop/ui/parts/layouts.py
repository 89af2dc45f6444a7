"""Widgets below or beside each other, as one call that reads like the place it describes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QScrollArea, QSplitter, QVBoxLayout, QWidget

from qe_desktop.ui.parts.focus_line import FocusLine

Box = TypeVar("Box", bound=QBoxLayout)
Margins = int | tuple[int, int, int, int]


class Stretch(NamedTuple):
    """Room that takes a share of what is left."""

    share: int = 1


class Space(NamedTuple):
    """Room of a fixed size."""

    pixels: int


class Placed(NamedTuple):
    """A widget that takes a share of what is left, or stands at one side of its place."""

    part: QWidget | QLayout
    share: int = 0
    side: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


Part = QWidget | QLayout | Stretch | Space | Placed


def column_of(
    *parts: Part, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = 0
) -> QVBoxLayout:
    """Parts below each other, `on` a widget or for another layout; None leaves `gap` or `margins` to the style."""
    return _filled(QVBoxLayout(), parts, on, gap, margins)


def row_of(*parts: Part, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = 0) -> QHBoxLayout:
    """Parts beside each other, `on` a widget or for another layout; None leaves `gap` or `margins` to the style."""
    return _filled(QHBoxLayout(), parts, on, gap, margins)


def holding(layout: QLayout) -> QWidget:
    """A widget that is nothing but a layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def split_of(orientation: Qt.Orientation, *parts: QWidget, shares: Sequence[int] = ()) -> QSplitter:
    """Parts with handles between them, none of which can be closed; `shares` say who takes more room there is."""
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    for place, share in enumerate(shares):
        splitter.setStretchFactor(place, share)
    return splitter


def scrolling(widget: QWidget, *, focus: bool = False) -> QScrollArea:
    """A widget that scrolls up and down where there is too little room; with `focus`, by its keys as well."""
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if focus:
        FocusLine(area)
    else:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def _filled(box: Box, parts: Sequence[Part], on: QWidget | None, gap: int | None, margins: Margins | None) -> Box:
    if on is not None:
        on.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if gap is not None:
        box.setSpacing(gap)
    for part in parts:
        if isinstance(part, Stretch):
            box.addStretch(part.share)
        elif isinstance(part, Space):
            box.addSpacing(part.pixels)
        else:
            placed = part if isinstance(part, Placed) else Placed(part)
            if isinstance(placed.part, QLayout):
                box.addLayout(placed.part, placed.share)
            else:
                box.addWidget(placed.part, placed.share, placed.side)
    return box
