"""Measures what users run, and prints the table of figures after the benchmarks."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

from tests.benchmarks.figures import FIGURES
from tests.benchmarks.measuring import blas_threads


@pytest.fixture(scope="session", autouse=True)
def _blas_as_in_the_program() -> None:
    """Had something brought numpy before qe_desktop, what is measured would not be what users run."""
    assert blas_threads() in (None, int(os.environ["OPENBLAS_NUM_THREADS"]))


@pytest.fixture(autouse=True)
def _garbage_as_everywhere() -> Iterator[None]:
    """Other tests collect between each other alone; what is measured here, ours and theirs, collects as Python does.

    What thousands of tests and the measurements before have left is set aside: no program of a user's has it to look
    through. The second collection forgets how much that was, for how often all is looked through depends on it.
    """
    gc.collect()
    gc.freeze()
    gc.collect()
    gc.enable()
    yield
    gc.disable()
    gc.unfreeze()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A run that misses a bar fails, though none of its tests does: they are measured whatever the machine does."""
    if exitstatus == pytest.ExitCode.OK and not all(figure.met for figure in FIGURES):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if FIGURES:
        terminalreporter.section("figures")
        terminalreporter.write_line("| work | measured | bar | |")
        terminalreporter.write_line("|---|---|---|---|")
        for figure in FIGURES:
            terminalreporter.write_line(figure.row())
