"""Examples of property tests: the same in every run of the tests, and drawn at random, many more, in the torture.

QE_DESKTOP_ROUNDS says how often each property test takes its number of examples, each time with the next seed after
QE_DESKTOP_SEED, and QE_DESKTOP_ROUND_SECONDS how long all of them together may take: each has its share, and one round.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator

import pytest
from _pytest.unittest import TestCaseFunction
from hypothesis import HealthCheck, core, is_hypothesis_test, settings

ROUNDS = int(os.environ.get("QE_DESKTOP_ROUNDS", "0"))
SEED = int(os.environ.get("QE_DESKTOP_SEED", "0"))
SECONDS = float(os.environ.get("QE_DESKTOP_ROUND_SECONDS", "3600"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

# a change gets the same answer each time it is checked; nothing is remembered from one run to the next
settings.register_profile(
    "same", deadline=None, database=None, derandomize=True, print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.register_profile("random", parent=settings.get_profile("same"), derandomize=False)
settings.load_profile("random" if ROUNDS else "same")


def share_of(items: list[pytest.Item]) -> float:
    """Seconds that each property test among the items has."""
    return SECONDS * WORKERS / max(1, sum(map(is_property, items)))


def is_property(item: pytest.Item) -> bool:
    """Whether Hypothesis gives the test its examples."""
    return isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)


def another_round(item: pytest.Function) -> None:
    """Run a test once more, and raise what it raises."""
    if isinstance(item, TestCaseFunction):
        # state machines are tests of unittest, whose items keep to themselves what is raised
        item.cls("runTest").runTest()
    else:
        item.runtest()


class Rounds:
    """Runs each property test again with other examples; a failure names the seed with which it comes at once."""

    def __init__(self) -> None:
        self._share = 0.0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._share = share_of(session.items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """The usual call is the first round."""
        if not is_property(item):
            return (yield)
        end = time.monotonic() + self._share
        core.global_force_seed = SEED
        try:
            result = yield
            for seed in range(SEED + 1, SEED + ROUNDS):
                if time.monotonic() > end:
                    break
                core.global_force_seed = seed
                another_round(item)
        except Exception:
            command = f"make torture SEED={core.global_force_seed}"
            item.add_report_section("call", "seed", f"The same examples in the first round: {command}")
            raise
        finally:
            core.global_force_seed = None
        return result
