"""Common timeout of all waits in tests, far above the time that a loaded machine takes.

No test depends on speed. Tests wait for a condition with PATIENCE (or its milliseconds). That something does not happen
is checked by a later event. QE_DESKTOP_PATIENCE multiplies the timeout for slower machines.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable

import pytest

PATIENCE = 300.0 * float(os.environ.get("QE_DESKTOP_PATIENCE", "1"))
"""Timeout in seconds, some hundred times the longest wait on an idle machine."""
KILL_COUNTS = [
    pytest.param(int(os.environ.get("QE_DESKTOP_KILLS", "12")), id="short"),
    pytest.param(int(os.environ.get("QE_DESKTOP_TORTURE_KILLS", "500")), id="long", marks=pytest.mark.torture),
]
"""Number of kills of a program that writes: a few in each test run, many in the torture run."""
MILLISECONDS = round(PATIENCE * 1000)


def wait_until(
    condition: Callable[[], object], message: str = "the condition is still false", interval_s: float = 0.005
) -> None:
    """Wait for a condition that another thread or process fulfils; fail with the message at the timeout."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, message
        pause(interval_s)


def pause(seconds: float) -> None:
    """Let other threads and processes run; nothing may depend on the duration."""
    if sys.platform == "win32":
        time.sleep(seconds)
    else:
        select.select([], [], [], seconds)
