"""`qe-desktop study`: how metrics behave."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli import study_labellings, study_post_editing, study_sampling, study_thresholds
from qe_desktop.cli.numbers import rounds, seed
from qe_desktop.cli.output import add_output, emit, progress, save_pictures
from qe_desktop.cli.parsing import Parser
from qe_desktop.cli.projects import read_projects
from qe_desktop.corpus import Place, QeError
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.significance.randomisation import Watch
    from qe_desktop.studies.beside_people import Options, People
    from qe_desktop.studies.curves import Curve
    from qe_desktop.studies.set_beside import Asked


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `study` and what can be studied."""
    from qe_desktop.studies.human_inputs import add_inputs

    parser = subparsers.add_parser(
        "study", help=tr("how metrics behave, beside labellings, thresholds and human scores")
    )
    kinds = parser.add_subparsers(
        dest="study", required=True, metavar="humans|labellings|post-editing|sampling|thresholds", parser_class=Parser
    )
    about = tr("whether metrics agree with people, on systems, pairs of them and segments")
    humans = kinds.add_parser("humans", help=about, description=about)
    add_inputs(humans)
    about_documents = tr("one document name a line, for ratings whose segments are called by document and number")
    humans.add_argument("--documents", metavar="FILE", help=about_documents)
    humans.add_argument(
        "--metric", nargs="+", action="extend", metavar="M",
        help=tr("metrics; those that are usual for texts and all of files when not given"),
    )  # fmt: skip
    humans.add_argument("--seed", type=seed, default=1, metavar="N", help="(1)")
    humans.add_argument("--rounds", type=rounds, default=1_000, metavar="R", help=tr("permutations and draws (1000)"))
    humans.add_argument(
        "--orientation", choices=("ahead", "listed"), default="ahead",
        help=tr("differences of pairs: the one that people put ahead less the other, or as systems are listed (ahead)"),
    )  # fmt: skip
    humans.add_argument(
        "--sides", choices=("two", "one"), default="two",
        help=tr("tests of two metrics: two-sided, or one-sided for the metric with the higher figure (two)"),
    )  # fmt: skip
    humans.add_argument(
        "--segments", choices=("common", "all"), default="common",
        help=tr(
            "segments: common to people and all metrics, of every system, or for each figure all that it can use "
            "(common)"
        ),
    )  # fmt: skip
    humans.add_argument(
        "--curve", nargs="+", action="extend", choices=("recall", "references"), default=[],
        help=tr(
            "how the correlation changes with the weight of recall in Fmean, and with the number of references: by "
            "each set of a size, or of many 20 that are drawn"
        ),
    )  # fmt: skip
    humans.add_argument(
        "--pictures", metavar="DIR",
        help=tr("write each metric beside people, curves, and which metric is better there, as SVG"),
    )  # fmt: skip
    add_output(humans)
    humans.set_defaults(run=_humans)
    study_labellings.add_parser(kinds)
    study_post_editing.add_parser(kinds)
    study_sampling.add_parser(kinds)
    study_thresholds.add_parser(kinds)


def _humans(args: argparse.Namespace) -> int:
    from qe_desktop.report.humans import HumansReport
    from qe_desktop.studies.beside_people import Options
    from qe_desktop.studies.human_inputs import read_asked
    from qe_desktop.studies.humans import study_humans

    args.language_pair = "".join(args.language_pair[:1])
    read_projects(args, by_letters=False)
    asked = read_asked(args)
    options = Options(args.seed, args.rounds, args.rounds, args.orientation, args.sides, args.segments)
    with progress(tr("{n} {n:system|systems}", "", len(asked.systems))) as watch:
        study = study_humans(asked.systems, asked.metrics, asked.people, options, watch)
        curves = _curves(args.curve, asked, study.studied, options, watch)
    if args.pictures:
        from qe_desktop.report.human_pictures import human_pictures

        save_pictures(Path(args.pictures), human_pictures(study, curves))
    emit(args, HumansReport(study, asked.notes, asked.signature, curves))
    return 0


def _curves(
    wanted: Sequence[str], asked: Asked, people: People, options: Options, watch: Watch | None
) -> tuple[Curve, ...]:
    """The curves that are asked for, that of recall first."""
    if not wanted:
        return ()
    from qe_desktop.studies.curves import recall_curve, reference_curves

    texts = asked.texts
    if texts is None:
        hint = tr("Give --reference and --system.")
        raise QeError(tr("curves are of metrics of texts, and there are none"), hint=hint, place=Place("--curve"))
    found: list[Curve] = []
    if "recall" in wanted:
        found.append(recall_curve(texts, people, options, watch))
    if "references" in wanted:
        found += reference_curves(texts, asked.of_texts, people, options, watch)
    return tuple(found)
