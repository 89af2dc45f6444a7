"""Validation and JSON encoding of the values in table cells and in the rows of the spool file.

SQLite stores any type in any cell, without checksums, so this module must detect damaged or foreign data.
`validate_fields` checks values against their annotations; the functions that read the tables check that values are
consistent with each other. All validators raise CorruptRowError for invalid values; `name` or `what` is the name of the
value in the message.
"""

from __future__ import annotations

import base64
import enum
import math
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from qe_desktop.answers.event_history import EventValue, RatingAction, RatingEvent
from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, Provenance, TagColumn, offsets_from_lengths
from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights, HighlightSpan
from qe_desktop.escaping import replace_surrogates
from qe_desktop.i18n.messages import to_english
from qe_desktop.project.events import (
    AuditRow,
    EditAction,
    EditRow,
    LayerRow,
    ReviewField,
    ReviewRow,
    Row,
    SettingRow,
    VisitRow,
)
from qe_desktop.project.review.visits import KeyKind, TypedChange, Visit
from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis

Validated = TypeVar("Validated")
IsValid = Callable[[Any], bool]
_INT64 = range(-(2**63), 2**63)


class CorruptRowError(ValueError):
    """Error for cells that this program cannot have written; SQLite stores any type in any cell, without checksums."""


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


CampaignRecord = TypeVar("CampaignRecord", Campaign, CampaignSetup)


def encode_fields(value: Campaign | CampaignSetup) -> dict[str, Any]:
    """JSON-serializable fields of a campaign or its setup."""
    return {name: item.value if isinstance(item, enum.Enum) else item for name, item in dataclass_fields(value).items()}


def dataclass_fields(value: Any) -> dict[str, Any]:
    """Field values of an instance of a dataclass with slots, by field name."""
    return {name: getattr(value, name) for name in value.__slots__}


def decode_campaign(record: dict[str, Any]) -> Campaign:
    """Decode a campaign from the fields that `encode_fields` returned.

    Raises KeyError, ValueError or TypeError if they are invalid.
    """
    return validate_fields(_decode_record(Campaign, record | {"basis": EvaluationBasis(record["basis"])}))


def decode_setup(record: dict[str, Any]) -> CampaignSetup:
    """Decode a campaign setup from the fields that `encode_fields` returned.

    Raises ValueError or TypeError if they are invalid.
    """
    return validate_fields(_decode_record(CampaignSetup, record))


def _decode_record(kind: type[CampaignRecord], record: dict[str, Any]) -> CampaignRecord:
    field_names = {field.name for field in fields(kind)}
    return kind(**{name: _tuples(value) for name, value in record.items() if name in field_names})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def encode_value(value: EventValue) -> Any:
    """Encode a rating value for JSON: a number as a float (None if it is not finite), ranks as a list of integers."""
    if isinstance(value, tuple):
        return [int(rank) for rank in value]
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    return value


def decode_value(value: Any) -> EventValue:
    """Decode a rating value from JSON; unpaired surrogates in texts are replaced."""
    if isinstance(value, list):
        return tuple(int(rank) for rank in value)
    # JSON may contain unpaired surrogates, which cannot be encoded as UTF-8
    return replace_surrogates(value) if isinstance(value, str) else value


_NUMBER_FIELDS = ("opened", "closed", "seconds", "pauses", "away", "limit", "gaps_300", "gaps_1000")
_TEXT_FIELDS = ("before", "after")


def encode_visit(visit: Visit) -> dict[str, Any]:
    """Encode a visit as a JSON-serializable dictionary; its item `keys` has the number of keystrokes of each kind."""
    return {
        **{name: getattr(visit, name) for name in (*_NUMBER_FIELDS, *_TEXT_FIELDS)},
        "keys": [[kind.value, count] for kind, count in visit.keys],
        "typed": [[change.after, change.place, change.removed, change.inserted] for change in visit.typed],
        "shown": _encode_highlights(visit.shown),
    }


def decode_visit(record: Any) -> Visit:
    """Decode a visit encoded by `encode_visit`.

    Older records store the name of the highlights in `marks` instead of the highlights themselves in `shown`.
    Raises KeyError, ValueError or TypeError if the record is invalid.
    """
    return Visit(
        **{name: record[name] for name in (*_NUMBER_FIELDS, *_TEXT_FIELDS)},
        keys=tuple((KeyKind(kind), count) for kind, count in record["keys"]),
        typed=tuple(TypedChange(*change) for change in record["typed"]),
        shown=_decode_highlights(record["shown"]) if "shown" in record else _highlights_of_name(record["marks"]),
    )


