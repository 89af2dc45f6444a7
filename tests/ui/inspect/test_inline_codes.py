"""Inline codes in source and MT of a bilingual file: painting, explanations, and the words next to them."""

from __future__ import annotations

from html import unescape

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from qe_desktop.corpus import DisplayText, Kind, TextRole
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import CodeDifferences, LineCode, parse_line_codes, strip_codes
from qe_desktop.local_qe.qa_checks.check_results import QaResult
from qe_desktop.local_qe.qa_checks.live_checks import TargetIssue
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.postedit import target_warnings
from qe_desktop.ui.inspect.postedit.target_warnings import CheckLinksBar, CodeProblemsBar
from qe_desktop.ui.inspect.qa_result_panel import QaResultList, QaResultPanel
from qe_desktop.ui.inspect.reader import word_decorations
from qe_desktop.ui.inspect.reader.segment_descriptions import adjacent_codes
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
from qe_desktop.ui.inspect.reader.word_decorations import PositionedCode, code_size, positioned_codes
from qe_desktop.ui.inspect.reader.word_layout import WordLayout
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current
from tests.ui.inspect.postedit.conftest import SOURCES, TARGETS, job_corpus

OPEN, CLOSE, ALONE = (LineCode(kind, 1) for kind in (CodeKind.OPEN, CodeKind.CLOSE, CodeKind.STANDALONE))


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    workspace.open(job_corpus())
    widget = InspectArea(workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1200, 760)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def test_buttons_and_check_results_show_codes_as_the_texts_do(qtbot, monkeypatch):
    drawn: list[LineCode] = []
    for module in (word_decorations, target_warnings):
        monkeypatch.setattr(module, "draw_code", lambda painter, rect, code, *rest: drawn.append(code))
    buttons, links, panel = CodeProblemsBar(), CheckLinksBar(), QaResultPanel(Settings())
    for widget in (buttons, links, panel):
        qtbot.addWidget(widget)
        widget.resize(900, 300)
    buttons.show_problems(CodeDifferences(missing=(OPEN, CLOSE)), {})
    buttons.grab()
    assert drawn == [OPEN, CLOSE]
    assert [button.text() for button in buttons._buttons] == ["⟨1⟩", "⟨/1⟩"]
    drawn.clear()
    message = "the code ⟨1/⟩ is missing from the target"
    links.show_results([TargetIssue((0, 0), message, "codes"), TargetIssue((0, 0), "no code", "codes")])
    links.grab()
    assert drawn == [ALONE]
    assert links.links[0].shown_text() == message
    drawn.clear()
    panel.show_results(QaResultList.of([QaResult(0, "1", "codes", "Codes", message, "", "target", (0, 0))]))
    panel.show_state(None)
    panel.grab()
    assert set(drawn) == {ALONE}


def make_layout(text: str, *codes: PositionedCode, width: float = 600, direction: str = "ltr") -> WordLayout:
    tokens, places, start = text.split(), [], 0
    for token in tokens:
        start = text.index(token, start)
        places.append((start, start + len(token)))
        start += len(token)
    return WordLayout(
        DisplayText(text, tuple(places)), QFont("DejaVu Sans", 12), width, direction=direction, codes=codes
    )


def test_source_and_mt_show_chips_at_the_positions_of_their_codes(area):
    for role, lines in ((TextRole.SOURCE, SOURCES), (TextRole.MT, TARGETS)):
        layout = next(block for block in area.reader.page.blocks if block.role is role).layout
        assert [code for _, code in layout.code_rects()] == parse_line_codes(lines[0])
        assert layout.text == strip_codes(lines[0])
        button = layout.tokens.index("OK")
        (opened, _), (closed, _), _ = layout.code_rects()
        assert opened.right() <= layout.rects[button][0].left() + 1
        assert layout.rects[button][0].right() <= closed.left() + 1


def test_codes_change_neither_words_nor_positions(area):
    reader = area.reader
    assert reader.page.position_count() == len(reader.page.view.corpus.tokens(TextRole.MT, 0))
    descriptions = [reader.describe()]
    for _ in range(reader.page.position_count() - 1):
        reader.move_cursor(1)
        descriptions.append(reader.describe())
    assert len(set(descriptions)) == reader.page.position_count()
    assert not any("⟨" in text or "\u00a0" in text for text in descriptions)


def test_hovering_a_code_explains_it_also_in_the_pinned_source(area, qtbot):
    reader = area.reader
    source = reader.page.blocks[0]
    assert source.role is TextRole.SOURCE
    for rect, code in source.layout.code_rects():
        point = rect.center() + source.origin(reader.page.metrics.left)
        reader.explain_at(QPoint(1, 1), point)
        assert code.display_text in QToolTip.text()
        assert ("&lt;b&gt;" if code.number == 1 else "&lt;br/&gt;") in QToolTip.text()
    assert point.y() < reader.visible_top
    reader.explain_at(QPoint(1, 1), reader.page.word_rects(source, 0)[0].center())
    assert "Press" in QToolTip.text()


