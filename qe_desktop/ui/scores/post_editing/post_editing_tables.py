"""Tables of the post-editing page with descriptions of values: post-editors, highlights, skipping and segments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.post_editing import MAX_MISSED_SHARE, SKIPPED_SHARES, format_clock
from qe_desktop.studies.post_editing.highlights import HighlightStatistics
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.studies.post_editing.segment_figures import PersonTotals, SegmentStatistics
from qe_desktop.studies.post_editing.skipping import SkippingCurve
from qe_desktop.ui.scores.number_format import format_score, format_signed
from qe_desktop.ui.scores.results.result_table import (
    exact_values,
    interval_text,
    name_cell,
    name_column,
    table_of_rows,
    value_column,
)
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableData

DASH = "–"
FIRST_LIFT_INDEX = 2
"""Index of the first lift in the highlight statistics."""

KEY_TYPE_NAMES = (
    tr("letters"), tr("digits"), tr("spaces"), tr("symbols"), tr("navigation"), tr("erasing"), tr("copying"),
    tr("cutting"), tr("pasting"), tr("undoing"), tr("commands"),
)  # fmt: skip
"""Names of the key types, in the order of their counts."""
EDIT_TYPE_NAMES = (tr("insertions"), tr("deletions"), tr("substitutions"), tr("shifts"))


@dataclass(frozen=True, slots=True)
class PostEditingTarget:
    """Target of a cell: a 0-based segment or a system."""

    segment: int | None = None
    system: str = ""


def editors_table(study: PostEditingStudy, decimals: int) -> TableData[PostEditingTarget]:
    """Return a table with a row per post-editor, and a total if there are several."""
    columns = (
        name_column(tr("Editor"), "person", tr("Post-editor")),
        value_column(tr("Segments"), tr("Segments reviewed by this post-editor"), "segments"),
        value_column(
            tr("Edited"), tr("Segments whose text differs from the MT, even if only in letter case"), "edited"
        ),
        value_column(
            tr("Source words"),
            tr(
                "Words of the sources, without punctuation. Each Chinese character and each hiragana counts as a word; "
                "Thai, Lao and Khmer words are counted by spaces."
            ),
            "source words",
        ),
        value_column(tr("Time"), tr("Working time, without long pauses and time in other windows"), "seconds"),
        value_column(tr("Long pauses"), tr("Total length of pauses above the limit"), "pauses"),
        value_column(tr("Away"), tr("Time in other windows"), "away"),
        value_column(
            tr("Words/hour"),
            tr("Source words per hour, over segments with a post-edit and a recorded time"),
            "words an hour",
        ),
        value_column(tr("Keys"), tr("Keys pressed"), "keys"),
        value_column(
            tr("Edits"),
            tr("Insertions, deletions, substitutions and shifts relative to the MT; letter case is ignored"),
            "edits",
        ),
        value_column(
            tr("Mean HTER"),
            tr("Mean HTER over segments, each at most 1; below it the pooled HTER: all edits divided by all words"),
            "mean HTER",
            "pooled HTER",
        ),
    )
    rows = [(_editor_cells(totals, decimals), (None,) * len(columns)) for totals in study.totals]
    return table_of_rows(columns, rows)


def _editor_cells(totals: PersonTotals, decimals: int) -> tuple[TableCell, ...]:
    name = tr("all") if totals.everybody else totals.person or tr("unknown")
    keys = _format_counts(KEY_TYPE_NAMES, totals.keys)
    edits = _format_counts(EDIT_TYPE_NAMES, totals.edits)
    hter, pooled = format_score(totals.hter, decimals), format_score(totals.edit_rate, decimals)
    speed = DASH if math.isnan(totals.words_an_hour) else f"{totals.words_an_hour:,.0f}"
    return (
        TableCell(name, name, chosen=totals.everybody, exact=(totals.person,)),
        _count(totals.segments, tr("{name}: {n:,} {n:segment|segments} reviewed.", "", totals.segments, name=name)),
        _count(totals.edited, tr("{name}: {n:,} {n:segment|segments} edited.", "", totals.edited, name=name)),
        _count(totals.source_words, tr("{name}: {n:,} source {n:word|words}.", "", totals.source_words, name=name)),
        _time(totals.seconds, name),
        _time(totals.pauses, name),
        _time(totals.away, name),
        TableCell(speed, tr("{name}: {speed} source words per hour.", name=name, speed=speed),
             exact=exact_values(totals.words_an_hour)),
        _sum(totals.keys, keys),
        _sum(totals.edits, edits),
        TableCell(hter, tr("{name}: mean HTER {hter}, pooled HTER {pooled}.", name=name, hter=hter, pooled=pooled),
             below=tr("pooled {hter}", hter=pooled), exact=exact_values(totals.hter, totals.edit_rate)),
    )  # fmt: skip


def highlights_table(study: PostEditingStudy, decimals: int) -> TableData[PostEditingTarget]:
    """Return a table with a row per system: usefulness of its highlights compared with random ones."""
    columns = (
        name_column(tr("System"), "system"),
        value_column(tr("% highlighted"), tr("Share of characters in words flagged as BAD"), "highlighted"),
        value_column(
            "P(E|H)",
            tr("Precision: share of highlighted characters that were edited; below it the value of random highlights"),
            "precision", "low", "high", "random",
        ),
        value_column(
            "P(H|E)",
            tr("Recall: share of edited characters that were highlighted; below it the value of random highlights"),
            "recall", "low", "high", "random",
        ),
        value_column("Λ E", tr("How many times as often highlighted text is edited as other text"),
                     "lift of edits", "low", "high"),
        value_column("Λ H", tr("How many times as often edited text is highlighted as other text"),
                     "lift of highlights", "low", "high"),
        value_column(tr("Gain over random"), tr("P(E|H) minus that of as many random highlights in the same segments"),
                     "ahead of random", "low", "high"),
    )  # fmt: skip
    rows = [
        (_highlight_cells(highlight, decimals), (PostEditingTarget(system=highlight.name),) * len(columns))
        for highlight in study.highlights
    ]
    return table_of_rows(columns, rows)


def _highlight_cells(highlight: HighlightStatistics, decimals: int) -> tuple[TableCell, ...]:
    figures = []
    for place, value in enumerate(highlight.figures.tolist()):
        low, high = highlight.intervals[place].tolist()
        text, ends = format_score(value, decimals), interval_text(low, high, decimals)
        chance = float(highlight.of_random[place])
        # the lift of random highlights depends only on the segments, so it is not shown
        below = tr("random {value}", value=format_score(chance, decimals)) if place < FIRST_LIFT_INDEX else ""
        parts = exact_values(value, low, high, *((chance,) if place < FIRST_LIFT_INDEX else ()))
        description = _figure_sentence(highlight, place, text, format_score(chance, decimals))
        figures.append(TableCell(text, description, suffix=ends, below=below, exact=parts))
    low, high = highlight.ahead_interval
    ahead, ends = format_signed(highlight.ahead, decimals), interval_text(low, high, decimals)
    surely = not math.isnan(low) and low > 0
    description = tr(
        "{system}: P(E|H) minus that of random highlights is {ahead}; the 95 % interval is not entirely above 0.",
        system=highlight.name, ahead=ahead,
    )  # fmt: skip
    if math.isnan(low):
        description = tr("{system}: the gain in P(E|H) over random highlights has no interval.", system=highlight.name)
    if surely:
        description = tr("{system}: P(E|H) is {ahead} above random highlights.", system=highlight.name, ahead=ahead)
    return (
        name_cell(highlight.name),
        TableCell(f"{100 * highlight.highlighted:.1f}", tr("{system}: {share:.1f} % of characters are highlighted.",
             system=highlight.name, share=100 * highlight.highlighted), exact=exact_values(highlight.highlighted)),
        *figures,
        TableCell(ahead, description, "" if surely else "muted", suffix=ends,
             exact=exact_values(highlight.ahead, low, high)),
    )  # fmt: skip


def _figure_sentence(highlight: HighlightStatistics, place: int, text: str, chance: str) -> str:
    """Return the description of a statistic; `chance` is its value for random highlights."""
    if math.isnan(float(highlight.figures[place])):
        return tr("{system}: undefined, because the denominator is 0.", system=highlight.name)
    return (
        tr("{system}: {value} of the highlighted characters were edited; {chance} for random highlights.",
           system=highlight.name, value=text, chance=chance),
        tr("{system}: {value} of the edited characters were highlighted; {chance} for random highlights.",
           system=highlight.name, value=text, chance=chance),
        tr("{system}: highlighted text is edited {value} times as often as other text.",
           system=highlight.name, value=text),
        tr("{system}: edited text is highlighted {value} times as often as other text.",
           system=highlight.name, value=text),
    )[place]  # fmt: skip


def skipping_table(study: PostEditingStudy, decimals: int) -> TableData[PostEditingTarget]:
    """Return a table with a row per system: share of missed edits by share of skipped segments."""
    columns = (
        name_column(tr("System"), "system"),
        name_column(tr("By"), "by", tr("Score by which segments are skipped")),
        *(
            value_column(tr("{share:.0f} % skipped", share=100 * share), tr("Share of edits missed"),
                         f"through {share:g}", "low", "high")
            for share in SKIPPED_SHARES
        ),
        value_column(tr("{share:.0f} % missed", share=100 * MAX_MISSED_SHARE),
                     tr("Percentage of segments that can be skipped with at most this share of edits missed, by the "
                        "upper end of the interval"), "skipped"),
    )  # fmt: skip
    rows = [
        (_skipping_cells(curve, decimals), (PostEditingTarget(system=curve.name),) * len(columns))
        for curve in study.skipping
    ]
    return table_of_rows(columns, rows)


def _skipping_cells(curve: SkippingCurve, decimals: int) -> tuple[TableCell, ...]:
    cells = [
        name_cell(curve.name),
        name_cell(curve.doubt.of),
    ]
    for share in SKIPPED_SHARES:
        place = int((curve.skipped <= share + 1e-12).sum()) - 1
        if place < 0:
            description = tr("{system}: no threshold skips so few segments.", system=curve.name)
            cells.append(TableCell(DASH, description, "muted", exact=(None, None, None)))
            continue
        value, low, high = (float(part[place]) for part in (curve.through, curve.low, curve.high))
        description = tr(
            "{system}: if {skipped:.1f} % of segments are skipped, the share of missed edits is {value}.",
            system=curve.name, skipped=100 * float(curve.skipped[place]), value=format_score(value, decimals),
        )  # fmt: skip
        ends = interval_text(low, high, decimals)
        cells.append(
            TableCell(
                format_score(value, decimals),
                description,
                suffix=ends,
                exact=exact_values(value, low, high),
            )
        )
    if np.isnan(curve.high).all():
        description = tr("{system}: there are too few segments to tell how many can be skipped.", system=curve.name)
        return (*cells, TableCell(DASH, description, "muted", exact=(None,)))
    place = curve.most_within(MAX_MISSED_SHARE)
    most = float(curve.skipped[place]) if place >= 0 else 0.0
    description = tr("{system}: up to {most:.1f} % of segments can be skipped.", system=curve.name, most=100 * most)
    return (*cells, TableCell(f"{100 * most:.1f}", description, exact=(most,)))


def segments_table(study: PostEditingStudy, decimals: int, most: int) -> TableData[PostEditingTarget]:
    """Return a table with at most `most` rows, one per segment and post-editor, sorted by time, longest first."""
    columns = (
        name_column(tr("Segment"), "segment"),
        name_column(tr("Editor"), "person", tr("Post-editor")),
        name_column(tr("Status"), "status"),
        value_column(tr("Time"), tr("Working time, without long pauses and time in other windows"), "seconds"),
        value_column(tr("Long pauses"), tr("Total length of pauses above the limit"), "pauses"),
        value_column(tr("Away"), tr("Time in other windows"), "away"),
        value_column(tr("Keys"), tr("Keys pressed"), "keys"),
        value_column(tr("Edits"), tr("Insertions, deletions, substitutions and shifts relative to the MT"), "edits"),
        value_column("HTER", tr("Edits per word of the post-edit, at most 1"), "hter"),
    )
    ordered = sorted(study.figures, key=lambda segment: (-_or_zero(segment.seconds), -_or_zero(segment.hter)))[:most]
    rows = [
        (_segment_cells(segment, decimals), (PostEditingTarget(segment=segment.segment),) * len(columns))
        for segment in ordered
    ]
    return table_of_rows(columns, rows)


def _segment_cells(figures: SegmentStatistics, decimals: int) -> tuple[TableCell, ...]:
    name = tr("segment {number:,}", number=figures.segment + 1)
    person = figures.person or tr("unknown")
    status = tr("not reviewed") if figures.status is None else figures.status.shown
    leads = tr("{segment}, {person}. Press Enter to show it.", segment=name, person=person)
    return (
        TableCell(f"{figures.segment + 1:,}", leads, exact=(figures.segment + 1,)),
        TableCell(person, leads, exact=(figures.person,)),
        TableCell(status, leads, exact=(status,)),
        _time(figures.seconds, name),
        _time(figures.pauses, name),
        _time(figures.away, name),
        _sum(figures.keys, _format_counts(KEY_TYPE_NAMES, figures.keys)),
        _sum(figures.edits, _format_counts(EDIT_TYPE_NAMES, figures.edits)),
        TableCell(format_score(figures.hter, decimals), leads, exact=exact_values(figures.hter)),
    )


# --- cells


def _format_counts(kinds: Sequence[str], counts: Sequence[int]) -> str:
    """Return the nonzero counts by kind, in one line; empty if there are none."""
    pairs = [(kind, count) for kind, count in zip(kinds, counts, strict=False) if count]
    return join_localized(", ", [tr("{kind}: {n:,}", "", count, kind=kind) for kind, count in pairs])


def _sum(counts: Sequence[int], text: str) -> TableCell:
    if not counts:
        return TableCell(DASH, tr("Not available."), "muted", exact=(None,))
    return TableCell(f"{sum(counts):,}", text or tr("None."), exact=(sum(counts),))


def _count(count: int, text: str) -> TableCell:
    return TableCell(f"{count:,}", text, exact=(count,))


def _time(seconds: float, name: str) -> TableCell:
    shown = format_clock(seconds)
    if shown is None:
        return TableCell(DASH, tr("{name}: no time was recorded.", name=name), "muted", exact=(None,))
    return TableCell(shown, tr("{name}: {time}.", name=name, time=shown), exact=(seconds,))


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value
