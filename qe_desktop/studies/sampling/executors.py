"""Execution of units of work in threads or on a Dask cluster.

Messages from the scheduler and the workers are unpickled, so they can run code on this machine: use only a trusted
cluster. Results are validated, since workers may run another version of the program.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import warnings
from asyncio import CancelledError
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures import CancelledError as Cancelled
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.files import read_head
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.t_tests import p_from_samples

SamplingUnit = Callable[[DataSets, int, CheckCancelled | None], Floats]
UnitResults = Generator[tuple[int, Floats], None, None]
"""Generator of unit numbers and results in order of completion; closing it ends the work."""
RunUnits = Callable[[SamplingUnit, DataSets, Iterable[int]], UnitResults]
MAX_QUEUED_UNITS = 2
"""Maximum number of units per worker thread: one is running, and one is queued so that the thread is never idle."""


class _StoppedError(Exception):
    """Exception raised in a unit whose result is no longer needed."""


def run_in_threads(workers: int | None = None) -> RunUnits:
    """Return a function that runs units in threads; most work is in numpy and scipy, which release the GIL.

    `workers` is the number of threads; the default is one thread per available processor.
    """
    count = workers or _cores()

    def run(unit: SamplingUnit, sets: DataSets, numbers: Iterable[int]) -> UnitResults:
        stopping = threading.Event()

        def check() -> None:
            if stopping.is_set():
                raise _StoppedError

        left = iter(numbers)
        waiting: dict[Future[Floats], int] = {}
        with ThreadPoolExecutor(count) as pool:
            try:
                while True:
                    while len(waiting) < MAX_QUEUED_UNITS * count and (number := next(left, None)) is not None:
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
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


BATCH_COUNT = 100
"""Number of batches in the analytic mode; a batch has `SamplingOptions.repetitions` data sets per share."""
FIRST, SECOND, BATCH = range(3)
"""Ids of the random streams for samples of the first share of each pair, samples of the second share, and batches."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitResult:
    """Result of a unit of work: p-values, means and variances of scores, and numbers of orders.

    `p` has shape (metrics, pairs, sizes) and is empty in a batch; means and variances have shape (metrics, shares).
    `redrawn` is the number of discarded orders, and `orders` is the number of all orders, including discarded ones.
    """

    p: Floats
    means: Floats
    variances: Floats
    redrawn: int
    orders: int

    def flatten(self) -> Floats:
        """Return all values in one row; `of_flat` is the inverse function."""
        counts = np.asarray([self.redrawn, self.orders], np.float64)
        return np.concatenate([self.p.ravel(), self.means.ravel(), self.variances.ravel(), counts])

    @classmethod
    def of_flat(cls, row: Floats, p: tuple[int, int, int], shares: int) -> UnitResult:
        """Return the result for a row from `flatten`; the row may also be a sum of such rows.

        `p` is the shape of the p-values.
        """
        metrics = p[0]
        cells, scores = int(np.prod(p)), metrics * shares
        parts = np.split(row[:-2], [cells, cells + scores])
        means, variances = (part.reshape(metrics, shares) for part in parts[1:])
        return cls(parts[0].reshape(p), means, variances, int(row[-2]), int(row[-1]))


def run_repetition(sets: DataSets, number: int, check: CheckCancelled | None = None) -> Floats:
    """Run one repetition of the simulation mode and return its result, flattened by `UnitResult.flatten`.

    The samples of the two shares of a pair come from separate orders, as an unpaired test requires. Samples of
    different pairs may use the same orders, and smaller samples are prefixes of larger ones; neither affects individual
    p-values. Raises QeError as `DataSets.draw` does.
    """
    size = sets.options.sizes[-1]
    first, redrawn = sets.scores(_generator(sets, number, FIRST), size, check)
    second, more = sets.scores(_generator(sets, number, SECOND), size, check)
    options = sets.options
    p = p_from_samples(first, second, options.sizes, options.pairs, options.variances)
    scores = np.concatenate([first, second], axis=-1)
    orders = 2 * size + redrawn + more
    return UnitResult(p, scores.mean(axis=-1), scores.var(axis=-1, ddof=1), redrawn + more, orders).flatten()


