"""JSON Lines of ratings: a parser that checks the fields of objects, and a writer that loses nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from qe_desktop.corpus import CAMPAIGN_JOINER, Comment, PairRatings, QeError, Ratings, ScoreRatings
from qe_desktop.escaping import dumps_json, replace_surrogates
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.formats.ratings.cell_parsing import (
    MAX_ABS_RATING,
    NAN,
    SkippedValueError,
    check_unix_time,
    format_timestamps,
    parse_timestamp,
)
from qe_desktop.formats.ratings.column_builders import check_screen_size
from qe_desktop.formats.ratings.rating_format import format_roles
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile, iter_blocks
from qe_desktop.i18n.messages import to_english, tr

JSON_BLOCK_BYTES = 1 << 17
"""Number of bytes parsed in one call; the parsed objects (about 40 times as large) must fit in the CPU cache."""
JSON_LINES_HINT = tr(
    'Each line must be a JSON object, such as {"rater": …, "system": …, "segment": …, "scale": …, "value": …}.'
)
JsonFields = Mapping[str, Any]
JsonBlock = tuple[list[int], list[dict[str, Any]]]
"""1-based line numbers of a block, and the objects on these lines."""


def iter_objects(opened: TextFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Iterate over 1-based line numbers and objects, skipping blank lines. Raises QeError if a line is invalid."""
    for numbers, objects in iter_object_blocks(opened):
        yield from zip(numbers, objects, strict=True)


def iter_object_blocks(opened: TextFile) -> Iterator[JsonBlock]:
    """Like `iter_objects`, but iterate over blocks of line numbers and objects."""
    lines_read = 0
    for _, block in iter_blocks(opened, JSON_BLOCK_BYTES):
        lines = block.decode("utf-8").split("\n")[:-1]
        objects = _parse_lines(opened, lines, lines_read)
        numbers = list(range(lines_read + 1, lines_read + len(lines) + 1))
        lines_read += len(lines)
        if set(map(type, objects)) != {dict}:
            for number, line, entry in zip(numbers, lines, objects, strict=True):
                if not isinstance(entry, dict) and (entry is not None or line.strip()):
                    raise QeError(
                        tr("the line is not a JSON object"), hint=JSON_LINES_HINT, place=opened.location(number)
                    )
            numbers = [number for number, entry in zip(numbers, objects, strict=True) if entry is not None]
            objects = [entry for entry in objects if entry is not None]
        yield numbers, objects


def _parse_lines(opened: TextFile, lines: list[str], lines_read: int) -> list[Any]:
    """Parse lines, if possible all in one call; blank lines become None. Raises QeError with the first invalid line."""
    text = ",".join(lines if all(lines) else [line if line.strip() else "null" for line in lines])
    try:
        objects = _load(f"[{text}]")
        if len(objects) == len(lines):
            return list(objects)
    except (ValueError, RecursionError):
        pass
    for number, line in enumerate(lines, lines_read + 1):
        try:
            if line.strip():
                _load(line)
        except (ValueError, RecursionError) as error:
            raise QeError(_invalid_json_message(error), hint=JSON_LINES_HINT, place=opened.location(number)) from None
    return [_load(line) if line.strip() else None for line in lines]


def _invalid_json_message(error: Exception) -> str:
    reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    return (
        tr("the line is not valid JSON: {reason}", reason=reason)
        if reason
        else tr("the line is not valid JSON: nested too deeply")
    )


def _load(text: str) -> Any:
    value = json.loads(text, parse_constant=_reject_constant)
    return _clean_surrogates(value) if _ESCAPED_SURROGATE.search(text) else value


def _clean_surrogates(value: Any) -> Any:
    """Replace the unpaired surrogates in the strings of a JSON value."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, list):
        return [_clean_surrogates(item) for item in value]
    return (
        {replace_surrogates(name): _clean_surrogates(item) for name, item in value.items()}
        if isinstance(value, dict)
        else value
    )


_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""Pattern of an escaped surrogate, which is valid only as half of a surrogate pair."""


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(tr("{text} is not a number", text=name))


