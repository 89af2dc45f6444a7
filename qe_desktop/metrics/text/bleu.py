"""BLEU: the n-grams of a translation that a reference has as well, and how long it is beside the references.

Scores are 0 to 100, as sacreBLEU prints them; papers, Neubig's chapter and mteval-v13a give the same numbers as 0 to 1.
Whatever is made of them, all variants sum the same rows: lengths, clipped matches and n-grams of each segment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Literal, get_args

import numpy as np

import qe_desktop
from qe_desktop.corpus import QeError
from qe_desktop.metrics.bleu_terms import Smoothing, brevity_term, precision_term
from qe_desktop.metrics.family import Family, Floats, Metric
from qe_desktop.metrics.ngrams import matches, reference_ngrams, totals
from qe_desktop.metrics.texts import Translated
from qe_desktop.metrics.tokenizers import Cut
from qe_desktop.wording import tr

Brevity = Literal["closest", "shortest"]
Mean = Literal["geometric", "arithmetic"]
SMOOTHING_VALUES: Mapping[str, float | None] = {"exp": None, "floor": 0.1, "add-k": 1.0, "none": None}
"""What smoothing adds where nothing else is said (Chen and Cherry 2014)."""
LONGEST = 9
"""The longest n-grams that may be counted, as in mteval-v13a."""


@dataclass(frozen=True, slots=True)
class Bleu:
    """How BLEU is computed; as it stands, it is that of sacreBLEU and WMT for one reference.

    `references` is their number, 0 for as many as there are. `longest` n-grams have 1 to 9 tokens. `smoothing` says
    what stands for no match at all: `exp` halves from one such length to the next (mteval-v13a), `floor` takes `value`
    (0.1) for a match, `add-k` adds `value` (1) to matches and n-grams of two tokens and more, `none` leaves 0. With
    `effective` order, lengths that a translation is too short for do not count, for single segments. `brevity` compares
    with the reference that is closest in length, the shorter of two, or with the shortest; `mean` is that of the
    precisions.
    A QeError where something is not known.
    """

    references: int = 1
    cut: Cut = field(default_factory=Cut)
    smoothing: Smoothing = "exp"
    value: float | None = None
    longest: int = 4
    effective: bool = False
    brevity: Brevity = "closest"
    mean: Mean = "geometric"

    def __post_init__(self) -> None:
        _known(tr("there is no smoothing “{name}” of BLEU", name=self.smoothing), self.smoothing, SMOOTHING_VALUES)
        _known(tr("there is no brevity penalty “{name}”", name=self.brevity), self.brevity, get_args(Brevity))
        _known(tr("there is no mean “{name}” of precisions", name=self.mean), self.mean, get_args(Mean))
        if not 1 <= self.longest <= LONGEST:
            raise QeError(tr("BLEU counts n-grams of 1 to {most} tokens, not {n}", "", self.longest, most=LONGEST))

    @property
    def added(self) -> float:
        """The value that smoothing takes."""
        return (self.value if self.value is not None else SMOOTHING_VALUES[self.smoothing]) or 0.0

    @property
    def signature(self) -> str:
        """What one must know to get the same scores, in sacreBLEU's form; what it has no name for stands after that."""
        smooth = self.smoothing if SMOOTHING_VALUES[self.smoothing] is None else f"{self.smoothing}[{self.added:.2f}]"
        cut = self.cut.signature
        fields = {"nrefs": self.references or "var", "case": cut.pop("case"), "eff": "yes" if self.effective else "no"}
        fields |= cut | {"smooth": smooth}
        usual = Bleu()
        for name, ours, theirs in (
            ("order", self.longest, usual.longest),
            ("bp", self.brevity, usual.brevity),
            ("mean", self.mean, usual.mean),
        ):
            fields |= {name: ours} if ours != theirs else {}
        return "|".join(f"{name}:{value}" for name, value in fields.items()) + f"|version:{VERSION}"

    def metric(self, name: str = "BLEU", source: str = "", caution: str = "") -> Metric:
        """The metric; a QeError where the tokeniser is not there. It is never undefined: whatever has no match is 0."""
        return Metric(
            name,
            _family(self.cut, self.references, self.longest, self.brevity if self.references > 1 else "closest"),
            (
                brevity_term(self.longest),
                precision_term(self.longest, self.smoothing, self.added, self.effective, self.mean),
            ),
            0,
            100,
            tr("Rewards words and sequences of words that a reference has too, and punishes shorter translations."),
            source or tr("Papineni et al. 2002; as computed by sacreBLEU, Post 2018"),
            caution=caution,
            signature=self.signature,
        )


