"""The gold scores and the systems that a command names, read and checked against each other."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, SourceLocation
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import SCORE_FORMATS, ScoreColumns, read_scores, system_name
from qe_desktop.formats.io.text_files import named_path
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.scores.score_columns import missing_gold_note
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.level_group import ReadInputs
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.sentences.rates import add_rates, compute_rates
from qe_desktop.levels.sentences.sentence_level import SENTENCES
from qe_desktop.levels.system_files import (
    NamedFile,
    add_language_pair,
    check_unique_system,
    has_format,
    matching_name,
    resolve_named_files,
)

is_score_file = partial(has_format, SCORE_FORMATS)
"""Whether a file is to be read as scores."""


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The options that say what is scored."""
    parser.add_argument(
        "--gold", required=True, metavar="FILE",
        help=tr("gold scores: one number a segment, or a table with golds, and perhaps systems, in its columns"),
    )  # fmt: skip
    parser.add_argument(
        "--gold-name", metavar="NAME", default="", help=tr("the column that is the gold, where a table has several")
    )
    parser.add_argument(
        "--system", nargs="+", action="extend", metavar="[NAME=]FILE", default=[],
        help=tr(
            "a system's scores, one a line or a submission, or a table, which stands for all its systems; a directory "
            "stands for its files; may be repeated; the systems of the gold's own table when not given"
        ),
    )  # fmt: skip
    add_language_pair(parser)
    add_rates(parser)


def read(args: argparse.Namespace) -> ReadInputs:
    """Read what the options name; a QeError names the file and line that do not fit."""
    path = named_path(args.gold)
    table = read_scores(path, language_pair=args.language_pair)
    name, gold = _gold(table, args.gold_name, path)
    notes = [*table.notes]
    if args.system:
        files, remarks = resolve_named_files(args.system, is_score_file, tr("scores of segments"))
        systems, found = _systems(files, args.language_pair, len(gold))
        notes += [*remarks, *found]
    else:
        systems = {system: scores for system, scores in table.systems.items() if scores is not gold}
    if not systems:
        alone = tr("the gold stands alone in this file, and no system is named")
        message = alone if table.only is not None else tr("this table holds no systems, and none is named")
        raise QeError(message, hint=tr("Name the systems' files with --system."), place=SourceLocation(str(path)))
    taken = compute_rates(args, name, gold, systems)
    notes += [*taken.notes, *missing_gold_note(gold)]
    level = replace(SENTENCES, divided=taken.divided)
    return ReadInputs(_scoring(level, name, taken.gold, taken.systems), tuple(dict.fromkeys(notes)))


def _scoring(level: Level, name: str, gold: Scores, systems: Mapping[str, Scores]) -> Scoring:
    """Scores beside the gold's, by the systems' names."""
    return Scoring.between(level, LayerKey(Provenance.GOLD, name, Kind.SCORES), gold, systems)


def _gold(table: ScoreColumns, name: str, path: Path) -> tuple[str, Scores]:
    """The gold of a file with its name: the column that was named, or else the only one.

    A column that was named may be one that the file does not call gold.
    """
    place = SourceLocation(str(path))
    if table.only is not None:
        if name:
            message = tr("this file has one column of scores, which has no name")
            raise QeError(message, hint=tr("Leave --gold-name out."), place=place)
        return system_name(path), table.only
    columns = {**table.systems, **table.golds}
    if name:
        found = matching_name(name, columns)
        if not found:
            hint = tr("Its golds are {golds}.", golds=list_names([*table.golds] or [*columns], joined=True))
            raise QeError(tr("no column of scores is called “{name}”", name=name), hint=hint, place=place)
        return found, columns[found]
    if len(table.golds) == 1:
        return next(iter(table.golds.items()))
    if not table.golds:
        message = tr("no column of this table is called gold")
        hint = tr("Say which is (--gold-name NAME): {columns}.", columns=list_names(list(columns)))
    else:
        message = tr("this table has {n} golds: {golds}", "", len(table.golds), golds=list_names(list(table.golds)))
        hint = tr("Choose one of them (--gold-name NAME).")
    raise QeError(message, hint=hint, place=place)


def _systems(files: list[NamedFile], language_pair: str, size: int) -> tuple[dict[str, Scores], list[str]]:
    """The systems in some files by their names, and remarks on the files."""
    systems: dict[str, Scores] = {}
    origins: dict[str, Path] = {}
    notes: list[str] = []
    for file in files:
        found = read_scores(file.path, language_pair=language_pair, size=size)
        of_file = _of_file(file, found)
        found.refuse_aside(*of_file.values())
        for name, scores in of_file.items():
            check_unique_system(name, file.path, origins)
            systems[name] = scores
        notes += [join_localized(": ", (file.name, note)) for note in found.notes]
    return systems, notes


def _of_file(file: NamedFile, found: ScoreColumns) -> Mapping[str, Scores]:
    """The systems of a file; its golds where it has no systems."""
    if found.only is not None:
        return {file.name: found.only}
    columns = found.systems or found.golds
    if not file.said:
        return columns
    if len(columns) > 1:
        message = tr("“{name}” cannot name all {n} systems of this table", "", len(columns), name=file.name)
        raise QeError(
            message, hint=tr("Give the file alone: its columns name the systems."), place=SourceLocation(str(file.path))
        )
    return {file.name: next(iter(columns.values()))}
