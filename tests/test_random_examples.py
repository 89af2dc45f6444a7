"""What examples property tests get: in the tests, and in the torture."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFTEST = """
from tests import random_examples

def pytest_configure(config):
    if random_examples.ROUNDS:
        config.pluginmanager.register(random_examples.Rounds())
"""
DRAWING = """
from hypothesis import given, settings, strategies

@settings(max_examples=5)
@given(strategies.integers(0, 10**9))
def test_drawn(number):
    with open("drawn", "a") as file:
        file.write(f"{number} ")
    assert number % 97
"""
RARE = DRAWING.replace("max_examples=5", "max_examples=2").replace("% 97", "% 151 != 7 or number < 1000")
MACHINE = """
from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, rule

class Machine(RuleBasedStateMachine):
    @rule(number=strategies.integers(0, 10**6))
    def draw(self, number):
        assert number % 997 != 7 or number < 1000

TestMachine = Machine.TestCase
TestMachine.settings = settings(max_examples=2)
"""


def run(folder: Path, code: str, rounds: int = 0, seed: int = 0, seconds: float = 1000) -> tuple[int, str]:
    """The exit code and the report of a run of one test."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_made.py").write_text(code)
    (folder / "drawn").write_text("")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | {
        "QE_DESKTOP_ROUNDS": str(rounds), "QE_DESKTOP_SEED": str(seed), "QE_DESKTOP_ROUND_SECONDS": str(seconds),
        "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "test_made.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout


@pytest.mark.process
def test_the_tests_get_the_same_examples_in_every_run_and_the_torture_others(tmp_path):
    drawn = []
    code = DRAWING.replace("assert number % 97", "pass")
    for rounds, seed in ((0, 1), (0, 2), (6, 1), (6, 100)):
        assert run(tmp_path, code, rounds, seed)[0] == 0
        drawn.append((tmp_path / "drawn").read_text().split())
    assert drawn[0] == drawn[1]
    assert drawn[2] != drawn[3]
    assert len(drawn[0]) == 5
    assert len(drawn[2]) == 30
    # without any time there is a round of each, the same for the same seed
    assert run(tmp_path, code, 6, 1, seconds=0)[0] == 0
    assert (tmp_path / "drawn").read_text().split() == drawn[2][:5]
    assert not (tmp_path / ".hypothesis" / "examples").exists()


@pytest.mark.process
@pytest.mark.parametrize("code", [RARE, MACHINE], ids=["function", "machine"])
def test_a_failure_names_the_seed_with_which_it_comes_in_the_first_round(tmp_path, code):
    ended, said = run(tmp_path, code, 400, 1)
    assert ended == 1
    seed = int(re.search(r"make torture SEED=(\d+)", said)[1])
    assert seed > 1
    assert run(tmp_path, code, 1, seed)[0] == 1
