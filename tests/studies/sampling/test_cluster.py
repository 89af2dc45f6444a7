"""A Dask cluster on loopback: the same table, also where a worker dies on the way; and what is said without one."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.studies.sampling import dask_cluster as clusters
from qe_desktop.studies.sampling.dask_cluster import Certificates, connect_cluster
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.error_pool import build_error_pool
from qe_desktop.studies.sampling.executors import run_batch, run_repetition, statistics_per_row
from qe_desktop.studies.sampling.sampling_study import study_sampling
from tests.patience import PATIENCE
from tests.studies.sampling.cluster_run import FULL
from tests.studies.sampling.made import METRICS, scoring

ROOT = Path(__file__).parents[3]
HAS_DASK = importlib.util.find_spec("distributed") is not None
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")
needs_dask = pytest.mark.skipif(not HAS_DASK, reason="the extra “cluster” is not installed")
MANY = 1_000_000
"""Repetitions of a study that does not end by itself."""


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path, files: Sequence[str] = ()) -> None:
        self.folder, self.files = folder, files
        self.processes: list[subprocess.Popen[str]] = []
        self.scheduler = self.started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *files)
        self.address = self.said(self.scheduler, r"Scheduler at:\s+(t(?:cp|ls)://\S+)")

    def started(self, *command: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            cwd=self.folder, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[str]:
        process = self.started(
            "worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1",
            "--local-directory", str(self.folder), *self.files,
        )  # fmt: skip
        self.said(process, r"(Registered to)")
        return process

    def said(self, process: subprocess.Popen[str], pattern: str) -> str:
        assert process.stderr is not None
        heard = ""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([process.stderr], [], [], 1)[0]:
                heard += os.read(process.stderr.fileno(), 1 << 16).decode()
                if found := re.search(pattern, heard):
                    return found[1]
            assert process.poll() is None, heard
        raise AssertionError(heard)

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
        for process in self.processes:
            process.communicate()


@pytest.fixture
def dask(tmp_path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.end()


class Study:
    """A study on a cluster, which is under way."""

    def __init__(
        self, address: str, repetitions: int, resume: Path | str = "", patience: float = 60.0, pem: Sequence[str] = ()
    ) -> None:
        command = [sys.executable, "-m", "tests.studies.sampling.cluster_run"]
        arguments = [address, str(repetitions), str(resume), str(patience), *pem]
        self.process = subprocess.Popen(
            [*command, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def wait_for_ten(self) -> None:
        """Ten repetitions are done, and it waits before the next is taken."""
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said == "ten\n", said + self.process.communicate()[1]

    def found(self) -> dict[str, Any]:
        out, err = self.process.communicate("\n", timeout=PATIENCE)
        assert self.process.returncode == 0, err
        return json.loads(out.splitlines()[-1])


@needs_dask
@pytest.mark.process
def test_a_worker_that_dies_changes_nothing(dask):
    workers = [dask.worker(), dask.worker()]
    study = Study(dask.address, 60)
    study.wait_for_ten()
    # whatever it does just now, and all that it holds
    workers[0].send_signal(signal.SIGKILL)
    found = study.found()
    assert (found["ended"], found["made"]) == ("", 60)
    assert workers[0].wait() == -signal.SIGKILL
    assert workers[1].poll() is None
    here = study_sampling(scoring(), METRICS, replace(FULL, repetitions=60))
    assert found["p"] == here.p.tolist()
    assert found["means"] == here.means.tolist()


@needs_dask
@pytest.mark.process
def test_a_cluster_without_workers_leaves_what_was_computed(dask, tmp_path):
    worker, path = dask.worker(), tmp_path / "sums.json"
    study = Study(dask.address, MANY, path, patience=2.0)
    study.wait_for_ten()
    worker.send_signal(signal.SIGKILL)
    found = study.found()
    assert found["ended"][0] == "LostClusterError"
    assert "it has no workers" in found["ended"][1]
    assert 10 <= found["made"] < MANY
    assert json.loads(path.read_text())["added"] >= 10
    # there was one, and now there is none from the first
    name, line = Study(dask.address, 60, patience=2.0).found()["refused"]
    assert name == "LostClusterError"
    assert "it has no workers" in line


@needs_dask
@pytest.mark.process
def test_a_scheduler_that_dies_leaves_what_was_computed(dask):
    dask.worker()
    study = Study(dask.address, MANY)
    study.wait_for_ten()
    dask.scheduler.send_signal(signal.SIGKILL)
    found = study.found()
    assert found["ended"][0] == "LostClusterError"
    assert "no longer answers" in found["ended"][1]
    assert 10 <= found["made"] < MANY


@needs_dask
@pytest.mark.process
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "what://127.0.0.1:9", "tcp://127.0.0.1:x"])
def test_a_scheduler_that_does_not_answer(address):
    name, line = Study(address, 60, patience=1.0).found()["refused"]
    assert name == "QeError"
    assert f"no scheduler answers at {address}" in line
    assert "\n" not in line


class Workers:
    """A client that knows workers for some looks, and then none of its scheduler."""

    def __init__(self, looks: int):
        self.looks = looks

    def nthreads(self) -> dict[str, int]:
        self.looks -= 1
        if self.looks < 0:
            raise OSError
        return {"one": 2}


class MadeAgain:
    """What a unit found, on a worker that died: another works at it for some time."""

    def __init__(self, waits: int):
        self.waits = waits

    def result(self, timeout: float) -> str:
        self.waits -= 1
        if self.waits >= 0:
            raise TimeoutError
        return "found"


def test_what_is_made_again_for_a_worker_that_died_is_waited_for():
    assert clusters._result(MadeAgain(3), clusters._WorkerMonitor(Workers(9), "tcp://a:1")) == "found"
    with pytest.raises(clusters.LostClusterError, match="no longer answers"):
        clusters._result(MadeAgain(3), clusters._WorkerMonitor(Workers(1), "tcp://a:1"))


@pytest.mark.parametrize(
    "row",
    [
        None, "found", [0.0] * 4, np.zeros(3), np.zeros((1, 4)), np.zeros(4, np.float32), np.zeros(4, object),
        np.array([0, 0, np.nan, 0.0]), np.array([0, 0, np.inf, 0.0]), np.ma.zeros(4),
    ],
)  # fmt: skip
def test_what_a_worker_sends_is_checked(row):
    with pytest.raises(clusters.LostClusterError, match="did not send 4 numbers"):
        clusters._check_row(row, 4, "tcp://a:1")
    assert clusters._check_row(np.ones(4), 4, "tcp://a:1").tolist() == [1.0] * 4


def test_a_row_has_as_many_figures_as_are_expected():
    sets = DataSets.of(build_error_pool(scoring(), METRICS), FULL)
    for unit in (run_repetition, run_batch):
        assert unit(sets, 0).shape == (statistics_per_row(unit, sets),)


@pytest.mark.parametrize("named", ["authority", "certificate", "key"])
def test_certificates_are_for_tls_and_have_to_be_there(named, tmp_path):
    missing = tmp_path / "missing.pem"
    with pytest.raises(QeError, match="file not found"):
        Certificates(**{named: str(missing)}).checked("tls://a:1")
    with pytest.raises(QeError, match="needs an address with tls://"):
        Certificates(**{named: str(missing)}).checked("tcp://a:1")


@needs_dask
@needs_openssl
@pytest.mark.process
def test_a_cluster_with_certificates(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    files = ["--tls-ca-file", str(certificate), "--tls-cert", str(certificate), "--tls-key", str(key)]
    cluster_of_this = Cluster(tmp_path, files)
    try:
        cluster_of_this.worker()
        assert cluster_of_this.address.startswith("tls://")
        found = Study(cluster_of_this.address, 20, pem=[str(certificate), str(certificate), str(key)])
        found.wait_for_ten()
        here = study_sampling(scoring(), METRICS, replace(FULL, repetitions=20))
        assert found.found()["p"] == here.p.tolist()
        # without certificates there is one line
        name, line = Study(cluster_of_this.address, 20, patience=5.0).found()["refused"]
        assert name == "QeError"
        assert "no scheduler answers at tls://" in line
        assert "\n" not in line
    finally:
        cluster_of_this.end()


def test_without_the_extra_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(QeError, match=r"dask\.distributed, which is not installed") as refused:
        study_sampling(scoring(), METRICS, FULL, run=connect_cluster("tcp://127.0.0.1:8786"))
    assert "qe-desktop[cluster]" in refused.value.hint
