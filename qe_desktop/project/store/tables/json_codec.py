"""Rows as JSON and back: what the spool file holds."""

from __future__ import annotations

import base64
import enum
import math
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from qe_desktop.answers.event_history import EventValue, RatingAction, RatingEvent
from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, Provenance, TagColumn, offsets_from_lengths
from qe_desktop.corpus.highlight_spans import NO_HIGHLIGHTS, DisplayedHighlights, HighlightSpan
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
from qe_desktop.project.store.tables.cell_validation import validate_fields
from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis

CampaignRecord = TypeVar("CampaignRecord", Campaign, CampaignSetup)


def encode_fields(value: Campaign | CampaignSetup) -> dict[str, Any]:
    """A value's fields as JSON can hold them."""
    return {name: held.value if isinstance(held, enum.Enum) else held for name, held in dataclass_fields(value).items()}


def dataclass_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass with slots by their names, as they are."""
    return {name: getattr(value, name) for name in value.__slots__}


def decode_campaign(held: dict[str, Any]) -> Campaign:
    """The campaign that `packed` made JSON of."""
    return validate_fields(_decode_record(Campaign, held | {"basis": EvaluationBasis(held["basis"])}))


def decode_setup(held: dict[str, Any]) -> CampaignSetup:
    """The setup that `packed` made JSON of."""
    return validate_fields(_decode_record(CampaignSetup, held))


def _decode_record(kind: type[CampaignRecord], held: dict[str, Any]) -> CampaignRecord:
    known = {one.name for one in fields(kind)}
    return kind(**{name: _tuples(value) for name, value in held.items() if name in known})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


def encode_value(value: EventValue) -> Any:
    """A rating's value for JSON, written in one way only: scales as floats, ranks as whole numbers."""
    if isinstance(value, tuple):
        return [int(rank) for rank in value]
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    return value


def decode_value(held: Any) -> EventValue:
    """A rating's value as JSON gave it back."""
    if isinstance(held, list):
        return tuple(int(rank) for rank in held)
    # JSON can hold half a character, which nothing that the text goes to could
    return replace_surrogates(held) if isinstance(held, str) else held


_NUMBERS = ("opened", "closed", "seconds", "pauses", "away", "limit", "gaps_300", "gaps_1000")
_TEXTS = ("before", "after")


def encode_visit(visit: Visit) -> dict[str, Any]:
    """A visit as what JSON can hold; keys are counts by what they do."""
    return {
        **{name: getattr(visit, name) for name in (*_NUMBERS, *_TEXTS)},
        "keys": [[kind.value, count] for kind, count in visit.keys],
        "typed": [[one.after, one.place, one.removed, one.inserted] for one in visit.typed],
        "shown": _encode_highlights(visit.shown),
    }


def decode_visit(held: Any) -> Visit:
    """The visit that `visit_out` wrote, now or when it kept one name alone (`marks`) of what was shown. KeyError,
    ValueError or TypeError for anything else.
    """
    return Visit(
        **{name: held[name] for name in (*_NUMBERS, *_TEXTS)},
        keys=tuple((KeyKind(kind), count) for kind, count in held["keys"]),
        typed=tuple(TypedChange(*one) for one in held["typed"]),
        shown=_decode_highlights(held["shown"]) if "shown" in held else _of_name(held["marks"]),
    )


def _encode_highlights(shown: DisplayedHighlights) -> list[Any]:
    stretches = shown.stretches
    places = None if stretches is None else [[one.start, one.end, one.strong] for one in stretches]
    return [list(shown.names), shown.agreement, places]


def _decode_highlights(held: Any) -> DisplayedHighlights:
    names, agreement, places = held
    return DisplayedHighlights(
        tuple(names), agreement, None if places is None else tuple(HighlightSpan(*one) for one in places)
    )


def _of_name(name: Any) -> DisplayedHighlights:
    return DisplayedHighlights((name,), stretches=None) if name else NO_HIGHLIGHTS