VERSION = f"qe-desktop-{qe_desktop.__version__}"


def _known(problem: str, name: str, choices: Any) -> None:
    if name not in choices:
        raise QeError(problem, hint=tr("Choose from {names}.", names=", ".join(choices)))


def columns(longest: int) -> tuple[str, ...]:
    """The columns of rows: lengths, matches of each n, n-grams of each n."""
    lengths = range(1, longest + 1)
    return (
        "system length",
        "reference length",
        *(f"matches of {n}" for n in lengths),
        *(f"n-grams of {n}" for n in lengths),
    )


@cache
def _family(cut: Cut, references: int, longest: int, brevity: Brevity) -> Family[Translated]:
    """With one reference, or the shortest, its length is the same for all systems."""
    shared = (1,) if references == 1 or brevity == "shortest" else ()
    name = f"BLEU {references} {cut.tokenizer} {cut.lowercase} {cut.stemmer} {longest} {brevity}"
    return Family(name, columns(longest), shared, partial(_rows, cut, references, longest, brevity))


def _rows(cut: Cut, references: int, longest: int, brevity: Brevity, beside: Translated) -> Floats:
    """Lengths of system and reference, matches and n-grams of 1 to `longest`, shape (segments, 2 + 2 · longest).

    The length of the reference is that of the closest of them, the shorter of two, or of the shortest.
    """
    if references and len(beside.references) != references:
        raise ValueError(f"BLEU was set for {references} references, and there are {len(beside.references)}")
    lengths = beside.system.tokens(cut).counts
    known = reference_ngrams(beside.references, cut)
    reference = known.closest(lengths) if brevity == "closest" else known.shortest()
    counts = matches(beside, cut, longest), totals(lengths, longest)
    return np.column_stack([lengths, reference, *counts]).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Variant:
    """Another form of BLEU: what is set otherwise, whose it is, and what one must know of it."""

    changes: Mapping[str, Any]
    source: str
    caution: str = ""


VARIANTS: Mapping[str, Variant] = {
    "BLEU-unsmoothed": Variant(
        {"smoothing": "none", "value": None, "effective": False},
        tr("Papineni et al. 2002, section 2.3; Neubig, section 11.2.1, equation 104"),
        tr("Meant for whole texts: 0 where no n-gram of some length matches, as in most single segments."),
    ),
    "BLEU-floor": Variant({"smoothing": "floor", "value": None}, tr("Chen and Cherry 2014, smoothing 1")),
    "BLEU-add-k": Variant(
        {"smoothing": "add-k", "value": None}, tr("Lin and Och 2004; Chen and Cherry 2014, smoothing 2")
    ),
    "BLEU-effective": Variant(
        {"effective": True},
        tr("sacreBLEU, Post 2018, with the effective order"),
        tr("Meant for single segments: n-grams longer than the segment do not count."),
    ),
    "BLEU-shortest": Variant(
        {"brevity": "shortest"},
        tr("mteval-v13a with the brevity penalty of its older versions"),
        tr("Punishes short translations less where references differ in length."),
    ),
    "BLEU-arithmetic": Variant(
        {"mean": "arithmetic", "smoothing": "none", "value": None, "effective": False},
        tr("Lavie et al. 2004, section 2.1"),
        tr("Single words count most: longer sequences match less often and add as little as they match."),
    ),
}
"""Forms of BLEU beside the one that is set; a new one is an entry here. All sum the same rows, so none is counted."""


def bleu_metrics(settings: Bleu | None = None) -> tuple[Metric, ...]:
    """BLEU as it is set, as sacreBLEU has it where nothing is, and then its variants with the same tokens."""
    settings = settings or Bleu()
    variants = [
        replace(settings, **variant.changes).metric(name, variant.source, variant.caution)
        for name, variant in VARIANTS.items()
    ]
    return (settings.metric(), *variants)
