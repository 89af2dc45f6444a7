"""JSON Lines parser that checks the fields of objects and raises errors with the file and the line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from qe_desktop.corpus import QeError
from qe_desktop.escaping import replace_surrogates
from qe_desktop.formats.io.line_blocks import iter_blocks
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.ratings.cell_parsing import (
    MAX_ABS_RATING,
    NAN,
    SkippedValueError,
    check_unix_time,
    parse_timestamp,
)
from qe_desktop.formats.ratings.ranking_screens import check_screen_size
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.i18n.messages import tr

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
