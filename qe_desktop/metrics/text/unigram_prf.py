"""Unigram precision, recall and their harmonic means (Lavie et al. 2004).

Each score is m / (α·|r| + (1 − α)·|h|), where m, |h| and |r| are the numbers of matched tokens, system tokens and
reference tokens. The recall weight α is 0 for precision, 1 for recall, ½ for F1, and 0.9 for Fmean, which is
10PR / (9P + R) in the paper. A corpus score is computed from summed counts or is the mean of segment scores. A ratio
with a denominator of 0 is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, ratio
from qe_desktop.metrics.text.tokenized_pairs import (
    LineTokenizer,
    TokenizedPair,
    TokenMatching,
    best_reference_rows,
    match_tokens,
    overlap_rows,
    rows_by_reference,
    select_best_references,
    single_segment,
)

Corpus = Literal["micro", "macro"]
"""Type of corpus score: computed from sums over segments (micro), or the mean of segment scores (macro)."""

RECALL_WEIGHTS = {
    "unigram-P": Fraction(0),
    "unigram-R": Fraction(1),
    "unigram-F1": Fraction(1, 2),
    "unigram-Fmean": Fraction(9, 10),
}
"""Recall weight of each metric."""


def f_mean(precision: Any, recall: Any, alpha: float) -> Floats:
    """Return the weighted harmonic mean of precision and recall.

    Parameters
    ----------
    precision, recall
        Values from 0 to 1, of the same shape.
    alpha
        Recall weight, 0 to 1: 0 for precision, 1 for recall, ½ for F1, and 0.9 for Fmean.

    Returns
    -------
    ndarray
        PR / (αP + (1 − α)R), 0 to 1; 0 if precision or recall is 0.

    References
    ----------
    Lavie et al. 2004, section 2.2, where the weight is varied
    """
    p, r = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    return np.asarray(ratio(p * r, alpha * p + (1 - alpha) * r))


def f_mean_term(alpha: Fraction) -> ScoreTerm:
    """Return the score term for the weighted harmonic mean of precision and recall.

    Parameters
    ----------
    alpha
        Recall weight, 0 to 1.

    Returns
    -------
    ScoreTerm
        m / (α·|r| + (1 − α)·|h|), 0 to 1, where m, |h| and |r| are the summed numbers of matches, system tokens and
        reference tokens.
    """
    recall, denominator = alpha.numerator, alpha.denominator

    def parts(matches: Any, system: Any, reference: Any, *others: Any) -> tuple[Any, ...]:
        # in integers, so that equal means are exactly equal
        return denominator * matches, recall * reference + (denominator - recall) * system

    return ScoreTerm(parts, ratio)


@dataclass(frozen=True, slots=True)
class _UnigramCounter:
    """Counter of matched words; `mean` is the score by which the best reference is selected."""

    tokenizer: LineTokenizer
    mean: ScoreTerm

    def segment_scores(self, rows: Floats) -> Floats:
        return np.asarray(self.mean.evaluate(*rows.T))

    def rows(self, translated: TokenizedPair) -> Floats:
        """Return the numbers of matches, system tokens and best-reference tokens, shape (segments, 3)."""
        return best_reference_rows(rows_by_reference(translated, self.tokenizer, overlap_rows), self.segment_scores)

    def shares(self, translated: TokenizedPair) -> Floats:
        """Return the score of each segment and a second column of ones, shape (segments, 2)."""
        values = self.segment_scores(self.rows(translated))
        return np.stack([values, np.ones(len(values))], axis=-1)


_COLUMNS = ("matches", "system tokens", "reference tokens")


def _share(value: Any, segments: Any) -> tuple[Any, ...]:
    return value, segments


def unigram_metrics(
    tokenizer: LineTokenizer, references: int = 1, *, corpus: Corpus = "micro", tokens: str = ""
) -> tuple[Metric, ...]:
    """Return unigram-P, -R, -F1 and -Fmean.

    Parameters
    ----------
    tokenizer
        Tokenizer.
    references
        Number of references; 0 for any. With several references, each metric uses the best reference of each segment
        (the first in a tie) and therefore has a family of its own.
    corpus
        "micro" for scores computed from sums over segments, "macro" for means of segment scores. The names of macro
        metrics have the suffix `-macro`.
    tokens
        Part of the signature that describes the tokenization.

    Returns
    -------
    tuple of Metric
        Metrics, 0 to 1; 0 if a denominator is 0.

    References
    ----------
    Lavie et al. 2004, section 2
    """
    signature = "|".join(part for part in (f"nrefs:{references or 'var'}", f"corpus:{corpus}", tokens) if part)
    texts = {
        "unigram-P": (
            tr("Share of the translation's words that are in the reference."),
            tr("Favours short translations that contain only a few safe words."),
        ),
        "unigram-R": (
            tr("Share of the reference's words that are in the translation."),
            tr("Extra words never lower the score."),
        ),
        "unigram-F1": (tr("Rewards words of the reference: harmonic mean of precision and recall."), ""),
        "unigram-Fmean": (
            tr(
                "Rewards words of the reference: harmonic mean of precision and recall, with nine times as much weight "
                "on recall as on precision."
            ),
            "",
        ),
    }
    metrics = []
    for name, alpha in RECALL_WEIGHTS.items():
        counter = _UnigramCounter(tokenizer, f_mean_term(alpha))
        family_name = "unigrams" if references == 1 and corpus == "micro" else name
        family = _family(f"{family_name}|{signature}", counter, references, corpus)
        terms = (counter.mean,) if corpus == "micro" else (ScoreTerm(_share, ratio),)
        rewards, caution = texts[name]
        if corpus == "macro":
            caution = tr("Mean over segments; short segments count as much as long ones.")
        source = tr("Lavie, Sagae and Jayaraman 2004, section 2")
        displayed_name = name if corpus == "micro" else f"{name}-macro"
        metrics.append(
            Metric(displayed_name, family, terms, 0, 1, rewards, source, caution=caution, signature=signature)
        )
    return tuple(metrics)


def _family(name: str, counter: _UnigramCounter, references: int, corpus: Corpus) -> Family[TokenizedPair]:
    if corpus == "macro":
        return Family(name, ("share", "segments"), shared=(1,), rows=counter.shares)
    return Family(name, _COLUMNS, shared=(2,) if references == 1 else (), rows=counter.rows)


def unigram_matching(
    translated: TokenizedPair, segment: int, tokenizer: LineTokenizer, alpha: Fraction
) -> TokenMatching:
    """Return the matched tokens of a segment and its best reference.

    Parameters
    ----------
    translated
        Translation with its references.
    segment
        Index of the segment.
    tokenizer
        Tokenizer.
    alpha
        Recall weight of the F-score by which the best reference is selected.

    Returns
    -------
    TokenMatching
        Matched tokens. If a word occurs more often in one text than in the other, its first occurrences match.
    """
    segment_scores = _UnigramCounter(tokenizer, f_mean_term(alpha)).segment_scores
    system, *references = (
        single_segment(text.tokens(tokenizer), segment) for text in (translated.system, *translated.references)
    )
    best = int(select_best_references([overlap_rows(system, reference) for reference in references], segment_scores)[0])
    return TokenMatching(best, match_tokens(system.codes, references[best].codes))
