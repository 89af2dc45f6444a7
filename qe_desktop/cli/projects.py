"""The projects that a command names, read for floors that know no projects."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from qe_desktop.cli.project import open_project
from qe_desktop.corpus import Place, QeError
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.corpus import Ratings
    from qe_desktop.project import Session


def restored_session(place: str) -> Session:
    """The session of a project as it was left. QeError where it cannot be read, or has no segments that may be seen."""
    from qe_desktop.project.restoring import restored

    with open_project(place) as project:
        session = restored(project, project.settings(own=True))
        if session is None:
            message = tr("the project has no segments, or you may not see them all")
            raise QeError(message, hint=tr("Give a project that holds a corpus, as its owner."), place=Place(place))
        return session


def read_projects(args: argparse.Namespace) -> None:
    """Keep in `args.projects` the ratings of those that `--human` names, by their names, of the campaign that is named.

    QeError for a project that cannot be read, or that has several campaigns none of which is named.
    """
    named = getattr(args, "human", [])
    if not named:
        return
    from qe_desktop.project.store.place import is_project

    args.projects = {name: ratings_of_project(name, args.campaign) for name in named if is_project(name)}


def ratings_of_project(name: str, campaign: str) -> Ratings:
    """The ratings of a project's campaign, or of its only one and the imported files where none is named."""
    with open_project(name) as project:
        # what is no campaign of the project's own may be one that a file is of
        names = {one.name: one.uid for one in reversed(project.campaigns())}
        uid = names.get(campaign, campaign) if campaign else None
        if project.campaigns() and not project.read_only:
            # whoever sees results by system has seen the key
            project.log("systems named", {"campaign": uid or "", "where": "command line"})
        return replace(project.ratings(uid), origin=project.place)
