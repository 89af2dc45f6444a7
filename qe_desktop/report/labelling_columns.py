"""Metrics tried on labellings, one row a number, for scripts."""

from __future__ import annotations

import math

from qe_desktop.metrics.family import Floats
from qe_desktop.report.tables import Cell, Table
from qe_desktop.studies.labelling_study import LabellingStudy
from qe_desktop.wording import tr

DISTINCTIONS = ("d", "d_top", "d_bottom")
RANGE = ("low", "high")


def labelling_columns(study: LabellingStudy) -> list[Table]:
    """d of each metric; what each made of each labelling; and each metric's ranking of systems."""
    return [_distinctions(study), _labellings(study), _orders(study)]


def _distinctions(study: LabellingStudy) -> Table:
    ends = [f"{name} {end}" for name in DISTINCTIONS for end in RANGE]
    rows = tuple(
        (metric.name, *found, *limits)
        for metric, found, limits in zip(
            study.metrics,
            study.distinctions.tolist(),
            study.distinction_ranges.reshape(len(study.metrics), -1).tolist(),
            strict=True,
        )
    )
    return Table(tr("Metrics and synthetic labellings"), ("metric", *DISTINCTIONS, *ends), rows)


def _labellings(study: LabellingStudy) -> Table:
    header = (
        "metric", "labelling", "draws", "bad", "precision", "recall", "score", "score min", "score max",
        "rated lower", "rated lower min", "rated lower max",
        "score low", "score high", "rated lower low", "rated lower high",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for place, metric in enumerate(study.metrics):
        for one in study.labellings:
            scores, lower = one.scores[place], one.lower[place]
            about = (mean(one.called), mean(one.precision), mean(one.recall))
            ends = [end for found in (one.score_intervals, one.lower_intervals) for end in _pair(found, place)]
            low, high = (float(scores.min()), float(scores.max()))
            count = (float(lower.mean()) if one.draws > 1 else int(lower[0]), int(lower.min()), int(lower.max()))
            rows.append((metric.name, one.name, one.draws, *about, mean(scores), low, high, *count, *ends))
    return Table(tr("Labellings"), header, tuple(rows))


def _orders(study: LabellingStudy) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (metric.name, rank, study.systems[system], float(study.scores[place, system]))
        for place, metric in enumerate(study.metrics)
        for rank, system in enumerate(study.order[place].tolist(), 1)
    ]
    return Table(tr("Systems by each metric"), ("metric", "rank", "system", "score"), tuple(rows))


def mean(values: Floats) -> float:
    """The mean of draws."""
    return float(values.mean())


def _pair(ends: Floats | None, place: int) -> list[float]:
    return [math.nan, math.nan] if ends is None else ends[place].tolist()
