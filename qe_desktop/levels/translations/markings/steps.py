"""An alignment of tokens as marks: what was replaced, what one text alone has, and what was moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qe_desktop.levels.translations.markings.marks import Mark, Sign
from qe_desktop.levels.translations.markings.places import Span

if TYPE_CHECKING:
    from qe_desktop.metrics.ter.alignment import Alignment

LONGEST = 2000
"""Tokens of one text at the most; the alignment of more is not worth waiting for while one walks through segments."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What stands for a word in the place of another, one too many, one that is missing, and one that was moved."""

    replaced: Sign
    surplus: Sign
    missing: Sign
    moved: Sign | None = None


def step_marks(
    alignment: Alignment, text: str, ours: Sequence[Span], other: str, theirs: Sequence[Span], number: int, signs: Signs
) -> list[Mark]:
    """The marks of an alignment of the tokens of a text with those of another, which has this number among the others.

    Words that are missing side by side are one mark, behind the word that they follow once all shifts are made.
    """
    found: list[Mark] = []
    after, missing = 0, list[int]()
    for step in alignment.steps:
        here, there = step.mt, step.post_edit
        if here is None:
            assert there is not None
            missing.append(there)
            continue
        if missing:
            found.append(_missing(missing, after, other, theirs, number, signs.missing))
            missing = []
        start, end = ours[here]
        after = end
        place, word = (0, "") if there is None else (there + 1, other[slice(*theirs[there])])
        if step.moved and signs.moved is not None:
            found.append(Mark(start, end, signs.moved, word, (number,), here=here + 1, there=place))
        if there is None:
            found.append(Mark(start, end, signs.surplus, "", (number,), here=here + 1))
        elif step.operation == "substitution":
            found.append(Mark(start, end, signs.replaced, word, (number,), here=here + 1, there=place))
    if missing:
        found.append(_missing(missing, after, other, theirs, number, signs.missing))
    return found


def _missing(places: list[int], after: int, other: str, theirs: Sequence[Span], number: int, sign: Sign) -> Mark:
    words = other[theirs[places[0]][0] : theirs[places[-1]][1]]
    return Mark(after, after, sign, words, (number,), len(places), there=places[0] + 1)