class JsonRecord:
    """Fields of the JSON object on a line; null values count as missing.

    The methods check the types of fields, and raise QeError with the file, the line and the field.
    """

    __slots__ = ("fields", "number", "opened")

    def __init__(self, opened: TextFile, number: int, fields: JsonFields) -> None:
        self.opened = opened
        self.number = number
        self.fields = fields

    def error(self, message: str, hint: str = JSON_LINES_HINT) -> QeError:
        """Return an error that is located at this line."""
        return QeError(message, hint=hint, place=self.opened.location(self.number))

    def _value(self, name: str, default: Any) -> Any:
        value = self.fields.get(name)
        return default if value is None else value

    def _missing_error(self, name: str) -> QeError:
        return self.error(tr('"{name}" is missing', name=name))

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; an integer is converted to text.

        If the field is missing, returns `default`, or raises QeError if `default` is None.
        """
        value = self._value(name, default)
        if isinstance(value, str):
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        raise self._missing_error(name) if value is None else self.error(tr('"{name}" is not a string', name=name))

    def float_field(self, name: str, default: float | None = None) -> float:
        """Return a number. Raises SkippedValueError if the number is implausibly large.

        If the field is missing, returns `default`, or raises QeError if `default` is None.
        """
        value = self._value(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool):
            if abs(value) > MAX_ABS_RATING:
                raise SkippedValueError(str(value)[:80])
            return float(value)
        raise self._missing_error(name) if value is None else self.error(tr('"{name}" is not a number', name=name))

    def rating(self) -> float:
        """Value of a rating.

        Raises SkippedValueError if the value is a string (such as "007") or a Boolean, or if it is too large. Raises
        QeError if the value is missing, or if it is a list or an object.
        """
        value = self.fields.get("value")
        if isinstance(value, bool | str):
            raise SkippedValueError(json.dumps(value)[:80])
        return self.float_field("value")

    def timestamp(self, name: str = "at") -> float:
        """Return a time as Unix time (NaN if missing). Raises SkippedValueError if the date is impossible."""
        value = self.fields.get(name)
        if value is None:
            return NAN
        if isinstance(value, str):
            try:
                return parse_timestamp(value)
            except SkippedValueError:
                raise
            except ValueError as error:
                raise self.error(str(error)) from None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return check_unix_time(value)
        raise self.error(tr('"{name}" is not a time', name=name))

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; a single text becomes a list of one, and a missing field an empty list."""
        value = self._value(name, [])
        if isinstance(value, str):
            return [value]
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return value
        raise self.error(tr('"{name}" is not a list of names', name=name))

    def system_groups(self, name: str) -> list[list[str]]:
        """Return one list per displayed output, with the systems that share the output; empty if the field is missing.

        In the file, an output of a single system may be represented by the name of the system instead of a list.
        """
        value = self._value(name, [])
        if not isinstance(value, list):
            raise self.error(tr('"{name}" is not a list', name=name))
        check_screen_size(self.opened, len(value), self.number)
        units = [[unit] if isinstance(unit, str) else unit for unit in value]
        if not all(
            isinstance(unit, list) and unit and all(isinstance(part, str) and part for part in unit) for unit in units
        ):
            raise self.error(tr('"{name}" is not a list whose entries are names or lists of names', name=name))
        return units

    def flags(self, name: str) -> int:
        """Flags of a rating as one number, 0..255; 0 if the field is missing."""
        value = self._value(name, 0)
        if type(value) is int and 0 <= value <= 255:
            return value
        raise self.error(tr('"{name}" is not a whole number from 0 to 255', name=name))

    def ranks(self, name: str) -> list[int]:
        """Return a list of ranks; 1 is best, and 0 and -1 mean unranked."""
        value = self.fields.get(name)
        if isinstance(value, list) and all(type(item) is int and -1 <= item < 1000 for item in value):
            return value
        if value is None:
            raise self._missing_error(name)
        raise self.error(tr('"{name}" is not a list of ranks: {text}', name=name, text=quote_token(str(value)[:40])))


FORMAT_NAME = "qe-desktop ratings"
MAX_WRITTEN_SYSTEMS = 12
"""Maximum number of systems in a ranking that is written as one line."""


