"""Where words and gaps are: in Latin, right-to-left, Japanese and beyond the first 65,536 characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont

from qe_desktop.ui.inspect.words import WordLayout, utf16_length

TOKENS = st.lists(st.text(alphabet="aä字ש😀e\u0301\u200dक", min_size=1, max_size=6), min_size=1, max_size=25)


def laid(*tokens: str, width: float = 400, **more) -> WordLayout:
    return WordLayout(tokens, QFont("DejaVu Sans", 12), width, **more)


def test_an_emoji_shifts_nothing(qapp):
    plain, emoji = laid("a", "bb", "ccc"), laid("😀", "bb", "ccc")
    assert utf16_length("😀b") == 3
    assert emoji.rects[1][0].width() == pytest.approx(plain.rects[1][0].width())
    assert emoji.rects[2][0].width() == pytest.approx(plain.rects[2][0].width())


def test_without_a_direction_most_letters_tell_it(qapp):
    assert laid("123", "שלום", "abc").right_to_left
    assert not laid("abcdef", "שלום").right_to_left
    assert not laid("123", ".").right_to_left
    layout = laid("שלום", "עולם")
    assert layout.right_to_left
    assert layout.rects[0][0].left() > layout.rects[1][0].right() - 1
    assert laid("שלום", direction="ltr").right_to_left is False


def test_left_to_right_words_within_right_to_left_text_keep_their_order(qapp):
    layout = laid("שלום", "New", "York", "סוף")
    assert layout.rects[1][0].left() < layout.rects[2][0].left()


@given(TOKENS, st.sampled_from([60.0, 200.0, 5000.0]))
def test_every_word_has_a_place_and_is_found_there(qapp, tokens, width):
    layout = laid(*tokens, width=width, below=10)
    assert all(rects for rects in layout.rects)
    assert [len(lines) for lines in layout.rect_lines] == [len(rects) for rects in layout.rects]
    begun = [lines[0] for lines in layout.rect_lines]
    assert begun == sorted(begun)
    for word, rects in enumerate(layout.rects):
        centre = rects[0].center()
        found = layout.word_at(centre)
        # a mark that joins its neighbour may share its place, but some word is there
        assert found is not None
        if found != word:
            assert any(rect.contains(centre) for rect in layout.rects[found])
    for place in range(len(tokens) + 1):
        x, line = layout.gap(place)
        assert 0 <= line < len(layout.lines)
        assert layout.gap_at(QPointF(x, (layout.lines[line].top + layout.lines[line].bottom) / 2), 1.0) is not None


def test_gaps_stand_between_words(qapp):
    layout = laid("aa", "bb", "cc")
    for place in (1, 2):
        x, _ = layout.gap(place)
        assert layout.rects[place - 1][0].right() - 1 <= x <= layout.rects[place][0].left() + 1
    assert layout.gap(0)[0] < layout.rects[0][0].left()
    assert layout.gap(3)[0] > layout.rects[2][0].right()


def test_lines_leave_room_below(qapp):
    one, two = laid("a" * 10, "b" * 10, width=120), laid("a" * 10, "b" * 10, width=120, below=30)
    assert len(one.lines) == len(two.lines) == 2
    assert two.height - one.height == pytest.approx(60)


def test_a_word_longer_than_the_line_breaks_over_lines(qapp):
    layout = laid("x" * 200, "y", width=150)
    assert len(layout.rects[0]) > 2
    assert layout.word_at(layout.rects[0][-1].center()) == 0


def test_nothing_to_lay_out(qapp):
    layout = laid()
    assert layout.word_at(QPointF(1, 1)) is None
    assert layout.gap(0) == (0.0, 0)
    assert layout.height > 0
