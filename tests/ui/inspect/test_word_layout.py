"""Word layout: positions of words and gaps in Latin, right-to-left, Japanese and non-BMP text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont

from qe_desktop.corpus import DisplayText
from qe_desktop.ui.inspect.reader.word_layout import END_SIGN, WordLayout, utf16_length

TOKENS = st.lists(st.text(alphabet="aä字ש😀e\u0301\u200dक", min_size=1, max_size=6), min_size=1, max_size=25)


def token_layout(*tokens: str, width: float = 400, **more) -> WordLayout:
    return text_layout(DisplayText.of_tokens(tokens), width, **more)


def text_layout(written: DisplayText, width: float = 400, **more) -> WordLayout:
    return WordLayout(written, QFont("DejaVu Sans", 12), width, **more)


def test_emoji_does_not_shift_following_words(qapp):
    plain, emoji = token_layout("a", "bb", "ccc"), token_layout("😀", "bb", "ccc")
    assert utf16_length("😀b") == 3
    assert emoji.rects[1][0].width() == pytest.approx(plain.rects[1][0].width())
    assert emoji.rects[2][0].width() == pytest.approx(plain.rects[2][0].width())


def test_default_direction_is_that_of_most_letters(qapp):
    assert token_layout("123", "שלום", "abc").right_to_left
    assert not token_layout("abcdef", "שלום").right_to_left
    assert not token_layout("123", ".").right_to_left
    layout = token_layout("שלום", "עולם")
    assert layout.right_to_left
    assert layout.rects[0][0].left() > layout.rects[1][0].right() - 1
    assert token_layout("שלום", direction="ltr").right_to_left is False


def test_left_to_right_words_within_right_to_left_text_keep_their_order(qapp):
    layout = token_layout("שלום", "New", "York", "סוף")
    assert layout.rects[1][0].left() < layout.rects[2][0].left()


def join_tokens(tokens: list[str], between: list[str], *, ending: bool) -> DisplayText:
    """Text of tokens joined by separators, which may be empty."""
    text, places = "", []
    for token, blank in zip(tokens, between, strict=False):
        text += blank
        places.append((len(text), len(text) + len(token)))
        text += token
    return DisplayText(text, tuple(places), ending)


BETWEEN = st.lists(st.sampled_from(["", " ", "  ", "\u2028"]), min_size=25, max_size=25)


@given(TOKENS, BETWEEN, st.booleans(), st.sampled_from([60.0, 200.0, 5000.0]))
def test_every_word_has_a_rectangle_and_is_found_in_it(qapp, tokens, between, ending, width):
    layout = text_layout(join_tokens(tokens, between, ending=ending), width, below=10)
    one_by_one = text_layout(join_tokens(tokens, between, ending=ending), width, below=10)
    tokens = layout.tokens
    assert [one_by_one.rects_of(word) for word in reversed(range(len(tokens)))] == layout.rects[::-1]
    assert all(rects for rects in layout.rects)
    assert [len(lines) for lines in layout.rect_lines] == [len(rects) for rects in layout.rects]
    first_lines = [lines[0] for lines in layout.rect_lines]
    assert first_lines == sorted(first_lines)
    for word, rects in enumerate(layout.rects):
        centre = rects[0].center()
        match = layout.word_at(centre)
        # a combining mark may share the rectangle of its neighbour, but some word is found
        assert match is not None
        if match != word:
            assert any(rect.contains(centre) for rect in layout.rects[match])
    for index in range(len(tokens) + 1):
        x, line = layout.gap(index)
        assert 0 <= line < len(layout.lines)
        assert layout.gap_at(QPointF(x, (layout.lines[line].top + layout.lines[line].bottom) / 2), 1.0) is not None


def test_gaps_are_between_words(qapp):
    layout = token_layout("aa", "bb", "cc")
    for index in (1, 2):
        x, _ = layout.gap(index)
        assert layout.rects[index - 1][0].right() - 1 <= x <= layout.rects[index][0].left() + 1
    assert layout.gap(0)[0] < layout.rects[0][0].left()
    assert layout.gap(3)[0] > layout.rects[2][0].right()


def test_lines_leave_space_below(qapp):
    dense, spaced = token_layout("a" * 10, "b" * 10, width=120), token_layout("a" * 10, "b" * 10, width=120, below=30)
    assert len(dense.lines) == len(spaced.lines) == 2
    assert spaced.height - dense.height == pytest.approx(60)


def test_a_word_longer_than_the_line_breaks_over_lines(qapp):
    layout = token_layout("x" * 200, "y", width=150)
    assert len(layout.rects[0]) > 2
    assert layout.word_at(layout.rects[0][-1].center()) == 0


def test_empty_layout_has_no_words_but_a_height(qapp):
    layout = token_layout()
    assert layout.word_at(QPointF(1, 1)) is None
    assert layout.gap(0) == (0.0, 0)
    assert layout.height > 0


def test_comma_is_next_to_its_word_and_a_word_of_its_own(qapp):
    written = DisplayText("😀 Hallo, Welt", ((0, 1), (2, 7), (7, 8), (9, 13)))
    layout = text_layout(written)
    hello, comma, world = (layout.rects[word][0] for word in (1, 2, 3))
    assert layout.tokens == ("😀", "Hallo", ",", "Welt")
    assert hello.right() <= comma.left() + 1.5 < world.left()
    assert world.left() - comma.right() > comma.left() - hello.right() + 2
    assert layout.word_at(comma.center()) == 2
    assert hello.right() - 1.5 <= layout.gap(2)[0] <= comma.left() + 1.5
    assert comma.right() < layout.gap(3)[0] < world.left()


def test_a_line_break_of_the_text_breaks_the_line(qapp):
    text = "eins zwei\u2028\u2028drei"
    layout = text_layout(DisplayText(text, ((0, 4), (5, 9), (11, 15))))
    assert len(layout.lines) == 3
    assert [lines for lines in layout.rect_lines] == [[0], [0], [2]]
    assert layout.rects[2][0].left() == pytest.approx(layout.rects[0][0].left(), abs=2)


@pytest.mark.parametrize("text", ["Ende.", "סוף.", "", "終わり。"])
def test_end_symbol_is_the_last_word(qapp, text):
    written = DisplayText(text, ((0, len(text)),) if text else (), has_ending_tag=True)
    layout = text_layout(written)
    assert layout.tokens[-1] == END_SIGN
    (end,) = layout.rects[-1]
    assert layout.word_at(end.center()) == len(layout.tokens) - 1
    if text and layout.right_to_left:
        assert end.right() <= layout.rects[0][0].left() + 1
    elif text:
        assert end.left() >= layout.rects[0][0].right() - 1
    assert layout.text == f"{text} {END_SIGN}".strip()


def test_span_counts_non_bmp_characters_once(qapp):
    plain, emoji = (
        text_layout(DisplayText("ab cd", ((0, 2), (3, 5)))),
        text_layout(DisplayText("😀b cd", ((0, 2), (3, 5)))),
    )
    assert plain.span(3, 4)[0].width() == pytest.approx(emoji.span(3, 4)[0].width())
    assert emoji.span(3, 5) == emoji.rects[1]
