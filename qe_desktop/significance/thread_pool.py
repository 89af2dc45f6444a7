"""Run work on threads that pull items from a shared iterator.

KeyboardInterrupt reaches the waiting thread, which has no lock; items not yet started are dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

WorkItem = TypeVar("WorkItem")


def run_on_threads(pieces: Iterable[WorkItem], threads: int, work: Callable[[Iterator[WorkItem]], object]) -> None:
    """Run `work` on a number of threads; each call gets an iterator over the shared items, each item once.

    An exception in one thread, or an interrupt, stops all threads after their current item and is raised.
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
            # set here, as the waiting thread may be slow to react
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
