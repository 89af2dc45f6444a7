"""The references and the translations that a command names, read and checked against each other."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Corpus, QeError, SourceLocation, TextColumn, TextRole, View
from qe_desktop.formats.importing.file_names import reference_names
from qe_desktop.formats.importing.reference_shape import check_single_reference
from qe_desktop.formats.io.text_files import named_path, open_file
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.plain_text import TEXT, read_text
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level_group import ReadInputs
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.system_files import add_language_pair, check_unique_system, has_format, resolve_named_files
from qe_desktop.levels.system_matching import add_match
from qe_desktop.levels.translations.tokenization_options import add_tokenization, tokenization_of
from qe_desktop.levels.translations.translation_level import TRANSLATIONS, TranslationLevel
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings, translation_metrics


def check_text_size(column: TextColumn, size: int, place: str, like: str) -> None:
    """QeError where a text has not the `size` segments of another one, which is called `like`."""
    if len(column) != size:
        message = tr("{n:,} {n:line|lines}, but {like} has {size:,}", "", len(column), like=like, size=size)
        hint = tr("All texts must hold the same segments in the same order, one a line.")
        raise QeError(message, hint=hint, place=SourceLocation(place, min(len(column), size) + 1))


def check_reference_lines(counts: Sequence[int], systems: int, place: str) -> None:
    """QeError where references of these numbers of lines are one a segment, each with a line for every reference."""
    if len(counts) > 1 and len(counts) == systems and len(set(counts)) == 1 and counts[0] != systems:
        message = tr(
            "the references are transposed: there are {n:,} of {lines:,} {lines:line|lines} each for "
            "{n:,} {n:segment|segments}",
            "", len(counts), lines=counts[0],
        )  # fmt: skip
        hint = tr("Give each reference as one text with a line for every segment.")
        raise QeError(message, hint=hint, place=SourceLocation(place))


def text_warnings(references: Mapping[str, TextColumn], systems: Mapping[str, TextColumn]) -> list[str]:
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
    same = [
        name for name, column in systems.items() if any(_is_same_text(column, other) for other in references.values())
    ]
    if same:
        notes.append(tr("the same text as a reference: {names}", names=list_names(same)))
    return notes


def _empty(column: TextColumn) -> int:
    return int(np.count_nonzero(column.token_counts() == 0))


def _is_same_text(one: TextColumn, other: TextColumn) -> bool:
    return len(one) == len(other) and all(
        mine == theirs for mine, theirs in zip(one.lines(), other.lines(), strict=True)
    )


is_text_file = partial(has_format, (TEXT.name,))
"""Whether a file is to be read as text."""


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The options that say what is scored, and how texts are cut into tokens."""
    add_texts(parser, required=True)


def add_texts(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """The same for a command that may do without texts."""
    parser.add_argument(
        "--reference", required=required, default=[], nargs="+", action="extend", metavar="FILE",
        help=tr("a reference, one segment a line; may be repeated: all are used together"),
    )  # fmt: skip
    parser.add_argument(
        "--system", required=required, default=[], nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's translation, one segment a line; a directory stands for its files; may be repeated"),
    )  # fmt: skip
    parser.add_argument("--source", metavar="FILE", help=tr("the source, one segment a line, to be checked against"))
    add_tokenization(parser)
    parser.add_argument("--lowercase", action="store_true", help=tr("score texts without regard to case"))
    parser.add_argument(
        "--stem", metavar="LANGUAGE", default="",
        help=tr("score stems of words: porter, or a language of the Snowball stemmers"),
    )  # fmt: skip
    add_language_pair(parser)


def add_scores(parser: argparse.ArgumentParser) -> None:
    """The options that name files of scores."""
    parser.add_argument(
        "--scores", nargs="+", action="extend", metavar="METRIC=FILE", default=[],
        help=tr(
            "scores by another metric: system⇥score lines, a table with a column for each system, or a directory with "
            "a file for each system"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--lower", nargs="+", action="extend", metavar="METRIC", default=[], help=tr("metrics of which less is better")
    )
    add_match(parser)


def read(args: argparse.Namespace) -> ReadInputs:
    """Read what the options name; a QeError names the file and line that do not fit."""
    references = _references([named_path(one) for one in args.reference])
    chosen = tokenization_of(args)
    level = TRANSLATIONS.tokenized(
        replace(chosen, lowercase=args.lowercase, stemmer=args.stem or None, references=len(references))
    )
    first = next(iter(references.values()))
    files, notes = resolve_named_files(args.system, is_text_file, tr("text"))
    systems: dict[str, TextColumn] = {}
    origins: dict[str, Path] = {}
    for file in files:
        check_unique_system(file.name, file.path, origins)
        systems[file.name] = column = read_text(open_file(file.path))
        _check_reference_shapes(references, len(column), args.reference)
        check_text_size(column, len(first), str(file.path), args.reference[0])
    texts = {}
    if args.source:
        path = named_path(args.source)
        source = texts[TextRole.SOURCE] = read_text(open_file(path))
        check_text_size(source, len(first), str(path), args.reference[0])
    if not len(first):
        raise QeError(tr("there is no segment"), hint=tr("Give one at least."), place=SourceLocation(args.reference[0]))
    notes += text_warnings(references, systems)
    scoring = scoring_of(level, references, systems, texts)
    notes += scoring.level.remarks
    return ReadInputs(scoring, tuple(dict.fromkeys(notes)))


def level_of(settings: TranslationMetricSettings) -> TranslationLevel:
    """The level of translations that are cut into tokens in this way; QeError where there is no such way."""
    return replace(TRANSLATIONS, metrics=translation_metrics(settings), settings=settings, chosen=None)


def scoring_of(
    level: TranslationLevel,
    references: Mapping[str, TextColumn],
    systems: Mapping[str, TextColumn],
    texts: Mapping[TextRole, TextColumn] | None = None,
) -> Scoring:
    """Translations by the systems' names beside all references, all of one size."""
    size = len(next(iter(references.values())))
    corpus = Corpus("", size, texts=texts or {}, translations=systems, references=references)
    scoring = Scoring.of(level, View(corpus))
    assert scoring is not None
    return scoring


def _check_reference_shapes(references: Mapping[str, TextColumn], size: int, files: list[str]) -> None:
    """QeError where references are not texts with a line for each of the `size` segments of a translation."""
    check_reference_lines([len(column) for column in references.values()], size, files[0])
    for column, file in zip(references.values(), files, strict=True):
        check_single_reference(column, size, file)


def _references(paths: list[Path]) -> dict[str, TextColumn]:
    found: dict[str, TextColumn] = {}
    for name, path in zip(reference_names(paths), paths, strict=True):
        if name in found:
            message = tr("two references are called “{name}”", name=name)
            raise QeError(message, hint=tr("Give each of them once."), place=SourceLocation(str(path)))
        column = read_text(open_file(path))
        first = next(iter(found.values()), column)
        if len(column) != len(first):
            check_single_reference(column, len(first), str(path))
        check_text_size(column, len(first), str(path), str(paths[0]))
        found[name] = column
    return found
