"""Parsing and formatting of table cells: numbers, ranks and times, parsed strictly and written without loss."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.escaping import NUMBER_PATTERN
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.i18n.messages import join_localized, tr

MAX_LISTED_VALUES = 3
"""Maximum number of skipped values that a note lists; further values are only counted."""


class SkippedValueError(ValueError):
    """Error for an impossible rating or time, which is left out when a file is read."""


class SkippedValues:
    """Counter of values that are left out; the first `MAX_LISTED_VALUES` are listed with their line numbers.

    `note` formats a note from the number of values and the list.
    """

    def __init__(self, note: Callable[[int, str], str]) -> None:
        self._note = note
        self._count = 0
        self._first: list[str] = []

    def __len__(self) -> int:
        return self._count

    def count(self, times: int) -> None:
        """Count `times` further values, which are not listed."""
        self._count += times

    def add(self, text: str, line: int) -> None:
        """Add the value `text` from line `line` (1-based)."""
        self._count += 1
        if len(self._first) < MAX_LISTED_VALUES:
            self._first.append(tr("{text} (line {line:,})", text=quote_token(text), line=line))

    def notes(self) -> tuple[str, ...]:
        """Return the note on the values left out, or an empty tuple if there are none."""
        if not self._count:
            return ()
        examples = join_localized(", ", self._first)
        if self._count > len(self._first):
            examples = tr("{named} and more", named=examples)
        return (self._note(self._count, examples),)


def skipped_ratings() -> SkippedValues:
    """Create a counter of values that are not valid ratings."""
    return SkippedValues(
        lambda n, named: tr("{n:,} {n:invalid rating|invalid ratings} left out: {named}", "", n, named=named)
    )


def skipped_times() -> SkippedValues:
    """Create a counter of invalid times."""
    return SkippedValues(
        lambda n, named: tr("{n:,} {n:invalid time|invalid times} left out: {named}", "", n, named=named)
    )


MISSING_CELLS = frozenset({"", "nan", "na", "n/a", "none", "null", "-", "?"})
"""Cell contents, in lower case, that stand for a missing value."""
NAN = float("nan")

_NUMBER = re.compile(rf"\s*{NUMBER_PATTERN}\s*", re.ASCII)
_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*", re.ASCII)
_PADDED = re.compile(r"\s*[-+]?0\d", re.ASCII)
MAX_ABS_RATING = 1e9
"""Maximum absolute value of a rating or a number of seconds."""
MIN_UNIX_TIME = 1e8
"""Smallest plain number (a time in 1973) that is read as a Unix time, not as a duration in seconds."""


def parse_number(cell: str) -> float:
    """Parse a cell as a number. Raises ValueError if it is not one, SkippedValueError if the number is too large."""
    if _NUMBER.fullmatch(cell):
        value = float(cell)
    elif _COMMA.fullmatch(cell):
        value = float(cell.replace(",", "."))
    else:
        raise ValueError(tr("{text} is not a number", text=quote_token(cell)))
    if abs(value) > MAX_ABS_RATING:
        raise SkippedValueError(cell.strip())
    return value


def is_number(cell: str) -> bool:
    """Whether a cell contains a number, even if it is too large."""
    return bool(_NUMBER.fullmatch(cell) or _COMMA.fullmatch(cell))


def parse_rating(cell: str) -> float:
    """Parse a rating; NaN for a missing value (`MISSING_CELLS`).

    Raises SkippedValueError for numbers that are too large and for cells that begin with a zero-padded number, such as
    007 (probably an id), and ValueError for anything else that is not a number.
    """
    if _PADDED.match(cell):
        raise SkippedValueError(cell.strip())
    return parse_number_or_nan(cell)


def parse_number_or_nan(cell: str) -> float:
    """Parse a number as `parse_number` does, with the same errors; NaN for a missing value (`MISSING_CELLS`)."""
    return NAN if cell.strip().lower() in MISSING_CELLS else parse_number(cell)


def parse_rank(cell: str) -> float:
    """Parse a rank; 1 is best, and -1 and 0 mean unranked. Raises ValueError if the rank is invalid."""
    value = float(cell) if _NUMBER.fullmatch(cell) else NAN
    if not (-1 <= value <= 1000) or value != int(value):
        raise ValueError(
            tr("{text} is not a rank: use a whole number from 1 (best), or -1 for no rank", text=quote_token(cell))
        )
    return value


def parse_flags(cell: str) -> float:
    """Parse the flags of a rating as one number from 0 to 255; 0 if missing. Raises ValueError if it is invalid."""
    if cell.strip().lower() in MISSING_CELLS:
        return 0.0
    value = float(cell) if _NUMBER.fullmatch(cell) else NAN
    if not (0 <= value <= 255) or value != int(value):
        raise ValueError(tr("{text} is not a whole number from 0 to 255 (flags)", text=quote_token(cell)))
    return value


def parse_timestamp(cell: str) -> float:
    """Parse an ISO 8601 time or a Unix time, and return it as a Unix time; NaN for a missing value (`MISSING_CELLS`).

    A time without a time zone is in UTC. Raises SkippedValueError if the time is out of range (for example, in
    milliseconds instead of seconds), and ValueError if the cell does not contain a time.
    """
    text = cell.strip()
    if text.lower() in MISSING_CELLS:
        return NAN
    if _NUMBER.fullmatch(text):
        return check_unix_time(float(text))
    fraction = _FRACTION.search(text)
    try:
        parsed = dt.datetime.fromisoformat(_FRACTION.sub("", text, 1))
    except ValueError:
        if _LONG_YEAR.match(text):
            raise SkippedValueError(text) from None
        message = tr("{text} is not a time: use the format 2024-03-24T21:42:27.693Z", text=quote_token(cell))
        raise ValueError(message) from None
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=dt.UTC)
    whole_seconds = (parsed - _EPOCH) // _SECOND
    # all digits count, and there may be more than a datetime can represent
    return float(whole_seconds + Decimal(f"0.{fraction[1]}")) if fraction else float(whole_seconds)


def check_unix_time(value: float) -> float:
    """Return a Unix time unchanged. Raises SkippedValueError if the time is out of range."""
    if not -MAX_UNIX_TIME / 5 < value < MAX_UNIX_TIME:
        raise SkippedValueError(str(value)[:80].removesuffix(".0"))
    return float(value)


def parse_timestamps(cells: Sequence[str]) -> Floats | None:
    """Parse cells with the same results as `parse_timestamp`, shape (cells,), but faster.

    Returns None unless all cells are UTC times since 1970 in the format that `format_timestamps` writes.
    """
    widths = set(map(len, cells))
    if len(widths) == 1 and 0 < (digits := widths.pop() - len(_TIME_TEMPLATE)) <= _EXACT_DIGITS:
        return _parse_uniform_cells(cells, digits)
    if not all(map(_ISO_PATTERN, cells)):
        return None
    whole_seconds = _seconds([cell[:19] for cell in cells])
    if whole_seconds is None:
        return None
    texts = [f"{second}.{cell[20:-1]}" for second, cell in zip(whole_seconds.tolist(), cells, strict=True)]
    return np.fromiter(map(float, texts), np.float64, len(texts))


def _parse_uniform_cells(cells: Sequence[str], digits: int) -> Floats | None:
    """Parse times that all have `digits` decimals, vectorized; None if any cell is invalid or before 1970."""
    texts = np.array(cells)
    characters = texts.view(np.uint32).reshape(len(cells), -1)
    marks = np.array([*map(ord, _TIME_TEMPLATE[:-1]), *[ord("0")] * digits, ord("Z")], np.uint32)
    numbers = marks == ord("0")
    # unsigned values below "0" wrap around to far above 9
    if (characters[:, numbers] - ord("0") > 9).any() or (characters[:, ~numbers] != marks[~numbers]).any():
        return None
    whole_seconds = _seconds(texts.astype("U19"))
    if whole_seconds is None:
        return None
    fraction = (characters[:, 20:-1].astype(np.int64) - ord("0")) @ 10 ** np.arange(digits)[::-1]
    # a quotient of integers that floats represent exactly is rounded once, like a parsed text
    return np.asarray((whole_seconds * 10**digits + fraction) / 10**digits)


def _seconds(texts: Sequence[str] | npt.NDArray[np.str_]) -> Ints | None:
    """Return the Unix times of texts such as 2024-03-24T21:42:27; None if any text is not a time or is before 1970."""
    try:
        whole_seconds = np.asarray(texts).astype("datetime64[s]").astype(np.int64)
    except ValueError:
        return None
    return None if (whole_seconds < 0).any() else whole_seconds


_TIME_TEMPLATE = "0000-00-00T00:00:00.Z"
"""Pattern of a formatted time, with 0 for each digit; decimals are left out."""
_EXACT_DIGITS = 4
"""Maximum number of decimals that `_parse_uniform_cells` parses.

