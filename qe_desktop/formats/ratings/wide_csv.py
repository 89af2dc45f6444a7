"""Tables with one column per rater and one row per item; a cell without a value is empty or one of `MISSING_CELLS`.

SEGID,LANGPAIR,ANNOTYPE,NUMANNOT,ANNOTATOR_01,ANNOTATOR_02
segment,system,scale,role,Ada,Ben,Ada started,Ben started

The columns of segments, systems, scales and roles are identified by their headers. Rater columns are identified by
their names (`ANNOTATOR_01`, `judge 2`) or by an accompanying column such as `Ada started`; if any column is identified
in this way, no other columns are rater columns. Otherwise, all other numeric columns are rater columns if the table
contains ratings. This is the case if its scales or roles are known, or if all values are whole numbers from 0 to 6. For
other tables, such as tables of p-values, the user is asked. A table that contains only numbers (items × raters) can
also be read. Written tables have a second column per rater for the time of each rating, and further columns for
seconds, flags and rating ids if there are any.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import QeError, Ratings, ScoreRatings, SourceLocation, encode_names
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.ratings import NameCodes, name_array
from qe_desktop.escaping import unescape_csv_cell
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.ratings.cell_parsing import (
    MISSING_CELLS,
    declared_ranges,
    format_timestamps,
    is_number,
    parse_flags,
    parse_number_or_nan,
    parse_range,
    parse_rating,
    split_scale_name,
)
from qe_desktop.formats.ratings.column_builders import ColumnBuilder, NameColumn, NumericColumn, TimestampColumn
from qe_desktop.formats.ratings.csv_tables import (
    CsvColumns,
    CsvDialect,
    check_names_round_trip,
    check_not_empty,
    detect_dialect,
    first_rows,
    format_numbers,
    ranges_column,
    write_table,
)
from qe_desktop.formats.ratings.rating_format import (
    AMBIGUOUS_CONFIDENCE,
    RATER,
    ROLES,
    SCALES,
    ColumnUse,
    RatingFormat,
    column_uses,
    format_roles,
    full_scale_name,
    header_meaning,
    header_meanings,
    parse_role_code,
    rater_column_use,
    rename_codes,
)
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile, display_name
from qe_desktop.i18n.messages import tr

DEFAULT_SYSTEM = "system"
"""System name if a table does not name the system."""
_EXTRA_MEANINGS = ("started", "seconds", "flags")
_UID = "rating id"
_EXTRA = re.compile(rf"(.+) (started|seconds|flags|{_UID})")
_EXTRA_PARSERS = {"seconds": parse_number_or_nan, "flags": parse_flags}
_VALUES = ("value", "adequacy", "fluency", "z")
"""Meanings of columns that may contain the ratings of several raters."""
_KEY_MEANINGS = ("segment", "system", "scale", "role", "pair", "document", "campaign", "range")
_RATER = re.compile(
    r"(rater|judge|annotator|annot|evaluator|assessor|worker|coder|reviewer|participant)"
    r"([ _.#-](?!mean|avg|sd|std|median|sum|total|count|n$|no$|num|age|id)\w{1,20}|\d+)|[rj][ _.-]?\d+",
    re.IGNORECASE | re.ASCII,
)
"""Pattern of the names of rater columns."""


@dataclass(frozen=True, slots=True)
class _WideLayout:
    """Column indices by meaning (`key_columns`), by rater (`rater_columns`), or by rater and meaning (`extra_columns`).

    Extra columns contain times, seconds, flags and ids. `is_certain` is true if the table clearly contains ratings.
    """

    dialect: CsvDialect
    header: tuple[str, ...]
    rows: list[list[str]]
    skip: int
    is_certain: bool
    key_columns: dict[str, int] = field(default_factory=dict)
    rater_columns: dict[str, int] = field(default_factory=dict)
    extra_columns: dict[tuple[str, str], int] = field(default_factory=dict)

    def uses(self) -> tuple[ColumnUse, ...]:
        """Describe the use of each column."""
        use_by_index = {index: name for name, index in self.key_columns.items() if name in _KEY_MEANINGS}
        use_by_index |= {index: RATER for index in self.rater_columns.values()}
        use_by_index |= {index: rater_column_use(*key) for key, index in self.extra_columns.items()}
        return column_uses(self.header, self.rows, use_by_index)


def _layout(head: bytes, raters: Sequence[str] = ()) -> _WideLayout | None:
    dialect = detect_dialect(head)
    rows = first_rows(head, dialect, 200)
    if rows and len(rows[0]) == 1:
        dialect = CsvDialect(" ", has_quotes=False)
        rows = first_rows(head, dialect, 200)
    if not rows or len({len(row) for row in rows}) != 1:
        return None
    width = len(rows[0])
    if all(_is_numeric(cell) for cell in rows[0]):
        numbers = all(_is_numeric(cell) for row in rows for cell in row)
        rater_columns = {f"rater {index + 1}": index for index in range(width)}
        is_certain = _is_short_scale(rows, range(width))
        return _WideLayout(dialect, tuple(rater_columns), rows, 0, is_certain, {}, rater_columns) if numbers else None
    return _with_header(dialect, rows, raters)


def _with_header(dialect: CsvDialect, rows: list[list[str]], raters: Sequence[str]) -> _WideLayout | None:
    header, body = [unescape_csv_cell(cell.strip()) for cell in rows[0]], rows[1:]
    keys = header_meanings(header)
    if {"rater", *_VALUES} & set(keys) or not body:
        return None
    free = {
        name: index for index, name in enumerate(header)
        if name and not header_meaning(name) and all(_is_numeric(row[index]) for row in body)
    }  # fmt: skip
    names = set(header)
    matches = {index: _EXTRA.fullmatch(name) for index, name in enumerate(header)}
    extras = {(match[1], match[2]): index for index, match in matches.items() if match and match[1] in names}
    free = {name: index for name, index in free.items() if index not in extras.values()}
    marked = {name for name in free if _RATER.fullmatch(name) or any(name == rater for rater, _ in extras)}
    selected = set(raters) or marked or set(free)
    layout = _WideLayout(
        dialect, tuple(header), body, 1, bool(raters or marked) or _has_rating_headers(keys, body, free),
        {name: index for name, index in keys.items() if name in _KEY_MEANINGS},
        {name: index for name, index in free.items() if name in selected},
        {key: index for key, index in extras.items() if key[0] in free and key[0] in selected},
    )  # fmt: skip
    if (
        "segment" not in layout.key_columns
        and not raters
        and (len(layout.rater_columns) < 2 or any(map(_is_numeric, layout.rater_columns)))
    ):
        # a first row with numbers contains ratings, not names
        return None
    rated = any(
        row[index].strip().lower() not in MISSING_CELLS for row in body for index in layout.rater_columns.values()
    )
    return layout if rated or raters else None


def _has_rating_headers(keys: dict[str, int], body: list[list[str]], free: dict[str, int]) -> bool:
    """Return whether the scales, roles or values of a table without named raters show that it contains ratings."""
    for meaning, words in (("scale", SCALES), ("role", ROLES)):
        cells = {split_scale_name(row[keys[meaning]].strip().lower())[0] for row in body} if meaning in keys else set()
        if cells and cells <= set(words) and cells != {""}:
            return True
    return (len(free) > 1 or "system" in keys) and _is_short_scale(body, free.values())


def _is_short_scale(rows: list[list[str]], columns: Collection[int]) -> bool:
    """Whether all values are whole numbers from 0 to 6, and at least two of them differ."""
    cells = {row[column].strip() for row in rows for column in columns}
    values = {cell for cell in cells if cell.lower() not in MISSING_CELLS}
    return len(values) > 1 and all(re.fullmatch(r"[0-6](\.0+)?", cell, re.ASCII) for cell in values)


def _is_numeric(cell: str) -> bool:
    return cell.strip().lower() in MISSING_CELLS or is_number(cell)


def _confidence(head: bytes, name: str) -> float:
    layout = _layout(head)
    if layout is None:
        return 0.0
    if not layout.skip and len(layout.header) < 2:
        return 0.0
    if not layout.is_certain:
        return AMBIGUOUS_CONFIDENCE
    if not layout.skip:
        return 0.6
    return 0.9 if "segment" in layout.key_columns else 0.7


def read_wide(opened: TextFile, language_pair: str, raters: Sequence[str] = ()) -> Ratings:
    """Read the ratings of a table; `raters` names the rater columns, which are otherwise detected.

    Raises QeError if the table does not have one column per rater or has no column for one of `raters`, if two columns
    have the same name, if a cell is invalid, if the table does not contain `language_pair`, or if it contains several
    language pairs and `language_pair` is empty.
    """
    layout = _layout(opened.head(), raters)
    if layout is None:
        message = tr("the columns are not those of a table with one column per rater")
        hint = tr("The first row must name the columns, such as segment,system,scale,Ada,Ben; ratings must be numbers.")
        raise QeError(message, hint=hint, place=opened.location(1))
    _check_raters(opened, layout, raters)
    _reject_equal_names(opened, layout)
    columns = _read_columns(opened, layout)
    matrix = _by_rater(columns, layout, RATER)
    row, rater = np.nonzero(~np.isnan(matrix) & columns.rows_of_pair(language_pair, "pair")[:, None])
    extras = {meaning: _by_rater(columns, layout, meaning)[row, rater] for meaning in _EXTRA_MEANINGS}
    segments, segment = columns.segments()
    systems, system = columns.names("system", DEFAULT_SYSTEM)
    named_scales, scale = columns.names("scale", "score")
    scales, scale = rename_codes(named_scales, scale, [full_scale_name(name) for name in named_scales])
    campaigns, campaign = columns.names("campaign")
    table = ScoreRatings(
        tuple(layout.rater_columns), systems, segments, scales, rater.astype(np.int32), system[row], segment[row],
        scale[row],
        matrix[row, rater], columns.values("role", 0)[row].astype(np.uint8), extras["started"], extras["seconds"],
        np.nan_to_num(extras["flags"]).astype(np.uint8), campaigns, campaign[row], *_uids(columns, layout, row, rater),
    )  # fmt: skip
    unnamed = tr("the file does not name the system; “{name}” is used", name=DEFAULT_SYSTEM)
    notes = (*columns.notes(layout.header), *(() if "system" in columns else (unnamed,)))
    ranges = [(full_scale_name(name), split_scale_name(name)[1]) for name in named_scales]
    if "range" in columns:
        cells, cell = columns.names("range")
        unique_pairs = np.unique(np.stack([scale, cell]), axis=1).T.tolist()
        ranges += [(scales[name_index], parse_range(cells[cell_index])) for name_index, cell_index in unique_pairs]
    return Ratings(table, origin=opened.name, notes=notes, ranges=declared_ranges(ranges))


def _read_columns(opened: TextFile, layout: _WideLayout) -> CsvColumns:
    """Read the columns. The key of a column is its meaning, or (rater, meaning) if it belongs to a rater."""
    column_indices: dict[Any, int] = {**layout.key_columns, **layout.extra_columns}
    column_indices |= {(rater, RATER): index for rater, index in layout.rater_columns.items()}
    builders: dict[Any, ColumnBuilder] = {name: NameColumn(empty="") for name in _KEY_MEANINGS if name != "role"}
    builders |= {(rater, RATER): NumericColumn(parse_rating) for rater in layout.rater_columns}
    for rater, meaning in layout.extra_columns:
        if meaning == _UID:
            builders[rater, meaning] = NameColumn(empty="")
        elif meaning == "started":
            builders[rater, meaning] = TimestampColumn()
        else:
            builders[rater, meaning] = NumericColumn(_EXTRA_PARSERS[meaning], is_time=meaning == "seconds")
    builders["role"] = NumericColumn(parse_role_code)
    return CsvColumns(opened, layout.dialect, len(layout.header), column_indices, builders, skip=layout.skip)


def _by_rater(columns: CsvColumns, layout: _WideLayout, meaning: str) -> Floats:
    """Values of the raters' columns with a given meaning, such as seconds, shape (rows, raters); NaN if missing."""
    return np.stack([columns.values((rater, meaning)) for rater in layout.rater_columns], axis=1)


