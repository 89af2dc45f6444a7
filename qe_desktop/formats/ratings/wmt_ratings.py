"""Ratings as published by WMT, such as direct assessments, segment scores of the metrics tasks, or rankings.

Segment scores: the lines of a system are in segment order; the score of an unrated segment is `None`. Raters and
segments are not named in the file: the rater is `MEAN_RATER`, and segments are numbered from 1. Only the file name
indicates the content: `mqm.seg.score` contains human scores, `COMET.seg.score` metric scores.

Direct assessments of WMT21:

ratings  HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time    (separated by tabs)
means    SYS SID RAW.SCR Z.SCR N                                                         (separated by spaces)

Types are SYSTEM, REPEAT, BAD_REF (deliberately degraded) and REF. Ratings are raw (0..100) or standardized. The scale
of standardized ratings is "z". Files of means do not name raters; the means are assigned to `MEAN_RATER`.

Rankings:

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

from qe_desktop.corpus import QeError, Ratings, ScoreRatings
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.layers import Scores
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.formats.importing.planned_file import ScoreDirection, usual_direction
from qe_desktop.formats.importing.roles import metric_name
from qe_desktop.formats.ratings.cell_parsing import format_timestamps, parse_number_or_nan, parse_rank, parse_rating
from qe_desktop.formats.ratings.column_builders import (
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
    first_line,
    first_row,
    first_rows,
    format_numbers,
    write_table,
)
from qe_desktop.formats.ratings.rating_format import RatingFormat, format_roles, full_scale_name, parse_role_code
from qe_desktop.formats.scores.metric_scores import check_score_sizes
from qe_desktop.formats.scores.system_scores import is_system_scores, read_system_scores
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

MEAN_RATER = "(mean of raters)"
"""Rater name for means over raters who are not named."""
_RATING_COLUMNS = ("workerid", "sys_id", "type", "sid", "score")
"""All columns: HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time (with tabs)."""
_MEAN_COLUMNS = ("sys", "sid", "raw.scr", "z.scr")
"""All columns: SYS SID RAW.SCR Z.SCR N (with spaces)."""


@dataclass(frozen=True, slots=True)
class _DaLayout:
    columns: dict[str, int]
    header: list[str]
    dialect: CsvDialect
    width: int


def _da_layout(head: bytes) -> _DaLayout | None:
    """Detect the layout of direct assessments; None for other files. Header and rows may have different delimiters."""
    names = [name.lower() for name in first_line(head).replace("\t", " ").replace(",", " ").split()]
    columns = {name: index for index, name in reversed(list(enumerate(names)))}
    if not (set(_RATING_COLUMNS) <= set(columns) or set(_MEAN_COLUMNS) <= set(columns)):
        return None
    for mark in ("\t", ",", " "):
        dialect = CsvDialect(mark, has_quotes=mark == ",")
        rows = first_rows(head, dialect, 2)
        if len(rows) > 1 and len(rows[1]) >= len(names):
            return _DaLayout(columns, names, dialect, len(rows[1]))
    return _DaLayout(columns, names, CsvDialect("\t", has_quotes=False), len(names))


def _da_confidence(head: bytes, name: str) -> float:
    return 0.98 if _da_layout(head) else 0.0


def _read_da(opened: TextFile, language_pair: str) -> Ratings:
    layout = _da_layout(opened.head())
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
    if set(_RATING_COLUMNS) <= set(layout.columns):
        return _da_ratings(opened, layout, language_pair)
    return _da_means(opened, layout)


def _da_ratings(opened: TextFile, layout: _DaLayout, language_pair: str) -> Ratings:
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
    """Seconds of each row, shape (rows,): the time of its HIT, divided by the number of rows with its HIT and rater."""
    share = hit.astype(np.int64) * (int(rater.max()) + 1) + rater
    group_index, counts = np.unique(share, return_inverse=True, return_counts=True)[1:]
    return np.asarray(np.round(time / counts[group_index], 3))


def _scales(names: Sequence[str], codes: NameCodes, values: Floats) -> tuple[tuple[str, ...], NameCodes]:
    """Names of the scales, and the index of each row's scale.

    All scores are assumed to be standardized if any score is below 0. A single scale is named "z" if its scores are
    standardized, else "score". If there are several scales and the scores are standardized, the suffix " z" is added to
    all scale names.
    """
    standardised = bool((values < 0).any())
    if len(names) == 1:
        return ("z" if standardised else "score",), codes
    return tuple(f"{full_scale_name(name)} z" if standardised else full_scale_name(name) for name in names), codes


def _da_means(opened: TextFile, layout: _DaLayout) -> Ratings:
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


WMT21_DA = RatingFormat("wmt21", tr("WMT21 direct assessment"), _da_confidence, _read_da)


HUMAN_SCORES_SCALE = "score"
"""Scale name of human segment scores."""
_KINDS = "humans?|people|raters?|appraise|wmt|mqm|esa|da|p?sqm|csqm"
_HUMAN_NAME = re.compile(
    rf"(?:{_KINDS}|round\d+)(?:[-_.](?:{_KINDS}|raw|z|means?|avg|merged|(?:rater|round)?\d+))*", re.I
)


def is_human_scores_name(path: Path) -> bool:
    """Return whether a file has the name of human scores, such as `en-de.mqm.seg.score` or `wmt-z.seg.score`.

    Names of metrics that contain the name of a human score, such as `COMET-DA` or `GEMBA-MQM`, do not count.
    """
    return _HUMAN_NAME.fullmatch(metric_name(path)) is not None


def read_human_scores(opened: TextFile, size: int | None = None) -> Ratings:
    """Read human scores. Penalties, such as those of MQM, are negated so that higher is better.

    `size` is the expected number of segments (None: any). Raises QeError as `read_system_scores` does, and if the
    number of segments is not `size`.
    """
    system_scores = read_system_scores(opened)
    check_score_sizes(system_scores.size, size, opened, next(iter(system_scores.systems)))
    values, negation_notes = without_penalties(opened.path, np.stack(list(system_scores.systems.values())))
    notes = (tr("segment scores; raters are not named"), *negation_notes)
    system, segment = np.nonzero(~np.isnan(values))
    rows = len(system)
    unknown = np.full(rows, np.nan)
    scores = ScoreRatings(
        (MEAN_RATER,), tuple(system_scores.systems), tuple(str(number) for number in range(1, system_scores.size + 1)),
        (HUMAN_SCORES_SCALE,),
        np.zeros(rows, np.int32), system.astype(np.int32), segment.astype(np.int32), np.zeros(rows, np.int32),
        values[system, segment], np.zeros(rows, np.uint8), unknown, unknown, np.zeros(rows, np.uint8),
    )  # fmt: skip
    return Ratings(scores, origin=opened.name, notes=notes)


def without_penalties(path: Path, values: Scores) -> tuple[Scores, tuple[str, ...]]:
    """Negate the values of a file if they are penalties, so that higher is better.

    Returns the values, and a note if they were negated.
    """
    if usual_direction(metric_name(path), [values.ravel()]) is not ScoreDirection.LESS:
        return values, ()
    note = tr("scores are penalties; they are negated so that higher is better")
    return np.negative(values, where=values != 0, out=values.copy()), (note,)


def _human_scores_confidence(head: bytes, name: str) -> float:
    return 0.97 if is_human_scores_name(Path(name)) and is_system_scores(head) else 0.0


def _read_human_scores(opened: TextFile, language_pair: str) -> Ratings:
    return read_human_scores(opened)


HUMAN_SEG_SCORES = RatingFormat(
    "seg-score", tr("human segment scores, one system⇥score per line"), _human_scores_confidence, _read_human_scores
)


RANKING_HEADER = (
    "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank",
    "rankingID", "started",
)  # fmt: skip
_SYSTEM = re.compile(r"system(\d{1,4})(id|rank)", re.ASCII)
"""Columns of the systems in a row: two in WMT15 and WMT16, five in WMT08-14."""


@dataclass(frozen=True, slots=True)
class _RankingLayout:
    """Column indices by lower-case name, and one pair of column names (system, rank) per system in a row."""

    columns: Mapping[str, int]
    systems: tuple[tuple[str, str], ...]
    header: tuple[str, ...]


def _ranking_layout(header: list[str]) -> _RankingLayout | None:
    columns = {name.strip().lower(): index for index, name in reversed(list(enumerate(header)))}
    numbers = sorted({int(match[1]) for name in columns if (match := _SYSTEM.fullmatch(name))})
    pairs = [(f"system{number}id", f"system{number}rank") for number in numbers]
    if len(pairs) < 2 or "judgeid" not in columns or not {"srcindex", "segmentid"} & set(columns):
        return None
    if any(name not in columns for pair in pairs for name in pair):
        return None
    return _RankingLayout(columns, tuple(pairs), tuple(header))


def _ranking_confidence(head: bytes, name: str) -> float:
    return 0.99 if _ranking_layout(first_row(head)) else 0.0


def _read_rankings(opened: TextFile, language_pair: str) -> Ratings:
    dialect = detect_dialect(opened.head())
    layout = _ranking_layout(first_row(opened.head(), dialect))
    if layout is None:
        message = tr("the first row does not name the columns of a WMT ranking")
        hint = tr("The first row must name the columns, as in: {columns}.", columns=",".join(RANKING_HEADER[:-1]))
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


def _write_rankings(ratings: Ratings, path: Path) -> tuple[str, ...]:
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
    columns = dict(zip(RANKING_HEADER, values, strict=True))
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


WMT_RANKINGS = RatingFormat("wmt", tr("WMT ranking CSV"), _ranking_confidence, _read_rankings, _write_rankings)
"""Lower ranks are better, -1 means unranked. The names of systems with identical outputs are joined by a plus sign."""
