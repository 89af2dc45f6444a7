"""The segment list keeps its height while a target is edited in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from qe_desktop.ui.icons import resource_folder
from tests.ui.program_driver import run_script


@pytest.mark.parametrize("place", [11, 16])
def test_nothing_moves_when_a_segment_longer_than_most_is_edited(qtbot, place):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(1280, 800)
        area, workspace = driver.shell.area("inspect"), driver.workspace
        workspace.go_to(place)
        yield lambda: area.reader.page is not None and not driver.shell.jobs.running_jobs()
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        row = area.view.verticalHeader().defaultSectionSize()
        before = area.list_splitter.sizes()[0]
        driver.shell.commands["inspect.correct"].trigger()
        yield area.segment_pane.target.edit.isVisible
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        assert abs(area.list_splitter.sizes()[0] - before) < row / 3
        QTest.keyClicks(area.segment_pane.target.edit, "a")
        yield area.segment_pane.target.changes.isVisible
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        assert abs(area.list_splitter.sizes()[0] - before) < row / 3
        # prevent a question when the window closes
        area.segment_pane.target.edit.undo()
        yield lambda: not area.segment_pane.target.changes.isVisible()
        # a committed edit is undone by another edit
        driver.shell.commands["inspect.correct"].trigger()

    assert run_script([str(resource_folder() / "samples/jobs/en-de/manuals.xlf")], script) == 0


def test_list_takes_the_space_below_compared_translations(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(1920, 1080)
        area, workspace = driver.shell.area("inspect"), driver.workspace
        yield lambda: not driver.shell.jobs.running_jobs()
        level = next(level for level in workspace.levels() if level.name == "translations")
        workspace.set_level(level)
        yield lambda: not driver.shell.jobs.running_jobs()
        layers = driver.wiring.scores.layers
        workspace.segments_requested.emit(layers[0], layers[1], "BLEU", level, workspace.reference)
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        row = area.view.verticalHeader().defaultSectionSize()
        pane = area.segment_pane
        needed = pane.source.height() + pane._panels_below.sizeHint().height()
        assert pane.height() - needed < 6 * row

    assert run_script([str(resource_folder() / "samples/en-de")], script) == 0
