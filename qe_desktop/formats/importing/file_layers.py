"""Layers from files of tags, probabilities or scores, and merging of added files into an open corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from qe_desktop.corpus import (
    Corpus,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    QeError,
    SourceLocation,
    TagColumn,
    TextColumn,
    TextRole,
)
from qe_desktop.corpus.layers import Column, Scores
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.importing.planned_file import PlannedFile
from qe_desktop.formats.importing.roles import Role
from qe_desktop.formats.importing.validation import (
    check_same_lengths,
    duplicate_layer_error,
    eos_mismatch_error,
    kind_carrier,
    layer_layout,
)
from qe_desktop.formats.messages import ComparedWith, not_a_layer_message
from qe_desktop.formats.parsed_tables import ScoreGrid, ScoreTable, WordTable
from qe_desktop.formats.registry import FORMAT_BY_NAME
from qe_desktop.formats.scores.score_columns import ScoreColumns, missing_gold_note, score_columns
from qe_desktop.formats.scores.system_scores import FORMAT as SYSTEM_SCORES
from qe_desktop.formats.tags.probabilities import fit_numbers
from qe_desktop.formats.tags.tag_lines import TagLayout
from qe_desktop.formats.tags.tag_reader import TagTexts, fit_tag_lines, fit_word_table
from qe_desktop.formats.text_files import TextFile, open_file
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qe_desktop.corpus import Ratings


COLUMN_FORM = "columns"
"""`form` of a layer that is a column of a score table."""


def line_of_segment(segment: int) -> int:
    """1-based line number of a segment, if each line is one segment; `segment` is 0-based."""
    return segment + 1


@dataclass(frozen=True, slots=True, eq=False)
class ParsedLayers:
    """Layers of a file.

    `eos` is true if each segment has a word value for `<EOS>` after its MT tokens; None if unknown. `line` maps the
    0-based number of a segment to the 1-based number of the line on which the segment begins.
    """

    file: PlannedFile
    layers: tuple[Layer, ...]
    eos: bool | None = None
    line: Callable[[int], int] = line_of_segment


def read_layers(
    file: PlannedFile,
    opened: TextFile,
    texts: TagTexts,
    pieces: TextColumn | None,
    size: int | None,
    language_pair: str,
) -> ParsedLayers:
    """Read a gold or system file and match it to the texts. Raises QeError if the file is invalid or does not fit."""
    values = FORMAT_BY_NAME[file.format].read(opened).values
    provenance = Provenance.GOLD if file.role is Role.GOLD else Provenance.SYSTEM

    def layer(kind: Kind, column: Column | Scores, form: str, notes: tuple[str, ...]) -> Layer:
        return Layer(LayerKey(provenance, file.name, kind), column, file.path.name, form, (*file.notes, *notes))

    if isinstance(values, ScoreTable | ScoreGrid):
        segment_scores = score_columns(values, language_pair, size)
        if segment_scores.single is None:
            return ParsedLayers(file, _layers_from_columns(file, segment_scores))
        if file.role is Role.SYSTEM:
            segment_scores.reject_missing_scores(segment_scores.single)
        notes = (*segment_scores.notes, *missing_gold_note(segment_scores.single))
        return ParsedLayers(file, (layer(Kind.SCORES, segment_scores.single, "submission", notes),))
    if isinstance(values, NumberColumn):
        like = texts.known_lengths.get(Kind.WORDS)
        fitted = fit_numbers(values, opened, texts.mt, pieces, file.answers, like, texts.excluded)
        probabilities = layer(Kind.PROBABILITIES, fitted.column, fitted.form, fitted.notes)
        return ParsedLayers(file, (probabilities,), None if texts.mt is None else fitted.eos, fitted.line)
    if isinstance(values, WordTable | TagColumn):
        tags = (
            fit_word_table(values, file.kind, texts, language_pair)
            if isinstance(values, WordTable)
            else fit_tag_lines(values, opened, file.kind, texts, file.answers.line_unit)
        )
        layers = tuple(layer(kind, column, tags.form, tags.notes) for kind, column in tags.columns.items())
        eos = tags.eos if texts.mt is not None and Kind.WORDS in tags.columns else None
        return ParsedLayers(file, layers, eos, tags.line)
    if isinstance(values, np.ndarray):
        return ParsedLayers(file, (layer(Kind.SCORES, _check_scores_size(values, size, opened), "a line", ()),))
    raise QeError(
        not_a_layer_message(file.format), hint=tr("Select another role for this file."), place=opened.location()
    )


def _layers_from_columns(file: PlannedFile, table: ScoreColumns) -> tuple[Layer, ...]:
    """Return the layers of the gold and system columns of a table, depending on the role of the file.

    If the role is gold, the system columns of a table without gold columns are read as gold. If the role is system,
    gold columns are left out, unless the table has only gold columns, which are then read as systems. Raises QeError
    if a system has no score for a segment.
    """
    golds, systems = table.golds, table.systems
    if file.role is Role.GOLD and not golds:
        golds, systems = systems, {}
    elif file.role is Role.SYSTEM:
        golds, systems = {}, systems or golds
    table.reject_missing_scores(*systems.values())
    notes = (*file.notes, *table.notes)
    return tuple(
        Layer(
            LayerKey(provenance, name, Kind.SCORES),
            scores,
            file.path.name,
            COLUMN_FORM,
            (*notes, *missing_gold_note(scores)),
        )
        for provenance, columns in ((Provenance.GOLD, golds), (Provenance.SYSTEM, systems))
        for name, scores in columns.items()
    )


def _check_scores_size(scores: Scores, size: int | None, opened: TextFile) -> Scores:
    if size is not None and len(scores) != size:
        message = tr(
            "{n:,} {n:line|lines}, but the corpus has {size:,} {size:segment|segments}", "", len(scores), size=size
        )
        raise QeError(message, hint=tr("Each file must have one line per segment."), place=SourceLocation(opened.name))
    return scores


def read_file_ratings(file: PlannedFile, pair: str, size: int | None, check_cancelled: CheckCancelled) -> Ratings:
    """Read the ratings in a file; `pair` selects one of several language pairs.

    Raises QeError if the file cannot be read or is invalid, or if a file of human segment scores does not have `size`
    scores per system (None: any number).
    """
    # imported here to save start-up time if there are no such files
    from qe_desktop.formats.ratings import read_ratings
    from qe_desktop.formats.ratings.wmt_ratings import read_human_scores

    if file.format == SYSTEM_SCORES.name:
        return read_human_scores(open_file(file.path, check_cancelled), size)
    return read_ratings(file.path, pair, accept_ambiguous=True)


def check_not_repeated(existing: Ratings | None, new_ratings: Sequence[Ratings]) -> None:
    """Raise QeError if `existing` has ratings from the same file as any `new_ratings`, which would be counted twice."""
    # the names of the files, which may contain a comma, are joined by commas
    origins = "" if existing is None else f", {existing.origin}, "
    for ratings in new_ratings:
        if ratings.origin and f", {ratings.origin}, " in origins:
            message = tr("the ratings in this file are already open")
            hint = tr("To read the file again, open all files again.")
            raise QeError(message, hint=hint, place=SourceLocation(ratings.origin))


Name = TypeVar("Name")
Value = TypeVar("Value")

_MAPPING_FIELDS = ("texts", "translations", "references", "metric_scores")
_SINGLE_FIELDS = ("size", "alignments", "documents", "eos", "language_pair", "ratings", "job")


def merge_corpora(now: Corpus, loaded: Corpus, base: Corpus) -> Corpus:
    """Return `now` with the contents of `loaded` that are not in `base`.

    `base` is the open corpus before files were read, `loaded` is `base` with the contents of the files, and `now` is
    the current state of the open corpus. Layers added or removed while the files were read stay added or removed.
    Raises QeError if the files do not fit a layer that was added meanwhile, or contain a layer with the same name.
    """
    if now is base:
        return replace(loaded, layers=_merge_values(now.layers, loaded.layers, base.layers))
    new = {key: layer for key, layer in loaded.layers.items() if base.layers.get(key) is not layer}
    concurrent_layers = {key: layer for key, layer in now.layers.items() if key not in base.layers}
    for key in new:
        if key in concurrent_layers:
            hint = tr(
                "A layer with this name was added while the files were being read. Change the name or role of the file."
            )
            raise QeError(duplicate_layer_error(key), hint=hint, place=SourceLocation(new[key].origin))
    _reject_misfits(new, concurrent_layers, loaded, base)
    values: dict[str, Any] = {
        name: _merge_values(getattr(now, name), getattr(loaded, name), getattr(base, name)) for name in _MAPPING_FIELDS
    }
    values |= {
        name: getattr(loaded, name) for name in _SINGLE_FIELDS if getattr(loaded, name) is not getattr(base, name)
    }
    return replace(now, **values, layers={**now.layers, **new})


def _merge_values(
    now: Mapping[Name, Value], loaded: Mapping[Name, Value], base: Mapping[Name, Value]
) -> dict[Name, Value]:
    return {**now, **{name: value for name, value in loaded.items() if base.get(name) is not value}}


def _reject_misfits(
    new: Mapping[LayerKey, Layer], concurrent_layers: Mapping[LayerKey, Layer], loaded: Corpus, base: Corpus
) -> None:
    """Raise QeError if layers that were added while files were read do not fit the layers and texts of the files."""
    roles = {Kind.WORDS: TextRole.MT, Kind.GAPS: TextRole.MT, Kind.SOURCE: TextRole.SOURCE}
    for layer in concurrent_layers.values():
        kind = kind_carrier(layer.key.kind)
        for added in new.values():
            if kind_carrier(added.key.kind) is kind:
                compared_with = layer.origin or ComparedWith.OPEN_CORPUS
                check_same_lengths(added, layer, added.origin, compared_with, line_of_segment)
        role = roles.get(kind)
        text = None if role is None else loaded.texts.get(role)
        if text is None or role is None or role in base.texts:
            continue
        eos = layer_layout(layer, text, role) is TagLayout.EOS
        if kind is Kind.WORDS and eos is not loaded.eos:
            hint = tr(
                "All tags and probabilities of a text must refer to the same tokens, either all with <EOS> or all "
                "without it."
            )
            raise QeError(eos_mismatch_error(eos), hint=hint, place=SourceLocation(layer.origin))
