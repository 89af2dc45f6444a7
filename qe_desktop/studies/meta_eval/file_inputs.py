"""Human and metric score files named by a command, read and joined."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.io.text_files import named_path
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_inputs import add_campaign
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.system_matching import SystemMatches
from qe_desktop.levels.translations.external_metrics import (
    ExternalMetricScores,
    check_known_metrics,
    orientation_notes,
    read_metric_scores,
)
from qe_desktop.levels.translations.translation_inputs import add_scores, add_texts, read
from qe_desktop.levels.translations.translation_level import settings_of
from qe_desktop.studies.meta_eval.human_score_files import HumanFileScores, read_human_files
from qe_desktop.studies.meta_eval.score_join import MetaEvalData, MetaEvalSelection, MetaEvalTexts, join_scores

HUMAN_LEVEL_NAME = "human"
"""Name of human scores in the list of scores for which lower is better."""


def add_meta_eval_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for human and metric scores."""
    parser.add_argument(
        "--human", required=True, nargs="+", action="extend", metavar="FILE",
        help=tr(
            "human scores: ratings (several files are joined) or a project; a table with a score for "
            "each system, or system⇥score lines"
        ),
    )  # fmt: skip
    add_campaign(parser)
    parser.add_argument("--human-name", metavar="NAME", default="", help=tr("column of the human scores in a table"))
    add_scores(parser)
    add_texts(parser, required=False)
    parser.add_argument(
        "--without", nargs="+", action="extend", metavar="SYSTEM", default=[], help=tr("systems to leave out")
    )
    parser.add_argument(
        "--systems-only", action="store_true",
        help=tr("compare systems only, if the segments of the ratings do not match the lines of the texts"),
    )  # fmt: skip


def read_meta_eval_inputs(args: argparse.Namespace) -> MetaEvalData:
    """Read the files of the options. Raises QeError with the file that does not match."""
    given = read_metric_scores(args.scores, args.lower)
    check_known_metrics(args.lower, [*given, HUMAN_LEVEL_NAME])
    texts, notes = _texts(args)
    if texts is None and not given:
        hint = tr("Use --scores METRIC=FILE, or --reference and --system.")
        raise QeError(tr("no metric scores to evaluate"), hint=hint)
    scoring = None if texts is None else texts.scoring
    size = _size(scoring, given)
    path = named_path(args.human[0])
    result = read_human_files(args, size)
    people, external = _match_names(
        args, replace(result, segments=None) if args.systems_only else result, given, scoring
    )
    _check_human_size(people, size, path)
    wanted = MetaEvalSelection(
        tuple(args.metric or ()),
        tuple(args.without),
        HUMAN_LEVEL_NAME in args.lower,
        path.name,
        SourceLocation(str(path)),
    )
    asked = join_scores(people, texts, external, wanted)
    turned = [note for name, scores in external.items() for note in orientation_notes(name, scores)]
    return replace(asked, notes=tuple(dict.fromkeys([*notes, *asked.notes, *turned])))


def _texts(args: argparse.Namespace) -> tuple[MetaEvalTexts | None, tuple[str, ...]]:
    if not args.reference and not args.system:
        return None, ()
    if not args.reference or not args.system:
        message = tr("text metrics need both references and systems")
        raise QeError(message, hint=tr("Use both --reference and --system, or neither."))
    result = read(args)
    settings = replace(settings_of(result.scoring.level), references=0)
    return MetaEvalTexts(result.scoring, settings, args.system[0]), result.notes


def _size(scoring: Scoring | None, external: Mapping[str, ExternalMetricScores]) -> int | None:
    """Number of segments scored by metrics; None if unknown."""
    sizes = {} if scoring is None else {tr("the reference"): scoring.view.corpus.size}
    for scores in external.values():
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
                raise QeError(message, hint=hint, place=SourceLocation(str(scores.path)))
            sizes[scores.path.name] = scores.size
    return next(iter(sizes.values()), None)


def _match_names(
    args: argparse.Namespace,
    people: HumanFileScores,
    given: Mapping[str, ExternalMetricScores],
    scoring: Scoring | None,
) -> tuple[HumanFileScores, dict[str, ExternalMetricScores]]:
    """Rename systems by the options. Raises QeError for unknown names."""
    matches = SystemMatches.of(args.match)
    scored = [*people.systems, *(name for scores in given.values() for name in scores.systems)]
    matches.refuse_unknown(scored, [*(() if scoring is None else scoring.names), *scored])
    external = {
        name: replace(
            scores, systems=matches.among(scores.systems, SourceLocation(str(scores.path))).renamed(scores.systems)
        )
        for name, scores in given.items()
    }
    return people.called(matches.among(people.systems, SourceLocation(str(named_path(args.human[0]))))), external


def _check_human_size(people: HumanFileScores, size: int | None, path: Path) -> None:
    if people.segments is None or size is None:
        return
    rated = len(next(iter(people.segments.values())))
    if rated != size:
        message = tr("{n:,} {n:score|scores} for each system, but metrics have {size:,}", "", rated, size=size)
        hint = tr("All must score the same segments in the same order.")
        raise QeError(message, hint=hint, place=SourceLocation(str(path)))
