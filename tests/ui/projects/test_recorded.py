"""What was typed and recorded last is in the project, however the target was left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtTest import QTest

from qe_desktop.corpus import TextColumn, TextRole
from qe_desktop.project.store import Project
from tests.ui.projects.conftest import small_corpus


@pytest.fixture
def typing(windows, tmp_path):
    """A window on a project in which a target is being typed and recorded, and its place."""
    place = tmp_path / "texts.qedesk"
    texts = {role: TextColumn.of(["a b c", "d e f g", "h"]) for role in (TextRole.SOURCE, TextRole.MT)}
    Project.create(place, replace(small_corpus(), texts=texts), person="Anna").close()
    window = windows("Anna")
    window.open(place)
    window.shell.show_area("inspect")
    window.wiring.recording.set_running(True)
    controller = window.shell.area("inspect").correcting.controller
    controller.correct()
    assert controller.segment == 0
    controller.panel.edit.moveCursor(controller.panel.edit.textCursor().MoveOperation.Start)
    QTest.keyClicks(controller.panel.edit, "xy")
    return window, place


def kept(place) -> tuple[list[str], list[str]]:
    """The targets that a project has, and those that visits ended with."""
    with Project.open(place, person="zoe") as project:
        reviews, visits = project.review()
        return [row.fields for row in reviews], [row.visit.after for row in visits]


def test_by_closing_the_window(typing):
    window, place = typing
    window.close()
    reviews, visits = kept(place)
    assert len(reviews) == 1
    assert visits == ["xya b c"]


def test_by_opening_another_corpus(typing):
    window, place = typing
    window.workspace.open(small_corpus())
    window.until(lambda: not window.service.pending)
    reviews, visits = kept(place)
    assert len(reviews) == 1
    assert visits == ["xya b c"]


def test_by_opening_another_project(typing, path):
    window, place = typing
    window.open(path)
    reviews, visits = kept(place)
    assert len(reviews) == 1
    assert visits == ["xya b c"]


def test_by_closing_what_is_open(typing):
    window, place = typing
    window.shell.commands["file.close"].trigger()
    window.until(lambda: window.workspace.session is None)
    assert kept(place)[1] == ["xya b c"]
