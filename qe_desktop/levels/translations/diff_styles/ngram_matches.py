"""How much of a text stands in the others as well, by n-grams: what BLEU and NIST count (Papineni et al. 2002)."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.levels.translations.diff_styles.marks import (
    DiffStyle,
    MarkingInput,
    MarkSign,
    MarkStyle,
    TextMark,
    TextMarks,
    sort_marks,
)
from qe_desktop.levels.translations.diff_styles.token_spans import token_char_spans
from qe_desktop.metrics.text.ngrams import MatchingNgram, find_matching_ngrams
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair

MAX_NGRAM_TOKENS = 4
_FORMS = (MarkStyle.STEP_1, MarkStyle.STEP_2, MarkStyle.STEP_3, MarkStyle.STEP_4)
NGRAM_SIGNS = tuple(MarkSign(form, tr("{n}-gram", "", n)) for n, form in enumerate(_FORMS, 1))
REPEATED_SIGN = MarkSign(MarkStyle.FRAME, tr("once too often"))


def ngram_marks(against: MarkingInput) -> TextMarks:
    """Each token that stands in a matching n-gram, with the longest of up to 4 that covers it, the first of equals.

    Tokens are those of BLEU. N-grams that count as matches go before others; a token that is only in those which the
    text says more often than any of the others is marked as repeated.
    """
    if not against.others:
        return ()
    cut = against.cut
    found = find_matching_ngrams(
        tokenized_pair([against.text], [[other] for other in against.others]), 0, cut, MAX_NGRAM_TOKENS
    )
    longest: dict[int, MatchingNgram] = {}
    for match in found.matches:
        for place in range(match.first, match.end):
            held = longest.get(place)
            if held is None or (match.counted, match.length) > (held.counted, held.length):
                longest[place] = match
    spans = token_char_spans(against.text, found.tokens)
    marked = []
    for place, match in longest.items():
        start, end = spans[place]
        words = against.text[spans[match.first][0] : spans[match.end - 1][1]]
        sign = NGRAM_SIGNS[match.length - 1] if match.counted else REPEATED_SIGN
        marked.append(TextMark(start, end, sign, words, match.references, match.length, place + 1))
    return sort_marks(marked)


def describe_ngram(mark: TextMark, names: Sequence[str]) -> str:
    """A matching n-gram in words."""
    having = join_names([names[number] for number in mark.texts])
    if mark.sign is REPEATED_SIGN:
        return tr("“{words}” is in {names} as well, but less often", words=mark.other, names=having)
    if mark.number == 1:
        return tr("alone in {names} as well", names=having)
    return tr("in a matching {n}-gram, “{words}” of {names}", "", mark.number, words=mark.other, names=having)


NGRAM_STYLE = DiffStyle(
    "n-grams",
    tr("matching n-grams"),
    tr("How long the longest n-gram of up to four words is that a word stands in and the other texts have as well"),
    (*NGRAM_SIGNS, REPEATED_SIGN),
    ngram_marks,
    describe_ngram,
    ("BLEU", "NIST", "sentBLEU", "spBLEU"),
)
