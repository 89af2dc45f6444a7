"""Report of a threshold study: JSON, tables for display and for scripts, and precision–recall curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.metrics import Metric
from qe_desktop.report.render.tables import (
    DASH,
    Cell,
    ReportColumn,
    Table,
    display_table,
    format_cell,
    interval_json,
    json_row,
    script_table,
    title_after_pair,
)
from qe_desktop.report.report_base import PairedReport
from qe_desktop.report.scores import settings_signature
from qe_desktop.studies.threshold_study import (
    DEFAULT_PROBABILITY_THRESHOLD,
    MAX_THRESHOLDS,
    BestThreshold,
    SystemThresholds,
    ThresholdStudy,
    WordRanking,
)

_SystemMetric = tuple[SystemThresholds, int, Metric]


def number_kind_label(system: SystemThresholds) -> str:
    """Return the label of a system's word scores: "P(BAD)" if they are probabilities, otherwise "scores"."""
    return "P(BAD)" if system.sweep.probabilities else tr("scores")


def chosen_threshold(system: SystemThresholds, index: int) -> BestThreshold:
    """Return the selected threshold of the metric at `index`: tuned on other data if available, else on the gold."""
    return system.best[index] if system.tuned is None else system.tuned[index]


def score_at_chosen(system: SystemThresholds, index: int) -> float:
    """Return the score by the metric at `index` at its selected threshold; NaN if no threshold was selected.

    The score is computed on the gold of the study, even if the threshold was tuned on other data.
    """
    if system.tuned is None:
        return system.best[index].score
    threshold = system.tuned[index].threshold
    return math.nan if math.isnan(threshold) else float(system.sweep.scores_at(threshold)[index])


