"""Character ranges of an MT that were highlighted for its readers, and the layers they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qe_desktop.corpus.detokenized_text import token_offsets

_CHOSEN = {"any": "any of {names}", "majority": "most of {names}", "all": "all of {names}"}
"""How files say which words were highlighted, by the `Agreement`; the same in every language."""


@dataclass(frozen=True, slots=True)
class HighlightSpan:
    """From and to a character (exclusive). `strong` is what all say of whom it is, anything else is shown lighter."""

    start: int
    end: int
    strong: bool = True


@dataclass(frozen=True, slots=True)
class DisplayedHighlights:
    """Layers that highlighted words of an MT, their required agreement (an `Agreement` value, empty for a single
    layer), and the highlighted ranges, sorted and disjoint. `stretches` is None if the words were not recorded.
    """

    names: tuple[str, ...] = ()
    agreement: str = ""
    stretches: tuple[HighlightSpan, ...] | None = ()

    @property
    def whose(self) -> str:
        """The names, and how they were put together, as files have it; empty where nothing was highlighted."""
        return _CHOSEN.get(self.agreement, "{names}").format(names=", ".join(self.names))


NO_HIGHLIGHTS = DisplayedHighlights()


def highlight_spans(
    text: str, tokens: Sequence[str], marks: Sequence[int], strong: int = 1
) -> tuple[HighlightSpan, ...]:
    """Where marked tokens (not 0) stand in a text, those that follow each other and are marked alike as one; from
    `strong` on they are so. Tokens that the text does not hold as they are (`&quot;`) are left out.
    """
    found: list[HighlightSpan] = []
    last = 0
    for place, mark in zip(_token_positions(text, tokens), marks, strict=False):
        if place is None:
            continue
        # several tokens may share one character, which is highlighted once
        start, end = max(place[0], found[-1].end if found else 0), place[1]
        if mark and last == mark:
            found[-1] = HighlightSpan(found[-1].start, max(start, end), found[-1].strong)
        elif mark and start < end:
            found.append(HighlightSpan(start, end, mark >= strong))
        last = mark
    return tuple(found)


def _token_positions(text: str, tokens: Sequence[str]) -> Iterator[tuple[int, int] | None]:
    known = token_offsets(tokens, text)
    if known is not None:
        yield from known
        return
    last = 0
    for token in tokens:
        start = text.find(token, last)
        yield None if start < 0 else (start, start + len(token))
        last = last if start < 0 else start + len(token)
