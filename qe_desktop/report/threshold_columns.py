"""A study of thresholds, one row a number, for scripts; and which of its figures are shown."""

from __future__ import annotations

import math

from qe_desktop.report.tables import Cell, Table
from qe_desktop.studies.threshold_study import USUAL, Best, SystemThresholds, ThresholdStudy
from qe_desktop.wording import tr


def threshold_columns(study: ThresholdStudy) -> list[Table]:
    """How numbers rank words, the thresholds of each metric, and the curves: each threshold of each system."""
    return [_ranks(study), _thresholds(study), _curves(study)]


def _ranks(study: ThresholdStudy) -> Table:
    header = (
        "system", "numbers", "thresholds", "auc", "average precision",
        "segments", "segments recall at k", "segments auc", "segments average precision",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for one in study.systems:
        together, by = one.sweep.together, one.sweep.by_segment
        count = len(one.sweep.places.thresholds)
        rows.append(
            (
                one.name, numbers_of(one), count, together.auc, together.average_precision,
                by.segments, by.recall_at_k, by.auc, by.average_precision,
            )
        )  # fmt: skip
    return Table(tr("Thresholds"), header, tuple(rows))


def _thresholds(study: ThresholdStudy) -> Table:
    header = (
        "system", "metric", "threshold", "low", "high", "score", "dev score", "best threshold", "best score",
        "usual",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for one in study.systems:
        for place, metric in enumerate(study.metrics):
            best, used = one.best[place], chosen(one, place)
            dev = None if one.tuned is None else used.score
            rows.append(
                (
                    one.name, metric.name, used.threshold, *used.interval, score_here(one, place), dev,
                    best.threshold, best.score, score_at_usual(one, place),
                )
            )  # fmt: skip
    return Table(tr("Best thresholds"), header, tuple(rows))


def _curves(study: ThresholdStudy) -> Table:
    header = ("system", "threshold", "bad", "precision", "recall", *(one.name for one in study.metrics))
    rows: list[tuple[Cell, ...]] = []
    for one in study.systems:
        sweep = one.sweep
        columns = (sweep.places.thresholds, sweep.called, sweep.precision, sweep.recall, *sweep.scores)
        rows += [(one.name, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return Table(tr("Curves"), header, tuple(rows))


def numbers_of(one: SystemThresholds) -> str:
    """What a system's numbers are."""
    return "P(BAD)" if one.sweep.probabilities else tr("scores")


def chosen(one: SystemThresholds, place: int) -> Best:
    """The threshold that was chosen by the metric in a place: on other data where there are any, else here."""
    return one.best[place] if one.tuned is None else one.tuned[place]


def score_here(one: SystemThresholds, place: int) -> float:
    """The score here of the threshold that was chosen, wherever it was; NaN where none was."""
    if one.tuned is None:
        return one.best[place].score
    threshold = one.tuned[place].threshold
    return math.nan if math.isnan(threshold) else float(one.sweep.at(threshold)[place])


def score_at_usual(one: SystemThresholds, place: int) -> float:
    """The score of P(BAD) at the usual threshold; NaN of other numbers."""
    return float(one.sweep.at(USUAL)[place]) if one.sweep.probabilities else math.nan
