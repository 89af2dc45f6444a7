"""Units of work run on threads of this machine, or wherever else; what ends early keeps what was found."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from qe_desktop.metrics.family import Floats
from qe_desktop.studies.sampling.data_sets import Check, DataSets

Unit = Callable[[DataSets, int, Check | None], Floats]
Results = Generator[tuple[int, Floats], None, None]
"""Numbers and what units of these numbers found, in the order in which they end; the work ends when it is closed."""
Run = Callable[[Unit, DataSets, Iterable[int]], Results]
AHEAD = 2
"""Units that wait for each worker: enough that none is idle."""


class _Stopped(Exception):
    """Nobody waits for this unit any more."""


def threads(workers: int | None = None) -> Run:
    """On so many threads: nearly all of the work is done in numpy and scipy, where threads do not wait for each other.

    As many as there are processors for this program, where nobody says.
    """
    count = workers or _cores()

    def run(unit: Unit, sets: DataSets, numbers: Iterable[int]) -> Results:
        stopping = threading.Event()

        def check() -> None:
            if stopping.is_set():
                raise _Stopped

        left = iter(numbers)
        waiting: dict[Future[Floats], int] = {}
        with ThreadPoolExecutor(count) as pool:
            try:
                while True:
                    while len(waiting) < AHEAD * count and (number := next(left, None)) is not None:
                        waiting[pool.submit(unit, sets, number, check)] = number
                    if not waiting:
                        return
                    for future in sorted(wait(waiting, return_when=FIRST_COMPLETED).done, key=waiting.__getitem__):
                        yield waiting.pop(future), future.result()
            finally:
                stopping.set()
                for future in waiting:
                    future.cancel()

    return run


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
