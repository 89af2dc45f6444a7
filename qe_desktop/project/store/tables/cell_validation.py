"""The one place where cells of a project become values: a database file holds anything in any cell, whoever wrote it.

SQLite keeps no types and no check sums, so that what was damaged, or changed by another program, comes back as what it
looks like. `checked` holds a value to its own declaration; what a reader then still has to look at is whether values
fit each other.
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
    """A cell, or what several of them come to, is not what the program writes."""


def validate_fields(value: Validated) -> Validated:
    """A dataclass as it is, its fields being what its annotations say: numbers finite, tuples of what they name.

    Damaged where one is not.
    """
    kind: Any = type(value)
    for name, fits in _checks(kind):
        if not fits(getattr(value, name)):
            raise CorruptRowError(f"{kind.__name__}.{name} is {_quote_value(getattr(value, name))}")
    return value


def _quote_value(value: object) -> str:
    return repr(value)[:100]


def validate_integer(value: object, what: str, *, least: int = 0, beyond: int = 2**63) -> int:
    """A whole number within bounds, `beyond` exclusive."""
    if type(value) is not int or not least <= value < beyond:
        raise CorruptRowError(f"{what} is {_quote_value(value)}")
    return value


def validate_names(values: object, what: str) -> tuple[str, ...]:
    """Names, none of which may be anything but text."""
    if not isinstance(values, list | tuple):
        raise CorruptRowError(f"{what} are {_quote_value(values)}")
    found = tuple(one for one in values if type(one) is str)
    if len(found) < len(values):
        raise CorruptRowError(f"{what} are {_quote_value(values)}")
    return found


def validate_positions(values: NDArray[Any], size: int, what: str) -> NDArray[Any]:
    """An array of places, all of them at least 0 and below `size`."""
    if values.dtype.kind not in "iu" or (len(values) and (int(values.min()) < 0 or int(values.max()) >= size)):
        raise CorruptRowError(f"{what} are not below {size:,}")
    return values


def validate_condition(holds: object, what: str) -> None:
    """Damaged where something does not hold that always does in what the program writes."""
    if not holds:
        raise CorruptRowError(what)


@cache
def _checks(kind: Any) -> tuple[tuple[str, IsValid], ...]:
    hints = get_type_hints(kind)
    return tuple((one.name, _fits(hints[one.name])) for one in fields(kind))


def _fits(hint: Any) -> IsValid:
    """What tells whether a value is what an annotation says."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        choices = [_fits(one) for one in inside]
        return lambda value: any(fits(value) for fits in choices)
    if origin is tuple and inside[-1] is not Ellipsis:
        several = [_fits(one) for one in inside]
        return lambda value: (
            type(value) is tuple
            and len(value) == len(several)
            and all(fits(one) for fits, one in zip(several, value, strict=True))
        )
    if origin is tuple:
        each = _fits(inside[0])
        return lambda value: type(value) is tuple and all(map(each, value))
    if origin is dict:
        return lambda value: type(value) is dict and all(type(name) is str for name in value)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return lambda value: isinstance(value, hint)
    if is_dataclass(hint):
        declared: Any = hint
        parts = _checks(declared)
        return lambda value: type(value) is hint and all(fits(getattr(value, name)) for name, fits in parts)
    raise TypeError(f"nothing tells whether a cell is {hint}")


def _is_number(value: Any) -> bool:
    return (type(value) is float and math.isfinite(value)) or (type(value) is int and value in _INT64)


_PLAIN: dict[Any, IsValid] = {
    Any: lambda value: True,
    str: lambda value: type(value) is str,
    bytes: lambda value: type(value) is bytes,
    bool: lambda value: type(value) is bool,
    int: lambda value: type(value) is int and value in _INT64,
    float: _is_number,
    type(None): lambda value: value is None,
}
