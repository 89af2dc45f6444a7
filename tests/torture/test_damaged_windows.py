"""A damaged project in the real window: every segment and every area is painted, and no slot or painter fails.

A fiftieth of the files that QE_DESKTOP_TORTURE_PROJECTS asks for (2,500).
"""

from __future__ import annotations

import shutil
import sys

import pytest
from PySide6.QtWidgets import QApplication

from tests.torture.damaging import damage
from tests.torture.test_damaged_projects import FIRST, NUMBER
from tests.torture.whole_project import make
from tests.ui.projects.conftest import Window, windows

__all__ = ["windows"]


def visit(window: Window, place) -> None:
    """Open a project and look at all of it."""
    window.shell.open_paths([str(place)])
    window.until(window.shell.jobs.idle)
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
        window.until(window.shell.jobs.idle)


@pytest.mark.torture
def test_no_damaged_project_tears_the_window(windows, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    template = make(tmp_path / "whole.qedesk")
    failed: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *what: failed.append(what))
    for number in range(FIRST, FIRST + max(1, NUMBER // 50)):
        place = tmp_path / f"{number}.qedesk"
        shutil.copy(template, place)
        what = damage(place, number)
        window = windows("ann")
        visit(window, place)
        assert not failed, f"{number}: {what}: {failed}"
        window.close()
