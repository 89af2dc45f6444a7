"""What a cell of findings says in words, for screen readers, tips and the line below the table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qe_desktop.levels.findings import Finding
from qe_desktop.metrics import Metric
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.wording import listed, side_by_side, tr


def finding_sentence(name: str, pair: str, metric: Metric, finding: Finding, decimals: int, *, stale: bool) -> str:
    """All that is known of a system by a metric: `papago, en-de: MCC .319, between .271 and .362, rank 1 to 3…`."""
    score, (low, high) = finding.score, finding.interval
    if math.isnan(score):
        parts = [tr("{name}, {pair}: {metric} undefined", name=name, pair=pair, metric=metric.name)]
    else:
        said = score_text(score, decimals)
        parts = [tr("{name}, {pair}: {metric} {score}", name=name, pair=pair, metric=metric.name, score=said)]
    if not math.isnan(low):
        ends = [score_text(end, decimals) for end in (low, high)]
        parts.append(tr("between {low} and {high}", low=ends[0], high=ends[1]))
    parts += _standing(finding)
    if stale:
        parts.append(tr("before the last edits"))
    whole = side_by_side(", ", parts)
    if math.isnan(score):
        return side_by_side(". ", (whole, metric.reason))
    return side_by_side(". ", (whole, metric.caution)) if score > metric.usual else whole


def _standing(finding: Finding) -> list[str]:
    if finding.ranks is None or finding.cluster is None:
        return [tr("not tested")]
    best, worst = finding.ranks
    ranks = tr("rank {best}", best=best) if best == worst else tr("rank {best} to {worst}", best=best, worst=worst)
    return [ranks, tr("cluster {number}", number=finding.cluster)]


def ranks_text(finding: Finding) -> str:
    """The ranks that a system may have, shortly; empty where nothing was tested."""
    if finding.ranks is None:
        return ""
    best, worst = finding.ranks
    return str(best) if best == worst else f"{best}–{worst}"


def average_sentence(
    name: str, metric: Metric, average: float, pairs: int, missing: Sequence[str], decimals: int
) -> str:
    """The mean of a system over so many pairs, or why there is none: pairs are `missing`, or a score is undefined."""
    if not math.isnan(average):
        return tr(
            "{name}: the average of {metric} over {n} language {n:pair|pairs} is {score}",
            "", pairs, name=name, metric=metric.name, score=score_text(average, decimals),
        )  # fmt: skip
    if missing:
        return tr("{system} has nothing for {pairs}, and no average.", system=name, pairs=listed(missing))
    return tr("{system} has no average: {metric} is undefined in a pair.", system=name, metric=metric.name)


def gap_sentence(name: str, pair: str) -> str:
    """Why a cell is empty."""
    return tr(
        "{system} has nothing for {pair}, so it is not compared there and has no average.", system=name, pair=pair
    )


def untested_sentence(metric: Metric) -> str:
    """Why no segments can be shown that decide a number."""
    return tr("{metric} compares each segment with all others, so none of them decides it alone.", metric=metric.name)