def run_batch(sets: DataSets, number: int, check: CheckCancelled | None = None) -> Floats:
    """Run one batch of the analytic mode; return means and variances of scores, flattened by `UnitResult.flatten`.

    All shares of a batch use the same orders, so that the differences between the mean scores of two shares vary
    little. Raises QeError as `DataSets.draw` does.
    """
    size = max(2, sets.options.repetitions)
    scores, redrawn = sets.scores(_generator(sets, number, BATCH), size, check)
    empty = np.zeros((len(scores), 0, 0))
    return UnitResult(empty, scores.mean(axis=-1), scores.var(axis=-1, ddof=1), redrawn, size + redrawn).flatten()


def statistics_per_row(unit: SamplingUnit, sets: DataSets) -> int:
    """Return the number of values in a row that `unit` returns."""
    metrics, options = len(sets.pool.metrics), sets.options
    cells = 0 if unit is run_batch else len(options.pairs) * len(options.sizes)
    return metrics * (cells + 2 * len(options.errors)) + 2


def _generator(sets: DataSets, number: int, stream: int) -> np.random.Generator:
    # same as SeedSequence(seed).spawn(number + 1)[number].spawn(stream + 1)[stream]
    seeds = np.random.SeedSequence(sets.options.seed, spawn_key=(number, stream))
    return np.random.Generator(np.random.SFC64(seeds))


CONNECT_SECONDS = 10.0
"""Maximum time in seconds to wait for an answer from a scheduler."""
MAX_SECONDS_WITHOUT_WORKERS = 20.0
"""Time in seconds without any worker after which the cluster counts as lost."""
POLL_SECONDS = 1.0
"""Interval in seconds between two checks of the workers."""
MAX_RETRIES = 3
"""Maximum number of retries of a failed unit."""


class LostClusterError(QeError):
    """Error raised if a cluster cannot complete the work, for example because the connection is lost."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """Paths of PEM files for tls:// addresses: certificate authority, and this machine's certificate and key.

    An empty path is replaced by the one in Dask's configuration.
    """

    authority: str = ""
    certificate: str = ""
    key: str = ""

    def validate(self, address: str) -> Certificates:
        """Check the certificates for use with `address`, and return them.

        Raises QeError if a file is unreadable, or if a path is not empty although the address is not a tls:// address.
        """
        named = {
            "--cluster-ca": self.authority,
            "--cluster-cert": self.certificate,
            "--cluster-key": self.key,
        }
        for option, path in named.items():
            if path and not address.startswith("tls://"):
                message = tr("{option} needs an address with tls://", option=option)
                raise QeError(message, hint=tr("Use tls://host:port."), place=SourceLocation("--cluster"))
            if path:
                read_head(Path(path), 1)
        return self

    def security(self) -> Any:
        """Return the certificates as Dask's security object. Raises ImportError if Dask is not installed."""
        from distributed import Security

        named = {
            "tls_ca_file": self.authority,
            "tls_client_cert": self.certificate,
            "tls_client_key": self.key,
        }
        return Security(require_encryption=True, **{name: path for name, path in named.items() if path})


def connect_cluster(address: str, certificates: Certificates | None = None) -> RunUnits:
    """Return a runner for the scheduler at an address such as tcp://host:8786, or tls://host:8786 with certificates.

    The runner connects when it runs units. Work of a lost worker is done by other workers. The runner passes on errors
    of `Certificates.validate` and of the units. It raises QeError if Dask is not installed, if no scheduler answers, or
    if workers do not have this version of QE Desktop. It raises LostClusterError if the connection is lost, if there
    are no workers for too long, or if a worker fails or sends an invalid result.
    """

    def run(unit: SamplingUnit, sets: DataSets, numbers: Iterable[int]) -> UnitResults:
        client = _client(address, certificates or Certificates())
        try:
            yield from _results(client, address, unit, sets, numbers)
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                client.close(timeout=POLL_SECONDS)

    return run


def _client(address: str, certificates: Certificates) -> Any:
    location = SourceLocation("--cluster")
    certificates.validate(address)
    try:
        from distributed import Client
    except ImportError:
        message = tr("a cluster needs dask.distributed, which is not installed")
        raise QeError(message, hint=tr("Install qe-desktop[cluster]."), place=location) from None
    _silence_loggers()
    try:
        security = certificates.security() if address.startswith("tls://") else None
        return Client(address, timeout=CONNECT_SECONDS, security=security)
    except (OSError, ValueError, TypeError, RuntimeError, TimeoutError) as error:
        message = tr("no scheduler answers at {address}: {reason}", address=address, reason=_first_line(error))
        raise QeError(message, hint=tr("Use the address that the Dask scheduler prints."), place=location) from None


