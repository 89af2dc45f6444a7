"""BLEU: clipped n-gram precision of a translation, with a brevity penalty.

Scores range from 0 to 100, as in sacreBLEU; the papers, Neubig's chapter and mteval-v13a use 0 to 1. All variants are
functions of text lengths, numbers of clipped matches and numbers of n-grams, each summed over segments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial, reduce
from typing import Any, Literal, get_args

import numpy as np

import qe_desktop
from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm
from qe_desktop.metrics.text.ngrams import collect_reference_ngrams, ngram_match_counts, ngram_totals
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair
from qe_desktop.metrics.text.tokenizers import Tokenizer

Smoothing = Literal["exp", "floor", "add-k", "none"]
PERCENT = 100.0


def _lengths(system: Any, reference: Any, *counts: Any) -> tuple[Any, ...]:
    return system, reference


def _brevity(system: Any, reference: Any, out: Floats | None = None) -> Any:
    # 1e-200 does not change a length; for an empty output, the penalty is 0, or 1 if the reference is also empty
    relative = np.divide(reference, np.add(system, 1e-200, out=out), out=out)
    return np.exp(np.minimum(np.subtract(1.0, relative, out=out), 0.0, out=out), out=out)


BREVITY_TERM = ScoreTerm(_lengths, _brevity)
"""Brevity penalty: e^(1 − r/c) if r > c, else 1, for system length c and reference length r in tokens.

