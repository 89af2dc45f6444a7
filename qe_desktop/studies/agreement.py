"""Agreement of one metric with people: its figures and their intervals."""

from __future__ import annotations

from dataclasses import dataclass, field

from qe_desktop.metrics import Metric
from qe_desktop.metrics.family import Floats
from qe_desktop.studies.beside_people import NONE
from qe_desktop.studies.segment_match import UNKNOWN, SegmentMatch
from qe_desktop.studies.tied_accuracy import TiedAccuracy


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How one metric agrees with people; NaN where a figure is undefined.

    `scores` (systems,) are as the metric prints them, `score_intervals` (systems, 2) their 95 % intervals on the same
    draws, where segments were drawn; `correlations` are by name, 95 % `intervals` by that of the figure (see
    `studies.agreement_intervals`); `differentials` is the
    correlation over pairs, and `ahead` (pairs,) the one-sided p of the first system of each, where it was tested;
    `pooled` holds Pearson and Kendall over the scores of all segments at once, `match` is Pearson within systems, and
    `tied` is acc*eq. `counts` says of how many segments each figure is, by the names of `agreement_tests.TESTED` and
    "segments_kendall"; it is empty where the metric scored systems alone.
    """

    metric: Metric
    scores: Floats
    correlations: dict[str, float]
    pairwise_accuracy: float
    differentials: float
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    score_intervals: Floats | None = None
    ahead: Floats | None = None
    spa: float = NONE
    pooled: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    match: SegmentMatch = UNKNOWN
    tied: TiedAccuracy = TiedAccuracy(NONE, NONE)  # noqa: RUF009
