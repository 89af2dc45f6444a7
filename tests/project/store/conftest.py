"""Where projects of tests stand: in a file, or on a real PostgreSQL server where there is one; and a small one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from qe_desktop.corpus import Corpus
from qe_desktop.project.store import Project
from tests.postgres import address, postgresql
from tests.project.store.made import an_edit, full_corpus
from tests.project.store.team import team

__all__ = ["address", "postgresql", "team"]


@dataclass
class Stand:
    """A place for a project of a test; all that were opened there are closed at its end."""

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
    """A closed project with one edit."""
    made = tmp_path / "a.qedesk"
    with Project.create(made, full_corpus(), person="ann") as project:
        project.append([an_edit(project, 0, 1)])
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def stand(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stand]:
    """Both kinds of places."""
    if request.param == "sqlite":
        made = Stand(str(tmp_path / "made.qedesk"), None)
    else:
        there = request.getfixturevalue("address")
        made = Stand(there.url, there.password)
    yield made
    for project in made.opened:
        project.close()


@pytest.fixture
def closing() -> Iterator[Callable[[Project], Project]]:
    """Closes, at the end of the test, every project that it was given."""
    held: list[Project] = []

    def keep(project: Project) -> Project:
        held.append(project)
        return project

    yield keep
    for project in held:
        project.close()
