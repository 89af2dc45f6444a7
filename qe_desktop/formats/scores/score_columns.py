"""Gold and system scores from any file of segment scores, checked and sorted by segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.corpus import Fault, QeError, SourceLocation, raise_for_rows
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import (
    GOLD_METHODS,
    ScoreGrid,
    ScoreTable,
    check_segment_range,
    rows_for_pair,
    zero_based_segments,
)
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.i18n.messages import tr

_NAMELESS = {"score", "scores", "prediction", "predictions", "value"}
"""Names that do not identify a system if a table's only score column has one of them."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumns:
    """Gold and system scores: `golds` and `systems` map names in the file to read-only arrays of shape (segments,).

    `single` contains the scores of a file with only one, unnamed score column; the role of the file determines whether
    they are gold or system scores. All scores are finite, except that segments which a gold excludes have the score
    NaN; `first_excluded` is the location of the first such segment.
    """

    golds: Mapping[str, Scores] = field(default_factory=dict)
    systems: Mapping[str, Scores] = field(default_factory=dict)
    single: Scores | None = None
    first_excluded: SourceLocation | None = None
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of segments."""
        columns = (*([] if self.single is None else [self.single]), *self.golds.values(), *self.systems.values())
        return len(columns[0])

    def reject_missing_scores(self, *systems: Scores) -> None:
        """Raise QeError if any of `systems` has no score (NaN) for a segment; only golds may lack scores."""
        if any(np.isnan(scores).any() for scores in systems):
            message = tr("this segment has no score because the gold marks it as a hallucination")
            hint = tr("A system must have a score for each segment. Use this file as gold.")
            raise QeError(message, hint=hint, place=self.first_excluded)


@dataclass(frozen=True, slots=True, eq=False)
class _TableSegments:
    """0-based segment numbers and 1-based lines of a table's rows; all arrays have shape (rows,).

    In the file, segments are counted from `base`. The table must have `size` segments.
    """

    table: ScoreTable | ScoreGrid
    segment: Ints
    line: Ints
    base: int
    size: int

    def check_complete(self, rows: Ints, system: str = "") -> None:
        """Raise QeError unless `rows` contain each segment exactly once.

        `rows` are indices, sorted by segment. `system` is the name of the rows' system, for the error message.
        """
        segment, line = self.segment[rows], self.line[rows]

        def duplicate_error(position: int) -> Fault:
            first, second = sorted(line[position - 1 : position + 1].tolist())
            number = segment[position] + self.base
            if system:
                message = tr(
                    "duplicate segment {segment} of {system}, which first occurs in line {line}",
                    segment=number, system=system, line=first,
                )  # fmt: skip
            else:
                message = tr(
                    "duplicate segment {segment}, which first occurs in line {line}", segment=number, line=first
                )  # fmt: skip
            return Fault(self.table.opened.location(second), message)

        raise_for_rows(
            np.flatnonzero(np.diff(segment) == 0) + 1, duplicate_error, tr("Each segment may occur only once.")
        )
        check_segment_range(self.table, int(segment[-1]), int(line[-1]), self.size)
        if len(segment) < self.size:
            is_misplaced = segment != np.arange(len(segment))
            first = int(np.argmax(is_misplaced)) if is_misplaced.any() else len(segment)
            # the row after the gap, or the last one
            position = self.table.opened.location(int(line[min(first, len(line) - 1)]))
            raise QeError(
                self._missing_message(len(segment), first, system), hint=tr("Use one row per segment."), place=position
            )

    def _missing_message(self, count: int, first: int, system: str) -> str:
        if system:
            return tr(
                "{n:,} of {wanted:,} {wanted:segment|segments} of {system} {n:is|are} missing; the first is "
                "{first:,} (numbered from {base})",
                "", self.size - count, wanted=self.size, system=system, first=first + self.base, base=self.base,
            )  # fmt: skip
        return tr(
            "{n:,} of {wanted:,} {wanted:segment|segments} {n:is|are} missing; the first is {first:,} "
            "(numbered from {base})",
            "", self.size - count, wanted=self.size, first=first + self.base, base=self.base,
        )  # fmt: skip


def score_columns(table: ScoreTable | ScoreGrid, language_pair: str = "", size: int | None = None) -> ScoreColumns:
    """Score columns of a table, sorted by segment; `size` is the expected number of segments (None: any).

    Raises QeError if the table does not contain `language_pair`, if it contains several language pairs and
    `language_pair` is empty, if segments are missing, surplus or duplicate, if the rows of a segment have different
    gold scores, if two systems or a system and a gold have the same name, or if the gold excludes all segments.
    """
    return (
        _columns_from_grid(table, size)
        if isinstance(table, ScoreGrid)
        else _columns_from_rows(table, language_pair, size)
    )


def segment_order(table: ScoreGrid, size: int | None = None) -> Ints:
    """Row indices sorted by segment, shape (rows,). Raises QeError unless each of `size` segments occurs once.

    If `size` is None, the number of segments follows from the highest segment number in the table.
    """
    return _order_rows(table, size)[0]


def _order_rows(table: ScoreGrid, size: int | None) -> tuple[Ints, tuple[str, ...]]:
    segments, notes = _number_segments(table, table.segment, table.line, size)
    order = np.argsort(segments.segment, kind="stable")
    segments.check_complete(order)
    return order, notes


def _columns_from_grid(table: ScoreGrid, size: int | None) -> ScoreColumns:
    order, notes = _order_rows(table, size)
    columns = [_freeze(column) for column in table.values[order].T]
    if _is_nameless(table):
        return ScoreColumns(single=columns[0], notes=notes)
    golds = len(table.golds)
    return ScoreColumns(
        dict(zip(table.golds, columns[:golds], strict=True)),
        dict(zip(table.systems, columns[golds:], strict=True)),
        notes=notes,
    )


def _columns_from_rows(table: ScoreTable, language_pair: str, size: int | None) -> ScoreColumns:
    pair_rows = np.flatnonzero(rows_for_pair(table, language_pair))
    segments, notes = _number_segments(table, table.segment[pair_rows], table.line[pair_rows], size)
    used, method = np.unique(table.method[pair_rows], return_inverse=True)
    names = [table.methods[number] for number in used]
    order = np.lexsort((segments.segment, method))
    ends = np.searchsorted(method[order], np.arange(len(used) + 1))
    for name, start, stop in zip(names, ends, ends[1:], strict=False):
        segments.check_complete(order[start:stop], name if len(used) > 1 else "")
    rows = pair_rows[order].reshape(len(used), segments.size)
    scores = [_freeze(table.score[of_system]) for of_system in rows]
    lines = table.line[rows][np.isnan(table.score[rows])]
    first_excluded = table.opened.location(int(lines.min())) if len(lines) else None
    if any(np.isnan(of_system).all() for of_system in scores):
        message = tr("the gold marks all segments as hallucinations, so there is nothing to score")
        raise QeError(message, hint=tr("Use another gold."), place=first_excluded)
    if len(used) == 1 and not table.golds:
        return ScoreColumns(single=scores[0], first_excluded=first_excluded, notes=notes)
    _reject_name_clashes(table, names)
    golds = {name: _gold(table, column, rows, segments.base) for column, name in enumerate(table.golds)}
    scores_by_name = dict(zip(names, scores, strict=True))
    golds |= {name: scores_by_name[name] for name in names if not table.golds and _is_gold(name)}
    systems = {name: values for name, values in scores_by_name.items() if not _is_gold(name)}
    if table.golds and len(systems) < len(scores_by_name):
        golds_named = list_names(list(table.golds))
        notes = (*notes, tr("gold rows are not read, because there is a gold column: {names}", names=golds_named))
    return ScoreColumns(golds, systems, first_excluded=first_excluded, notes=notes)


def _reject_name_clashes(table: ScoreTable, names: list[str]) -> None:
    """Raise QeError if two systems, or a system and a gold column, have the same name."""
    used_names = list(table.golds)
    for name in names:
        if name in used_names:
            message = tr("two systems, or a system and a gold, have the name {name}", name=quote_token(name))
            raise QeError(message, hint=tr("Use a unique name for each."), place=table.opened.location())
        used_names.append(name)


def _gold(table: ScoreTable, column: int, rows: Ints, base: int) -> Scores:
    """Gold score of each segment; `rows` has shape (systems, segments). Raises QeError if it depends on the system."""
    values = table.gold[rows, column]

    def error(index: int) -> Fault:
        system, segment = np.unravel_index(index, values.shape)
        message = tr(
            "the gold score of segment {segment} is {value:g} in this line, but {other:g} in line {line}",
            segment=int(segment) + base, value=values[system, segment], other=values[0, segment],
            line=int(table.line[rows[0, segment]]),
        )  # fmt: skip
        return Fault(table.opened.location(int(table.line[rows[system, segment]])), message)

    raise_for_rows(
        np.flatnonzero(values != values[0]), error, tr("A segment must have the same gold score for all systems.")
    )
    return _freeze(values[0])


def _is_nameless(table: ScoreGrid) -> bool:
    return not table.golds and len(table.systems) == 1 and table.systems[0].lower() in _NAMELESS


def _is_gold(name: str) -> bool:
    return name.lower() in GOLD_METHODS


def _number_segments(
    table: ScoreTable | ScoreGrid, segment: Ints, line: Ints, size: int | None
) -> tuple[_TableSegments, tuple[str, ...]]:
    """Number the segments of table rows from 0; also return notes on the numbering in the file."""
    counted, notes = zero_based_segments(segment, size)
    base = 1 if notes else 0
    return _TableSegments(table, counted, line, base, int(counted.max()) + 1 if size is None else size), notes


def _freeze(values: Floats) -> Scores:
    array = np.ascontiguousarray(values)
    array.flags.writeable = False
    return array


def table_names(table: ScoreTable | ScoreGrid) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the golds and systems in a table; empty if the table has one score column of unknown origin."""
    if isinstance(table, ScoreGrid):
        return ((), ()) if _is_nameless(table) else (table.golds, table.systems)
    if table.golds:
        return table.golds, tuple(name for name in table.methods if not _is_gold(name))
    if len(table.methods) == 1:
        return (), ()
    golds = tuple(name for name in table.methods if _is_gold(name))
    return golds, tuple(name for name in table.methods if name not in golds)


