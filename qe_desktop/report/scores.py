"""System scores as JSON and as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

import qe_desktop
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, to_english, tr
from qe_desktop.metrics import Metric
from qe_desktop.metrics.correlation import CORRELATIONS
from qe_desktop.metrics.kendall import CONCORDANCE
from qe_desktop.report.render.tables import Cell, Table, format_interval, interval_json
from qe_desktop.report.report_base import PairedReport

if TYPE_CHECKING:
    # type checking only: a report needs no level at run time
    from qe_desktop.levels import Scoring
    from qe_desktop.significance import SignificanceOptions


CORRELATION_FAMILIES = (*CORRELATIONS, CONCORDANCE.name)
"""Names of metric families whose scores are correlations with the gold. These scores can be negative."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreReport(PairedReport):
    """Report on the metric scores of systems.

    `values` are the scores, shape (systems, metrics), NaN where undefined. `segments` and `items` are the numbers of
    segments and of items, such as tags. `signature` describes how the scores were computed. `remarks` are shown before
    the notes on undefined and unusual values. `intervals` maps metric names to intervals of shape (systems, 2), NaN
    where a score has no interval.
    """

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    values: Floats
    segments: int
    items: int
    signature: str
    title: str = tr("Scores")
    remarks: tuple[str, ...] = field(default=())
    intervals: Mapping[str, Floats] | None = None
    pair: str = ""
    heading: ClassVar[str] = tr("Scores")
    tokenizer: str = ""
    """Tokenizer of the texts, if texts are scored; otherwise empty."""
    sort_metric: str = ""
    """Metric by which displayed tables are sorted, best first; if empty, systems are in input order."""
    documents: int = 0
    """Number of documents if their segments are resampled independently to compute intervals, else 0."""

    @classmethod
    def build(
        cls,
        scoring: Scoring,
        metrics: Sequence[Metric],
        remarks: tuple[str, ...] = (),
        intervals: Mapping[str, Floats] | None = None,
        interval_settings: Mapping[str, Any] | None = None,
    ) -> ScoreReport:
        """Build a report on the systems in `scoring`; `interval_settings` states how `intervals` were computed."""
        level = scoring.level
        parts = level.signature(scoring)
        return cls(
            systems=scoring.names,
            metrics=tuple(metrics),
            values=scoring.scores(metrics),
            segments=scoring.segments,
            items=scoring.size,
            signature=settings_signature(level.group, {**parts, **(interval_settings or {})}),
            title=level.report_summary(scoring),
            remarks=remarks,
            intervals=intervals,
            tokenizer=parts.get("tok", ""),
        )

    @classmethod
    def build_with_intervals(
        cls,
        scoring: Scoring,
        metrics: Sequence[Metric],
        remarks: tuple[str, ...],
        options: SignificanceOptions,
    ) -> ScoreReport:
        """Build a report with intervals; `options` sets the method, resampling unit, number of resamples and seed.

        Raises QeError if documents are the resampling unit, but the documents of the segments are unknown.
        """
        intervals = scoring.intervals(scoring.family_rows(metrics), options)
        interval_settings = {
            **interval_signature(scoring, metrics, options),
            "unit": options.unit,
            "seed": options.seed,
        }
        split = scoring.split_documents if options.unit == "segment" else 0
        return replace(cls.build(scoring, metrics, remarks, intervals, interval_settings), documents=split)

    def of(self, metric: str) -> Floats:
        """Return the scores of the systems by one metric, shape (systems,), NaN where undefined.

        Raises KeyError if the report does not include the metric.
        """
        indices = {item.name.lower(): index for index, item in enumerate(self.metrics)}
        return self.values[:, indices[metric.lower()]]

    def content(self) -> dict[str, Any]:
        """Return the scores, keyed by system and metric, and the numbers of segments and items."""
        names = [metric.name for metric in self.metrics]
        return {
            "segments": self.segments,
            "items": self.items,
            "metrics": names,
            "systems": {
                name: dict(zip(names, row, strict=True))
                for name, row in zip(self.systems, self.values.tolist(), strict=True)
            },
        }

    @property
    def size(self) -> str:
        """Numbers of segments and items, as text for display."""
        return self.title

    def json(self) -> dict[str, Any]:
        """Return the JSON object that the command line writes. Undefined values are null; notes explain them."""
        # a dataclass with slots is a new class, which super() without arguments does not know
        ends = {} if self.intervals is None else {"intervals": intervals_json(self.systems, self.intervals)}
        return {**super(ScoreReport, self).json(), **ends}

    def notes(self) -> list[str]:
        """Return warnings, and notes on undefined and unusual values."""
        notes = list(self.remarks)
        for column, metric in enumerate(self.metrics):
            values = self.values[:, column]
            notes += undefined_notes(metric, self.systems, values)
            unusual = [name for name, value in zip(self.systems, values, strict=True) if value > metric.usual_max]
            if unusual:
                above = tr(
                    "{metric} of {systems} is above {usual:g}.",
                    metric=metric.name, systems=", ".join(unusual), usual=metric.usual_max,
                )  # fmt: skip
                notes.append(join_localized(" ", (above, metric.caution)))
            if self.intervals is not None and not metric.family.has_independent_rows:
                note = tr("{metric} compares each segment with all others, so it has no interval.", metric=metric.name)
                notes.append(note)
            if self.intervals is not None:
                notes += no_interval_notes(metric, self.systems, values, self.intervals[metric.name])
            notes += negative_correlation_notes(metric, self.systems, values, self.segments)
            if metric.signature:
                notes.append(join_localized(": ", (metric.name, metric.signature)))
        split = documents_note(self.documents, self.segments, has_p_values=False)
        return [*notes, split] if split else notes

    def table(self, decimals: int = 4) -> Table:
        """Return the table for display, with one row per system."""
        rows: list[tuple[Cell, ...]] = [
            (name, *(self._cell(row, column, decimals) for column in range(len(self.metrics))))
            for row, name in enumerate(self.systems)
        ]
        names = tuple(metric.name for metric in self.metrics)
        notes = (*self.notes(), *interval_notes((self.intervals or {}).values()), self.signature)
        return Table(self.subject, (tr("system"), *names), tuple(rows), decimals, notes)

    def tables(self) -> list[Table]:
        """Return one table for display, with a row per system, sorted by `sort_metric`."""
        column = next((index for index, metric in enumerate(self.metrics) if metric.name == self.sort_metric), None)
        if column is None or len(self.systems) < 2:
            return [self.table()]
        keys = -self.metrics[column].better * self.values[:, column]
        order = np.argsort(np.where(np.isnan(keys), np.inf, keys), kind="stable").tolist()
        intervals = self.intervals and {name: ends[order] for name, ends in self.intervals.items()}
        systems = tuple(self.systems[index] for index in order)
        table = replace(self, systems=systems, values=self.values[order], intervals=intervals).table()
        return [replace(table, notes=(tr("Sorted by {metric}, best first.", metric=self.sort_metric), *table.notes))]

    def _cell(self, row: int, column: int, decimals: int) -> Cell:
        score = float(self.values[row, column])
        if self.intervals is None:
            return score
        return format_interval(score, self.intervals[self.metrics[column].name][row], decimals)

    def columns(self) -> list[Table]:
        """Return one table for scripts, with one number per cell.

        If texts are scored, the last column has the tokenizer.
        """
        tokenizers = [self.tokenizer] * len(self.systems)
        if self.intervals is None:
            return [self.table().with_last("tokenizer", tokenizers)]
        names = [f"{metric.name}{part}" for metric in self.metrics for part in ("", " low", " high")]
        columns = [self.intervals[metric.name] for metric in self.metrics]
        numbers = np.dstack([self.values, np.stack(columns, axis=1)]).reshape(len(self.systems), -1)
        rows = tuple((name, *row) for name, row in zip(self.systems, numbers.tolist(), strict=True))
        return [Table(self.title, ("system", *names), rows).with_last("tokenizer", tokenizers)]