def _check_raters(opened: TextFile, layout: _WideLayout, raters: Sequence[str]) -> None:
    for rater in raters:
        if rater not in layout.rater_columns:
            if rater in layout.header:
                message = tr(
                    "{text} cannot be a rater column: not all of its cells are numbers, or its name is reserved",
                    text=quote_token(rater),
                )
            else:
                message = tr("{text} is not a column of this table", text=quote_token(rater))
            hint = tr("Use one of the columns of this table: {columns}.", columns=list_names(layout.header))
            raise QeError(message, hint=hint, place=opened.location(1))


def _reject_equal_names(opened: TextFile, layout: _WideLayout) -> None:
    """Raise QeError if two columns to be read have the same name, because the data of one would be lost."""
    for index, name in enumerate(layout.header):
        if name in layout.header[:index] and (name in layout.rater_columns or header_meaning(name)):
            message = tr("there are two columns named {name}", name=quote_token(name))
            raise QeError(message, hint=tr("Use a unique name for each column."), place=opened.location(1))


def _uses(head: bytes) -> tuple[ColumnUse, ...]:
    layout = _layout(head)
    return () if layout is None else layout.uses()


def _uids(columns: CsvColumns, layout: _WideLayout, row: Ints, rater: Ints) -> tuple[tuple[str, ...], NameCodes]:
    """Distinct rating ids from the raters' columns, and the index of each rating's id; `row` has shape (ratings,)."""
    if not any(meaning == _UID for _, meaning in layout.extra_columns):
        return ("",), np.zeros(len(row), np.int32)
    uids = np.empty(len(row), object)
    for index, name in enumerate(layout.rater_columns):
        names, codes = columns.names((name, _UID))
        is_of_rater = rater == index
        uids[is_of_rater] = name_array(names)[codes[row[is_of_rater]]]
    return encode_names(uids)