def write_jsonl(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """Write all ratings; return no notes, because nothing is left out. Raises QeError as `atomic_write` does."""
    header: dict[str, Any] = {
        "format": FORMAT_NAME, "version": 1, "origin": ratings.origin, "notes": to_english(ratings.notes)
    }  # fmt: skip
    if ratings.ranges:
        header["ranges"] = {scale: [low, high] for scale, low, high in ratings.ranges}
    with atomic_write(path) as file:
        file.write(f"{dumps_json(header)}\n".encode())
        for lines in (_score_lines(ratings.scores), _ranking_lines(ratings.pairs), _comment_lines(ratings.comments)):
            for line in lines:
                file.write(line.encode())
    return ()


def _number(name: str, value: float) -> str:
    if value != value:
        return ""
    # JSON integers have no negative zero
    return f', "{name}": {repr(value) if value == 0 else repr(value).removesuffix(".0")}'


def _optional_fields(role: str, at: str, seconds: float, campaign: str, uid: str, flags: int = 0) -> str:
    """Format the optional fields that are not empty; `campaign` and `uid` are already encoded as JSON."""
    fields = f', "at": "{at}"' if at else ""
    fields += _number("seconds", seconds)
    if role != "system":
        fields += f', "role": "{role}"'
    fields += f', "campaign": {campaign}' if campaign != '""' else ""
    fields += f', "rating": {uid}' if uid != '""' else ""
    return f'{fields}, "flags": {flags}' if flags else fields


def _score_lines(scores: ScoreRatings) -> Iterator[str]:
    name_columns = (scores.raters, scores.systems, scores.segments, scores.scales, scores.campaigns, scores.uids)
    names = [[dumps_json(name) for name in some] for some in name_columns]
    columns = (
        scores.rater, scores.system, scores.segment, scores.scale, scores.value, scores.seconds, scores.flags,
        scores.campaign, scores.uid,
    )  # fmt: skip
    for rater, system, segment, scale, value, seconds, flags, campaign, uid, role, at in zip(
        *(column.tolist() for column in columns),
        format_roles(scores.role),
        format_timestamps(scores.started),
        strict=True,
    ):
        optional_fields = _optional_fields(role, at, seconds, names[4][campaign], names[5][uid], flags)
        yield (
            f'{{"rater": {names[0][rater]}, "system": {names[1][system]}, "segment": {names[2][segment]}, '
            f'"scale": {names[3][scale]}{_number("value", value)}{optional_fields}}}\n'
        )


def _ranking_lines(pairs: PairRatings) -> Iterator[str]:
    """Format one line per ranking whose pairs are consecutive rows in display order, and one per remaining pair."""
    # a name with a trailing or doubled separator is a single name
    units = [unit.split(CAMPAIGN_JOINER) if all(unit.split(CAMPAIGN_JOINER)) else [unit] for unit in pairs.units]
    roles, times, seconds = format_roles(pairs.role), format_timestamps(pairs.started), pairs.seconds.tolist()
    for begin, systems, ranks in _rankings(pairs):
        fields = {
            "rater": pairs.raters[pairs.rater[begin]],
            "segment": pairs.segments[pairs.segment[begin]],
            "systems": [units[unit][0] if len(units[unit]) == 1 else units[unit] for unit in systems],
            "ranks": ranks,
            "screen": pairs.screens[pairs.screen[begin]],
        }
        marks = (dumps_json(pairs.campaigns[pairs.campaign[begin]]), dumps_json(pairs.uids[pairs.uid[begin]]))
        yield f"{dumps_json(fields)[:-1]}{_optional_fields(roles[begin], times[begin], seconds[begin], *marks)}}}\n"


def _rankings(pairs: PairRatings) -> Iterator[tuple[int, list[int], list[int]]]:
    """Iterate over the rankings that `pairs` form; yield the row of the first pair, the units and their ranks."""
    if not len(pairs):
        return
    keys = np.stack([
        pairs.rater, pairs.segment, pairs.screen, pairs.role, pairs.campaign, pairs.uid,
        np.nan_to_num(pairs.started, nan=-1.0), np.nan_to_num(pairs.seconds, nan=-1.0),
    ])  # fmt: skip
    screen_starts = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0))).tolist()
    columns = (pairs.first, pairs.second, pairs.first_rank, pairs.second_rank)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    for begin, end in zip(screen_starts, [*screen_starts[1:], len(pairs)], strict=True):
        while begin < end:
            # the first unit is first in as many pairs as there are other units on its screen
            last = min(end, begin + MAX_WRITTEN_SYSTEMS)
            other_count = next((row for row in range(begin, last) if rows[row][0] != rows[begin][0]), last) - begin
            systems, ranks, size = _screen(rows[begin : min(end, begin + MAX_WRITTEN_SYSTEMS**2)], other_count)
            yield begin, systems, ranks
            begin += size


def _screen(rows: list[tuple[int, int, int, int]], other_count: int) -> tuple[list[int], list[int], int]:
    """Return the systems, the ranks and the number of pairs of the largest ranking at the start of `rows`.

    `rows` are pairs: first system, second system, first rank, second rank. The first `other_count` rows have the same
    first system. If the rows form no larger ranking, the first pair is the ranking.
    """
    for count in range(other_count + 1, 1, -1):
        size = count * (count - 1) // 2
        systems = [rows[0][0], *(row[1] for row in rows[: count - 1])]
        ranks = [rows[0][2], *(row[3] for row in rows[: count - 1])]
        listed = [
            (systems[left], systems[right], ranks[left], ranks[right]) for left, right in combinations(range(count), 2)
        ]
        if len(rows) >= size and rows[:size] == listed and min(ranks) > 0:
            return systems, ranks, size
    return [rows[0][0], rows[0][1]], [rows[0][2], rows[0][3]], 1


def _comment_lines(comments: tuple[Comment, ...]) -> Iterator[str]:
    times = format_timestamps(np.array([comment.started for comment in comments], np.float64))
    for comment, at in zip(comments, times, strict=True):
        fields: dict[str, Any] = {
            "rater": comment.rater, "segment": comment.segment, "systems": list(comment.systems),
            "comment": comment.text, "skipped": comment.skipped,
        }  # fmt: skip
        fields |= {"at": at} if at else {}
        fields |= {"campaign": comment.campaign} if comment.campaign else {}
        yield f"{dumps_json(fields)}\n"
