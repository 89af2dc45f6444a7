"""Inline codes: numbered non-text parts of a segment, represented in the same way for all dialects.

A code opens, closes, or stands alone. Codes are numbered from 1 within a segment, in the order of the source. Target
codes have the numbers of the matching source codes; target codes without a match have higher numbers.
"""

from __future__ import annotations

import enum
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MAX_CACHED_CODES = 10_000
"""Maximum number of cached sequences of codes."""


class CodeKind(enum.Enum):
    """Kind of a code: opening, closing, or standalone."""

    OPEN = "open"
    CLOSE = "close"
    STANDALONE = "alone"


_OPEN, _CLOSE = CodeKind.OPEN, CodeKind.CLOSE


class Code(NamedTuple):
    """Inline code as in the file.

    `raw` is the markup of the code, and `label` describes the code. `key` is the same for matching codes: an opening
    and its closing code, or a source code and its target code. `must_nest` is true for the start and end tags of an
    element, which must be properly nested. `number` is 0 until assigned. `is_annotation` is true for codes that mark
    terms, comments or issues, and do not belong to the formatting of the text.
    """

    kind: CodeKind
    key: str
    raw: str
    label: str = ""
    must_nest: bool = False
    number: int = 0
    is_annotation: bool = False

    @property
    def display_text(self) -> str:
        """Code as written in a line of text, such as `⟨1⟩`."""
        kind, number = self.kind, self.number
        if kind is _OPEN:
            return f"⟨{number}⟩"
        return f"⟨/{number}⟩" if kind is _CLOSE else f"⟨{number}/⟩"


Content = tuple[str | Code, ...]
"""Source or target: texts and codes, in the order of the file."""


def content_text(content: Content) -> str:
    """Text of `content` without its codes."""
    if len(content) == 1 and content[0].__class__ is str:
        return content[0]
    return "".join([run for run in content if run.__class__ is str])


def content_codes(content: Content) -> list[Code]:
    """Codes of `content`, in order."""
    return [run for run in content if isinstance(run, Code)]


class CodeNumbering:
    """Numbering of the codes of a document's segments; cached, since the same sequences of codes are frequent."""

    def __init__(self) -> None:
        # keyed by identity, which is faster; cached objects are retained so that ids stay unique
        self._cache: dict[tuple[int, ...], tuple[tuple[Code, ...], list[Code], list[Code]]] = {}

    def number_contents(self, source: Content, target: Content | None) -> tuple[Content, Content | None]:
        """Return source and target with numbered codes; unpaired opening and closing codes become standalone codes."""
        source_codes = [run for run in source if run.__class__ is Code]
        after = [run for run in target if run.__class__ is Code] if target else []
        if not source_codes and not after:
            return source, target
        key = (len(source_codes), *map(id, source_codes), *map(id, after))
        cached = self._cache.get(key)
        if cached is None:
            if len(self._cache) >= MAX_CACHED_CODES:
                self._cache.clear()
            cached = self._cache[key] = _number_both(content_codes(source), content_codes(target or ()))
        return _replace_codes(source, cached[1]), None if target is None else _replace_codes(target, cached[2])


def _number_both(source_codes: list[Code], after: list[Code]) -> tuple[tuple[Code, ...], list[Code], list[Code]]:
    first, numbers_by_key = _number_codes(source_codes, {}, 1)
    second, _ = _number_codes(after, numbers_by_key, 1 + len(source_codes))
    return (*source_codes, *after), first, _number_consecutively(first, second)


def _replace_codes(content: Content, codes: list[Code]) -> Content:
    if len(content) == 5 and len(codes) == 2 and content[1].__class__ is Code and content[3].__class__ is Code:
        # most contents with codes have two codes, with text around them
        return (content[0], codes[0], content[2], codes[1], content[4])
    numbered = iter(codes)
    return tuple([run if run.__class__ is str else next(numbered) for run in content])


def _number_consecutively(source: list[Code], target: list[Code]) -> list[Code]:
    """Renumber target codes that have no match in the source, consecutively after the numbers of the source codes."""
    used = {code.number for code in source}
    extra = dict.fromkeys(code.number for code in target if code.number not in used)
    new_numbers = dict(zip(extra, range(len(used) + 1, len(used) + len(extra) + 1), strict=True))
    return [code._replace(number=new_numbers.get(code.number, code.number)) for code in target]


_CodeNumbers = dict[tuple[str, bool], deque[int]]


def _number_codes(codes: Sequence[Code], reusable: _CodeNumbers, first: int) -> tuple[list[Code], _CodeNumbers]:
    """Number codes: each number in `reusable` is used for one matching code, and new numbers start at `first`.

    Returns the numbered codes, and a mapping from (key, whether paired) to the assigned numbers.
    """
    numbered = list(codes)
    by_key: _CodeNumbers = defaultdict(deque)
    opened: dict[int, int] = {}
    close_of = dict(_pairs(codes))
    open_of = {close: begin for begin, close in close_of.items()}
    remaining = {key: deque(values) for key, values in reusable.items()}
    for index, code in enumerate(codes):
        if index in open_of:
            numbered[index] = code._replace(number=opened[open_of[index]])
            continue
        paired = index in close_of
        # unpaired opening and closing codes never match each other, although both become standalone
        key = code.key if paired or code.kind is CodeKind.STANDALONE else f"{code.kind.value} {code.key}"
        if numbers_left := remaining.get((key, paired)):
            number = numbers_left.popleft()
        else:
            number, first = first, first + 1
        by_key[key, paired].append(number)
        numbered[index] = code._replace(number=number, kind=code.kind if paired else CodeKind.STANDALONE)
        opened[index] = number
    return numbered, dict(by_key)


def _pairs(codes: Sequence[Code]) -> Iterator[tuple[int, int]]:
    """Pairs of the indices of matching opening and closing codes."""
    waiting: dict[str, list[int]] = defaultdict(list)
    for index, code in enumerate(codes):
        if code.kind is CodeKind.OPEN:
            waiting[code.key].append(index)
        elif code.kind is CodeKind.CLOSE and waiting[code.key]:
            yield waiting[code.key].pop(), index
