"""Study of metrics on trivial baselines, as JSON and as tables, one of them like table 1 of Logacheva et al. 2016."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels import Scoring
from qe_desktop.report.comparisons import exact_note, reach_note, top_and_bottom_note
from qe_desktop.report.render.tables import (
    Cell,
    ReportColumn,
    Table,
    display_table,
    format_cell,
    format_interval,
    interval_json,
    json_row,
    json_rows,
    script_table,
)
from qe_desktop.report.report_base import PairedReport
from qe_desktop.report.scores import documents_note, settings_signature, undefined_note
from qe_desktop.significance import top_and_bottom
from qe_desktop.studies.labelling_study import MAX_ERROR_WIDTHS, LabellingResult, LabellingStudy

DECIMALS = 3
DISTINCTIONS = ("d", "d_top", "d_bottom")


def mean_of_draws(values: Floats) -> float:
    """Return the mean of `values`, which has one value per random draw."""
    return float(values.mean())


@dataclass(frozen=True, slots=True, eq=False)
class LabellingsReport(PairedReport):
    """Study of trivial baselines; `size` describes the data, and `remarks` are warnings from reading files."""

    study: LabellingStudy
    remarks: tuple[str, ...] = ()
    size: str = ""
    signature: str = ""
    pair: str = ""
    heading: ClassVar[str] = tr("Metrics and trivial baselines")
    notes_below: ClassVar[int] = 0

    @classmethod
    def build(cls, scoring: Scoring, study: LabellingStudy, remarks: tuple[str, ...] = ()) -> LabellingsReport:
        """Build the report of a study of the systems in `scoring`."""
        options = study.options.comparison
        interval_rounds = {"interval-rounds": study.interval_rounds} if study.interval_rounds else {}
        parts = {
            **scoring.level.signature(scoring), "test": options.test, "rounds": options.rounds, "seed": options.seed,
            "unit": options.unit, "correction": options.correction, "alpha": options.alpha,
            "draws": study.options.draws, **interval_rounds,
        }  # fmt: skip
        return cls(study, remarks, scoring.level.report_summary(scoring), settings_signature("labellings", parts))

    def content(self) -> dict[str, Any]:
        """Return baselines and metrics; `rated_lower` and `score` are means over draws.

        `rated_lower` is the number of real systems ranked below the baseline.
        """
        study, options, columns = self.study, self.study.options.comparison, self._metrics()
        return {
            "seed": options.seed,
            "systems": study.systems,
            "rounds": options.rounds if study.comparison is None else study.comparison.rounds,
            "unit": options.unit,
            "correction": options.correction,
            "alpha": options.alpha,
            "draws": study.options.draws,
            "bad": study.gold_bad_share,
            "labellings": json_rows(self._baselines(), study.labellings),
            "metrics": {metric.name: json_row(columns, index) for index, metric in enumerate(study.metrics)},
        }

    def columns(self) -> list[Table]:
        """Return tables for scripts: d of each metric, scores of baselines, and each metric's ranking of systems."""
        study = self.study
        indices = range(len(study.metrics))
        tried = [(index, labelling) for index in indices for labelling in study.labellings]
        ranked = [
            (metric.name, rank, study.systems[system], float(study.scores[index, system]))
            for index, metric in enumerate(study.metrics)
            for rank, system in enumerate(study.order[index].tolist(), 1)
        ]
        return [
            script_table(self.heading, self._metrics(), indices),
            script_table(tr("Trivial baselines"), self._metric_baseline_columns(), tried),
            Table(tr("Rankings by metric"), ("metric", "rank", "system", "score"), tuple(ranked)),
        ]

    def display_tables(self) -> list[Table]:
        """Return a table like table 1 of Logacheva et al. 2016, the baselines' scores, and each metric's ranking."""
        study = self.study
        title = tr(
            "Discriminative power of metrics over {n} {n:system|systems}, and number of systems "
                "ranked below each trivial baseline",
            "", len(study.systems),
        )  # fmt: skip
        return [
            display_table(title, self._metrics(), range(len(study.metrics))),
            display_table(tr("Trivial baselines and their scores"), self._baselines(), study.labellings, DECIMALS),
            self._orders(),
        ]

    def _metrics(self) -> list[ReportColumn]:
        """Columns of the table of metrics; each row is built from the index of a metric."""
        study = self.study
        ends = [f"{name} {end}" for name in DISTINCTIONS for end in ("low", "high")]
        number = float if study.options.draws > 1 else int

        def named_scores(index: int) -> dict[str, float]:
            return {study.systems[system]: float(study.scores[index, system]) for system in study.order[index]}

        return [
            ReportColumn(lambda index: study.metrics[index].name, tr("metric"), "", "metric"),
            ReportColumn(lambda index: study.distinctions[index], "", DISTINCTIONS, DISTINCTIONS),
            ReportColumn(
                lambda index: study.distinction_ranges[index],
                "",
                "ranges",
                ends,
                script=np.ravel,
                json=lambda ranges: dict(zip(DISTINCTIONS, map(interval_json, ranges), strict=True)),
            ),
            ReportColumn(lambda index: [self._distinction(index, d) for d in range(len(DISTINCTIONS))], DISTINCTIONS),
            ReportColumn(
                lambda index: [_count(labelling, index) for labelling in study.labellings],
                [labelling.name for labelling in study.labellings],
            ),
            ReportColumn(
                lambda index: {
                    labelling.name: _metric_baseline_json(labelling, index) for labelling in study.labellings
                },
                key="labellings",
            ),
            ReportColumn(
                lambda index: number(study.totals[index]),
                tr("total"),
                "total",
                "",
                display=lambda total: f"{total:.1f}" if number is float else total,
            ),
            ReportColumn(lambda index: list(named_scores(index)), key="order"),
            ReportColumn(named_scores, key="scores"),
        ]

    def _distinction(self, index: int, d: int) -> str:
        low, high = self.study.distinction_ranges[index, d].tolist()
        return format_interval(float(self.study.distinctions[index, d]), None if low == high else (low, high), 2)

    def _baselines(self) -> list[ReportColumn]:
        """Columns of the table of baselines; each row is built from a `LabellingResult`."""
        metrics = self.study.metrics
        return [
            ReportColumn("name", tr("baseline"), ""),
            ReportColumn(
                lambda labelling: mean_of_draws(labelling.bad_shares), tr("% BAD"), "bad",
                display=lambda share: format_cell(100 * share, 1),
            ),
            ReportColumn(lambda labelling: mean_of_draws(labelling.precision), tr("precision"), "precision"),
            ReportColumn(lambda labelling: mean_of_draws(labelling.recall), tr("recall"), "recall"),
            ReportColumn(
                lambda labelling: [_score(labelling, index) for index in range(len(metrics))],
                [metric.name for metric in metrics],
            ),
        ]  # fmt: skip

    def _metric_baseline_columns(self) -> list[ReportColumn]:
        """Columns of the table of metrics and baselines; a row is built from a metric index and a `LabellingResult`."""
        return [
            ReportColumn(lambda row: self.study.metrics[row[0]].name, name="metric"),
            ReportColumn(lambda row: row[1].name, name="baseline"),
            ReportColumn(lambda row: row[1].draws, name="repetitions"),
            ReportColumn(lambda row: mean_of_draws(row[1].bad_shares), name="bad"),
            ReportColumn(lambda row: mean_of_draws(row[1].precision), name="precision"),
            ReportColumn(lambda row: mean_of_draws(row[1].recall), name="recall"),
            ReportColumn(lambda row: mean_of_draws(row[1].scores[row[0]]), name="score"),
            ReportColumn(lambda row: _extremes(row[1].scores[row[0]]), name=("score min", "score max")),
            ReportColumn(lambda row: _mean_count(row[1].lower_counts[row[0]]), name="ranked below"),
            ReportColumn(
                lambda row: _extremes(row[1].lower_counts[row[0]]), name=("ranked below min", "ranked below max")
            ),
            ReportColumn(lambda row: _interval_at(row[1].score_intervals, row[0]), name=("score low", "score high")),
            ReportColumn(
                lambda row: _interval_at(row[1].lower_intervals, row[0]), name=("ranked below low", "ranked below high")
            ),
        ]

    def _orders(self) -> Table:
        study = self.study
        rows: list[tuple[Cell, ...]] = [
            (
                rank + 1,
                *(
                    _with_score(study.systems[system], float(study.scores[index, system]))
                    for index, system in enumerate(study.order[:, rank].tolist())
                ),
            )
            for rank in range(len(study.systems))
        ]
        header = (tr("rank"), *(metric.name for metric in study.metrics))
        return Table(tr("Ranking of systems by each metric"), header, tuple(rows), DECIMALS)

    def notes(self) -> list[str]:
        """Return warnings, and notes on d, undefined values, baselines and intervals."""
        return [*self.remarks, *self._distinction_notes(), *self._labelling_notes()]

    def _distinction_notes(self) -> list[str]:
        study = self.study
        if study.comparison is None:
            return [
                tr(
                    "d is the share of system pairs that a metric separates significantly. It is undefined "
                    "because there is only one system."
                )
            ]
        if not 0 < study.gold_bad_share < 1:
            return [tr("The gold tags are all OK or all BAD, so d is undefined.")]
        results = []
        top, bottom = top_and_bottom(len(study.systems), study.options.comparison.top)
        results.append(top_and_bottom_note(top, bottom))
        if min(top, bottom) < 2:
            results.append(tr("d_top and d_bottom are undefined for fewer than two systems."))
        if study.comparison.exact:
            results.append(exact_note(study.comparison.rounds))
        elif (np.ptp(study.distinction_ranges, axis=-1) > 0).any():
            results.append(
                tr(
                    "In brackets after d: the range of d if every p is off by {errors} times its Monte Carlo error.",
                    errors=MAX_ERROR_WIDTHS,
                )
            )
        split = documents_note(study.comparison.split_documents, study.comparison.segments)
        return [*results, *(note for note in (split, reach_note(study.comparison)) if note)]

    def _labelling_notes(self) -> list[str]:
        study = self.study
        results = []
        for index, metric in enumerate(study.metrics):
            undefined = [name for name, score in zip(study.systems, study.scores[index], strict=True) if score != score]
            undefined += [labelling.name for labelling in study.labellings if np.isnan(labelling.scores[index]).any()]
            results += [undefined_note(metric, undefined)] if undefined else []
        empty = [
            labelling.name
            for labelling in study.labellings
            if labelling.name == "optimistic" and not labelling.bad_shares.any()
        ]
        if empty and study.gold_bad_share > 0:
            results.append(
                tr(
                    "A tenth of the BAD labels in the gold rounds to 0, "
                    "so the baseline “optimistic” has only OK labels."
                )
            )
        if study.options.draws > 1:
            results.append(
                tr(
                    "Random baselines: mean over {n:,} {n:random sample|random samples}; the range of system counts is "
                        "in parentheses.",
                    "", study.options.draws,
                )
            )  # fmt: skip
        if study.options.intervals and study.labellings and not study.interval_rounds:
            results.append(tr("There is only one segment or document to resample, so there are no intervals."))
        if study.interval_rounds:
            results.append(
                tr(
                    "In brackets after baseline scores and system counts: 95 % bootstrap intervals from {n:,} "
                        "{n:resample|resamples} shared by all systems and baselines. For a random baseline, they are "
                        "intervals of its first random sample.",
                    "", study.interval_rounds,
                )
            )  # fmt: skip
        return results


