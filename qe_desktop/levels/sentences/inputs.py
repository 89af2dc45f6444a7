"""The gold scores and the systems that a command names, read and checked against each other."""

from __future__ import annotations

import argparse
from pathlib import Path

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, View
from qe_desktop.formats import SCORE_FORMATS, name_of, read_scores, recognise
from qe_desktop.formats.opening import HEAD, open_beginning
from qe_desktop.formats.standard_input import named_path
from qe_desktop.levels.files import named_files
from qe_desktop.levels.group import Read
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.sentences.level import SENTENCES
from qe_desktop.wording import side_by_side, tr


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The options that say what is scored."""
    parser.add_argument("--gold", required=True, metavar="FILE", help=tr("gold scores, one number a segment"))
    parser.add_argument(
        "--system", required=True, nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's scores, one a line or a submission; a directory stands for its files; may be repeated"),
    )  # fmt: skip
    pair = tr("the pair to take from files with several, such as en-de")
    parser.add_argument("--language-pair", metavar="LP", default="", help=pair)


def read(args: argparse.Namespace) -> Read:
    """Read what the options name; a QeError names the file and line that do not fit."""
    path = named_path(args.gold)
    gold = read_scores(path, language_pair=args.language_pair)
    files, remarks = named_files(args.system, holds_scores, tr("scores of segments"))
    reference = LayerKey(Provenance.GOLD, name_of(path), Kind.SCORES)
    layers, notes = {reference: Layer(reference, gold.scores)}, [*gold.notes, *remarks]
    for name, file in files.items():
        found = read_scores(file, language_pair=args.language_pair, size=len(gold.scores))
        key = LayerKey(Provenance.SYSTEM, name, Kind.SCORES)
        layers[key] = Layer(key, found.scores)
        notes += [side_by_side(": ", (name, note)) for note in found.notes]
    view = View(Corpus("", len(gold.scores), layers=layers))
    subjects = tuple(key for key in layers if key != reference)
    return Read(Scoring(view, reference, subjects, SENTENCES), tuple(dict.fromkeys(notes)))


def holds_scores(path: Path) -> bool:
    """Whether a file is to be read as scores: what cannot be read is, so that it is said what is wrong with it."""
    try:
        return recognise(open_beginning(path, HEAD)).name in SCORE_FORMATS
    except QeError:
        return path.is_file()
