"""Work items on several threads: each is processed once, and an error or interrupt stops all threads."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from qe_desktop.significance.randomization import run_on_threads


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_each_work_item_is_processed_once(threads):
    done, lock = [], threading.Lock()

    def work(fetched):
        for piece in fetched:
            with lock:
                done.append(piece)

    run_on_threads(range(1000), threads, work)
    assert sorted(done) == list(range(1000))


def test_error_in_one_work_item_stops_all_threads_and_is_raised():
    def work(fetched):
        for piece in fetched:
            if piece == 3:
                raise ValueError("the fourth")

    with pytest.raises(ValueError, match="the fourth"):
        # infinitely many items, which the other threads would otherwise continue with
        run_on_threads(itertools.count(), 5, work)


def test_error_of_the_item_iterator_is_raised():
    def pieces():
        yield 1
        raise KeyError("no more")

    with pytest.raises(KeyError):
        run_on_threads(pieces(), 2, list)


INTERRUPTING_PROGRAM = """
import os, signal, sys
import importlib
randomisation = importlib.import_module('qe_desktop.significance.randomization')
signal.signal(signal.SIGINT, signal.default_int_handler)
real = randomisation.random_masks.swap_bits
blocks = 0
def swap_bits(seed, block, rounds, units):
    global blocks
    blocks += 1
    if blocks == 5:
        os.kill(os.getpid(), signal.SIGINT)
    return real(seed, block, rounds, units)
randomisation.random_masks.swap_bits = swap_bits
from qe_desktop.__main__ import run
sys.exit(run(sys.argv[1:]))
"""


def test_ctrl_c_stops_a_comparison_without_a_traceback(tmp_path):
    for name, tags in (
        ("gold", "OK BAD OK\nBAD OK OK\n"),
        ("a", "OK BAD OK\nOK OK OK\n"),
        ("b", "BAD BAD OK\nOK OK BAD\n"),
    ):
        (tmp_path / name).write_text(tags * 200)
    command = ["compare", "words", "--gold", "gold", "--system", "a", "b", "--rounds", "50000000"]
    run = [sys.executable, "-c", INTERRUPTING_PROGRAM, *command]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(run, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 128 + signal.SIGINT, done.stderr
    assert "Traceback" not in done.stderr
