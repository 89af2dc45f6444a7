"""Fixtures of projects in a file or, if available, on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from qe_desktop.corpus import Corpus
from qe_desktop.project.store import Project
from tests.postgres import address, postgresql
from tests.project.store.small_projects import full_corpus, make_edit_row
from tests.project.store.team import team

__all__ = ["address", "postgresql", "team"]


@dataclass
class ProjectLocation:
    """Location of a test's project; projects that are opened there are closed at the end of the test."""

    path_or_url: str
    password: str | None
    opened: list[Project] = field(default_factory=list)

    def create(self, corpus: Corpus | None, person: str = "owner", **more: object) -> Project:
        """Create a project here, to be closed at the end of the test."""
        project = Project.create(self.path_or_url, corpus, person=person, password=self.password, **more)
        self.opened.append(project)
        return project

    def open(self, person: str = "owner") -> Project:
        """Open the project, to be closed at the end of the test."""
        project = Project.open(self.path_or_url, person=person, password=self.password)
        self.opened.append(project)
        return project


@pytest.fixture
def project_path(tmp_path: Path) -> Path:
    """Path of a closed project with one edit."""
    path = tmp_path / "a.qedesk"
    with Project.create(path, full_corpus(), person="ann") as project:
        project.append([make_edit_row(project, 0, 1)])
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ProjectLocation]:
    """Location of a project: a file or a database on a server."""
    if request.param == "sqlite":
        created = ProjectLocation(str(tmp_path / "made.qedesk"), None)
    else:
        server_address = request.getfixturevalue("address")
        created = ProjectLocation(server_address.url, server_address.password)
    yield created
    for project in created.opened:
        project.close()


@pytest.fixture
def close_later() -> Iterator[Callable[[Project], Project]]:
    """Function that registers projects to be closed at the end of the test."""
    projects: list[Project] = []

    def register(project: Project) -> Project:
        projects.append(project)
        return project

    yield register
    for project in projects:
        project.close()
