"""Execution of units of work on a Dask cluster, which workers may join and leave.

Messages from the scheduler and the workers are unpickled, so they can run code on this machine: use only a trusted
cluster. Results are validated, since workers may run another version of the program.
"""

from __future__ import annotations

import logging
import time
import warnings
from asyncio import CancelledError
from collections.abc import Iterable
from concurrent.futures import CancelledError as Cancelled
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.columns import Floats
from qe_desktop.formats.files import read_head
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.executors import (
    MAX_QUEUED_UNITS,
    RunUnits,
    SamplingUnit,
    UnitResults,
    statistics_per_row,
)

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
        # the rows are large, so they are sent once
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
