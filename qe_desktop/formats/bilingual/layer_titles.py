"""What layers are called in files, the same in every language, and which layer is called so."""

from __future__ import annotations

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.formats.bilingual.column_names import SCORE, TAGS

_KINDS = {f" ({kind.value})": kind for kind in Kind if kind.is_tags}
_PROVENANCES = {one.value: one for one in Provenance}


def called(key: LayerKey) -> str:
    """A layer's name: who says it, and of what where that is not words or segments, or its name sounds so."""
    named = f"{key.provenance.value} {key.name}" if key.name else key.provenance.value
    plain = key.kind is Kind.SCORES or (key.kind is Kind.WORDS and not named.endswith(tuple(_KINDS)))
    return named if plain else f"{named} ({key.kind.value})"


def layer_titled(title: str) -> LayerKey | None:
    """The layer whose tags or scores a column of this name holds; None for another column. Whose they are is said
    first; where it is not, it is a system's.
    """
    if title.startswith(TAGS):
        return _key(title.removeprefix(TAGS), is_tags=True)
    return _key(title.removeprefix(SCORE), is_tags=False) if title.startswith(SCORE) else None


def _key(named: str, *, is_tags: bool) -> LayerKey | None:
    ending = next((one for one in _KINDS if named.endswith(one)), "") if is_tags else ""
    kind = _KINDS[ending] if ending else Kind.WORDS if is_tags else Kind.SCORES
    named = named.removesuffix(ending)
    first, _, name = named.partition(" ")
    if first in _PROVENANCES:
        return LayerKey(_PROVENANCES[first], name, kind)
    return LayerKey(Provenance.SYSTEM, named, kind) if named else None
