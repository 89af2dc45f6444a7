"""`qe-desktop study`: studies of the behaviour of metrics, and of post-editing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.argument_parser import LazyArgumentParser, rounds, seed
from qe_desktop.cli.output import add_output, progress, save_pictures, write_report
from qe_desktop.cli.resampling_options import add_unit, document_unit_warnings
from qe_desktop.cli.studies import labellings, post_editing, sampling, thresholds
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.significance.randomization import OnRandomization
    from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve
    from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions
    from qe_desktop.studies.meta_eval.score_join import MetaEvalData


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `study` and its subcommands."""
    from qe_desktop.cli.inputs.meta_eval_options import add_meta_eval_inputs

    parser = subparsers.add_parser(
        "study", help=tr("metrics (trivial baselines, thresholds, sample sizes, human scores) and post-editing")
    )
    kinds = parser.add_subparsers(
        dest="study",
        required=True,
        metavar="meta-evaluation|labellings|post-editing|sampling|thresholds",
        parser_class=LazyArgumentParser,
    )
    about = tr("agreement of metrics with human scores: system level, pairs of systems, segments")
    humans = kinds.add_parser("meta-evaluation", help=about, description=about)
    add_meta_eval_inputs(humans)
    about_documents = tr(
        "a file with one document name per line, for --unit document and for ratings whose segments are named by "
        "document and number"
    )
    humans.add_argument("--documents", metavar="FILE", help=about_documents)
    humans.add_argument(
        "--metric", nargs="+", action="extend", metavar="M",
        help=tr("metrics (default: the usual ones for texts, and all metrics in files)"),
    )  # fmt: skip
    humans.add_argument("--seed", type=seed, default=1, metavar="N", help=tr("random seed (default: 1)"))
    humans.add_argument(
        "--rounds",
        type=rounds,
        default=1_000,
        metavar="R",
        help=tr("trials of permutation tests and bootstrap resamples (default: 1000)"),
    )
    humans.add_argument(
        "--orientation", choices=("ahead", "listed"), default="ahead",
        help=tr(
            "score differences of pairs; ahead: the system with the higher human score minus the other; listed: the "
            "system listed first minus the other (default: ahead)"
        ),
    )  # fmt: skip
    humans.add_argument(
        "--sides", choices=("two", "one"), default="two",
        help=tr("tests of two metrics: two-sided, or one-sided for the metric with the higher value (default: two)"),
    )  # fmt: skip
    humans.add_argument(
        "--segments", choices=("common", "all"), default="common",
        help=tr(
            "common: segments that have human scores and all metrics for every system; all: for each statistic, all "
            "segments that it can use (default: common)"
        ),
    )  # fmt: skip
    add_unit(humans)
    humans.add_argument(
        "--curve", nargs="+", action="extend", choices=("recall", "references"), default=[],
        help=tr(
            "recall: correlation by the recall weight of Fmean; references: correlation by the number of references, "
            "over all sets of each size, or 20 random ones if there are many"
        ),
    )  # fmt: skip
    humans.add_argument(
        "--pictures", metavar="DIR",
        help=tr(
            "write charts of each metric against human scores, curves, and the significance of metric differences"
            " to this folder, as SVG"
        ),
    )  # fmt: skip
    add_output(humans)
    humans.set_defaults(run=_humans)
    labellings.add_parser(kinds)
    post_editing.add_parser(kinds)
    sampling.add_parser(kinds)
    thresholds.add_parser(kinds)


def _humans(args: argparse.Namespace) -> int:
    from qe_desktop.cli.inputs.meta_eval_options import meta_eval_files
    from qe_desktop.report.meta_evaluation import MetaEvaluationReport
    from qe_desktop.studies.meta_eval.file_inputs import read_meta_eval_inputs
    from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
    from qe_desktop.studies.meta_eval.score_data import MetaEvalOptions

    args.language_pair = "".join(args.language_pair[:1])
    data = read_meta_eval_inputs(meta_eval_files(args))
    options = MetaEvalOptions(
        args.seed, args.rounds, args.rounds, args.orientation, args.sides, args.segments, args.unit
    )
    with progress(tr("{n} {n:system|systems}", "", len(data.systems))) as watch:
        study = meta_evaluate(data.systems, data.metrics, data.people, options, watch)
        curves = _curves(args.curve, data, study.studied, options, watch)
    if args.pictures:
        from qe_desktop.report.meta_evaluation_charts import meta_evaluation_charts

        save_pictures(Path(args.pictures), meta_evaluation_charts(study, curves))
    remarks = (*data.notes, *document_unit_warnings([study.studied], args))
    write_report(args, MetaEvaluationReport(study, remarks, data.signature, curves))
    return 0


def _curves(
    wanted: Sequence[str],
    data: MetaEvalData,
    people: HumanSystemScores,
    options: MetaEvalOptions,
    watch: OnRandomization | None,
) -> tuple[CorrelationCurve, ...]:
    """Return the requested curves, recall first; empty if none is requested. Raises QeError if texts are missing."""
    if not wanted:
        return ()
    from qe_desktop.studies.meta_eval.agreement_curves import recall_curve, reference_curves

    texts = data.texts
    if texts is None:
        hint = tr("Specify --reference and --system.")
        raise QeError(
            tr("curves need metrics of texts, but there are no texts"), hint=hint, place=SourceLocation("--curve")
        )
    found: list[CorrelationCurve] = []
    if "recall" in wanted:
        found.append(recall_curve(texts, people, options, watch))
    if "references" in wanted:
        found += reference_curves(texts, data.of_texts, people, options, watch)
    return tuple(found)
