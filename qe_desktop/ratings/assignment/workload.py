"""Workload of a campaign: screens and time of each rater, judgements of each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.ratings.assignment.design import outputs_per_screen
from qe_desktop.ratings.assignment.repeats import share_count
from qe_desktop.ratings.campaign import Campaign, CampaignSetup
from qe_desktop.ratings.protocols import get_protocol


@dataclass(frozen=True, slots=True)
class Workload:
    """Screens (with training) and estimated active seconds of each rater; judgements of each system by all raters.

    A judgement is a rating of one output, or its rank in one ranking; repeats, quality-control items and training do
    not count.
    """

    screens: dict[str, int]
    seconds: dict[str, float]
    judgements: dict[str, float]

    @property
    def total_seconds(self) -> float:
        """Seconds of all raters together."""
        return sum(self.seconds.values())


def estimate_workload(campaign: Campaign, setup: CampaignSetup) -> Workload:
    """Estimate the workload of a setup without its texts, fast enough for a form.

    The estimate is exact up to the unit of distribution: with whole documents, a rater may have one document more or
    less. For rankings, all outputs count as distinct. Without segments, all numbers are 0.
    """
    protocol = get_protocol(campaign.protocol)
    per_screen = outputs_per_screen(protocol, setup)
    items = len(setup.segments) * (1 if protocol.compares else len(setup.systems))
    counts = _items_per_rater(items, len(setup.raters), setup.overlap)
    screens = [
        count
        + share_count(setup.repeats, count)
        + share_count(setup.controls, count)
        + (setup.training if count else 0)
        for count in counts
    ]
    judgements_per_system = sum(counts) * per_screen / len(setup.systems) if setup.systems else 0.0
    return Workload(
        dict(zip(setup.raters, screens, strict=True)),
        {
            rater: protocol.estimated_seconds(count, per_screen)
            for rater, count in zip(setup.raters, screens, strict=True)
        },
        dict.fromkeys(setup.systems, judgements_per_system),
    )


def _items_per_rater(items: int, raters: int, overlap: float) -> Sequence[int]:
    if raters < 2:
        return [items] * raters
    common = share_count(overlap, items)
    items_each, remainder = divmod(items - common, raters)
    return [common + items_each + (rater < remainder) for rater in range(raters)]
