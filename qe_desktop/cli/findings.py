"""`qe-desktop findings`: tables of the results in shared-task folders, with intervals, tests and averages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.command_options import add_lines, add_lower, add_match, add_metrics, line_unit_option
from qe_desktop.cli.level_inputs import add_tokenization, group_commands, tokenization_of
from qe_desktop.cli.output import add_output, progress, save_pictures, write_report
from qe_desktop.cli.scoring_commands import add_interval_options, add_test_options, document_unit_warnings
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import GROUPS
from qe_desktop.levels.folder_scores import FolderScores
from qe_desktop.levels.system_files import PAIR_PLACEHOLDER
from qe_desktop.levels.system_matches import SystemMatches
from qe_desktop.metrics import get_metrics

if TYPE_CHECKING:
    # the parser itself needs no significance tests
    from qe_desktop.levels.findings import Findings
    from qe_desktop.levels.shared_task import FolderInputs


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `findings` and its options."""
    parser = subparsers.add_parser(
        "findings", help=tr("show tables with the results of all systems of a shared task"),
        description=tr(
            "Score and compare the systems of each language pair that has gold and systems in FOLDER or its "
            "subfolders."
        ),
    )  # fmt: skip
    parser.add_argument(
        "folder", nargs="+", metavar="FOLDER", help=tr("a folder of a shared task, or of one language pair")
    )
    parser.add_argument(
        "--level", type=_level_name, metavar="|".join(group_commands()),
        help=tr("the level to score (default: the first of these levels with data to score in the folders)"),
    )  # fmt: skip
    add_metrics(parser, tr("metrics; each level has defaults"))
    parser.add_argument("--test", help=tr("the significance test; each metric has a default"))
    add_test_options(parser)
    add_interval_options(parser)
    parser.add_argument(
        "--by",
        choices=("pair", "metric"),
        help=tr(
            "one table per language pair or per metric (default: metric, or pair if there is only one language pair)"
        ),
    )
    parser.add_argument("--pictures", metavar="DIR", help=tr("write each significance matrix to this folder, as SVG"))
    parser.add_argument("--language-pair", metavar="LP", default="", help=tr("only this language pair, such as en-de"))
    parser.add_argument(
        "--gold-name", metavar="NAME", default="", help=tr("the gold to score against, if there are several")
    )
    add_tokenization(parser)
    help_text = tr(
        "scores by another metric, besides the scores in the folders, in a format that `score translations "
        "--scores` reads; {pair} in FILE is replaced with each language pair",
        pair=PAIR_PLACEHOLDER,
    )
    parser.add_argument("--scores", nargs="+", action="extend", metavar="METRIC=FILE", default=[], help=help_text)
    add_lower(parser)
    add_match(parser)
    add_lines(parser)
    add_output(parser)
    parser.set_defaults(run=run)


def _level_name(text: str) -> str:
    """Return the name of a level group, which is specified by its subcommand or by its name in earlier releases.

    Raises ArgumentTypeError for any other text.
    """
    if text in GROUPS:
        return text
    groups = group_commands()
    if text not in groups:
        names = ", ".join(groups)
        raise argparse.ArgumentTypeError(tr("“{name}” is not a level; use one of {names}", name=text, names=names))
    return groups[text].name


def run(args: argparse.Namespace) -> int:
    """Read the folders, score and compare the systems, and write the report."""
    from qe_desktop.levels.shared_task import read_folders
    from qe_desktop.report.findings import FindingsReport, findings_pictures

    folders = [Path(name) for name in args.folder]
    lines = line_unit_option(args.lines)
    language_pair, gold = args.language_pair, args.gold_name
    scores = FolderScores(args.scores, args.lower, SystemMatches.of(args.match))
    tokenization = tokenization_of(args).validate()
    inputs = read_folders(
        folders,
        args.level or "",
        language_pair=language_pair,
        lines=lines,
        gold=gold,
        scores=scores,
        tokenization=tokenization,
    )
    findings = _collect_folder_findings(inputs, args)
    if args.pictures:
        save_pictures(Path(args.pictures), findings_pictures(findings))
    warnings = document_unit_warnings([language_pair.scoring for language_pair in findings.pairs], args)
    notes = (*inputs.file_notes, *inputs.notes, *warnings)
    title = ", ".join(folder.resolve().name for folder in folders)
    write_report(args, FindingsReport(findings, title, notes, args.by))
    return 0


def _collect_folder_findings(inputs: FolderInputs, args: argparse.Namespace) -> Findings:
    from qe_desktop.levels.findings import collect_findings
    from qe_desktop.significance import SignificanceOptions

    level = next(iter(inputs.pairs.values())).level
    if args.test is not None and args.test not in level.tests:
        message = level.untested_reasons.get(args.test) or tr("there is no test “{name}”", name=args.test)
        raise QeError(message, hint=tr("Use one of {names}.", names=", ".join(level.tests)))
    # the first metric determines the order of systems
    metrics = get_metrics(args.metric or (level.main_metric, *level.shown_metrics), level.metrics, level.items)
    options = SignificanceOptions(
        args.test or "", args.rounds, args.seed, args.unit, args.correction, args.alpha,
        interval_method=args.intervals or "bootstrap", interval_rounds=args.interval_rounds,
    )  # fmt: skip
    with progress(tr("{n:,} {n:language pair|language pairs}", "", len(inputs.pairs))) as on_progress:
        return collect_findings(inputs.pairs, metrics, options, on_progress=on_progress)
