"""The gold scores and the systems that a command names, read and checked against each other."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, View
from qe_desktop.formats import SCORE_FORMATS, name_of, read_scores
from qe_desktop.levels.files import add_language_pair, holds_one_of, named_files, refuse_second
from qe_desktop.levels.group import Read
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.sentences.level import SENTENCES
from qe_desktop.wording import side_by_side, tr


holds_scores = partial(holds_one_of, SCORE_FORMATS)
"""Whether a file is to be read as scores."""


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The options that say what is scored."""
    parser.add_argument("--gold", required=True, metavar="FILE", help=tr("gold scores, one number a segment"))
    parser.add_argument(
        "--system", required=True, nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's scores, one a line or a submission; a directory stands for its files; may be repeated"),
    )  # fmt: skip
    add_language_pair(parser)


def read(args: argparse.Namespace) -> Read:
    """Read what the options name; a QeError names the file and line that do not fit."""
    gold = read_scores(Path(args.gold), language_pair=args.language_pair)
    files, remarks = named_files(args.system, holds_scores, tr("scores of segments"))
    reference = LayerKey(Provenance.GOLD, name_of(Path(args.gold)), Kind.SCORES)
    layers, notes = {reference: Layer(reference, gold.scores)}, [*gold.notes, *remarks]
    origins: dict[str, Path] = {}
    for file in files:
        refuse_second(file.name, file.path, origins)
    for name, path in origins.items():
        found = read_scores(path, language_pair=args.language_pair, size=len(gold.scores))
        key = LayerKey(Provenance.SYSTEM, name, Kind.SCORES)
        layers[key] = Layer(key, found.scores)
        notes += [side_by_side(": ", (name, note)) for note in found.notes]
    view = View(Corpus("", len(gold.scores), layers=layers))
    subjects = tuple(key for key in layers if key != reference)
    return Read(Scoring(view, reference, subjects, SENTENCES), tuple(dict.fromkeys(notes)))