def _metric_baseline_json(labelling: LabellingResult, index: int) -> dict[str, Any]:
    scores, lower = labelling.scores[index], labelling.lower_counts[index]
    content: dict[str, Any] = {"score": mean_of_draws(scores), "rated_lower": _mean_count(lower)}
    if labelling.draws > 1:
        content |= {"score_range": interval_json(_extremes(scores)), "rated_lower_range": _extremes(lower)}
    if labelling.score_intervals is not None and labelling.lower_intervals is not None:
        content["score_interval"] = interval_json(labelling.score_intervals[index])
        content["rated_lower_interval"] = interval_json(labelling.lower_intervals[index])
    return content


def _mean_count(counts: Ints) -> float:
    """Mean count over random draws; for a single draw, the count as an integer."""
    return float(counts.mean()) if len(counts) > 1 else int(counts[0])


def _extremes(values: NDArray[Any]) -> list[float]:
    return [values.min().item(), values.max().item()]


def _interval_at(intervals: Floats | None, index: int) -> Floats | None:
    return None if intervals is None else intervals[index]


def _count(labelling: LabellingResult, index: int) -> str:
    """Format the number of systems ranked below a baseline (for several draws, mean and range), with its interval."""
    lower = labelling.lower_counts[index]
    result = str(int(lower[0]))
    if labelling.draws > 1:
        result = tr("{mean:.1f} ({least}–{most})", mean=lower.mean(), least=int(lower.min()), most=int(lower.max()))
    if labelling.lower_intervals is None:
        return result
    low, high = labelling.lower_intervals[index].tolist()
    return join_localized(" ", (result, f"[{low:g}, {high:g}]"))


def _score(labelling: LabellingResult, index: int) -> str | float:
    score = mean_of_draws(labelling.scores[index])
    return (
        score
        if labelling.score_intervals is None
        else format_interval(score, labelling.score_intervals[index], DECIMALS)
    )


def _with_score(name: str, score: float) -> str:
    """Format a system and its score as one cell."""
    return join_localized(" ", (name, "–" if math.isnan(score) else f"{score:.{DECIMALS}f}"))
