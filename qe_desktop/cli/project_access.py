"""Functions shared by commands that read the ratings or the session of a project."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qe_desktop.cli.output import print_error
from qe_desktop.cli.project import open_project
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from pathlib import Path

    from qe_desktop.corpus import Ratings
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
