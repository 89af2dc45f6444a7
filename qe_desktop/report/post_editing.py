"""Post-editing study as JSON, as tables for display, and as columns for scripts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Floats
from qe_desktop.report.post_editing_columns import (
    EDIT_KINDS,
    figure_columns,
    highlight_columns,
    skipping_columns,
    totals_columns,
)
from qe_desktop.report.render.tables import DASH, Cell, Table, format_interval
from qe_desktop.report.scores import json_number, settings_signature
from qe_desktop.studies.post_editing.highlights import HIGHLIGHT_STATISTIC_NAMES, HighlightStatistics
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.studies.post_editing.recorded_work import KEY_KINDS
from qe_desktop.studies.post_editing.segment_figures import PersonTotals, SegmentStatistics
from qe_desktop.studies.post_editing.skipping import SkippingCurve

SKIPPED_SHARES = (0.1, 0.25, 0.5, 0.75)
"""Shares of skipped segments shown in tables."""
MAX_MISSED_SHARE = 0.05
"""Share of missed edits at which tables show how many segments can be skipped."""
MAX_LISTED_SEGMENTS = 40
"""Number of segments listed in tables for display; tables for scripts list all."""


@dataclass(frozen=True, slots=True, eq=False)
class PostEditingReport:
    """Post-editing study; `remarks` are warnings from reading its files."""

    study: PostEditingStudy
    remarks: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Page title."""
        return tr("Post-editing")

    @property
    def signature(self) -> str:
        """Return the signature of the numbers."""
        study = self.study
        parts = {
            "segments": len(study.reviewed), "edits": "tercom-lowercase-shifts", "hter": "capped",
            "characters": "of-words-edited", "random": "same-words-a-segment", "interval": "bootstrap-segments",
            "rounds": study.rounds, "seed": study.seed,
        }  # fmt: skip
        return settings_signature("post-editing", parts)

    # --- for programs

    def json(self) -> dict[str, Any]:
        """Return `totals` of post-editors, `segments`, and `highlights` and `skipping` of each system; null where
        undefined.
        """
        study = self.study
        return {
            "reviewed": len(study.reviewed),
            "corpus_segments": study.reviewed.size,
            "pause_limits": list(study.limits),
            "totals": [_total(total) for total in study.totals],
            "segments": [_segment(figure) for figure in study.figures],
            "highlights": {highlight.name: _highlights(highlight) for highlight in study.highlights},
            "skipping": {curve.name: _skipping(curve) for curve in study.skipping},
            "seed": study.seed,
            "rounds": study.rounds,
            "signature": self.signature,
            "notes": self.notes(),
        }

    def columns(self) -> list[Table]:
        """Return totals, segments, highlights and every threshold."""
        study = self.study
        return [totals_columns(study), figure_columns(study), highlight_columns(study), skipping_columns(study)]

    # --- for display

    def tables(self, decimals: int = 4) -> list[Table]:
        """Return totals, segments, highlights and skipping."""
        tables = [self._totals(), self._segments()]
        tables += [self._highlights(decimals)] if self.study.highlights else []
        tables += [self._skipping(decimals)] if self.study.skipping else []
        tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, *self.notes(), self.signature))
        return tables

    def pictures(self) -> list[str]:
        """Return the curves of missed edits against skipped segments."""
        from qe_desktop.report.render.chart_svg import curves_svg

        curves = {curve.name: (curve.skipped, curve.through) for curve in self.study.skipping}
        title = tr("Missed edits against skipped segments")
        return [curves_svg(title, curves, tr("skipped"), tr("missed edits"))] if curves else []

    def _totals(self) -> Table:
        study = self.study
        title = tr(
            "{n:,} of {size:,} {size:segment|segments} reviewed", "", len(study.reviewed), size=study.reviewed.size,
        )  # fmt: skip
        header = (
            tr("post-editor"), tr("segments"), tr("edited"), tr("source words"), tr("time"), tr("pauses"),
            tr("other windows"), tr("words/hour"), tr("keys"), tr("edits"), tr("mean HTER"), tr("pooled HTER"),
        )  # fmt: skip
        rows = tuple(
            (
                tr("all") if total.everybody else total.person or tr("unknown"), total.segments, total.edited,
                total.source_words, format_clock(total.seconds), format_clock(total.pauses), format_clock(total.away),
                None if math.isnan(total.words_an_hour) else round(total.words_an_hour),
                sum(total.keys) if total.keys else None, sum(total.edits) if total.edits else None, total.hter,
                total.edit_rate,
            )
            for total in study.totals
        )  # fmt: skip
        return Table(title, header, rows, 3)

    def _segments(self) -> Table:
        study = self.study
        header = (
            tr("segment"), tr("post-editor"), tr("status"), tr("time"), tr("pauses"), tr("other windows"), tr("keys"),
            tr("insertions"), tr("deletions"), tr("substitutions"), tr("shifts"), "HTER",
        )  # fmt: skip
        shown = sorted(
            study.figures,
            key=lambda figure: (math.isnan(figure.seconds), -_zero_if_nan(figure.seconds), -_zero_if_nan(figure.hter)),
        )
        rows = tuple(_segment_row(item) for item in shown[:MAX_LISTED_SEGMENTS])
        left = len(shown) - len(rows)
        notes = (tr("{n:,} more {n:segment is|segments are} in the other formats.", "", left),) if left > 0 else ()
        return Table(tr("Segments, longest time first"), header, rows, 3, notes)

    def _highlights(self, decimals: int) -> Table:
        header = (
            tr("system"), tr("% highlighted"), "P(E|H)", tr("random"), "P(H|E)", tr("random"), "Λ E", "Λ H",
            tr("P(E|H) gain"),
        )  # fmt: skip
        rows = []
        for highlight in self.study.highlights:
            cells: list[Cell] = [
                format_interval(value, (float(ends[0]), float(ends[1])), decimals)
                for value, ends in zip(highlight.figures.tolist(), highlight.intervals, strict=True)
            ]
            precision, recall, lift_e, lift_h = cells
            rows.append(
                (
                    highlight.name, f"{100 * highlight.highlighted:.1f}", precision, float(highlight.of_random[0]),
                    recall, float(highlight.of_random[1]), lift_e, lift_h,
                    format_interval(highlight.ahead, highlight.ahead_interval, decimals),
                )
            )  # fmt: skip
        share = self.study.highlights[0].edited
        title = tr("Precision of highlights: {share:.1f} % of characters edited", share=100 * share)
        return Table(title, header, tuple(rows), decimals)

    def _skipping(self, decimals: int) -> Table:
        shares = tuple(tr("missed at {share:.0f} %", share=100 * share) for share in SKIPPED_SHARES)
        may = tr("% to skip for {share:.0f} %", share=100 * MAX_MISSED_SHARE)
        rows = [
            (
                elide(curve.name, 60),
                curve.doubt.of,
                *(missed_edits_at(curve, share, decimals) for share in SKIPPED_SHARES),
                max_skipped_percent(curve),
            )
            for curve in self.study.skipping
        ]
        title = tr("Missed edits if the segments with the lowest predicted error are skipped")
        return Table(title, (tr("system"), tr("by"), *shares, may), tuple(rows), decimals)

    def notes(self) -> list[str]:
        """Notes on definitions, the data and warnings."""
        study = self.study
        notes = list(self.remarks)
        if study.reviewed.from_files:
            notes.append(tr("All segments that have a post-edit in the files count as post-edited. Times and "
                "post-editors are not known."))  # fmt: skip
        else:
            notes.append(tr("Only segments edited or confirmed here count, not those already reviewed in the file."))
        notes.append(tr("Edited: the post-edit differs from the MT. Edits and HTER are as at WMT, "
            "case-insensitive. Mean HTER: over segments, each at most 1; pooled HTER: all edits over "
            "all words of the post-edits."))  # fmt: skip
        if study.works:
            limits = ", ".join(f"{limit:g}" for limit in study.limits)
            notes.append(tr("Time excludes pauses longer than {limit} s and time in other windows. Words/hour uses "
                "segments with both a post-edit and a time.", limit=limits))  # fmt: skip
        elif not study.reviewed.from_files:
            notes.append(tr("No times were recorded."))
        if study.highlights:
            notes.append(tr("E (edited): characters of MT words that are not in the post-edit. H (highlighted): "
                "characters of words that the system labels BAD. Random highlights: the same number of "
                "words per segment, in closed form. Intervals: 95 % bootstrap, {n:,} "
                "{n:resample|resamples} of segments.",
                            "", study.rounds))  # fmt: skip
        if any(np.isnan(highlight.intervals[~np.isnan(highlight.figures)]).any() for highlight in study.highlights):
            notes.append(tr("Values based on one segment have no interval, because there is nothing to resample."))
        if study.skipping:
            notes.append(tr("The share to skip for {share:.0f} % uses the upper end of the interval. It was tuned on "
                "the same segments; on others it may be lower.",
                            share=100 * MAX_MISSED_SHARE))  # fmt: skip
            notes += [_reversed_scores_note(curve) for curve in study.skipping if is_worse_than_random(curve)]
        return notes


