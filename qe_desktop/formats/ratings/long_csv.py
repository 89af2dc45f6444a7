"""CSV and TSV tables with one rating per row, whose columns are identified by their headers.

rater,segment,system,scale,value,role,started,seconds        system,segment,judge,adequacy,fluency
rater,segment,systems,ranks,screen,started                   (systems and ranks separated by |: A|B+C and 1|2)

Written tables contain the rater, the role and the time of every rating; rankings are written as pairs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, QeError, Ratings, ScoreRatings, SourceLocation
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.formats.ratings.cell_parsing import (
    MIN_UNIX_TIME,
    MISSING_CELLS,
    Ranges,
    declared_ranges,
    format_timestamps,
    parse_flags,
    parse_number_or_nan,
    parse_range,
    parse_rating,
    split_scale_name,
)
from qe_desktop.formats.ratings.column_builders import (
    BadCellError,
    ColumnBuilder,
    NameColumn,
    NumericColumn,
    RankingScreens,
    TimestampColumn,
    check_screen_size,
)
from qe_desktop.formats.ratings.csv_tables import (
    CsvColumns,
    CsvDialect,
    campaign_columns,
    check_names_round_trip,
    check_not_empty,
    detect_dialect,
    first_rows,
    format_numbers,
    line_of_row,
    ranges_column,
    write_table,
)
from qe_desktop.formats.ratings.rating_format import (
    AMBIGUOUS_CONFIDENCE,
    ROLES,
    SCALES,
    VALUE,
    ColumnUse,
    RatingFormat,
    column_uses,
    format_roles,
    full_scale_name,
    header_meanings,
    parse_role_code,
    rename_codes,
)
from qe_desktop.formats.ratings.wide_csv import DEFAULT_SYSTEM
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile, display_name
from qe_desktop.i18n.messages import tr


def write_long(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """Write ratings on scales and pairwise judgements, with rater and time; return notes on omitted data.

    Raises QeError if there is nothing to write, if a name would change on reading, if the name of a ranked system
    contains |, or if the file cannot be written.
    """
    scores, pairs = ratings.scores, ratings.pairs
    check_not_empty(len(scores) + len(pairs), path, tr("there are no ratings to write"), tr("Select other ratings."))
    if len(pairs):
        _reject_separators(pairs.units, path)
    check_names_round_trip(scores, ("rater", "segment", "system", "scale"), path)
    check_names_round_trip(pairs, ("rater", "segment", "first", "second"), path)
    empty, blank = [""] * len(scores), [""] * len(pairs)
    columns: dict[str, Sequence[object]] = {
        "rater": [*scores.texts("rater"), *pairs.texts("rater")],
        "segment": [*scores.texts("segment"), *pairs.texts("segment")],
    }
    if len(scores):
        columns["system"] = [*scores.texts("system"), *blank]
        columns["scale"] = [*scores.texts("scale"), *blank]
        columns["value"] = [*format_numbers(scores.value), *blank]
    if len(pairs):
        system_pairs = zip(pairs.texts("first"), pairs.texts("second"), strict=True)
        ranks = zip(pairs.first_rank.tolist(), pairs.second_rank.tolist(), strict=True)
        columns["systems"] = [*empty, *(f"{first}|{second}" for first, second in system_pairs)]
        columns["ranks"] = [*empty, *(f"{first}|{second}" for first, second in ranks)]
        columns["screen"] = [*empty, *pairs.texts("screen")]
    columns["role"] = format_roles(np.concatenate([scores.role, pairs.role]))
    columns["started"] = format_timestamps(np.concatenate([scores.started, pairs.started]))
    seconds = np.concatenate([scores.seconds, pairs.seconds])
    if np.isfinite(seconds).any():
        columns["seconds"] = format_numbers(seconds)
    if scores.flags.any():
        columns["flags"] = [*(str(flags) if flags else "" for flags in scores.flags.tolist()), *blank]
    if ratings.ranges and len(scores):
        columns["range"] = [*ranges_column(ratings, scores), *blank]
    write_table(path, columns | campaign_columns(scores, pairs))
    if not ratings.comments:
        return ()
    comments = len(ratings.comments)
    return (
        tr(
            "{n:,} {n:comment or skipped item|comments and skipped items} left out: "
            "a table with one rating per row cannot contain {n:it|them}",
            "",
            comments,
        ),
    )


def _reject_separators(units: Sequence[str], path: Path) -> None:
    for unit in units:
        if "|" in unit:
            message = tr('the system name "{name}" contains |, which separates systems in this format', name=unit)
            raise QeError(
                message, hint=tr("Export as WMT CSV or JSON Lines."), command_hint=tr("Use the format wmt or jsonl."),
                place=SourceLocation(display_name(path)),
            )  # fmt: skip


DEFAULT_RATER = "rater"
"""Rater name if a table does not name the raters."""
_VALUE_COLUMNS = ("value", "adequacy", "fluency", "z")
_READ_COLUMNS = (
    "rater", "segment", "system", "scale", "document", "pair", "screen", "systems", "ranks", "role", "flags", "started",
    "time", "campaign", "uid", "range", "seconds", *_VALUE_COLUMNS,
)  # fmt: skip
_RANK = re.compile(r"-?\d{1,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _LongLayout:
    dialect: CsvDialect
    header: tuple[str, ...]
    rows: list[list[str]]
    column_indices: dict[str, int]
    value_scale: str
    """Scale of the column "value" in rows that do not name a scale."""

    @property
    def is_certain(self) -> bool:
        """Whether raters, ranks, or the scales adequacy and fluency show that the table contains ratings."""
        if not {"rater", "adequacy", "fluency", "ranks"}.isdisjoint(self.column_indices):
            return True
        return "scale" in self.column_indices and {
            full_scale_name(row[self.column_indices["scale"]]) for row in self.rows
        } <= {
            "adequacy",
            "fluency",
        }

    def uses(self) -> tuple[ColumnUse, ...]:
        """Describe the use of each column."""
        use_by_index = {
            index: VALUE if name in _VALUE_COLUMNS else name
            for name, index in self.column_indices.items()
            if name in _READ_COLUMNS
        }
        return column_uses(self.header, self.rows, use_by_index)


def _layout(head: bytes) -> _LongLayout | None:
    dialect = detect_dialect(head)
    rows = first_rows(head, dialect)
    if not rows:
        return None
    column_indices = header_meanings(rows[0])
    if "segment" not in column_indices or not ({"rater", "system"} & set(column_indices)):
        return None
    if not (set(_VALUE_COLUMNS) & set(column_indices) or {"systems", "ranks"} <= set(column_indices)):
        return None
    complete_rows = [row for row in rows[1:] if len(row) == len(rows[0])]
    if "type" in column_indices:
        cells = {row[column_indices["type"]].strip().lower() for row in complete_rows}
        for meaning, words in (("role", set(ROLES)), ("scale", set(SCALES))):
            if cells and cells <= words:
                column_indices.setdefault(meaning, column_indices["type"])
                break
    value = full_scale_name(rows[0][column_indices["value"]]) if "value" in column_indices else ""
    return _LongLayout(
        dialect, tuple(rows[0]), complete_rows, column_indices, value if value in SCALES.values() else "score"
    )


def _confidence(head: bytes, name: str) -> float:
    layout = _layout(head)
    if layout is None:
        return 0.0
    # without a rater it may be any table of scores, such as metric scores
    return (0.95 if "rater" in layout.column_indices else 0.65) if layout.is_certain else AMBIGUOUS_CONFIDENCE


def _uses(head: bytes) -> tuple[ColumnUse, ...]:
    layout = _layout(head)
    return () if layout is None else layout.uses()


def _read_columns(opened: TextFile, layout: _LongLayout) -> CsvColumns:
    texts = ("system", "scale", "document", "pair", "screen", "campaign", "uid", "range", "systems", "ranks")
    builders: dict[str, ColumnBuilder] = {name: NameColumn(empty="") for name in texts}
    builders |= {name: NameColumn() for name in ("rater", "segment")}
    builders |= {name: NumericColumn(parse_rating) for name in _VALUE_COLUMNS}
    builders |= {
        "seconds": NumericColumn(parse_number_or_nan, is_time=True),
        "role": NumericColumn(parse_role_code),
        "flags": NumericColumn(parse_flags),
    }
    builders |= {"started": TimestampColumn(), "time": TimestampColumn()}
    return CsvColumns(opened, layout.dialect, len(layout.header), layout.column_indices, builders)


def _read(opened: TextFile, language_pair: str) -> Ratings:
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the first row does not name the columns of a rating table")
        hint = tr("The first row must name the columns, as in: rater,segment,system,scale,value.")
        raise QeError(message, hint=hint, place=opened.location(1))
    columns = _read_columns(opened, layout)
    keep = columns.rows_of_pair(language_pair, "pair")
    ratings = Ratings(origin=opened.name)
    if set(_VALUE_COLUMNS) & set(layout.column_indices):
        ratings = replace(ratings, scores=_scores(layout, columns, keep))
    if {"systems", "ranks"} <= set(layout.column_indices):
        ratings = replace(ratings, pairs=_pairs(opened, layout, columns, keep))
    notes = [*columns.notes(layout.header)]
    if "system" not in columns and len(ratings.scores):
        notes.append(tr("the file does not name the system; “{name}” is used", name=DEFAULT_SYSTEM))
    if "rater" not in columns:
        notes.append(tr("the file does not name the rater; “{name}” is used", name=DEFAULT_RATER))
    return replace(ratings, notes=tuple(notes), ranges=_ranges(layout, columns, ratings.scores))


def _ranges(layout: _LongLayout, columns: CsvColumns, scores: ScoreRatings) -> Ranges:
    """Ranges of scales, as specified in the headers, in the names of scales, or in the column of ranges."""
    headers = [layout.header[layout.column_indices[name]] for name in _VALUE_COLUMNS if name in layout.column_indices]
    named_scales, scale = columns.names("scale")
    pairs = [(full_scale_name(name), split_scale_name(name)[1]) for name in (*headers, *named_scales)]
    cells, cell = columns.names("range")
    if len(scores.scales) == 1:
        pairs += [(scores.scales[0], parse_range(text)) for text in cells]
    elif "scale" in columns and "range" in columns:
        index_pairs = np.unique(np.stack([scale, cell]), axis=1).T.tolist()
        pairs += [
            (full_scale_name(named_scales[name_index]) or layout.value_scale, parse_range(cells[cell_index]))
            for name_index, cell_index in index_pairs
        ]
    return declared_ranges(pairs)


def _common_columns(table: CsvColumns, rows: Ints) -> dict[str, Any]:
    """Return the arguments common to `ScoreRatings` and `RankingScreens`: all names, and columns limited to `rows`."""
    started, seconds, time = table.values("started"), table.values("seconds"), table.values("time")
    # a "time" column contains times or durations; small numbers are not times
    valid_times = time[~np.isnan(time)]
    if len(valid_times) and valid_times.min() >= MIN_UNIX_TIME:
        started = np.where(np.isnan(started), time, started)
    else:
        seconds = np.where(np.isnan(seconds), time, seconds)
    raters, rater = table.names("rater", DEFAULT_RATER)
    segments, segment = table.segments()
    campaigns, campaign = table.names("campaign")
    uids, uid = table.names("uid")
    columns: dict[str, NDArray[Any]] = {
        "rater": rater, "segment": segment, "campaign": campaign, "uid": uid, "started": started, "seconds": seconds,
        "role": table.values("role", 0).astype(np.uint8),
    }  # fmt: skip
    names = {"raters": raters, "segments": segments, "campaigns": campaigns, "uids": uids}
    return names | {name: column[rows] for name, column in columns.items()}


def _scores(layout: _LongLayout, table: CsvColumns, keep: NDArray[np.bool_]) -> ScoreRatings:
    columns = [name for name in _VALUE_COLUMNS if name in layout.column_indices]
    matrix = np.stack([table.values(name) for name in columns], axis=1)
    row, column = np.nonzero(~np.isnan(matrix) & keep[:, None])
    scales = [layout.value_scale if name == "value" else name for name in columns]
    if "scale" in table:
        named_scales, codes = table.names("scale")
        full = [full_scale_name(name) or layout.value_scale for name in named_scales]
        scale_codes = len(scales) + codes
        scale_indices = np.where(
            column == columns.index("value") if "value" in columns else False, scale_codes[row], column
        )
        names, scale = rename_codes([*scales, *full], scale_indices.astype(np.int32), [*scales, *full])
    else:
        names, scale = rename_codes(scales, column.astype(np.int32), scales)
    systems, system = table.names("system", DEFAULT_SYSTEM)
    return ScoreRatings(
        systems=systems, scales=names, system=system[row], scale=scale, value=matrix[row, column],
        flags=table.values("flags", 0)[row].astype(np.uint8), **_common_columns(table, row),
    )  # fmt: skip


def _pairs(opened: TextFile, layout: _LongLayout, columns: CsvColumns, keep: NDArray[np.bool_]) -> PairRatings:
    (cells, system), (ranked, ranking) = columns.names("systems"), columns.names("ranks")
    system_lists, rank_lists = [_split_cell(cell) for cell in cells], [_split_cell(cell) for cell in ranked]
    check_screen_size(opened, max(map(len, [*system_lists, *rank_lists]), default=0))
    sizes = np.array([len(units) for units in system_lists])[system]
    counts = np.array([len(ranks) for ranks in rank_lists])[ranking]
    try:
        _check(rank_lists, ranking, sizes, counts)
    except BadCellError as bad:
        line = line_of_row(opened, layout.dialect, bad.row + 1)
        hint = tr("Enter one rank (a whole number) per system. Use | between systems and between ranks.")
        raise QeError(bad.message, hint=hint, place=opened.location(line)) from None
    index_by_name = {"": 0}
    for name in chain.from_iterable(system_lists):
        index_by_name.setdefault(name, len(index_by_name))
    width = max(1, *map(len, system_lists), *map(len, rank_lists))
    unit = _pad_lists([[index_by_name[name] for name in units] for units in system_lists], width)
    rank = _pad_lists([[int(cell) for cell in ranks] for ranks in rank_lists], width).astype(np.int16)
    screens, screen = columns.names_or_row_numbers("screen")
    rows = np.flatnonzero(keep & (sizes > 0) & (counts > 0))
    return RankingScreens(
        units=tuple(index_by_name),
        screens=screens,
        screen=screen[rows],
        displayed_units=unit[system[rows]],
        ranks=rank[ranking[rows]],
        **_common_columns(columns, rows),
    ).pairs()


def _split_cell(cell: str) -> list[str]:
    """Split a cell into names or ranks; empty for a missing value.

    A cell is split at | if it contains one, otherwise at semicolons, commas or spaces, in this order of preference.
    """
    if cell.lower() in MISSING_CELLS:
        return []
    mark = next((mark for mark in "|;," if mark in cell), None)
    return [part.strip() for part in (cell.split(mark) if mark else cell.split())]


def _check(rank_lists: list[list[str]], ranking: NameCodes, sizes: Ints, counts: Ints) -> None:
    """Raise BadCellError if a rank is invalid, or if the number of ranks in a row is not the number of systems."""
    for index, cells in enumerate(rank_lists):
        for cell in cells:
            if not _RANK.fullmatch(cell) or int(cell) < -1:
                message = tr("{text} is not a rank", text=quote_token(cell))
                raise BadCellError(int(np.argmax(ranking == index)), message)
    wrong = np.flatnonzero(sizes != counts)
    if len(wrong):
        row = int(wrong[0])
        raise BadCellError(
            row,
            tr(
                "there {n:is|are} {n} {n:system|systems}, but {ranks} {ranks:rank|ranks}",
                "",
                int(sizes[row]),
                ranks=int(counts[row]),
            ),
        )


def _pad_lists(lists: Sequence[Sequence[int]], width: int) -> NameCodes:
    return np.array([[*values, *[0] * (width - len(values))] for values in lists], np.int32)


FORMAT = RatingFormat("long", tr("one rating per row"), _confidence, _read, write_long, _uses)
