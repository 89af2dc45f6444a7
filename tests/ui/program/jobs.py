"""What people do to translators' files in the window, for the tests of saving them."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from tests.ui.driving import Desk


def correct(desk: Desk, segment: int, line: str, status: ReviewStatus | None = None) -> None:
    fields = {ReviewField.TARGET: line} | ({ReviewField.STATUS: status} if status is not None else {})
    desk.workspace.session.reviewing.set({segment: fields})


def said(desk: Desk) -> list[str]:
    return [notice.message.title for notice in desk.shell.notices.notices()]


def saves(desk: Desk) -> Callable[[], object]:
    """Save, and wait until that came to its end."""
    ended: list[bool] = []
    desk.wiring.job_saver.ended.connect(ended.append)
    desk.shell.commands["file.save"].trigger()
    return lambda: ended and not desk.shell.jobs.running()


def saving(desk: Desk) -> tuple[list[bool], Callable[[], object]]:
    """Save; how it ended, once the condition holds."""
    ended: list[bool] = []
    desk.wiring.job_saver.ended.connect(ended.append)
    desk.shell.commands["file.save"].trigger()
    return ended, lambda: ended and not desk.shell.jobs.running()
