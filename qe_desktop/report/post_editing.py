"""Post-editing study as JSON, and as tables for display and for scripts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from qe_desktop.corpus import ReviewStatus
from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.report.render.tables import (
    DASH,
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
from qe_desktop.report.report_base import ReportBase
from qe_desktop.report.scores import settings_signature
from qe_desktop.studies.post_editing.highlights import HIGHLIGHT_STATISTIC_NAMES, HighlightStatistics
from qe_desktop.studies.post_editing.post_editing_study import KEY_KINDS, PostEditingStudy
from qe_desktop.studies.post_editing.skipping import SkippingCurve

SKIPPED_SHARES = (0.1, 0.25, 0.5, 0.75)
"""Shares of skipped segments for which tables show the missed edits."""
MAX_MISSED_SHARE = 0.05
"""Maximum share of missed edits for which tables show how many segments can be skipped."""
MAX_LISTED_SEGMENTS = 40
"""Maximum number of rows in the displayed table of segments; the table for scripts contains all rows."""
EDIT_KINDS = ("insertions", "deletions", "substitutions", "shifts")
_KEY_NAMES = tuple(f"{kind} keys" for kind in KEY_KINDS)
_CURVE_NAMES = ("threshold", "skipped", "missed", "low", "high")
_CURVE_KEYS = {"missed": "through"}
"""JSON keys of values on a curve, by name; the key of any other value is its name."""


@dataclass(frozen=True, slots=True, eq=False)
class PostEditingReport(ReportBase):
    """Report of a post-editing study; `remarks` are warnings from reading the files of the study."""

    study: PostEditingStudy
    remarks: tuple[str, ...] = ()
    heading: ClassVar[str] = tr("Post-editing")

    @property
    def signature(self) -> str:
        """One-line signature needed to reproduce the numbers."""
        study = self.study
        parts = {
            "segments": len(study.reviewed), "edits": "tercom-lowercase-shifts", "hter": "capped",
            "characters": "of-words-edited", "random": "same-words-a-segment", "interval": "bootstrap-segments",
            "rounds": study.rounds, "seed": study.seed,
        }  # fmt: skip
        return settings_signature("post-editing", parts)

    def content(self) -> dict[str, Any]:
        """Return `totals` of post-editors, `segments`, and `highlights` and `skipping` of each system."""
        study = self.study
        return {
            "reviewed": len(study.reviewed),
            "corpus_segments": study.reviewed.size,
            "pause_limits": study.limits,
            "totals": list(map(partial(json_row, _totals()), study.totals)),
            "segments": list(map(partial(json_row, _segments()), study.statistics)),
            "highlights": json_rows(_highlights(), study.highlights),
            "skipping": json_rows(_skipping(), study.skipping),
            "seed": study.seed,
            "rounds": study.rounds,
        }

    def columns(self) -> list[Table]:
        """Return totals, segments, highlights, and the missed edits at every threshold."""
        study = self.study
        points = [
            (curve.name, *point)
            for curve in study.skipping
            for point in zip(*(_curve_points(name, curve) for name in _CURVE_NAMES), strict=True)
        ]
        return [
            script_table(self.heading, _totals(), study.totals),
            script_table(tr("Segments"), _segments(), study.statistics),
            script_table(tr("Highlights"), _highlights(), study.highlights),
            Table(tr("Skipping"), ("system", *_CURVE_NAMES), tuple(points)),
        ]

    def display_tables(self) -> list[Table]:
        """Return totals, segments, highlights and skipping."""
        study = self.study
        title = tr(
            "{n:,} of {size:,} {size:segment|segments} reviewed", "", len(study.reviewed), size=study.reviewed.size,
        )  # fmt: skip
        tables = [display_table(title, _totals(), study.totals, 3), self._longest_segments()]
        if study.highlights:
            edited, title = study.highlights[0].edited, tr("Precision of highlights")
            if not math.isnan(edited):
                title = tr("Precision of highlights: {share:.1f} % of characters edited", share=100 * edited)
            tables.append(display_table(title, _highlights(), study.highlights))
        if study.skipping:
            title = tr("Missed edits if the segments with the lowest predicted error are skipped")
            tables.append(display_table(title, _skipping(), study.skipping))
        return tables

    def _longest_segments(self) -> Table:
        ordered = sorted(
            self.study.statistics,
            key=lambda figure: (math.isnan(figure.seconds), -_zero_if_nan(figure.seconds), -_zero_if_nan(figure.hter)),
        )
        left = len(ordered) - MAX_LISTED_SEGMENTS
        notes = (tr("{n:,} more {n:row is|rows are} in JSON and TSV output.", "", left),) if left > 0 else ()
        title = tr("Segments, longest time first") if self.study.visits else tr("Segments, highest HTER first")
        return display_table(title, _segments(), ordered[:MAX_LISTED_SEGMENTS], 3, notes)

    def pictures(self) -> list[str]:
        """Return one SVG chart of missed edits against skipped segments; none if there are no curves."""
        from qe_desktop.report.render.chart_svg import curves_svg

        curves = {curve.name: (curve.skipped, curve.missed) for curve in self.study.skipping}
        title = tr("Missed edits against skipped segments")
        axes = tr("skipped"), tr("missed edits")
        return [curves_svg(title, curves, *axes, legend=tr("Lines: systems"))] if curves else []

    def notes(self) -> list[str]:
        """Return warnings, and notes on definitions and the data."""
        study = self.study
        notes = list(self.remarks)
        caution = study.reviewed.untokenized_note()
        if caution:
            notes.append(caution)
        if study.reviewed.from_files:
            notes.append(tr("The post-edits come from files, so all segments count as reviewed. Times and "
                "post-editors are unknown."))  # fmt: skip
        else:
            notes.append(tr("Segments edited or confirmed in QE Desktop count as reviewed. Segments that a bilingual "
                "file marks as edited or confirmed count only if the file also contains the original MT. "
                "Rejected segments have no post-edit and do not count."))  # fmt: skip
        notes.append(tr("Edited: the post-edit differs from the MT. Edits and HTER are computed as at WMT, "
            "ignoring case. Mean HTER: average of the segments' values, each capped at 1. Pooled HTER: all "
            "edits divided by all post-edit words."))  # fmt: skip
        if study.visits:
            limits = ", ".join(f"{limit:g}" for limit in study.limits)
            notes.append(tr("Time excludes pauses longer than {limit} s and time in other windows. Words/hour uses "
                "segments with both a post-edit and a time.", limit=limits))  # fmt: skip
        elif not study.reviewed.from_files:
            notes.append(tr("No times were recorded."))
        if study.highlights:
            notes.append(tr("E (edited): characters of MT words that are not aligned to an identical word of the "
                "post-edit. H (highlighted, flagged): characters of words that the system tags BAD. Λ E (lift): "
                "P(E|H) divided by P(E|not H). Λ H: P(H|E) divided by P(H|not E). Random: expected value if the "
                "words flagged in each segment were a random sample of the same size. Intervals: 95 % bootstrap, {n:,} "
                "{n:resample|resamples} of segments.",
                            "", study.rounds))  # fmt: skip
        if any(np.isnan(highlight.intervals[~np.isnan(highlight.values)]).any() for highlight in study.highlights):
            notes.append(tr("Values based on one segment have no interval, because there is nothing to resample."))
        if study.skipping:
            notes.append(tr("The share of segments that can be skipped is the largest for which the "
                "interval of missed edits ends at {share:.0f} % or below. It was tuned on the segments studied; "
                "on other segments, it may be lower.",
                            share=100 * MAX_MISSED_SHARE))  # fmt: skip
            notes += [_reversed_scores_note(curve) for curve in study.skipping if is_worse_than_random(curve)]
        return notes


def _reversed_scores_note(curve: SkippingCurve) -> str:
    return tr("{system}: segments with lower predicted error were edited more. The direction of its "
        "scores may be reversed.", system=curve.name)  # fmt: skip


def is_worse_than_random(curve: SkippingCurve) -> bool:
    """Return whether the 95% intervals of missed edits are all above the diagonal from 20% to 80% skipped segments.

    If so, the scores may be reversed.
    """
    middle = (curve.skipped > 0.2) & (curve.skipped < 0.8)
    return bool(middle.any() and (curve.low[middle] > curve.skipped[middle]).all())


def missed_edits_at(curve: SkippingCurve, share: float, decimals: int) -> str:
    """Format the share of missed edits, with its 95% interval, if at most the share `share` of segments is skipped.

    The threshold is the last one that skips at most this share. If every threshold skips more, the result is a dash.
    """
    index = int((curve.skipped <= share + 1e-12).sum()) - 1
    if index < 0:
        return DASH
    return format_interval(float(curve.missed[index]), (float(curve.low[index]), float(curve.high[index])), decimals)


def max_skipped_percent(curve: SkippingCurve) -> str:
    """Format the largest percentage of segments that can be skipped.

    The upper limit of the 95% interval of missed edits must not exceed `MAX_MISSED_SHARE`.
    """
    index = curve.last_index_within(MAX_MISSED_SHARE)
    return f"{100 * float(curve.skipped[index]):.1f}" if index >= 0 else "0"


def format_clock(seconds: float) -> str | None:
    """Format a number of seconds as `1:02:03` or, if it is less than an hour, `2:03`; return None for NaN."""
    if math.isnan(seconds):
        return None
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _zero_if_nan(value: float) -> float:
    return 0.0 if math.isnan(value) else value


# --- columns


def _totals() -> list[ReportColumn]:
    """Columns of the table of post-editors; each row is built from the `PersonTotals` of one or of all post-editors."""
    return [
        ReportColumn(
            lambda total: None if total.everybody else total.person, tr("post-editor"), "person", "post-editor",
            display=lambda person: tr("all") if person is None else person or tr("unknown"),
        ),
        ReportColumn("segments", tr("segments")),
        ReportColumn("edited", tr("edited")),
        ReportColumn("recorded"),
        ReportColumn("source_words", tr("source words")),
        *_times(),
        ReportColumn(
            "words_an_hour", tr("words/hour"), display=lambda speed: None if math.isnan(speed) else round(speed)
        ),
        ReportColumn("keys", tr("keystrokes"), name=_KEY_NAMES, json=partial(_by_kind, KEY_KINDS), display=_sum),
        ReportColumn("edits", tr("edits"), name=EDIT_KINDS, json=partial(_by_kind, EDIT_KINDS), display=_sum),
        ReportColumn("hter", tr("mean HTER"), name="mean HTER"),
        ReportColumn("edit_rate", tr("pooled HTER"), name="pooled HTER"),
    ]  # fmt: skip


def _segments() -> list[ReportColumn]:
    """Columns of the table of segments and post-editors; each row is built from a `SegmentStatistics`."""
    edits = (tr("insertions"), tr("deletions"), tr("substitutions"), tr("shifts"))
    return [
        ReportColumn(lambda figure: figure.segment + 1, tr("segment"), "segment", "segment"),
        ReportColumn(
            "person", tr("post-editor"), "person", "post-editor", display=lambda person: person or tr("unknown")
        ),
        ReportColumn(
            "status", tr("status"), json=_status_name, script=_status_name,
            display=lambda status: tr("not reviewed") if status is None else status.display_name,
        ),
        ReportColumn("visits"),
        *_times(),
        ReportColumn("gaps_300", name="gaps 300 ms"),
        ReportColumn("gaps_1000", name="gaps 1 s"),
        ReportColumn("keys", tr("keystrokes"), name=_KEY_NAMES, json=partial(_by_kind, KEY_KINDS), display=_sum),
        ReportColumn("source_words"),
        ReportColumn("edits", edits, name=EDIT_KINDS, json=partial(_by_kind, EDIT_KINDS)),
        ReportColumn("hter", "HTER"),
        ReportColumn(
            lambda figure: figure.changed if figure.is_post_edit else None, key="changed", name="changed",
            script=lambda changed: None if changed is None else "yes" if changed else "no",
        ),
    ]  # fmt: skip


def _times() -> list[ReportColumn]:
    return [
        ReportColumn(name, title, display=format_clock)
        for name, title in (("seconds", tr("time")), ("pauses", tr("pauses")), ("away", tr("other windows")))
    ]


def _by_kind(kinds: Sequence[str], counts: Sequence[int]) -> dict[str, int] | None:
    return dict(zip(kinds, counts, strict=True)) if counts else None


def _sum(counts: Sequence[int]) -> int | None:
    return sum(counts) if counts else None


def _status_name(status: ReviewStatus | None) -> str | None:
    return None if status is None else status.name.lower()


def _highlights() -> list[ReportColumn]:
    """Columns of the table of highlights; each row is built from the `HighlightStatistics` of a system."""
    columns = [
        ReportColumn("name", tr("system"), key="", name="system"),
        ReportColumn("edited"),
        ReportColumn("highlighted", tr("% highlighted"), display=lambda share: format_cell(100 * share, 1)),
    ]
    for index, (name, title) in enumerate(
        zip(HIGHLIGHT_STATISTIC_NAMES, ("P(E|H)", "P(H|E)", "Λ E", "Λ H"), strict=True)
    ):
        names = (name, f"{name} low", f"{name} high")
        columns.append(
            ReportColumn(partial(_statistic, index), title, name, names, json=lambda value: value[0], display=_interval)
        )
        if index < 2:
            columns.append(ReportColumn(partial(_random_statistic, index), tr("random")))
    random = tuple(f"random {name}" for name in HIGHLIGHT_STATISTIC_NAMES)
    return [
        *columns,
        ReportColumn("intervals", name="", json=lambda ends: _by_statistic(map(interval_json, ends))),
        ReportColumn("of_random", key="random", name=random, json=_by_statistic),
        ReportColumn("precision_gain", key="ahead_of_random", name="gain over random"),
        ReportColumn(
            "precision_gain_interval", key="ahead_interval", name=("gain low", "gain high"), json=interval_json
        ),
        ReportColumn(
            lambda item: (item.precision_gain, *item.precision_gain_interval), tr("P(E|H) gain"), display=_interval
        ),
    ]


def _statistic(index: int, highlight: HighlightStatistics) -> tuple[float, ...]:
    """Return the value of the statistic at `index`, and the ends of its interval."""
    return float(highlight.values[index]), *map(float, highlight.intervals[index])


def _random_statistic(index: int, highlight: HighlightStatistics) -> float:
    return float(highlight.of_random[index])


def _by_statistic(values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(HIGHLIGHT_STATISTIC_NAMES, values, strict=True))


def _interval(value: Sequence[float]) -> str:
    return format_interval(value[0], value[1:], 4)


def _skipping() -> list[ReportColumn]:
    """Columns of the table of missed edits; each row is built from the `SkippingCurve` of a system."""
    missed = [
        ReportColumn(
            partial(missed_edits_at, share=share, decimals=4), tr("missed, {share:.0f} % skipped", share=100 * share)
        )
        for share in SKIPPED_SHARES
    ]
    return [
        ReportColumn(lambda curve: elide(curve.name, 60), tr("system")),
        ReportColumn("uncertainty.of", tr("skipped by"), key="by"),
        *missed,
        ReportColumn(max_skipped_percent, tr("% skipped, ≤ {share:.0f} % missed", share=100 * MAX_MISSED_SHARE)),
        ReportColumn("segments"),
        ReportColumn("edits"),
        *(ReportColumn(partial(_curve_points, name), key=_CURVE_KEYS.get(name, name)) for name in _CURVE_NAMES),
    ]


def _curve_points(name: str, curve: SkippingCurve) -> list[float]:
    points: Floats = curve.uncertainty.sign * curve.thresholds if name == "threshold" else getattr(curve, name)
    return list(map(float, points))