def score_at_default(system: SystemThresholds, index: int) -> float:
    """Return the score by the metric at `index` at the default threshold of P(BAD); NaN for other word scores."""
    return (
        float(system.sweep.scores_at(DEFAULT_PROBABILITY_THRESHOLD)[index]) if system.sweep.probabilities else math.nan
    )


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdsReport(PairedReport):
    """Report of a threshold study; `size` describes the data, and `remarks` are warnings from reading the files.

    If `curves` is set, the JSON output includes every threshold. The TSV output always does.
    """

    study: ThresholdStudy
    remarks: tuple[str, ...] = ()
    size: str = ""
    signature: str = ""
    curves: bool = False
    pair: str = ""
    """Language pair, if there are reports of several language pairs; otherwise empty."""
    heading: ClassVar[str] = tr("Thresholds")

    @classmethod
    def build(
        cls, scoring: Scoring, study: ThresholdStudy, remarks: tuple[str, ...] = (), *, curves: bool = False
    ) -> ThresholdsReport:
        """Build the report of a study whose gold is the gold of `scoring`."""
        parts = {
            **scoring.level.signature(scoring), "BAD": "above-threshold", "tuned-on": _tuning_data(study),
            "interval-rounds": study.rounds, "seed": study.seed,
        }  # fmt: skip
        return cls(
            study, remarks, scoring.level.report_summary(scoring), settings_signature("thresholds", parts), curves
        )

    def content(self) -> dict[str, Any]:
        """Return the ranking quality of each system and, by metric, the selected threshold, its interval and the score.

        The key `best` has the best threshold on the gold, even if the selected threshold was tuned on other data.
        """
        study = self.study
        return {
            "seed": study.seed,
            "rounds": study.rounds,
            "bad": study.gold_bad_share,
            "tuned_on": _tuning_data(study),
            "systems": {system.name: self._system(system) for system in study.systems},
        }

    def _system(self, system: SystemThresholds) -> dict[str, Any]:
        metrics = {
            metric.name: json_row(self._threshold_columns(), (system, index, metric))
            for index, metric in enumerate(self.study.metrics)
        }
        curve = {"curve": _curve(system, self.study.metrics)} if self.curves else {}
        return {**json_row(self._ranking_columns(), system), "metrics": metrics, **curve}

    def columns(self) -> list[Table]:
        """Return tables for scripts: ranking quality, thresholds by metric, and curves of all systems."""
        study = self.study
        curves = [
            (system.name, *row)
            for system in study.systems
            for row in zip(*(column.tolist() for column in _curve(system, study.metrics).values()), strict=True)
        ]
        header = ("system", "threshold", "bad", "precision", "recall", *(metric.name for metric in study.metrics))
        return [
            script_table(self.heading, self._ranking_columns(), study.systems),
            script_table(tr("Best thresholds"), self._threshold_columns(), self._system_metric_rows()),
            Table(tr("Curves"), header, tuple(curves)),
        ]

    def display_tables(self) -> list[Table]:
        """Return tables for display: ranking quality of word scores, and the selected thresholds by metric."""
        study = self.study
        ranks = tr("Ranking quality of word scores (BAD first)")
        segments = next((system.sweep.by_segment.segments or 0 for system in study.systems), 0)
        note = tr(
            "AUC and average precision (AP) are computed over all words. The “segments” columns are means over the "
                "{n:,} {n:segment|segments} with both OK and BAD words, as in the WMT22 explainability task.",
            "", segments,
        )  # fmt: skip
        dev = _tuning_data(study) == "dev"
        title = tr("Best thresholds on dev, and scores on this gold") if dev else tr("Best thresholds on this gold")
        size = len(study.metrics)
        rules = range(size, size * len(study.systems), size)
        return [
            display_table(ranks, self._ranking_columns(), study.systems, notes=[note]),
            display_table(title, self._threshold_columns(), self._system_metric_rows(), rules=rules),
        ]

    def pictures(self) -> list[str]:
        """Return an SVG chart of the precision–recall curves of all systems."""
        from qe_desktop.report.render.chart_svg import curves_svg

        curves = {system.name: (system.sweep.recall, system.sweep.precision) for system in self.study.systems}
        title = title_after_pair(self.pair, tr("Precision vs. recall of BAD"))
        return [curves_svg(title, curves, legend=tr("Lines: systems"))]

    def _system_metric_rows(self) -> list[_SystemMetric]:
        """Return all combinations of a system and a metric, as tuples of system, metric index and metric."""
        return [
            (system, index, metric) for system in self.study.systems for index, metric in enumerate(self.study.metrics)
        ]

    def _ranking_columns(self) -> list[ReportColumn]:
        """Columns of the table of ranking quality; each row is the `SystemThresholds` of a system."""
        return [
            ReportColumn("name", tr("system"), key="", name="system"),
            ReportColumn(number_kind_label, tr("word scores"), "numbers", "numbers"),
            ReportColumn(lambda system: len(system.sweep.positions.thresholds), key="thresholds", name="thresholds"),
            ReportColumn("sweep.together.auc", "AUC", "auc", "auc"),
            ReportColumn("sweep.together.average_precision", "AP", "average_precision", "average precision"),
            ReportColumn("sweep.by_segment", key="segments", name="", json=_by_segment),
            ReportColumn("sweep.by_segment.segments", key="", name="segments"),
            ReportColumn("sweep.by_segment.recall_at_k", tr("segment R@K"), "", "segments recall at k"),
            ReportColumn("sweep.by_segment.auc", tr("segment AUC"), "", "segments auc"),
            ReportColumn("sweep.by_segment.average_precision", tr("segment AP"), "", "segments average precision"),
        ]

    def _threshold_columns(self) -> list[ReportColumn]:
        """Columns of the table of thresholds; each row is a tuple of system, metric index and metric."""
        dev = _tuning_data(self.study) == "dev"
        titles = (tr("best threshold"), tr("95 % interval"), tr("% BAD"))
        at_default = tr("at {threshold:g}", threshold=DEFAULT_PROBABILITY_THRESHOLD)
        return [
            ReportColumn(lambda row: row[0].name, tr("system"), "", "system"),
            ReportColumn(lambda row: row[2].name, tr("metric"), "", "metric"),
            ReportColumn(_selected_threshold, titles, display=_threshold),
            ReportColumn(lambda row: _selected_threshold(row).threshold, "", "threshold", "threshold"),
            ReportColumn(
                lambda row: _selected_threshold(row).interval, "", "interval", ("low", "high"), json=interval_json
            ),
            ReportColumn(lambda row: score_at_chosen(*row[:2]), tr("score"), "score", "score"),
            ReportColumn(
                lambda row: None if row[0].tuned is None else _selected_threshold(row).score,
                tr("on dev") if dev else "",
                "dev_score" if dev else "",
                "dev score",
            ),
            ReportColumn(
                _best,
                key="best",
                json=lambda best: {
                    "threshold": best.threshold,
                    "score": best.score,
                    "bad": best.bad_share,
                },
            ),
            ReportColumn(lambda row: _best(row).threshold, name="best threshold"),
            ReportColumn(lambda row: _best(row).score, tr("best on gold") if dev else "", "", "best score"),
            ReportColumn(lambda row: score_at_default(*row[:2]), at_default, "usual", "score at default"),
        ]

    def notes(self) -> list[str]:
        """Return warnings, and notes on thresholds, tuning data and undefined values."""
        study = self.study
        notes = list(self.remarks)
        notes.append(tr("A word is BAD if its score is above the threshold."))
        if _tuning_data(study) == "gold":
            notes.append(
                tr(
                    "The thresholds were tuned on the gold used for scoring, so the scores are optimistic. To avoid "
                    "this, tune thresholds on other data."
                )
            )
        if study.dev_is_gold:
            notes.append(
                tr(
                    "The tuning data have the same gold tags as the scored data, so the scores are optimistic. "
                    "Tune thresholds on other segments."
                )
            )
        if not 0 < study.gold_bad_share < 1:
            notes.append(
                tr("The gold tags are all OK or all BAD, so AUC, average precision and Recall@K are undefined."),
            )
        notes += self._interval_notes()
        constant = [system.name for system in study.systems if system.sweep.is_constant]
        if constant:
            notes.append(
                tr(
                    "{systems}: all words have the same score, so any threshold labels either all of them BAD or none.",
                    systems=", ".join(constant),
                )
            )
        return [*notes, *self._no_effect_notes()]

    def _interval_notes(self) -> list[str]:
        """Return notes on the intervals of thresholds; the list is empty if no interval is defined."""
        study = self.study
        indices = range(len(study.metrics))
        if all(
            math.isnan(chosen_threshold(system, index).interval[0]) for system in study.systems for index in indices
        ):
            return []
        notes = [
            tr(
                "Intervals of thresholds contain 95 % of the best thresholds over {n:,} bootstrap "
                    "resamples of segments. If other thresholds are nearly as good as the best one, the best one may "
                    "lie outside its interval.",
                "", study.rounds,
            )
        ]  # fmt: skip
        if any(len(system.sweep.positions.thresholds) > MAX_THRESHOLDS for system in study.systems):
            notes.append(
                tr("In each resample, at most {n:,} thresholds were tried, evenly spaced by rank.", "", MAX_THRESHOLDS)
            )
        return notes

    def _no_effect_notes(self) -> list[str]:
        """Return a note on each metric that has the same value at every threshold of some system."""
        results = []
        for index, metric in enumerate(self.study.metrics):
            unaffected_systems = [
                system.name for system in self.study.systems if math.isnan(chosen_threshold(system, index).threshold)
            ]
            if unaffected_systems:
                results.append(
                    tr(
                        "{metric} of {systems} is the same at all thresholds, so there is no best threshold.",
                        metric=metric.name, systems=", ".join(unaffected_systems),
                    )
                )  # fmt: skip
        return results


