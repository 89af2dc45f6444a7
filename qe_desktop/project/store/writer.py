"""Writer thread that commits queued rows in batches, in order."""

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
from qe_desktop.project.store.errors import TransientError, unexpected_rejection
from qe_desktop.project.store.spool import QueueState, Spool, SpoolWriter

MAX_BATCH_ROWS = 5_000
"""Maximum number of rows per transaction."""
BATCH_DELAY_SECONDS = 0.01
"""Seconds that a batch waits for further rows, unless it is full or `flush` was called.

The delay also lets the window show an edit before its commit competes with the window for the interpreter lock.
"""
IDLE_SECONDS = 1.0
"""Seconds without queued rows before `checkpoint` is called, and before each further call while it returns False."""

_LOG = logging.getLogger(__name__)

OnSaved = Callable[[int, float], None]
"""Listener called after each commit with the number of rows committed and the Unix time."""
OnError = Callable[[QeError | None], None]
"""Listener called with an error that delays saving or rejects a row, and with None once saving works again."""


@dataclass(frozen=True, slots=True)
class BackOff:
    """Retry delays: `first_delay_seconds`, multiplied by `factor` after each failure, at most `max_delay_seconds`."""

    first_delay_seconds: float = 0.2
    factor: float = 2.0
    max_delay_seconds: float = 5.0

    def delay_seconds(self, tries: int) -> float:
        """Delay after `tries` failures (1 or more)."""
        return min(self.max_delay_seconds, self.first_delay_seconds * self.factor ** min(tries - 1, 32))


