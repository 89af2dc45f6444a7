"""A team on a server: a project with an owner, two raters and a stranger, each with a role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import schema
from qe_desktop.ratings.campaign import CampaignDesign
from tests.postgres import Server
from tests.project.store.small_projects import full_corpus, make_design, make_edit_row, make_layer_row, rate_all
from tests.timeouts import PATIENCE

SECRET = {"ann": "ann's pass'word %s", "bob": "böb"}


@dataclass
class Team:
    """Project on a server with an owner, the raters ann and bob, and a role without access to the project."""

    server: Server
    name: str
    url: str
    owner: str
    design: CampaignDesign
    project: Project
    passwords: dict[str, str]
    roles: dict[str, str]

    def connect_as(self, who: str):
        """Open a plain connection as a role."""
        return self.server.connect(self.name, self.roles[who], self.passwords[who])

    def open(self, who: str) -> Project:
        return Project.open(self.server.url(self.name, self.roles[who]), person="?", password=self.passwords[who])


@pytest.fixture(scope="module")
def team(postgresql: Server) -> Iterator[Team]:
    """Team with unique role names, because roles belong to the whole server."""
    owner = postgresql.new_role(options="CREATEROLE")
    name = postgresql.new_database(owner)
    url = postgresql.url(name, owner)
    stranger = postgresql.new_role()
    roles = {who: f"{who} {name}" for who in ("ann", "bob")}
    passwords = dict(SECRET) | {"owner": f"{owner}!", "stranger": f"{stranger}!"}
    by_role = {roles[who]: SECRET[who] for who in roles}
    done = Project.prepare_server(
        url, raters=list(roles.values()), password=f"{owner}!", new_password=by_role.__getitem__
    )
    assert len(done) == 3
    project = Project.open(url, person="the owner", password=f"{owner}!")
    project.extend(full_corpus())
    project.append([make_layer_row(project, next(iter(full_corpus().layers.values())))])
    design = make_design(tuple(roles.values()), training=1)
    project.add_campaign(design)
    project.append([make_edit_row(project)])
    project.log("a remark", {"secret": "systems"})
    for who in roles.values():
        rate_all(project, "campaign-1", who)
    # a campaign of bob, to which ann is not assigned
    project.add_campaign(make_design((roles["bob"],), uid="campaign-2", segments=3))
    assert project.flush(PATIENCE)
    roles |= {"owner": owner, "stranger": stranger}
    yield Team(postgresql, name, url, owner, design, project, passwords, roles)
    project.close()


def fetch_rows(connection, statement: str) -> list[tuple]:
    """Return the rows of a statement."""
    return connection.execute(statement).fetchall()


def denied_message(team: Team, who: str, statement: str) -> str:
    """Run a statement that the role may not run; return the error of the server."""
    import psycopg

    with team.connect_as(who) as connection:
        connection.execute(f"SET search_path = {schema.POSTGRESQL_SCHEMA}")
        with pytest.raises(psycopg.Error) as caught:
            connection.execute(statement)
    assert caught.value.sqlstate == "42501", caught.value
    return str(caught.value)
