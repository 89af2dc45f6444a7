"""How long tests wait for what must come: one end for all waits, far beyond what a loaded machine takes.

No test counts on being fast. Whoever waits takes PATIENCE (or its milliseconds) and a condition; that what must not
come does not come is seen by what comes after it. QE_DESKTOP_PATIENCE multiplies it, for machines slower still.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable

import pytest

PATIENCE = 300.0 * float(os.environ.get("QE_DESKTOP_PATIENCE", "1"))
"""Seconds, some hundred times what the longest wait takes on a quiet machine."""
HOW_OFTEN = [
    pytest.param(int(os.environ.get("QE_DESKTOP_KILLS", "12")), id="short"),
    pytest.param(int(os.environ.get("QE_DESKTOP_TORTURE_KILLS", "200")), id="long", marks=pytest.mark.torture),
]
"""How often a program is killed while it writes: a few times in every run of the tests, many times in the torture."""
MILLISECONDS = round(PATIENCE * 1000)


def wait_until(holds: Callable[[], object], what: str = "it did not come", every: float = 0.005) -> None:
    """Wait for a condition that another thread or process brings about; AssertionError with `what` at the end."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        pause(every)


def pause(seconds: float) -> None:
    """Let others work; nothing may depend on how long it takes."""
    if sys.platform == "win32":
        time.sleep(seconds)
    else:
        select.select([], [], [], seconds)
