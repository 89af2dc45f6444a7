"""The references and the translations that a command names, read and checked against each other."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from qe_desktop.corpus import Corpus, Place, QeError, TextColumn, TextRole, View
from qe_desktop.formats.names import reference_names
from qe_desktop.formats.opening import open_file
from qe_desktop.formats.reference_shapes import refuse_shape
from qe_desktop.formats.standard_input import named_path
from qe_desktop.formats.texts import TEXT, read_text
from qe_desktop.levels.files import add_language_pair, holds_one_of, named_files, refuse_second
from qe_desktop.levels.group import Read
from qe_desktop.levels.matches import add_match
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.checks import refuse_other_size, refuse_transposed, remarks
from qe_desktop.levels.translations.level import TRANSLATIONS, TranslationLevel
from qe_desktop.levels.translations.tokenization_options import add_tokenization, tokenization_of
from qe_desktop.metrics.translations import Settings, translation_metrics
from qe_desktop.wording import tr

holds_text = partial(holds_one_of, (TEXT.name,))
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


def read(args: argparse.Namespace) -> Read:
    """Read what the options name; a QeError names the file and line that do not fit."""
    references = _references([named_path(one) for one in args.reference])
    chosen = tokenization_of(args)
    level = TRANSLATIONS.tokenized(
        replace(chosen, lowercase=args.lowercase, stemmer=args.stem or None, references=len(references))
    )
    first = next(iter(references.values()))
    files, notes = named_files(args.system, holds_text, tr("text"))
    systems: dict[str, TextColumn] = {}
    origins: dict[str, Path] = {}
    for file in files:
        refuse_second(file.name, file.path, origins)
        systems[file.name] = column = read_text(open_file(file.path))
        _refuse_shapes(references, len(column), args.reference)
        refuse_other_size(column, len(first), str(file.path), args.reference[0])
    texts = {}
    if args.source:
        path = named_path(args.source)
        source = texts[TextRole.SOURCE] = read_text(open_file(path))
        refuse_other_size(source, len(first), str(path), args.reference[0])
    if not len(first):
        raise QeError(tr("there is no segment"), hint=tr("Give one at least."), place=Place(args.reference[0]))
    notes += remarks(references, systems)
    scoring = scoring_of(level, references, systems, texts)
    notes += scoring.level.remarks
    return Read(scoring, tuple(dict.fromkeys(notes)))


def level_of(settings: Settings) -> TranslationLevel:
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


def _refuse_shapes(references: Mapping[str, TextColumn], size: int, files: list[str]) -> None:
    """QeError where references are not texts with a line for each of the `size` segments of a translation."""
    refuse_transposed([len(column) for column in references.values()], size, files[0])
    for column, file in zip(references.values(), files, strict=True):
        refuse_shape(column, size, file)


def _references(paths: list[Path]) -> dict[str, TextColumn]:
    found: dict[str, TextColumn] = {}
    for name, path in zip(reference_names(paths), paths, strict=True):
        if name in found:
            message = tr("two references are called “{name}”", name=name)
            raise QeError(message, hint=tr("Give each of them once."), place=Place(str(path)))
        column = read_text(open_file(path))
        first = next(iter(found.values()), column)
        if len(column) != len(first):
            refuse_shape(column, len(first), str(path))
        refuse_other_size(column, len(first), str(path), str(paths[0]))
        found[name] = column
    return found