With more decimals, the digits of a Unix time before the year 10000 may form an integer that a float cannot represent.
"""
_ISO_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", re.ASCII).fullmatch
_LONG_YEAR = re.compile(r"[-+]?\d{5,}-\d\d-\d\d", re.ASCII)
_FRACTION = re.compile(r"(?<=:\d\d)[.,](\d+)", re.ASCII)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_SECOND = dt.timedelta(seconds=1)
MAX_UNIX_TIME = 253_402_300_800
"""End of the year 9999, as Unix time."""


def format_timestamps(times: Floats) -> list[str]:
    """Format Unix times as ISO 8601 in UTC, with at least three decimals; NaN becomes an empty text.

    Times outside the range of dates are formatted as numbers; `parse_timestamp` restores all other times exactly.
    """
    valid = np.isfinite(times) & (np.abs(times) < MAX_UNIX_TIME) & (times > -MAX_UNIX_TIME / 5)
    whole_seconds = np.floor(np.where(valid, times, 0)).astype("datetime64[s]")
    texts = np.datetime_as_string(whole_seconds).tolist()
    return [
        f"{text}.{_fraction(time)}Z" if is_valid else "" if time != time else repr(time)
        for text, time, is_valid in zip(texts, times.tolist(), valid, strict=True)
    ]


def _fraction(time: float) -> str:
    """Fractional digits of a Unix time, at least three."""
    text = repr(time)
    if time < 0 or "e" in text:
        exact = Decimal(text)
        text = format(exact - exact.to_integral_value(ROUND_FLOOR), "f")
    return text.partition(".")[2].ljust(3, "0")


Ranges = tuple[tuple[str, float, float], ...]
_ENDS = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:\.\.|–|-|to)\s*(-?\d+(?:\.\d+)?)\s*", re.ASCII)
_SCALE_WITH_RANGE = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]+)[)\]]\s*")


def parse_range(cell: str) -> tuple[float, float] | None:
    """Parse a range such as 1..7, 1-7 or 0 to 100 into its minimum and maximum; None for anything else."""
    match = _ENDS.fullmatch(cell)
    minimum, maximum = (float(match[1]), float(match[2])) if match else (math.nan, math.nan)
    return (minimum, maximum) if minimum < maximum else None


def split_scale_name(name: str) -> tuple[str, tuple[float, float] | None]:
    """Split a scale name such as "adequacy (1-7)" into the name and the range (None if there is no range)."""
    match = _SCALE_WITH_RANGE.fullmatch(name)
    ends = parse_range(match[2]) if match else None
    return (match[1], ends) if match and ends else (name, None)


def format_range(minimum: float, maximum: float) -> str:
    """Format a range as the text of a cell, such as 1..7."""
    return f"{minimum:g}..{maximum:g}"


def header_ranges(declared: Any) -> Ranges:
    """Scale ranges declared in a JSON header. Their ends are clipped to ±1e9; invalid ranges are skipped."""
    ranges = []
    for scale, ends in declared.items() if isinstance(declared, Mapping) else ():
        if isinstance(ends, list) and len(ends) == 2 and all(type(end) in (int, float) for end in ends):
            # clipped first: an integer may be too large for a float
            low, high = (float(min(max(end, -1e9), 1e9)) for end in ends)
            if low < high:
                ranges.append((str(scale), low, high))
    return tuple(ranges)


def declared_ranges(pairs: Iterable[tuple[str, tuple[float, float] | None]]) -> Ranges:
    """First declared range of each scale; scales without a range are left out."""
    ranges: dict[str, tuple[float, float]] = {}
    for scale, ends in pairs:
        if ends is not None:
            ranges.setdefault(scale, ends)
    return tuple((scale, *ends) for scale, ends in ranges.items())
