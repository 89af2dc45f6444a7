"""Most of the window shows text in Inspect, while reading and while editing."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import TextRole
from qe_desktop.ui.icons import resource_folder
from tests.ui.inspect.text_share import text_shares
from tests.ui.program_driver import run_script

SIZE = 1280, 800
MIN_SHARE = 0.60
EVALUATION, JOB = resource_folder() / "samples/en-de", resource_folder() / "samples/jobs/en-de/manuals.xlf"


@pytest.mark.parametrize(("path", "edits"), [(EVALUATION, False), (EVALUATION, True), (JOB, True)])
def test_text_takes_most_of_the_window(qtbot, path, edits):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(*SIZE)
        area = driver.shell.area("inspect")
        # the longest segment fills the space that the pane reserves for it
        column = driver.workspace.corpus.text(TextRole.MT)
        driver.workspace.go_to(int(np.argmax(column.ends - column.starts)))
        yield lambda: area.reader.page is not None
        if edits:
            driver.shell.commands["inspect.correct"].trigger()
            yield area.segment_pane.target.edit.isVisible
        for _ in range(5):
            yield lambda: not driver.shell.jobs.running_jobs()
        shares = text_shares(area, driver.shell)
        print(path.name, "editing" if edits else "reading", {name: round(share, 3) for name, share in shares.items()})
        assert sum(shares.values()) >= MIN_SHARE

    assert run_script([str(path)], script) == 0


@pytest.mark.parametrize("height", [760, 800, 850, 900])
def test_target_that_becomes_a_line_longer_does_not_cover_the_changes(qtbot, height):
    """The MT becomes one line shorter instead."""

    def script(driver):
        yield driver.is_open
        driver.shell.resize(1300, height)
        driver.workspace.go_to(2)
        area = driver.shell.area("inspect")
        yield lambda: area.reader.page is not None
        driver.shell.commands["inspect.correct"].trigger()
        panel = area.segment_pane.target
        yield panel.edit.isVisible
        panel.edit.insertPlainText(" und noch einige weitere Wörter")
        yield lambda: panel.changes.isVisible() and panel.edit.height() > 2 * panel.edit.fontMetrics().height()
        for _ in range(5):
            yield lambda: not driver.shell.jobs.running_jobs()
        overlap = panel.edit.geometry().bottom() - panel.changes.geometry().top()
        print(height, panel.height(), panel.minimumSizeHint().height(), overlap)
        # prevent a question when the window closes
        driver.workspace.close()
        assert overlap < 0
        assert area.reader.height() > 0

    assert run_script(["demo", "job"], script) == 0
