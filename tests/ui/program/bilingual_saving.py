"""Helpers of tests that save bilingual files in the window."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from tests.ui.program_driver import Desk


def correct(controller: Desk, segment: int, line: str, status: ReviewStatus | None = None) -> None:
    fields = {ReviewField.TARGET: line} | ({ReviewField.STATUS: status} if status is not None else {})
    controller.workspace.session.reviewing.set({segment: fields})


def said(controller: Desk) -> list[str]:
    return [notice.message.title for notice in controller.shell.notices.notices()]


def saves(controller: Desk) -> Callable[[], object]:
    """Save; return the condition that saving has ended."""
    ended: list[bool] = []
    controller.wiring.job_saver.ended.connect(ended.append)
    controller.shell.commands["file.save"].trigger()
    return lambda: ended and not controller.shell.jobs.running()


def saving(controller: Desk) -> tuple[list[bool], Callable[[], object]]:
    """Save; return the list of its result and the condition that saving has ended."""
    ended: list[bool] = []
    controller.wiring.job_saver.ended.connect(ended.append)
    controller.shell.commands["file.save"].trigger()
    return ended, lambda: ended and not controller.shell.jobs.running()
