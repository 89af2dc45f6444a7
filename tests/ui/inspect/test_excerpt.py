"""Excerpts in the list of texts that are longer than their column."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from qe_desktop.corpus import DisplayText
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LineCode
from qe_desktop.ui.inspect.reader.word_decorations import PositionedCode, code_size
from qe_desktop.ui.inspect.segment_list.row_tags import excerpt_position
from qe_desktop.ui.inspect.segment_list.segment_delegate import ELLIPSIS, TextExcerpt, make_excerpt

WORDS = [f"word{index}" for index in range(4000)]
LONG = DisplayText.of_tokens(WORDS)
WIDTH = 300


@pytest.fixture
def metrics(qapp) -> QFontMetricsF:
    return QFontMetricsF(QFont())


def test_text_that_fits_is_shown_in_full(metrics):
    short = DisplayText("a, b", ((0, 1), (1, 2), (3, 4)), has_ending_tag=True)
    assert make_excerpt(short, None, metrics, WIDTH) == TextExcerpt(short)
    assert make_excerpt(DisplayText("", ()), None, metrics, WIDTH).display_text.text == ""
    assert make_excerpt(DisplayText("a\u2028b", ((0, 1), (2, 3))), None, metrics, WIDTH).display_text.text == "a↵b"


def test_text_that_does_not_fit_is_cut_between_words(metrics):
    part = make_excerpt(LONG, None, metrics, WIDTH).display_text
    count = len(part.token_spans)
    assert part.text == " ".join([*WORDS[:count], ELLIPSIS])
    assert part.words == WORDS[:count]
    assert count > 2
    assert metrics.horizontalAdvance(part.text) <= WIDTH + 1
    assert metrics.horizontalAdvance(" ".join((*WORDS[: count + 1], ELLIPSIS))) > WIDTH
    assert make_excerpt(DisplayText.of_tokens(["word" * 4000]), None, metrics, WIDTH).display_text == DisplayText(
        ELLIPSIS, ()
    )


@pytest.mark.parametrize("word", [0, 1, 30, 2000, 3999])
def test_excerpt_has_the_requested_word_with_context_before_it(metrics, word):
    part = make_excerpt(LONG, word, metrics, WIDTH)
    index, count = part.index_in_excerpt(word), len(part.display_text.token_spans)
    assert index is not None
    assert part.display_text.words[index] == WORDS[word]
    assert metrics.horizontalAdvance(part.display_text.text) <= WIDTH + 1
    assert part.display_text.text.startswith(ELLIPSIS) is (part.first_word > 0)
    assert part.display_text.text.endswith(ELLIPSIS) is (part.first_word + count < len(WORDS))
    if part.first_word:
        assert part.first_word < word
        assert part.index_in_excerpt(part.first_word - 1) is None
    assert part.index_in_excerpt(part.first_word + count) is None


def test_excerpt_begins_after_a_space(metrics):
    # "father's" is two words
    words = [*WORDS[:30], "father", "'s", "heavy", "coat"]
    text = " ".join(words).replace("father 's", "father's")
    offsets, start = [], 0
    for word in words:
        start = text.index(word, start)
        offsets.append((start, start + len(word)))
        start += len(word)
    written = DisplayText(text, tuple(offsets))
    for wanted in range(20, len(words)):
        part = make_excerpt(written, wanted, metrics, WIDTH)
        assert part.index_in_excerpt(wanted) is not None
        assert wanted == 31 or not part.display_text.text.startswith("… 's")


@pytest.mark.parametrize(
    ("marked", "expected"), [([], None), ([5], 5), ([5, 40, 41, 42], 40), ([5, 6, 40, 41, 42], 5), ([2, 30, 31], 2)]
)
def test_excerpt_shows_most_marks_if_they_are_far_more_than_the_first_ones(marked, expected):
    marks = np.zeros(50, np.uint8)
    marks[marked] = 1
    assert excerpt_position(marks) == expected


def test_end_position_is_in_the_excerpt_only_with_the_end_of_the_text(metrics):
    long = DisplayText(LONG.text, LONG.token_spans, has_ending_tag=True)
    part = make_excerpt(long, len(WORDS), metrics, WIDTH)
    assert part.display_text.has_ending_tag
    assert part.index_in_excerpt(len(WORDS)) == len(part.display_text.token_spans)
    assert not make_excerpt(long, None, metrics, WIDTH).display_text.has_ending_tag


def test_requesting_a_visible_word_keeps_the_excerpt(metrics):
    assert make_excerpt(LONG, 1, metrics, WIDTH) == make_excerpt(LONG, None, metrics, WIDTH)


@pytest.mark.parametrize("word", [None, 0, 30, 2000, 3999])
def test_inline_codes_of_an_excerpt_keep_their_words_and_need_width(metrics, word):
    codes = []
    for start, end in LONG.token_spans:
        codes += [PositionedCode(start, LineCode(CodeKind.OPEN, 1)), PositionedCode(end, LineCode(CodeKind.CLOSE, 1))]
    part = make_excerpt(LONG, word, metrics, WIDTH, codes)
    assert (
        0 < len(part.display_text.token_spans) <= len(make_excerpt(LONG, word, metrics, WIDTH).display_text.token_spans)
    )
    assert [code.offset for code in part.codes] == [place for span in part.display_text.token_spans for place in span]
    assert word is None or part.index_in_excerpt(word) is not None
    width = sum(code_size(placed.code, metrics).width() for placed in part.codes)
    assert metrics.horizontalAdvance(part.display_text.text) + width <= WIDTH + 1


def test_inline_codes_of_omitted_words_are_omitted(metrics):
    code = PositionedCode(LONG.token_spans[2000][0], LineCode(CodeKind.STANDALONE, 1))
    assert make_excerpt(LONG, None, metrics, WIDTH, [code]).codes == ()
    assert len(make_excerpt(LONG, 2000, metrics, WIDTH, [code]).codes) == 1
    assert make_excerpt(DisplayText.of_tokens(["word" * 4000]), None, metrics, WIDTH, [code]).codes == ()
