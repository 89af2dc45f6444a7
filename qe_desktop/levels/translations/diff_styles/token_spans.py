"""Where tokens stand in the text that they were cut from, whatever the cutting did to their letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

Span = tuple[int, int]
"""The characters of a text from one place to before another."""

_ENTITIES = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""What some cuttings read as one character."""


def places(text: str, tokens: Sequence[str]) -> list[Span]:
    """The characters of each token, in the order of the tokens; none overlap.

    Letters may have been lowered, entities read and blanks put in, and each token then covers what it was made of.
    Where more was changed, tokens cover what is recognised of them, and one of which nothing is, no character at all.
    """
    return _in_step(text, tokens) or _recognised(text, tokens)


def _in_step(text: str, tokens: Sequence[str]) -> list[Span] | None:
    """By walking through text and tokens together; None where they part."""
    found: list[Span] = []
    flat = "".join(tokens)
    place = read = 0
    for token in tokens:
        start = -1
        end = read + len(token)
        while read < end:
            while place < len(text) and text[place].isspace():
                place += 1
            if place == len(text):
                return None
            taken, letters = _taken(text, place, flat, read)
            if not taken or read + letters > end:
                return None
            start = place if start < 0 else start
            place, read = place + taken, read + letters
        found.append((start, place) if start >= 0 else (place, place))
    return found if not text[place:].strip() else None


def _taken(text: str, place: int, flat: str, read: int) -> tuple[int, int]:
    """How many characters of the text are how many of the tokens from here on; 0 where they differ."""
    entity = _ENTITIES.get(flat[read], "")
    if entity and text.startswith(entity, place) and not flat.startswith(entity, read):
        return len(entity), 1
    for form in (text[place], text[place].lower()):
        if flat.startswith(form, read):
            return 1, len(form)
    return 0, 0


def _recognised(text: str, tokens: Sequence[str]) -> list[Span]:
    """By the longest runs of characters that both have."""
    from difflib import SequenceMatcher

    ours = [(form, place) for place, character in enumerate(text) for form in _plain(character)]
    theirs = [
        (form, number) for number, token in enumerate(tokens) for character in token for form in _plain(character)
    ]
    matcher = SequenceMatcher(None, [form for form, _ in ours], [form for form, _ in theirs], autojunk=False)
    held: dict[int, list[int]] = {}
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            held.setdefault(theirs[block.b + step][1], []).append(ours[block.a + step][1])
    found: list[Span] = []
    last = 0
    for number in range(len(tokens)):
        at = held.get(number)
        start, end = (max(last, at[0]), max(last, at[-1] + 1)) if at else (last, last)
        found.append((start, end))
        last = end
    return found


def _plain(character: str) -> str:
    return "".join(unicodedata.normalize("NFKC", character).lower().split())