def _tuning_data(study: ThresholdStudy) -> str:
    return "dev" if any(system.tuned is not None for system in study.systems) else "gold"


def _threshold(best: BestThreshold) -> tuple[Cell, ...]:
    """Return three cells for display: the threshold, its interval, and the percentage of words tagged BAD."""
    if math.isnan(best.threshold):
        return DASH, DASH, DASH
    shown_as = tr("below all scores") if best.bad_share == 1 else _format_threshold(best.threshold)
    ends = (
        DASH
        if math.isnan(best.interval[0])
        else tr("{low} – {high}", low=_format_threshold(best.interval[0]), high=_format_threshold(best.interval[1]))
    )
    return shown_as, ends, format_cell(100 * best.bad_share, 1)


def _selected_threshold(row: _SystemMetric) -> BestThreshold:
    return chosen_threshold(*row[:2])


def _best(row: _SystemMetric) -> BestThreshold:
    system, index, _ = row
    return system.best[index]


def _curve(system: SystemThresholds, metrics: Sequence[Metric]) -> dict[str, Floats]:
    """Return the columns of a system's curve, keyed by column name in the JSON output."""
    sweep = system.sweep
    scores = {metric.name: scores for metric, scores in zip(metrics, sweep.scores, strict=True)}
    shares = {"bad": sweep.bad_shares, "precision": sweep.precision, "recall": sweep.recall}
    return {"threshold": sweep.positions.thresholds, **shares, **scores}


def _format_threshold(threshold: float) -> str:
    """Format a threshold for display with four significant digits; absolute values up to 1e-300 are shown as 0."""
    return f"{threshold if abs(threshold) > 1e-300 else 0:.4g}"


def _by_segment(ranking: WordRanking) -> dict[str, float | int | None]:
    return {
        "count": ranking.segments,
        "recall_at_k": ranking.recall_at_k,
        "auc": ranking.auc,
        "average_precision": ranking.average_precision,
    }
