"""N-gram matches with other texts, as counted by BLEU and NIST (Papineni et al. 2002)."""

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
REPEATED_SIGN = MarkSign(MarkStyle.FRAME, tr("surplus match (clipped)"))


def ngram_marks(against: MarkingInput) -> TextMarks:
    """Mark each token that is part of a matching n-gram of up to 4 tokens.

    Tokens are those of BLEU. A mark shows the longest matching n-gram that contains the token, the first in a tie.
    N-grams that BLEU counts as matches take precedence over surplus occurrences, which exceed the highest count of the
    n-gram in any other text. A token that is contained only in surplus occurrences is marked as repeated.
    """
    if not against.other_texts:
        return ()
    tokenizer = against.bleu_tokenizer
    ngrams = find_matching_ngrams(
        tokenized_pair([against.text], [[compared_text] for compared_text in against.other_texts]),
        0,
        tokenizer,
        MAX_NGRAM_TOKENS,
    )
    longest: dict[int, MatchingNgram] = {}
    for match in ngrams.matches:
        for index in range(match.first, match.end):
            current = longest.get(index)
            if current is None or (match.is_counted, match.length) > (current.is_counted, current.length):
                longest[index] = match
    spans = token_char_spans(against.text, ngrams.tokens)
    marked = []
    for index, match in longest.items():
        start, end = spans[index]
        words = against.text[spans[match.first][0] : spans[match.end - 1][1]]
        sign = NGRAM_SIGNS[match.length - 1] if match.is_counted else REPEATED_SIGN
        marked.append(TextMark(start, end, sign, words, match.references, match.length, index + 1))
    return sort_marks(marked)


def describe_ngram(mark: TextMark, names: Sequence[str]) -> str:
    """Describe a matching n-gram."""
    text_names = join_names([names[number] for number in mark.text_indices])
    if mark.sign is REPEATED_SIGN:
        return tr("“{words}” also occurs in {names}, but less often", words=mark.other_words, names=text_names)
    if mark.count == 1:
        return tr("single word, also in {names}", names=text_names)
    return tr(
        "part of a matching {n}-gram: “{words}”, also in {names}",
        "",
        mark.count,
        words=mark.other_words,
        names=text_names,
    )


NGRAM_STYLE = DiffStyle(
    "n-grams",
    tr("matching n-grams"),
    tr("Length of the longest n-gram (up to four words) that contains the word and occurs in another text"),
    (*NGRAM_SIGNS, REPEATED_SIGN),
    ngram_marks,
    describe_ngram,
    ("BLEU", "NIST", "sentBLEU", "spBLEU"),
)
