"""What the page of findings holds: findings with where they are from, and whose number stands in a cell."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qe_desktop.corpus import LayerKey
from qe_desktop.levels.findings import Findings, PairFindings
from qe_desktop.metrics import Metric
from qe_desktop.significance import Options


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Findings, what they are of (`title`: a corpus or a folder), and what reading it gave to remark.

    `groups` are the names of all groups of levels that a folder holds something of.
    """

    findings: Findings
    title: str
    remarks: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, each of which is tested by its own test."""
        return self.findings.metrics

    def rejudged(self, options: Options) -> Found:
        """The same under another correction and alpha."""
        return replace(self, findings=self.findings.rejudged(options))


@dataclass(frozen=True, slots=True)
class Target:
    """Whose number stands in a cell: the places of the pair and of the system in it, and the metric's name."""

    pair: int
    system: int
    metric: str


def deciding(pair: PairFindings, system: int, metric: Metric) -> tuple[LayerKey, LayerKey] | None:
    """A system and the next in the order by a metric, the one before for the last; None where it stands alone.

    What is between them are the segments that decide the system's place.
    """
    order = pair.order(metric)
    place = order.index(system)
    other = place + 1 if place + 1 < len(order) else place - 1
    if other < 0:
        return None
    return pair.scoring.subjects[system], pair.scoring.subjects[order[other]]
