"""Sampling studies on a Dask cluster on loopback: killed workers, lost schedulers, certificates, missing Dask."""

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
from qe_desktop.studies.sampling import executors as clusters
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.error_pool import build_error_pool
from qe_desktop.studies.sampling.executors import (
    Certificates,
    connect_cluster,
    run_batch,
    run_repetition,
    statistics_per_row,
)
from qe_desktop.studies.sampling.sampling_study import study_sampling
from tests.studies.sampling.cluster_run import FULL
from tests.studies.sampling.small_data_sets import METRICS, small_scoring
from tests.timeouts import PATIENCE

ROOT = Path(__file__).parents[3]
HAS_DASK = importlib.util.find_spec("distributed") is not None
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")
needs_dask = pytest.mark.skipif(not HAS_DASK, reason="the extra “cluster” is not installed")
MANY = 1_000_000
"""Repetitions of a study that never finishes within a test."""


class Cluster:
    """A scheduler and workers in separate processes."""

    def __init__(self, folder: Path, files: Sequence[str] = ()) -> None:
        self.folder, self.files = folder, files
        self.processes: list[subprocess.Popen[str]] = []
        self.scheduler = self.start_process("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *files)
        self.address = self.wait_for_output(self.scheduler, r"Scheduler at:\s+(t(?:cp|ls)://\S+)")

    def start_process(self, *command: str) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"}
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *command],
            cwd=self.folder, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[str]:
        process = self.start_process(
            "worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1",
            "--local-directory", str(self.folder), *self.files,
        )  # fmt: skip
        self.wait_for_output(process, r"(Registered to)")
        return process

    def wait_for_output(self, process: subprocess.Popen[str], pattern: str) -> str:
        assert process.stderr is not None
        output = ""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([process.stderr], [], [], 1)[0]:
                output += os.read(process.stderr.fileno(), 1 << 16).decode()
                if match := re.search(pattern, output):
                    return match[1]
            assert process.poll() is None, output
        raise AssertionError(output)

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
        for process in self.processes:
            process.communicate()


