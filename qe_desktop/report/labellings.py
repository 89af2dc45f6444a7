"""Metrics on trivial baselines as JSON, and as a table laid out like table 1 of Logacheva et al. 2016."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels import Scoring
from qe_desktop.metrics.family import Floats
from qe_desktop.report.comparisons import reach_note
from qe_desktop.report.render.columns import interval_json, json_number
from qe_desktop.report.render.tables import Cell, Table, format_interval, title_after_pair
from qe_desktop.report.scores import documents_note, format_with_interval, settings_signature, undefined_note
from qe_desktop.significance import top_and_bottom
from qe_desktop.studies.labellings.labelling_study import MAX_ERROR_WIDTHS, LabellingResult, LabellingStudy

DISTINCTIONS = ("d", "d_top", "d_bottom")
RANGE = ("low", "high")


def labelling_columns(study: LabellingStudy) -> list[Table]:
    """Return tables for scripts: d of each metric, scores of baselines, and each metric's ranking of systems."""
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
    return Table(tr("Metrics and trivial baselines"), ("metric", *DISTINCTIONS, *ends), rows)


def _labellings(study: LabellingStudy) -> Table:
    header = (
        "metric", "labelling", "draws", "bad", "precision", "recall", "score", "score min", "score max",
        "rated lower", "rated lower min", "rated lower max",
        "score low", "score high", "rated lower low", "rated lower high",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for place, metric in enumerate(study.metrics):
        for labelling in study.labellings:
            scores, lower = labelling.scores[place], labelling.lower[place]
            about = (
                mean_of_draws(labelling.called),
                mean_of_draws(labelling.precision),
                mean_of_draws(labelling.recall),
            )
            ends = [
                end for found in (labelling.score_intervals, labelling.lower_intervals) for end in _pair(found, place)
            ]
            low, high = (float(scores.min()), float(scores.max()))
            count = (float(lower.mean()) if labelling.draws > 1 else int(lower[0]), int(lower.min()), int(lower.max()))
            rows.append(
                (metric.name, labelling.name, labelling.draws, *about, mean_of_draws(scores), low, high, *count, *ends)
            )
    return Table(tr("Trivial baselines"), header, tuple(rows))


def _orders(study: LabellingStudy) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (metric.name, rank, study.systems[system], float(study.scores[place, system]))
        for place, metric in enumerate(study.metrics)
        for rank, system in enumerate(study.order[place].tolist(), 1)
    ]
    return Table(tr("Systems by each metric"), ("metric", "rank", "system", "score"), tuple(rows))


def mean_of_draws(values: Floats) -> float:
    """Mean over random draws."""
    return float(values.mean())


def _pair(ends: Floats | None, place: int) -> list[float]:
    return [math.nan, math.nan] if ends is None else ends[place].tolist()


