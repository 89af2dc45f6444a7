"""What benchmarks measure is what users run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.figures import Figure
from tests.benchmarks.measuring import blas_threads, peak_memory, processor_time, slowness


def child(code: str, environment: dict[str, str]) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


@pytest.fixture
def environment() -> dict[str, str]:
    """This process's environment, as it was before anything settled how BLAS runs."""
    return {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}


def test_peak_memory_is_that_of_the_process_alone(environment):
    held = bytearray(300 << 20)
    held[::4096] = b"x" * len(held[::4096])
    own = float(child("from tests.benchmarks.measuring import peak_memory; print(peak_memory())", environment))
    assert own < 150 < 300 < peak_memory()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="there is no /proc/self/maps here")
@pytest.mark.parametrize("first", ["qe_desktop", "qe_desktop.cli.main", "tests.conftest"])
def test_blas_has_one_thread_in_the_program_and_in_its_tests(environment, first):
    code = f"import {first}; from tests.benchmarks.measuring import blas_threads; print(blas_threads())"
    assert child(code, environment) == "1"


def test_benchmarks_are_collected_with_the_blas_of_the_program():
    # the fixture of all benchmarks asks the same; this says it on every run of the tests
    assert blas_threads() in (None, 1)


def test_processor_time_counts_children_and_no_waiting(environment):
    begun = processor_time()
    subprocess.run(["sleep", "0.2"], check=True)
    waited = processor_time() - begun
    begun = processor_time()
    child("sum(range(20_000_000))", environment)
    assert waited < processor_time() - begun


def test_waiting_for_a_window_takes_no_processor(environment):
    """Spinning would take the interpreter from the work that is waited for."""
    code = (
        "import time; from PySide6.QtCore import QCoreApplication; from tests.benchmarks.waiting import until;"
        "app = QCoreApplication([]); wall, cpu = time.monotonic(), time.process_time();"
        "until(lambda: time.monotonic() - wall > 1.5); print(time.process_time() - cpu < 0.75)"
    )
    assert child(code, environment) == "True"


def test_a_time_is_held_to_its_bar_at_ordinary_speed_and_shown_as_it_was():
    figure = Figure("a key", 24.0, 16.0, "ms", slower=2.0)
    assert figure.met
    assert figure.row() == "| a key | 24.00 ms (12.00 at ordinary speed) | ≤ 16 ms | met |"
    assert not Figure("a key", 24.0, 16.0, "ms").met
    assert slowness() >= 1
