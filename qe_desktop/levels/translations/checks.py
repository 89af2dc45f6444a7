"""What must hold between translations and references, wherever they come from, and what people are told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qe_desktop.corpus import Place, QeError, TextColumn
from qe_desktop.formats.sentences import few
from qe_desktop.wording import tr


def refuse_other_size(column: TextColumn, size: int, place: str, like: str) -> None:
    """QeError where a text has not the `size` segments of another one, which is called `like`."""
    if len(column) != size:
        message = tr("{n:,} {n:line|lines}, but {like} has {size:,}", "", len(column), like=like, size=size)
        hint = tr("All texts must hold the same segments in the same order, one a line.")
        raise QeError(message, hint=hint, place=Place(place, min(len(column), size) + 1))


def refuse_transposed(counts: Sequence[int], systems: int, place: str) -> None:
    """QeError where references of these numbers of lines are one a segment, each with a line for every reference."""
    if len(counts) > 1 and len(counts) == systems and len(set(counts)) == 1 and counts[0] != systems:
        message = tr(
            "the references are transposed: there are {n:,} of {lines:,} {lines:line|lines} each for "
            "{n:,} {n:segment|segments}",
            "", len(counts), lines=counts[0],
        )  # fmt: skip
        hint = tr("Give each reference as one text with a line for every segment.")
        raise QeError(message, hint=hint, place=Place(place))


def remarks(references: Mapping[str, TextColumn], systems: Mapping[str, TextColumn]) -> list[str]:
    """What people should know of texts: empty segments, and systems that are a reference."""
    notes = []
    for name, column in references.items():
        empty = _empty(column)
        if empty:
            notes.append(
                tr("{n:,} {n:segment|segments} of the reference {name} {n:is|are} empty", "", empty, name=name)
            )
    for name, column in systems.items():
        empty = _empty(column)
        if empty:
            notes.append(tr("{n:,} {n:segment|segments} of {name} {n:is|are} empty", "", empty, name=name))
    same = [name for name, column in systems.items() if any(_alike(column, other) for other in references.values())]
    if same:
        notes.append(tr("the same text as a reference: {names}", names=few(same)))
    return notes


def _empty(column: TextColumn) -> int:
    return int(np.count_nonzero(column.token_counts() == 0))


def _alike(one: TextColumn, other: TextColumn) -> bool:
    return len(one) == len(other) and all(
        mine == theirs for mine, theirs in zip(one.lines(), other.lines(), strict=True)
    )
