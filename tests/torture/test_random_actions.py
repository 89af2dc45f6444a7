"""Random actions in the window cause no exception, Qt warning, crash, endless job, rejected change or outdated item.

QE_DESKTOP_TORTURE_USERS is the number of runs (200), each with 400 actions. QE_DESKTOP_SEED is the seed of the first
one; each further one has the next seed. Every second round over all data is in a translated window.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.timeouts import PATIENCE
from tests.torture.random_actions_run import OPENERS, SAMPLE_NAMES
from tests.wording.pseudo_language import collect_texts, translate

ROOT = Path(__file__).parents[2]
RUNS = int(os.environ.get("QE_DESKTOP_TORTURE_USERS", "200"))
FIRST = int(os.environ.get("QE_DESKTOP_SEED") or "1")
ACTIONS, SHOWN_ACTIONS = 400, 30
DATA = (*SAMPLE_NAMES, *OPENERS)
WORKERS = 2


def run(seed: int, actions: int, data: str, catalogue: Path | None = None) -> str:
    """Run random actions in a process of their own; return a report, empty if nothing went wrong."""
    command = [sys.executable, "-m", "tests.torture.random_actions_run", str(seed), str(actions), data]
    language = {} if catalogue is None else {"QE_DESKTOP_LANGUAGE": str(catalogue)}
    environment = {**os.environ, **language, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        out, errors = process.communicate(timeout=4 * PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, errors = process.communicate()
        errors += "\nstopped, because it did not end"
    last = "\n".join(out.splitlines()[-SHOWN_ACTIONS:])
    return f"{' '.join(command)}: {process.returncode}\n{last}\n{errors}" if process.returncode else ""


def test_random_actions_run_in_the_real_window():
    assert run(1, 20, "en-de") == ""


@pytest.mark.torture
@pytest.mark.skipif(RUNS == 0, reason="no runs are wanted")
def test_random_actions_cause_no_problem(tmp_path):
    catalogue = collect_texts(tmp_path, sorted((ROOT / "qe_desktop").rglob("*.py")))
    translate(catalogue)

    def report(number: int) -> str:
        in_translation = number // len(DATA) % 2 == 1
        return run(FIRST + number, ACTIONS, DATA[number % len(DATA)], catalogue if in_translation else None)

    with ThreadPoolExecutor(WORKERS) as pool:
        failed = [text for text in pool.map(report, range(RUNS)) if text]
    assert not failed, "\n\n".join(failed)
