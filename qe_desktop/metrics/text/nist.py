"""NIST: matches weighted by how much they tell, as mteval-v13a computes them (Doddington 2002).

An n-gram tells log2(count of its first n−1 words / count of it), counted in all references of all segments. These
weights stay as they are when segments are drawn again or outputs are swapped, so what a segment gives is its own, and
sums of rows are scores. mteval takes a word "0" before another for no word, a slip of Perl that is not followed here.
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
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Floats, Metric, ScoreTerm
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
"""The longest n-grams that mteval-v13a counts."""
BETA = np.log(2) / np.log(1.5) ** 2
"""Makes the penalty one half where a translation has two thirds of the words of an average reference."""


@dataclass(frozen=True, slots=True)
class NistSettings:
    """How NIST is computed; as it stands, as mteval-v13a does for one reference, with A to Z lowered.

    `references` is their number, 0 for as many as there are, and `longest` n-grams have 1 to 9 words. mteval's `-c`,
    which keeps case, is `Cut("mteval")`. A QeError where n-grams are longer or have no words.
    """

    references: int = 1
    cut: Tokenizer = field(default_factory=lambda: Tokenizer("mteval", lowercase=True))
    longest: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.longest <= MAX_NIST_ORDER:
            raise QeError(
                tr("NIST counts n-grams of 1 to {most} words, not {n}", "", self.longest, most=MAX_NIST_ORDER)
            )

    @property
    def signature(self) -> str:
        """What one must know to get the same scores, in the form that BLEU has."""
        fields = {"nrefs": self.references or "var"} | self.cut.signature | {"order": self.longest, "weights": "fixed"}
        version = f"version:qe-desktop-{qe_desktop.__version__}"
        return "|".join(f"{name}:{value}" for name, value in fields.items()) + f"|{version}"

    def metric(self, name: str = "NIST") -> Metric:
        """The metric, from 0 without an upper bound; a QeError where the tokeniser is not there."""
        return Metric(
            name,
            _family(self.cut, self.references, self.longest),
            (_penalty_term(self.longest), _information_term(self.longest)),
            0,
            np.inf,
            tr("Rewards matching sequences of words, rare ones more, and punishes translations that are too short."),
            tr("Doddington 2002; as computed by mteval-v13a"),
            undefined=_without_reference,
            reason=tr("Undefined without words in the references."),
            caution=tr("Weights come from all references and stay the same in tests and intervals."),
            signature=self.signature,
        )


def nist_metrics(settings: NistSettings | None = None) -> tuple[Metric, ...]:
    """NIST as it is set, or as mteval-v13a has it."""
    return ((settings or NistSettings()).metric(),)


def nist_columns(longest: int) -> tuple[str, ...]:
    """The columns of rows: lengths, information matched of each n, n-grams of each n."""
    lengths = range(1, longest + 1)
    return (
        "system length",
        "reference length",
        *(f"information of {n}" for n in lengths),
        *(f"n-grams of {n}" for n in lengths),
    )


@cache
def _family(cut: Tokenizer, references: int, longest: int) -> Family[TokenizedPair]:
    name = f"NIST {references} {cut.tokenizer} {cut.lowercase} {cut.stemmer} {longest}"
    return Family(name, nist_columns(longest), (1,), partial(_rows, cut, references, longest), weighted=True)


def _rows(cut: Tokenizer, references: int, longest: int, beside: TokenizedPair) -> Floats:
    """Words of system and average reference, information in bits, n-grams: shape (segments, 2 + 2 · longest)."""
    if references and len(beside.references) != references:
        raise ValueError(f"NIST was set for {references} references, and there are {len(beside.references)}")
    system, known = beside.system.tokens(cut), collect_reference_ngrams(beside.references, cut)
    counts = clipped_counts(system, known, longest)
    told = [count * weight for count, weight in zip(counts, information_weights(known, longest), strict=True)]
    information = sum_by_segment(told, known.orders(longest), len(beside.system))
    lengths = system.counts
    return np.column_stack([lengths, known.lengths.mean(axis=0), information, ngram_totals(lengths, longest)])


_weights: WeakKeyDictionary[ReferenceNgrams, tuple[Floats, ...]] = WeakKeyDictionary()


def information_weights(references: ReferenceNgrams, longest: int) -> tuple[Floats, ...]:
    """How many bits each n-gram tells, one array a length, of the shape of its `Order.keys`; worked out once."""
    found = _weights.get(references, ())
    if len(found) < longest:
        found = _weights[references] = tuple(_worked_out(references, longest))
    return found[:longest]


def _worked_out(references: ReferenceNgrams, longest: int) -> Sequence[Floats]:
    codes, places = references.codes, np.arange(len(references.codes))
    numbers, counts = codes, np.bincount(codes)
    at = np.zeros(len(codes), np.int64)
    found = []
    for length, order in enumerate(references.orders(longest), 1):
        if length == 1:
            told = np.log2(max(1, len(codes)) / np.maximum(counts, 1))
        else:
            inside = places + length <= references.ends[places]
            places, before = places[inside], counts
            longer = numbers[inside] * references.tokens + codes[places + length - 1]
            keys, numbers, counts = np.unique(longer, return_inverse=True, return_counts=True)
            told = np.log2(before[keys // max(1, references.tokens)] / counts)
        at[places] = numbers
        found.append(told[at[order.first]])
    return found


@cache
def _information_term(longest: int) -> ScoreTerm:
    """Information matched per n-gram, summed over lengths."""

    def parts(system: Any, reference: Any, *sums: Any) -> tuple[Any, ...]:
        return sums

    def function(*sums: Any, out: Floats | None = None) -> Any:
        found = sum(sums[n] / np.maximum(sums[longest + n], 1.0) for n in range(1, longest))
        first = np.divide(sums[0], np.maximum(sums[longest], 1.0), out=out)
        return np.add(first, found, out=out)

    return ScoreTerm(parts, function)


@cache
def _penalty_term(longest: int) -> ScoreTerm:
    """exp(−β ln²(words of the system / words of an average reference)): 1 where there are more, 0 without any."""

    def parts(system: Any, reference: Any, *sums: Any) -> tuple[Any, ...]:
        return system, reference

    return ScoreTerm(parts, _penalty)


def _penalty(system: Any, reference: Any, out: Floats | None = None) -> Any:
    # so little changes no number of words, and makes a penalty of 0 where there are none
    ratio = np.divide(system, reference + 1e-200, out=out)
    apart = np.log(np.clip(ratio, 1e-200, 1.0, out=out), out=out)
    return np.exp(np.multiply(np.multiply(apart, apart, out=out), -BETA, out=out), out=out)


def _without_reference(system: Any, reference: Any, *sums: Any) -> Any:
    return np.equal(reference, 0) | np.zeros(np.shape(system), bool)
