"""Work that does not block the window: background jobs, and tasks that run in steps on the GUI thread."""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from qe_desktop.i18n.messages import to_english, tr

if TYPE_CHECKING:
    from qe_desktop.corpus import QeError


R = TypeVar("R")
log = logging.getLogger(__name__)

INTERACTIVE_THREADS = 3
"""Number of threads for short jobs that the user waits for: opening, saving, filtering."""
COMPUTING_THREADS = 2
"""Number of threads for computations, exports and imports of any duration."""
MAX_ITERATION_WAIT_S = 0.1
"""Maximum time in seconds that a job waits for the end of the event-loop iteration in which it was submitted."""


class JobCancelled(Exception):
    """Raised inside a job whose result is no longer needed."""


class Progress:
    """Object with which a running job reports its progress and checks whether it was cancelled."""

    def __init__(self, on_report: Callable[[Any], None]) -> None:
        self._on_report = on_report
        self._cancelled = threading.Event()
        self.fraction = 0.0
        self.text = ""

    def report(self, fraction: float, text: str = "") -> None:
        """Report the completed fraction, 0..1, and an optional text. Raises JobCancelled if the job was cancelled."""
        self.check()
        self.fraction, self.text = fraction, text
        self._on_report(self)

    @property
    def cancelled(self) -> bool:
        """Whether the job was cancelled, so that its result is no longer needed."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise JobCancelled if the job was cancelled; running jobs should call this method often."""
        if self.cancelled:
            raise JobCancelled

    def cancel(self) -> None:
        """Request that the job be cancelled."""
        self._cancelled.set()


class Job(Progress):
    """Background job with a name that the user sees, its progress and its callbacks."""

    def __init__(self, name: str, key: str | None, owner: QObject | None, on_report: Callable[[Any], None]) -> None:
        super().__init__(on_report)
        self.name = name
        self.key = key
        self.owner = None if owner is None else weakref.ref(owner)
        self.on_done: Callable[[Any], object] | None = None
        self.on_failed: Callable[[QeError], object] | None = None
        self.on_progress: Callable[[float, str], object] | None = None
        self.on_cancelled: Callable[[], object] | None = None
        self.discard: Callable[[Any], object] | None = None
        self.result: Any = None
        self._result_lock = threading.Lock()
        self.error: QeError | None = None
        self.raised_cancelled = False
        self.is_report_pending = False
        self.future: Future[None] | None = None

    def is_needed(self) -> bool:
        """Return whether the result is still needed: the job was not cancelled, and its owner, if any, still exists."""
        if self.cancelled:
            return False
        if self.owner is None:
            return True
        owner = self.owner()
        return owner is not None and shiboken6.isValid(owner)

    def store_result(self, result: Any) -> None:
        """Store the result of the function, or discard it immediately if the job was cancelled."""
        with self._result_lock:
            if not self.cancelled:
                self.result = result
                return
        self._discard(result)

    def take(self) -> Any:
        """Remove the result from the job and return it, for the caller to own; return None if there is no result."""
        with self._result_lock:
            result, self.result = self.result, None
        return result

    def forget(self) -> None:
        """Release all callbacks and discard the result, so that a job that ends late does not keep a view alive."""
        self.on_done = self.on_failed = self.on_progress = self.on_cancelled = None
        result = self.take()
        if result is not None:
            self._discard(result)

    def _discard(self, result: Any) -> None:
        if self.discard is not None:
            try:
                self.discard(result)
            except Exception:
                log.exception("%s went wrong", to_english(self.name))


class ThreadBridge(QObject):
    """Base class of objects that emit signals on their own thread when other threads call `emit_signal`."""

    _sent = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._emit_lock = threading.Lock()
        self._closed = False
        # queued on this object, so that events that are pending when it closes are dropped
        self._sent.connect(self._emit_queued, Qt.ConnectionType.QueuedConnection)

    def emit_signal(self, signal: str, value: object) -> None:
        """Emit the signal named `signal` with a value; may be called on any thread.

        Nothing is emitted after `stop_emitting` was called.
        """
        with self._emit_lock:
            if self._closed:
                return
            try:
                self._sent.emit(signal, value)
            except RuntimeError:
                # the parent was deleted in the meantime, so there is no receiver
                if shiboken6.isValid(self):
                    raise

    def stop_emitting(self) -> None:
        """Stop emitting signals; call this before the object is deleted."""
        with self._emit_lock:
            self._closed = True

    @Slot(str, object)
    def _emit_queued(self, signal: str, value: object) -> None:
        if not self._closed:
            getattr(self, signal).emit(value)


