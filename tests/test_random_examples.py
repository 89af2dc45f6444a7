"""Examples of property tests in a normal test run and in the torture run."""

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
    """Run one test module and return the exit code and the report."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_made.py").write_text(code)
    (folder / "drawn").write_text("")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | {
        "QE_DESKTOP_ROUNDS": str(rounds), "QE_DESKTOP_SEED": str(seed), "QE_DESKTOP_ROUND_SECONDS": str(seconds),
        "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "test_made.py"]
    completed = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return completed.returncode, completed.stdout


@pytest.mark.process
def test_normal_runs_repeat_examples_and_torture_runs_use_random_ones(tmp_path):
    drawn = []
    code = DRAWING.replace("assert number % 97", "pass")
    for rounds, seed in ((0, 1), (0, 2), (6, 1), (6, 100)):
        exit_code, report = run(tmp_path, code, rounds, seed)
        assert exit_code == 0
        assert ("1 property tests with 6 to 6 rounds each, median 6" in report) is bool(rounds)
        drawn.append((tmp_path / "drawn").read_text().split())
    assert drawn[0] == drawn[1]
    assert drawn[2] != drawn[3]
    assert len(drawn[0]) == 5
    assert len(drawn[2]) == 30
    # with no time left, each test still runs one round, the same for the same seed
    assert run(tmp_path, code, 6, 1, seconds=0)[0] == 0
    assert (tmp_path / "drawn").read_text().split() == drawn[2][:5]
    assert not (tmp_path / ".hypothesis" / "examples").exists()


@pytest.mark.process
@pytest.mark.parametrize("rounds", [0, 2])
def test_examples_do_not_depend_on_the_constants_of_loaded_modules(tmp_path, rounds):
    (tmp_path / "loaded.py").write_text("CONSTANT = 123456789")
    code = f"import loaded\n{DRAWING}".replace("max_examples=5", "max_examples=300").replace("assert number % 97", "")
    assert run(tmp_path, code, rounds, 1)[0] == 0
    drawn = (tmp_path / "drawn").read_text().split()
    assert len(drawn) == 300 * max(1, rounds)
    assert "123456789" not in drawn


@pytest.mark.process
@pytest.mark.parametrize("code", [RARE, MACHINE], ids=["function", "machine"])
def test_failure_reports_the_seed_that_reproduces_it_in_the_first_round(tmp_path, code):
    exit_code, report = run(tmp_path, code, 400, 1)
    assert exit_code == 1
    seed = int(re.search(r"make torture SEED=(\d+)", report)[1])
    assert seed > 1
    assert run(tmp_path, code, 1, seed)[0] == 1