@pytest.fixture
def dask(tmp_path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.end()


class Study:
    """A running study on a cluster, in a separate process."""

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
        """Wait until ten repetitions are done; the study then waits for input."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line == "ten\n", line + self.process.communicate()[1]

    def result_json(self) -> dict[str, Any]:
        out, err = self.process.communicate("\n", timeout=PATIENCE)
        assert self.process.returncode == 0, err
        return json.loads(out.splitlines()[-1])


@needs_dask
@pytest.mark.process
def test_killed_worker_does_not_change_the_result(dask):
    workers = [dask.worker(), dask.worker()]
    study = Study(dask.address, 60)
    study.wait_for_ten()
    # at any point of its work, together with the results it stores
    workers[0].send_signal(signal.SIGKILL)
    result = study.result_json()
    assert (result["ended"], result["made"]) == ("", 60)
    assert workers[0].wait() == -signal.SIGKILL
    assert workers[1].poll() is None
    local = study_sampling(small_scoring(), METRICS, replace(FULL, repetitions=60))
    assert result["p"] == local.p.tolist()
    assert result["means"] == local.means.tolist()


@needs_dask
@pytest.mark.process
def test_cluster_without_workers_keeps_the_partial_result(dask, tmp_path):
    worker, path = dask.worker(), tmp_path / "sums.json"
    study = Study(dask.address, MANY, path, patience=2.0)
    study.wait_for_ten()
    worker.send_signal(signal.SIGKILL)
    result = study.result_json()
    assert result["ended"][0] == "LostClusterError"
    assert "it has no workers" in result["ended"][1]
    assert 10 <= result["made"] < MANY
    assert json.loads(path.read_text())["added"] >= 10
    # the cluster has no workers from the start
    name, line = Study(dask.address, 60, patience=2.0).result_json()["refused"]
    assert name == "LostClusterError"
    assert "it has no workers" in line


@needs_dask
@pytest.mark.process
def test_killed_scheduler_keeps_the_partial_result(dask):
    dask.worker()
    study = Study(dask.address, MANY)
    study.wait_for_ten()
    dask.scheduler.send_signal(signal.SIGKILL)
    result = study.result_json()
    assert result["ended"][0] == "LostClusterError"
    assert "failed: " in result["ended"][1]
    assert 10 <= result["made"] < MANY


@needs_dask
@pytest.mark.process
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "what://127.0.0.1:9", "tcp://127.0.0.1:x"])
def test_unreachable_scheduler_is_reported(address):
    name, line = Study(address, 60, patience=1.0).result_json()["refused"]
    assert name == "QeError"
    assert f"no scheduler answers at {address}" in line
    assert "\n" not in line


class FakeClient:
    """A client that lists workers a number of times, and then loses its scheduler."""

    def __init__(self, looks: int):
        self.looks = looks

    def nthreads(self) -> dict[str, int]:
        self.looks -= 1
        if self.looks < 0:
            raise OSError
        return {"one": 2}


class RecomputedFuture:
    """A future whose worker died: its result is recomputed after a number of timeouts."""

    def __init__(self, waits: int):
        self.waits = waits

    def result(self, timeout: float) -> str:
        self.waits -= 1
        if self.waits >= 0:
            raise TimeoutError
        return "found"


def test_recomputed_results_are_awaited_while_workers_exist():
    assert clusters._result(RecomputedFuture(3), clusters._WorkerMonitor(FakeClient(9), "tcp://a:1")) == "found"
    with pytest.raises(clusters.LostClusterError, match="the cluster at tcp://a:1 failed: "):
        clusters._result(RecomputedFuture(3), clusters._WorkerMonitor(FakeClient(1), "tcp://a:1"))


@pytest.mark.parametrize(
    "row",
    [
        None, "found", [0.0] * 4, np.zeros(3), np.zeros((1, 4)), np.zeros(4, np.float32), np.zeros(4, object),
        np.array([0, 0, np.nan, 0.0]), np.array([0, 0, np.inf, 0.0]), np.ma.zeros(4),
    ],
)  # fmt: skip
def test_invalid_rows_from_workers_are_refused(row):
    with pytest.raises(clusters.LostClusterError, match="an invalid result instead of 4 numbers"):
        clusters._check_row(row, 4, "tcp://a:1")
    assert clusters._check_row(np.ones(4), 4, "tcp://a:1").tolist() == [1.0] * 4


def test_rows_have_the_expected_number_of_statistics():
    sets = DataSets.of(build_error_pool(small_scoring(), METRICS), FULL)
    for unit in (run_repetition, run_batch):
        assert unit(sets, 0).shape == (statistics_per_row(unit, sets),)


@pytest.mark.parametrize("named", ["authority", "certificate", "key"])
def test_certificates_need_tls_and_existing_files(named, tmp_path):
    missing = tmp_path / "missing.pem"
    with pytest.raises(QeError, match="file not found"):
        Certificates(**{named: str(missing)}).validate("tls://a:1")
    with pytest.raises(QeError, match="needs an address with tls://"):
        Certificates(**{named: str(missing)}).validate("tcp://a:1")


@needs_dask
@needs_openssl
@pytest.mark.process
def test_tls_cluster_needs_the_certificates(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    files = ["--tls-ca-file", str(certificate), "--tls-cert", str(certificate), "--tls-key", str(key)]
    cluster = Cluster(tmp_path, files)
    try:
        cluster.worker()
        assert cluster.address.startswith("tls://")
        study = Study(cluster.address, 20, pem=[str(certificate), str(certificate), str(key)])
        study.wait_for_ten()
        local = study_sampling(small_scoring(), METRICS, replace(FULL, repetitions=20))
        assert study.result_json()["p"] == local.p.tolist()
        # the error without certificates is one line
        name, line = Study(cluster.address, 20, patience=5.0).result_json()["refused"]
        assert name == "QeError"
        assert "no scheduler answers at tls://" in line
        assert "\n" not in line
    finally:
        cluster.end()


def test_missing_dask_is_reported_with_an_install_hint(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(QeError, match=r"dask\.distributed, which is not installed") as refused:
        study_sampling(small_scoring(), METRICS, FULL, run=connect_cluster("tcp://127.0.0.1:8786"))
    assert "qe-desktop[cluster]" in refused.value.hint
