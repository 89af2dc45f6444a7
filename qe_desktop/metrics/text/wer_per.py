"""Word error rates: edits that turn a translation into its reference, considering word order (WER) or not (PER).

WER is the word-level Levenshtein distance divided by the number of reference words. PER compares bags of words
(Tillmann et al. 1997). For |h| system words, |r| reference words and m matches, PER is (max(|h|, |r|) − m) / |r|, which
counts extra words; a variant that ignores extra words is (|r| − m) / |r|. For a corpus, errors and reference words are
summed. By default, the rates are undefined if there are no reference words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, is_zero_denominator, ratio
from qe_desktop.metrics.text.tokenized_pairs import (
    LineTokenizer,
    TokenColumn,
    TokenizedPair,
    best_reference_rows,
    count_matches,
    rows_by_reference,
)


def count_word_edits(system: TokenColumn, reference: TokenColumn) -> Ints:
    """Return the number of word edits in each segment.

    Parameters
    ----------
    system, reference
        Tokens of both texts, with the same vocabulary.

    Returns
    -------
    ndarray
        Minimum number of insertions, deletions and substitutions, shape (segments,).

    References
    ----------
    Levenshtein 1966
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    sides = [_lists(side) for side in (system, reference)]
    return np.asarray(cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64), np.int64)


def _lists(tokens: TokenColumn) -> list[list[int]]:
    codes, offsets = tokens.codes.tolist(), tokens.offsets.tolist()
    return [codes[begin:end] for begin, end in pairwise(offsets)]


def count_unordered_edits(system: TokenColumn, reference: TokenColumn) -> Ints:
    """Return the number of word edits in each segment, regardless of word order.

    Parameters
    ----------
    system, reference
        Tokens of both texts, with the same vocabulary.

    Returns
    -------
    ndarray
        max(|h|, |r|) − m for |h| system words, |r| reference words and m matches, shape (segments,).
    """
    return np.maximum(system.counts, reference.counts) - count_matches(system, reference)


def count_missing_words(system: TokenColumn, reference: TokenColumn) -> Ints:
    """Return the number of missing reference words of each segment.

    Parameters
    ----------
    system, reference
        Tokens of both texts, with the same vocabulary.

    Returns
    -------
    ndarray
        |r| − m for |r| reference words and m matches, shape (segments,).
    """
    return reference.counts - count_matches(system, reference)


_COUNTS = {"WER": count_word_edits, "PER": count_unordered_edits, "PER-missing": count_missing_words}


@dataclass(frozen=True, slots=True)
class _WordErrorCounter:
    tokenizer: LineTokenizer
    errors: str

    def rows(self, translated: TokenizedPair) -> Floats:
        """Return the numbers of errors and of reference words for the best reference, shape (segments, 2)."""
        return best_reference_rows(
            rows_by_reference(translated, self.tokenizer, self._reference_rows), _reference_score
        )

    def _reference_rows(self, system: TokenColumn, reference: TokenColumn) -> Floats:
        errors = _COUNTS[self.errors](system, reference)
        return np.stack([errors, reference.counts], axis=-1).astype(np.float64)


def _reference_score(rows: Floats) -> Floats:
    """Negated error rate of each segment, shape (segments,); −∞ for an empty reference, so that it ranks last."""
    errors, words = rows.T
    return np.where(words > 0, -ratio(errors, np.maximum(words, 1)), -np.inf)


def _rate(errors: Any, words: Any) -> tuple[Any, ...]:
    return errors, words


def _errors_per_word(empty_rate: float, errors: Any, words: Any, out: Floats | None = None) -> Any:
    """Errors per reference word; without reference words, `empty_rate` if there are errors, else 0."""
    return np.where(words > 0, ratio(errors, np.maximum(words, 1), out), empty_rate * (errors > 0))


def word_error_metrics(
    tokenizer: LineTokenizer,
    references: int = 1,
    *,
    counts_extra_words: bool = True,
    counts_empty_references: bool = False,
    tokens: str = "",
) -> tuple[Metric, ...]:
    """Return WER and PER.

    Parameters
    ----------
    tokenizer
        Tokenizer.
    references
        Number of references; 0 for any. Each segment uses its best reference.
    counts_extra_words
        Whether PER counts extra words.
    counts_empty_references
        Whether the rate is defined if there are no reference words; it is then 1 if there are errors, else 0, as in
        TER.
    tokens
        Part of the signature that describes the tokenization.

    Returns
    -------
    tuple of Metric
        Errors per reference word, at least 0; lower is better. Scores can exceed 1, except for PER without extra words.
    """
    shared = (1,) if references == 1 else ()
    terms = (ScoreTerm(_rate, partial(_errors_per_word, float(counts_empty_references))),)
    undefined = None if counts_empty_references else is_zero_denominator(_rate)
    reason = "" if counts_empty_references else tr("Undefined if the reference has no words.")
    metrics = []
    for name, errors, rewards, source in (
        (
            "WER", "WER",
            tr("Word edits that turn the translation into its reference, per reference word."),
            tr("Levenshtein 1966, over words"),
        ),
        (
            "PER", "PER" if counts_extra_words else "PER-missing",
            tr("Words to change, per reference word, irrespective of order (position-independent)."),
            tr("Tillmann et al. 1997"),
        ),
    ):  # fmt: skip
        extra = "" if name == "WER" else f"extra:{'yes' if counts_extra_words else 'no'}"
        empty = "empty:1" if counts_empty_references else ""
        signature = "|".join(part for part in (f"nrefs:{references or 'var'}", extra, empty, tokens) if part)
        family: Family[TokenizedPair] = Family(
            f"{errors}|{signature}", ("errors", "reference tokens"), shared, _WordErrorCounter(tokenizer, errors).rows
        )
        above = tr("Can exceed 1 if the translation has more words than the reference.")
        high, caution = (1, "") if errors == "PER-missing" else (np.inf, above)
        metrics.append(Metric(
            name, family, terms, 0, high, rewards, source, undefined, reason, caution, -1, 1, signature
        ))  # fmt: skip
    return tuple(metrics)
