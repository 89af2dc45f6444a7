"""Pages offer the same ways to begin while nothing is open."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton

from qe_desktop.ui.widgets.placeholder_page import OPEN_SAMPLE
from tests.ui.program_driver import run_script


@pytest.mark.parametrize("area", ["inspect", "scores", "rate"])
def test_every_empty_page_opens_the_sample_and_stays(qtbot, area):
    def script(driver):
        shell = driver.shell
        yield lambda: not shell.jobs.running_jobs()
        shell.commands[f"view.area-{area}"].trigger()

        def offered() -> list[QPushButton]:
            buttons = shell.findChildren(QPushButton, OPEN_SAMPLE.id)
            return [button for button in buttons if button.isVisible()]

        yield offered
        offered()[0].click()
        yield driver.is_open
        assert not offered()
        assert shell.areas.current == area, "the sample can be read, scored and rated"

    assert run_script([], script) == 0
