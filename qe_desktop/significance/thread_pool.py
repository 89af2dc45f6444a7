"""Work in pieces, shared among threads that fetch the next piece themselves.

Nothing is handed out beforehand: an interrupt from the keyboard strikes the thread that waits, which then holds no lock
that others need, and what was not begun is never done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

WorkItem = TypeVar("WorkItem")


def run_on_threads(pieces: Iterable[WorkItem], threads: int, work: Callable[[Iterator[WorkItem]], object]) -> None:
    """Have `work` go through pieces on so many threads, each piece once; each call of it gets what the others leave.

    What goes wrong in one, or interrupts the wait, ends all of them after the piece they are at, and is raised.
    """
    left, lock, stopped = iter(pieces), threading.Lock(), threading.Event()

    def fetched() -> Iterator[WorkItem]:
        while not stopped.is_set():
            with lock:
                try:
                    piece = next(left)
                except StopIteration:
                    return
            yield piece

    def worked() -> None:
        try:
            work(fetched())
        except BaseException:
            # at once: who waits may come to it later
            stopped.set()
            raise

    pool = ThreadPoolExecutor(threads)
    try:
        running = [pool.submit(worked) for _ in range(threads)]
        for ended in wait(running, return_when=FIRST_EXCEPTION).done:
            ended.result()
    finally:
        stopped.set()
        pool.shutdown()
