"""Comparison view of translations: layout of its lines, keyboard navigation and descriptions of words."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from qe_desktop.escaping import escape_label
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import SideBySide
from qe_desktop.ui.inspect.reader.overlay_scroll_area import find_scroll_area
from qe_desktop.ui.inspect.translations import comparison_painter
from qe_desktop.ui.inspect.translations.comparison_view import TranslationComparisonView
from tests.ui.inspect.translations.conftest import corpus_of, make_comparison

KEY = Qt.Key


def press(view: TranslationComparisonView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(view, key)


def test_lines_are_below_each_other_with_their_names(view):
    laid = view.laid_out.laid_out_lines
    assert [line_layout.line.name for line_layout in laid] == ["reference A", "reference B", "near", "far 😀"]
    assert all(line_layout.bottom <= next_layout.top for line_layout, next_layout in pairwise(laid))
    assert view.minimumHeight() >= laid[-1].bottom
    assert not view.grab().isNull()


def test_arrow_keys_move_over_words_and_lines(view):
    view.setFocus()
    press(view, KEY.Key_Down, KEY.Key_Down, KEY.Key_Right, KEY.Key_Right)
    assert view.word_cursor == (2, 2)
    # “near” is equally close to references A and B: the first one is used
    assert view.describe() == "near, word 3 of 4, “rennt”; reference A has “läuft” instead"
    assert view.accessibleDescription() == view.describe()
    press(view, KEY.Key_End, KEY.Key_Right)
    assert view.word_cursor == (2, 3)
    press(view, KEY.Key_Home, KEY.Key_Left, KEY.Key_Up, KEY.Key_Up, KEY.Key_Up)
    assert view.word_cursor == (0, 0)


def test_left_arrow_moves_forward_in_right_to_left_text(view, layout_metrics):
    view.show_texts(make_comparison(1), layout_metrics, "auto", 3)
    assert all(laid.layout.right_to_left for laid in view.laid_out.laid_out_lines)
    press(view, KEY.Key_Left)
    assert view.word_cursor == (0, 1)
    press(view, KEY.Key_Right)
    assert view.word_cursor == (0, 0)


def test_marks_after_an_emoji_are_on_their_characters(view):
    """Qt counts an emoji as two UTF-16 units; a mark on part of a word must be as wide as that part."""
    laid = view.laid_out.laid_out_lines[3]
    marked = {laid.line.text[mark.start : mark.end]: laid.mark_rects(mark) for mark in laid.line.marks}
    word = laid.layout.rects[3][0]
    assert laid.layout.tokens[3] == "läuft."
    (comma,) = marked[","]
    assert laid.layout.rects[2][0].contains(comma.center())
    inside = laid.layout.span(len("😀 Katze , "), len("😀 Katze , läuft"))
    assert len(inside) == 1
    assert word.left() == pytest.approx(inside[0].left(), abs=1)
    assert inside[0].right() < word.right()


def test_insertion_ticks_are_between_words(view, layout_metrics):
    view.show_texts(make_comparison(1), layout_metrics, "auto", 3)
    systems = corpus_of(systems={"short": ["Hund .", "שלום"]})
    view.show_texts(make_comparison(0, corpus=systems, base=1), layout_metrics, "auto", 3)
    laid = view.laid_out.laid_out_lines[2]
    ticks = [mark for mark in laid.line.marks if mark.start == mark.end]
    places = [laid.layout.caret(mark.start).x() for mark in ticks]
    dog, stop = laid.layout.rects[0][0], laid.layout.rects[1][0]
    assert [mark.other_words for mark in ticks] == ["ein", "läuft"]
    assert places[0] == pytest.approx(dog.left(), abs=2)
    assert dog.right() - 2 <= places[1] <= stop.left()


def test_hovering_and_explaining_describe_a_mark(view, qtbot):
    descriptions = []
    view.described.connect(descriptions.append)
    rect = view.laid_out.word_rect(2, 2)
    QTest.mouseMove(view, QPoint(1, 1))
    QTest.mouseMove(view, rect.center().toPoint())
    qtbot.waitUntil(lambda: bool(descriptions) and "“läuft”" in descriptions[-1])
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.laid_out.word_rect(3, 1).center().toPoint())
    assert view.word_cursor == (3, 1)
    view.explain()
    assert "“Katze”" in view.describe()
    assert view.describe((9, 9)) == ""


def test_marks_that_arrive_later_keep_layout_and_cursor(view, layout_metrics):
    complete = make_comparison()
    bare = replace(complete, lines=tuple(replace(line, marks=()) for line in complete.lines))
    view.show_texts(bare, layout_metrics, "auto", 3)
    view.go_to(2, 1)
    before = view.laid_out
    view.show_texts(complete, layout_metrics, "auto", 3)
    assert view.laid_out is before
    assert view.laid_out.laid_out_lines[2].line.marks
    assert view.word_cursor == (2, 1)
    # different texts are laid out again
    view.show_texts(make_comparison(1), layout_metrics, "auto", 3)
    assert view.laid_out is not before
    assert view.word_cursor == (0, 0)


def test_scores_have_a_column_of_their_own(view, layout_metrics):
    compared = make_comparison()
    scored = replace(compared, metric="BLEU", lines=tuple(replace(line, score=12.3456) for line in compared.lines))
    width = view.laid_out.text_width
    view.show_texts(scored, layout_metrics, "auto", 3)
    assert view.laid_out.text_width < width
    assert view._scores == ("12.346",) * 4
    view.show_texts(scored, layout_metrics, "auto", 1)
    assert view._scores == ("12.3",) * 4


def drawn_title(view: TranslationComparisonView) -> tuple[int, int]:
    """Return the ends of the pixels of the title of the scores, from the left end of its column."""
    image, laid_out = view.grab().toImage(), view.laid_out
    left, right = round(laid_out.right - laid_out.scores_width), round(laid_out.right)
    ground = image.pixel(left - 8, 2)
    drawn = [
        x - left
        for x in range(left - 6, right + 6)
        if any(image.pixel(x, y) != ground for y in range(2, round(laid_out.metrics.row_height) - 2))
    ]
    return min(drawn), max(drawn)


@pytest.mark.parametrize("title", ["BLEU", "a metric with a name\u202e of " + "many words " * 9, "M\x07\x07\x07\x07"])
def test_title_of_scores_is_whole_or_elided_but_not_cut(view, layout_metrics, title):
    compared = make_comparison()
    lines = tuple(replace(line, score=12.3456) for line in compared.lines)
    view.show_texts(replace(compared, metric=title, lines=lines), layout_metrics, "auto", 3)
    assert view.laid_out.scores_width <= view.width() / 4
    assert view.laid_out.text_width + view.laid_out.scores_width < view.width(), "texts and scores do not overlap"
    title_left, _ = drawn_title(view)
    metrics = QFontMetricsF(view.laid_out.metrics.small_font)
    shown = metrics.elidedText(escape_label(title), Qt.TextElideMode.ElideMiddle, view.laid_out.scores_width)
    assert shown == escape_label(title) or "…" in shown
    # a title that is cut begins at the very edge of its column, or within a letter
    assert abs(view.laid_out.scores_width - metrics.horizontalAdvance(shown) - title_left) < 3


def test_scores_are_at_their_side_in_a_layout_from_right_to_left(view, layout_metrics, qapp):
    compared = make_comparison()
    lines = tuple(replace(line, score=2.0) for line in compared.lines)
    view.show_texts(replace(compared, metric="a long title", lines=lines), layout_metrics, "auto", 3)
    before = view.grab().toImage()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        assert view.grab().toImage() == before
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def many(systems: int, words: int) -> SideBySide:
    line = " ".join(f"word{number % 37}" for number in range(words))
    texts = {f"system {number}": [f"{line} {number}"] for number in range(systems)}
    corpus = corpus_of(systems=texts, references={"A": [line]}, source=["x"])
    compared = make_comparison(0, "n-grams", corpus)
    return compared


def test_many_lines_are_laid_out_in_steps(view, layout_metrics, qtbot, monkeypatch):
    monkeypatch.setattr("qe_desktop.levels.translations.side_by_side.MAX_INITIAL_SYSTEMS", 12)
    monkeypatch.setattr(comparison_painter, "CHARS_PER_STEP", 1000)
    view.show_texts(many(12, 60), layout_metrics, "auto", 3)
    assert view.laid_out.has_pending_lines
    assert 1 <= len(view.laid_out.laid_out_lines) < 13
    height = view.minimumHeight()
    qtbot.waitUntil(lambda: not view.laid_out.has_pending_lines)
    assert len(view.laid_out.laid_out_lines) == 13
    assert view.minimumHeight() > height
    # marks that arrive during the layout are assigned to their lines
    view.lay_out()
    view.show_texts(many(12, 60), layout_metrics, "auto", 3)
    view.finish()
    assert all(laid.line.marks for laid in view.laid_out.laid_out_lines[1:])


def test_page_keys_scroll_and_the_cursor_stays_in_view(view, layout_metrics, qtbot):
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(view)
    area.resize(300, 120)
    area.show()
    qtbot.waitExposed(area)
    assert find_scroll_area(view) is area
    view.setFocus()
    bar = area.verticalScrollBar()
    press(view, KEY.Key_PageDown)
    assert bar.value() > 0
    press(view, KEY.Key_PageUp)
    assert bar.value() == 0
    view.go_to(3, 3)
    assert bar.value() > 0
    view.go_to(0, 0)
    assert bar.value() < bar.maximum()
    area.takeWidget()
    area.close()
    area.deleteLater()


def test_ctrl_c_requests_copying_and_escape_leaves(view, qtbot):
    with qtbot.waitSignal(view.copy_requested):
        QTest.keyClick(view, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(view.exited):
        press(view, KEY.Key_Escape)


def test_view_without_texts_and_with_empty_lines_is_painted(view, layout_metrics):
    view.show_texts(None, layout_metrics, "auto", 3)
    assert view.laid_out is None
    assert view.describe() == ""
    view.explain()
    press(view, KEY.Key_Right)
    assert not view.grab().isNull()
    empty = corpus_of(systems={"silent": [""]}, references={"A": ["x"]}, source=["y"])
    for marking in DIFF_STYLES:
        view.show_texts(make_comparison(0, marking, empty), layout_metrics, "auto", 3)
        assert not view.grab().isNull()
        assert view.describe((1, 0)) == "silent: no words"