def _encode_highlights(highlights: DisplayedHighlights) -> list[Any]:
    stretches = highlights.spans
    spans = None if stretches is None else [[span.start, span.end, span.strong] for span in stretches]
    return [list(highlights.names), highlights.agreement, spans]


def _decode_highlights(record: Any) -> DisplayedHighlights:
    names, agreement, spans = record
    return DisplayedHighlights(
        tuple(names), agreement, None if spans is None else tuple(HighlightSpan(*span) for span in spans)
    )


def _highlights_of_name(name: Any) -> DisplayedHighlights:
    return DisplayedHighlights((name,), spans=None) if name else NO_HIGHLIGHTS


def row_to_json(row: Row) -> dict[str, Any]:
    """Encode a row as a JSON-serializable dictionary; its item `row` is the name of the row's class."""
    kind = type(row).__name__
    record = row._asdict() if isinstance(row, ReviewRow) else dataclass_fields(row)
    if isinstance(row, EditRow):
        record |= {"layer": _encode_key(row.layer), "action": int(row.action)}
    elif isinstance(row, ReviewRow):
        record |= {"fields": [field.value for field in row.fields], "action": int(row.action)}
    elif isinstance(row, VisitRow):
        record |= {"visit": encode_visit(row.visit)}
    elif isinstance(row, LayerRow):
        record |= {"key": _encode_key(row.key), "layer": None if row.layer is None else _encode_layer(row.layer)}
    elif isinstance(row, RatingEvent):
        record |= {"action": row.action.value, "value": encode_value(row.value)}
    return {"row": kind, **record}


def row_from_json(record: dict[str, Any]) -> Row:
    """Decode a row encoded by `row_to_json`. Raises LookupError, ValueError or TypeError if the record is invalid."""
    values = dict(record)
    kind = values.pop("row")
    if kind == "EditRow":
        values |= {name: tuple(values[name]) for name in ("places", "tags", "before")}
        values |= {"layer": _decode_key(values["layer"]), "action": EditAction(values["action"])}
        return EditRow(**values)
    if kind == "ReviewRow":
        values |= {name: tuple(values[name]) for name in ("values", "befores")}
        values |= {"fields": tuple(map(ReviewField, values["fields"])), "action": EditAction(values["action"])}
        return ReviewRow(**values)
    if kind == "VisitRow":
        return VisitRow(**values | {"visit": decode_visit(values["visit"])})
    if kind == "LayerRow":
        layer = values["layer"]
        return LayerRow(
            **values | {"key": _decode_key(values["key"]), "layer": None if layer is None else _decode_layer(layer)}
        )
    if kind == "RatingEvent":
        return RatingEvent(
            **values | {"action": RatingAction(values["action"]), "value": decode_value(values["value"])}
        )
    return SettingRow(**values) if kind == "SettingRow" else AuditRow(**{"AuditRow": values}[kind])


def _encode_key(key: LayerKey) -> list[str]:
    return [key.provenance.value, key.name, key.kind.value]


def _decode_key(names: list[str]) -> LayerKey:
    return LayerKey(Provenance(names[0]), names[1], Kind(names[2]))


def _encode_layer(layer: Layer) -> dict[str, Any]:
    column = layer.column
    record: dict[str, Any] = {
        "key": _encode_key(layer.key), "origin": to_english(layer.origin), "form": layer.form,
        "notes": to_english(layer.notes),
    }  # fmt: skip
    if isinstance(column, np.ndarray):
        return record | {"values": _encode_array(column.astype("<f8")), "lengths": None}
    values = np.packbits(column.values) if isinstance(column, TagColumn) else column.values.astype("<f4")
    return record | {"values": _encode_array(values), "lengths": _encode_array(column.lengths().astype("<u4"))}


def _decode_layer(record: dict[str, Any]) -> Layer:
    key, notes = _decode_key(record["key"]), tuple(record["notes"])
    values = base64.b64decode(record["values"])
    if record["lengths"] is None:
        return Layer(key, np.frombuffer(values, "<f8"), record["origin"], record["form"], notes)
    offsets = offsets_from_lengths(np.frombuffer(base64.b64decode(record["lengths"]), "<u4"))
    if key.kind.is_tags:
        count = int(offsets[-1])
        if len(values) != (count + 7) // 8:
            raise ValueError("the lengths of a layer do not match")
        tags = np.unpackbits(np.frombuffer(values, np.uint8), count=count)
        return Layer(key, TagColumn(tags, offsets), record["origin"], record["form"], notes)
    return Layer(key, NumberColumn(np.frombuffer(values, "<f4"), offsets), record["origin"], record["form"], notes)


def _encode_array(values: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values).data).decode()
