"""How work is measured: in processor time, beside other work in turn, with the BLAS and the memory that users have.

Processor time is what work takes whatever else the machine is doing; work on several threads counts what each of them
takes. What people wait for with threads, disks or other processes in it is measured by the clock.
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
    """Seconds of processor time that this process, all its threads and the children it waited for have taken so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Processor time of some work, the median of several runs."""
    return statistics.median(both_times(work)[1] for _ in range(times))


def both_times(work: Callable[[], object]) -> tuple[float, float]:
    """How long one run of some work takes by the clock, and its processor time."""
    clock, processor = time.perf_counter(), processor_time()
    work()
    return time.perf_counter() - clock, processor_time() - processor


def ratio(ours: Callable[[], object], theirs: Callable[[], object], times: int = 5, *, best_of: int = 1) -> float:
    """The median of ours over theirs, run in turn, so that a machine that slows down does so for both.

    `best_of`: each turn is the best of so many runs on end. What is done within few milliseconds would else be measured
    by the caches and the memory that the other, which runs far longer, has left behind.
    """
    ours()
    theirs()

    def turn(work: Callable[[], object]) -> float:
        return min(both_times(work)[1] for _ in range(best_of))

    return statistics.median(turn(ours) / turn(theirs) for _ in range(times))


Result = TypeVar("Result")
ORDINARY = 0.05
"""Seconds that `yardstick` takes on an ordinary desktop, which bars in milliseconds are meant for."""


def yardstick() -> float:
    """Processor time of a fixed piece of plain Python: how fast the machine is just now."""
    begun = time.thread_time()
    sum(number * number for number in range(1_000_000))
    return time.thread_time() - begun


def slowness() -> float:
    """How many times slower the machine is just now than an ordinary desktop; 1 where it is as fast or faster.

    A machine that others use may be three times slower in one hour than in the next, which says nothing of the program.
    """
    return max(1.0, statistics.median(yardstick() for _ in range(7)) / ORDINARY)


def with_slowness(work: Callable[[], Result]) -> tuple[Result, float]:
    """What some work gives, and how slow the machine was meanwhile: the lesser of before and after."""
    before = slowness()
    result = work()
    return result, min(before, slowness())


def count_words(*paths: Path) -> None:
    """What reading tags is measured beside: `wc -w` of the same files."""
    subprocess.run(["wc", "-w", *paths], check=True, capture_output=True)


HAS_WC = shutil.which("wc") is not None


def peak_memory() -> float:
    """The most memory that this process has held, in MB.

    The kernel's figure for the program that runs now. The one of `getrusage` outlives the start of a new program, so a
    child would be charged with what its parent held.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
        assert found is not None
        return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def blas_threads() -> int | None:
    """On how many threads numpy's BLAS multiplies; None where that cannot be asked."""
    maps = Path("/proc/self/maps")
    np.ones((2, 2)) @ np.ones((2, 2))
    loaded = re.findall(r"\S*openblas\S*", maps.read_text()) if maps.exists() else []
    for name in ("scipy_openblas_get_num_threads64_", "openblas_get_num_threads64_", "openblas_get_num_threads"):
        for path in dict.fromkeys(loaded):
            if hasattr(library := ctypes.CDLL(path), name):
                return int(getattr(library, name)())
    return None
