"""Where in a text stands what was searched for."""

from __future__ import annotations

import re

MOST = 200
"""Places of one text that are marked at the most."""


def spans_of(wanted: str, text: str) -> list[tuple[int, int]]:
    """The places of `wanted` in a text, whatever the case of its letters, as first and last (exclusive) character.

    As `TextColumn.matches` finds it; places do not overlap. Nothing where nothing is wanted.

    >>> spans_of("ma", "Mama sah")
    [(0, 2), (2, 4)]
    """
    if not wanted:
        return []
    pattern = "".join(f"(?:{'|'.join(map(re.escape, _forms(character)))})" for character in wanted)
    return [match.span() for match, _ in zip(re.finditer(pattern, text), range(MOST), strict=False)]


def _forms(character: str) -> list[str]:
    return sorted({character, character.lower(), character.upper()})
