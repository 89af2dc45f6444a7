"""The files of people's and of metrics' scores that a command names, read and set beside each other."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.standard_input import named_path
from qe_desktop.levels.matches import Matches
from qe_desktop.levels.people.inputs import add_campaign
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.beside import orientation_notes
from qe_desktop.levels.translations.brought import MetricScores, read_metric_scores, refuse_unknown
from qe_desktop.levels.translations.inputs import add_scores, add_texts, read
from qe_desktop.levels.translations.level import settings_of
from qe_desktop.studies.people_files import PeopleScores, read_people
from qe_desktop.studies.set_beside import Asked, Texts, Wanted, set_beside
from qe_desktop.wording import tr

PEOPLE = "human"
"""What people's scores are called among those of which less may be better."""


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """The options that say whose scores are set beside whose."""
    parser.add_argument(
        "--human", required=True, nargs="+", action="extend", metavar="FILE",
        help=tr(
            "what people gave: ratings, of which several files are joined, or a project; a table with a score for each "
            "system, or system⇥score lines"
        ),
    )  # fmt: skip
    add_campaign(parser)
    parser.add_argument("--human-name", metavar="NAME", default="", help=tr("the column of a table that people gave"))
    add_scores(parser)
    add_texts(parser, required=False)
    parser.add_argument(
        "--without", nargs="+", action="extend", metavar="SYSTEM", default=[], help=tr("systems to leave out")
    )
    parser.add_argument(
        "--systems-only", action="store_true",
        help=tr("compare systems alone, where segments of the ratings are not the lines of the texts"),
    )  # fmt: skip


def read_asked(args: argparse.Namespace) -> Asked:
    """Read what the options name; a QeError names the file that does not fit."""
    given = read_metric_scores(args.scores, args.lower)
    refuse_unknown(args.lower, [*given, PEOPLE])
    texts, notes = _texts(args)
    if texts is None and not given:
        hint = tr("Give --scores METRIC=FILE, or --reference and --system.")
        raise QeError(tr("there is no metric to set beside people"), hint=hint)
    scoring = None if texts is None else texts.scoring
    size = _size(scoring, given)
    path = named_path(args.human[0])
    found = read_people(args, size)
    people, brought = _matched(args, replace(found, segments=None) if args.systems_only else found, given, scoring)
    _refuse_other_size(people, size, path)
    wanted = Wanted(tuple(args.metric or ()), tuple(args.without), PEOPLE in args.lower, path.name, Place(str(path)))
    asked = set_beside(people, texts, brought, wanted)
    turned = [note for name, scores in brought.items() for note in orientation_notes(name, scores)]
    return replace(asked, notes=tuple(dict.fromkeys([*notes, *asked.notes, *turned])))


def _texts(args: argparse.Namespace) -> tuple[Texts | None, tuple[str, ...]]:
    if not args.reference and not args.system:
        return None, ()
    if not args.reference or not args.system:
        message = tr("metrics of texts take both references and systems")
        raise QeError(message, hint=tr("Give --reference and --system, or neither."))
    found = read(args)
    settings = replace(settings_of(found.scoring.level), references=0)
    return Texts(found.scoring, settings, args.system[0]), found.notes


def _size(scoring: Scoring | None, brought: Mapping[str, MetricScores]) -> int | None:
    """How many segments metrics scored; None where none of them says."""
    sizes = {} if scoring is None else {tr("the reference"): scoring.view.corpus.size}
    for scores in brought.values():
        if scores.size > 1:
            other, size = next(iter(sizes.items()), ("", scores.size))
            if scores.size != size:
                message = tr(
                    "{n:,} {n:score|scores} for each system, but {like} has {size:,}",
                    "",
                    scores.size,
                    like=other,
                    size=size,
                )
                hint = tr("All must score the same segments in the same order.")
                raise QeError(message, hint=hint, place=Place(str(scores.path)))
            sizes[scores.path.name] = scores.size
    return next(iter(sizes.values()), None)


def _matched(
    args: argparse.Namespace, people: PeopleScores, given: Mapping[str, MetricScores], scoring: Scoring | None
) -> tuple[PeopleScores, dict[str, MetricScores]]:
    """What people and metrics gave, by the names that the options match; QeError for names that nobody has."""
    matches = Matches.of(args.match)
    scored = [*people.systems, *(name for one in given.values() for name in one.systems)]
    matches.refuse_unknown(scored, [*(() if scoring is None else scoring.names), *scored])
    brought = {
        name: replace(one, systems=matches.among(one.systems, Place(str(one.path))).renamed(one.systems))
        for name, one in given.items()
    }
    return people.called(matches.among(people.systems, Place(str(named_path(args.human[0]))))), brought


def _refuse_other_size(people: PeopleScores, size: int | None, path: Path) -> None:
    if people.segments is None or size is None:
        return
    rated = len(next(iter(people.segments.values())))
    if rated != size:
        message = tr("{n:,} {n:score|scores} for each system, but metrics have {size:,}", "", rated, size=size)
        hint = tr("All must score the same segments in the same order.")
        raise QeError(message, hint=hint, place=Place(str(path)))
