"""The benchmarks measure what users run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.figures import Figure
from tests.benchmarks.measurement import blas_threads, peak_memory, processor_time, slowness


def child(code: str, environment: dict[str, str]) -> str:
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return process.stdout.strip()


@pytest.fixture
def environment() -> dict[str, str]:
    """This process's environment, without variables that set the number of BLAS threads."""
    return {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}


def test_peak_memory_excludes_the_parent_process(environment):
    memory = bytearray(300 << 20)
    memory[::4096] = b"x" * len(memory[::4096])
    own = float(child("from tests.benchmarks.measurement import peak_memory; print(peak_memory())", environment))
    assert own < 150 < 300 < peak_memory()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="there is no /proc/self/maps here")
@pytest.mark.parametrize("first", ["qe_desktop", "qe_desktop.cli.main", "tests.conftest"])
def test_blas_has_one_thread_in_the_program_and_tests(environment, first):
    code = f"import {first}; from tests.benchmarks.measurement import blas_threads; print(blas_threads())"
    assert child(code, environment) == "1"


def test_benchmarks_run_with_the_blas_threads_of_the_program():
    # the fixture of the benchmarks checks the same, but only when benchmarks run
    assert blas_threads() in (None, 1)


def test_processor_time_includes_children_and_excludes_waiting(environment):
    start = processor_time()
    subprocess.run(["sleep", "0.2"], check=True)
    waited = processor_time() - start
    start = processor_time()
    child("sum(range(20_000_000))", environment)
    assert waited < processor_time() - start


def test_waiting_for_a_window_takes_little_processor_time(environment):
    """A busy loop would take the interpreter from the work that is waited for."""
    code = (
        "import time; from PySide6.QtCore import QCoreApplication;"
        "from tests.benchmarks.event_loop import run_event_loop_until;"
        "app = QCoreApplication([]); wall, cpu = time.monotonic(), time.process_time();"
        "run_event_loop_until(lambda: time.monotonic() - wall > 1.5); print(time.process_time() - cpu < 0.75)"
    )
    assert child(code, environment) == "True"


def test_figure_is_compared_at_ordinary_speed_and_shown_as_measured():
    figure = Figure("a key", 24.0, 16.0, "ms", slower=2.0)
    assert figure.met
    assert figure.row() == "| a key | 24.00 ms (12.00 at ordinary speed) | ≤ 16 ms | met |"
    assert not Figure("a key", 24.0, 16.0, "ms").met
    assert slowness() >= 1
