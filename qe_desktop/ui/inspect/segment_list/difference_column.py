"""Which of two systems is ahead in a segment, or who ranks it higher: the column beside a list of such segments."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.scores.number_format import format_signed

SIGNIFICANT_DIGITS = 3
"""Significant digits of the largest influence; smaller ones have as many after the point."""


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceColumn:
    """`Apart` as the list shows it."""

    apart: SegmentInfluence
    decimals: int

    @classmethod
    def of(cls, apart: SegmentInfluence) -> DifferenceColumn:
        """With as many digits as tell the segments apart."""
        largest = float(np.abs(apart.values).max(initial=0.0))
        return cls(
            apart,
            SIGNIFICANT_DIGITS
            if not largest
            else max(SIGNIFICANT_DIGITS, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(largest))),
        )

    @property
    def title(self) -> str:
        """The column's header."""
        return tr("ahead in {metric}", metric=self.apart.metric) if self.apart.metric else tr("differ")

    @property
    def about(self) -> str:
        """What the column means."""
        one, other = (key.name for key in self.apart.between)
        if not self.apart.metric:
            return tr("How many {items} of {one} and {other} differ here", items=self.apart.items, one=one, other=other)
        return tr(
            "Which of {one} and {other} this segment puts ahead in {metric}, and by how much: half of what their "
            "difference would change by if they exchanged their {items} here",
            one=one,
            other=other,
            metric=self.apart.metric,
            items=self.apart.items,
        )

    def text(self, segment: int) -> str:
        """What the column says of a segment."""
        value = float(self.apart.values[segment])
        if not self.apart.metric:
            return tr("{n} differ", "", round(value))
        if not value:
            return tr("even")
        name = self.apart.between[0 if value > 0 else 1].name
        said = format_signed(abs(value), self.decimals)
        return f"{name} {said}" if said.startswith("+") else tr("{name} ahead", name=name)


@dataclass(frozen=True, slots=True, eq=False)
class RankColumn:
    """A `RankGap` as the list shows it."""

    gap: RankGap

    @property
    def title(self) -> str:
        """The column's header."""
        return tr("ranked higher")

    @property
    def about(self) -> str:
        """What the column means."""
        return tr(
            "By whom this translation of {system} is ranked higher, and by how many of {n:,} ranks: all translations "
            "that people and {metric} scored",
            "", self.gap.ranked, system=self.gap.system, metric=self.gap.metric,
        )  # fmt: skip

    def text(self, segment: int) -> str:
        """What the column says of a segment."""
        value = float(self.gap.values[segment])
        if not value:
            return tr("alike")
        who = self.gap.metric if value > 0 else tr("people")
        return tr("{who} +{ranks:,.0f}", who=who, ranks=abs(value))
