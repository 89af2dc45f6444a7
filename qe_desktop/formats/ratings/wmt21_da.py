"""Direct assessments as published by WMT21: a file of all ratings, or a file of segment means.

ratings  HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time    (separated by tabs)
means    SYS SID RAW.SCR Z.SCR N                                                         (separated by spaces)

Types are SYSTEM, REPEAT, BAD_REF (deliberately degraded) and REF. Ratings are raw (0..100) or standardized. The scale
of standardized ratings is "z". Files of means do not name raters; the means are assigned to `MEAN_RATER`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import QeError, Ratings, ScoreRatings
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.ratings.cell_parsing import parse_number_or_nan, parse_rating
from qe_desktop.formats.ratings.column_builders import ColumnBuilder, NameColumn, NumericColumn
from qe_desktop.formats.ratings.csv_columns import CsvColumns, CsvDialect, first_line, first_rows
from qe_desktop.formats.ratings.header_aliases import full_scale_name, parse_role_code
from qe_desktop.formats.ratings.rating_format import RatingFormat
from qe_desktop.i18n.messages import tr

MEAN_RATER = "(mean of raters)"
"""Rater name for means over raters who are not named."""
_RATINGS = ("workerid", "sys_id", "type", "sid", "score")
_MEANS = ("sys", "sid", "raw.scr", "z.scr")


@dataclass(frozen=True, slots=True)
class _DaLayout:
    columns: dict[str, int]
    header: list[str]
    dialect: CsvDialect
    width: int


def _layout(head: bytes) -> _DaLayout | None:
    """Detect the layout; None if the file has another format. The header and the rows may have different delimiters."""
    names = [name.lower() for name in first_line(head).replace("\t", " ").replace(",", " ").split()]
    columns = {name: index for index, name in reversed(list(enumerate(names)))}
    if not (set(_RATINGS) <= set(columns) or set(_MEANS) <= set(columns)):
        return None
    for mark in ("\t", ",", " "):
        dialect = CsvDialect(mark, has_quotes=mark == ",")
        rows = first_rows(head, dialect, 2)
        if len(rows) > 1 and len(rows[1]) >= len(names):
            return _DaLayout(columns, names, dialect, len(rows[1]))
    return _DaLayout(columns, names, CsvDialect("\t", has_quotes=False), len(names))


def _confidence(head: bytes, name: str) -> float:
    return 0.98 if _layout(head) else 0.0


def _read(opened: TextFile, language_pair: str) -> Ratings:
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the first row does not name the columns of a direct-assessment file")
        raise QeError(
            message,
            hint=tr(
                "The columns must include WorkerId, sys_id, type, sid and score or, for means, SYS, SID, RAW.SCR and "
                "Z.SCR."
            ),
            place=opened.location(1),
        )
    if set(_RATINGS) <= set(layout.columns):
        return _ratings(opened, layout, language_pair)
    return _means(opened, layout)


def _ratings(opened: TextFile, layout: _DaLayout, language_pair: str) -> Ratings:
    texts = ("hitid", "input.src", "input.trg", "input.item")
    builders: dict[str, ColumnBuilder] = {"workerid": NameColumn(), "sys_id": NameColumn(), "sid": NameColumn()}
    score = NumericColumn(parse_rating)
    builders |= {
        "type": NumericColumn(parse_role_code),
        "score": score,
        "time": NumericColumn(parse_number_or_nan, is_time=True),
    }
    builders |= {name: NameColumn(empty="") for name in texts}
    columns = CsvColumns(opened, layout.dialect, layout.width, layout.columns, builders)
    keep = ~np.isnan(score.values)
    unscored_count = int(columns.rows - keep.sum()) - score.skipped_count
    notes = [tr("{n:,} {n:row|rows} left out: no score", "", unscored_count)] if unscored_count else []
    notes += columns.notes(layout.header)
    keep &= columns.rows_of_pair(language_pair, "input.src", "input.trg")
    (raters, rater), (systems, system) = columns.names("workerid"), columns.names("sys_id")
    seconds = np.full(columns.rows, np.nan)
    if "time" in columns and "hitid" in columns:
        seconds = _seconds_per_item(columns.names("hitid")[1], rater, columns.values("time"))
        notes.append(tr("each HIT (task) has one time, which is divided equally among its items"))
    segments, segment = columns.names("sid")
    scales, scale = _scales(*columns.names("input.item"), score.values)
    table = ScoreRatings(
        raters, systems, segments, scales, rater, system, segment, scale, score.values,
        columns.values("type").astype(np.uint8), np.full(columns.rows, np.nan), seconds,
        np.zeros(columns.rows, np.uint8),
    )  # fmt: skip
    return Ratings(table.take(keep), origin=opened.name, notes=tuple(notes))


def _seconds_per_item(hit: NameCodes, rater: NameCodes, time: Floats) -> Floats:
    """Seconds of each row: the time of its HIT divided by the number of rows with the same HIT and rater."""
    share = hit.astype(np.int64) * (int(rater.max()) + 1) + rater
    group_index, counts = np.unique(share, return_inverse=True, return_counts=True)[1:]
    return np.asarray(np.round(time / counts[group_index], 3))


def _scales(names: Sequence[str], codes: NameCodes, values: Floats) -> tuple[tuple[str, ...], NameCodes]:
    """Names of the scales, and the index of each row's scale.

    All scores are assumed to be standardized if any score is below 0. A single scale is then named "z", otherwise
    "score". If there are several scales and the scores are standardized, the suffix " z" is added to all scale names.
    """
    standardised = bool((values < 0).any())
    if len(names) == 1:
        return ("z" if standardised else "score",), codes
    return tuple(f"{full_scale_name(name)} z" if standardised else full_scale_name(name) for name in names), codes


def _means(opened: TextFile, layout: _DaLayout) -> Ratings:
    builders: dict[str, ColumnBuilder] = {"sys": NameColumn(), "sid": NameColumn()}
    builders |= {"raw.scr": NumericColumn(parse_number_or_nan), "z.scr": NumericColumn(parse_number_or_nan)}
    columns = CsvColumns(opened, layout.dialect, layout.width, layout.columns, builders)
    (systems, system), (segments, segment) = columns.names("sys"), columns.names("sid")
    unknown, nothing = np.full(2 * columns.rows, np.nan), np.zeros(2 * columns.rows, np.uint8)
    means = ScoreRatings(
        (MEAN_RATER,), systems, segments, ("score", "z"), np.zeros(2 * columns.rows, np.int32), np.tile(system, 2),
        np.tile(segment, 2), np.repeat(np.array([0, 1], np.int32), columns.rows),
        np.concatenate([columns.values("raw.scr"), columns.values("z.scr")]), nothing, unknown, unknown, nothing,
    )  # fmt: skip
    notes = (tr("segment means; raters are not named"), *columns.notes())
    return Ratings(means.take(~np.isnan(means.value)), origin=opened.name, notes=notes)


FORMAT = RatingFormat("wmt21", tr("WMT21 direct assessment"), _confidence, _read)
