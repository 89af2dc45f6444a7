"""The columns of tables and workbooks, by the names in their first row: what exports write, and what others do."""

from __future__ import annotations

import re
from collections.abc import Sequence

DOCUMENT, SEGMENT, SOURCE, LOADED, TARGET, STATUS, NOTED = OWN = (
    "document", "segment", "source", "MT as loaded", "target", "status", "notes",
)  # fmt: skip
"""The columns that every table and workbook has that this program writes."""
WORDS = "MT words"
"""The words that tags are of, with blanks between them, where the rule of `words` does not find these in the MT."""
TAGS, SCORE = "tags ", "score "
"""What the names of columns of layers begin with (`layer_columns`)."""
SOURCES = frozenset((SOURCE, "src", "source text", "source segment", "source language"))
TARGETS = frozenset((TARGET, "tgt", "mt", "translation", "target text", "target segment", "target language"))
NOTES = frozenset((NOTED, "note", "comment", "comments"))
STATES = frozenset((STATUS, "state"))


def plain(name: str) -> str:
    """A name as it is compared: in small letters, with single blanks."""
    return re.sub(r"[\s_-]+", " ", name).strip().lower()


def places(header: Sequence[str], wanted: str, known: frozenset[str]) -> list[int]:
    """Where the columns stand that have the `wanted` name; where none is wanted, those whose names are known."""
    return [place for place, name in enumerate(header) if (name == wanted if wanted else plain(name) in known)]


def only(header: Sequence[str], known: frozenset[str]) -> int:
    """Where the one column stands whose name is known; -1 where there is none, or more than one."""
    found = places(header, "", known)
    return found[0] if len(found) == 1 else -1


def are_own(header: Sequence[str]) -> bool:
    """Whether a table is one that this program wrote: its texts are lines with codes (`lines`)."""
    return set(OWN) <= set(header)


def are_of_job(header: Sequence[str]) -> bool:
    """Whether a table is a translator's, whatever numbers it has too: beside its source and its target it says how far
    segments are, or has notes. Tables of scores have neither.
    """
    both = all(only(header, known) >= 0 for known in (SOURCES, TARGETS))
    return both and (only(header, STATES) >= 0 or only(header, NOTES) >= 0)
