"""Words that a translation shares with its reference: precision, recall and their harmonic means (Lavie et al. 2004).

All are m / (α·|r| + (1 − α)·|h|) of m matched tokens, |h| of the system and |r| of the reference: with the weight α of
recall 0 it is precision, with 1 recall, with ½ F1 and with 0.9 Fmean, the paper's 10PR / (9P + R). Over a corpus the
sums stand in place of the counts, or the mean of segments is taken. A ratio of nothing is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Floats, Metric, ScoreTerm, ratio
from qe_desktop.metrics.text.token_matching import (
    TokenMatching,
    best_reference_rows,
    match_tokens,
    overlap_rows,
    rows_by_reference,
    select_best_references,
    single_segment,
)
from qe_desktop.metrics.text.tokenized_pairs import LineTokenizer, TokenizedPair

Corpus = Literal["micro", "macro"]
"""The score of a corpus: of the sums over its segments, or the mean of theirs."""

RECALL_WEIGHTS = {
    "unigram-P": Fraction(0),
    "unigram-R": Fraction(1),
    "unigram-F1": Fraction(1, 2),
    "unigram-Fmean": Fraction(9, 10),
}
"""The weight of recall in each metric."""


def f_mean(precision: Any, recall: Any, alpha: float) -> Floats:
    """PR / (αP + (1 − α)R), the harmonic mean with weight α of recall, 0..1, of arrays of any shape.

    It is 0 where precision or recall is. 1 gives recall, 0 precision, ½ F1 and 0.9 Fmean (Lavie et al. 2004, section
    2.2, where the weight is varied).
    """
    p, r = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    return np.asarray(ratio(p * r, alpha * p + (1 - alpha) * r))


def f_mean_term(alpha: Fraction) -> ScoreTerm:
    """The mean with weight `alpha` of recall, of summed matches, tokens of the system and tokens of the reference."""
    recall, whole = alpha.numerator, alpha.denominator

    def parts(matches: Any, system: Any, reference: Any, *others: Any) -> tuple[Any, ...]:
        # in whole numbers, so that equal means are equal to the last digit
        return whole * matches, recall * reference + (whole - recall) * system

    return ScoreTerm(parts, ratio)


@dataclass(frozen=True, slots=True)
class _UnigramCounter:
    """How the words of translations are counted, and of which reference for one mean."""

    cutting: LineTokenizer
    mean: ScoreTerm

    def worth(self, rows: Floats) -> Floats:
        return np.asarray(self.mean.of(*rows.T))

    def rows(self, translated: TokenizedPair) -> Floats:
        """Matches, tokens of the system and of the best reference, shape (segments, 3)."""
        return best_reference_rows(rows_by_reference(translated, self.cutting, overlap_rows), self.worth)

    def shares(self, translated: TokenizedPair) -> Floats:
        """The mean of each segment, and 1, shape (segments, 2)."""
        values = self.worth(self.rows(translated))
        return np.stack([values, np.ones(len(values))], axis=-1)


_COLUMNS = ("matches", "system tokens", "reference tokens")


def _share(value: Any, segments: Any) -> tuple[Any, ...]:
    return value, segments


def unigram_metrics(
    cutting: LineTokenizer, references: int = 1, *, corpus: Corpus = "micro", tokens: str = ""
) -> tuple[Metric, ...]:
    """unigram-P, unigram-R, unigram-F1 and unigram-Fmean of tokens cut by `cutting`, beside so many references.

    Means of segments are called so: unigram-P-macro. Beside several references, each metric takes the one that it likes
    best, segment by segment, the first of equals, and so has a family of its own. `tokens` says in signatures how
    tokens are cut.
    """
    signature = "|".join(part for part in (f"nrefs:{references or 'var'}", f"corpus:{corpus}", tokens) if part)
    said = {
        "unigram-P": (
            tr("The share of the translation's words that are in the reference."),
            tr("Highest for a translation of a few safe words."),
        ),
        "unigram-R": (
            tr("The share of the reference's words that are in the translation."),
            tr("Never lower for more words."),
        ),
        "unigram-F1": (tr("Rewards the reference's words: harmonic mean of their precision and recall."), ""),
        "unigram-Fmean": (
            tr("Rewards the reference's words: harmonic mean with nine times as much weight on recall."),
            "",
        ),
    }
    found = []
    for name, alpha in RECALL_WEIGHTS.items():
        counting = _UnigramCounter(cutting, f_mean_term(alpha))
        own = "unigrams" if references == 1 and corpus == "micro" else name
        family = _family(f"{own}|{signature}", counting, references, corpus)
        terms = (counting.mean,) if corpus == "micro" else (ScoreTerm(_share, ratio),)
        rewards, caution = said[name]
        if corpus == "macro":
            caution = tr("The mean over segments, in which a short one counts as much as a long one.")
        source = tr("Lavie, Sagae and Jayaraman 2004, section 2")
        shown = name if corpus == "micro" else f"{name}-macro"
        found.append(Metric(shown, family, terms, 0, 1, rewards, source, caution=caution, signature=signature))
    return tuple(found)


def _family(name: str, counting: _UnigramCounter, references: int, corpus: Corpus) -> Family[TokenizedPair]:
    if corpus == "macro":
        return Family(name, ("share", "segments"), shared=(1,), rows=counting.shares)
    return Family(name, _COLUMNS, shared=(2,) if references == 1 else (), rows=counting.rows)


def unigram_matching(translated: TokenizedPair, segment: int, cutting: LineTokenizer, alpha: Fraction) -> TokenMatching:
    """Which tokens of a segment match those of the reference that is best by the mean with weight `alpha` of recall.

    Of a word that is there more often on one side, the first ones match.
    """
    worth = _UnigramCounter(cutting, f_mean_term(alpha)).worth
    system, *references = (
        single_segment(text.tokens(cutting), segment) for text in (translated.system, *translated.references)
    )
    best = int(select_best_references([overlap_rows(system, reference) for reference in references], worth)[0])
    return TokenMatching(best, match_tokens(system.codes, references[best].codes))