Papineni et al. 2002, section 2.2.2; Neubig, equation 103, whose condition r ≥ c gives the same values.
"""


@cache
def precision_term(longest: int, smoothing: Smoothing, value: float, effective: bool, mean: str) -> ScoreTerm:
    """Return the term for the mean of n-gram precisions.

    Parameters
    ----------
    longest
        Maximum n-gram length.
    smoothing
        Method that replaces zero matches (`BleuSettings`).
    value
        Smoothing constant; 0 if the method has none.
    effective
        Whether to average only over the n-gram lengths for which the system output has n-grams.
    mean
        "geometric" or "arithmetic".

    Returns
    -------
    ScoreTerm
        Mean, 0 to 100. It is 0 if no token matches, as in sacreBLEU. The geometric mean is also 0 if an n-gram length
        that is averaged has no matches and is not smoothed, or has no n-grams (unless smoothing is `add-k`).
    """
    averaged = _geometric_mean if mean == "geometric" else _arithmetic_mean

    def parts(system: Any, reference: Any, *counts: Any) -> tuple[Any, ...]:
        return counts

    def function(*counts: Any, out: Floats | None = None) -> Any:
        matches, totals = counts[:longest], counts[longest:]
        # if the longest n-grams match, shorter n-grams do too, and nothing is smoothed
        if mean == "geometric" and smoothing != "add-k" and np.all(matches[-1] > 0):
            return _unsmoothed_mean(matches, totals, out)
        precisions = _precisions(matches, totals, smoothing, value)
        counted_lengths = (
            sum(np.greater(total, 0) for total in _add_k(totals, smoothing, value)) if effective else longest
        )
        counted = [np.less(index, counted_lengths) for index in range(longest)]
        result = averaged(precisions, counted, np.maximum(counted_lengths, 1))
        return np.multiply(np.where(np.greater(matches[0], 0), result, 0.0), PERCENT, out=out)

    return ScoreTerm(parts, function)


def _unsmoothed_mean(matches: Sequence[Any], totals: Sequence[Any], out: Floats | None) -> Any:
    """Return the geometric mean of the precisions; every n-gram length must have matches.

    One root is faster than a logarithm per length.
    """
    above = reduce(lambda left, right: np.multiply(left, right, out=out), matches, PERCENT ** len(matches))
    ratio = np.divide(above, reduce(np.multiply, totals), out=out)
    if len(matches) == 4:
        return np.sqrt(np.sqrt(ratio, out=out), out=out)
    return np.power(ratio, 1 / len(matches), out=out)


def _add_k(counts: Sequence[Any], smoothing: Smoothing, value: float) -> list[Any]:
    """Counts by n-gram length; with `add-k` smoothing, `value` is added to all counts except those of unigrams."""
    return [count + value if smoothing == "add-k" and index else count for index, count in enumerate(counts)]


def _precisions(matches: Sequence[Any], totals: Sequence[Any], smoothing: Smoothing, value: float) -> list[Any]:
    """Smoothed precision of each n-gram length; 0 for a length whose smoothed number of n-grams is 0.

    The methods are those of Chen and Cherry 2014; `exp` is as in mteval-v13a.
    """
    halves: Any = 1.0
    precisions = []
    for match, total in zip(_add_k(matches, smoothing, value), _add_k(totals, smoothing, value), strict=True):
        is_unmatched = np.equal(match, 0)
        if smoothing == "exp":
            halves = np.where(is_unmatched & np.greater(total, 0), halves / 2, halves)
            match = np.where(is_unmatched, halves, match)
        elif smoothing == "floor":
            match = np.where(is_unmatched, value, match)
        precisions.append(np.where(np.greater(total, 0), match / np.where(np.greater(total, 0), total, 1.0), 0.0))
    return precisions


def _geometric_mean(precisions: Sequence[Any], counted: Sequence[Any], counted_lengths: Any) -> Any:
    """Geometric mean over the n-gram lengths marked in `counted`; `counted_lengths` is their number, at least 1."""
    return np.power(
        reduce(np.multiply, (np.where(counts, value, 1.0) for counts, value in zip(counted, precisions, strict=True))),
        1.0 / counted_lengths,
    )


def _arithmetic_mean(precisions: Sequence[Any], counted: Sequence[Any], counted_lengths: Any) -> Any:
    return (
        sum(np.where(counts, value, 0.0) for counts, value in zip(counted, precisions, strict=True)) / counted_lengths
    )


Brevity = Literal["closest", "shortest"]
MeanKind = Literal["geometric", "arithmetic"]
SMOOTHING_VALUES: Mapping[str, float | None] = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}
"""Default smoothing constants (Chen and Cherry 2014); None for methods without a constant."""
MAX_BLEU_ORDER = 9
"""Maximum n-gram length, as in mteval-v13a."""


@dataclass(frozen=True, slots=True)
class BleuSettings:
    """Settings of BLEU; the defaults are those of sacreBLEU and WMT for one reference.

    Parameters
    ----------
    references
        Number of references; 0 for any. Scoring texts with a different number of references raises ValueError.
    word_tokenizer
        Tokenizer.
    smoothing
        Method that replaces zero matches. `exp` uses ½ for the first n-gram length without matches, ¼ for the second
        and so on (mteval-v13a). `floor` uses `value`, and `none` keeps 0. `add-k` adds `value` to the numbers of
        matches and of n-grams for lengths of 2 and more.
    value
        Smoothing constant; None for the default in `SMOOTHING_VALUES`.
    longest
        Maximum n-gram length, 1 to 9 tokens.
    effective
        Whether to ignore n-gram lengths that exceed the length of the translation; intended for single segments.
    brevity
        Reference used for the brevity penalty: the "closest" in length (the shorter one in a tie) or the "shortest".
    mean
        Type of mean over the precisions.

    Raises
    ------
    QeError
        If the smoothing, brevity penalty or mean is unknown, or the n-gram length is out of range.
    """

    references: int = 1
    word_tokenizer: Tokenizer = field(default_factory=Tokenizer)
    smoothing: Smoothing = "exp"
    value: float | None = None
    longest: int = 4
    effective: bool = False
    brevity: Brevity = "closest"
    mean: MeanKind = "geometric"

    def __post_init__(self) -> None:
        _check_choice(
            tr("BLEU has no smoothing method “{name}”", name=self.smoothing), self.smoothing, SMOOTHING_VALUES
        )
        _check_choice(tr("BLEU has no brevity penalty “{name}”", name=self.brevity), self.brevity, get_args(Brevity))
        _check_choice(tr("BLEU has no averaging method “{name}”", name=self.mean), self.mean, get_args(MeanKind))
        if not 1 <= self.longest <= MAX_BLEU_ORDER:
            raise QeError(
                tr("BLEU n-grams must have 1 to {most} tokens, not {n}", "", self.longest, most=MAX_BLEU_ORDER)
            )

    @property
    def smoothing_constant(self) -> float:
        """Smoothing constant in use; 0 if the method has none."""
        return (self.value if self.value is not None else SMOOTHING_VALUES[self.smoothing]) or 0.0

    @property
    def signature(self) -> str:
        """Signature needed to reproduce scores, in the format of sacreBLEU.

        Settings that sacreBLEU's signatures do not include are inserted before the version. Raises QeError if the
        tokenizer is unknown or cannot be used.
        """
        smooth = (
            self.smoothing
            if SMOOTHING_VALUES[self.smoothing] is None
            else f"{self.smoothing}[{self.smoothing_constant:.2f}]"
        )
        tokenizer_fields = self.word_tokenizer.signature
        fields = {
            "nrefs": self.references or "var",
            "case": tokenizer_fields.pop("case"),
            "eff": "yes" if self.effective else "no",
        }
        fields |= tokenizer_fields | {"smooth": smooth}
        default_settings = BleuSettings()
        for name, setting, default in (
            ("order", self.longest, default_settings.longest),
            ("bp", self.brevity, default_settings.brevity),
            ("mean", self.mean, default_settings.mean),
        ):
            fields |= {name: setting} if setting != default else {}
        return "|".join(f"{name}:{value}" for name, value in fields.items()) + f"|version:{VERSION}"

    def metric(self, name: str = "BLEU", source: str = "", caution: str = "") -> Metric:
        """Return the metric with these settings. The score is never undefined; it is 0 without matches.

        Parameters
        ----------
        name
            Name of the metric.
        source
            Publications named in the description of the metric; if empty, those on BLEU and sacreBLEU.
        caution
            Pitfalls named in the description of the metric; empty if there are none.

        Returns
        -------
        Metric
            BLEU, 0 to 100.

        Raises
        ------
        QeError
            If the tokenizer is unknown or not available.
        """
        return Metric(
            name,
            _family(
                self.word_tokenizer, self.references, self.longest, "closest" if self.references == 1 else self.brevity
            ),
            (
                BREVITY_TERM,
                precision_term(self.longest, self.smoothing, self.smoothing_constant, self.effective, self.mean),
            ),
            0,
            100,
            tr(
                "Rewards words and word sequences shared with a reference, and penalizes translations shorter than the "
                "reference."
            ),
            source or tr("Papineni et al. 2002; as computed by sacreBLEU, Post 2018"),
            caution=caution,
            signature=self.signature,
        )


VERSION = f"qe-desktop-{qe_desktop.__version__}"


def _check_choice(problem: str, name: str, choices: Any) -> None:
    if name not in choices:
        raise QeError(problem, hint=tr("Use one of {names}.", names=", ".join(choices)))


def bleu_columns(longest: int) -> tuple[str, ...]:
    """Return the column names: system and reference length, matches by n-gram length, and n-grams by n-gram length."""
    lengths = range(1, longest + 1)
    return (
        "system length",
        "reference length",
        *(f"matches of {n}" for n in lengths),
        *(f"n-grams of {n}" for n in lengths),
    )


@cache
def _family(tokenizer: Tokenizer, references: int, longest: int, brevity: Brevity) -> Family[TokenizedPair]:
    """Return the metric family of BLEU.

    The column of reference lengths is the same for all systems if there is one reference or the shortest one is used.
    """
    shared = (1,) if references == 1 or brevity == "shortest" else ()
    name = f"BLEU {references} {tokenizer.tokenizer} {tokenizer.lowercase} {tokenizer.stemmer} {longest} {brevity}"
    return Family(name, bleu_columns(longest), shared, partial(_rows, tokenizer, references, longest, brevity))


def _rows(tokenizer: Tokenizer, references: int, longest: int, brevity: Brevity, pair: TokenizedPair) -> Floats:
    """Return system and reference lengths, numbers of matches and of n-grams, shape (segments, 2 + 2 · longest).

    If `brevity` is "closest", the reference length is the one closest to the length of the system output (the shorter
    one in a tie). If it is "shortest", the reference length is that of the shortest reference.
    """
    if references and len(pair.references) != references:
        raise ValueError(f"BLEU was set for {references} references, and there are {len(pair.references)}")
    lengths = pair.system.tokens(tokenizer).counts
    ngrams = collect_reference_ngrams(pair.references, tokenizer)
    reference = ngrams.closest_lengths(lengths) if brevity == "closest" else ngrams.shortest_lengths()
    counts = ngram_match_counts(pair, tokenizer, longest), ngram_totals(lengths, longest)
    return np.column_stack([lengths, reference, *counts]).astype(np.float64)


@dataclass(frozen=True, slots=True)
class BleuVariant:
    """Variant of BLEU: its changes to the settings, its source and its pitfalls."""

    changes: Mapping[str, Any]
    source: str
    caution: str = ""


VARIANTS: Mapping[str, BleuVariant] = {
    "BLEU-unsmoothed": BleuVariant(
        {"smoothing": "none", "value": None, "effective": False},
        tr("Papineni et al. 2002, section 2.3; Neubig, section 11.2.1, equation 104"),
        tr("Intended for whole texts: the score is 0 if any n-gram length has no matches, as in many single segments."),
    ),
    "BLEU-floor": BleuVariant({"smoothing": "floor", "value": None}, tr("Chen and Cherry 2014, smoothing 1")),
    "BLEU-add-k": BleuVariant(
        {"smoothing": "add-k", "value": None}, tr("Lin and Och 2004; Chen and Cherry 2014, smoothing 2")
    ),
    "BLEU-effective": BleuVariant(
        {"effective": True},
        tr("sacreBLEU, Post 2018, with effective order"),
        tr("Intended for single segments: n-gram lengths greater than the length of the translation are ignored."),
    ),
    "BLEU-shortest": BleuVariant(
        {"brevity": "shortest"},
        tr("mteval-v13a with the brevity penalty of older mteval versions"),
        tr("Penalizes short translations less than BLEU does if references differ in length."),
    ),
    "BLEU-arithmetic": BleuVariant(
        {"mean": "arithmetic", "smoothing": "none", "value": None, "effective": False},
        tr("Lavie et al. 2004, section 2.1"),
        tr("Dominated by single words: longer sequences match less often and contribute less."),
    ),
}
"""Variants of BLEU by name; a new variant needs only an entry in this mapping.

All variants use the statistics counted for BLEU, except BLEU-shortest if `references` is not 1.
"""


def bleu_metrics(settings: BleuSettings | None = None) -> tuple[Metric, ...]:
    """Return BLEU and its variants with the same tokenization.

    Parameters
    ----------
    settings
        Settings; None for the defaults of sacreBLEU with one reference.

    Returns
    -------
    tuple of Metric
        BLEU, then the metrics of `VARIANTS`, 0 to 100.

    Raises
    ------
    QeError
        If the tokenizer is unknown or not available.
    """
    settings = settings or BleuSettings()
    variants = [
        replace(settings, **variant.changes).metric(name, variant.source, variant.caution)
        for name, variant in VARIANTS.items()
    ]
    return (settings.metric(), *variants)
