"""The keeper: rows that wait for long are kept in a file beside, so that a crash does not lose them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from qe_desktop.project.events import Row
from qe_desktop.project.store.spool import Spool

GRACE = 0.25
"""Seconds that a row may wait for its commit before it is kept in the file as well."""

_LOG = logging.getLogger(__name__)


class Queue(NamedTuple):
    """How many rows were committed, how many were ever queued, and whether the database is in trouble."""

    committed: int
    queued: int
    trouble: bool


class SpoolKeeper:
    """A thread that owns a spool file.

    `state` looks at the queue; `rows` gives all waiting rows from a number on, and the number behind the last.
    """

    def __init__(
        self, spool: Spool, state: Callable[[], Queue], rows: Callable[[int], tuple[list[Row], int]], name: str
    ) -> None:
        self._spool = spool
        self._state = state
        self._rows = rows
        self._woken = threading.Event()
        self._ending = False
        self._failed = False
        self._kept = 0
        self._thread = threading.Thread(target=self._run, name=f"keeper of {name}", daemon=True)

    def start(self) -> None:
        """Begin to look after the queue."""
        self._thread.start()

    @property
    def kept(self) -> int:
        """How many of the rows ever queued, from the first on, need not be kept any more: they are in the file."""
        return self._kept

    def wake(self) -> None:
        """Rows have come, or the database does not take them."""
        self._woken.set()

    def end(self, timeout: float) -> None:
        """Keep what is left, or clear the file, and end."""
        self._ending = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        while not self._ending:
            self._woken.wait()
            self._woken.clear()
            try:
                self._watch()
            except OSError:
                # the rows are still in memory, and it is tried again
                if not self._failed:
                    _LOG.exception("rows could not be kept in the spool file")
                self._failed = True
                self._woken.wait(GRACE)
                self._woken.set()
            else:
                self._failed = False
        # whoever opens the project next, in this program or another, may take the rows
        self._spool.close()

    def _watch(self) -> None:
        """Look after the queue until it is empty."""
        seen, since = 0, time.monotonic()
        while True:
            ending = self._ending
            state = self._state()
            if state.committed == state.queued:
                self._spool.clear()
                return
            # rows of a look that are still there have waited for long enough once the grace is over, and not before:
            # those that come later wake this thread as well
            waited = state.committed < seen and time.monotonic() - since >= GRACE
            if (state.trouble or ending or waited) and self._kept < state.queued:
                rows, behind = self._rows(self._kept)
                self._spool.keep(rows)
                self._kept = behind
            if ending:
                return
            if waited or state.committed >= seen:
                seen, since = state.queued, time.monotonic()
            self._woken.wait(max(0.0, since + GRACE - time.monotonic()))
            self._woken.clear()
