"""`qe-desktop study`: how metrics behave."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.argument_parser import LazyArgumentParser, rounds, seed
from qe_desktop.cli.output import add_output, progress, save_pictures, write_report
from qe_desktop.cli.project_access import read_projects
from qe_desktop.cli.studies import labellings, post_editing, sampling, thresholds
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.significance.randomization import OnRandomisation
    from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve
    from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions
    from qe_desktop.studies.meta_eval.score_join import MetaEvalData


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `study` and what can be studied."""
    from qe_desktop.studies.meta_eval.file_inputs import add_meta_eval_inputs

    parser = subparsers.add_parser(
        "study", help=tr("how metrics behave, beside labellings, thresholds and human scores")
    )
    kinds = parser.add_subparsers(
        dest="study",
        required=True,
        metavar="meta-evaluation|labellings|post-editing|sampling|thresholds",
        parser_class=LazyArgumentParser,
    )
    about = tr("whether metrics agree with people, on systems, pairs of them and segments")
    humans = kinds.add_parser("meta-evaluation", help=about, description=about)
    add_meta_eval_inputs(humans)
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
    labellings.add_parser(kinds)
    post_editing.add_parser(kinds)
    sampling.add_parser(kinds)
    thresholds.add_parser(kinds)


def _humans(args: argparse.Namespace) -> int:
    from qe_desktop.report.meta_evaluation import MetaEvaluationReport
    from qe_desktop.studies.meta_eval.file_inputs import read_meta_eval_inputs
    from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
    from qe_desktop.studies.meta_eval.score_data import MetaEvalOptions

    args.language_pair = "".join(args.language_pair[:1])
    read_projects(args, by_letters=False)
    asked = read_meta_eval_inputs(args)
    options = MetaEvalOptions(args.seed, args.rounds, args.rounds, args.orientation, args.sides, args.segments)
    with progress(tr("{n} {n:system|systems}", "", len(asked.systems))) as watch:
        study = meta_evaluate(asked.systems, asked.metrics, asked.people, options, watch)
        curves = _curves(args.curve, asked, study.studied, options, watch)
    if args.pictures:
        from qe_desktop.report.meta_evaluation_charts import meta_evaluation_charts

        save_pictures(Path(args.pictures), meta_evaluation_charts(study, curves))
    write_report(args, MetaEvaluationReport(study, asked.notes, asked.signature, curves))
    return 0


def _curves(
    wanted: Sequence[str],
    asked: MetaEvalData,
    people: HumanSystemScores,
    options: MetaEvalOptions,
    watch: OnRandomisation | None,
) -> tuple[CorrelationCurve, ...]:
    """The curves that are asked for, that of recall first."""
    if not wanted:
        return ()
    from qe_desktop.studies.meta_eval.agreement_curves import recall_curve, reference_curves

    texts = asked.texts
    if texts is None:
        hint = tr("Give --reference and --system.")
        raise QeError(
            tr("curves are of metrics of texts, and there are none"), hint=hint, place=SourceLocation("--curve")
        )
    found: list[CorrelationCurve] = []
    if "recall" in wanted:
        found.append(recall_curve(texts, people, options, watch))
    if "references" in wanted:
        found += reference_curves(texts, asked.of_texts, people, options, watch)
    return tuple(found)