@dataclass(frozen=True, slots=True, eq=False)
class LabellingsReport:
    """Study of trivial baselines; `size` describes the data, `remarks` are warnings from reading its files."""

    study: LabellingStudy
    remarks: tuple[str, ...] = ()
    size: str = ""
    signature: str = ""
    pair: str = ""
    """Language pair, in a report of several pairs."""

    @classmethod
    def made(cls, scoring: Scoring, study: LabellingStudy, remarks: tuple[str, ...] = ()) -> LabellingsReport:
        """Build the report of a study of these systems."""
        options = study.options.comparison
        drawn = {"interval-rounds": study.interval_rounds} if study.interval_rounds else {}
        parts = {
            **scoring.level.signature(scoring), "test": options.test, "rounds": options.rounds, "seed": options.seed,
            "unit": options.unit, "correction": options.correction, "alpha": options.alpha,
            "draws": study.options.draws, **drawn,
        }  # fmt: skip
        return cls(study, remarks, scoring.level.reported(scoring), settings_signature("labellings", parts))

    @property
    def heading(self) -> str:
        """Page title."""
        return tr("Metrics and trivial baselines")

    def of_pair(self, pair: str) -> LabellingsReport:
        """Return a copy whose tables name the language pair."""
        return replace(self, pair=pair)

    # --- for programs

    def json(self) -> dict[str, Any]:
        """Return the JSON of the command-line contract; `rated_lower` counts real systems (its mean over draws, as for
        the score); undefined values are null, explained in the notes.
        """
        study, options = self.study, self.study.options.comparison
        return {
            "seed": options.seed,
            "systems": list(study.systems),
            "rounds": options.rounds if study.comparison is None else study.comparison.rounds,
            "unit": options.unit,
            "correction": options.correction,
            "alpha": options.alpha,
            "draws": study.options.draws,
            "bad": study.bad,
            "labellings": {
                labelling.name: {
                    "bad": json_number(mean_of_draws(labelling.called)),
                    "precision": json_number(mean_of_draws(labelling.precision)),
                    "recall": json_number(mean_of_draws(labelling.recall)),
                }
                for labelling in study.labellings
            },
            "metrics": {metric.name: self._metric(place) for place, metric in enumerate(study.metrics)},
            "signature": self.signature,
            "notes": self.notes(),
        }

    def _metric(self, place: int) -> dict[str, Any]:
        study = self.study
        order = [study.systems[system] for system in study.order[place]]
        return {
            **{name: json_number(d) for name, d in zip(DISTINCTIONS, study.distinctions[place].tolist(), strict=True)},
            "ranges": {
                name: interval_json(ends)
                for name, ends in zip(DISTINCTIONS, study.distinction_ranges[place], strict=True)
            },
            "labellings": {labelling.name: _tried_json(labelling, place) for labelling in study.labellings},
            "total": float(study.totals[place]) if study.options.draws > 1 else int(study.totals[place]),
            "order": order,
            "scores": {
                study.systems[system]: json_number(float(study.scores[place, system])) for system in study.order[place]
            },
        }

    def columns(self) -> list[Table]:
        """Return tables for scripts: d of each metric, scores of baselines, and each metric's ranking of systems."""
        return labelling_columns(self.study)

    # --- for display

    def tables(self, decimals: int = 3) -> list[Table]:
        """Return the table of the paper, the baselines with their scores, and each metric's ranking of systems."""
        below = [note for note in (*self.notes(), self.signature) if note]
        first, *others = (self._table(), self._labellings(decimals), self._orders(decimals))
        of = title_after_pair(self.pair, self.size)
        return [replace(first, title=title_after_pair(of, first.title), notes=tuple(below)), *others]

    def pictures(self) -> list[str]:
        """Return no charts."""
        return []

    def _table(self) -> Table:
        study = self.study
        rows: list[tuple[Cell, ...]] = []
        for place, metric in enumerate(study.metrics):
            tables = zip(study.distinctions[place].tolist(), study.distinction_ranges[place].tolist(), strict=True)
            ds = [format_interval(d, None if low == high else (low, high), 2) for d, (low, high) in tables]
            counts = [_count(labelling, place) for labelling in study.labellings]
            total = float(study.totals[place])
            rows.append((metric.name, *ds, *counts, f"{total:.1f}" if study.options.draws > 1 else int(total)))
        header = (tr("metric"), *DISTINCTIONS, *(labelling.name for labelling in study.labellings), tr("total"))
        title = tr(
            "Discriminative power of metrics over {n} {n:system|systems}, and number of systems "
                "ranked below each trivial baseline",
            "", len(study.systems),
        )  # fmt: skip
        return Table(title, header, tuple(rows))

    def _labellings(self, decimals: int) -> Table:
        study = self.study
        rows: list[tuple[Cell, ...]] = [
            (
                labelling.name,
                f"{100 * mean_of_draws(labelling.called):.1f}",
                mean_of_draws(labelling.precision),
                mean_of_draws(labelling.recall),
                *(_score(labelling, place, decimals) for place in range(len(study.metrics))),
            )
            for labelling in study.labellings
        ]
        header = (
            tr("baseline"), tr("% BAD"), tr("precision"), tr("recall"), *(metric.name for metric in study.metrics)
        )  # fmt: skip
        return Table(tr("Trivial baselines and their scores"), header, tuple(rows), decimals)

    def _orders(self, decimals: int) -> Table:
        study = self.study
        rows: list[tuple[Cell, ...]] = [
            (
                rank + 1,
                *(
                    _with_score(study.systems[system], float(study.scores[place, system]), decimals)
                    for place, system in enumerate(study.order[:, rank].tolist())
                ),
            )
            for rank in range(len(study.systems))
        ]
        header = (tr("rank"), *(metric.name for metric in study.metrics))
        return Table(tr("Ranking of systems by each metric"), header, tuple(rows), decimals)

    def notes(self) -> list[str]:
        """Notes on undefined values, the data, and warnings."""
        return [*self.remarks, *self._about_d(), *self._about_labellings()]

    def _about_d(self) -> list[str]:
        study = self.study
        if study.comparison is None:
            return [
                tr(
                    "d is the share of system pairs that a metric separates significantly. It is undefined "
                    "for one system."
                )
            ]
        if not 0 < study.bad < 1:
            return [tr("The gold labels are all OK or all BAD, so d is undefined.")]
        results = []
        top, bottom = top_and_bottom(len(study.systems), study.options.comparison.top)
        results.append(
            tr(
                "d_top is for the {top} best {top:system|systems}, d_bottom for the other {bottom}; each "
                    "is corrected for its own pairs.",
                top=top, bottom=bottom,
            )
        )  # fmt: skip
        if min(top, bottom) < 2:
            results.append(tr("d is undefined for fewer than two systems."))
        if study.comparison.exact:
            results.append(tr("All {n:,} permutations were enumerated, so p is exact.", "", study.comparison.rounds))
        elif (np.ptp(study.distinction_ranges, axis=-1) > 0).any():
            results.append(
                tr(
                    "In brackets after d: its range if every p is off by {errors} of its Monte-Carlo errors.",
                    errors=MAX_ERROR_WIDTHS,
                )
            )
        split = documents_note(study.comparison.documents, study.comparison.segments)
        return [*results, *(note for note in (split, reach_note(study.comparison)) if note)]

    def _about_labellings(self) -> list[str]:
        study = self.study
        results = []
        for place, metric in enumerate(study.metrics):
            undefined = [name for name, score in zip(study.systems, study.scores[place], strict=True) if score != score]
            undefined += [labelling.name for labelling in study.labellings if np.isnan(labelling.scores[place]).any()]
            results += [undefined_note(metric, undefined)] if undefined else []
        empty = [
            labelling.name
            for labelling in study.labellings
            if labelling.name == "optimistic" and not labelling.called.any()
        ]
        if empty and study.bad > 0:
            results.append(
                tr('The gold has so few BAD labels that a tenth of them rounds to 0: "optimistic" is all OK.')
            )
        if study.options.draws > 1:
            results.append(
                tr(
                    "Random baselines: mean over {n:,} {n:draw|draws}, with minimum and maximum in brackets.",
                    "", study.options.draws,
                )
            )  # fmt: skip
        if study.options.intervals and study.labellings and not study.interval_rounds:
            results.append(tr("There is only one segment or document to resample, so there are no intervals."))
        if study.interval_rounds:
            results.append(
                tr(
                    "In brackets after scores and system counts: 95 % bootstrap intervals ({n:,} resamples of"
                        " segments, the same for systems and for the first draw of each random baseline).",
                    "", study.interval_rounds,
                )
            )  # fmt: skip
        return results


