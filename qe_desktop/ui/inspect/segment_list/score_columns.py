"""Columns of the segment list with scores and their errors, and with differences between systems or rankings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, View
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.layers import score_label, score_ranks
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.inspect.reader.segment_header import file_score_text
from qe_desktop.ui.scores.number_format import format_score, format_signed
from qe_desktop.ui.widgets.glossary.terms import term_meaning


@dataclass(frozen=True, slots=True, eq=False)
class ListScores:
    """Gold scores, system scores and errors (system − gold), each of shape (segments,), or None if there are none."""

    gold: LayerKey | None
    system: LayerKey | None
    decimals: int
    gold_scores: Floats | None = None
    system_scores: Floats | None = None
    errors: Floats | None = None
    system_layer: Layer | None = None
    """Layer of the system scores."""

    @classmethod
    def of(cls, view: View, gold: LayerKey | None, system: LayerKey | None, decimals: int) -> ListScores:
        """Return the scores of the layers `gold` and `system` of a view, and their errors."""
        layer = None if system is None else view.corpus.layers[system]
        golds = None if gold is None else view.corpus.layers[gold].scores
        errors = None if gold is None or system is None else view.corpus.score_errors(system, gold)
        return cls(gold, system, decimals, golds, None if layer is None else layer.scores, errors, layer)

    # --- titles

    @property
    def gold_title(self) -> str:
        """Title of the gold scores; empty if there are none."""
        return tr("gold {name}", name=escape_label(self.gold.name)) if self.gold is not None else ""

    @property
    def system_title(self) -> str:
        """Title of the system scores; empty if there are none."""
        return escape_label(self.system.name) if self.system is not None else ""

    @property
    def gold_tooltip(self) -> str:
        """Tooltip of the gold scores; empty if there are none."""
        if self.gold is None:
            return ""
        description = tr("Gold score of the segment ({name}).", name=escape_label(self.gold.name))
        # the name of the scores determines the tooltip, whatever else their file contains
        meaning = term_meaning("hter") if "hter" in self.gold.name.casefold() else term_meaning("gold")
        return join_localized(" ", [description, meaning])

    @property
    def system_tooltip(self) -> str:
        """Tooltip of the system scores; empty if there are none."""
        if self.system is None:
            return ""
        ranks = "" if self.system_layer is None else score_ranks(self.system_layer)
        if ranks:
            return tr("Score by {name}: {ranks}", name=escape_label(self.system.name), ranks=ranks)
        return tr("Score by {name}", name=escape_label(self.system.name))

    @property
    def error_tooltip(self) -> str:
        """Tooltip of the errors; empty if there are none."""
        if self.gold is None or self.system is None:
            return ""
        system, gold = escape_label(self.system.name), escape_label(self.gold.name)
        return tr("{system} − gold {gold}; positive if the system score is above the gold", system=system, gold=gold)

    # --- cells

    def gold_text(self, segment: int) -> str:
        """Return the gold score of a segment as text; empty if there are no gold scores."""
        return "" if self.gold_scores is None else format_score(float(self.gold_scores[segment]), self.decimals)

    def system_text(self, segment: int) -> str:
        """Return the system score of a segment as a number or quality label; empty if there are no system scores."""
        if self.system is None or self.system_scores is None or self.system_layer is None:
            return ""
        return score_label(self.system_layer, segment) or file_score_text(
            self.system.name, float(self.system_scores[segment]), self.decimals
        )

    def error_text(self, segment: int) -> str:
        """Return the signed error of a segment as text; empty unless there are both gold and system scores."""
        return "" if self.errors is None else format_signed(float(self.errors[segment]), self.decimals)


def gold_for_errors(corpus: Corpus | None, reference: LayerKey | None) -> LayerKey | None:
    """Return the layer of gold scores from which errors are computed; None if there are no gold scores.

    This is `reference` if it contains gold scores, and otherwise the first layer of gold scores.
    """
    golds = score_layers(corpus, gold=True)
    return reference if reference in golds else next(iter(golds), None)


def score_layers(corpus: Corpus | None, *, gold: bool) -> list[LayerKey]:
    """Return the layers of segment scores, in loading order: the gold layers if `gold`, otherwise all others."""
    keys = [] if corpus is None else [key for key in corpus.layers if key.kind is Kind.SCORES]
    return [key for key in keys if (key.provenance is Provenance.GOLD) == gold]


SIGNIFICANT_DIGITS = 3
"""Minimum number of decimals; the largest influence also has at least this many significant digits."""


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceColumn:
    """Column that shows a `SegmentInfluence`, which compares two systems."""

    influence: SegmentInfluence
    decimals: int

    @classmethod
    def of(cls, influence: SegmentInfluence) -> DifferenceColumn:
        """Create the column with as many decimals as the largest influence needs."""
        largest = float(np.abs(influence.values).max(initial=0.0))
        return cls(
            influence,
            SIGNIFICANT_DIGITS
            if not largest
            else max(SIGNIFICANT_DIGITS, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(largest))),
        )

    @property
    def title(self) -> str:
        """Column title."""
        return tr("effect on {metric}", metric=self.influence.metric) if self.influence.metric else tr("differences")

    @property
    def tooltip(self) -> str:
        """Tooltip of the column title."""
        first, second = (key.name for key in self.influence.systems)
        if not self.influence.metric:
            return tr(
                "For each segment, the number of {items} that differ between {first} and {second}",
                items=self.influence.items, first=first, second=second,
            )  # fmt: skip
        return tr(
            "Contribution of each segment to the difference in {metric}, with the system that it favours. It is half "
            "the change if the systems swapped their outputs: a swap takes the contribution from one system and gives "
            "it to the other. Without an arrow, the largest come first. Click for those that favour {first}; click "
            "again for {second}.",
            first=first, second=second, metric=self.influence.metric,
        )  # fmt: skip

    @property
    def counts(self) -> str:
        """Sentence with the number of segments that favour each system; empty without a metric."""
        if not self.influence.metric:
            return ""
        first, second = (isolate_bidi(key.name) for key in self.influence.systems)
        signs = np.sign(self.influence.values)
        return tr(
            "{metric} favours {first} in {n:,} {n:segment|segments}, {second} in {other:,}. The largest effects are "
            "listed first.",
            "", int((signs > 0).sum()), metric=self.influence.metric, first=first, second=second,
            other=int((signs < 0).sum()),
        )  # fmt: skip

    def text(self, segment: int) -> str:
        """Return the cell text of a segment."""
        value = float(self.influence.values[segment])
        if not self.influence.metric:
            return tr("{n} different", "", round(value))
        if not value:
            return tr("equal")
        name = self.influence.systems[0 if value > 0 else 1].name
        difference = format_signed(abs(value), self.decimals)
        return f"{name} {difference}" if difference.startswith("+") else tr("{name} better", name=name)

    @property
    def exported_headers(self) -> tuple[str, ...]:
        """Headers of the values in tables for scripts."""
        return ("better system", self.title) if self.influence.metric else (self.title,)

    def exported_cells(self, segment: int) -> tuple[str | float, ...]:
        """Return the system that benefits, or "", and the effect; without a metric, only the number of differences."""
        value = float(self.influence.values[segment])
        if not self.influence.metric:
            return (round(value),)
        return (self.influence.systems[0 if value > 0 else 1].name if value else "", abs(value))


@dataclass(frozen=True, slots=True, eq=False)
class RankColumn:
    """Column that shows a `RankGap`, which compares the metric ranks and human ranks of segments."""

    gap: RankGap

    @property
    def title(self) -> str:
        """Column title."""
        return tr("ranked higher by")

    @property
    def tooltip(self) -> str:
        """Tooltip of the column title."""
        return tr(
            "Whether {metric} or human scores rank a translation by {system} higher, and by how many ranks. Ranks are "
            "computed over the {n:,} {n:translation that has|translations that have} both a {metric} score and a human "
            "score. Click to start the list with the translations that the metric ranks higher; click again for those "
            "that human scores rank higher.",
            "", self.gap.ranked, system=self.gap.system, metric=self.gap.metric,
        )  # fmt: skip

    def text(self, segment: int) -> str:
        """Return the cell text of a segment."""
        value = float(self.gap.values[segment])
        if not value:
            return tr("equal")
        name = self.gap.metric if value > 0 else tr("human scores")
        return tr("{name} +{ranks:,.0f}", name=name, ranks=abs(value))

    @property
    def exported_headers(self) -> tuple[str, ...]:
        """Headers of the values in tables for scripts."""
        return (self.title, "ranks")

    def exported_cells(self, segment: int) -> tuple[str | float, ...]:
        """Return what ranks the translation higher (empty if the ranks are equal), and by how many ranks."""
        value = float(self.gap.values[segment])
        return (self.gap.metric if value > 0 else "human scores" if value else "", abs(value))


def difference_column(gap: RankGap | None, influence: SegmentInfluence | None) -> DifferenceColumn | RankColumn | None:
    """Return the column that shows `gap` or, without one, `influence`; None if both are None."""
    if gap is not None:
        return RankColumn(gap)
    return None if influence is None else DifferenceColumn.of(influence)