def interval_notes(intervals: Iterable[Floats]) -> list[str]:
    """Return a note that explains the intervals in brackets.

    `intervals` are arrays of shape (…, 2). The list is empty if no interval is defined.
    """
    return [tr("In brackets: 95 % intervals.")] if any(np.isfinite(ends).any() for ends in intervals) else []


def interval_signature(scoring: Scoring, metrics: Sequence[Metric], options: SignificanceOptions) -> dict[str, object]:
    """Return interval settings for a signature: the method and, if it resamples, the number of bootstrap resamples."""
    rounds = scoring.interval_rounds(metrics, options)
    return {"intervals": options.interval_method, **({"interval-rounds": rounds} if rounds else {})}


def intervals_json(systems: Sequence[str], intervals: Mapping[str, Floats]) -> dict[str, dict[str, list[float] | None]]:
    """Return intervals for JSON, keyed by system and metric: [low, high], or None if undefined."""
    return {
        name: {metric: interval_json(intervals_of_metric[index]) for metric, intervals_of_metric in intervals.items()}
        for index, name in enumerate(systems)
    }


def is_negative_correlation(score: float, items: int) -> bool:
    """Return whether a correlation over `items` items is more than two standard deviations (2/√`items`) below 0."""
    return score < -2 / math.sqrt(max(1, items))


