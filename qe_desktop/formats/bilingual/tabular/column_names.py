"""The columns of tables and workbooks, by the names in their first row: what exports write, and what others do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qe_desktop.corpus import Kind, LayerKey, Provenance

DOCUMENT, SEGMENT, SOURCE, LOADED, TARGET, STATUS, NOTE_COLUMN = OWN_COLUMNS = (
    "document", "segment", "source", "MT as loaded", "target", "status", "notes",
)  # fmt: skip
"""The columns that every table and workbook has that this program writes."""
WORDS = "MT words"
"""The words that tags are of, with blanks between them, where the rule of `words` does not find these in the MT."""
TAGS, SCORE = "tags ", "score "
"""What the names of columns of layers begin with (`layer_columns`)."""
SOURCES = frozenset((SOURCE, "src", "source text", "source segment", "source language"))
TARGETS = frozenset((TARGET, "tgt", "mt", "translation", "target text", "target segment", "target language"))
NOTES = frozenset((NOTE_COLUMN, "note", "comment", "comments"))
STATES = frozenset((STATUS, "state"))


def normalize_header(name: str) -> str:
    """A name as it is compared: in small letters, with single blanks."""
    return re.sub(r"[\s_-]+", " ", name).strip().lower()


def find_columns(header: Sequence[str], wanted: str, known: frozenset[str]) -> list[int]:
    """Where the columns stand that have the `wanted` name; where none is wanted, those whose names are known."""
    return [
        place for place, name in enumerate(header) if (name == wanted if wanted else normalize_header(name) in known)
    ]


def find_single_column(header: Sequence[str], known: frozenset[str]) -> int:
    """Where the one column stands whose name is known; -1 where there is none, or more than one."""
    found = find_columns(header, "", known)
    return found[0] if len(found) == 1 else -1


def is_qe_table(header: Sequence[str]) -> bool:
    """Whether a table is one that this program wrote: its texts are lines with codes (`lines`)."""
    return set(OWN_COLUMNS) <= set(header)


def is_job_table(header: Sequence[str]) -> bool:
    """Whether a table is a translator's, whatever numbers it has too: beside its source and its target it says how far
    segments are, or has notes. Tables of scores have neither.
    """
    both = all(find_single_column(header, known) >= 0 for known in (SOURCES, TARGETS))
    return both and (find_single_column(header, STATES) >= 0 or find_single_column(header, NOTES) >= 0)


_KINDS = {f" ({kind.value})": kind for kind in Kind if kind.is_tags}
_PROVENANCES = {one.value: one for one in Provenance}


def layer_title(key: LayerKey) -> str:
    """A layer's name: who says it, and of what where that is not words or segments, or its name sounds so."""
    named = f"{key.provenance.value} {key.name}" if key.name else key.provenance.value
    plain = key.kind is Kind.SCORES or (key.kind is Kind.WORDS and not named.endswith(tuple(_KINDS)))
    return named if plain else f"{named} ({key.kind.value})"


def layer_from_title(title: str) -> LayerKey | None:
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
