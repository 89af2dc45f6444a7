"""What the list shows of scores of segments: the gold number, that of one system, and how far it is off."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, View
from qe_desktop.corpus.layers import score_label, score_ranks
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.scores.number_format import format_score, format_signed
from qe_desktop.ui.widgets.glossary import term_meaning


@dataclass(frozen=True, slots=True, eq=False)
class SegmentScoreColumns:
    """Gold and system with their numbers, shape (segments,); None where there is none. Errors are system − gold."""

    gold: LayerKey | None
    system: LayerKey | None
    decimals: int
    golds: NDArray[np.float64] | None = field(default=None)
    scores: NDArray[np.float64] | None = field(default=None)
    errors: NDArray[np.float64] | None = field(default=None)
    layer: Layer | None = None
    """That of the system."""

    @classmethod
    def of(cls, view: View, gold: LayerKey | None, system: LayerKey | None, decimals: int) -> SegmentScoreColumns:
        """Of layers of a view."""
        layers = view.corpus.layers
        return cls(
            gold,
            system,
            decimals,
            None if gold is None else layers[gold].scores,
            None if system is None else layers[system].scores,
            None if gold is None or system is None else view.corpus.score_errors(system, gold),
            None if system is None else layers[system],
        )

    # --- what the columns are called

    @property
    def gold_title(self) -> str:
        """The header of the gold scores."""
        return tr("gold {name}", name=escape_label(self.gold.name)) if self.gold is not None else ""

    @property
    def system_title(self) -> str:
        """The header of the system's scores."""
        return escape_label(self.system.name) if self.system is not None else ""

    @property
    def about_gold(self) -> str:
        """What the gold scores are."""
        if self.gold is None:
            return ""
        said = tr("The gold score of the segment ({name}).", name=escape_label(self.gold.name))
        # what is called so is what the term means, whatever else its file says
        about = term_meaning("hter") if "hter" in self.gold.name.casefold() else term_meaning("gold")
        return join_localized(" ", [said, about])

    @property
    def about_system(self) -> str:
        """What the system's scores are."""
        if self.system is None:
            return ""
        ranks = "" if self.layer is None else score_ranks(self.layer)
        if ranks:
            return tr("The score that {name} gives: {ranks}", name=escape_label(self.system.name), ranks=ranks)
        return tr("The score that {name} gives", name=escape_label(self.system.name))

    @property
    def about_error(self) -> str:
        """What the errors are."""
        if self.gold is None or self.system is None:
            return ""
        system, gold = escape_label(self.system.name), escape_label(self.gold.name)
        return tr("{system} − gold {gold}: above 0 the score is too high", system=system, gold=gold)

    # --- what the cells say

    def gold_text(self, segment: int) -> str:
        """The gold score."""
        return "" if self.golds is None else format_score(float(self.golds[segment]), self.decimals)

    def system_text(self, segment: int) -> str:
        """The system's score, in the word that its file has for it."""
        if self.scores is None or self.layer is None:
            return ""
        return score_label(self.layer, segment) or format_score(float(self.scores[segment]), self.decimals)

    def error_text(self, segment: int) -> str:
        """The error, with its sign."""
        return "" if self.errors is None else format_signed(float(self.errors[segment]), self.decimals)


def score_layers(corpus: Corpus | None, *, gold: bool) -> list[LayerKey]:
    """The scores of segments that are gold, or all others, in the order of loading."""
    keys = [] if corpus is None else [key for key in corpus.layers if key.kind is Kind.SCORES]
    return [key for key in keys if (key.provenance is Provenance.GOLD) == gold]