def _tried_json(labelling: LabellingResult, place: int) -> dict[str, Any]:
    scores, lower = labelling.scores[place], labelling.lower[place]
    if labelling.draws > 1:
        content: dict[str, Any] = {
            "score": json_number(mean_of_draws(scores)),
            "rated_lower": float(lower.mean()),
            "score_range": interval_json(np.asarray([scores.min(), scores.max()])),
            "rated_lower_range": [int(lower.min()), int(lower.max())],
        }
    else:
        content = {"score": json_number(float(scores[0])), "rated_lower": int(lower[0])}
    if labelling.score_intervals is not None and labelling.lower_intervals is not None:
        content["score_interval"] = interval_json(labelling.score_intervals[place])
        content["rated_lower_interval"] = interval_json(labelling.lower_intervals[place])
    return content


def _count(labelling: LabellingResult, place: int) -> str:
    """Number of systems ranked lower, with its interval."""
    lower = labelling.lower[place]
    result = str(int(lower[0]))
    if labelling.draws > 1:
        result = tr("{mean:.1f} ({least}–{most})", mean=lower.mean(), least=int(lower.min()), most=int(lower.max()))
    if labelling.lower_intervals is None:
        return result
    low, high = labelling.lower_intervals[place].tolist()
    return join_localized(" ", (result, f"[{low:g}, {high:g}]"))


def _score(labelling: LabellingResult, place: int, decimals: int) -> str | float:
    score = mean_of_draws(labelling.scores[place])
    return (
        score
        if labelling.score_intervals is None
        else format_with_interval(score, labelling.score_intervals[place], decimals)
    )


def _with_score(name: str, score: float, decimals: int) -> str:
    """System and its score in one cell."""
    return join_localized(" ", (name, "–" if math.isnan(score) else f"{score:.{decimals}f}"))
