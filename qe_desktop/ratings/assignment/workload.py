"""Workload of a campaign: screens and time of each rater, and judgements of each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.ratings.assignment.design import outputs_per_screen
from qe_desktop.ratings.assignment.repeats import share_count
from qe_desktop.ratings.campaign import Campaign, CampaignSetup
from qe_desktop.ratings.protocols import get_protocol


@dataclass(frozen=True, slots=True)
class Workload:
    """Number of screens and estimated active time in seconds by rater, and total number of judgements by system.

    Screens include training. A judgement is a rating of one output, or the rank of one output in a ranking; repeats,
    quality-control items and training are not counted as judgements.
    """

    screens: dict[str, int]
    seconds: dict[str, float]
    judgements: dict[str, float]

    @property
    def total_seconds(self) -> float:
        """Estimated active time of all raters together, in seconds."""
        return sum(self.seconds.values())


def estimate_workload(campaign: Campaign, setup: CampaignSetup) -> Workload:
    """Estimate the workload from the settings alone, without texts; fast enough to run while a form is filled in.

    The error is at most one unit of distribution: if documents stay whole, a rater may have one document more or less.
    In rankings, all outputs count as distinct. Without segments, all numbers are 0.
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
