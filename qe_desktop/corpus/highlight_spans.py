"""Character ranges of the MT that were highlighted for the user, and the layers that determined them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qe_desktop.corpus.detokenized_text import token_offsets

_COMBINATION_LABELS = {"any": "any of {names}", "majority": "most of {names}", "all": "all of {names}"}
"""Descriptions of combined layers, by `VotingRule` value; not localized, because they are written to files."""


@dataclass(frozen=True, slots=True)
class HighlightSpan:
    """Highlighted range of characters; `end` is exclusive.

    `strong` is true if all layers agree. Other ranges are drawn less prominently.
    """

    start: int
    end: int
    strong: bool = True


@dataclass(frozen=True, slots=True)
class DisplayedHighlights:
    """Highlighted ranges of the MT, and the layers that determined them.

    `names` are the names of the layers. `agreement` is the required agreement of layers, a `VotingRule` value; it is
    empty for a single layer. `spans` are sorted and disjoint; None if the highlighted words were not recorded.
    """

    names: tuple[str, ...] = ()
    agreement: str = ""
    spans: tuple[HighlightSpan, ...] | None = ()

    @property
    def layer_label(self) -> str:
        """Description of the layers, as written to files, such as “any of A, B”; empty if there are no layers."""
        return _COMBINATION_LABELS.get(self.agreement, "{names}").format(names=", ".join(self.names))


NO_HIGHLIGHTS = DisplayedHighlights()


def highlight_spans(
    text: str, tokens: Sequence[str], marks: Sequence[int], strong: int = 1
) -> tuple[HighlightSpan, ...]:
    """Find the ranges in a text of tokens whose mark is not 0.

    The ranges of adjacent tokens with equal marks are joined. A range is strong if its mark is at least `strong`.
    Tokens that do not occur in the text are skipped.
    """
    spans: list[HighlightSpan] = []
    last = 0
    for token_span, mark in zip(_token_positions(text, tokens), marks, strict=False):
        if token_span is None:
            continue
        # several tokens may share one character, which is highlighted once
        start, end = max(token_span[0], spans[-1].end if spans else 0), token_span[1]
        if mark and last == mark:
            spans[-1] = HighlightSpan(spans[-1].start, max(start, end), spans[-1].strong)
        elif mark and start >= end:
            # its character belongs to the previous range, whose mark the next token may continue
            continue
        elif mark:
            spans.append(HighlightSpan(start, end, mark >= strong))
        last = mark
    return tuple(spans)


def _token_positions(text: str, tokens: Sequence[str]) -> Iterator[tuple[int, int] | None]:
    spans = token_offsets(tokens, text)
    if spans is not None:
        yield from spans
        return
    last = 0
    for token in tokens:
        start = text.find(token, last)
        yield None if start < 0 else (start, start + len(token))
        last = last if start < 0 else start + len(token)
