"""Diff styles that mark words matched by a metric, as counted by BLEU, NIST, METEOR or unigram metrics."""

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
    token_char_spans,
)
from qe_desktop.metrics.text.meteor import meteor_matching
from qe_desktop.metrics.text.ngrams import MatchingNgram, find_matching_ngrams
from qe_desktop.metrics.text.tokenized_pairs import Vocabulary, match_tokens, tokenized_pair
from qe_desktop.metrics.text.unigram_prf import RECALL_WEIGHTS, unigram_matching

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


EXACT_SIGN = MarkSign(MarkStyle.SOLID, tr("same word"))
STEM_SIGN = MarkSign(MarkStyle.DOTTED, tr("same stem"))


def unigram_marks(against: MarkingInput) -> TextMarks:
    """Mark the tokens that match tokens of the best compared text, which is the one with the highest unigram F1.

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
    tr("Words that also occur in the other text, at any position, or that have the same stem as one of its words"),
    (EXACT_SIGN, STEM_SIGN),
    unigram_marks,
    describe_unigram,
    ("unigram-",),
)


CHUNK_SIGN = MarkSign(MarkStyle.BRACKET, tr("chunk"))


def chunk_marks(against: MarkingInput) -> TextMarks:
    """Return one mark per METEOR chunk shared with the best-matching compared text; empty without other texts."""
    if not against.other_texts:
        return ()
    tokenizer = against.bleu_tokenizer
    matching = meteor_matching(
        tokenized_pair([against.text], [[compared_text] for compared_text in against.other_texts]), 0, tokenizer
    )
    compared_text = against.other_texts[matching.reference]
    texts = (against.text, compared_text)
    text_spans, compared_spans = map(token_char_spans, texts, tokenizer(texts))
    chunks: list[list[tuple[int, int]]] = []
    for pair in matching.pairs:
        if chunks and (chunks[-1][-1][0] + 1, chunks[-1][-1][1] + 1) == pair:
            chunks[-1].append(pair)
        else:
            chunks.append([pair])
    return sort_marks(
        [
            TextMark(
                text_spans[chunk[0][0]][0],
                text_spans[chunk[-1][0]][1],
                CHUNK_SIGN,
                compared_text[compared_spans[chunk[0][1]][0] : compared_spans[chunk[-1][1]][1]],
                (matching.reference,),
                count=len(chunk),
                position=chunk[0][0] + 1,
                other_position=chunk[0][1] + 1,
            )
            for chunk in chunks
        ]
    )


def describe_chunk(mark: TextMark, names: Sequence[str]) -> str:
    """Describe a mark of a chunk."""
    return tr(
        "in a chunk of {n} {n:word|words} that begins at position {there} of {name}",
        "", mark.count, there=mark.other_position, name=names[mark.text_indices[0]],
    )  # fmt: skip


CHUNK_STYLE = DiffStyle(
    "chunks",
    tr("METEOR chunks"),
    tr("Runs of matching words in the same order as in the other text; fewer and longer runs are better"),
    (CHUNK_SIGN,),
    chunk_marks,
    describe_chunk,
    ("METEOR",),
)
