"""Fixtures of projects in a file or, if available, on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from qe_desktop.corpus import Corpus
from qe_desktop.project.store import Project
from tests.postgres import address, postgresql
from tests.project.store.small_projects import an_edit, full_corpus
from tests.project.store.team import team

__all__ = ["address", "postgresql", "team"]


@dataclass
class Stand:
    """Location of a test's project; projects that are opened there are closed at the end of the test."""

    place: str
    password: str | None
    opened: list[Project] = field(default_factory=list)

    def create(self, corpus: Corpus | None, person: str = "owner", **more: object) -> Project:
        project = Project.create(self.place, corpus, person=person, password=self.password, **more)
        self.opened.append(project)
        return project

    def open(self, person: str = "owner") -> Project:
        project = Project.open(self.place, person=person, password=self.password)
        self.opened.append(project)
        return project


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Path of a closed project with one edit."""
    made = tmp_path / "a.qedesk"
    with Project.create(made, full_corpus(), person="ann") as project:
        project.append([an_edit(project, 0, 1)])
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    """Location of a project: a file or a database on a server."""
    if request.param == "sqlite":
        made = Stand(str(tmp_path / "made.qedesk"), None)
    else:
        server_address = request.getfixturevalue("address")
        made = Stand(server_address.url, server_address.password)
    yield made
    for project in made.opened:
        project.close()


@pytest.fixture
def closing() -> Iterator[Callable[[Project], Project]]:
    """Function that registers projects to be closed at the end of the test."""
    projects: list[Project] = []

    def register(project: Project) -> Project:
        projects.append(project)
        return project

    yield register
    for project in projects:
        project.close()
