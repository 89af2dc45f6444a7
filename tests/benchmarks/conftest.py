"""Prints the table of figures after the benchmarks."""

from __future__ import annotations

import pytest

from tests.benchmarks.figures import FIGURES


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if FIGURES:
        terminalreporter.section("figures")
        terminalreporter.write_line("| work | measured | bar | |")
        terminalreporter.write_line("|---|---|---|---|")
        for figure in FIGURES:
            terminalreporter.write_line(figure.row())
