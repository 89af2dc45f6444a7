"""Validation of database cells.

SQLite stores any type in any cell, without checksums, so this module must detect damaged or foreign data.
`validate_fields` checks values against their annotations; the functions that read the tables check that values are
consistent with each other. All validators raise CorruptRowError for invalid values; `name` or `what` is the name of the
value in the message.
"""

from __future__ import annotations

import enum
import math
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from numpy.typing import NDArray

Validated = TypeVar("Validated")
IsValid = Callable[[Any], bool]
_INT64 = range(-(2**63), 2**63)


class CorruptRowError(ValueError):
    """Error for a cell, or a combination of cells, that this program cannot have written."""


def validate_fields(value: Validated) -> Validated:
    """Return a dataclass instance. Raises CorruptRowError if a field has the wrong type, is infinite or is NaN."""
    kind: Any = type(value)
    for name, fits in _checks(kind):
        if not fits(getattr(value, name)):
            raise CorruptRowError(f"{kind.__name__}.{name} is {_quote_value(getattr(value, name))}")
    return value


def _quote_value(value: object) -> str:
    return repr(value)[:100]


def validate_integer(value: object, name: str, *, minimum: int = 0, limit: int = 2**63) -> int:
    """Return `value`. Raises CorruptRowError unless it is an integer from `minimum` to `limit` - 1."""
    if type(value) is not int or not minimum <= value < limit:
        raise CorruptRowError(f"{name} is {_quote_value(value)}")
    return value


def validate_names(values: object, what: str) -> tuple[str, ...]:
    """Return a list or tuple of strings as a tuple. Raises CorruptRowError for any other value."""
    if not isinstance(values, list | tuple):
        raise CorruptRowError(f"{what} are {_quote_value(values)}")
    names = tuple(name for name in values if type(name) is str)
    if len(names) < len(values):
        raise CorruptRowError(f"{what} are {_quote_value(values)}")
    return names


def validate_positions(values: NDArray[Any], size: int, name: str) -> NDArray[Any]:
    """Return `values`. Raises CorruptRowError unless all are integers from 0 to `size` - 1."""
    if values.dtype.kind not in "iu" or (len(values) and (int(values.min()) < 0 or int(values.max()) >= size)):
        raise CorruptRowError(f"{name} are not below {size:,}")
    return values


def validate_condition(holds: object, message: str) -> None:
    """Raise CorruptRowError with `message` unless `holds` is true."""
    if not holds:
        raise CorruptRowError(message)


@cache
def _checks(kind: Any) -> tuple[tuple[str, IsValid], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, _make_validator(hints[field.name])) for field in fields(kind))


def _make_validator(hint: Any) -> IsValid:
    """Return a function that checks values against `hint`. Raises TypeError if this annotation is not supported."""
    if hint in _TYPE_VALIDATORS:
        return _TYPE_VALIDATORS[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        choices = [_make_validator(item) for item in inside]
        return lambda value: any(fits(value) for fits in choices)
    if origin is tuple and inside[-1] is not Ellipsis:
        several = [_make_validator(item) for item in inside]
        return lambda value: (
            type(value) is tuple
            and len(value) == len(several)
            and all(fits(item) for fits, item in zip(several, value, strict=True))
        )
    if origin is tuple:
        is_valid_item = _make_validator(inside[0])
        return lambda value: type(value) is tuple and all(map(is_valid_item, value))
    if origin is dict:
        return lambda value: type(value) is dict and all(type(name) is str for name in value)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return lambda value: isinstance(value, hint)
    if is_dataclass(hint):
        declared: Any = hint
        parts = _checks(declared)
        return lambda value: type(value) is hint and all(fits(getattr(value, name)) for name, fits in parts)
    raise TypeError(f"cannot validate cells of type {hint}")


def _is_number(value: Any) -> bool:
    return (type(value) is float and math.isfinite(value)) or (type(value) is int and value in _INT64)


_TYPE_VALIDATORS: dict[Any, IsValid] = {
    Any: lambda value: True,
    str: lambda value: type(value) is str,
    bytes: lambda value: type(value) is bytes,
    bool: lambda value: type(value) is bool,
    int: lambda value: type(value) is int and value in _INT64,
    float: _is_number,
    type(None): lambda value: value is None,
}