def row_to_json(row: Row) -> dict[str, Any]:
    """A row as what JSON can hold; `row` says of which kind it is."""
    kind = type(row).__name__
    found = row._asdict() if isinstance(row, ReviewRow) else dataclass_fields(row)
    if isinstance(row, EditRow):
        found |= {"layer": _key_out(row.layer), "action": int(row.action)}
    elif isinstance(row, ReviewRow):
        found |= {"fields": [field.value for field in row.fields], "action": int(row.action)}
    elif isinstance(row, VisitRow):
        found |= {"visit": encode_visit(row.visit)}
    elif isinstance(row, LayerRow):
        found |= {"key": _key_out(row.key), "layer": None if row.layer is None else _layer_out(row.layer)}
    elif isinstance(row, RatingEvent):
        found |= {"action": row.action.value, "value": encode_value(row.value)}
    return {"row": kind, **found}


def row_from_json(found: dict[str, Any]) -> Row:
    """The row that `to_json` wrote. KeyError, ValueError or TypeError for anything else."""
    held = dict(found)
    kind = held.pop("row")
    if kind == "EditRow":
        held |= {name: tuple(held[name]) for name in ("places", "tags", "before")}
        held |= {"layer": _key_in(held["layer"]), "action": EditAction(held["action"])}
        return EditRow(**held)
    if kind == "ReviewRow":
        held |= {name: tuple(held[name]) for name in ("values", "befores")}
        held |= {"fields": tuple(map(ReviewField, held["fields"])), "action": EditAction(held["action"])}
        return ReviewRow(**held)
    if kind == "VisitRow":
        return VisitRow(**held | {"visit": decode_visit(held["visit"])})
    if kind == "LayerRow":
        layer = held["layer"]
        return LayerRow(**held | {"key": _key_in(held["key"]), "layer": None if layer is None else _layer_in(layer)})
    if kind == "RatingEvent":
        return RatingEvent(**held | {"action": RatingAction(held["action"]), "value": decode_value(held["value"])})
    return SettingRow(**held) if kind == "SettingRow" else AuditRow(**{"AuditRow": held}[kind])


def _key_out(key: LayerKey) -> list[str]:
    return [key.provenance.value, key.name, key.kind.value]


def _key_in(held: list[str]) -> LayerKey:
    return LayerKey(Provenance(held[0]), held[1], Kind(held[2]))


def _layer_out(layer: Layer) -> dict[str, Any]:
    column = layer.column
    found: dict[str, Any] = {
        "key": _key_out(layer.key), "origin": to_english(layer.origin), "form": layer.form,
        "notes": to_english(layer.notes),
    }  # fmt: skip
    if isinstance(column, np.ndarray):
        return found | {"values": _bytes_out(column.astype("<f8")), "lengths": None}
    values = np.packbits(column.values) if isinstance(column, TagColumn) else column.values.astype("<f4")
    return found | {"values": _bytes_out(values), "lengths": _bytes_out(column.lengths().astype("<u4"))}


def _layer_in(held: dict[str, Any]) -> Layer:
    key, notes = _key_in(held["key"]), tuple(held["notes"])
    values = base64.b64decode(held["values"])
    if held["lengths"] is None:
        return Layer(key, np.frombuffer(values, "<f8"), held["origin"], held["form"], notes)
    offsets = offsets_from_lengths(np.frombuffer(base64.b64decode(held["lengths"]), "<u4"))
    if key.kind.is_tags:
        tags = np.unpackbits(np.frombuffer(values, np.uint8), count=int(offsets[-1]))
        return Layer(key, TagColumn(tags, offsets), held["origin"], held["form"], notes)
    return Layer(key, NumberColumn(np.frombuffer(values, "<f4"), offsets), held["origin"], held["form"], notes)


def _bytes_out(values: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values).data).decode()
