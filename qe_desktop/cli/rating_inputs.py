"""Ratings of files and projects, and sessions of projects, that commands read."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qe_desktop.cli.command_options import add_language_pair
from qe_desktop.cli.output import print_error
from qe_desktop.cli.project import open_project
from qe_desktop.corpus import QeError, Ratings, SourceLocation
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs
from qe_desktop.levels.human.human_inputs import RatingFiles, read_rating_files

if TYPE_CHECKING:
    from pathlib import Path

    from qe_desktop.project import Session
    from qe_desktop.project.campaign_views import BlindKey
    from qe_desktop.project.store import Project


AUDIT_ORIGIN = "command line"
"""Value that identifies the command line in audit entries about unblinding a campaign."""


@dataclass(frozen=True, slots=True)
class ProjectRatings:
    """Ratings of a project, with the real names of the systems.

    `key` contains the letters of the systems in the blind campaign; it is empty if no campaign is blind. `campaign` is
    the uid of the selected campaign; it is empty if none was selected.
    """

    ratings: Ratings
    key: BlindKey
    campaign: str = ""


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """Add `--campaign`, which selects a campaign of a project, and `--unblind`, which shows its systems by name."""
    parser.add_argument("--campaign", metavar="NAME", default="", help=tr("the campaign to read from a project"))
    add_unblind(parser)


def add_unblind(parser: argparse.ArgumentParser) -> None:
    """Add the option to show the systems of a blind campaign by name."""
    parser.add_argument(
        "--unblind", metavar="REASON", type=_parse_reason,
        help=tr(
            "show the systems of a blind campaign by name; this cannot be undone, and the project's log records who "
            "did so, when and why"
        ),
    )  # fmt: skip


def _parse_reason(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(tr("must be a reason for the log, such as “all ratings are complete”"))
    return text.strip()


def load_session(location: str) -> Session:
    """Return a session with the current state of a project.

    Raises QeError if the project cannot be opened, if it has no segments, or if the user may not see all segments.
    """
    from qe_desktop.project.session_restore import restore_session

    with open_project(location) as project:
        session = restore_session(project, project.settings(own_only=True))
        if session is None:
            message = tr("the project has no segments, or you cannot see all of them")
            raise QeError(
                message, hint=tr("Use a project that has a corpus and that you own."), place=SourceLocation(location)
            )
        return session


def ratings_of_project(project: Project, campaign: str, reason: str | None) -> ProjectRatings:
    """Return the ratings of `campaign` (name or uid) or, if it is empty, all ratings of the project.

    If `reason` is not empty, a blind campaign is unblinded, and the project's log records this. Raises QeError as
    `Project.ratings` and `unblind_with` do: for example, if `campaign` is empty and the project has ratings of several
    campaigns.
    """
    from qe_desktop.project.campaign_views import blind_key

    # a name that is not a campaign of the project may be a campaign in an imported file
    names = {campaign.name: campaign.uid for campaign in reversed(project.campaigns())}
    uid = names.get(campaign, campaign) if campaign else None
    ratings = replace(project.ratings(uid), origin=project.place)
    unblind_with(project, uid, reason)
    return ProjectRatings(ratings, blind_key(project, uid), uid or "")


def log_export(project: Project, campaign: str, output: Path, form: str, *, blind: bool) -> None:
    """Record an export of ratings in the project's log, unless the project is read-only.

    Raises QeError if the log cannot be written.
    """
    from qe_desktop.project.events import RATINGS_EXPORTED

    if not project.read_only:
        details = {"campaign": campaign, "file": str(output), "form": form, "blind": blind}
        project.log(RATINGS_EXPORTED, details)


def unblind_with(project: Project, uid: str | None, reason: str | None) -> None:
    """Unblind the campaign with this uid, or the first blind campaign if `uid` is None.

    Do nothing if `reason` is empty or the campaign is not blind.

    Raises QeError if the user may not unblind the campaign, or if the project's log cannot record the unblinding.
    """
    from qe_desktop.project.campaign_views import blind_campaign, unblind

    campaign = blind_campaign(project, uid)
    if reason and campaign is not None and unblind(project, campaign, reason, where=AUDIT_ORIGIN):
        print_error(tr("“{campaign}” is now unblinded; the project's log contains the reason", campaign=campaign.name))


def blind_note(key: BlindKey) -> str:
    """Return a note that the systems of a blind campaign are named by letters, and how to show their names."""
    return tr(
        "“{campaign}” is blind, so systems are named by letters; --unblind REASON shows their names", campaign=key.title
    )


def nothing_to_unblind_error() -> QeError:
    """Return the error for `--unblind` without a project."""
    return QeError(tr("only campaigns of a project can be unblinded"), hint=tr("Specify a project, or omit --unblind."))


def display_name(name: str) -> str:
    """Return the path of a file or the location of a project for messages; the password in a server URL is omitted."""
    from qe_desktop.project.store import is_server_url
    from qe_desktop.project.store.location import locate

    return str(locate(name)) if is_server_url(name) else name


RATING_FILES_HELP = tr(
    "The format of a file is detected from its content; the file may be compressed with gzip. Formats: WMT ranking "
    "CSV (pairwise, or five systems per row), Appraise XML of rankings, Appraise CSV of scores (DA, DA+SQM, ESA), "
    "WMT21 direct assessment (ratings, segment means), human segment scores (system⇥score lines in a file such as "
    "mqm.seg.score), tables with a header that have one column per rater or one rating per row, and JSON Lines. "
    "A project is a .qedesk file or a postgresql:// URL."
)


def add_rating_file_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the language pair, layout, scale ranges and rater columns of rating files."""
    parser.add_argument(
        "--language-pair", metavar="LP", default="", help=tr("the language pair to use if a file has several")
    )
    parser.add_argument(
        "--table", choices=("wide", "long"), default="",
        help=tr(
            "the layout of a table of ratings, if it cannot be detected: one column per rater (wide), or one rating "
            "per row (long)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--range", metavar="SCALE=LOW..HIGH", action="append", default=[], type=parse_scale_range,
        help=tr("the range of a scale, which overrides the range in the files; may be repeated"),
    )  # fmt: skip
    parser.add_argument(
        "--raters",
        metavar="NAMES",
        type=_parse_names,
        default=(),
        help=tr("the rater columns of a table, separated by commas; other columns are not read as raters"),
    )


def parse_scale_range(text: str) -> tuple[str, float, float]:
    """Parse a scale and its range, such as adequacy=1..7. Raises ArgumentTypeError if the text has another form."""
    from qe_desktop.formats.ratings.cell_parsing import parse_range

    name, _, ends = text.partition("=")
    limits = parse_range(ends)
    if not name.strip() or limits is None:
        raise argparse.ArgumentTypeError(tr("{text} is not a scale with its range, such as adequacy=1..7", text=text))
    return (name.strip(), *limits)


def _parse_names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def add_people_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the ratings to score."""
    parser.add_argument(
        "--human", required=True, nargs="+", action="extend", metavar="FILE",
        help=tr("ratings in any format that `ratings report` reads, or a project; several are combined"),
    )  # fmt: skip
    add_campaign(parser)
    add_language_pair(parser)


def rating_files(args: argparse.Namespace, *, by_letters: bool = True) -> RatingFiles:
    """Return the rating files that the options specify, including ratings read from projects.

    Systems of a blind campaign are named by letters. Raises QeError if a project cannot be read, if a project has
    several campaigns and none is specified, if a campaign is blind and `by_letters` is false, or if `--unblind` is
    specified without a project.
    """
    from qe_desktop.project.store.location import is_project
    from qe_desktop.ratings.blinding import blind_ratings

    projects: dict[str, Ratings] = {}
    for name in filter(is_project, args.human):
        with open_project(name) as project:
            ratings = ratings_of_project(project, args.campaign, args.unblind)
        if ratings.key.names and not by_letters:
            message = tr(
                "systems are named by letters in “{ratings}”, so they cannot be matched with metric scores",
                ratings=ratings.key.title,
            )
            hint = tr("Unblind it with --unblind REASON. The user, the time and the reason are logged.")
            raise QeError(message, hint=hint, place=SourceLocation(ratings.ratings.origin))
        if ratings.key.names:
            print_error(blind_note(ratings.key))
        projects[name] = blind_ratings(ratings.ratings, ratings.key.names, ratings.key.campaign)
    if args.unblind and not projects:
        raise nothing_to_unblind_error()
    return RatingFiles(tuple(args.human), args.language_pair, projects, args.documents)


def read_people_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError as `rating_files` does, and if a file cannot be read."""
    return read_rating_files(rating_files(args))
