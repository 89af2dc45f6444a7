"""Where words and gaps are: in Latin, right-to-left, Japanese and beyond the first 65,536 characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont

from qe_desktop.corpus import DisplayText
from qe_desktop.ui.inspect.reader.word_layout import END_SIGN, WordLayout, utf16_length

TOKENS = st.lists(st.text(alphabet="aä字ש😀e\u0301\u200dक", min_size=1, max_size=6), min_size=1, max_size=25)


def laid(*tokens: str, width: float = 400, **more) -> WordLayout:
    return laid_text(DisplayText.of_tokens(tokens), width, **more)


def laid_text(written: DisplayText, width: float = 400, **more) -> WordLayout:
    return WordLayout(written, QFont("DejaVu Sans", 12), width, **more)


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


def apart(tokens: list[str], between: list[str], *, ending: bool) -> DisplayText:
    """Tokens with something, or nothing, between them."""
    text, places = "", []
    for token, blank in zip(tokens, between, strict=False):
        text += blank
        places.append((len(text), len(text) + len(token)))
        text += token
    return DisplayText(text, tuple(places), ending)


BETWEEN = st.lists(st.sampled_from(["", " ", "  ", "\u2028"]), min_size=25, max_size=25)


@given(TOKENS, BETWEEN, st.booleans(), st.sampled_from([60.0, 200.0, 5000.0]))
def test_every_word_has_a_place_and_is_found_there(qapp, tokens, between, ending, width):
    layout = laid_text(apart(tokens, between, ending=ending), width, below=10)
    one_by_one = laid_text(apart(tokens, between, ending=ending), width, below=10)
    tokens = layout.tokens
    assert [one_by_one.rects_of(word) for word in reversed(range(len(tokens)))] == layout.rects[::-1]
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


def test_a_comma_stands_at_its_word_and_is_a_word_of_its_own(qapp):
    written = DisplayText("😀 Hallo, Welt", ((0, 1), (2, 7), (7, 8), (9, 13)))
    layout = laid_text(written)
    hello, comma, world = (layout.rects[word][0] for word in (1, 2, 3))
    assert layout.tokens == ("😀", "Hallo", ",", "Welt")
    assert hello.right() <= comma.left() + 1.5 < world.left()
    assert world.left() - comma.right() > comma.left() - hello.right() + 2
    assert layout.word_at(comma.center()) == 2
    assert hello.right() - 1.5 <= layout.gap(2)[0] <= comma.left() + 1.5
    assert comma.right() < layout.gap(3)[0] < world.left()


def test_a_line_break_of_the_text_breaks_the_line(qapp):
    text = "eins zwei\u2028\u2028drei"
    layout = laid_text(DisplayText(text, ((0, 4), (5, 9), (11, 15))))
    assert len(layout.lines) == 3
    assert [lines for lines in layout.rect_lines] == [[0], [0], [2]]
    assert layout.rects[2][0].left() == pytest.approx(layout.rects[0][0].left(), abs=2)


@pytest.mark.parametrize("text", ["Ende.", "סוף.", "", "終わり。"])
def test_what_is_missing_at_the_end_is_the_last_word(qapp, text):
    written = DisplayText(text, ((0, len(text)),) if text else (), ending=True)
    layout = laid_text(written)
    assert layout.tokens[-1] == END_SIGN
    (end,) = layout.rects[-1]
    assert layout.word_at(end.center()) == len(layout.tokens) - 1
    if text and layout.right_to_left:
        assert end.right() <= layout.rects[0][0].left() + 1
    elif text:
        assert end.left() >= layout.rects[0][0].right() - 1
    assert layout.text == f"{text} {END_SIGN}".strip()


def test_a_span_counts_characters_beyond_the_first_65536_once(qapp):
    plain, emoji = laid_text(DisplayText("ab cd", ((0, 2), (3, 5)))), laid_text(DisplayText("😀b cd", ((0, 2), (3, 5))))
    assert plain.span(3, 4)[0].width() == pytest.approx(emoji.span(3, 4)[0].width())
    assert emoji.span(3, 5) == emoji.rects[1]
