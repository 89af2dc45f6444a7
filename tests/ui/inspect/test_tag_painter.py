"""All widgets paint tags with TagPainter; its marks for hit, false alarm, miss and partial agreement differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.legend_entries import LegendEntry, LegendSymbol
from qe_desktop.ui.inspect.postedit.target_editor import TargetEditor, TextHighlight
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.tag_legend import TagLegend
from qe_desktop.ui.shell.start_page import ExampleSentence
from qe_desktop.ui.widgets.tag_painter import TagOutcome, TagPainter
from tests.ui.inspect.conftest import A, B, rich_corpus

SIZE = (700, 300)
MARKS = ("paint_word", "paint_bar", "paint_gap")
Render = Callable[[QPainter], None]


@pytest.fixture(params=list(theme.THEMES))
def colours(request, monkeypatch) -> theme.Theme:
    """Theme with transparent text, so that only the marks are compared."""
    clear = QColor(0, 0, 0, 0)
    chosen = replace(theme.THEMES[request.param], text=clear, muted=clear)
    monkeypatch.setattr(theme.themes, "theme", chosen)
    return chosen


@pytest.fixture
def area(qtbot, workspace, colours) -> InspectArea:
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.resize(*SIZE)
    area.show()
    return area


def render_background(colours: theme.Theme, *renders: Render) -> QImage:
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(colours.surface)
    painter = QPainter(image)
    for render in renders:
        painter.save()
        render(painter)
        painter.restore()
    painter.end()
    return image


def record_calls(render: Render, colours: theme.Theme, monkeypatch) -> tuple[QImage, list[Render]]:
    """Return the image without the marks, and the recorded calls that paint them."""
    calls: list[Render] = []
    with monkeypatch.context() as patch:
        for name in MARKS:
            method = getattr(TagPainter, name)

            def record(tag_painter, painter, *values, method=method, **options):
                transform, hints = painter.transform(), painter.renderHints()

                def replay(onto: QPainter) -> None:
                    onto.setTransform(transform)
                    onto.setRenderHints(hints)
                    method(tag_painter, onto, *values, **options)

                calls.append(replay)

            patch.setattr(TagPainter, name, record)
        return render_background(colours, render), calls


def pixels(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def check_marks(render: Render, colours: theme.Theme, monkeypatch, *, at_least: int) -> None:
    """Assert that TagPainter paints all marks of a rendering, pixel for pixel."""
    unmarked, calls = record_calls(render, colours, monkeypatch)
    assert len(calls) >= at_least
    tokens = (colours.bad, colours.bad_fill, colours.miss, colours.false_alarm, colours.false_alarm_fill)
    assert not pixels(unmarked) & {token.rgb() for token in tokens}
    assert render_background(colours, render) == render_background(
        colours, lambda painter: painter.drawImage(0, 0, unmarked), *calls
    )


@pytest.mark.parametrize("layers", [None, (A, B)])
def test_reader_paints_marks_with_tag_painter(area, workspace, colours, monkeypatch, layers):
    rich = rich_corpus()
    shown = {key: layer for key, layer in rich.layers.items() if "probabilities" not in str(key.kind)}
    workspace.open(replace(rich, layers=shown if layers is None else {key: rich.layers[key] for key in layers}))
    check_marks(lambda painter: area.reader.paint_page(painter, QRectF(0, 0, *SIZE)), colours, monkeypatch, at_least=8)


@pytest.mark.parametrize("selected", [False, True])
@pytest.mark.parametrize("column", [SegmentColumn.SOURCE, SegmentColumn.MT])
def test_list_paints_marks_with_tag_painter(area, workspace, colours, monkeypatch, column, selected):
    workspace.open(rich_corpus())
    option = QStyleOptionViewItem()
    option.rect, option.font = QRect(0, 0, 300, 30), area.font()
    if selected:
        option.state |= QStyle.StateFlag.State_Selected
    index = area.model.index(0, column)

    def render(painter: QPainter) -> None:
        area.view.itemDelegateForIndex(index).paint(painter, option, index)

    check_marks(render, colours, monkeypatch, at_least=1)
    # the tint of a selected row does not replace the fill of a mark
    assert colours.bad_fill.rgb() in pixels(render_background(colours, render))


def test_start_page_paints_marks_with_tag_painter(qtbot, colours, monkeypatch):
    example = ExampleSentence()
    qtbot.addWidget(example)
    example.resize(*SIZE)
    check_marks(lambda painter: painter.drawPixmap(0, 0, example.grab()), colours, monkeypatch, at_least=6)


@pytest.mark.parametrize("dotted", [False, True])
@pytest.mark.parametrize(
    "sign",
    [
        LegendSymbol.WORD, LegendSymbol.WORD_LIGHT, LegendSymbol.BAD, LegendSymbol.HIT, LegendSymbol.FALSE_ALARM,
        LegendSymbol.MISS, LegendSymbol.GAP, LegendSymbol.GAP_LIGHT, LegendSymbol.GAP_FALSE_ALARM,
        LegendSymbol.GAP_MISS, LegendSymbol.PARTLY_FLAGGED,
    ],
)  # fmt: skip
def test_legend_paints_marks_with_tag_painter(qtbot, colours, monkeypatch, sign, dotted):
    legend, entry = TagLegend(), LegendEntry(sign, "", "bad", is_dotted=dotted)
    qtbot.addWidget(legend)
    check_marks(
        lambda painter: legend.draw_sample(painter, QRectF(4, 3, 32, 18), entry, colours),
        colours, monkeypatch, at_least=1,
    )  # fmt: skip


def test_target_editor_uses_the_word_formats_of_tag_painter(qtbot, colours):
    editor, tag_painter = TargetEditor(), TagPainter(colours)
    qtbot.addWidget(editor)
    editor.show_line("Die Katze saß .", [], {})
    editor.show_flagged_words([TextHighlight(0, 3, is_strong=True), TextHighlight(4, 9)])
    selections = editor.extraSelections()
    formats = [selection.format for selection in selections]
    assert formats == [tag_painter.word_format(partial=False), tag_painter.word_format(partial=True)]
    assert formats[0].background().color() == colours.bad_fill
    assert formats[1].background().style() == Qt.BrushStyle.NoBrush
    assert {char_format.underlineColor().rgb() for char_format in formats} == {colours.bad.rgb()}


OUTCOMES = [outcome for outcome in TagOutcome if outcome is not TagOutcome.OK]


@pytest.mark.parametrize("name", theme.THEMES)
def test_outcomes_differ_without_colour(name):
    """A hit looks like a BAD word; false alarm and miss have their own shapes as word, bar and gap."""
    tag_painter, box = TagPainter(theme.THEMES[name]), QRectF(10, 10, 60, 20)

    def shapes(mark: Callable[[QPainter, TagOutcome], None]) -> list[tuple[bool, ...]]:
        images = [
            render_background(tag_painter.theme, lambda painter, outcome=outcome: mark(painter, outcome)).copy(
                0, 0, 80, 40
            )
            for outcome in OUTCOMES
        ]
        inks = ("bad", "false_alarm", "miss")
        colours = {getattr(tag_painter.theme, ink).rgb() for ink in inks}
        return [tuple(image.pixel(x, y) in colours for x in range(80) for y in range(40)) for image in images]

    for bad, hit, false_alarm, miss in (
        shapes(lambda painter, outcome: tag_painter.paint_word(painter, box, outcome)),
        shapes(lambda painter, outcome: tag_painter.paint_bar(painter, box, outcome)),
        shapes(lambda painter, outcome: tag_painter.paint_gap(painter, QPointF(40, 30), 16, outcome)),
    ):
        assert bad == hit
        assert len({bad, false_alarm, miss}) == 3
    full, partial = (
        render_background(
            tag_painter.theme, lambda painter, partial=partial: tag_painter.paint_word(painter, box, partial=partial)
        )
        for partial in (False, True)
    )
    assert tag_painter.theme.bad_fill.rgb() in pixels(full) - pixels(partial)
