"""`qe-desktop study meta-evaluation`: agreement of metrics with human scores."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.command_options import LazyArgumentParser, parse_rounds, parse_seed
from qe_desktop.cli.output import add_output, progress, save_pictures, write_report
from qe_desktop.cli.scoring_commands import single_language_pair
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.significance.randomization import OnRounds
    from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve
    from qe_desktop.studies.meta_eval.meta_eval_inputs import MetaEvalFiles
    from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions
    from qe_desktop.studies.meta_eval.score_join import MetaEvalData


def add_parser(kinds: argparse._SubParsersAction[LazyArgumentParser]) -> None:
    """Add `meta-evaluation` to the studies."""
    description = tr("measure the agreement of metrics with human scores, for systems, segments and pairs of systems")
    kinds.add_parser("meta-evaluation", help=description, description=description).fill = _add_options


def _add_options(parser: LazyArgumentParser) -> None:
    _add_inputs(parser)
    _add_tests(parser)
    parser.add_argument(
        "--curve", nargs="+", action="extend", choices=("recall", "references"), default=[],
        help=tr(
            "curves to compute; recall: correlation as a function of the recall weight of Fmean; references: mean "
            "correlation for each number of references, over all sets of this size or 20 random ones"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--pictures", metavar="DIR",
        help=tr(
            "write charts to this folder as SVG: each metric against human scores, curves, and the significance of "
            "metric differences"
        ),
    )  # fmt: skip
    add_output(parser)
    parser.set_defaults(run=run)


def _add_inputs(parser: LazyArgumentParser) -> None:
    """Add the options for human scores, texts and metrics."""
    from qe_desktop.cli.command_options import add_metrics
    from qe_desktop.cli.level_inputs import add_scores, add_texts
    from qe_desktop.cli.rating_inputs import add_campaign

    parser.add_argument(
        "--human", required=True, nargs="+", action="extend", metavar="FILE",
        help=tr(
            "human scores: ratings (several files are combined), a project, a table with a score for each "
            "system, or system⇥score lines"
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
        help=tr(
            "compare only systems, not segments; needed if the segments of the ratings do not match the lines of the "
            "texts"
        ),
    )  # fmt: skip
    documents_help = tr(
        "a file with one document name per line, for --unit document and for ratings whose segments are named by "
        "document and number"
    )
    parser.add_argument("--documents", metavar="FILE", help=documents_help)
    add_metrics(parser, tr("metrics (default: BLEU, chrF and TER for texts, and all metrics in files)"))


def _add_tests(parser: LazyArgumentParser) -> None:
    """Add the options for tests and statistics."""
    from qe_desktop.cli.scoring_commands import add_correction, add_unit

    parser.add_argument("--seed", type=parse_seed, default=1, metavar="N", help=tr("random seed (default: 1)"))
    parser.add_argument(
        "--rounds",
        "--trials",
        type=parse_rounds,
        default=1_000,
        metavar="R",
        help=tr("number of permutation trials and of bootstrap resamples (default: 1000)"),
    )
    parser.add_argument(
        "--orientation", choices=("ahead", "listed"), default="ahead",
        help=tr(
            "order of the two systems in a score difference; ahead: the system with the higher human score comes "
            "first; listed: the order of the input (default: ahead)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--sides", choices=("two", "one"), default="two",
        help=tr(
            "tests of two metrics: two-sided, or one-sided in favour of the metric with the higher agreement "
            "(default: two)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--segments", choices=("common", "all"), default="common",
        help=tr(
            "common: only segments for which every system has human scores and scores by all metrics; all: for each "
            "statistic, all segments that it can use (default: common)"
        ),
    )  # fmt: skip
    add_unit(parser)
    add_correction(
        parser,
        tr("correction of the p-values of differences between metrics, separately for each statistic (default: none)"),
        default="none",
    )


def _files(args: argparse.Namespace) -> MetaEvalFiles:
    """Return the files that the options specify, with the settings for reading the files."""
    from qe_desktop.cli.level_inputs import translation_files
    from qe_desktop.cli.rating_inputs import rating_files
    from qe_desktop.studies.meta_eval.meta_eval_inputs import MetaEvalFiles

    return MetaEvalFiles(
        rating_files(args, by_letters=False), args.human_name, translation_files(args), args.scores, args.lower,
        args.match, metrics=tuple(args.metric or ()), excluded_systems=tuple(args.without),
        systems_only=args.systems_only,
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Evaluate the metrics against human scores, and write the report."""
    from qe_desktop.cli.scoring_commands import document_unit_warnings
    from qe_desktop.report.meta_evaluation import MetaEvaluationReport
    from qe_desktop.studies.meta_eval.meta_eval_inputs import read_meta_eval_inputs
    from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
    from qe_desktop.studies.meta_eval.score_data import MetaEvalOptions

    args.language_pair = single_language_pair(args.language_pair)
    data = read_meta_eval_inputs(_files(args))
    options = MetaEvalOptions(
        args.seed, args.rounds, args.rounds, args.orientation, args.sides, args.segments, args.unit
    )
    with progress(tr("{n} {n:system|systems}", "", len(data.systems))) as on_progress:
        study = meta_evaluate(data.systems, data.metrics, data.human, options, on_progress)
        curves = _curves(args.curve, data, study.human, options, on_progress)
    if args.pictures:
        from qe_desktop.report.meta_evaluation_charts import meta_evaluation_charts

        pictures = meta_evaluation_charts(study, curves, args.correction, args.alpha)
        save_pictures(Path(args.pictures), pictures)
    notes = (*data.notes, *document_unit_warnings([study.human], args))
    write_report(args, MetaEvaluationReport(study, notes, data.signature, curves, args.correction, args.alpha))
    return 0


def _curves(
    requested: Sequence[str],
    data: MetaEvalData,
    human_scores: HumanSystemScores,
    options: MetaEvalOptions,
    on_progress: OnRounds | None,
) -> tuple[CorrelationCurve, ...]:
    """Return the requested curves, the recall curve first. Raises QeError if curves are requested without texts."""
    if not requested:
        return ()
    from qe_desktop.studies.meta_eval.agreement_curves import recall_curve, reference_curves

    texts = data.texts
    if texts is None:
        hint = tr("Specify --reference and --system.")
        raise QeError(
            tr("curves need texts to score, but no texts are specified"), hint=hint, place=SourceLocation("--curve")
        )
    curves: list[CorrelationCurve] = []
    if "recall" in requested:
        curves.append(recall_curve(texts, human_scores, options, on_progress))
    if "references" in requested:
        curves += reference_curves(texts, data.text_metrics, human_scores, options, on_progress)
    return tuple(curves)
