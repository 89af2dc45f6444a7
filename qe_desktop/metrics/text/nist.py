"""NIST: matches weighted by information, as in mteval-v13a (Doddington 2002).

The information of an n-gram is log2(count of its first n−1 words / its own count), counted in all references of all
segments; for n = 1, the first count is the number of all words. The weights stay fixed when segments are resampled or
outputs are permuted, so the rows of segments can be summed. Because of a Perl bug, which is not reproduced, mteval
ignores a word "0" before another word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

import qe_desktop
from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm
from qe_desktop.metrics.text.ngrams import (
    ReferenceNgrams,
    clipped_counts,
    collect_reference_ngrams,
    ngram_totals,
    sum_by_segment,
)
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair
from qe_desktop.metrics.text.tokenizers import Tokenizer

MAX_NIST_ORDER = 9
"""Maximum n-gram length of mteval-v13a."""
BETA = np.log(2) / np.log(1.5) ** 2
"""Factor β of the brevity penalty.

The penalty is ½ for a system that has two thirds as many words as an average reference.
"""


@dataclass(frozen=True, slots=True)
class NistSettings:
    """Settings of NIST; the defaults are those of mteval-v13a for one reference.

    Parameters
    ----------
    references
        Number of references; 0 for any. Scoring texts with a different number of references raises ValueError.
    word_tokenizer
        Tokenizer. By default, A to Z are lowercased; `Tokenizer("mteval")` keeps case, as mteval's `-c` does.
    longest
        Maximum n-gram length, 1 to 9 words.

    Raises
    ------
    QeError
        If the n-gram length is out of range.
    """

    references: int = 1
    word_tokenizer: Tokenizer = field(default_factory=lambda: Tokenizer("mteval", lowercase=True))
    longest: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.longest <= MAX_NIST_ORDER:
            raise QeError(
                tr("NIST n-grams must have 1 to {most} words, not {n}", "", self.longest, most=MAX_NIST_ORDER)
            )

    @property
    def signature(self) -> str:
        """Signature needed to reproduce scores, in the format of the signature of BLEU.

        Raises QeError if the tokenizer is unknown or cannot be used.
        """
        fields = (
            {"nrefs": self.references or "var"}
            | self.word_tokenizer.signature
            | {"order": self.longest, "weights": "fixed"}
        )
        version = f"version:qe-desktop-{qe_desktop.__version__}"
        return "|".join(f"{name}:{value}" for name, value in fields.items()) + f"|{version}"

    def metric(self, name: str = "NIST") -> Metric:
        """Return the metric; scores are at least 0, with no upper bound.

        Raises QeError if the tokenizer is unknown or not available.
        """
        return Metric(
            name,
            _family(self.word_tokenizer, self.references, self.longest),
            (_PENALTY_TERM, _information_term(self.longest)),
            0,
            np.inf,
            tr("Rewards matching word sequences, especially rare ones, and penalizes short translations."),
            tr("Doddington 2002; as in mteval-v13a"),
            undefined=_has_no_reference,
            reason=tr("Undefined if the references have no words."),
            caution=tr(
                "N-gram weights are computed from all references and stay fixed in significance tests and confidence "
                "intervals."
            ),
            signature=self.signature,
        )


def nist_metrics(settings: NistSettings | None = None) -> tuple[Metric, ...]:
    """Return NIST.

    Parameters
    ----------
    settings
        Settings; None for the defaults of mteval-v13a with one reference.

    Returns
    -------
    tuple of Metric
        NIST, at least 0, with no upper bound; undefined if the references have no words.

    Raises
    ------
    QeError
        If the tokenizer is unknown or not available.

    Notes
    -----
    The score is the sum over n-gram lengths of (matched information / number of system n-grams), times the penalty
    exp(−β ln²(min(1, c/r))). Here, c and r are the numbers of words in the system output and in an average reference,
    and β = ln 2 / ln² 1.5.

    References
    ----------
    Doddington 2002
    """
    return ((settings or NistSettings()).metric(),)


def nist_columns(longest: int) -> tuple[str, ...]:
    """Return the column names: text lengths, matched information by n-gram length, and n-grams by n-gram length."""
    lengths = range(1, longest + 1)
    return (
        "system length",
        "reference length",
        *(f"information of {n}" for n in lengths),
        *(f"n-grams of {n}" for n in lengths),
    )


@cache
def _family(tokenizer: Tokenizer, references: int, longest: int) -> Family[TokenizedPair]:
    name = f"NIST {references} {tokenizer.tokenizer} {tokenizer.lowercase} {tokenizer.stemmer} {longest}"
    return Family(
        name, nist_columns(longest), (1,), partial(_rows, tokenizer, references, longest), needs_all_segments=True
    )


def _rows(tokenizer: Tokenizer, references: int, longest: int, pair: TokenizedPair) -> Floats:
    """Return system and reference lengths in words, matched information in bits, and numbers of n-grams.

    The reference length is the mean over the references. The shape is (segments, 2 + 2 · longest).
    """
    if references and len(pair.references) != references:
        raise ValueError(f"NIST was set for {references} references, and there are {len(pair.references)}")
    system, ngrams = pair.system.tokens(tokenizer), collect_reference_ngrams(pair.references, tokenizer)
    counts = clipped_counts(system, ngrams, longest)
    informed = [count * weight for count, weight in zip(counts, information_weights(ngrams, longest), strict=True)]
    information = sum_by_segment(informed, ngrams.orders(longest), len(pair.system))
    lengths = system.counts
    return np.column_stack([lengths, ngrams.lengths.mean(axis=0), information, ngram_totals(lengths, longest)])


_weights: WeakKeyDictionary[ReferenceNgrams, tuple[Floats, ...]] = WeakKeyDictionary()


def information_weights(references: ReferenceNgrams, longest: int) -> tuple[Floats, ...]:
    """Return the information of each n-gram: log2(count of its first n−1 words / its own count). The result is cached.

    Parameters
    ----------
    references
        N-grams of all references of all segments.
    longest
        Maximum n-gram length.

    Returns
    -------
    tuple of ndarray
        Information in bits: one array per n-gram length, with one value per entry of `NgramOrder.keys`.
    """
    weights = _weights.get(references, ())
    if len(weights) < longest:
        weights = _weights[references] = tuple(_compute_information(references, longest))
    return weights[:longest]


def _compute_information(references: ReferenceNgrams, longest: int) -> Sequence[Floats]:
    codes, positions = references.codes, np.arange(len(references.codes))
    numbers, counts = codes, np.bincount(codes)
    numbers_by_position = np.zeros(len(codes), np.int64)
    results = []
    for length, order in enumerate(references.orders(longest), 1):
        if length == 1:
            bits = np.log2(max(1, len(codes)) / np.maximum(counts, 1))
        else:
            inside = positions + length <= references.ends[positions]
            positions, before = positions[inside], counts
            longer = numbers[inside] * references.tokens + codes[positions + length - 1]
            keys, numbers, counts = np.unique(longer, return_inverse=True, return_counts=True)
            bits = np.log2(before[keys // max(1, references.tokens)] / counts)
        numbers_by_position[positions] = numbers
        results.append(bits[numbers_by_position[order.first_positions]])
    return results


@cache
def _information_term(longest: int) -> ScoreTerm:
    """Return the term for the matched information per system n-gram, summed over n-gram lengths."""

    def parts(system: Any, reference: Any, *sums: Any) -> tuple[Any, ...]:
        return sums

    def function(*sums: Any, out: Floats | None = None) -> Any:
        result = sum(sums[n] / np.maximum(sums[longest + n], 1.0) for n in range(1, longest))
        first = np.divide(sums[0], np.maximum(sums[longest], 1.0), out=out)
        return np.add(first, result, out=out)

    return ScoreTerm(parts, function)


def _lengths(system: Any, reference: Any, *sums: Any) -> tuple[Any, ...]:
    return system, reference


def _penalty(system: Any, reference: Any, out: Floats | None = None) -> Any:
    """Brevity penalty: exp(−β ln²(system words / average reference words)); 1 if the ratio exceeds 1, 0 if it is 0."""
    # the constants are too small to change a number of words, and make the penalty 0 if the system has no words
    ratio = np.divide(system, reference + 1e-200, out=out)
    log_ratio = np.log(np.clip(ratio, 1e-200, 1.0, out=out), out=out)
    return np.exp(np.multiply(np.multiply(log_ratio, log_ratio, out=out), -BETA, out=out), out=out)


_PENALTY_TERM = ScoreTerm(_lengths, _penalty)


def _has_no_reference(system: Any, reference: Any, *sums: Any) -> Any:
    return np.equal(reference, 0) | np.zeros(np.shape(system), bool)
