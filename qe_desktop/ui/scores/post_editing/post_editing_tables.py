"""Tables of the post-editing page (post-editors, skipping, segments), with descriptions of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Qt

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.post_editing import MAX_MISSED_SHARE, SKIPPED_SHARES, format_clock
from qe_desktop.report.render.tables import DASH
from qe_desktop.studies.post_editing.post_editing_study import PersonTotals, PostEditingStudy, SegmentStatistics
from qe_desktop.studies.post_editing.skipping import SkippingCurve
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.result_table import (
    exact_values,
    interval_text,
    name_cell,
    name_column,
    sort_key,
    sorted_indices,
    table_of_rows,
    value_column,
)
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData

KEY_TYPE_NAMES = (
    tr("letters"), tr("digits"), tr("spaces"), tr("symbols"), tr("navigation"), tr("erasing"), tr("copying"),
    tr("cutting"), tr("pasting"), tr("undoing"), tr("commands"),
)  # fmt: skip
"""Displayed names of the key types, in the order of `KEY_KINDS`."""
EDIT_TYPE_NAMES = (tr("insertions"), tr("deletions"), tr("substitutions"), tr("shifts"))


@dataclass(frozen=True, slots=True)
class PostEditingTarget:
    """Segment (0-based number) or system that a table cell refers to."""

    segment: int | None = None
    system: str = ""


def editors_table(study: PostEditingStudy, decimals: int) -> TableData[PostEditingTarget]:
    """Return a table with a row per post-editor, and a row of totals if there are several post-editors.

    If neither times nor keys were recorded, a single column says so instead of the columns of times and keys.
    """
    recorded = any(totals.keys or not math.isnan(totals.seconds) for totals in study.totals)
    columns = (
        name_column(tr("Post-editor"), "person"),
        value_column(
            tr("Segments"),
            tr(
                "Segments that were edited or confirmed and whose original MT is known; each counts for the last "
                "person who edited or confirmed it. Rejected segments have no post-edit."
            ),
            "segments",
        ),
        value_column(
            tr("Changed"), tr("Segments whose post-edit differs from the MT, even if only in letter case"), "edited"
        ),
        value_column(
            tr("Source", "a number of words"),
            tr(
                "Source words (MT words if no segment has a source), as counted by CAT tools: space-separated strings "
                "that contain a letter or digit. Each Chinese character and each kana counts as a word."
            ),
            "source words",
            below=tr("words"),
        ),
        *(_RECORDED if recorded else ()),
        value_column(
            tr("Edits"),
            tr("Insertions, deletions, substitutions and shifts relative to the MT; letter case is ignored"),
            "edits",
        ),
        value_column(
            tr("Edits per word"),
            tr(
                "Edits per word of the post-edit, as the mean over segments (HTER, at most 1 each); 0: nothing was "
                "changed. Second line: all edits divided by all words (pooled HTER)"
            ),
            "mean HTER",
            "pooled HTER",
            below=tr("mean HTER"),
        ),
        *(() if recorded else (_NOT_RECORDED,)),
    )
    rows = [(_editor_cells(totals, decimals, recorded=recorded), (None,) * len(columns)) for totals in study.totals]
    return table_of_rows(columns, rows)


_RECORDED = (
    value_column(tr("Time"), tr("Working time, without long pauses or time in other windows"), "seconds"),
    value_column(
        tr("Pauses"),
        tr("Total length of pauses too long to count as working time"),
        "pauses",
        below=tr("too long", "pauses"),
    ),
    value_column(tr("Other windows"), tr("Time in other windows"), "away", below=tr("time")),
    value_column(
        tr("Words"),
        tr("Source words per hour, over segments with a post-edit and a recorded time"),
        "words an hour",
        below=tr("per hour"),
    ),
    value_column(tr("Keys"), tr("Keys pressed"), "keys"),
)
_NOT_RECORDED = value_column(
    tr("Time and keystrokes"),
    tr("Select “Record time and keystrokes” in the Inspect menu to record them from now on"),
    *(name for column in _RECORDED for name in column.exported_headers),
)


def _editor_cells(totals: PersonTotals, decimals: int, *, recorded: bool) -> tuple[TableCell, ...]:
    name = tr("all") if totals.everybody else totals.person or tr("unnamed")
    edits = _format_counts(EDIT_TYPE_NAMES, totals.edits)
    hter, pooled = format_score(totals.hter, decimals), format_score(totals.edit_rate, decimals)
    share = tr("{share:.0f} %", share=100 * totals.edited / totals.segments) if totals.segments else ""
    edited = tr("{name}: {n:,} {n:segment|segments} changed.", "", totals.edited, name=name)
    return (
        TableCell(name, name, is_bold=totals.everybody, exact_values=(totals.person,)),
        _count(totals.segments, tr("{name}: {n:,} {n:segment|segments} included.", "", totals.segments, name=name)),
        TableCell(f"{totals.edited:,}", edited, suffix=share, exact_values=(totals.edited,)),
        _count(totals.source_words, tr("{name}: {n:,} source {n:word|words}.", "", totals.source_words, name=name)),
        *(_recorded_cells(totals, name) if recorded else ()),
        _sum(totals.edits, edits),
        TableCell(hter, tr("{name}: edits per word are {hter} as the mean over segments (mean HTER), and {pooled} over "
             "all words (pooled HTER).", name=name, hter=hter, pooled=pooled),
             second_line=tr("pooled {hter}", hter=pooled), exact_values=exact_values(totals.hter, totals.edit_rate)),
        *(() if recorded else (_not_recorded_cell(name),)),
    )  # fmt: skip


def _recorded_cells(totals: PersonTotals, name: str) -> tuple[TableCell, ...]:
    speed = DASH if math.isnan(totals.words_an_hour) else f"{totals.words_an_hour:,.0f}"
    return (
        *_times(totals, name),
        TableCell(speed, tr("{name}: {speed} source words per hour.", name=name, speed=speed),
             exact_values=exact_values(totals.words_an_hour)),
        _sum(totals.keys, _format_counts(KEY_TYPE_NAMES, totals.keys)),
    )  # fmt: skip


def _not_recorded_cell(name: str) -> TableCell:
    text = tr("not recorded")
    description = tr("{name}: neither time nor keystrokes were recorded.", name=name)
    return TableCell(text, description, "muted", exact_values=(None,) * len(_NOT_RECORDED.exported_headers))


def measure_column(title: str, symbol: str, tooltip: str, *exported: str) -> TableColumn:
    """Return a column of numbers whose header is `title` above `symbol`.

    If the exported headers include "low", the tooltip also explains the 95 % bootstrap interval of each value.
    """
    if "low" in exported:
        tooltip = join_localized(
            " ", (f"{tooltip}.", tr("In brackets: how uncertain the value is (95 % bootstrap interval over segments)."))
        )
    return TableColumn(title, tooltip, is_right_aligned=True, second_line=symbol, exported_headers=exported)


def skipping_table(study: PostEditingStudy, decimals: int) -> TableData[PostEditingTarget]:
    """Return a table with a row per system: edits missed if segments are skipped, and segments that can be skipped."""
    columns = (
        name_column(tr("System"), "system"),
        name_column(tr("Skipped by"), "by", tr("Measure of uncertainty; the most certain segments are skipped first")),
        *(
            measure_column(tr("{share:.0f} % skipped", share=100 * share), tr("share of edits missed"),
                     tr("Share of all edits that are in skipped segments"), f"through {share:g}", "low", "high")
            for share in SKIPPED_SHARES
        ),
        measure_column(tr("{share:.0f} % missed", share=100 * MAX_MISSED_SHARE), tr("segments skipped"),
                 tr("Largest percentage of segments that can be skipped without the 95 % interval of missed edits "
                    "exceeding the limit in this header"), "skipped"),
    )  # fmt: skip
    rows = [
        (_skipping_cells(curve, decimals), (PostEditingTarget(system=curve.name),) * len(columns))
        for curve in study.skipping
    ]
    return table_of_rows(columns, rows, is_sortable=True)


def _skipping_cells(curve: SkippingCurve, decimals: int) -> tuple[TableCell, ...]:
    cells = [
        TableCell(curve.display_name, curve.display_name, exact_values=(curve.name,)),
        name_cell(
            curve.uncertainty.of,
            tr(
                "{system}: segments are skipped in order of their {measure}, the most certain first.",
                system=curve.display_name,
                measure=curve.uncertainty.of,
            ),
        ),
    ]
    for share in SKIPPED_SHARES:
        index = int((curve.skipped <= share + 1e-12).sum()) - 1
        if index < 0:
            cells.append(TableCell(DASH, gap_reason(curve), "muted", exact_values=(None, None, None)))
            continue
        value, low, high = (float(part[index]) for part in (curve.missed, curve.low, curve.high))
        description = tr(
            "{system}: if {skipped:.1f} % of segments are skipped, the share of missed edits is {value}.",
            system=curve.display_name, skipped=100 * float(curve.skipped[index]), value=format_score(value, decimals),
        )  # fmt: skip
        ends = interval_text(low, high, decimals)
        cells.append(
            TableCell(
                format_score(value, decimals), description, suffix=ends, exact_values=exact_values(value, low, high)
            )
        )
    if np.isnan(curve.high).all():
        description = tr(
            "{system}: too few segments were edited to tell how many can be skipped.", system=curve.display_name
        )
        if len(curve.skipped) < 2:
            description = gap_reason(curve)
        return (*cells, TableCell(DASH, description, "muted", exact_values=(None,)))
    index = curve.last_index_within(MAX_MISSED_SHARE)
    skippable = float(curve.skipped[index]) if index >= 0 else 0.0
    description = tr(
        "{system}: up to {most:.1f} % of segments can be skipped if at most {share:.0f} % of edits may be missed.",
        system=curve.display_name, most=100 * skippable, share=100 * MAX_MISSED_SHARE,
    )  # fmt: skip
    return (*cells, TableCell(tr("{share:.1f} %", share=100 * skippable), description, exact_values=(skippable,)))


def gap_reason(curve: SkippingCurve) -> str:
    """Return the reason for an empty cell: no scores, equal scores, or no threshold that skips few enough segments."""
    if not curve.segments:
        return tr("{system}: no reviewed segment has a score.", system=curve.display_name)
    if len(curve.skipped) < 2:
        return tr("{system}: all reviewed segments are equally uncertain.", system=curve.display_name)
    return tr("{system}: every threshold skips more segments than this column allows.", system=curve.display_name)


def segments_table(study: PostEditingStudy, decimals: int, max_rows: int) -> TableData[PostEditingTarget]:
    """Return a table of at most `max_rows` rows, one per segment and post-editor, in descending order of working time.

    If the user sorts by a column, all rows are sorted before the first `max_rows` are selected.
    """
    ordered = sorted(
        study.statistics, key=lambda segment: (-_nan_to_zero(segment.seconds), -_nan_to_zero(segment.hter))
    )

    def resort(column: int, descending: bool) -> TableData[PostEditingTarget]:
        keys = [sort_key(_segment_values(segment)[column]) for segment in ordered]
        first = sorted_indices(keys, descending=descending)[:max_rows]
        return _list_segments([ordered[index] for index in first], decimals, False)

    listed = _list_segments(ordered[:max_rows], decimals, True)
    return listed if len(ordered) <= max_rows else replace(listed, resort=resort)


def _list_segments(listed: Sequence[SegmentStatistics], decimals: int, by_time: bool) -> TableData[PostEditingTarget]:
    time = value_column(tr("Time"), tr("Working time, without long pauses or time in other windows"), "seconds")
    columns = (
        name_column(tr("Segment"), "segment"),
        name_column(tr("Post-editor"), "person"),
        name_column(tr("Status"), "status"),
        replace(time, sort_order=Qt.SortOrder.DescendingOrder if by_time else None),
        value_column(tr("Long pauses"), tr("Total length of pauses too long to count as working time"), "pauses"),
        value_column(tr("Time in other windows"), "", "away"),
        value_column(tr("Keys"), tr("Keys pressed"), "keys"),
        value_column(tr("Edits"), tr("Insertions, deletions, substitutions and shifts relative to the MT"), "edits"),
        value_column("HTER", tr("Edits per word of the post-edit, at most 1"), "hter"),
    )
    rows = [
        (_segment_cells(segment, decimals), (PostEditingTarget(segment=segment.segment),) * len(columns))
        for segment in listed
    ]
    return table_of_rows(columns, rows, is_sortable=True)


def _segment_values(figures: SegmentStatistics) -> tuple[str | float | None, ...]:
    """Return the sort values of a row, one per column of the segments table."""
    times = exact_values(figures.seconds, figures.pauses, figures.away)
    counts = (sum(counts) if counts else None for counts in (figures.keys, figures.edits))
    return (figures.segment + 1, figures.person, _status(figures), *times, *counts, *exact_values(figures.hter))


def _status(figures: SegmentStatistics) -> str:
    return tr("not included") if figures.status is None else figures.status.display_name


def _segment_cells(figures: SegmentStatistics, decimals: int) -> tuple[TableCell, ...]:
    name = tr("segment {number:,}", number=figures.segment + 1)
    person, status = figures.person or tr("unnamed"), _status(figures)
    description = tr(
        "Segment {number:,}, {person}. Press Enter to show the segment.", number=figures.segment + 1, person=person
    )
    return (
        TableCell(f"{figures.segment + 1:,}", description, exact_values=(figures.segment + 1,)),
        TableCell(person, description, exact_values=(figures.person,)),
        TableCell(status, description, exact_values=(status,)),
        *_times(figures, name),
        _sum(figures.keys, _format_counts(KEY_TYPE_NAMES, figures.keys)),
        _sum(figures.edits, _format_counts(EDIT_TYPE_NAMES, figures.edits)),
        TableCell(format_score(figures.hter, decimals), description, exact_values=exact_values(figures.hter)),
    )


# --- cells


def _format_counts(kinds: Sequence[str], counts: Sequence[int]) -> str:
    """Format the nonzero counts with their kinds in one line; empty if all counts are 0."""
    pairs = [(kind, count) for kind, count in zip(kinds, counts, strict=False) if count]
    return join_localized(", ", [tr("{kind}: {n:,}", "", count, kind=kind) for kind, count in pairs])


def _sum(counts: Sequence[int], text: str) -> TableCell:
    if not counts:
        return TableCell(DASH, tr("Not available."), "muted", exact_values=(None,))
    return TableCell(f"{sum(counts):,}", text or tr("None."), exact_values=(sum(counts),))


def _count(count: int, text: str) -> TableCell:
    return TableCell(f"{count:,}", text, exact_values=(count,))


def _times(figures: PersonTotals | SegmentStatistics, name: str) -> tuple[TableCell, ...]:
    """Return the cells of working time, long pauses and time in other windows."""
    working, pauses, away = (format_clock(seconds) for seconds in (figures.seconds, figures.pauses, figures.away))
    return (
        _time(figures.seconds, working, name, tr("{name}: working time {time}.", name=name, time=working)),
        _time(figures.pauses, pauses, name, tr("{name}: long pauses of {time} in total.", name=name, time=pauses)),
        _time(figures.away, away, name, tr("{name}: {time} in other windows.", name=name, time=away)),
    )


def _time(seconds: float, text: str | None, name: str, description: str) -> TableCell:
    if text is None:
        return TableCell(DASH, tr("{name}: no time was recorded.", name=name), "muted", exact_values=(None,))
    return TableCell(text, description, exact_values=(seconds,))


def _nan_to_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value
