"""Rows as JSON and back: what the spool file holds."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from qe_desktop.answers.events import Action, RatingEvent
from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, Provenance, TagColumn, offsets_of
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
from qe_desktop.project.store.campaign_json import cells_of, value_in, value_out
from qe_desktop.project.store.visit_json import visit_in, visit_out
from qe_desktop.wording import in_english


def to_json(row: Row) -> dict[str, Any]:
    """A row as what JSON can hold; `row` says of which kind it is."""
    kind = type(row).__name__
    found = cells_of(row)
    if isinstance(row, EditRow):
        found |= {"layer": _key_out(row.layer), "action": int(row.action)}
    elif isinstance(row, ReviewRow):
        found |= {"fields": [field.value for field in row.fields], "action": int(row.action)}
    elif isinstance(row, VisitRow):
        found |= {"visit": visit_out(row.visit)}
    elif isinstance(row, LayerRow):
        found |= {"key": _key_out(row.key), "layer": None if row.layer is None else _layer_out(row.layer)}
    elif isinstance(row, RatingEvent):
        found |= {"action": row.action.value, "value": value_out(row.value)}
    return {"row": kind, **found}


def from_json(found: dict[str, Any]) -> Row:
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
        return VisitRow(**held | {"visit": visit_in(held["visit"])})
    if kind == "LayerRow":
        layer = held["layer"]
        return LayerRow(**held | {"key": _key_in(held["key"]), "layer": None if layer is None else _layer_in(layer)})
    if kind == "RatingEvent":
        return RatingEvent(**held | {"action": Action(held["action"]), "value": value_in(held["value"])})
    return SettingRow(**held) if kind == "SettingRow" else AuditRow(**{"AuditRow": held}[kind])


def _key_out(key: LayerKey) -> list[str]:
    return [key.provenance.value, key.name, key.kind.value]


def _key_in(held: list[str]) -> LayerKey:
    return LayerKey(Provenance(held[0]), held[1], Kind(held[2]))


def _layer_out(layer: Layer) -> dict[str, Any]:
    column = layer.column
    found: dict[str, Any] = {
        "key": _key_out(layer.key), "origin": in_english(layer.origin), "form": layer.form,
        "notes": in_english(layer.notes),
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
    offsets = offsets_of(np.frombuffer(base64.b64decode(held["lengths"]), "<u4"))
    if key.kind.is_tags:
        tags = np.unpackbits(np.frombuffer(values, np.uint8), count=int(offsets[-1]))
        return Layer(key, TagColumn(tags, offsets), held["origin"], held["form"], notes)
    return Layer(key, NumberColumn(np.frombuffer(values, "<f4"), offsets), held["origin"], held["form"], notes)


def _bytes_out(values: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values).data).decode()
