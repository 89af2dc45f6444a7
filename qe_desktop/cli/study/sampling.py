"""`qe-desktop study sampling`: find the smallest difference in error rate that a metric can detect."""

from __future__ import annotations

import argparse
from pathlib import Path

from qe_desktop.cli.command_options import LazyArgumentParser, parse_percentage, parse_rounds, parse_size, parse_workers
from qe_desktop.cli.output import add_output, check_not_overwriting, progress, write_report
from qe_desktop.cli.scoring_commands import single_language_pair
from qe_desktop.i18n.messages import tr


def add_parser(kinds: argparse._SubParsersAction[LazyArgumentParser]) -> None:
    """Add `sampling` to the studies."""
    description = tr(
        "find the smallest difference in error rate that a metric can detect, by repeated sampling of systems' errors"
    )
    kinds.add_parser("sampling", help=description, description=description).fill = _add_options


def _add_options(parser: LazyArgumentParser) -> None:
    from qe_desktop.cli.command_options import add_metrics
    from qe_desktop.cli.level_inputs import add_inputs
    from qe_desktop.levels.words import GROUP

    add_inputs(GROUP, parser)
    add_metrics(parser, tr("metrics (default: the six of Logacheva et al. 2016)"))
    _add_protocol_options(parser)
    _add_unspecified_options(parser)
    _add_execution_options(parser)
    add_output(parser)
    parser.set_defaults(run=run)


def _add_protocol_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for parameters whose values are specified by Logacheva et al. (2016)."""
    from qe_desktop.cli.scoring_commands import add_correction, add_seed

    parser.add_argument(
        "--errors", nargs="+", type=parse_percentage, metavar="SHARE",
        help=tr(
            "error rates (percentages of wrong tags); all pairs are compared (default: 30 30.01 30.05 30.1 30.2, or "
            "lower rates if the systems have too few errors)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--sizes", nargs="+", type=parse_size, metavar="N",
        help=tr("numbers of data sets per error rate (default: 100 200 500 1000 2000 5000 10000)"),
    )  # fmt: skip
    parser.add_argument(
        "--repetitions",
        type=parse_rounds,
        default=1_000,
        metavar="R",
        help=tr("number of repetitions over which p-values are averaged (default: 1000)"),
    )
    add_seed(parser)
    add_correction(
        parser,
        tr(
            "correction of the p-values of all pairs, separately for each metric and number of data sets (default: "
            "bonferroni)"
        ),
    )


def _add_unspecified_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for details that Logacheva et al. (2016) do not specify."""
    parser.add_argument(
        "--overshoot", choices=("keep", "stop", "partial"), default="keep",
        help=tr(
            "how to treat the segment with which a data set exceeds its error rate; keep: include it; stop: leave it "
            "out; partial: include it only up to the error rate (default: keep)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--mixing", choices=("many", "one"), default="many",
        help=tr("systems whose errors a data set contains; many: all; one: one at random (default: many)"),
    )  # fmt: skip
    parser.add_argument("--replacement", action="store_true", help=tr("sample segments with replacement"))
    parser.add_argument(
        "--variances", choices=("equal", "unequal"), default="equal",
        help=tr("variances of the two samples of a t-test; unequal: Welch's test (default: equal)"),
    )  # fmt: skip


def _add_execution_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for execution: mode, threads, cluster and checkpoint."""
    parser.add_argument(
        "--mode", choices=("fast", "full"), default="fast",
        help=tr("fast: compute expected p-values within seconds; full: simulate all samples (default: fast)"),
    )  # fmt: skip
    executor_group = parser.add_mutually_exclusive_group()
    executor_group.add_argument(
        "--workers", type=parse_workers, metavar="N", help=tr("number of worker threads (default: one per processor)")
    )
    executor_group.add_argument(
        "--cluster", metavar="URL",
        help=tr(
            "the scheduler of a Dask cluster, such as tcp://host:8786 or tls://host:8786; use only a cluster that you"
            " trust, because its scheduler and workers can run code on this machine"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--cluster-ca", metavar="FILE", default="", help=tr("the CA certificate in PEM format, for tls:// only")
    )
    parser.add_argument(
        "--cluster-cert", metavar="FILE", default="", help=tr("your certificate in PEM format, for tls:// only")
    )
    parser.add_argument(
        "--cluster-key", metavar="FILE", default="", help=tr("your private key in PEM format, for tls:// only")
    )
    parser.add_argument(
        "--resume", metavar="FILE",
        help=tr("for --mode full: a checkpoint file, saved during the run, from which an interrupted run continues"),
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Run the study and write the report.

    If the run ended early, the report contains the results up to that point; afterwards, the exception that ended the
    run is raised.
    """
    from qe_desktop.cli.level_inputs import read_inputs
    from qe_desktop.levels.words import GROUP
    from qe_desktop.metrics import get_metrics
    from qe_desktop.report.sampling import SamplingReport
    from qe_desktop.studies.sampling.executors import Certificates, connect_cluster, run_in_threads
    from qe_desktop.studies.sampling.sampling_options import DEFAULT_ERROR_SHARES, DEFAULT_SIZES, SamplingOptions
    from qe_desktop.studies.sampling.sampling_study import study_sampling

    args.language_pair = single_language_pair(args.language_pair)
    resume = Path(args.resume) if args.resume else None
    if resume is not None:
        system_paths = [name.rpartition("=")[2] for name in args.system]
        check_not_overwriting(resume, [args.gold, args.mt, *args.system, *system_paths])
    options = SamplingOptions(
        tuple(args.errors or DEFAULT_ERROR_SHARES),
        tuple(args.sizes or DEFAULT_SIZES),
        args.repetitions,
        args.mode,
        args.seed,
        args.overshoot,
        args.mixing,
        args.replacement,
        args.variances,
        args.correction,
        args.alpha,
        lowers_errors=not args.errors,
    ).normalize()
    inputs = read_inputs(GROUP, args)
    level = inputs.scoring.level
    metrics = get_metrics(args.metric or level.tested_metrics, level.metrics, level.items)
    certificates = Certificates(args.cluster_ca, args.cluster_cert, args.cluster_key).validate(args.cluster or "")
    executor = connect_cluster(args.cluster, certificates) if args.cluster else run_in_threads(args.workers)
    with progress(tr("{n:,} {n:repetition|repetitions}", "", options.repetitions)) as on_progress:
        study = study_sampling(inputs.scoring, metrics, options, run=executor, resume=resume, on_progress=on_progress)
    write_report(args, SamplingReport(study, inputs.notes, level.signature(inputs.scoring)))
    if study.stop_reason is not None:
        raise study.stop_reason
    return 0
