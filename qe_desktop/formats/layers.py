"""The layers that a file of tags, probabilities or scores becomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, Place, Provenance, QeError, TagColumn, TextColumn
from qe_desktop.corpus.layers import Column, Scores
from qe_desktop.formats.opening import OpenedFile, open_file
from qe_desktop.formats.planning import PlannedFile
from qe_desktop.formats.probabilities import fitted_numbers
from qe_desktop.formats.registry import BY_NAME
from qe_desktop.formats.roles import Role
from qe_desktop.formats.score_tables import scores_of
from qe_desktop.formats.tables import ScoreTable, WordTable
from qe_desktop.formats.tags import Texts, fitted_lines, fitted_table


@dataclass(frozen=True, slots=True, eq=False)
class ReadLayers:
    """A file's layers, and whether its words have one value more than the MT has tokens (None: it cannot be told)."""

    file: PlannedFile
    layers: tuple[Layer, ...]
    eos: bool | None = None


def read_layers(
    file: PlannedFile, texts: Texts, pieces: TextColumn | None, size: int | None, language_pair: str
) -> ReadLayers:
    """Read a file of the roles gold and system and fit it to the texts. QeError where it does not fit."""
    opened = open_file(file.path)
    values = BY_NAME[file.format].read(opened).values
    provenance = Provenance.GOLD if file.role is Role.GOLD else Provenance.SYSTEM

    def layer(kind: Kind, column: Column | Scores, form: str, notes: tuple[str, ...]) -> Layer:
        return Layer(LayerKey(provenance, file.name, kind), column, file.path.name, form, (*file.notes, *notes))

    if isinstance(values, ScoreTable):
        scores, notes = scores_of(values, language_pair, size)
        return ReadLayers(file, (layer(Kind.SCORES, scores, "submission", notes),))
    if isinstance(values, NumberColumn):
        column, form, notes, eos = fitted_numbers(values, opened, texts.mt, pieces)
        found = layer(Kind.PROBABILITIES, column, form, notes)
        return ReadLayers(file, (found,), None if texts.mt is None else eos)
    if isinstance(values, WordTable | TagColumn):
        tags = (
            fitted_table(values, file.kind, texts, language_pair)
            if isinstance(values, WordTable)
            else fitted_lines(values, opened, file.kind, texts)
        )
        layers = tuple(layer(kind, column, tags.form, tags.notes) for kind, column in tags.columns.items())
        return ReadLayers(file, layers, tags.eos if texts.mt is not None and Kind.WORDS in tags.columns else None)
    if file.format == "scores":
        return ReadLayers(file, (layer(Kind.SCORES, _sized(cast(Scores, values), size, opened), "a line", ()),))
    message = f"a file of {file.format} holds neither tags nor scores"
    raise QeError(message, hint="Give it another role.", place=opened.place())


def _sized(scores: Scores, size: int | None, opened: OpenedFile) -> Scores:
    if size is not None and len(scores) != size:
        message = f"{len(scores):,} lines, but the corpus has {size:,} segments"
        raise QeError(message, hint="Both must have one line a segment.", place=Place(opened.name))
    return scores
