"""Unigram matches in any position, as counted by unigram-P, unigram-R, unigram-F1 and unigram-Fmean."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.i18n.messages import tr
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
from qe_desktop.metrics.text.token_matching import match_tokens
from qe_desktop.metrics.text.tokenized_pairs import Vocabulary, tokenized_pair
from qe_desktop.metrics.text.unigram_prf import RECALL_WEIGHTS, unigram_matching

EXACT_SIGN = MarkSign(MarkStyle.SOLID, tr("same word"))
STEM_SIGN = MarkSign(MarkStyle.DOTTED, tr("same stem"))


def unigram_marks(against: MarkingInput) -> TextMarks:
    """Mark the tokens that match tokens of the compared text with the highest F1.

    Each token is matched at most once. The remaining tokens are matched by their stems, if there is a stemmer for the
    language.
    """
    if not against.other_texts:
        return ()
    tokenizer = against.bleu_tokenizer
    tokenized = tokenized_pair([against.text], [[compared_text] for compared_text in against.other_texts])
    matching = unigram_matching(tokenized, 0, tokenizer, RECALL_WEIGHTS["unigram-F1"])
    compared_text = against.other_texts[matching.reference]
    texts = (against.text, compared_text)
    text_tokens, compared_tokens = tokens = tokenizer(texts)
    text_spans, compared_spans = map(token_char_spans, texts, tokens)
    pairs = [(*pair, EXACT_SIGN) for pair in matching.pairs]
    pairs += [
        (*pair, STEM_SIGN) for pair in _match_stems(text_tokens, compared_tokens, matching.pairs, against.language)
    ]
    return sort_marks(
        [
            TextMark(
                *text_spans[text_index],
                sign,
                compared_text[slice(*compared_spans[compared_index])],
                (matching.reference,),
                position=text_index + 1,
                other_position=compared_index + 1,
            )
            for text_index, compared_index, sign in pairs
        ]
    )


def _match_stems(
    text_tokens: Sequence[str], compared_tokens: Sequence[str], pairs: Sequence[tuple[int, int]], language: str
) -> list[tuple[int, int]]:
    """Return index pairs of tokens that have the same stem and are not in `pairs`.

    The result is empty if there is no stemmer for the language.
    """
    from qe_desktop.metrics.text.stemming import STEMMER_BY_CODE, stem_words

    if language not in STEMMER_BY_CODE:
        return []
    left = sorted(set(range(len(text_tokens))) - {text_index for text_index, _ in pairs})
    right = sorted(set(range(len(compared_tokens))) - {compared_index for _, compared_index in pairs})
    vocabulary = Vocabulary()
    stems = [
        vocabulary.tokens([stem_words([tokens[index].lower() for index in free], language)]).codes
        for tokens, free in ((text_tokens, left), (compared_tokens, right))
    ]
    return [(left[text_index], right[compared_index]) for text_index, compared_index in match_tokens(*stems)]


def describe_unigram(mark: TextMark, names: Sequence[str]) -> str:
    """Describe a mark of a unigram match."""
    name = names[mark.text_indices[0]]
    if mark.sign is STEM_SIGN:
        return tr(
            "same stem as “{word}” at position {there} of {name}",
            word=mark.other_words,
            there=mark.other_position,
            name=name,
        )
    return tr("matches the word at position {there} of {name}", there=mark.other_position, name=name)


UNIGRAM_STYLE = DiffStyle(
    "unigrams",
    tr("unigram matches"),
    tr("Words that also occur anywhere in the other text, or that have the same stem as a word in it"),
    (EXACT_SIGN, STEM_SIGN),
    unigram_marks,
    describe_unigram,
    ("unigram-",),
)