def _silence_loggers() -> None:
    """Silence Dask's loggers, because this program reports each cluster error in one line."""
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _results(client: Any, address: str, unit: SamplingUnit, sets: DataSets, numbers: Iterable[int]) -> UnitResults:
    from distributed import wait

    monitor = _WorkerMonitor(client, address)
    monitor.count_threads()
    # a separate task, so that the scheduler sends the rows again if the worker that holds them is lost
    with warnings.catch_warnings():
        # Dask warns about large arguments, but the rows are sent only once
        warnings.simplefilter("ignore", UserWarning)
        remote_sets = client.submit(_identity, sets, pure=False, retries=MAX_RETRIES)
    left, figures = iter(numbers), statistics_per_row(unit, sets)
    waiting: dict[Any, int] = {}
    while True:
        while len(waiting) < MAX_QUEUED_UNITS * monitor.threads and (number := next(left, None)) is not None:
            waiting[client.submit(unit, remote_sets, number, pure=False, retries=MAX_RETRIES)] = number
        if not waiting:
            return
        try:
            completed = wait(list(waiting), timeout=POLL_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            completed = set()
        except (Exception, CancelledError) as error:
            raise _lost_cluster_error(address, _reason(error)) from None
        if not completed:
            monitor.count_threads()
        for future in sorted(completed, key=waiting.__getitem__):
            yield waiting.pop(future), _check_row(_result(future, monitor), figures, address)


def _identity(sets: DataSets) -> DataSets:
    return sets


def _result(future: Any, monitor: _WorkerMonitor) -> Floats:
    """Return the result of a unit.

    Raises LostClusterError if the result is not available. Raises QeError if the unit raised it, or if the worker does
    not have this version of QE Desktop. If a worker is lost, another worker computes the unit again, without a time
    limit.
    """
    address = monitor.address
    while True:
        try:
            result: Floats = future.result(timeout=CONNECT_SECONDS)
        except TimeoutError:
            monitor.count_threads()
        except ImportError:
            raise _version_mismatch_error(address) from None
        except QeError:
            raise
        except (Exception, CancelledError) as error:
            # any exception of a worker
            raise _lost_cluster_error(address, _reason(error)) from None
        else:
            return result


def _check_row(row: object, figures: int, address: str) -> Floats:
    """Check that a worker sent a row of `figures` finite float64 values, and return the row.

    Raises LostClusterError if the worker sent anything else.
    """
    if type(row) is np.ndarray and row.dtype == np.float64 and row.shape == (figures,) and np.isfinite(row).all():
        return row
    message = tr(
        "a worker of the cluster at {address} sent an invalid result instead of {n:,} {n:number|numbers}",
        "", figures, address=address,
    )  # fmt: skip
    hint = tr("Install the same version of QE Desktop on all machines, and use a trusted cluster.")
    raise LostClusterError(message, hint=hint, place=SourceLocation("--cluster"))


def _version_mismatch_error(address: str) -> QeError:
    message = tr("a worker of the cluster at {address} does not have this version of QE Desktop", address=address)
    return QeError(message, hint=tr("Install the same version on all machines."), place=SourceLocation("--cluster"))


class _WorkerMonitor:
    """Monitor of the workers of a cluster; if there are none, it waits a limited time for new workers."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self.threads = 1
        self.last_seen = time.monotonic()

    def count_threads(self) -> None:
        """Set `threads` to the number of threads of all workers; wait while there are no workers.

        Raises LostClusterError if no worker joins in time or if the scheduler does not answer.
        """
        while True:
            try:
                result = sum(self.client.nthreads().values())
            except (Exception, CancelledError) as error:
                # a client without its scheduler raises many kinds of exceptions
                raise _lost_cluster_error(self.address, _reason(error)) from None
            if result:
                self.threads = result
                self.last_seen = time.monotonic()
                return
            if time.monotonic() - self.last_seen > MAX_SECONDS_WITHOUT_WORKERS:
                raise _lost_cluster_error(self.address, tr("it has no workers"))
            time.sleep(POLL_SECONDS)


def _lost_cluster_error(address: str, reason: str) -> LostClusterError:
    message = tr("the cluster at {address} failed: {reason}", address=address, reason=reason)
    hint = tr(
        "Restart its scheduler and workers, then run again. A simulation with --resume FILE continues from its "
        "checkpoint."
    )
    return LostClusterError(message, hint=hint, place=SourceLocation("--cluster"))


def _reason(error: BaseException) -> str:
    lost = isinstance(error, OSError | TimeoutError | CancelledError | Cancelled)
    return tr("the connection was lost") if lost else _first_line(error)


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
