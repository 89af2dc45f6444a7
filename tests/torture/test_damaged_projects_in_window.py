"""Damaged projects in the real window: all segments and areas are painted, and no slot or painter raises an exception.

One file in fifty of QE_DESKTOP_TORTURE_PROJECTS (2,500).
"""

from __future__ import annotations

import shutil
import sys

import pytest
from PySide6.QtWidgets import QApplication

from tests.torture.project_damage import damage
from tests.torture.test_damaged_projects import FIRST, NUMBER
from tests.torture.valid_project import make_valid_project
from tests.ui.projects.conftest import ProjectWindow, windows

__all__ = ["windows"]


def visit(window: ProjectWindow, path) -> None:
    """Open a project and display all of its segments and areas."""
    window.shell.open_paths([str(path)])
    window.wait_until(window.shell.jobs.is_idle)
    if window.session is not None:
        for kind in window.workspace.kinds():
            window.workspace.set_kind(kind)
            for segment in range(window.session.corpus.size):
                window.workspace.go_to(segment)
                window.shell.grab()
    for area in window.shell.areas.ids():
        window.shell.show_area(area)
        QApplication.processEvents()
        window.shell.grab()
        window.wait_until(window.shell.jobs.is_idle)


@pytest.mark.torture
def test_damaged_projects_cause_no_exception_in_the_window(windows, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    template = make_valid_project(tmp_path / "whole.qedesk")
    failed: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *what: failed.append(what))
    for number in range(FIRST, FIRST + max(1, NUMBER // 50)):
        path = tmp_path / f"{number}.qedesk"
        shutil.copy(template, path)
        what = damage(path, number)
        window = windows("ann")
        visit(window, path)
        assert not failed, f"{number}: {what}: {failed}"
        window.close()