def negative_correlation_notes(metric: Metric, systems: Sequence[str], scores: Floats, segments: int) -> list[str]:
    """Return a note on systems with a clearly negative correlation.

    The list is empty if there are no such systems, or if the metric is not a correlation.
    """
    if metric.family.name not in CORRELATION_FAMILIES:
        return []
    negative_systems = [
        name for name, score in zip(systems, scores.tolist(), strict=True) if is_negative_correlation(score, segments)
    ]
    if not negative_systems:
        return []
    note = tr(
        "{metric} of {systems} is negative: predictions and gold may have opposite directions "
            "(one measures quality, the other errors).",
        metric=metric.name, systems=", ".join(negative_systems),
    )  # fmt: skip
    return [note]


def documents_note(documents: int, segments: int, *, has_p_values: bool = True) -> str:
    """Return a warning that segments of documents are treated as independent; empty if `documents` is 0.

    `has_p_values` is whether the report has p-values; otherwise, the warning is only about intervals.
    """
    if not documents:
        return ""
    if not has_p_values:
        return tr(
            "{n:,} segments of {documents:,} documents are treated as independent. If segments of one"
                " document are similar, intervals are too narrow; use documents as resampling units to avoid this.",
            "", segments, documents=documents,
        )  # fmt: skip
    return tr(
        "{n:,} segments of {documents:,} documents are treated as independent. If segments of one"
            " document are similar, p-values are too small and intervals too narrow; use documents as"
            " resampling units to avoid this.",
        "", segments, documents=documents,
    )  # fmt: skip


def no_interval_notes(metric: Metric, systems: Sequence[str], scores: Floats, intervals: Floats) -> list[str]:
    """Return a note on systems with a score but no interval.

    The list is empty if there are no such systems, or if the metric never has intervals.
    """
    if not metric.family.has_independent_rows:
        return []
    lacks_interval = ~np.isnan(scores) & np.isnan(intervals).any(axis=-1)
    names = [name for name, is_lacking in zip(systems, lacks_interval, strict=True) if is_lacking]
    if not names:
        return []
    reason = tr(
        "{metric} of {systems} has no interval: there are too few segments or documents, or all of them have "
        "the same value.",
        metric=metric.name, systems=", ".join(names),
    )  # fmt: skip
    return [reason]


def undefined_notes(metric: Metric, systems: Sequence[str], scores: Floats) -> list[str]:
    """Return a note on systems for which a metric is undefined; the list is empty if there are no such systems."""
    undefined = [name for name, score in zip(systems, scores.tolist(), strict=True) if math.isnan(score)]
    return [undefined_note(metric, undefined)] if undefined else []


def undefined_note(metric: Metric, systems: Sequence[str]) -> str:
    """Return a note that states why a metric is undefined for `systems`."""
    return tr("{metric} of {systems}: {reason}", metric=metric.name, systems=", ".join(systems), reason=metric.reason)


def settings_signature(kind: str, parts: Mapping[str, Any]) -> str:
    """Return a one-line signature: the program version, the kind of report, and the settings in `parts`."""
    settings = "|".join(f"{name}:{to_english(value)}" for name, value in parts.items())
    return f"QE Desktop {qe_desktop.__version__}|{kind}|{settings}"
