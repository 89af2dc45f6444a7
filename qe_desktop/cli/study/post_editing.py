"""`qe-desktop study post-editing`: statistics of post-edits, and export of post-edits to formats of other programs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.command_options import LazyArgumentParser
from qe_desktop.cli.output import add_output, fraction_progress, print_error, write_report
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.corpus import View
    from qe_desktop.studies.post_editing.post_editing_study import RecordedVisit


def add_parser(kinds: argparse._SubParsersAction[LazyArgumentParser]) -> None:
    """Add `post-editing` to the studies."""
    description = tr(
        "analyze times, keystrokes and edits of post-editing, the precision of highlights, and the edits that would be "
        "missed if segments were skipped"
    )
    kinds.add_parser("post-editing", help=description, description=description).fill = _add_options


def _add_options(parser: LazyArgumentParser) -> None:
    from qe_desktop.cli.scoring_commands import add_interval_rounds, add_seed
    from qe_desktop.studies.post_editing.post_edit_export import EXPORTS

    parser.add_argument(
        "place", metavar="PROJECT|FOLDER",
        help=tr("a project with reviewed segments, or a folder with MT, post-edits and, if available, QE output"),
    )  # fmt: skip
    parser.add_argument(
        "--system", nargs="+", action="extend", metavar="NAME", default=[],
        help=tr("the systems to analyze (default: all)"),
    )  # fmt: skip
    parser.add_argument(
        "--better", choices=("higher", "lower"),
        help=tr(
            "whether higher or lower segment scores are better (default: lower, as for HTER, but higher for scores "
            "in bilingual files)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--language-pair", metavar="LP", default="", help=tr("the language pair, if a folder has several")
    )
    parser.add_argument(
        "--export", nargs=2, action="append", metavar=("FORM", "DIR"), default=[],
        help=tr(
            "write the post-edits to the folder DIR in the format FORM ({forms}); may be repeated",
            forms=", ".join(export.name for export in EXPORTS),
        ),
    )  # fmt: skip
    add_seed(parser)
    add_interval_rounds(parser)
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Study the post-edited segments, and export them if requested. Raises QeError for an unknown export format."""
    from qe_desktop.report.post_editing import PostEditingReport
    from qe_desktop.studies.post_editing.post_edit_export import EXPORTS, export_post_editing
    from qe_desktop.studies.post_editing.post_editing_study import study_post_editing
    from qe_desktop.studies.post_editing.reviewed_segments import select_reviewed

    format_names = [export.name for export in EXPORTS]
    unknown = [form for form, _ in args.export if form not in format_names]
    if unknown:
        message = tr("there is no format “{name}”", name=unknown[0])
        raise QeError(
            message, hint=tr("Use one of {names}.", names=", ".join(format_names)), place=SourceLocation("--export")
        )
    view, visits, notes = _load_inputs(args)
    reviewed = select_reviewed(view, args.better)
    with fraction_progress(tr("MT and post-edits")) as on_progress:
        study = study_post_editing(
            reviewed, visits, systems=args.system, seed=args.seed, rounds=args.interval_rounds, on_progress=on_progress
        )
    system = args.system[0] if len(args.system) == 1 else ""
    for form, folder in args.export:
        for path in export_post_editing(study, form, Path(folder), system):
            print_error(tr("{file}: {n:,} {n:segment|segments}", "", len(reviewed), file=str(path)))
    write_report(args, PostEditingReport(study, notes))
    return 0


def _load_inputs(args: argparse.Namespace) -> tuple[View, tuple[RecordedVisit, ...], tuple[str, ...]]:
    """Read a project or folder; return its view, the recorded visits, and notes on the files read.

    Raises QeError if the project cannot be read, or if the folder does not contain exactly one corpus.
    """
    from qe_desktop.project.store.location import is_project

    if is_project(args.place):
        return _read_project(args.place)
    from qe_desktop.corpus import View
    from qe_desktop.levels.shared_task import read_corpora

    corpora, notes = read_corpora([Path(args.place)], language_pair=args.language_pair)
    if len(corpora) != 1:
        message = tr("there are {n:,} corpora: {names}", "", len(corpora), names=", ".join(corpora))
        hint = tr("Specify a folder with one corpus, or use --language-pair.")
        if not corpora:
            message, hint = tr("there is no MT"), tr("Specify a folder with source, MT and post-edits.")
        raise QeError(message, hint=hint, place=SourceLocation(args.place))
    [corpus] = corpora.values()
    return View(corpus), (), notes


def _read_project(location: str) -> tuple[View, tuple[RecordedVisit, ...], tuple[str, ...]]:
    from qe_desktop.cli.rating_inputs import load_session
    from qe_desktop.project.review.review_log import recorded_visits

    session = load_session(location)
    return session.view, recorded_visits(session.reviewing.visits()), ()
