"""The layers that a file of tags, probabilities or scores becomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, Place, Provenance, QeError, TagColumn, TextColumn
from qe_desktop.corpus.layers import Column, Scores
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.probabilities import fitted_numbers
from qe_desktop.formats.registry import BY_NAME
from qe_desktop.formats.roles import Role
from qe_desktop.formats.score_columns import ScoreColumns, columns_of, left_out_note
from qe_desktop.formats.sentences import no_layer
from qe_desktop.formats.tables import ScoreGrid, ScoreTable, WordTable
from qe_desktop.formats.tags import Texts, fitted_lines, fitted_table
from qe_desktop.wording import tr

COLUMNS = "columns"
"""The form of a layer that is a column of a table, by whose name it is called."""


def one_a_line(segment: int) -> int:
    """The line, from 1, of a segment where each is a line."""
    return segment + 1


@dataclass(frozen=True, slots=True, eq=False)
class ReadLayers:
    """A file's layers, and whether its words have one value more than the MT has tokens (None: it cannot be told).

    `line` says on which line of the file, from 1, a segment begins.
    """

    file: PlannedFile
    layers: tuple[Layer, ...]
    eos: bool | None = None
    line: Callable[[int], int] = one_a_line


def read_layers(
    file: PlannedFile,
    opened: OpenedFile,
    texts: Texts,
    pieces: TextColumn | None,
    size: int | None,
    language_pair: str,
) -> ReadLayers:
    """Read a file of the roles gold and system and fit it to the texts. QeError where it does not fit."""
    values = BY_NAME[file.format].read(opened).values
    provenance = Provenance.GOLD if file.role is Role.GOLD else Provenance.SYSTEM

    def layer(kind: Kind, column: Column | Scores, form: str, notes: tuple[str, ...]) -> Layer:
        return Layer(LayerKey(provenance, file.name, kind), column, file.path.name, form, (*file.notes, *notes))

    if isinstance(values, ScoreTable | ScoreGrid):
        found_scores = columns_of(values, language_pair, size)
        if found_scores.only is None:
            return ReadLayers(file, _of_columns(file, found_scores))
        if file.role is Role.SYSTEM:
            found_scores.refuse_aside(found_scores.only)
        notes = (*found_scores.notes, *left_out_note(found_scores.only))
        return ReadLayers(file, (layer(Kind.SCORES, found_scores.only, "submission", notes),))
    if isinstance(values, NumberColumn):
        like = texts.like.get(Kind.WORDS)
        fitted = fitted_numbers(values, opened, texts.mt, pieces, file.answers, like, texts.left_out)
        found = layer(Kind.PROBABILITIES, fitted.column, fitted.form, fitted.notes)
        return ReadLayers(file, (found,), None if texts.mt is None else fitted.eos, fitted.line)
    if isinstance(values, WordTable | TagColumn):
        tags = (
            fitted_table(values, file.kind, texts, language_pair)
            if isinstance(values, WordTable)
            else fitted_lines(values, opened, file.kind, texts, file.answers.lines)
        )
        layers = tuple(layer(kind, column, tags.form, tags.notes) for kind, column in tags.columns.items())
        eos = tags.eos if texts.mt is not None and Kind.WORDS in tags.columns else None
        return ReadLayers(file, layers, eos, tags.line)
    if isinstance(values, np.ndarray):
        return ReadLayers(file, (layer(Kind.SCORES, _sized(values, size, opened), "a line", ()),))
    raise QeError(no_layer(file.format), hint=tr("Give it another role."), place=opened.place())


def _of_columns(file: PlannedFile, found: ScoreColumns) -> tuple[Layer, ...]:
    """The golds and systems of a table; where it has but one of the two, they are what the file is said to be."""
    golds, systems = found.golds, found.systems
    if file.role is Role.GOLD and not golds:
        golds, systems = systems, {}
    elif file.role is Role.SYSTEM:
        golds, systems = {}, systems or golds
    found.refuse_aside(*systems.values())
    notes = (*file.notes, *found.notes)
    return tuple(
        Layer(
            LayerKey(provenance, name, Kind.SCORES), scores, file.path.name, COLUMNS, (*notes, *left_out_note(scores))
        )
        for provenance, columns in ((Provenance.GOLD, golds), (Provenance.SYSTEM, systems))
        for name, scores in columns.items()
    )


def _sized(scores: Scores, size: int | None, opened: OpenedFile) -> Scores:
    if size is not None and len(scores) != size:
        message = tr(
            "{n:,} {n:line|lines}, but the corpus has {size:,} {size:segment|segments}", "", len(scores), size=size
        )
        raise QeError(message, hint=tr("Both must have one line a segment."), place=Place(opened.name))
    return scores
