"""METEOR as it was first described: Fmean of matched words, less where they stand in another order.

Fmean · (1 − ½ · (chunks / m)³) of m matched tokens, where Fmean is 10PR / (9P + R) and a chunk is a run of matches that
are neighbours in both texts (Banerjee and Lavie 2005, section 2.2). Of all matchings of as many tokens as possible, the
one with the fewest crossings counts, as in the paper, or with the fewest chunks; `alignment` says how far these are
exact. A translation that is its reference scores 1 − ½/m³. Tokens match where they are the same as they are cut: stems
match stems, there are no synonyms and no stages. The score of a corpus is that of its summed matches, tokens and
chunks, as in the paper; the score of a segment without matches is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qe_desktop.metrics.alignment import Alignment, Fewest, aligned
from qe_desktop.metrics.family import Family, Floats, Metric, Term, ratio
from qe_desktop.metrics.matching import Matching, alone, best_references, of_best_references, rows_by_reference
from qe_desktop.metrics.texts import Codes, Cutting, Tokens, Translated
from qe_desktop.metrics.unigrams import WEIGHTS, term
from qe_desktop.wording import tr

_FMEAN = term(WEIGHTS["unigram-Fmean"])


def _order(matches: Any, system: Any, reference: Any, chunks: Any) -> tuple[Any, ...]:
    return chunks, matches


def _kept(chunks: Any, matches: Any, out: Floats | None = None) -> Any:
    """What the order leaves of Fmean: 1 − ½ · (chunks / m)³."""
    share = ratio(chunks, matches, out)
    return 1 - 0.5 * share * share * share


_TERMS = (_FMEAN, Term(_order, _kept))


def _worth(rows: Floats) -> Floats:
    return np.asarray(_TERMS[0].of(*rows.T) * _TERMS[1].of(*rows.T))


@dataclass(frozen=True, slots=True)
class _Counting:
    cutting: Cutting
    fewest: Fewest

    def rows(self, translated: Translated) -> Floats:
        """Matches, tokens of the system, tokens of the best reference, and chunks, shape (segments, 4)."""
        return of_best_references(rows_by_reference(translated, self.cutting, self.beside), _worth)

    def beside(self, system: Tokens, reference: Tokens) -> Floats:
        """The same beside one reference."""
        rows = np.empty((len(system.counts), 4))
        # a search, which each segment has to itself
        for segment in range(len(rows)):
            ours, theirs = system.of(segment), reference.of(segment)
            found = self.align(ours, theirs)
            rows[segment] = len(found.pairs), len(ours), len(theirs), found.chunks
        return rows

    def align(self, system: Codes, reference: Codes) -> Alignment:
        """The alignment of one segment's tokens."""
        return aligned(system.tolist(), reference.tolist(), self.fewest)


def metrics(
    cutting: Cutting, references: int = 1, *, fewest: Fewest = "crossings", tokens: str = ""
) -> tuple[Metric, ...]:
    """METEOR-2005 of tokens cut by `cutting`, beside so many references, of which each segment has the best.

    `fewest` says which of the largest matchings counts. `tokens` says in signatures how tokens are cut.
    """
    signature = "|".join(part for part in (f"nrefs:{references or 'var'}", f"fewest:{fewest}", tokens) if part)
    family: Family[Translated] = Family(
        f"METEOR-2005|{signature}", ("matches", "system tokens", "reference tokens", "chunks"),
        shared=(2,) if references == 1 else (), rows=_Counting(cutting, fewest).rows,
    )  # fmt: skip
    return (
        Metric(
            "METEOR-2005", family, _TERMS, 0, 1,
            tr("Rewards the reference's words, recall nine times as much as precision, in its order."),
            tr("Banerjee and Lavie 2005, section 2.2"),
            caution=tr(
                "Later METEOR has stages, synonyms and other weights, and other scores. In long segments of many "
                "repeated words, the best matching that a bounded search finds counts."
            ),
            signature=signature,
        ),
    )  # fmt: skip


def matching(translated: Translated, segment: int, cutting: Cutting, fewest: Fewest = "crossings") -> Matching:
    """Which tokens of a segment match which of its best reference."""
    counting = _Counting(cutting, fewest)
    system, *references = (alone(text.tokens(cutting), segment) for text in (translated.system, *translated.references))
    best = int(best_references([counting.beside(system, reference) for reference in references], _worth)[0])
    return Matching(best, counting.align(system.codes, references[best].codes).pairs)
