"""Conventions of the targets of a job: deviations from the rules of typography that many segments share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

MIN_USUAL_COUNT, MIN_USUAL_SHARE = 5, 0.1
"""Segments, and share of the segments that could have a deviation, from which it is a convention."""
Marks = tuple[str, str]
"""Kinds of the marks that end a source and its target; empty if there is none."""
EndMarks = tuple[str, Marks]
"""Target language, and different marks at the ends of source and target."""
Sign = tuple[str, str]
"""Target language, and a punctuation mark that is not the one of its script."""


class Conventions(NamedTuple):
    """Different marks at the ends of source and target, and marks of other scripts, by language."""

    end_marks: frozenset[EndMarks] = frozenset()
    signs: frozenset[Sign] = frozenset()


NO_CONVENTIONS = Conventions()
_Deviation = TypeVar("_Deviation")


def usual_deviations(counts: Mapping[_Deviation, int], totals: Mapping[_Deviation, int]) -> frozenset[_Deviation]:
    """Deviations that are conventions, given the segments with each, and those that could have it."""
    return frozenset(
        deviation
        for deviation, count in counts.items()
        if count >= MIN_USUAL_COUNT and count > MIN_USUAL_SHARE * totals[deviation]
    )
