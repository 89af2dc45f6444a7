"""The columns of tables and workbooks, by the names in their first row."""

from __future__ import annotations

import re
from collections.abc import Sequence

SOURCES = frozenset(("source", "src", "source text", "source segment", "source language"))
TARGETS = frozenset(("target", "tgt", "mt", "translation", "target text", "target segment", "target language"))
NOTES = frozenset(("notes", "note", "comment", "comments"))
STATES = frozenset(("status", "state"))


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
