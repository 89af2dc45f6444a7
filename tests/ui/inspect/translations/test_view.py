"""The lines of translations: where they stand, walking over them by key, and what their words mean."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import SideBySide
from qe_desktop.ui.inspect.translations import comparison_layout
from qe_desktop.ui.inspect.translations.comparison_view import TranslationComparisonView
from qe_desktop.ui.widgets.layouts import find_scroll_area
from tests.ui.inspect.translations.conftest import corpus_of, shown

KEY = Qt.Key


def press(view: TranslationComparisonView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(view, key)


def test_lines_stand_below_each_other_with_their_names(view):
    laid = view.laid_out.laid
    assert [one.line.name for one in laid] == ["reference A", "reference B", "near", "far 😀"]
    assert all(one.bottom <= other.top for one, other in pairwise(laid))
    assert view.minimumHeight() >= laid[-1].bottom
    assert not view.grab().isNull()


def test_arrows_walk_over_words_and_lines(view):
    view.setFocus()
    press(view, KEY.Key_Down, KEY.Key_Down, KEY.Key_Right, KEY.Key_Right)
    assert view.cursor_place == (2, 2)
    # near is nearer to B than to A, as near as it gets: of equals the first
    assert view.describe() == "near, word 3 of 4, “rennt”; reference A has “läuft” instead"
    assert view.accessibleDescription() == view.describe()
    press(view, KEY.Key_End, KEY.Key_Right)
    assert view.cursor_place == (2, 3)
    press(view, KEY.Key_Home, KEY.Key_Left, KEY.Key_Up, KEY.Key_Up, KEY.Key_Up)
    assert view.cursor_place == (0, 0)


def test_left_means_onwards_in_right_to_left_text(view, measure):
    view.show_texts(shown(1), measure, "auto", 3)
    assert all(laid.layout.right_to_left for laid in view.laid_out.laid)
    press(view, KEY.Key_Left)
    assert view.cursor_place == (0, 1)
    press(view, KEY.Key_Right)
    assert view.cursor_place == (0, 0)


def test_marks_stand_on_characters_behind_an_emoji(view):
    """Qt counts an emoji as two; a mark on a part of a word is as wide as that part."""
    laid = view.laid_out.laid[3]
    marked = {laid.line.text[mark.start : mark.end]: laid.room(mark) for mark in laid.line.marks}
    word = laid.layout.rects[3][0]
    assert laid.layout.tokens[3] == "läuft."
    (comma,) = marked[","]
    assert laid.layout.rects[2][0].contains(comma.center())
    inside = laid.layout.span(len("😀 Katze , "), len("😀 Katze , läuft"))
    assert len(inside) == 1
    assert word.left() == pytest.approx(inside[0].left(), abs=1)
    assert inside[0].right() < word.right()


def test_a_tick_stands_between_two_words(view, measure):
    view.show_texts(shown(1), measure, "auto", 3)
    systems = corpus_of(systems={"short": ["Hund .", "שלום"]})
    view.show_texts(shown(0, corpus=systems, base=1), measure, "auto", 3)
    laid = view.laid_out.laid[2]
    ticks = [mark for mark in laid.line.marks if mark.start == mark.end]
    places = [laid.layout.caret(mark.start).x() for mark in ticks]
    dog, stop = laid.layout.rects[0][0], laid.layout.rects[1][0]
    assert [mark.other for mark in ticks] == ["ein", "läuft"]
    assert places[0] == pytest.approx(dog.left(), abs=2)
    assert dog.right() - 2 <= places[1] <= stop.left()


def test_hovering_and_explaining_say_what_a_mark_means(view, qtbot):
    told = []
    view.described.connect(told.append)
    rect = view.laid_out.word_rect(2, 2)
    QTest.mouseMove(view, QPoint(1, 1))
    QTest.mouseMove(view, rect.center().toPoint())
    qtbot.waitUntil(lambda: bool(told) and "“läuft”" in told[-1])
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.laid_out.word_rect(3, 1).center().toPoint())
    assert view.cursor_place == (3, 1)
    view.explain()
    assert "“Katze”" in view.describe()
    assert view.describe((9, 9)) == ""


def test_marks_that_come_later_move_nothing(view, measure):
    found = shown()
    bare = replace(found, lines=tuple(replace(line, marks=()) for line in found.lines))
    view.show_texts(bare, measure, "auto", 3)
    view.go_to(2, 1)
    before = view.laid_out
    view.show_texts(found, measure, "auto", 3)
    assert view.laid_out is before
    assert view.laid_out.laid[2].line.marks
    assert view.cursor_place == (2, 1)
    # other texts do
    view.show_texts(shown(1), measure, "auto", 3)
    assert view.laid_out is not before
    assert view.cursor_place == (0, 0)


def test_scores_have_their_column(view, measure):
    found = shown()
    scored = replace(found, metric="BLEU", lines=tuple(replace(line, score=12.3456) for line in found.lines))
    room = view.laid_out.room
    view.show_texts(scored, measure, "auto", 3)
    assert view.laid_out.room < room
    assert view._scores == ("12.346",) * 4
    view.show_texts(scored, measure, "auto", 1)
    assert view._scores == ("12.3",) * 4


def many(systems: int, words: int) -> SideBySide:
    line = " ".join(f"word{number % 37}" for number in range(words))
    texts = {f"system {number}": [f"{line} {number}"] for number in range(systems)}
    corpus = corpus_of(systems=texts, references={"A": [line]}, source=["x"])
    found = shown(0, "n-grams", corpus)
    return found


def test_many_lines_come_to_stand_by_and_by(view, measure, qtbot, monkeypatch):
    monkeypatch.setattr("qe_desktop.levels.translations.side_by_side.MAX_INITIAL_SYSTEMS", 12)
    monkeypatch.setattr(comparison_layout, "CHARS_PER_STEP", 1000)
    view.show_texts(many(12, 60), measure, "auto", 3)
    assert view.laid_out.more
    assert 1 <= len(view.laid_out.laid) < 13
    height = view.minimumHeight()
    qtbot.waitUntil(lambda: not view.laid_out.more)
    assert len(view.laid_out.laid) == 13
    assert view.minimumHeight() > height
    # and marks that come meanwhile find their lines
    view.lay_out()
    view.show_texts(many(12, 60), measure, "auto", 3)
    view.finish()
    assert all(one.line.marks for one in view.laid_out.laid[1:])


def test_pages_scroll_and_the_cursor_is_kept_in_view(view, measure, qtbot):
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


def test_the_usual_keys_copy_and_escape_leaves(view, qtbot):
    with qtbot.waitSignal(view.copy_wanted):
        QTest.keyClick(view, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(view.left):
        press(view, KEY.Key_Escape)
    assert QGuiApplication.clipboard() is not None


def test_nothing_shown_and_lines_without_words(view, measure):
    view.show_texts(None, measure, "auto", 3)
    assert view.laid_out is None
    assert view.describe() == ""
    view.explain()
    press(view, KEY.Key_Right)
    assert not view.grab().isNull()
    empty = corpus_of(systems={"silent": [""]}, references={"A": ["x"]}, source=["y"])
    for marking in DIFF_STYLES:
        view.show_texts(shown(0, marking, empty), measure, "auto", 3)
        assert not view.grab().isNull()
        assert view.describe((1, 0)) == "silent: no words"
