"""METEOR in its first version: Fmean of matched words, with a penalty for different word order.

The score is Fmean · (1 − ½ · (chunks / m)³) for m matched tokens. Fmean is 10PR / (9P + R) for precision P and recall
R. A chunk is a run of matches adjacent in both texts (Banerjee and Lavie 2005, section 2.2). The matching used is the
maximum matching with the fewest crossings, as in the paper, or with the fewest chunks. The docstring of
`meteor_alignment` states when the search for this matching is exact. A translation identical to its reference scores
1 − ½/m³. Tokens match if they are equal after tokenization (and stemming, if set); the paper's matching stages and
synonyms are not used. The corpus score is computed from summed matches, tokens and chunks, as in the paper. A segment
without matches scores 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, ratio
from qe_desktop.metrics.text.meteor_alignment import AlignmentGoal, TokenAlignment, align_tokens
from qe_desktop.metrics.text.tokenized_pairs import (
    LineTokenizer,
    TokenColumn,
    TokenizedPair,
    TokenMatching,
    best_reference_rows,
    rows_by_reference,
    select_best_references,
    single_segment,
)
from qe_desktop.metrics.text.unigram_prf import RECALL_WEIGHTS, f_mean_term

_FMEAN = f_mean_term(RECALL_WEIGHTS["unigram-Fmean"])


def _order(matches: Any, system: Any, reference: Any, chunks: Any) -> tuple[Any, ...]:
    return chunks, matches


def _order_penalty(chunks: Any, matches: Any, out: Floats | None = None) -> Any:
    """Factor that penalizes different word order: 1 − ½ · (chunks / m)³ for m matches."""
    share = ratio(chunks, matches, out)
    return 1 - 0.5 * share * share * share


_TERMS = (_FMEAN, ScoreTerm(_order, _order_penalty))


def _segment_score(rows: Floats) -> Floats:
    return np.asarray(_TERMS[0].evaluate(*rows.T) * _TERMS[1].evaluate(*rows.T))


@dataclass(frozen=True, slots=True)
class _MeteorCounter:
    tokenizer: LineTokenizer
    goal: AlignmentGoal

    def rows(self, translated: TokenizedPair) -> Floats:
        """Return the numbers of matches, system tokens, best-reference tokens and chunks, shape (segments, 4)."""
        return best_reference_rows(rows_by_reference(translated, self.tokenizer, self.rows_for), _segment_score)

    def rows_for(self, system: TokenColumn, reference: TokenColumn) -> Floats:
        """Return the columns of `rows` computed with a single reference, shape (segments, 4)."""
        rows = np.empty((len(system.counts), 4))
        # the alignment search is per segment
        for segment in range(len(rows)):
            system_tokens, reference_tokens = system.of(segment), reference.of(segment)
            result = self.align(system_tokens, reference_tokens)
            rows[segment] = len(result.pairs), len(system_tokens), len(reference_tokens), result.chunks
        return rows

    def align(self, system: Ints, reference: Ints) -> TokenAlignment:
        """Return the alignment of one segment's tokens."""
        return align_tokens(system.tolist(), reference.tolist(), self.goal)


def meteor_metrics(
    tokenizer: LineTokenizer, references: int = 1, *, fewest: AlignmentGoal = "crossings", tokens: str = ""
) -> tuple[Metric, ...]:
    """Return METEOR-2005.

    Parameters
    ----------
    tokenizer
        Tokenizer.
    references
        Number of references; 0 for any. Each segment uses its best reference.
    fewest
        Whether the alignment has the fewest "crossings" or the fewest "chunks" of all maximum matchings.
    tokens
        Part of the signature that describes the tokenization.

    Returns
    -------
    tuple of Metric
        METEOR-2005, 0 to 1.

    Notes
    -----
    The score is Fmean · (1 − ½ · (chunks / m)³) for m matched tokens.

    References
    ----------
    Banerjee and Lavie 2005, section 2.2
    """
    signature = "|".join(part for part in (f"nrefs:{references or 'var'}", f"fewest:{fewest}", tokens) if part)
    family: Family[TokenizedPair] = Family(
        f"METEOR-2005|{signature}", ("matches", "system tokens", "reference tokens", "chunks"),
        shared=(2,) if references == 1 else (), rows=_MeteorCounter(tokenizer, fewest).rows,
    )  # fmt: skip
    return (
        Metric(
            "METEOR-2005", family, _TERMS, 0, 1,
            tr("Rewards words of the reference in the same order, with nine times as much weight on recall as on "
                "precision."),
            tr("Banerjee and Lavie 2005, section 2.2"),
            caution=tr(
                "The stages for stems and synonyms, and the weights of later versions of METEOR, are not used, so "
                "scores differ from those of other implementations. In long segments with many repeated words, the "
                "search for the best word alignment is limited and may miss it."
            ),
            signature=signature,
        ),
    )  # fmt: skip


def meteor_matching(
    translated: TokenizedPair, segment: int, tokenizer: LineTokenizer, fewest: AlignmentGoal = "crossings"
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
    fewest
        "crossings" or "chunks", as in `meteor_metrics`.

    Returns
    -------
    TokenMatching
        Matched tokens.
    """
    counter = _MeteorCounter(tokenizer, fewest)
    system, *references = (
        single_segment(text.tokens(tokenizer), segment) for text in (translated.system, *translated.references)
    )
    best = int(
        select_best_references([counter.rows_for(system, reference) for reference in references], _segment_score)[0]
    )
    return TokenMatching(best, counter.align(system.codes, references[best].codes).pairs)
