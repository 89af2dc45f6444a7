"""What the list shows of texts that are longer than their column."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from qe_desktop.ui.inspect.excerpt import CUT, excerpt

WORDS = [f"word{place}" for place in range(4000)]
WIDTH = 300


@pytest.fixture
def metrics(qapp) -> QFontMetricsF:
    return QFontMetricsF(QFont())


def test_what_fits_is_shown_whole(metrics):
    part = excerpt(["a", "b"], None, metrics, WIDTH)
    assert (part.tokens, part.first, part.end) == (("a", "b"), 0, 2)
    assert excerpt([], None, metrics, WIDTH).tokens == ()


def test_text_that_does_not_fit_is_cut_between_words(metrics):
    part = excerpt(WORDS, None, metrics, WIDTH)
    assert part.tokens == (*WORDS[: part.end], CUT)
    assert part.end > 2
    assert metrics.horizontalAdvance(" ".join(part.tokens)) <= WIDTH + 1
    assert metrics.horizontalAdvance(" ".join((*WORDS[: part.end + 1], CUT))) > WIDTH


@pytest.mark.parametrize("wanted", [0, 1, 30, 2000, 3999])
def test_the_word_that_is_wanted_is_in_view_with_some_before_it(metrics, wanted):
    part = excerpt(WORDS, wanted, metrics, WIDTH)
    place = part.shown_at(wanted)
    assert place is not None
    assert part.tokens[place] == WORDS[wanted]
    assert metrics.horizontalAdvance(" ".join(part.tokens)) <= WIDTH + 1
    assert (part.tokens[0] == CUT) is (part.first > 0)
    assert (part.tokens[-1] == CUT) is (part.end < len(WORDS))
    if part.first:
        assert part.first < wanted
        assert part.shown_at(part.first - 1) is None
    assert part.shown_at(part.end) is None


def test_a_word_that_is_in_view_anyway_moves_nothing(metrics):
    assert excerpt(WORDS, 1, metrics, WIDTH) == excerpt(WORDS, None, metrics, WIDTH)
