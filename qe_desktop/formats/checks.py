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
    TextRole,
    faults_of,
    segment_of,
)
from qe_desktop.formats.forms import Counted, Form, form_of
from qe_desktop.formats.sentences import Compared, Other, Unit, other_lines, other_values
from qe_desktop.formats.tags import word_forms
from qe_desktop.wording import tr


def refuse_other_size(size: int, wanted: int, file: str, than: Compared | str) -> None:
    """Refuse a column of `size` lines where `than`, such as the MT or another file, has `wanted`."""
    if size != wanted:
        hint = tr("Both must have one line a segment.")
        raise QeError(other_lines(size, wanted, than), hint=hint, place=Place(file))


def refuse_links_out_of_range(
    alignments: AlignmentColumn, source: TextColumn | None, mt: TextColumn | None, file: str
) -> None:
    """Refuse alignments of tokens that the source or the MT does not have."""
    segments = segment_of(alignments.offsets)
    for side, text in enumerate((source, mt)):
        if text is None:
            continue
        counts = text.token_counts()
        beyond = np.flatnonzero(alignments.pairs[:, side] >= counts[segments])
        faults = []
        for link in beyond[:SHOWN]:
            line = int(segments[link])
            first, second = alignments.pairs[link].tolist()
            message = _beyond_source if side == 0 else _beyond_mt
            faults.append(Fault(Place(file, line + 1), message(first, second, int(counts[line]))))
        if faults:
            raise faults_of(faults[0].message, faults, hint=tr("Tokens count from 0."), count=len(beyond))


def _beyond_source(first: int, second: int, tokens: int) -> str:
    return tr(
        "{first}-{second} names token {first} of the source, which has {n:,} {n:token|tokens}",
        "", tokens, first=first, second=second,
    )  # fmt: skip


def _beyond_mt(first: int, second: int, tokens: int) -> str:
    return tr(
        "{first}-{second} names token {second} of the MT, which has {n:,} {n:token|tokens}",
        "", tokens, first=first, second=second,
    )  # fmt: skip


def refuse_unlike(
    layer: Layer, other: Layer, file: str, base: Other | str, first_lines: NDArray[np.int64] | None = None
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
            other_values(int(mine[line]), int(theirs[line]), base),
        )
        for line in lines[:SHOWN]
    ]
    if faults:
        hint = tr("Both must be of the same tokens, with or without <EOS>.")
        raise faults_of(faults[0].message, faults, hint=hint, count=len(lines))


def form_of_layer(layer: Layer, text: TextColumn, role: TextRole) -> Form:
    """The form that a loaded layer has beside a text that comes later. QeError that names the lines that do not fit."""
    forms = {Kind.GAPS: (Form.GAPS,), Kind.SOURCE: (Form.WORDS,)}.get(layer.key.kind) or word_forms(text)
    what = Counted(layer.origin, lambda line: Place(layer.origin, line + 1))
    return form_of(_lengths(layer), text.token_counts(), forms, what, role, Unit.VALUES)


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
