"""`qe-desktop ratings`: results of human evaluation, and import and export of ratings."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from qe_desktop.cli.command_options import parse_rounds, parse_seed, parse_significance_level
from qe_desktop.cli.output import add_output, check_not_overwriting, fraction_progress, print_error, write_report
from qe_desktop.cli.project import open_project
from qe_desktop.cli.rating_inputs import (
    RATING_FILES_HELP,
    add_rating_file_options,
    add_unblind,
    blind_note,
    display_name,
    log_export,
    nothing_to_unblind_error,
    ratings_of_project,
    unblind_with,
)
from qe_desktop.cli.ratings_import import add_import, add_undo_import
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qe_desktop.cli.rating_inputs import ProjectRatings
    from qe_desktop.corpus import Ratings
    from qe_desktop.project.campaign_views import BlindKey
    from qe_desktop.project.store import Project
    from qe_desktop.ratings.campaign import Campaign
    from qe_desktop.ratings.rating_file_merge import RatingConflict
    from qe_desktop.ratings.results.result_types import RatingResults

MAX_LISTED_CONFLICTS = 10
RATING_FORMATS = ("wmt", "wide", "long", "jsonl", "journal")
_JSON_HELP = tr(
    'The JSON has the keys "systems", "clusters", "agreement", "raters" and "notes". In "systems", n is the number of '
    "rated segments or of pairwise judgements. Ratings on one scale have raw and z. Ratings on several scales have "
    "means under the names of the scales, also with the suffix -z; adequacy and fluency also have total and total-z. "
    'Rankings have expected-wins, bradley-terry and trueskill. All have rank-low and rank-high. In "agreement", '
    "ratings on one scale have cohen, fleiss, randolph and krippendorff; ratings on several scales have these under "
    "the name of each scale. Rankings have wmt-kappa, which ignores the order of the two outputs. They also "
    "have wmt-kappa-as-published, which compares only judgements that list the two outputs in the same order. Systems "
    "rated on long scales (0..100) are compared by a rank-sum test on the z-scores of segments. For short scales "
    "(1..5), the test uses the means of segments, or the totals of adequacy and fluency. Ranked systems are compared "
    "by TrueSkill."
)
_EXPORT_HELP = tr(
    "Ratings are written in one of these formats. wmt: pairwise judgements as WMT ranking CSV; wide: ratings on "
    "scales, one column per rater; long: one rating per row; jsonl: everything, one rating per line; journal: every "
    "event of a project's campaign, one per line. Every format has the rater and the time of each rating. "
    "A file whose name ends in .gz is compressed."
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `ratings` and its subcommands."""
    parser = subparsers.add_parser("ratings", help=tr("show results of human evaluation; import or export ratings"))
    subcommands = parser.add_subparsers(dest="thing", required=True, metavar="report|export|import|undo-import")
    _add_report(subcommands)
    _add_export(subcommands)
    add_import(subcommands)
    add_undo_import(subcommands)