def describe_columns(segments: int, golds: Sequence[str], systems: Sequence[str]) -> str:
    """One-line description of a table; `golds` and `systems` are empty if its only column is of unknown origin."""
    gold, system_names = list_names(golds), list_names(systems)
    is_unnamed_gold = len(golds) == 1 and golds[0].lower() == "gold"
    if is_unnamed_gold and systems:
        return tr("scores of {n:,} {n:segment|segments}: gold; {systems}", "", segments, systems=system_names)
    if is_unnamed_gold:
        return tr("gold scores of {n:,} {n:segment|segments}", "", segments)
    if not golds and not systems:
        return tr("scores of {n:,} {n:segment|segments}", "", segments)
    if not systems:
        return tr("gold scores of {n:,} {n:segment|segments}: {golds}", "", segments, golds=gold)
    if not golds:
        return tr("scores of {n:,} {n:segment|segments}: {systems}", "", segments, systems=system_names)
    return tr(
        "scores of {n:,} {n:segment|segments}: gold {golds}; {systems}", "", segments, golds=gold, systems=system_names
    )  # fmt: skip


def missing_gold_note(gold: Scores) -> tuple[str, ...]:
    """Note on the number of segments that a gold excludes; empty if it excludes none."""
    excluded_count = int(np.isnan(gold).sum())
    if not excluded_count:
        return ()
    return (
        tr(
            "{n:,} {n:segment|segments} left out: marked as {n:a hallucination|hallucinations} in the gold",
            "",
            excluded_count,
        ),
    )
