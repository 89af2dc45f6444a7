"""Examples of property tests: the same in each test run, and many more random ones in the torture run.

QE_DESKTOP_ROUNDS is the number of rounds of each property test; each round uses the next seed after QE_DESKTOP_SEED.
QE_DESKTOP_ROUND_SECONDS is the total time of all property tests, divided equally; each runs at least one round.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator

import pytest
from _pytest.unittest import TestCaseFunction
from hypothesis import HealthCheck, core, is_hypothesis_test, settings
from hypothesis.internal.conjecture import providers

ROUNDS = int(os.environ.get("QE_DESKTOP_ROUNDS", "0"))
SEED = int(os.environ.get("QE_DESKTOP_SEED", "0"))
SECONDS = float(os.environ.get("QE_DESKTOP_ROUND_SECONDS", "3600"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

# results of a change are reproducible, and nothing is stored between runs
settings.register_profile(
    "same", deadline=None, database=None, derandomize=True, print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("random", parent=settings.get_profile("same"), derandomize=False)
settings.load_profile("random" if ROUNDS else "same")
if hasattr(providers, "_get_local_constants"):
    # Hypothesis also draws constants of the modules loaded so far; these depend on the tests run before, and so would
    # the examples
    providers._get_local_constants = type(providers.GLOBAL_CONSTANTS)


def share_of(items: list[pytest.Item]) -> float:
    """Return the time in seconds for each property test among the items."""
    return SECONDS * WORKERS / max(1, sum(map(is_property, items)))


def is_property(item: pytest.Item) -> bool:
    """Return whether Hypothesis generates the examples of the test."""
    return isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)


def another_round(item: pytest.Function) -> None:
    """Run a test again and raise its error."""
    if isinstance(item, TestCaseFunction):
        # state machines are unittest tests, whose items do not raise errors
        item.cls("runTest").runTest()
    else:
        item.runtest()


class Rounds:
    """Runs each property test again with other examples; a failure reports the seed that reproduces it."""

    def __init__(self) -> None:
        self._share = 0.0

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Report how many rounds were run in the time of each test."""
        reports = [report for name in ("passed", "failed") for report in terminalreporter.getreports(name)]
        rounds = sorted(value for report in reports for name, value in report.user_properties if name == "rounds")
        if rounds:
            middle = rounds[len(rounds) // 2]
            terminalreporter.write_line(
                f"{len(rounds)} property tests with {rounds[0]} to {rounds[-1]} rounds each, median {middle}"
            )

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._share = share_of(session.items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Run the regular call as the first round, then further rounds."""
        if not is_property(item):
            return (yield)
        end = time.monotonic() + self._share
        ended = 0
        core.global_force_seed = SEED
        try:
            result = yield
            ended = 1
            for seed in range(SEED + 1, SEED + ROUNDS):
                if time.monotonic() > end:
                    break
                core.global_force_seed = seed
                another_round(item)
                ended += 1
        except Exception:
            command = f"make torture SEED={core.global_force_seed}"
            item.add_report_section("call", "seed", f"The same examples in the first round: {command}")
            raise
        finally:
            core.global_force_seed = None
            item.user_properties.append(("rounds", ended))
        return result
