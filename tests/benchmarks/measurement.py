"""Measurement of work: processor time, alternation with reference work, and BLAS and memory as for users.

Processor time does not depend on other load of the machine; work on several threads counts the sum of their times. Work
of threads, disks or other processes that users wait for is measured by wall-clock time.
"""

from __future__ import annotations

import ctypes
import re
import resource
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np


def processor_time() -> float:
    """Return the processor time in seconds of this process, all its threads, and the children it waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def median_seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the median processor time of several runs of some work."""
    return statistics.median(wall_and_processor_time(work)[1] for _ in range(times))


def wall_and_processor_time(work: Callable[[], object]) -> tuple[float, float]:
    """Return the wall-clock time and the processor time of one run of some work."""
    wall_start, processor_start = time.perf_counter(), processor_time()
    work()
    return time.perf_counter() - wall_start, processor_time() - processor_start


def time_ratio_of(
    work: Callable[[], object], reference: Callable[[], object], times: int = 5, *, best_of: int = 1
) -> float:
    """Return the median ratio of the times of work and reference, run alternately so that a slow machine affects both.

    `best_of`: take the best of a number of consecutive runs. Work of a few milliseconds would otherwise be dominated by
    the caches and the memory that the other, longer work has left.
    """
    work()
    reference()

    def best_time(work: Callable[[], object]) -> float:
        return min(wall_and_processor_time(work)[1] for _ in range(best_of))

    return statistics.median(best_time(work) / best_time(reference) for _ in range(times))


Result = TypeVar("Result")
ORDINARY = 0.05
"""Seconds that `yardstick` takes on an ordinary desktop, for which limits in milliseconds are meant."""


def reference_time() -> float:
    """Return the processor time of a fixed amount of plain Python: the current speed of the machine."""
    start = time.thread_time()
    sum(number * number for number in range(1_000_000))
    return time.thread_time() - start


def slowness() -> float:
    """Return how many times slower the machine currently is than an ordinary desktop, at least 1.

    A shared machine may be three times slower in one hour than in the next, which is independent of the program.
    """
    return max(1.0, statistics.median(reference_time() for _ in range(7)) / ORDINARY)


def measure_with_slowness(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of some work, and the slowness of the machine: the smaller of before and after."""
    before = slowness()
    result = work()
    return result, min(before, slowness())


def count_words(*paths: Path) -> None:
    """Run `wc -w` on files, the reference for loading tags."""
    subprocess.run(["wc", "-w", *paths], check=True, capture_output=True)


HAS_WC = shutil.which("wc") is not None


def peak_memory() -> float:
    """Return the peak memory of this process in MB.

    This is the kernel's value for the current program. That of `getrusage` survives `exec`, so a child would include
    its parent's memory.
    """
    status = Path("/proc/self/status")
    if status.exists():
        match = re.search(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
        assert match is not None
        return int(match[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def blas_threads() -> int | None:
    """Return the number of threads of numpy's BLAS, or None if it is unknown."""
    maps = Path("/proc/self/maps")
    np.ones((2, 2)) @ np.ones((2, 2))
    loaded = re.findall(r"\S*openblas\S*", maps.read_text()) if maps.exists() else []
    for name in ("scipy_openblas_get_num_threads64_", "openblas_get_num_threads64_", "openblas_get_num_threads"):
        for path in dict.fromkeys(loaded):
            if hasattr(library := ctypes.CDLL(path), name):
                return int(getattr(library, name)())
    return None
