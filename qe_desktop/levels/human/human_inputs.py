"""The ratings that a command names, as a corpus of the segments that were rated."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Corpus, Place, QeError, Ratings, ScoreRatings, View
from qe_desktop.corpus.campaigns import refuse_mixed
from qe_desktop.formats.options import add_unblind
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.formats.standard_input import named_path
from qe_desktop.levels.files import add_language_pair
from qe_desktop.levels.group import Read
from qe_desktop.levels.people.level import level_of
from qe_desktop.levels.people.numbering import line_numbers
from qe_desktop.levels.people.rated import gives_scores, rated_in, without_lines
from qe_desktop.levels.scoring import Scoring
from qe_desktop.ratings.merging import merged
from qe_desktop.wording import tr

SPARSE = 100
"""Numbers of segments that lie farther apart than so many times their count are names, and no lines of a file."""


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The options that say which ratings are scored."""
    parser.add_argument(
        "--human", required=True, nargs="+", action="extend", metavar="FILE",
        help=tr("ratings, in any form that `ratings report` reads, or a project; several are joined"),
    )  # fmt: skip
    add_campaign(parser)
    add_language_pair(parser)


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """The option that chooses among the campaigns of a project."""
    parser.add_argument("--campaign", metavar="NAME", default="", help=tr("the campaign to take from a project"))
    add_unblind(parser)


def read(args: argparse.Namespace) -> Read:
    """Read what the options name; a QeError names the file that holds no ratings on a scale.

    `args.projects` are the ratings of projects among the files, which stand above this floor, by their names.
    """
    ratings = joined(args.human, getattr(args, "language_pair", ""), getattr(args, "projects", {}))
    if not gives_scores(ratings):
        raise no_scores(args.human[0])
    corpus = _corpus(ratings, getattr(args, "documents", None))
    scoring = Scoring.of(level_of(corpus), View(corpus))
    assert scoring is not None
    found = rated_in(corpus)
    return Read(scoring, (*ratings.notes, *([found.without] if found is not None and found.without else [])))


def _corpus(ratings: Ratings, documents: str | None) -> Corpus:
    """The segments that were rated; where a file names the document of each line, these lines."""
    if documents is not None:
        from qe_desktop.formats.opening import open_file
        from qe_desktop.formats.texts import read_documents

        named = read_documents(open_file(named_path(documents)))
        corpus = Corpus("", len(named.of_segment), ratings=ratings, documents=named)
        if rated_in(corpus) is not None:
            return corpus
        if line_numbers(ratings.scores.segments, ratings.scores.segment) is None:
            hint = tr("Give the document of each line, as the ratings call them.")
            raise QeError(without_lines(corpus), hint=hint, place=Place(documents))
    scores, size = numbered(ratings.scores)
    return Corpus("", size, ratings=replace(ratings, scores=scores))


def joined(files: Sequence[str], language_pair: str, projects: Mapping[str, Ratings]) -> Ratings:
    """The ratings of several files and projects, each once."""
    parts = [projects[name] if name in projects else read_ratings(named_path(name), language_pair) for name in files]
    refuse_mixed(parts)
    return merged(parts).ratings


def no_scores(file: str) -> QeError:
    """That ratings are of no scale."""
    message = tr("these ratings compare translations and give none a score")
    return QeError(message, hint=tr("Give ratings on a scale."), place=Place(file))


def numbered(scores: ScoreRatings) -> tuple[ScoreRatings, int]:
    """The ratings with their segments numbered from 1, and how many there are.

    Segments that are called by numbers keep them; others are numbered as they come.
    """
    used = np.unique(scores.segment)
    lines = line_numbers(scores.segments, used)
    if lines is None or lines[0][used].max() > SPARSE * len(used):
        places = np.zeros(len(scores.segments), np.int64)
        places[used] = np.arange(len(used))
    else:
        places = lines[0]
    names = tuple(str(place + 1) for place in places.tolist())
    return replace(scores, segments=names), int(places[used].max()) + 1
