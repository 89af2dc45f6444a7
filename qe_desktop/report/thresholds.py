"""Threshold study as JSON, as tables, and as curves for scripts."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.metrics import Metric
from qe_desktop.report.render.tables import DASH, Cell, Table, format_cell, title_after_pair
from qe_desktop.report.scores import json_number, settings_signature
from qe_desktop.studies.thresholds.ranking_metrics import WordRanking
from qe_desktop.studies.thresholds.threshold_study import (
    DEFAULT_PROBABILITY_THRESHOLD,
    MAX_THRESHOLDS,
    BestThreshold,
    SystemThresholds,
    ThresholdStudy,
)


def threshold_columns(study: ThresholdStudy) -> list[Table]:
    """Return tables for scripts: ranking quality of word scores, thresholds of each metric, and the curve of each
    system.
    """
    return [_ranks(study), _thresholds(study), _curves(study)]


def _ranks(study: ThresholdStudy) -> Table:
    header = (
        "system", "numbers", "thresholds", "auc", "average precision",
        "segments", "segments recall at k", "segments auc", "segments average precision",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for system in study.systems:
        together, by = system.sweep.together, system.sweep.by_segment
        count = len(system.sweep.places.thresholds)
        rows.append(
            (
                system.name, number_kind_label(system), count, together.auc, together.average_precision,
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
    for system in study.systems:
        for place, metric in enumerate(study.metrics):
            best, used = system.best[place], chosen_threshold(system, place)
            dev = None if system.tuned is None else used.score
            rows.append(
                (
                    system.name, metric.name, used.threshold, *used.interval, score_at_chosen(system, place), dev,
                    best.threshold, best.score, score_at_default(system, place),
                )
            )  # fmt: skip
    return Table(tr("Best thresholds"), header, tuple(rows))


def _curves(study: ThresholdStudy) -> Table:
    header = ("system", "threshold", "bad", "precision", "recall", *(metric.name for metric in study.metrics))
    rows: list[tuple[Cell, ...]] = []
    for system in study.systems:
        sweep = system.sweep
        columns = (sweep.places.thresholds, sweep.called, sweep.precision, sweep.recall, *sweep.scores)
        rows += [(system.name, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return Table(tr("Curves"), header, tuple(rows))


def number_kind_label(system: SystemThresholds) -> str:
    """Return a label for the kind of a system's word scores."""
    return "P(BAD)" if system.sweep.probabilities else tr("scores")


def chosen_threshold(system: SystemThresholds, place: int) -> BestThreshold:
    """Return the selected threshold of the metric at an index: tuned on other data if available, else here."""
    return system.best[place] if system.tuned is None else system.tuned[place]


def score_at_chosen(system: SystemThresholds, place: int) -> float:
    """Return the score here at the selected threshold, wherever it was tuned; NaN without one."""
    if system.tuned is None:
        return system.best[place].score
    threshold = system.tuned[place].threshold
    return math.nan if math.isnan(threshold) else float(system.sweep.at(threshold)[place])


