"""QE Desktop's JSON Lines format, which stores a campaign's journal or ratings without loss.

    {"format": "qe-desktop ratings", "version": 1, "origin": …, "notes": […]}                (first, and optional)
    {"rater": …, "system": …, "segment": …, "scale": "adequacy", "value": 4, "at": …, "seconds": …, "role": …,
     "campaign": …, "rating": …}
    {"rater": …, "segment": …, "systems": ["A", ["B", "C"]], "ranks": [1, 2], "screen": …, "at": …}
    {"rater": …, "segment": …, "systems": […], "comment": …, "skipped": true}

Systems in a nested list had identical outputs. Reading restores the written data exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from qe_desktop.corpus import CAMPAIGN_JOINER, Comment, PairRatings, QeError, Ratings, ScoreRatings, encode_names
from qe_desktop.corpus.columns import Floats
from qe_desktop.formats.ratings.cell_parsing import (
    MAX_ABS_RATING,
    NAN,
    Ranges,
    SkippedValueError,
    SkippedValues,
    header_ranges,
    parse_timestamps,
)
from qe_desktop.formats.ratings.column_builders import NameColumn, RankingScreens
from qe_desktop.formats.ratings.journal import (
    JournalLine,
    add_event,
    fold_journal,
    is_header,
    is_journal,
    parse_role,
    skipped_events,
)
from qe_desktop.formats.ratings.jsonl_records import (
    FORMAT_NAME,
    JsonBlock,
    JsonRecord,
    iter_object_blocks,
    iter_objects,
    write_jsonl,
)
from qe_desktop.formats.ratings.rating_format import ROLES, RatingFormat, unread_fields_note
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

_RATING_KEYS = {"rater", "rating", "campaign"}
"""Keys that identify the JSON Lines format; every line except a header has at least one of these keys."""


def _confidence(head: bytes, name: str) -> float:
    lines = [line for line in head.split(b"\n") if line.strip()]
    try:
        first = json.loads(lines[0]) if lines else None
        if not isinstance(first, dict):
            return 0.0
        return 0.99 if first.get("format") == FORMAT_NAME or _RATING_KEYS & first.keys() else 0.5
    except (ValueError, RecursionError):
        return 0.5 if lines and lines[0].lstrip().startswith(b"{") else 0.0


def _read(opened: TextFile, language_pair: str) -> Ratings:
    if is_journal(opened):
        campaign: dict[str, Any] = {}
        lines: list[JournalLine] = []
        skipped = skipped_events()
        for number, fields in iter_objects(opened):
            if is_header(fields):
                campaign |= fields
            else:
                add_event(lines, JsonRecord(opened, number, fields), skipped)
        ratings = fold_journal(opened, lines, campaign)
        return replace(ratings, notes=(*ratings.notes, *skipped.notes()))
    return _read_plain(opened)


class _ScoreBuilder:
    """Builder of columns for ratings on scales; blocks of ratings written by `write_jsonl` are added in one step."""

    def __init__(self) -> None:
        self.names = {name: NameColumn(exact=True) for name in (*_NAME_FIELDS, *_UID_FIELDS)}
        self.numbers: dict[str, list[Floats]] = {name: [] for name in ("value", "started", "seconds", "role", "flags")}

    def add_block(self, objects: list[dict[str, Any]]) -> bool:
        """Add a block if all lines are ratings as written by `write_jsonl`; otherwise, add nothing and return False."""
        keys = set[str]().union(*objects)
        if not _SCORE_FIELDS >= keys >= {*_NAME_FIELDS, "value"}:
            return False
        try:
            columns = {name: list(map(itemgetter(name), objects)) for name in (*_NAME_FIELDS, "value")}
        except KeyError:
            return False
        columns |= {
            name: _column_with_defaults(objects, name, otherwise) if name in keys else [otherwise] * len(objects)
            for name, otherwise in _DEFAULTS.items()
        }
        if not all(set(map(type, columns[name])) <= _TYPES[name] for name in keys):
            return False
        roles, times = columns["role"], columns["at"]
        if not set(roles) <= set(ROLES) or not 0 <= min(columns["flags"]) <= max(columns["flags"]) <= 255:
            return False
        started = parse_timestamps(times) if "" not in times else None
        if started is None:
            if set(times) != {""}:
                return False
            started = np.full(len(objects), NAN)
        numbers = (columns["value"], started, columns["seconds"], list(map(ROLES.__getitem__, roles)), columns["flags"])
        try:
            arrays = [np.asarray(column, np.float64) for column in numbers]
        except OverflowError:
            return False
        if (np.abs(arrays[0]) > MAX_ABS_RATING).any() or (np.abs(arrays[2]) > MAX_ABS_RATING).any():
            return False
        for name in (*_NAME_FIELDS, *_UID_FIELDS):
            self.names[name].add(columns[name])
        for name, array in zip(self.numbers, arrays, strict=True):
            self.numbers[name].append(array)
        return True

    def add(self, line: JsonRecord) -> None:
        """Add a line.

        Raises SkippedValueError if the value or time of the line is impossible, and QeError if another field is
        invalid or a required field is missing.
        """
        values = (
            line.rating(), line.timestamp(), line.float_field("seconds", NAN),
            float(parse_role(line, line.text("role", ""))), float(line.flags("flags")),
        )  # fmt: skip
        for name in _NAME_FIELDS:
            self.names[name].add([line.text(name, "score" if name == "scale" else None)])
        for name in _UID_FIELDS:
            self.names[name].add([line.text(name, "")])
        for name, value in zip(self.numbers, values, strict=True):
            self.numbers[name].append(np.array([value]))

    def table(self) -> ScoreRatings:
        """Return all added ratings as a table."""
        columns = {name: np.concatenate([np.zeros(0), *parts]) for name, parts in self.numbers.items()}
        rater, system, segment, scale, campaign, uid = (self.names[name] for name in (*_NAME_FIELDS, *_UID_FIELDS))
        return ScoreRatings(
            rater.names, system.names, segment.names, scale.names, rater.codes, system.codes, segment.codes,
            scale.codes, columns["value"], columns["role"].astype(np.uint8), columns["started"], columns["seconds"],
            columns["flags"].astype(np.uint8), campaign.names, campaign.codes, uid.names, uid.codes,
        )  # fmt: skip


def _column_with_defaults(objects: list[dict[str, Any]], name: str, default: object) -> list[Any]:
    try:
        return list(map(itemgetter(name), objects))
    except KeyError:
        return [fields.get(name, default) for fields in objects]


_NAME_FIELDS = ("rater", "system", "segment", "scale")
_UID_FIELDS = ("campaign", "rating")
_DEFAULTS: dict[str, Any] = {"at": "", "seconds": NAN, "role": "", "flags": 0, "campaign": "", "rating": ""}
"""Defaults of optional fields."""
_SCORE_FIELDS = {*_NAME_FIELDS, "value", *_DEFAULTS}
_READ_FIELDS = {
    *_SCORE_FIELDS, "systems", "ranks", "screen", "comment", "skipped", "format", "version", "origin", "notes",
    "campaign", "rating", "ranges",
}  # fmt: skip
_TYPES: dict[str, set[type]] = {
    **{name: {str} for name in (*_NAME_FIELDS, *_UID_FIELDS, "at", "role")}, "value": {int, float},
    "seconds": {int, float}, "flags": {int},
}  # fmt: skip


class _RankingLine(NamedTuple):
    rater: str
    segment: str
    screen: str
    units: list[str]
    ranks: list[int]
    role: int
    started: float
    seconds: float
    campaign: str
    uid: str


def _read_plain(opened: TextFile) -> Ratings:
    scores = _ScoreBuilder()
    rankings: list[_RankingLine] = []
    comments: list[Comment] = []
    origin, notes = opened.name, tuple[str, ...]()
    ranges: Ranges = ()
    unread: dict[str, None] = {}
    skipped = SkippedValues(
        lambda n, named: tr(
            "{n:,} {n:line with an invalid value or time|lines with an invalid value or time} left out: {named}",
            "", n, named=named,
        )
    )  # fmt: skip
    for numbers, objects in _split_headers(iter_object_blocks(opened)):
        if objects and scores.add_block(objects):
            continue
        unread |= dict.fromkeys(name for fields in objects for name in fields if name not in _READ_FIELDS)
        for number, fields in zip(numbers, objects, strict=True):
            line = JsonRecord(opened, number, fields)
            if not {"value", "ranks", "comment"}.isdisjoint(fields):
                try:
                    _add_line(line, scores, rankings, comments)
                except SkippedValueError as value:
                    skipped.add(str(value), number)
            elif "format" in fields or is_header(fields):
                origin, notes = line.text("origin", origin), tuple(line.texts("notes"))
                ranges = header_ranges(fields.get("ranges"))
            else:
                raise line.error(tr("the line is not a rating, a ranking or a comment"))
    notes = (*notes, *skipped.notes(), *unread_fields_note(list(unread)))
    ratings = Ratings(scores.table(), _pairs(rankings), tuple(comments), origin, notes, ranges)
    if skipped and not len(ratings.scores) and not len(ratings.pairs):
        raise QeError(tr("no line contains a valid rating"), hint=skipped.notes()[0], place=opened.location())
    return ratings


def _split_headers(blocks: Iterator[JsonBlock]) -> Iterator[JsonBlock]:
    """Iterate over the blocks, but yield a header separately, so that the other lines can be added in one step."""
    for numbers, objects in blocks:
        if objects and "format" in objects[0]:
            yield numbers[:1], objects[:1]
            yield numbers[1:], objects[1:]
        else:
            yield numbers, objects


def _add_line(line: JsonRecord, scores: _ScoreBuilder, rankings: list[_RankingLine], comments: list[Comment]) -> None:
    if "value" in line.fields:
        scores.add(line)
    elif "ranks" in line.fields:
        rankings.append(_ranking(line))
    else:
        comments.append(_comment(line))


def _ranking(line: JsonRecord) -> _RankingLine:
    units, ranks = [CAMPAIGN_JOINER.join(unit) for unit in line.system_groups("systems")], line.ranks("ranks")
    if len(units) != len(ranks):
        message = tr(
            "there {n:is|are} {n} {n:system|systems}, but {ranks} {ranks:rank|ranks}", "", len(units), ranks=len(ranks)
        )
        raise line.error(message, tr("Use as many ranks as systems."))
    screen = line.text("screen", str(line.number))
    return _RankingLine(
        line.text("rater"), line.text("segment"), screen, units, ranks,
        int(parse_role(line, line.text("role", ""))), line.timestamp(), line.float_field("seconds", NAN),
        line.text("campaign", ""), line.text("rating", ""),
    )  # fmt: skip


def _comment(line: JsonRecord) -> Comment:
    skipped = line.fields.get("skipped", False)
    return Comment(
        line.text("rater"), line.text("segment"), line.text("comment"), tuple(line.texts("systems")),
        skipped is True, line.timestamp(), line.text("campaign", ""),
    )  # fmt: skip


def _pairs(lines: list[_RankingLine]) -> PairRatings:
    if not lines:
        return PairRatings.of(())
    width = max(len(line.units) for line in lines)
    names, unit_codes = encode_names(
        name for line in lines for name in [*line.units, *[""] * (width - len(line.units))]
    )
    ranks = np.array([[*line.ranks, *[0] * (width - len(line.ranks))] for line in lines], np.int16)
    raters, rater = encode_names(line.rater for line in lines)
    segments, segment = encode_names(line.segment for line in lines)
    screens, screen = encode_names(line.screen for line in lines)
    marks = (*encode_names(line.campaign for line in lines), *encode_names(line.uid for line in lines))
    return RankingScreens(
        raters, segments, names, screens, rater, segment, screen, unit_codes.reshape(-1, width), ranks,
        np.array([line.role for line in lines], np.uint8), np.array([line.started for line in lines]),
        np.array([line.seconds for line in lines]), *marks,
    ).pairs()  # fmt: skip


FORMAT = RatingFormat("jsonl", tr("QE Desktop JSON Lines"), _confidence, _read, write_jsonl)
