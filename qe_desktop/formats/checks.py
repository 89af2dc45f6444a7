"""Checks of one column against another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    SHOWN,
    AlignmentColumn,
    Fault,
    Kind,
    Layer,
    Place,
    QeError,
    TextColumn,
    faults_of,
    segment_of,
)
from qe_desktop.formats.forms import Counted, Form, form_of
from qe_desktop.formats.reading import counted
from qe_desktop.formats.tags import word_forms


def refuse_other_size(size: int, wanted: int, file: str, than: str) -> None:
    """Refuse a column of `size` lines where `than`, such as "the MT", has `wanted`."""
    if size != wanted:
        message = f"{counted(size, 'line')}, but {than} has {wanted:,}"
        raise QeError(message, hint="Both must have one line a segment.", place=Place(file))


def refuse_links_out_of_range(
    alignments: AlignmentColumn, source: TextColumn | None, mt: TextColumn | None, file: str
) -> None:
    """Refuse alignments of tokens that the source or the MT does not have."""
    segments = segment_of(alignments.offsets)
    for side, text, name in ((0, source, "the source"), (1, mt, "the MT")):
        if text is None:
            continue
        counts = text.token_counts()
        beyond = np.flatnonzero(alignments.pairs[:, side] >= counts[segments])
        faults = []
        for link in beyond[:SHOWN]:
            line = int(segments[link])
            first, second = alignments.pairs[link]
            token = alignments.pairs[link, side]
            message = f"{first}-{second} names token {token} of {name}, which has {counted(int(counts[line]), 'token')}"
            faults.append(Fault(Place(file, line + 1), message))
        if faults:
            raise faults_of(faults[0].message, faults, hint="Tokens count from 0.", count=len(beyond))


def refuse_unlike(
    layer: Layer, other: Layer, file: str, base: str, first_lines: NDArray[np.int64] | None = None
) -> None:
    """Refuse a layer whose segments have other numbers of values than those of `other`, of the same kind of token.

    `first_lines` are the file's lines, from 0, on which segments begin; None where each is a line.
    """
    mine, theirs = _lengths(layer), _lengths(other)
    if len(mine) != len(theirs):
        refuse_other_size(len(mine), len(theirs), file, base)
    lines = np.flatnonzero(mine != theirs)
    faults = [
        Fault(
            Place(file, int(line if first_lines is None else first_lines[line]) + 1),
            f"{counted(int(mine[line]), 'value')}, but {base} has {int(theirs[line]):,}",
        )
        for line in lines[:SHOWN]
    ]
    if faults:
        hint = "Both must be of the same tokens, with or without <EOS>."
        raise faults_of(faults[0].message, faults, hint=hint, count=len(lines))


def form_of_layer(layer: Layer, text: TextColumn, name: str) -> Form:
    """The form that a loaded layer has beside a text that comes later. QeError that names the lines that do not fit."""
    forms = {Kind.GAPS: (Form.GAPS,), Kind.SOURCE: (Form.WORDS,)}.get(layer.key.kind) or word_forms(text)
    what = Counted(layer.origin, lambda line: Place(layer.origin, line + 1))
    return form_of(_lengths(layer), text.token_counts(), forms, what, name, "value")


def carrier(kind: Kind) -> Kind:
    """What a layer has one value for each of: words carry probabilities too."""
    return Kind.WORDS if kind is Kind.PROBABILITIES else kind


def lengths_by_kind(layers: Iterable[Layer]) -> dict[Kind, NDArray[np.int64]]:
    """The numbers of tags in segments that the first tags of each kind have."""
    found: dict[Kind, NDArray[np.int64]] = {}
    for layer in layers:
        if layer.key.kind is not Kind.SCORES:
            found.setdefault(carrier(layer.key.kind), _lengths(layer))
    return found


def together(errors: Sequence[QeError]) -> QeError:
    """One error for all that is wrong."""
    if len(errors) == 1:
        return errors[0]
    faults: list[Fault] = []
    more = 0
    for error in errors:
        faults += error.faults or (Fault(error.place or Place("?"), error.message),)
        more += error.more
    return QeError(errors[0].message, hint=errors[0].hint, place=errors[0].place, faults=faults, more=more)


def _lengths(layer: Layer) -> NDArray[np.int64]:
    column = layer.column
    return np.ones(len(column), np.int64) if isinstance(column, np.ndarray) else column.lengths()