class Writer:
    """Writer thread for rows; `append` never blocks, and rows are reported as saved only after their commit.

    `commit` writes a batch in one transaction. It raises TransientError if a retry may succeed; after any other error
    the rejected rows are set aside and the other rows of the batch are saved. Listeners run on the writer thread. Rows
    that wait too long are also stored in `spool`, if there is one. `checkpoint` is called on the writer thread when no
    row was queued for `IDLE_SECONDS` after a commit, and is called again after each idle period until it returns True.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[Row]], None],
        *,
        back_off: BackOff | None = None,
        spool: Spool | None = None,
        checkpoint: Callable[[], bool] | None = None,
        name: str = "project",
    ) -> None:
        self.on_saved: list[OnSaved] = []
        self.on_error: list[OnError] = []
        self._commit = commit
        self._back_off = back_off or BackOff()
        self._spool = spool
        self._checkpoint = checkpoint
        self._condition = threading.Condition()
        self._queue: deque[Row] = deque()
        self._committed = 0
        self._rejected: list[tuple[Row, QeError]] = []
        self._error: QeError | None = None
        self._failure_count = 0
        self._flush_count = 0
        self._should_retry_now = False
        self._needs_checkpoint = False
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"writer of {name}", daemon=True)
        self._spool_writer = None if spool is None else SpoolWriter(spool, self._state, self._rows_from, name)

    # --- any thread

    def append(self, rows: Sequence[Row]) -> None:
        """Queue rows, which are committed in the given order. Raises QeError if the project is closed."""
        if not rows:
            return
        with self._condition:
            if self._closing:
                raise QeError(tr("the project is closed"), hint=tr("Open it again."))
            should_wake = not self._queue or self._error is not None
            self._queue.extend(rows)
            self._start()
            self._condition.notify_all()
        if self._spool_writer is not None and should_wake:
            self._spool_writer.notify()

    def checkpoint_later(self) -> None:
        """Schedule a call of `checkpoint`. Used after a commit outside this queue that could not be checkpointed."""
        with self._condition:
            if not self._closing:
                self._needs_checkpoint = self._checkpoint is not None
                self._start()
                self._condition.notify_all()

    def _start(self) -> None:
        """Start the threads if they have not been started."""
        if self._thread.ident is None:
            self._thread.start()
            if self._spool_writer is not None:
                self._spool_writer.start()

    @property
    def pending(self) -> int:
        """Number of uncommitted rows."""
        return len(self._queue)

    @property
    def is_stored(self) -> bool:
        """Whether all uncommitted rows are in the spool file, so that they cannot be lost."""
        with self._condition:
            queued = self._committed + len(self._queue)
            return not self._queue or (self._spool_writer is not None and self._spool_writer.stored_rows >= queued)

    def pending_rows(self) -> tuple[Row, ...]:
        """Uncommitted rows."""
        with self._condition:
            return tuple(self._queue)

    @property
    def rejected_rows(self) -> tuple[tuple[Row, QeError], ...]:
        """Rejected rows, each with the error."""
        with self._condition:
            return tuple(self._rejected)

    @property
    def error(self) -> QeError | None:
        """Error that currently prevents saving; None if there is none."""
        return self._error

    def flush(self, timeout: float | None = None) -> bool:
        """Retry immediately and wait until all rows are processed; return False if `timeout` seconds pass first."""
        with self._condition:
            self._flush_count += 1
            self._should_retry_now = True
            self._condition.notify_all()
            try:
                return self._condition.wait_for(lambda: not self._queue, timeout)
            finally:
                self._flush_count -= 1

    def close(self, timeout: float = 5.0) -> int:
        """Wait up to `timeout` seconds for commits, then stop the threads; return the number of uncommitted rows."""
        if self._closing:
            return self.pending
        is_flushed = self.flush(timeout)
        with self._condition:
            self._closing = True
            self._condition.notify_all()
        if self._thread.ident is not None:
            self._thread.join(timeout if is_flushed else 1.0)
        if self._spool_writer is not None:
            self._spool_writer.end(timeout)
        return self.pending

    # --- writer thread

    def _run(self) -> None:
        while True:
            with self._condition:
                is_idle = self._needs_checkpoint
                self._condition.wait_for(partial(self._has_work, is_idle), IDLE_SECONDS if is_idle else None)
                if self._queue:
                    self._condition.wait_for(self._is_batch_due, BATCH_DELAY_SECONDS)
                if self._closing:
                    return
                batch = tuple(islice(self._queue, MAX_BATCH_ROWS))
            if batch:
                written = self._write(batch)
                self._needs_checkpoint = self._checkpoint is not None and (written or self._needs_checkpoint)
            elif is_idle and self._checkpoint is not None:
                self._needs_checkpoint = not _try_checkpoint(self._checkpoint)

    def _has_work(self, is_idle: bool) -> bool:
        """Return whether rows are queued, the writer is closing or, unless `is_idle`, a checkpoint is needed."""
        return bool(self._queue) or self._closing or (self._needs_checkpoint and not is_idle)

    def _is_batch_due(self) -> bool:
        """Return whether the next batch is full, or `flush` or `close` waits for it."""
        return len(self._queue) >= MAX_BATCH_ROWS or bool(self._flush_count) or self._closing

    def _write(self, batch: Sequence[Row]) -> bool:
        """Commit a batch, bisecting it if a row is rejected; return False if rows remain that must be retried."""
        try:
            self._commit(batch)
        except TransientError as error:
            self._wait_after(error)
            return False
        except Exception as error:
            if len(batch) > 1:
                half = len(batch) // 2
                return self._write(batch[:half]) and self._write(batch[half:])
            self._reject_row(batch[0], error)
        else:
            self._remove_first_rows(len(batch))
        return True

    def _remove_first_rows(self, count: int, *, saved: bool = True) -> None:
        """Remove the first `count` rows from the queue; if `saved`, report them to the listeners."""
        with self._condition:
            for _ in range(count):
                self._queue.popleft()
            self._committed += count
            recovered, self._error, self._failure_count = self._error is not None, None, 0
        if recovered:
            # a rejected row shows that saving works again
            self._report_error(None)
        if saved:
            now = time.time()
            for listener in tuple(self.on_saved):
                _suppress_errors(listener, count, now)
        # wake `flush` only after the listeners were called
        with self._condition:
            self._should_retry_now = False
            self._condition.notify_all()

    def _reject_row(self, row: Row, error: Exception) -> None:
        if not isinstance(error, QeError):
            error = unexpected_rejection(error)
        with self._condition:
            self._rejected.append((row, error))
        if self._spool is not None:
            error = self._set_aside(row, error)
        self._report_error(error)
        self._remove_first_rows(1, saved=False)

    def _set_aside(self, row: Row, error: QeError) -> QeError:
        """Store a rejected row in a file; return the error with the file's path in its hint."""
        assert self._spool is not None
        try:
            path = self._spool.set_aside(row, error)
        except Exception:
            # the row may be one that cannot be encoded; the writer must not stop
            _LOG.exception("a rejected row could not be stored")
            return error
        note = tr("The change is stored in {file}.", file=path)
        return type(error)(error.message, hint=f"{error.hint} {note}".strip(), place=error.place)

    def _wait_after(self, error: QeError) -> None:
        """Report an error, unless the previous attempt failed as well, and wait before the next attempt."""
        with self._condition:
            first = self._error is None
            self._error = error
            self._failure_count += 1
            self._should_retry_now = False
        if first:
            self._report_error(error)
        if self._spool_writer is not None:
            self._spool_writer.notify()
        with self._condition:
            wait = (
                self._back_off.first_delay_seconds
                if self._flush_count
                else self._back_off.delay_seconds(self._failure_count)
            )
            self._condition.wait_for(lambda: self._should_retry_now or self._closing, wait)

    def _report_error(self, error: QeError | None) -> None:
        for listener in tuple(self.on_error):
            _suppress_errors(listener, error)

    # --- spool writer

    def _state(self) -> QueueState:
        with self._condition:
            return QueueState(self._committed, self._committed + len(self._queue), self._error is not None)

    def _rows_from(self, number: int) -> tuple[list[Row], int]:
        with self._condition:
            rows = list(islice(self._queue, max(0, number - self._committed), None))
            return rows, self._committed + len(self._queue)


def _try_checkpoint(checkpoint: Callable[[], bool]) -> bool:
    """Call `checkpoint` and return its result, or True if it raises an exception, so that there is no retry."""
    try:
        return checkpoint()
    except Exception:
        _LOG.exception("the journal could not be checkpointed")
        return True


def _suppress_errors(listener: Callable[..., None], *values: object) -> None:
    """Call a listener. Its exceptions are logged, so that they do not stop the writer."""
    try:
        listener(*values)
    except Exception:
        _LOG.exception("a listener of the project failed")