def _add_report(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    report = subcommands.add_parser(
        "report",
        help=tr("show system scores, clusters, agreement and raters"),
        epilog=f"{RATING_FILES_HELP} {_JSON_HELP}",
    )
    report.add_argument("files", nargs="+", metavar="FILE", help=tr("rating files or a project; several are combined"))
    _add_selection_options(report)
    report.add_argument(
        "--runs",
        type=parse_rounds,
        default=1000,
        metavar="R",
        help=tr("number of bootstrap resamples for TrueSkill (default: 1000)"),
    )
    report.add_argument(
        "--rounds",
        type=parse_rounds,
        default=1000,
        metavar="R",
        help=tr("number of bootstrap resamples for intervals (default: 1000)"),
    )
    report.add_argument("--seed", type=parse_seed, default=1, help=tr("seed of the bootstrap (default: 1)"))
    report.add_argument(
        "--alpha",
        type=parse_significance_level,
        default=0.05,
        help=tr(
            "significance level for p-values after correction; confidence level of intervals: 1 - ALPHA (default: 0.05)"
        ),
    )
    report.add_argument(
        "--correction",
        choices=("none", "bonferroni", "holm"),
        default="none",
        help=tr("correction of p-values (default: none)"),
    )
    report.add_argument(
        "--standardise", choices=("drop", "appraise"), default="drop",
        help=tr(
            "how to treat raters whose ratings are constant; drop: exclude them from z-scores, as at WMT; appraise: "
            "set their z-scores to 0, as in Appraise (default: drop)"
        ),
    )  # fmt: skip
    report.add_argument(
        "--repeats", choices=("each", "rater"), default="each",
        help=tr(
            "how to count repeated ratings of an output by one rater; each: every rating counts, as at WMT; rater: "
            "only the mean of these ratings counts (default: each)"
        ),
    )  # fmt: skip
    report.add_argument("--no-trueskill", action="store_true", help=tr("leave out TrueSkill, which takes a long time"))
    add_output(report)
    report.set_defaults(run=run_report)


def _add_export(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    export = subcommands.add_parser(
        "export", help=tr("write the ratings of a project or of files in another format"), epilog=_EXPORT_HELP
    )
    export.add_argument("files", nargs="+", metavar="PROJECT|FILE", help=tr("a project, or rating files to combine"))
    export.add_argument("--form", choices=RATING_FORMATS, required=True, help=tr("the format to write"))
    export.add_argument("-o", "--output", required=True, metavar="FILE", help=tr("the file to write"))
    _add_selection_options(export)
    export.set_defaults(run=run_export)


def _add_selection_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--campaign", metavar="NAME", default="",
        help=tr(
            "the campaign to use from a project (campaigns of one project are never combined); "
            '"files" selects imported ratings that belong to no campaign'
        ),
    )  # fmt: skip
    add_unblind(parser)
    add_rating_file_options(parser)


def run_report(args: argparse.Namespace) -> int:
    """Write a report of the results of human evaluation; also print conflicts between rating files on stderr."""
    from qe_desktop.ratings.results.rating_results import blind_results
    from qe_desktop.ratings.results.result_types import RatingOptions
    from qe_desktop.report.rating_report import RatingsReport

    with ExitStack() as exit_stack:
        joined = _join_ratings(args.files, args, exit_stack)
    options = RatingOptions(
        args.seed, args.runs, args.rounds, args.alpha, args.standardise, args.correction, args.repeats
    )
    with fraction_progress(tr("TrueSkill, {n:,} {n:resample|resamples}", "", args.runs)) as on_progress:
        results: RatingResults = blind_results(
            joined.ratings, joined.key.names, options=options, trueskill=not args.no_trueskill, progress=on_progress
        )
    _print_conflicts(joined.conflicts)
    width = get_terminal_size().columns if args.format == "table" else 0
    write_report(args, RatingsReport(results, [str(conflict) for conflict in joined.conflicts], width))
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Write ratings to a file in the requested format, and print a summary in one line on stderr."""
    output = Path(args.output)
    check_not_overwriting(output, args.files)
    if args.form == "journal":
        return _export_journal(args, output)
    from qe_desktop.formats.ratings import write_ratings
    from qe_desktop.ratings.blinding import blind_ratings

    # projects stay open until the export is logged, so that a password is entered once
    with ExitStack() as exit_stack:
        joined = _join_ratings(args.files, args, exit_stack)
        _print_conflicts(joined.conflicts)
        ratings = joined.ratings
        if joined.key.names:
            print_error(blind_note(joined.key))
            ratings = blind_ratings(ratings, joined.key.names, joined.key.campaign)
        notes = write_ratings(ratings, output, args.form)
        for project, exported in joined.projects:
            log_export(project, exported.campaign, output, args.form, blind=bool(exported.key.names))
    names = ", ".join(display_name(name) for name in args.files)
    scores = tr("{n:,} {n:rating|ratings} on scales", "", len(ratings.scores))
    pairs = tr("{n:,} {n:pairwise judgement|pairwise judgements}", "", len(ratings.pairs))
    print_error("; ".join([f"{names} -> {output} ({args.form}): {scores}, {pairs}", *notes]))
    return 0


@dataclass(frozen=True, slots=True, eq=False)
class _JoinedRatings:
    """Ratings of all files, without duplicates and with real system names.

    `key` is the key of the blind campaign; it is empty if no campaign is blind. `projects` contains each project among
    the files, with the ratings of the project.
    """

    ratings: Ratings
    conflicts: tuple[RatingConflict, ...]
    key: BlindKey
    projects: Sequence[tuple[Project, ProjectRatings]]


def _join_ratings(files: list[str], args: argparse.Namespace, exit_stack: ExitStack) -> _JoinedRatings:
    """Join the ratings of all files, and add notes on duplicates and conflicts; `exit_stack` closes the projects.

    Raises QeError if a blind export would be combined with other ratings, if several campaigns are blind, or if
    `--unblind` is used without a project.
    """
    from qe_desktop.corpus.ratings_merge import check_not_mixed
    from qe_desktop.formats.ratings import read_ratings
    from qe_desktop.project.store.location import is_project
    from qe_desktop.ratings.rating_file_merge import conflicts_without_systems, merge_notes, merge_ratings

    if args.unblind and not any(map(is_project, files)):
        raise nothing_to_unblind_error()
    projects = {name: exit_stack.enter_context(open_project(name)) for name in files if is_project(name)}
    exports = {name: ratings_of_project(project, args.campaign, args.unblind) for name, project in projects.items()}
    rating_sets = [
        exports[name].ratings if name in exports
        else read_ratings(name, args.language_pair, form=args.table, raters=args.raters, ranges=tuple(args.range))
        for name in files
    ]  # fmt: skip
    check_not_mixed(rating_sets)
    key = _single_blind_key([export.key for export in exports.values()], exports)
    merged = merge_ratings(rating_sets)
    conflicts = conflicts_without_systems(merged.conflicts, key.names)
    notes = [*merged.ratings.notes, *merge_notes(merged, conflicts)]
    if key.names and args.thing == "report":
        notes.append(blind_note(key))
    return _JoinedRatings(
        replace(merged.ratings, notes=tuple(notes)),
        conflicts,
        key,
        [(project, exports[name]) for name, project in projects.items()],
    )


def _single_blind_key(keys: Sequence[BlindKey], projects: Iterable[str]) -> BlindKey:
    """Return the key of the blind campaign; an empty key if no campaign is blind.

    Raises QeError if several campaigns are blind, because their letters would be ambiguous.
    """
    from qe_desktop.project.campaign_views import BlindKey

    blind = {key.campaign: key for key in keys if key.names}
    if len(blind) > 1:
        first, second, *_ = (key.title for key in blind.values())
        raise QeError(
            tr("“{first}” and “{second}” are blind, so they cannot be combined", first=first, second=second),
            hint=tr("Unblind them with --unblind REASON, or specify only one."),
            place=SourceLocation(display_name(next(iter(projects)))),
        )
    return next(iter(blind.values()), BlindKey())


def _print_conflicts(conflicts: tuple[RatingConflict, ...]) -> None:
    for conflict in conflicts[:MAX_LISTED_CONFLICTS]:
        print_error(tr("qe-desktop: conflict: {conflict}", conflict=conflict))
    if len(conflicts) > MAX_LISTED_CONFLICTS:
        print_error(tr("qe-desktop: and {n:,} more {n:conflict|conflicts}", "", len(conflicts) - MAX_LISTED_CONFLICTS))


def _select_campaign(project: Project, name_or_uid: str) -> Campaign:
    """Return the campaign with this name or uid, or the only campaign if `name_or_uid` is empty.

    Raises QeError if there is no such campaign, or if `name_or_uid` is empty and the project has several campaigns.
    """
    campaigns = project.campaigns()
    campaign_names = ", ".join(campaign.name for campaign in campaigns)
    if not name_or_uid and len(campaigns) == 1:
        return campaigns[0]
    for campaign in campaigns:
        if name_or_uid and name_or_uid in (campaign.name, campaign.uid):
            return campaign
    if not campaigns:
        hint = tr("Use another format for imported ratings, such as jsonl.")
        raise QeError(tr("the project has no campaigns"), hint=hint, place=SourceLocation(project.place))
    message = (
        tr("there is no campaign “{name}”", name=name_or_uid)
        if name_or_uid
        else tr("the project has several campaigns")
    )
    hint = tr("Specify one with --campaign: {names}.", names=campaign_names)
    raise QeError(message, hint=hint, place=SourceLocation(project.place))


def _export_journal(args: argparse.Namespace, output: Path) -> int:
    from qe_desktop.project.campaign_views import blind_key
    from qe_desktop.project.store.location import is_project
    from qe_desktop.ratings.blinding import write_campaign_journal

    name = args.files[0]
    if len(args.files) > 1 or not is_project(name):
        message = tr("a journal contains one campaign of a project")
        raise QeError(
            message, hint=tr("Specify one project, or use the format jsonl."), place=SourceLocation(display_name(name))
        )
    with open_project(name) as project:
        campaign = _select_campaign(project, args.campaign)
        unblind_with(project, campaign.uid, args.unblind)
        key = blind_key(project, campaign.uid)
        if key.names:
            print_error(blind_note(key))
        count = write_campaign_journal(output, project.design(campaign.uid), project.events(campaign.uid), key.names)
        log_export(project, campaign.uid, output, "journal", blind=bool(key.names))
    events = tr("{n:,} {n:event|events}", "", count)
    print_error(f"{display_name(name)}, {campaign.name} -> {output} (journal): {events}")
    return 0
