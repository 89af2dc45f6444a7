"""What a study of metrics and people is made of: files of both, read and matched by the names of systems."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qe_desktop.corpus import NamesMatched, Place, QeError
from qe_desktop.formats.sentences import few
from qe_desktop.formats.standard_input import named_path
from qe_desktop.levels.matches import Matches, matching
from qe_desktop.levels.people.inputs import add_campaign
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.beside import usually_lower
from qe_desktop.levels.translations.brought import MetricScores, read_metric_scores, refuse_unknown
from qe_desktop.levels.translations.inputs import add_scores, add_texts, read, settings_of
from qe_desktop.metrics import Metric, metrics_named
from qe_desktop.metrics.brought import Brought, brought_rows
from qe_desktop.significance.randomisation import FamilyRows
from qe_desktop.studies.beside_people import Metrics, People
from qe_desktop.studies.curves import StudiedTexts
from qe_desktop.studies.humans import LEAST
from qe_desktop.studies.people_files import PeopleScores, read_people
from qe_desktop.wording import tr

PEOPLE = "human"
"""What people's scores are called among those of which less may be better."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The systems that people and all metrics scored, in the order of people's file, and remarks.

    `texts` are theirs, where there are any, and `of_texts` the names of the metrics of these.
    """

    systems: tuple[str, ...]
    metrics: Metrics
    people: People
    notes: tuple[str, ...]
    signature: Mapping[str, str]
    texts: StudiedTexts | None = None
    of_texts: tuple[str, ...] = ()


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
    texts = _texts(args)
    if texts is None and not given:
        hint = tr("Give --scores METRIC=FILE, or --reference and --system.")
        raise QeError(tr("there is no metric to set beside people"), hint=hint)
    scoring, notes = (None, ()) if texts is None else texts
    size = _size(scoring, given)
    path = named_path(args.human[0])
    found = read_people(args, size)
    people, brought = _matched(args, replace(found, segments=None) if args.systems_only else found, given, scoring)
    _refuse_other_size(people, size, path)
    lower = [note for name, one in given.items() for note in usually_lower(name, one)]
    sources = {**({} if scoring is None else {args.system[0]: scoring.names}), **_names(brought)}
    systems, left = _common(people, sources, args.without, path)
    chosen = _chosen(args.metric, scoring, brought)
    metrics = Metrics(
        (*_families(scoring, systems, chosen), *_brought(brought, systems, chosen)), _alone(brought, systems, chosen)
    )
    return Asked(
        systems, metrics, _people(people, systems, -1 if PEOPLE in args.lower else 1),
        tuple(dict.fromkeys([*notes, *people.notes, *left, *lower])),
        {} if scoring is None else scoring.level.signature(scoring),
        None if scoring is None else StudiedTexts(_of(scoring, systems), settings_of(args)),
        () if scoring is None else tuple(one.name for one in chosen if one is scoring.level.metrics.get(one.name)),
    )  # fmt: skip


def _texts(args: argparse.Namespace) -> tuple[Scoring, tuple[str, ...]] | None:
    if not args.reference and not args.system:
        return None
    if not args.reference or not args.system:
        message = tr("metrics of texts take both references and systems")
        raise QeError(message, hint=tr("Give --reference and --system, or neither."))
    found = read(args)
    return found.scoring, found.notes


def _size(scoring: Scoring | None, brought: Mapping[str, MetricScores]) -> int | None:
    """How many segments metrics scored; None where none of them says."""
    sizes = {} if scoring is None else {tr("the reference"): scoring.view.corpus.size}
    for scores in brought.values():
        if scores.size > 1:
            other, size = next(iter(sizes.items()), ("", scores.size))
            if scores.size != size:
                message = tr(
                    "{n:,} scores for each system, but {like} has {size:,}", "", scores.size, like=other, size=size
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
    return _renamed(people, matches.among(people.systems, Place(str(named_path(args.human[0]))))), brought


def _renamed(people: PeopleScores, matched: NamesMatched) -> PeopleScores:
    systems = matched.renamed(people.systems)
    if people.segments is None:
        return replace(people, systems=systems)
    return replace(people, systems=systems, segments=matched.renamed(people.segments))


def _refuse_other_size(people: PeopleScores, size: int | None, path: Path) -> None:
    if people.segments is None or size is None:
        return
    rated = len(next(iter(people.segments.values())))
    if rated != size:
        message = tr("{n:,} scores for each system, but metrics have {size:,}", "", rated, size=size)
        hint = tr("All must score the same segments in the same order.")
        raise QeError(message, hint=hint, place=Place(str(path)))


def _names(brought: Mapping[str, MetricScores]) -> dict[str, tuple[str, ...]]:
    return {scores.path.name: tuple(scores.systems) for scores in brought.values()}


def _common(
    people: PeopleScores, sources: Mapping[str, Sequence[str]], without: Sequence[str], path: Path
) -> tuple[tuple[str, ...], list[str]]:
    """The systems that all scored, and which were left out for whose lack; QeError where fewer than three remain."""
    known = dict.fromkeys([*people.systems, *(name for names in sources.values() for name in names)])
    for name in without:
        if name not in known:
            hint = tr("There are {names}.", names=few(list(known), joined=True))
            raise QeError(tr("there is no system “{name}”", name=name), hint=hint)
    scored = [name for name in people.systems if all(name in names for names in sources.values())]
    kept = [name for name in scored if name not in without]
    notes = []
    for file, names in {path.name: tuple(people.systems), **sources}.items():
        lacking = [name for name in known if name not in without and name not in names]
        if lacking:
            notes.append(tr("left out, for {file} has no score of them: {systems}", file=file, systems=few(lacking)))
    if len(kept) < LEAST:
        others = [name for name in known if name not in people.systems]
        message = tr("people and metrics have {n} {n:system|systems} in common", "", len(kept))
        hint = tr(
            "A correlation needs {least} at the least. People scored {people}; metrics {metrics}. Names that differ "
            "are matched with {match}.",
            least=LEAST, people=few(list(people.systems)), metrics=few(others),
            match=matching([name for name in people.systems if name not in scored], others) or "--match NAME=SYSTEM",
        )  # fmt: skip
        raise QeError(message, hint=hint, place=Place(str(path)))
    return tuple(kept), notes


def _chosen(wanted: Sequence[str] | None, scoring: Scoring | None, brought: Mapping[str, MetricScores]) -> list[Metric]:
    """The metrics that were named, or the usual ones of texts and all of files."""
    of_texts = {} if scoring is None else dict(scoring.level.metrics)
    usual = [] if scoring is None else [name for name in scoring.level.tested if name not in brought]
    known = {**of_texts, **{name: scores.metric for name, scores in brought.items()}}
    return metrics_named(wanted or [*usual, *brought], known, tr("translations"))


def _families(scoring: Scoring | None, systems: Sequence[str], chosen: Sequence[Metric]) -> list[FamilyRows]:
    metrics = [] if scoring is None else [one for one in chosen if one is scoring.level.metrics.get(one.name)]
    if scoring is None or not metrics:
        return []
    return _of(scoring, systems).family_rows(metrics)


def _of(scoring: Scoring, systems: Sequence[str]) -> Scoring:
    """The same of some systems, in their order."""
    keys = {key.name: key for key in scoring.subjects}
    return replace(scoring, subjects=tuple(keys[name] for name in systems))


def _brought(brought: Mapping[str, MetricScores], systems: Sequence[str], chosen: Sequence[Metric]) -> list[FamilyRows]:
    return [
        FamilyRows(np.stack([brought_rows(Brought(scores.systems[name])) for name in systems]), (scores.metric,))
        for scores in brought.values()
        if scores.size > 1 and scores.metric in chosen
    ]


def _alone(
    brought: Mapping[str, MetricScores], systems: Sequence[str], chosen: Sequence[Metric]
) -> tuple[tuple[Metric, np.ndarray], ...]:
    return tuple(
        (scores.metric, np.asarray([scores.systems[name][0] for name in systems]))
        for scores in brought.values()
        if scores.size == 1 and scores.metric in chosen
    )


def _people(people: PeopleScores, systems: Sequence[str], better: int) -> People:
    totals = better * np.asarray([people.systems[name] for name in systems])
    if people.segments is None:
        return People(totals)
    return People(totals, better * np.stack([people.segments[name] for name in systems]))
