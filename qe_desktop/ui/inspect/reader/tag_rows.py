"""Tag rows below the words of a segment: selection and order of the layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from qe_desktop.corpus import Kind, LayerKey, Provenance, View


@dataclass(frozen=True, slots=True)
class TagRow:
    """Row of tags below the words, with the layer keys of its word tags, gap tags and probabilities, if any."""

    provenance: Provenance
    name: str
    tags: LayerKey | None
    gaps: LayerKey | None = None
    probabilities: LayerKey | None = None


def tag_rows(view: View, kind: Kind, segment: int, order: Sequence[str] = ()) -> list[TagRow]:
    """Return the tag rows of a segment: those of the source if `kind` is `Kind.SOURCE`, otherwise those of the MT.

    The reference layer has no row, because the words themselves show its tags. Systems are sorted by `order`; systems
    that are not in `order` come after those that are.
    """
    return order_systems(_unordered_rows(view, kind, segment), order)


KeyOrRow = TypeVar("KeyOrRow", LayerKey, TagRow)


def order_systems(layers: Sequence[KeyOrRow], order: Sequence[str]) -> list[KeyOrRow]:
    """Return `layers` with the systems sorted by `order`; systems that are not in `order` come after those that are.

    Layers that do not belong to systems keep their indices.
    """
    ranks = {name: rank for rank, name in enumerate(order)}
    systems = [layer for layer in layers if layer.provenance is Provenance.SYSTEM]
    ordered = iter(sorted(systems, key=lambda layer: ranks.get(layer.name, len(ranks))))
    return [next(ordered) if layer.provenance is Provenance.SYSTEM else layer for layer in layers]


def _unordered_rows(view: View, kind: Kind, segment: int) -> list[TagRow]:
    """Return the tag rows of a segment in the order of the layers."""
    if kind is Kind.SOURCE:
        gold = view.reference_at(kind, segment)
        return [TagRow(key.provenance, key.name, key) for key in view.displayed_layers(Kind.SOURCE) if key != gold]
    keys_by_layer: dict[tuple[Provenance, str], dict[Kind, LayerKey]] = {}
    for tag_kind in (Kind.WORDS, Kind.GAPS):
        gold = view.reference_at(tag_kind, segment)
        for key in view.displayed_layers_at(tag_kind, segment):
            if key == gold:
                continue
            keys_by_layer.setdefault((key.provenance, key.name), {})[tag_kind] = key
    for layer in view.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
        keys_by_layer.setdefault((layer.key.provenance, layer.key.name), {})[Kind.PROBABILITIES] = layer.key
    return [
        TagRow(provenance, name, keys.get(Kind.WORDS), keys.get(Kind.GAPS), keys.get(Kind.PROBABILITIES))
        for (provenance, name), keys in keys_by_layer.items()
    ]