def score_at_default(system: SystemThresholds, place: int) -> float:
    """Return the score of P(BAD) at the default threshold; NaN for other kinds of scores."""
    return float(system.sweep.at(DEFAULT_PROBABILITY_THRESHOLD)[place]) if system.sweep.probabilities else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdsReport:
    """Threshold study; `size` describes the data, `remarks` are warnings from reading its files.

    With `curves`, the JSON includes every threshold; TSV always does.
    """

    study: ThresholdStudy
    remarks: tuple[str, ...] = ()
    size: str = ""
    signature: str = ""
    curves: bool = False
    pair: str = ""
    """Language pair, in a report of several pairs."""

    @classmethod
    def made(
        cls, scoring: Scoring, study: ThresholdStudy, remarks: tuple[str, ...] = (), *, curves: bool = False
    ) -> ThresholdsReport:
        """Build the report of a study against this gold."""
        parts = {
            **scoring.level.signature(scoring), "BAD": "above-threshold", "tuned-on": _tuned_on(study),
            "interval-rounds": study.rounds, "seed": study.seed,
        }  # fmt: skip
        return cls(study, remarks, scoring.level.reported(scoring), settings_signature("thresholds", parts), curves)

    @property
    def heading(self) -> str:
        """Page title."""
        return tr("Thresholds")

    def of_pair(self, pair: str) -> ThresholdsReport:
        """Return a copy whose tables name the language pair."""
        return replace(self, pair=pair)

    # --- for programs

    def json(self) -> dict[str, Any]:
        """Return, by system, ranking quality and by metric the threshold, its interval and the score there; undefined
        values are null, explained in the notes. `best` is the best threshold on the scored gold.
        """
        study = self.study
        return {
            "seed": study.seed,
            "rounds": study.rounds,
            "bad": study.bad,
            "tuned_on": _tuned_on(study),
            "systems": {system.name: self._system(system) for system in study.systems},
            "signature": self.signature,
            "notes": self.notes(),
        }

    def _system(self, system: SystemThresholds) -> dict[str, Any]:
        sweep = system.sweep
        content: dict[str, Any] = {
            "numbers": number_kind_label(system),
            "thresholds": len(sweep.places.thresholds),
            "auc": json_number(sweep.together.auc),
            "average_precision": json_number(sweep.together.average_precision),
            "segments": _by_segment(sweep.by_segment),
            "metrics": {
                metric.name: self._metric(system, place, metric) for place, metric in enumerate(self.study.metrics)
            },
        }
        if self.curves:
            content["curve"] = {
                "threshold": sweep.places.thresholds.tolist(),
                "bad": list(map(json_number, sweep.called.tolist())),
                "precision": list(map(json_number, sweep.precision.tolist())),
                "recall": list(map(json_number, sweep.recall.tolist())),
                **{
                    metric.name: list(map(json_number, scores.tolist()))
                    for metric, scores in zip(self.study.metrics, sweep.scores, strict=True)
                },
            }
        return content

    def _metric(self, system: SystemThresholds, place: int, metric: Metric) -> dict[str, Any]:
        best, used = system.best[place], chosen_threshold(system, place)
        tuned = {} if system.tuned is None else {"dev_score": json_number(used.score)}
        return {
            "threshold": json_number(used.threshold),
            "interval": None if math.isnan(used.interval[0]) else list(used.interval),
            "score": json_number(score_at_chosen(system, place)),
            **tuned,
            "best": {
                "threshold": json_number(best.threshold),
                "score": json_number(best.score),
                "bad": json_number(best.called),
            },
            "usual": json_number(score_at_default(system, place)),
        }

    def columns(self) -> list[Table]:
        """Return tables for scripts: ranking quality of word scores, thresholds of each metric, and the curve of each
        system.
        """
        return threshold_columns(self.study)

    # --- for display

    def tables(self, decimals: int = 4) -> list[Table]:
        """Return the ranking quality of word scores, and the best thresholds by metric."""
        below = [note for note in (*self.notes(), self.signature) if note]
        first, second = self._ranks(decimals), self._thresholds(decimals)
        of = title_after_pair(self.pair, self.size)
        return [replace(first, title=title_after_pair(of, first.title)), replace(second, notes=tuple(below))]

    def pictures(self) -> list[str]:
        """Return the precision–recall curves of all systems."""
        from qe_desktop.report.render.chart_svg import curves_svg

        curves = {system.name: (system.sweep.recall, system.sweep.precision) for system in self.study.systems}
        return [curves_svg(title_after_pair(self.pair, tr("Precision vs. recall of BAD")), curves)]

    def _ranks(self, decimals: int) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for system in self.study.systems:
            together, by = system.sweep.together, system.sweep.by_segment
            rows.append(
                (
                    system.name, number_kind_label(system), together.auc, together.average_precision,
                    by.recall_at_k, by.auc, by.average_precision,
                )
            )  # fmt: skip
        header = (
            tr("system"), tr("word scores"), "AUC", "AP", tr("segments: R@K"), tr("segments: AUC"), tr("segments: AP"),
        )  # fmt: skip
        notes = (
            tr(
                "AUC and average precision (AP) are over all words; the segment means are over the {n:,} "
                    "{n:segment|segments} with both labels, as in the WMT22 explainability task.",
                "", self._segments(),
            ),
        )  # fmt: skip
        return Table(tr("Ranking quality of word scores (BAD first)"), header, tuple(rows), decimals, notes)

    def _segments(self) -> int:
        return next((system.sweep.by_segment.segments or 0 for system in self.study.systems), 0)

    def _thresholds(self, decimals: int) -> Table:
        dev = _tuned_on(self.study) == "dev"
        rows: list[tuple[Cell, ...]] = []
        for system in self.study.systems:
            for place, metric in enumerate(self.study.metrics):
                best, used = system.best[place], chosen_threshold(system, place)
                more = (used.score, best.score) if dev else ()
                rows.append(
                    (
                        system.name,
                        metric.name,
                        *_threshold(used),
                        score_at_chosen(system, place),
                        *more,
                        score_at_default(system, place),
                    )
                )
        size = len(self.study.metrics)
        at_usual = tr("at {threshold:g}", threshold=DEFAULT_PROBABILITY_THRESHOLD)
        header = (
            tr("system"), tr("metric"), tr("best threshold"), tr("95 %"), tr("% BAD"), tr("score"),
            *((tr("on dev"), tr("best here")) if dev else ()), at_usual,
        )  # fmt: skip
        title = tr("Best thresholds on dev, and scores here") if dev else tr("Best thresholds here")
        rules = tuple(range(size, size * len(self.study.systems), size))
        return Table(title, header, tuple(rows), decimals, (), rules)

    def notes(self) -> list[str]:
        """Notes on the meaning of thresholds, the data, undefined values and warnings."""
        study = self.study
        notes = list(self.remarks)
        notes.append(tr("A word is BAD if its score is above the threshold."))
        if _tuned_on(study) == "gold":
            notes.append(
                tr(
                    "These thresholds were tuned on this same gold, so the scores are optimistic. For "
                    "comparable scores, tune thresholds on other data."
                )
            )
        if study.dev_is_gold:
            notes.append(
                tr(
                    "The other data contain the same tags that are scored here, so the thresholds were tuned "
                    "on them and the scores are optimistic. Tune thresholds on other segments."
                )
            )
        if not 0 < study.bad < 1:
            notes.append(
                tr("The gold labels are all OK or all BAD, so AUC, average precision and Recall@K are undefined."),
            )
        notes.append(
            tr(
                "Intervals of thresholds contain 95 % of the best thresholds over {n:,} bootstrap "
                    "resamples of segments; if several thresholds are nearly as good, the best may lie "
                    "outside.",
                "", study.rounds,
            )
        )  # fmt: skip
        if any(len(system.sweep.places.thresholds) > MAX_THRESHOLDS for system in study.systems):
            notes.append(tr("In each resample {n:,} evenly spaced thresholds were tried.", "", MAX_THRESHOLDS))
        constant = [system.name for system in study.systems if system.sweep.constant]
        if constant:
            notes.append(
                tr(
                    "All words have the same score, so a threshold labels all or none of them BAD: {systems}.",
                    systems=", ".join(constant),
                )
            )
        return [*notes, *self._flat()]

    def _flat(self) -> list[str]:
        """Systems for which no threshold changes a metric."""
        results = []
        for place, metric in enumerate(self.study.metrics):
            flat = [
                system.name for system in self.study.systems if math.isnan(chosen_threshold(system, place).threshold)
            ]
            if flat:
                results.append(
                    tr(
                        "No threshold changes {metric}, so there is no best one: {systems}.",
                        metric=metric.name, systems=", ".join(flat),
                    )
                )  # fmt: skip
        return results


def _tuned_on(study: ThresholdStudy) -> str:
    return "dev" if any(system.tuned is not None for system in study.systems) else "gold"


def _threshold(best: BestThreshold) -> tuple[Cell, ...]:
    """Threshold, its interval and the share of words above it, for display."""
    if math.isnan(best.threshold):
        return DASH, DASH, DASH
    shown_as = tr("below all") if best.called == 1 else _short(best.threshold)
    ends = (
        DASH
        if math.isnan(best.interval[0])
        else tr("{low} – {high}", low=_short(best.interval[0]), high=_short(best.interval[1]))
    )
    return shown_as, ends, format_cell(100 * best.called, 1)


def _short(threshold: float) -> str:
    """Threshold for display; tiny values are shown as 0."""
    return f"{threshold if abs(threshold) > 1e-300 else 0:.4g}"


def _by_segment(found: WordRanking) -> dict[str, float | int | None]:
    return {
        "count": found.segments,
        "recall_at_k": None if found.recall_at_k is None else json_number(found.recall_at_k),
        "auc": json_number(found.auc),
        "average_precision": json_number(found.average_precision),
    }