def test_explain_command_lists_the_codes_next_to_the_word(area):
    reader = area.reader

    def lines(word: int) -> list[str]:
        reader.go_to_index(word)
        area.explain()
        return unescape(QToolTip.text()).split("<br>")[1:]

    words = reader.page.block(Kind.WORDS).layout.tokens
    assert words == ("Drücken", "Sie", "OK", "jetzt", ".")
    assert [line for line in lines(2) if "inline code" in line] == [
        "inline code ⟨1⟩: <b> (ends at ⟨/1⟩)", "inline code ⟨/1⟩: <b> (starts at ⟨1⟩)</p>",
    ]  # fmt: skip
    assert [line for line in lines(4) if "inline code" in line] == ["inline code ⟨2/⟩: <br/></p>"]
    assert not [line for index in (0, 1, 3) for line in lines(index) if "inline code" in line]
    # source codes while source words are edited; for gaps, the codes between two words
    area.workspace.set_kind(Kind.SOURCE)
    reader.show_page(
        SegmentLayout(area.workspace.view, 0, Kind.SOURCE, 900, reader.font(), area.workspace.settings), None
    )
    assert adjacent_codes(reader.page, 1) == [
        "inline code ⟨1⟩: <b> (ends at ⟨/1⟩)",
        "inline code ⟨/1⟩: <b> (starts at ⟨1⟩)",
    ]
    reader.show_page(
        SegmentLayout(area.workspace.view, 0, Kind.GAPS, 900, reader.font(), area.workspace.settings), None
    )
    assert adjacent_codes(reader.page, 4) == ["inline code ⟨2/⟩: <br/>"]
    assert adjacent_codes(reader.page, 5) == []


def test_code_next_to_the_editor_cursor_is_shown(area):
    controller = area.review.controller
    controller.open()
    edit = controller.panel.edit
    edit.go_to(TARGETS[0].index("⟨1⟩"))
    controller._show_draft()
    assert "inline code ⟨1⟩: <b> (ends at ⟨/1⟩)" in controller.panel.word_label.text()
    edit.go_to(2)
    controller._show_draft()
    assert "inline code" not in controller.panel.word_label.text()


def test_chips_are_painted_at_their_positions(area):
    reader = area.reader
    source = reader.page.blocks[0]
    image = QImage(reader.size().width(), 400, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    reader.paint_page(painter, image.rect())
    painter.end()
    for rect, _ in source.layout.code_rects():
        painted = (rect.translated(source.origin(reader.page.metrics.left))).toRect()
        colours = {image.pixel(x, painted.center().y()) for x in range(painted.left(), painted.right())}
        assert current().info_fill.rgb() in colours


def list_colours(area, row: int, column: SegmentColumn) -> set[int]:
    """Return the colours of a cell of the segment list."""
    image = area.view.viewport().grab(area.view.visualRect(area.model.index(row, column))).toImage()
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def test_segment_list_shows_chips_in_source_mt_and_edited_target(area):
    chip = current().accent.rgb()
    for column in (SegmentColumn.SOURCE, SegmentColumn.MT):
        assert chip in list_colours(area, 0, column)
        # the second segment has no codes
        assert chip not in list_colours(area, 1, column)
        assert "⟨" not in area.model.index(0, column).data()
    assert area.workspace.session.reviewing.set({0: {ReviewField.TARGET: "Ohne Codes."}})
    assert chip not in list_colours(area, 0, SegmentColumn.MT)
    assert area.workspace.session.reviewing.set({0: {ReviewField.TARGET: "Mit ⟨1⟩einem⟨/1⟩ Code."}})
    assert chip in list_colours(area, 0, SegmentColumn.MT)


def test_text_span_and_hit_test_work_across_a_code():
    layout = make_layout("up to the MAX-mark", PositionedCode(10, OPEN), PositionedCode(13, CLOSE))
    (rect,) = layout.span(10, 18)
    (opened, _), (closed, _) = layout.code_rects()
    assert opened.right() <= rect.left() + 1
    assert rect.left() < closed.left() < closed.right() < rect.right()
    assert layout.word_at(closed.center()) == 3
    assert layout.code_at(closed.center()) == CLOSE
    assert layout.code_at(rect.topLeft() + QPointF(2, 2)) is None


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("text", ["aa bb cc", "😀 bb cc", "אב גד הו", "日本 語の 文章"])
def test_every_chip_has_its_width_and_covers_no_word(qapp, text, direction):
    codes = [PositionedCode(0, OPEN), PositionedCode(text.index(" "), CLOSE), PositionedCode(len(text), ALONE)]
    plain, layout = make_layout(text, direction=direction), make_layout(text, *codes, direction=direction)
    assert layout.tokens == plain.tokens
    assert [code for _, code in layout.code_rects()] == [OPEN, CLOSE, ALONE]
    for chip, code in layout.code_rects():
        assert chip.width() >= code_size(code, QFontMetricsF(QFont("DejaVu Sans", 12))).width() - 1
        for rect in (word_rect for rects in layout.rects for word_rect in rects):
            assert min(rect.right(), chip.right()) - max(rect.left(), chip.left()) <= 1
    for before, after in zip(plain.rects, layout.rects, strict=True):
        assert after[0].width() == pytest.approx(before[0].width(), abs=1)


def test_texts_that_are_not_from_the_file_have_no_codes(rich_workspace):
    corpus = rich_workspace.corpus
    assert positioned_codes(corpus, TextRole.SOURCE, 0, "The cat sat .") == ()
    job = job_corpus()
    assert positioned_codes(job, TextRole.SOURCE, 0, "another text") == ()
    assert len(positioned_codes(job, TextRole.SOURCE, 0, strip_codes(SOURCES[0]))) == 3
