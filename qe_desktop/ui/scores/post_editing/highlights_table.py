"""Table of the usefulness of flags: precision, recall, lifts, and the gain over random flags."""

from __future__ import annotations

import math
from dataclasses import replace

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.results.sample_size import MIN_SEGMENTS
from qe_desktop.report import DASH
from qe_desktop.studies.post_editing.highlights import HighlightStatistics
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.ui.scores.number_format import format_score, format_signed
from qe_desktop.ui.scores.post_editing.post_editing_tables import PostEditingTarget, measure_column
from qe_desktop.ui.scores.results.result_table import exact_values, interval_text, name_cell, name_column, table_of_rows
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData

FIRST_INTERVAL_COLUMN = 2
"""Index of the first column that has an interval."""
FIRST_LIFT_INDEX = 2
"""Index of the first lift in `HighlightStatistics.values`."""
LIFT_DECIMALS = 1
"""Number of displayed decimals of lifts; one is enough, because intervals of lifts are wide. Copies are exact."""


def highlights_table(study: PostEditingStudy, decimals: int) -> TableData[PostEditingTarget]:
    """Return a table with a row per system; it compares the flags of each system with edits and with random flags."""
    rows = [
        (_highlight_cells(highlight, decimals), (PostEditingTarget(system=highlight.name),) * len(HIGHLIGHT_COLUMNS))
        for highlight in study.highlights
    ]
    columns: tuple[TableColumn, ...] = HIGHLIGHT_COLUMNS
    if len(study.reviewed) < MIN_SEGMENTS:
        caution, group = tr("under {n} {n:segment|segments}", "", MIN_SEGMENTS), tr("Flags compared with edits")
        figures = (replace(column, group=group, caution=caution) for column in columns[FIRST_INTERVAL_COLUMN:])
        columns = (*columns[:FIRST_INTERVAL_COLUMN], *figures)
    return table_of_rows(columns, rows, is_sortable=True)


HIGHLIGHT_COLUMNS = (
    name_column(tr("System"), "system"),
    measure_column(tr("Flagged"), tr("% of text"), tr("Share of characters in words flagged as BAD"), "highlighted"),
    measure_column(
        tr("Edited where flagged"), tr("precision, P(E|H)"),
        tr("Precision of the flags: share of the flagged characters that were edited"),
        "precision", "low", "high", "random",
    ),
    measure_column(
        tr("Flagged where edited"), tr("recall, P(H|E)"),
        tr("Recall of the flags: share of the edited characters that were flagged"),
        "recall", "low", "high", "random",
    ),
    measure_column(
        tr("Edit rate: flagged vs. other"), tr("lift, Λ E"),
        tr("Edit rate of flagged text divided by the edit rate of other text"),
        "lift of edits", "low", "high",
    ),
    measure_column(
        tr("Flag rate: edited vs. other"), tr("lift, Λ H"),
        tr("Flag rate of edited text divided by the flag rate of other text"),
        "lift of highlights", "low", "high",
    ),
    measure_column(
        tr("Gain over random"), tr("P(E|H) − random"),
        tr("P(E|H) minus the P(E|H) of the same number of random flags in the same segments"),
        "gain over random", "low", "high",
    ),
)  # fmt: skip
"""Columns of the highlights table."""


def _highlight_cells(highlight: HighlightStatistics, decimals: int) -> tuple[TableCell, ...]:
    figures = []
    for index, value in enumerate(highlight.values.tolist()):
        low, high = highlight.intervals[index].tolist()
        chance = float(highlight.of_random[index])
        # the lift of random flags depends only on the segments, so it is not exported
        parts = exact_values(value, low, high, *((chance,) if index < FIRST_LIFT_INDEX else ()))
        digits = decimals if index < FIRST_LIFT_INDEX else LIFT_DECIMALS
        figures.append(
            TableCell(
                format_score(value, digits),
                figure_sentence(highlight, index, digits),
                suffix=interval_text(low, high, digits),
                exact_values=parts,
            )
        )
    low, high = highlight.precision_gain_interval
    gain, ends = format_signed(highlight.precision_gain, decimals), interval_text(low, high, decimals)
    is_positive = not math.isnan(low) and low > 0
    description = tr(
        "{system}: the gain in P(E|H) over random flags is {ahead}; its 95 % interval is not entirely above 0.",
        system=highlight.name, ahead=gain,
    )  # fmt: skip
    if math.isnan(low):
        description = tr("{system}: the gain in P(E|H) over random flags has no interval.", system=highlight.name)
    if is_positive:
        description = tr(
            "{system}: the gain in P(E|H) over random flags is {ahead}; its 95 % interval is entirely above 0.",
            system=highlight.name, ahead=gain,
        )  # fmt: skip
    return (
        name_cell(highlight.name),
        TableCell(f"{100 * highlight.highlighted:.1f}", tr("{system}: {share:.1f} % of characters are flagged.",
             system=highlight.name, share=100 * highlight.highlighted),
             exact_values=exact_values(highlight.highlighted)),
        *figures,
        TableCell(gain, description, "" if is_positive else "muted", suffix=ends,
             exact_values=exact_values(highlight.precision_gain, low, high)),
    )  # fmt: skip


def figure_sentence(highlight: HighlightStatistics, index: int, decimals: int) -> str:
    """Return a sentence about the statistic at `index`; precision and recall are compared with random flags."""
    value, random, name = float(highlight.values[index]), float(highlight.of_random[index]), highlight.name
    chance = DASH if math.isnan(random) else f"{100 * random:.1f}"
    if math.isnan(value):
        return tr("{system}: the value is undefined (division by 0).", system=name)
    text = format_score(value, decimals)
    return (
        tr("{system}: {share:.1f} % of the flagged characters were edited; with the same number of random flags, "
           "{chance} %. The system flags {flagged:.1f} % of the text.",
           system=name, share=100 * value, chance=chance, flagged=100 * highlight.highlighted),
        tr("{system}: {share:.1f} % of the edited characters were flagged; with the same number of random flags, "
           "{chance} %. {missed:.1f} % of the edited characters were not flagged.",
           system=name, share=100 * value, chance=chance, missed=100 - 100 * value),
        tr("{system}: flagged text is edited {value} times as often as other text.", system=name, value=text),
        tr("{system}: edited text is flagged {value} times as often as other text.", system=name, value=text),
    )[index]  # fmt: skip
