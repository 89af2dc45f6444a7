"""Units of work run on a Dask cluster, which other machines' processes may join and leave.

What scheduler and workers send is unpickled here, so whoever controls them can run code on this machine: a cluster has
to be trusted. Its results are checked all the same, since another version of the program may have computed them.
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
from qe_desktop.formats.io.files import read_head
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Floats
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.executors import (
    MAX_QUEUED_UNITS,
    RunUnits,
    SamplingUnit,
    UnitResults,
    statistics_per_row,
)

CONNECT_SECONDS = 10.0
"""Seconds in which a scheduler has to answer."""
MAX_SECONDS_WITHOUT_WORKERS = 20.0
"""Seconds without any worker after which nobody waits for one any more."""
POLL_SECONDS = 1.0
"""Seconds between two looks at whether workers are still there."""
MAX_TRIES = 3
"""How often a unit that failed is tried again."""


class LostClusterError(QeError):
    """A cluster that was there, and is no more."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM for an address with tls://: the authority, and this machine's certificate and key. Those that are
    not named are as Dask's own configuration says.
    """

    authority: str = ""
    certificate: str = ""
    key: str = ""

    def checked(self, address: str) -> Certificates:
        """The same; QeError where a file cannot be read, or the address is not encrypted."""
        named = {
            "--cluster-ca": self.authority,
            "--cluster-cert": self.certificate,
            "--cluster-key": self.key,
        }
        for option, path in named.items():
            if path and not address.startswith("tls://"):
                message = tr("{option} is for addresses with tls://", option=option)
                raise QeError(message, hint=tr("Write tls://host:port."), place=SourceLocation("--cluster"))
            if path:
                read_head(Path(path), 1)
        return self

    def security(self) -> Any:
        """As Dask has it."""
        from distributed import Security

        named = {
            "tls_ca_file": self.authority,
            "tls_client_cert": self.certificate,
            "tls_client_key": self.key,
        }
        return Security(require_encryption=True, **{name: path for name, path in named.items() if path})


def connect_cluster(address: str, certificates: Certificates | None = None) -> RunUnits:
    """On the workers of the scheduler at an address such as tcp://host:8786, or tls://host:8786 with certificates.

    What a worker that dies was to do is done by others. QeError where no scheduler answers or its workers have no QE
    Desktop; LostClusterError where scheduler or workers go away, after some patience.
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
    place = SourceLocation("--cluster")
    certificates.checked(address)
    try:
        from distributed import Client
    except ImportError:
        message = tr("a cluster takes dask.distributed, which is not installed")
        raise QeError(message, hint=tr("Install qe-desktop[cluster]."), place=place) from None
    _quiet()
    try:
        security = certificates.security() if address.startswith("tls://") else None
        return Client(address, timeout=CONNECT_SECONDS, security=security)
    except (OSError, ValueError, TypeError, RuntimeError, TimeoutError) as error:
        message = tr("no scheduler answers at {address}: {reason}", address=address, reason=_first_line(error))
        raise QeError(message, hint=tr("Give the address that dask scheduler prints."), place=place) from None


def _quiet() -> None:
    """What happens to a cluster is said in a line, and not as the traces of its library, whose loggers print."""
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _results(client: Any, address: str, unit: SamplingUnit, sets: DataSets, numbers: Iterable[int]) -> UnitResults:
    from distributed import wait

    patience = _WorkerMonitor(client, address)
    patience.look()
    # a task of its own: when the worker that holds the rows dies, the scheduler makes them again elsewhere
    with warnings.catch_warnings():
        # many rows are many bytes, once
        warnings.simplefilter("ignore", UserWarning)
        held = client.submit(_as_it_is, sets, pure=False, retries=MAX_TRIES)
    left, figures = iter(numbers), statistics_per_row(unit, sets)
    waiting: dict[Any, int] = {}
    while True:
        while len(waiting) < MAX_QUEUED_UNITS * patience.threads and (number := next(left, None)) is not None:
            waiting[client.submit(unit, held, number, pure=False, retries=MAX_TRIES)] = number
        if not waiting:
            return
        try:
            done = wait(list(waiting), timeout=POLL_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            done = set()
        except (Exception, CancelledError) as error:
            raise _gone(address, _reason(error)) from None
        if not done:
            patience.look()
        for future in sorted(done, key=waiting.__getitem__):
            yield waiting.pop(future), _check_row(_result(future, patience), figures, address)


def _as_it_is(sets: DataSets) -> DataSets:
    return sets


def _result(future: Any, patience: _WorkerMonitor) -> Floats:
    """What a unit found; LostClusterError where it cannot be had.

    Where the worker that had it died, another makes it again, which takes as long as it takes.
    """
    address = patience.address
    while True:
        try:
            found: Floats = future.result(timeout=CONNECT_SECONDS)
        except TimeoutError:
            patience.look()
        except ImportError:
            raise _without(address) from None
        except QeError:
            raise
        except (Exception, CancelledError) as error:
            # whatever happened over there
            raise _gone(address, _reason(error)) from None
        else:
            return found


def _check_row(row: object, figures: int, address: str) -> Floats:
    """A row of so many finite figures; LostClusterError for everything else that a worker may send."""
    if type(row) is np.ndarray and row.dtype == np.float64 and row.shape == (figures,) and np.isfinite(row).all():
        return row
    message = tr(
        "the workers at {address} sent something else than {n:,} {n:figure|figures}", "", figures, address=address
    )
    hint = tr("Install the same version of QE Desktop on all machines, and use a cluster that you trust.")
    raise LostClusterError(message, hint=hint, place=SourceLocation("--cluster"))


def _without(address: str) -> QeError:
    message = tr("the workers at {address} have no QE Desktop of this version", address=address)
    return QeError(message, hint=tr("Install the same on all machines."), place=SourceLocation("--cluster"))


class _WorkerMonitor:
    """Looks after workers, and waits for some time for new ones when there are none."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self.threads = 1
        self.seen = time.monotonic()

    def look(self) -> None:
        """Count the workers' threads; LostClusterError where there have been none for some time."""
        while True:
            try:
                found = sum(self.client.nthreads().values())
            except (Exception, CancelledError) as error:
                # a client that has lost its scheduler raises many things
                raise _gone(self.address, _reason(error)) from None
            if found:
                self.threads = found
                self.seen = time.monotonic()
                return
            if time.monotonic() - self.seen > MAX_SECONDS_WITHOUT_WORKERS:
                raise _gone(self.address, tr("it has no workers"))
            time.sleep(POLL_SECONDS)


def _gone(address: str, reason: str) -> LostClusterError:
    message = tr("the cluster at {address} does not answer any more: {reason}", address=address, reason=reason)
    hint = tr("Start its scheduler and workers again; with --resume FILE a run goes on where it was.")
    return LostClusterError(message, hint=hint, place=SourceLocation("--cluster"))


def _reason(error: BaseException) -> str:
    lost = isinstance(error, OSError | TimeoutError | CancelledError | Cancelled)
    return tr("the connection is lost") if lost else _first_line(error)


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