def _reversed_scores_note(curve: SkippingCurve) -> str:
    return tr("{system}: segments with lower predicted error were edited more. The direction of its "
        "scores may be reversed.", system=curve.name)  # fmt: skip


def is_worse_than_random(curve: SkippingCurve) -> bool:
    """Whether the curve is above the diagonal throughout its middle, so that the direction of the scores may be
    reversed.
    """
    middle = (curve.skipped > 0.2) & (curve.skipped < 0.8)
    return bool(middle.any() and (curve.low[middle] > curve.skipped[middle]).all())


def missed_edits_at(curve: SkippingCurve, share: float, decimals: int) -> str:
    """Share of missed edits, with its interval, at the last threshold that skips at most a share of the segments."""
    place = int((curve.skipped <= share + 1e-12).sum()) - 1
    if place < 0:
        return DASH
    return format_interval(float(curve.through[place]), (float(curve.low[place]), float(curve.high[place])), decimals)


def max_skipped_percent(curve: SkippingCurve) -> str:
    """Percentage of segments that can be skipped."""
    place = curve.most_within(MAX_MISSED_SHARE)
    return f"{100 * float(curve.skipped[place]):.1f}" if place >= 0 else "0"


def format_clock(seconds: float) -> str | None:
    """Format a time as hours, minutes and seconds: `1:02:03`, `2:03`; None if there is no time."""
    if math.isnan(seconds):
        return None
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _segment_row(figure: SegmentStatistics) -> tuple[Cell, ...]:
    edits = figure.edits or (None,) * len(EDIT_KINDS)
    status = tr("not reviewed") if figure.status is None else figure.status.shown
    keys = sum(figure.keys) if figure.visits else None
    return (
        figure.segment + 1,
        figure.person or tr("unknown"),
        status,
        format_clock(figure.seconds),
        format_clock(figure.pauses),
        format_clock(figure.away),
        keys,
        *edits,
        figure.hter,
    )


