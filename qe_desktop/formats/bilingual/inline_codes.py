"""Inline codes: what stands in a segment and is no text, one form for all dialects; and their numbers.

A code opens, closes, or stands alone. Codes are numbered from 1 within a segment, in the order of the source; those of
the target have the numbers of those that they are in the source, and higher ones where there are none.
"""

from __future__ import annotations

import enum
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MAX_CACHED_CODES = 10_000
"""Patterns of codes that are remembered at the most."""


class CodeKind(enum.Enum):
    """What a code does to the text behind it."""

    OPEN = "open"
    CLOSE = "close"
    ALONE = "alone"


_OPEN, _CLOSE = CodeKind.OPEN, CodeKind.CLOSE


class Code(NamedTuple):
    """A code as the file has it.

    `raw` is its markup, `key` what it is known by in source and target, `label` what may be said of it, and `nests`
    tells that it is one end of an element, which must lie wholly within others. `number` is 0 until it is numbered.
    """

    kind: CodeKind
    key: str
    raw: str
    label: str = ""
    nests: bool = False
    number: int = 0

    @property
    def shown(self) -> str:
        """The code as it stands in a line of text."""
        kind, number = self.kind, self.number
        if kind is _OPEN:
            return f"⟨{number}⟩"
        return f"⟨/{number}⟩" if kind is _CLOSE else f"⟨{number}/⟩"


Content = tuple[str | Code, ...]
"""A source or a target: runs of text and codes by turns, in the order of the file."""


def content_text(content: Content) -> str:
    """The text alone."""
    if len(content) == 1 and content[0].__class__ is str:
        return content[0]
    return "".join([run for run in content if run.__class__ is str])


def content_codes(content: Content) -> list[Code]:
    """The codes alone."""
    return [run for run in content if isinstance(run, Code)]


class CodeNumbering:
    """Numbers the codes of a document's segments. Segments with the same codes, as most have, are numbered once."""

    def __init__(self) -> None:
        # by identity, which is quicker than by value; what is known is kept, so that no other object takes its place
        self._known: dict[tuple[int, ...], tuple[tuple[Code, ...], list[Code], list[Code]]] = {}

    def numbered(self, source: Content, target: Content | None) -> tuple[Content, Content | None]:
        """Both with numbers for their codes; an end whose other end is missing stands alone."""
        before = [run for run in source if run.__class__ is Code]
        after = [run for run in target if run.__class__ is Code] if target else []
        if not before and not after:
            return source, target
        key = (len(before), *map(id, before), *map(id, after))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MAX_CACHED_CODES:
                self._known.clear()
            known = self._known[key] = _both(content_codes(source), content_codes(target or ()))
        return _with(source, known[1]), None if target is None else _with(target, known[2])


def _both(before: list[Code], after: list[Code]) -> tuple[tuple[Code, ...], list[Code], list[Code]]:
    first, given = _number_codes(before, {}, 1)
    second, _ = _number_codes(after, given, 1 + len(before))
    return (*before, *after), first, _without_holes(first, second)


def _with(content: Content, codes: list[Code]) -> Content:
    """A content with other codes in the places of its own."""
    if len(content) == 5 and len(codes) == 2 and content[1].__class__ is Code and content[3].__class__ is Code:
        # most that have codes have two, with text around them
        return (content[0], codes[0], content[2], codes[1], content[4])
    numbered = iter(codes)
    return tuple([run if run.__class__ is str else next(numbered) for run in content])


def _without_holes(source: list[Code], target: list[Code]) -> list[Code]:
    """The codes of a target with numbers that follow those of the source, where they have none of its."""
    used = {code.number for code in source}
    more = dict.fromkeys(code.number for code in target if code.number not in used)
    follow = dict(zip(more, range(len(used) + 1, len(used) + len(more) + 1), strict=True))
    return [code._replace(number=follow.get(code.number, code.number)) for code in target]


_CodeNumbers = dict[tuple[str, bool], deque[int]]


def _number_codes(codes: Sequence[Code], known: _CodeNumbers, first: int) -> tuple[list[Code], _CodeNumbers]:
    """Numbers as those that are `known`, each once, and from `first` on; and which of them each key has."""
    numbered = list(codes)
    given: _CodeNumbers = defaultdict(deque)
    opened: dict[int, int] = {}
    other = dict(_pairs(codes))
    closing = {close: begin for begin, close in other.items()}
    left = {key: deque(numbers) for key, numbers in known.items()}
    for place, code in enumerate(codes):
        if place in closing:
            numbered[place] = code._replace(number=opened[closing[place]])
            continue
        paired = place in other
        # ends of different kinds are never the same code, though both may stand alone
        key = code.key if paired or code.kind is CodeKind.ALONE else f"{code.kind.value} {code.key}"
        if waiting := left.get((key, paired)):
            number = waiting.popleft()
        else:
            number, first = first, first + 1
        given[key, paired].append(number)
        numbered[place] = code._replace(number=number, kind=code.kind if paired else CodeKind.ALONE)
        opened[place] = number
    return numbered, dict(given)


def _pairs(codes: Sequence[Code]) -> Iterator[tuple[int, int]]:
    """Where the codes stand that belong together: the one that opens and the one that closes."""
    waiting: dict[str, list[int]] = defaultdict(list)
    for place, code in enumerate(codes):
        if code.kind is CodeKind.OPEN:
            waiting[code.key].append(place)
        elif code.kind is CodeKind.CLOSE and waiting[code.key]:
            yield waiting[code.key].pop(), place