class JobRunner(ThreadBridge):
    """Runner of functions on background threads; short jobs have separate threads and never wait for long jobs.

    All callbacks run on the thread of this object. No callback is called for a job that was cancelled, that was
    replaced by a later job with the same `latest` key, or whose owner was deleted. There is one exception:
    `on_cancelled` is called by `cancel`, or if the function raises JobCancelled.
    """

    changed = Signal()
    """Emitted when the list of running jobs or the progress of a job has changed."""
    failed = Signal(str, object)
    """Emitted with the name of a job and its QeError when a job without an error callback fails."""
    _advanced = Signal(object)
    _ended = Signal(object)

    alive: ClassVar[weakref.WeakSet[JobRunner]] = weakref.WeakSet()
    """All job runners of the process."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(INTERACTIVE_THREADS, thread_name_prefix="qe-desktop-job")
        self._computing = ThreadPoolExecutor(COMPUTING_THREADS, thread_name_prefix="qe-desktop-computing")
        self._running: list[Job] = []
        self._iteration_ended = threading.Event()
        self._iteration_ended.set()
        # pending paint events of the current event-loop iteration come first
        self._iteration_timer = QTimer(self, singleShot=True, interval=0)
        self._iteration_timer.timeout.connect(self._iteration_ended.set)
        self._advanced.connect(self._on_advanced)
        self._ended.connect(self._on_ended)
        JobRunner.alive.add(self)

    def submit(
        self,
        name: str,
        function: Callable[[Progress], R],
        on_done: Callable[[R], object] | None = None,
        on_failed: Callable[[QeError], object] | None = None,
        on_progress: Callable[[float, str], object] | None = None,
        *,
        on_cancelled: Callable[[], object] | None = None,
        latest: str | None = None,
        owner: QObject | None = None,
        computing: bool = False,
        discard: Callable[[R], object] | None = None,
    ) -> Job:
        """Run `function` on a background thread and return its job; the function must not touch widgets.

        The function starts after the current event-loop iteration, because both would otherwise compete for the GIL.
        Jobs with `computing` may run for a long time, and have separate threads.

        A job replaces a running job that was submitted with the same `latest` key. No callback is called after
        `owner` was deleted; if `owner` is None and `on_done` is a method of a QObject, that object is the owner.
        Without `on_failed`, the signal `failed` reports a failure. `discard` is called, on any thread, with a result
        that is no longer needed, such as an open file. After `close`, the function is not run, and the returned job is
        already cancelled.
        """
        if self._closed:
            # a timer may request work while the window is being closed
            refused = Job(name, latest, owner, self._announce_progress)
            refused.cancel()
            return refused
        if latest is not None:
            self._drop([job for job in self._running if job.key == latest])
        if owner is None:
            receiver = getattr(on_done, "__self__", None)
            owner = receiver if isinstance(receiver, QObject) else None
        job = Job(name, latest, owner, self._announce_progress)
        job.on_done, job.on_failed = on_done, on_failed
        job.on_progress, job.on_cancelled, job.discard = on_progress, on_cancelled, discard
        self._running.append(job)
        self._iteration_ended.clear()
        self._iteration_timer.start()
        pool = self._computing if computing else self._pool
        job.future = pool.submit(self._run_job, job, function)
        self.changed.emit()
        return job

    def running_jobs(self) -> list[Job]:
        """Return the jobs that have neither ended nor been cancelled, oldest first."""
        return [job for job in self._running if not job.cancelled]

    def is_idle(self) -> bool:
        """Return whether all jobs, including cancelled ones, have ended, and none is waiting for its callback."""
        return not self._running

    def cancel(self, job: Job | str) -> None:
        """Cancel a job, or all jobs with the `latest` key `job`, and call their `on_cancelled` callbacks."""
        jobs = [running for running in self.running_jobs() if job in (running, running.key)]
        callbacks = [
            running.on_cancelled for running in jobs if running.on_cancelled is not None and running.is_needed()
        ]
        self._drop(jobs)
        for callback in callbacks:
            callback()

    def close(self, seconds: float = 5.0) -> bool:
        """Accept no more jobs, cancel all jobs and wait for them; return False if some still run after `seconds`."""
        self.stop_emitting()
        self._drop(list(self._running))
        self._iteration_ended.set()
        for pool in (self._pool, self._computing):
            pool.shutdown(wait=False, cancel_futures=True)
        deadline = time.monotonic() + seconds
        futures = [job.future for job in self._running if job.future is not None]
        while not (ended := all(future.done() for future in futures)) and time.monotonic() < deadline:
            time.sleep(0.005)
        if ended:
            self._running.clear()
        return ended

    def _drop(self, jobs: list[Job]) -> None:
        for job in jobs:
            job.cancel()
            job.forget()
            if job.future is not None and job.future.cancel():
                self._running.remove(job)
        if jobs:
            self.changed.emit()

    def _run_job(self, job: Job, function: Callable[[Progress], Any]) -> None:
        try:
            self._iteration_ended.wait(MAX_ITERATION_WAIT_S)
            job.check()
            job.store_result(function(job))
        except JobCancelled:
            job.raised_cancelled = True
        except BaseException as error:
            job.error = _as_qe_error(job.name, error)
        self.emit_signal("_ended", job)

    def _announce_progress(self, job: Job) -> None:
        if not job.is_report_pending:
            job.is_report_pending = True
            self.emit_signal("_advanced", job)

    def _on_advanced(self, job: Job) -> None:
        job.is_report_pending = False
        if job.on_progress is not None and job.is_needed():
            job.on_progress(job.fraction, job.text)
        self.changed.emit()

    def _on_ended(self, job: Job) -> None:
        if job not in self._running:
            return
        self._running.remove(job)
        done, failed, on_cancelled = job.on_done, job.on_failed, job.on_cancelled
        is_wanted = job.is_needed()
        result = job.take() if is_wanted else None
        job.forget()
        self.changed.emit()
        if not is_wanted:
            return
        if job.raised_cancelled:
            if on_cancelled is not None:
                on_cancelled()
        elif job.error is None:
            if done is not None:
                done(result)
        elif failed is not None:
            failed(job.error)
        else:
            self.failed.emit(job.name, job.error)


def _as_qe_error(name: str, error: BaseException) -> QeError:
    """Convert any exception to a QeError with a message for the user; unexpected exceptions are also logged."""
    from qe_desktop.corpus import QeError

    if isinstance(error, QeError):
        return error
    log.error("%s went wrong", to_english(name), exc_info=error)
    if isinstance(error, MemoryError):
        return QeError(
            tr("{job}: out of memory", job=name), hint=tr("Close other programs, or open fewer or smaller files.")
        )
    if isinstance(error, OSError) and error.strerror:
        file = f" ({error.filename})" if error.filename else ""
        return QeError(f"{name}: {error.strerror}{file}", hint=tr("Check the file and its folder, then try again."))
    return QeError(
        tr(
            "{job}: internal error ({kind}: {error})",
            job=name,
            kind=type(error).__name__,
            error=error,
        ),
        hint=tr("This is a bug; please report it with the log. Help ▸ About QE Desktop shows where the log is."),
    )


class DebounceTimer(QTimer):
    """Single-shot timer that calls `slot` `delay_ms` milliseconds after the timer was last started."""

    def __init__(self, parent: QObject, delay_ms: int, slot: Callable[[], object]) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(delay_ms)
        self.timeout.connect(slot)


TaskSteps = Generator[int, None, None]
"""Steps of a task; each yields the milliseconds until the next step, where 0 means as soon as the window is idle."""


class IncrementalTask(QObject):
    """Task that runs its steps in the event loop, until it is complete or a step fails."""

    def __init__(self, work: TaskSteps, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._run_step)
        self._timer.start(0)

    def _run_step(self) -> None:
        pause = next(self._work, None)
        if pause is not None:
            self._timer.start(pause)

    @property
    def is_running(self) -> bool:
        """Whether the task is still running."""
        return self._timer.isActive()
