"""The writer: rows wait in a queue, and one thread commits all that wait at once, in order, again and again."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import Row
from qe_desktop.project.store.errors import RejectedError, TransientError
from qe_desktop.project.store.write_queue.spool import QueueState, Spool, SpoolWriter

MAX_BATCH_ROWS = 5_000
"""Rows of one transaction at most."""
RETRY_SECONDS = 1.0
"""Seconds without a row after which what was written is put in order."""

_LOG = logging.getLogger(__name__)

OnSaved = Callable[[int, float], None]
OnError = Callable[[QeError | None], None]


@dataclass(frozen=True, slots=True)
class BackOff:
    """How long to wait before trying again: `first` seconds, then `factor` times as long, `most` at most."""

    first: float = 0.2
    factor: float = 2.0
    most: float = 5.0

    def after(self, tries: int) -> float:
        """The wait after so many failures (1 or more)."""
        return min(self.most, self.first * self.factor ** min(tries - 1, 32))


class Writer:
    """Commits rows on a thread of its own. `append` never waits; "saved" is said only after a commit.

    `commit` writes a batch in one transaction and raises Trouble where it may be tried again, and any other error for
    rows that will never be taken: those are set aside, so that they do not hold up the rest. Listeners are called on
    the writer's thread. Rows that wait for long are also kept in `spool`, where there is one. `settle` is called on the
    writer's thread once no row has come for a while after some were committed, and again while it says False.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[Row]], None],
        *,
        back_off: BackOff | None = None,
        spool: Spool | None = None,
        settle: Callable[[], bool] | None = None,
        name: str = "project",
    ) -> None:
        self.on_saved: list[OnSaved] = []
        self.on_trouble: list[OnError] = []
        self._commit = commit
        self._back_off = back_off or BackOff()
        self._spool = spool
        self._settle = settle
        self._ready = threading.Condition()
        self._queue: deque[Row] = deque()
        self._committed = 0
        self._refused: list[tuple[Row, QeError]] = []
        self._trouble: QeError | None = None
        self._tries = 0
        self._flushing = 0
        self._hurry = False
        self._unsettled = False
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"writer of {name}", daemon=True)
        self._service = None if spool is None else SpoolWriter(spool, self._state, self._from, name)

    # --- for everybody

    def append(self, rows: Sequence[Row]) -> None:
        """Queue rows; they are committed in this order. QeError once the project is closed."""
        if not rows:
            return
        with self._ready:
            if self._closing:
                raise QeError(tr("the project is closed"), hint=tr("Open it again."))
            wake = not self._queue or self._trouble is not None
            self._queue.extend(rows)
            self._start()
            self._ready.notify_all()
        if self._service is not None and wake:
            self._service.wake()

    def settle_later(self) -> None:
        """Settle after a while, for what was committed elsewhere and could not be settled at once."""
        with self._ready:
            if not self._closing:
                self._unsettled = self._settle is not None
                self._start()
                self._ready.notify_all()

    def _start(self) -> None:
        """Start the threads with the first thing to do."""
        if self._thread.ident is None:
            self._thread.start()
            if self._service is not None:
                self._service.start()

    @property
    def pending(self) -> int:
        """How many rows are not yet committed."""
        return len(self._queue)

    @property
    def is_kept(self) -> bool:
        """Whether all rows that are not yet committed are in a file of this computer, so that nothing can lose them."""
        with self._ready:
            queued = self._committed + len(self._queue)
            return not self._queue or (self._service is not None and self._service.kept >= queued)

    def waiting(self) -> tuple[Row, ...]:
        """The rows that are not yet committed."""
        with self._ready:
            return tuple(self._queue)

    @property
    def refused(self) -> tuple[tuple[Row, QeError], ...]:
        """Rows that the database would not take, and why."""
        with self._ready:
            return tuple(self._refused)

    @property
    def trouble(self) -> QeError | None:
        """What keeps rows from being saved, or None."""
        return self._trouble

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all rows are dealt with, trying again at once; False where that takes longer than `timeout`."""
        with self._ready:
            self._flushing += 1
            self._hurry = True
            self._ready.notify_all()
            try:
                return self._ready.wait_for(lambda: not self._queue, timeout)
            finally:
                self._flushing -= 1

    def close(self, timeout: float = 5.0) -> int:
        """Commit what waits, as far as it can be within `timeout`, and end the threads; how many rows are left."""
        if self._closing:
            return self.pending
        done = self.flush(timeout)
        with self._ready:
            self._closing = True
            self._ready.notify_all()
        if self._thread.ident is not None:
            self._thread.join(timeout if done else 1.0)
        if self._service is not None:
            self._service.end(timeout)
        return self.pending

    # --- the writer's thread

    def _run(self) -> None:
        while True:
            with self._ready:
                resting = self._unsettled
                self._ready.wait_for(
                    partial(self._is_wanted, resting),
                    RETRY_SECONDS if resting else None,
                )
                if self._closing:
                    return
                batch = tuple(islice(self._queue, MAX_BATCH_ROWS))
            if batch:
                written = self._write(batch)
                self._unsettled = self._settle is not None and (written or self._unsettled)
            elif resting and self._settle is not None:
                self._unsettled = not _is_settled(self._settle)

    def _is_wanted(self, resting: bool) -> bool:
        """Whether there is anything to do at once; settling comes after a rest."""
        return bool(self._queue) or self._closing or (self._unsettled and not resting)

    def _write(self, batch: Sequence[Row]) -> bool:
        """Commit a batch, or the halves of one that holds rows which are not taken; False where it has to wait."""
        try:
            self._commit(batch)
        except TransientError as error:
            self._wait_after(error)
            return False
        except Exception as error:
            if len(batch) > 1:
                half = len(batch) // 2
                return self._write(batch[:half]) and self._write(batch[half:])
            self._refuse(batch[0], error)
        else:
            self._done(len(batch))
        return True

    def _done(self, count: int, *, saved: bool = True) -> None:
        """Take the first rows off the queue, and say that they are saved."""
        with self._ready:
            for _ in range(count):
                self._queue.popleft()
            self._committed += count
            recovered, self._trouble, self._tries = self._trouble is not None, None, 0
        if recovered and saved:
            self._tell_trouble(None)
        if saved:
            now = time.time()
            for listener in tuple(self.on_saved):
                _suppress_errors(listener, count, now)
        # whoever waits for an empty queue goes on only when the listeners know
        with self._ready:
            self._hurry = False
            self._ready.notify_all()

    def _refuse(self, row: Row, error: Exception) -> None:
        if not isinstance(error, QeError):
            _LOG.error("a row could not be written", exc_info=error)
            message = tr("a row cannot be kept: {error}", error=error)
            error = RejectedError(message, hint=tr("This is a fault of the program; please report it."))
        with self._ready:
            self._refused.append((row, error))
        if self._spool is not None:
            error = self._set_aside(row, error)
        self._tell_trouble(error)
        self._done(1, saved=False)

    def _set_aside(self, row: Row, error: QeError) -> QeError:
        """Keep a refused row in a file, and say in which."""
        assert self._spool is not None
        try:
            path = self._spool.set_aside(row, error)
        except OSError:
            _LOG.exception("a refused row could not be kept")
            return error
        kept = tr("It is kept in {file}.", file=path)
        return type(error)(error.message, hint=f"{error.hint} {kept}".strip(), place=error.place)

    def _wait_after(self, error: QeError) -> None:
        """Say once what is wrong, and wait for the next try."""
        with self._ready:
            first = self._trouble is None
            self._trouble = error
            self._tries += 1
            self._hurry = False
        if first:
            self._tell_trouble(error)
        if self._service is not None:
            self._service.wake()
        with self._ready:
            wait = self._back_off.first if self._flushing else self._back_off.after(self._tries)
            self._ready.wait_for(lambda: self._hurry or self._closing, wait)

    def _tell_trouble(self, error: QeError | None) -> None:
        for listener in tuple(self.on_trouble):
            _suppress_errors(listener, error)

    # --- for the keeper

    def _state(self) -> QueueState:
        with self._ready:
            return QueueState(self._committed, self._committed + len(self._queue), self._trouble is not None)

    def _from(self, number: int) -> tuple[list[Row], int]:
        with self._ready:
            rows = list(islice(self._queue, max(0, number - self._committed), None))
            return rows, self._committed + len(self._queue)


def _is_settled(settle: Callable[[], bool]) -> bool:
    """Whether nothing is left to settle; a failure is not tried again."""
    try:
        return settle()
    except Exception:
        _LOG.exception("what was committed could not be put into the file")
        return True


def _suppress_errors(listener: Callable[..., None], *values: object) -> None:
    """A listener that fails must not end the writing."""
    try:
        listener(*values)
    except Exception:
        _LOG.exception("a listener of the project failed")
