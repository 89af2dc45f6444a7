"""Mark styles of compared translations differ in shape in every theme, and the legend shows them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from qe_desktop.levels.translations.diff_styles import DIFF_STYLES, MarkStyle
from qe_desktop.ui import theme
from qe_desktop.ui.inspect.translations.comparison_painter import (
    paint_background,
    paint_decoration,
    paint_insertion_tick,
)
from qe_desktop.ui.inspect.translations.comparison_view import ComparisonLegend


def render_mark(form: MarkStyle, colours: theme.Theme, *, shade: bool) -> QImage:
    image = QImage(60, 40, QImage.Format.Format_RGB32)
    image.fill(QColor(colours.surface))
    painter = QPainter(image)
    rect = QRectF(4, 4, 50, 22)
    if form is MarkStyle.TICK:
        paint_insertion_tick(painter, QPointF(30, 26), 8, colours)
    else:
        if shade:
            paint_background(painter, rect, form, colours)
        paint_decoration(painter, rect, form, colours)
    painter.end()
    return image


def shape(image: QImage) -> tuple[bool, ...]:
    ground = image.pixel(0, 0)
    return tuple(image.pixel(x, y) != ground for x in range(60) for y in range(40))


@pytest.mark.parametrize("name", theme.THEMES)
def test_mark_styles_have_distinct_shapes(qtbot, name):
    shapes = {form: shape(render_mark(form, theme.THEMES[name], shade=False)) for form in MarkStyle}
    assert all(any(pixels) for pixels in shapes.values())
    assert len(set(shapes.values())) == len(MarkStyle)


@pytest.mark.parametrize("name", theme.THEMES)
def test_longer_matches_have_darker_backgrounds(qtbot, name):
    colours = theme.THEMES[name]
    steps = (MarkStyle.STEP_1, MarkStyle.STEP_2, MarkStyle.STEP_3, MarkStyle.STEP_4)
    grounds = [render_mark(form, colours, shade=True).pixelColor(6, 8) for form in steps]
    contrasts = [theme.contrast_ratio(ground, colours.surface) for ground in grounds]
    assert 1 < contrasts[0] < contrasts[1] < contrasts[2] < contrasts[3]
    # the text on it stays readable
    assert min(theme.contrast_ratio(ground, colours.text) for ground in grounds) > 4.5


def test_legend_shows_the_mark_styles_or_a_description(qtbot):
    legend = ComparisonLegend()
    qtbot.addWidget(legend)
    legend.resize(600, 30)
    pictures: list[QImage] = []
    for marking in DIFF_STYLES.values():
        legend.show_marking(marking)
        assert legend.entries == marking.signs
        picture = legend.grab().toImage()
        assert picture not in pictures
        pictures.append(picture)
    legend.show_description("near, word 1 of 4")
    assert legend.grab().toImage() not in pictures
    legend.show_description("")
    assert legend.grab().toImage() == pictures[-1]
