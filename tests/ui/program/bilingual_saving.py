"""Helpers of tests that save bilingual files in the window."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from tests.ui.program_driver import ProgramDriver


def edit_target(driver: ProgramDriver, segment: int, line: str, status: ReviewStatus | None = None) -> None:
    """Set the target and optionally the status of a segment, as an edit of the user."""
    fields = {ReviewField.TARGET: line} | ({ReviewField.STATUS: status} if status is not None else {})
    driver.workspace.session.reviewing.set({segment: fields})


def notice_titles(driver: ProgramDriver) -> list[str]:
    """Return the titles of the notices in the window."""
    return [notice.message.title for notice in driver.shell.notices.notices()]


def start_save(driver: ProgramDriver, save: Callable[[], object] | None = None) -> Callable[[], object]:
    """Trigger Save, or call `save`; return the condition that saving has ended."""
    return start_recorded_save(driver, save)[1]


def start_recorded_save(
    driver: ProgramDriver, save: Callable[[], object] | None = None
) -> tuple[list[bool], Callable[[], object]]:
    """Trigger Save, or call `save`; return a list that receives the result, and the condition that saving has ended."""
    results: list[bool] = []
    driver.wiring.job_saver.ended.connect(results.append)
    (save or driver.shell.commands["file.save"].trigger)()
    return results, lambda: results and not driver.shell.jobs.running_jobs()
