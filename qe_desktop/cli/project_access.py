"""Access to the ratings and the session of a project, for several commands."""

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
    from qe_desktop.project.blind_key import BlindKey
    from qe_desktop.project.store import Project

AUDIT_ORIGIN = "command line"
"""Name in the log of a project for the program that unblinded a campaign."""


@dataclass(frozen=True, slots=True)
class ProjectRatings:
    """Ratings of a project, with the real names of the systems, and the key of the blind campaign, if any.

    `campaign` is the uid of the selected campaign; empty if none was selected.
    """

    ratings: Ratings
    key: BlindKey
    campaign: str = ""


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """Add the options that select a campaign of a project and show its systems by name."""
    parser.add_argument("--campaign", metavar="NAME", default="", help=tr("the campaign to read from a project"))
    add_unblind(parser)


def add_unblind(parser: argparse.ArgumentParser) -> None:
    """Add the option to show the systems of a blind campaign by name."""
    parser.add_argument(
        "--unblind", metavar="REASON", type=_parse_reason,
        help=tr(
            "show the systems of a blind campaign by name: the project's log records who did so, when and why; "
            "this cannot be undone"
        ),
    )  # fmt: skip


def _parse_reason(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(tr("the log needs a reason, such as: all ratings are complete"))
    return text.strip()


def load_session(location: str) -> Session:
    """Return a session with the current state of a project.

    Raises QeError if the project cannot be opened or has no segments, or if the user cannot see all of them.
    """
    from qe_desktop.project.session_restore import restore_session

    with open_project(location) as project:
        session = restore_session(project, project.settings(own_only=True))
        if session is None:
            message = tr("the project has no segments, or you cannot see all of them")
            raise QeError(
                message, hint=tr("Use a project with a corpus, as its owner."), place=SourceLocation(location)
            )
        return session


def ratings_of_project(project: Project, campaign: str, reason: str | None) -> ProjectRatings:
    """Return the ratings of the named campaign, or else of the only campaign and the imported files.

    Raises QeError as `Project.ratings` and `unblind_with` do. If there is a `reason`, a blind campaign is unblinded,
    which the project logs.
    """
    from qe_desktop.project.blind_key import blind_key

    # a name that is not a campaign of the project may be a campaign in an imported file
    names = {campaign.name: campaign.uid for campaign in reversed(project.campaigns())}
    uid = names.get(campaign, campaign) if campaign else None
    ratings = replace(project.ratings(uid), origin=project.place)
    unblind_with(project, uid, reason)
    return ProjectRatings(ratings, blind_key(project, uid), uid or "")


def log_export(project: Project, campaign: str, output: Path, form: str, *, blind: bool) -> None:
    """Log in a writable project that ratings were written to a file. Raises QeError if the log cannot be written."""
    from qe_desktop.project.events import RATINGS_EXPORTED

    if not project.read_only:
        details = {"campaign": campaign, "file": str(output), "form": form, "blind": blind}
        project.log(RATINGS_EXPORTED, details)


def unblind_with(project: Project, uid: str | None, reason: str | None) -> None:
    """Unblind the blind campaign in `project.ratings(uid)`, if there is one and `reason` is not empty.

    Raises QeError if the user may not unblind it, or if the project's log cannot record this.
    """
    from qe_desktop.project.blind_key import blind_campaign, unblind

    campaign = blind_campaign(project, uid)
    if reason and campaign is not None and unblind(project, campaign, reason, where=AUDIT_ORIGIN):
        print_error(tr("“{campaign}” is now unblinded; the project's log contains the reason", campaign=campaign.name))


def blind_note(key: BlindKey) -> str:
    """Return a note that systems are named by letters, with the option that shows their names."""
    return tr(
        "“{campaign}” is blind, so systems are named by letters; --unblind REASON shows their names", campaign=key.title
    )


def nothing_to_unblind_error() -> QeError:
    """Return the error for `--unblind` without a project."""
    return QeError(tr("files cannot be unblinded"), hint=tr("Specify a project, or omit --unblind."))


def display_name(name: str) -> str:
    """Return the name of a file or project for messages: without the password if it is the URL of a server."""
    from qe_desktop.project.store import is_server_url
    from qe_desktop.project.store.location import locate

    return str(locate(name)) if is_server_url(name) else name
