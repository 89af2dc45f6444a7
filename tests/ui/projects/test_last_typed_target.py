"""The last typed and recorded target is stored in the project, however the editor is left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtTest import QTest

from qe_desktop.corpus import TextColumn, TextRole
from qe_desktop.project.store import Project
from tests.ui.projects.conftest import small_corpus


@pytest.fixture
def typed_project(windows, tmp_path):
    """Return a window in which a target is being typed and recorded, and the path of its project."""
    project_path = tmp_path / "texts.qedesk"
    texts = {role: TextColumn.of(["a b c", "d e f g", "h"]) for role in (TextRole.SOURCE, TextRole.MT)}
    Project.create(project_path, replace(small_corpus(), texts=texts), person="Anna").close()
    window = windows("Anna")
    window.open(project_path)
    window.shell.show_area("inspect")
    window.wiring.recording.set_running(True)
    controller = window.shell.area("inspect").review.controller
    controller.toggle_editing()
    assert controller.segment == 0
    controller.panel.edit.moveCursor(controller.panel.edit.textCursor().MoveOperation.Start)
    QTest.keyClicks(controller.panel.edit, "xy")
    return window, project_path


def stored_reviews(path) -> tuple[list[str], list[str]]:
    """Return the reviewed fields in a project, and the targets at the end of its visits."""
    with Project.open(path, person="zoe") as project:
        reviews, visits = project.review()
        return [row.fields for row in reviews], [row.visit.after for row in visits]


def test_typed_target_is_stored_when_the_window_closes(typed_project):
    window, project_path = typed_project
    window.close()
    reviews, visits = stored_reviews(project_path)
    assert len(reviews) == 1
    assert visits == ["xya b c"]


def test_typed_target_is_stored_when_another_corpus_opens(typed_project):
    window, project_path = typed_project
    window.workspace.open(small_corpus())
    window.wait_until(lambda: not window.service.pending)
    reviews, visits = stored_reviews(project_path)
    assert len(reviews) == 1
    assert visits == ["xya b c"]


def test_typed_target_is_stored_when_another_project_opens(typed_project, project_path):
    window, typed_path = typed_project
    window.open(project_path)
    reviews, visits = stored_reviews(typed_path)
    assert len(reviews) == 1
    assert visits == ["xya b c"]


def test_typed_target_is_stored_when_the_project_closes(typed_project):
    window, project_path = typed_project
    window.shell.commands["file.close"].trigger()
    window.wait_until(lambda: window.workspace.session is None)
    assert stored_reviews(project_path)[1] == ["xya b c"]
