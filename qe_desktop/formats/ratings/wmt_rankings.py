"""WMT rankings as CSV, with two systems per row (WMT15 and WMT16) or five systems per row (WMT08-14).

pairwise  srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID
five-way  srclang,trglang,srcIndex,...,judgeID,system1Number,system1Id,...,system5Id,system1rank,...,system5rank

Lower ranks are better; rank -1 means unranked, and a screen without ranks was skipped. The names of systems with
identical outputs are joined by "+". Written files are pairwise, with a column of times and, if there are any, columns
of roles and seconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import QeError, Ratings
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.ratings.cell_parsing import format_timestamps, parse_number_or_nan, parse_rank
from qe_desktop.formats.ratings.column_builders import ColumnBuilder, NameColumn, NumericColumn, TimestampColumn
from qe_desktop.formats.ratings.csv_columns import CsvColumns, detect_dialect, first_row
from qe_desktop.formats.ratings.csv_writer import (
    campaign_columns,
    check_names_round_trip,
    check_not_empty,
    format_numbers,
    write_table,
)
from qe_desktop.formats.ratings.header_aliases import format_roles, parse_role_code
from qe_desktop.formats.ratings.ranking_screens import RankingScreens, check_screen_size
from qe_desktop.formats.ratings.rating_format import RatingFormat
from qe_desktop.i18n.messages import tr

HEADER = (
    "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank",
    "rankingID", "started",
)  # fmt: skip
_SYSTEM = re.compile(r"system(\d{1,4})(id|rank)", re.ASCII)


@dataclass(frozen=True, slots=True)
class _RankingLayout:
    """Column indices by lower-case name, and one pair of column names (system, rank) per system in a row."""

    columns: Mapping[str, int]
    systems: tuple[tuple[str, str], ...]
    header: tuple[str, ...]


def _layout(header: list[str]) -> _RankingLayout | None:
    columns = {name.strip().lower(): index for index, name in reversed(list(enumerate(header)))}
    numbers = sorted({int(match[1]) for name in columns if (match := _SYSTEM.fullmatch(name))})
    pairs = [(f"system{number}id", f"system{number}rank") for number in numbers]
    if len(pairs) < 2 or "judgeid" not in columns or not {"srcindex", "segmentid"} & set(columns):
        return None
    if any(name not in columns for pair in pairs for name in pair):
        return None
    return _RankingLayout(columns, tuple(pairs), tuple(header))


def _confidence(head: bytes, name: str) -> float:
    return 0.99 if _layout(first_row(head)) else 0.0


def _read(opened: TextFile, language_pair: str) -> Ratings:
    dialect = detect_dialect(opened.head())
    layout = _layout(first_row(opened.head(), dialect))
    if layout is None:
        message = tr("the first row does not name the columns of a WMT ranking")
        hint = tr("The first row must name the columns, as in: {columns}.", columns=",".join(HEADER[:-1]))
        raise QeError(message, hint=hint, place=opened.location(1))
    check_screen_size(opened, len(layout.systems), 1)
    # srcIndex is the segment of the test set; segmentId of older files is the position in a document
    segmented = "srcindex" if "srcindex" in layout.columns else "segmentid"
    builders: dict[str, ColumnBuilder] = {"judgeid": NameColumn(), segmented: NameColumn()}
    builders |= {name: NameColumn(empty="") for name in ("srclang", "trglang", "rankingid")}
    builders |= {
        "started": TimestampColumn(),
        "seconds": NumericColumn(parse_number_or_nan, is_time=True),
        "role": NumericColumn(parse_role_code),
    }
    builders |= {name: NameColumn(empty="") for name in ("campaign", "rating id")}
    units, parts = NameColumn(empty=""), []
    for system, ranked in layout.systems:
        parts.append(_SharedNameColumn(units))
        builders |= {system: parts[-1], ranked: NumericColumn(parse_rank)}
    columns = CsvColumns(opened, dialect, len(layout.header), layout.columns, builders)
    keep = columns.rows_of_pair(language_pair, "srclang", "trglang")
    (judges, judge), (segments, segment) = columns.names("judgeid"), columns.names(segmented)
    screens, screen = columns.names_or_row_numbers("rankingid")
    (campaigns, campaign), (uids, uid) = columns.names("campaign"), columns.names("rating id")
    table = RankingScreens(
        judges, segments, units.names, screens, judge[keep], segment[keep], screen[keep],
        np.stack([part.codes for part in parts], axis=1)[keep],
        np.stack([columns.values(ranked) for _, ranked in layout.systems], axis=1).astype(np.int16)[keep],
        columns.values("role", 0).astype(np.uint8)[keep], columns.values("started")[keep],
        columns.values("seconds")[keep],
        campaigns, campaign[keep], uids, uid[keep],
    )  # fmt: skip
    return Ratings(
        pairs=table.pairs(), comments=table.skipped_screens(), origin=opened.name, notes=columns.notes(layout.header)
    )


class _SharedNameColumn:
    """Builder of a column of names; several such columns share one list of names."""

    def __init__(self, names: NameColumn) -> None:
        self._names = names
        self._own_column = NameColumn(empty="")

    def add(self, cells: Sequence[str]) -> None:
        self._own_column.add(cells)
        for name in self._own_column.names:
            self._names.index_by_name.setdefault(name, len(self._names.index_by_name))

    @property
    def codes(self) -> NameCodes:
        into = np.fromiter(
            (self._names.index_by_name[name] for name in self._own_column.names), np.int32, len(self._own_column.names)
        )
        return into[self._own_column.codes]


def _write(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """Write the pairwise judgements; return notes on omitted data.

    Raises QeError if there are no pairwise judgements, if a name would change on reading, or if the file cannot be
    written.
    """
    pairs = ratings.pairs
    message = tr("there are no pairwise judgements to write")
    check_not_empty(len(pairs), path, message, tr("Use another format, such as JSON Lines (jsonl)."))
    check_names_round_trip(pairs, ("rater", "segment", "first", "second"), path)
    segment, nothing = pairs.texts("segment"), [""] * len(pairs)
    values: list[Sequence[Any]] = [
        nothing, nothing, segment, segment, pairs.texts("rater"), pairs.texts("first"), pairs.first_rank.tolist(),
        pairs.texts("second"), pairs.second_rank.tolist(), pairs.texts("screen"), format_timestamps(pairs.started),
    ]  # fmt: skip
    columns = dict(zip(HEADER, values, strict=True))
    if np.isfinite(pairs.seconds).any():
        columns["seconds"] = format_numbers(pairs.seconds)
    if pairs.role.any():
        columns["role"] = format_roles(pairs.role)
    write_table(path, columns | campaign_columns(pairs))
    return _omitted_note(len(ratings.scores), len(ratings.comments))


def _omitted_note(scores: int, comments: int) -> tuple[str, ...]:
    """Note on data that a ranking file cannot contain; empty if there is none."""
    if scores and comments:
        note = tr(
            "{n:,} {n:rating|ratings} on scales and {comments:,} "
            "{comments:comment or skipped item|comments and skipped items} left out: "
            "a WMT ranking file cannot contain them",
            "", scores, comments=comments,
        )  # fmt: skip
    elif scores:
        note = tr(
            "{n:,} {n:rating|ratings} on scales left out: a WMT ranking file cannot contain {n:it|them}", "", scores
        )
    else:
        note = tr(
            "{n:,} {n:comment or skipped item|comments and skipped items} left out: "
            "a WMT ranking file cannot contain {n:it|them}",
            "",
            comments,
        )
    return (note,) if scores or comments else ()


FORMAT = RatingFormat("wmt", tr("WMT ranking CSV"), _confidence, _read, _write)