def _zero_if_nan(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def _total(total: PersonTotals) -> dict[str, Any]:
    return {
        "person": None if total.everybody else total.person,
        "segments": total.segments,
        "edited": total.edited,
        "recorded": total.recorded,
        "source_words": total.source_words,
        "seconds": json_number(total.seconds),
        "pauses": json_number(total.pauses),
        "away": json_number(total.away),
        "words_an_hour": json_number(total.words_an_hour),
        "keys": _named(KEY_KINDS, total.keys),
        "edits": _named(EDIT_KINDS, total.edits),
        "hter": json_number(total.hter),
        "edit_rate": json_number(total.edit_rate),
    }


def _segment(figure: SegmentStatistics) -> dict[str, Any]:
    return {
        "segment": figure.segment + 1,
        "person": figure.person,
        "status": None if figure.status is None else figure.status.name.lower(),
        "visits": figure.visits,
        "seconds": json_number(figure.seconds),
        "pauses": json_number(figure.pauses),
        "away": json_number(figure.away),
        "gaps_300": figure.gaps_300,
        "gaps_1000": figure.gaps_1000,
        "keys": _named(KEY_KINDS, figure.keys),
        "source_words": figure.source_words,
        "edits": _named(EDIT_KINDS, figure.edits),
        "hter": json_number(figure.hter),
        "changed": figure.changed if figure.is_post_edit else None,
    }


def _named(names: Sequence[str], counts: Sequence[int]) -> dict[str, int] | None:
    return dict(zip(names, counts, strict=True)) if counts else None


def _highlights(highlight: HighlightStatistics) -> dict[str, Any]:
    return {
        "edited": json_number(highlight.edited),
        "highlighted": json_number(highlight.highlighted),
        **dict(zip(HIGHLIGHT_STATISTIC_NAMES, map(json_number, highlight.figures.tolist()), strict=True)),
        "intervals": dict(zip(HIGHLIGHT_STATISTIC_NAMES, map(_ends, highlight.intervals), strict=True)),
        "random": dict(zip(HIGHLIGHT_STATISTIC_NAMES, map(json_number, highlight.of_random.tolist()), strict=True)),
        "ahead_of_random": json_number(highlight.ahead),
        "ahead_interval": _ends(highlight.ahead_interval),
    }


def _ends(ends: Floats | Sequence[float]) -> list[float] | None:
    low, high = float(ends[0]), float(ends[1])
    return None if math.isnan(low) else [low, high]


def _skipping(curve: SkippingCurve) -> dict[str, Any]:
    return {
        "by": curve.doubt.of,
        "segments": curve.segments,
        "edits": curve.edits,
        "threshold": [json_number(curve.doubt.sign * value) for value in curve.thresholds.tolist()],
        "skipped": curve.skipped.tolist(),
        "through": [json_number(value) for value in curve.through.tolist()],
        "low": [json_number(value) for value in curve.low.tolist()],
        "high": [json_number(value) for value in curve.high.tolist()],
    }
