"""Words of many texts at once are those that the rule finds in each."""

from __future__ import annotations

import re
import sys

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual import words_at_once
from qe_desktop.formats.bilingual.words import _special, tokenised, words_of
from qe_desktop.formats.bilingual.words_at_once import tokenised_column

TEXTS = st.lists(st.text(st.sampled_from("ab1_''' .,-üж \tא\n\x1f\x0b\u0301’中ポ\U00020001\u2028\u00a0"), max_size=9))


@given(TEXTS)
def test_all_at_once(texts):
    assert list(tokenised_column(texts).lines()) == [tokenised(text) for text in texts]
    assert [" ".join(text[low:high] for low, high in words_of(text)) for text in texts] == list(map(tokenised, texts))


def test_what_is_cut_at_once_are_parts_of_words():
    for code in range(128, sys.maxunicode + 1):
        sign = chr(code)
        if words_at_once._UNCOMMON.match(sign) is None:
            assert re.fullmatch(r"\w", sign)
            assert not _special().search(sign)