def _write(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """Write one row per item and role, and further rows for repeated ratings by the same rater.

    Returns notes on omitted data. Raises QeError if there are no ratings on scales, if a name would change on
    reading, or if the file cannot be written.
    """
    scores = ratings.scores
    message = tr("there are no ratings on scales, and this format can contain only such ratings")
    check_not_empty(len(scores), path, message, tr("Use another format, such as JSON Lines (jsonl)."))
    _reject_unreadable(scores.raters, path)
    check_names_round_trip(scores, ("segment", "system", "scale"), path)
    row, first = _rows_of(scores)
    shape = (len(first), len(scores.raters))
    items = scores.take(first)
    columns: dict[str, Sequence[str]] = {name: items.texts(name) for name in ("segment", "system", "scale")}
    columns["role"] = format_roles(items.role)
    if any(scores.campaigns):
        columns["campaign"] = items.texts("campaign")
    if ratings.ranges:
        columns["range"] = ranges_column(ratings, items)
    columns |= zip(scores.raters, _cells(shape, row, scores.rater, format_numbers(scores.value)), strict=True)
    flags = np.where(scores.flags > 0, scores.flags, np.nan).astype(np.float64)
    for name, texts, has_values in (
        ("started", format_timestamps(scores.started), True),
        ("seconds", format_numbers(scores.seconds), bool(np.isfinite(scores.seconds).any())),
        ("flags", format_numbers(flags), bool(scores.flags.any())),
        (_UID, scores.texts("uid"), any(scores.uids)),
    ):
        if has_values:
            further = [f"{rater} {name}" for rater in scores.raters]
            columns |= zip(further, _cells(shape, row, scores.rater, texts), strict=True)
    write_table(path, columns)
    return _omitted_note(len(ratings.pairs), len(ratings.comments))


def _omitted_note(pairs: int, comments: int) -> tuple[str, ...]:
    """Note on data that a table with one column per rater cannot contain; empty if there is none."""
    if pairs and comments:
        note = tr(
            "{n:,} {n:pairwise judgement|pairwise judgements} and {comments:,} "
            "{comments:comment or skipped item|comments and skipped items} left out: "
            "a table with one column per rater cannot contain them",
            "", pairs, comments=comments,
        )  # fmt: skip
    elif pairs:
        note = tr(
            "{n:,} {n:pairwise judgement|pairwise judgements} left out: "
            "a table with one column per rater cannot contain {n:it|them}",
            "",
            pairs,
        )
    else:
        note = tr(
            "{n:,} {n:comment or skipped item|comments and skipped items} left out: "
            "a table with one column per rater cannot contain {n:it|them}",
            "",
            comments,
        )
    return (note,) if pairs or comments else ()


def _cells(shape: tuple[int, int], row: NameCodes, rater: NameCodes, texts: Sequence[str]) -> list[list[str]]:
    table = np.full(shape[::-1], "", object)
    table[rater, row] = texts
    cells: list[list[str]] = table.tolist()
    return cells


def _rows_of(scores: ScoreRatings) -> tuple[NameCodes, Ints]:
    """Row of each rating, shape (ratings,), and first rating of each row, shape (rows,), in order of appearance."""
    item = np.stack([scores.role.astype(np.int32), scores.scale, scores.system, scores.segment, scores.campaign])
    order = np.lexsort((np.arange(len(scores)), *item, scores.rater))
    keys = np.concatenate([item, scores.rater[None]])[:, order]
    is_new = np.ones(len(order), bool)
    is_new[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    starts = np.flatnonzero(is_new)
    time = np.empty(len(order), np.int32)
    time[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    _, first, inverse = np.unique(np.concatenate([item, time[None]]), axis=1, return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    rank = np.empty(len(first), np.int32)
    rank[by_appearance] = np.arange(len(first))
    return rank[inverse.ravel()], first[by_appearance]


def _reject_unreadable(raters: Sequence[str], path: Path) -> None:
    """Raise QeError if a column named after a rater would be read with a different meaning or name."""
    for rater in raters:
        if header_meaning(rater) or _EXTRA.fullmatch(rater) or not rater.strip() or rater != rater.strip():
            message = tr(
                '"{name}" cannot be a column name: it is reserved, is empty, or has leading or trailing spaces',
                name=rater,
            )
            raise QeError(
                message,
                hint=tr("Use another format, such as JSON Lines (jsonl)."),
                place=SourceLocation(display_name(path)),
            )


FORMAT = RatingFormat("wide", tr("one column per rater"), _confidence, read_wide, _write, _uses)
