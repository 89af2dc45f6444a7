"""How fast the window is: its start, and a corpus of a million segments in it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.benchmarks.corpora import SEGMENTS, large_folder
from tests.benchmarks.figures import note
from tests.benchmarks.measuring import HAS_WC, both_times, count_words, with_slowness

HERE = Path(__file__).parent


def opened(folder: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.window_run", str(folder)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def beside(ours: Sequence[Sequence[float]], theirs: Sequence[Sequence[float]]) -> float:
    """The median of what ours took beside theirs, each by the clock and in processor time.

    Both are bounds of what someone waits where nothing else runs: the clock counts in what others take, processor time
    adds up threads that run side by side. The closer bound is given.
    """
    return float(np.median(np.asarray(ours) / np.asarray(theirs), axis=0).min())


@pytest.mark.skipif(not HAS_WC, reason="there is no wc here")
@pytest.mark.benchmark
def test_a_large_corpus(benchmark):
    folder, other = large_folder(), large_folder(1000)
    tags = [folder / "test.tags", *sorted((folder / "systems").iterdir())]
    benchmark.pedantic(opened, (folder,), rounds=1)
    large, small, wc, edits = [], [], [], []
    for _ in range(3):
        one, slower = with_slowness(lambda: opened(folder))
        large.append(one)
        edits.append((one["edit"], slower))
        small.append(opened(other))
        wc.append(both_times(lambda: count_words(*tags)))
    whole = beside([one["whole"] for one in large], wc)
    rows = beside([one["first rows"] for one in large], wc)
    what = f"open {SEGMENTS:,} segments, 5 systems"
    note(f"{what}: whole beside wc -w of all tag files", whole, 6)
    note(f"{what}: first rows beside wc -w", rows, 6)
    note(f"{what}: memory", max(one["memory MB"] for one in large), 1536, "MB")
    assert all(one["rows before scores"] == 1 for one in large)
    scrolled = statistics.median(one["page"] / other["page"] for one, other in zip(large, small, strict=True))
    assert note("scroll a page there beside 1,000 segments", scrolled, 1.3).value < 5
    edit, slower = sorted(edits)[1]
    note("one edit there: scores and the painted word", edit * 1000, 16, "ms", slower=slower)
    assert whole < 40


def compiled(folder: Path) -> dict[str, str]:
    """The environment of a second start: the program finds itself compiled, whatever this machine says of tests."""
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return settings | {
        "QE_DESKTOP_SETTINGS": str(folder / "settings.ini"),
        "XDG_DATA_HOME": str(folder),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }


@pytest.mark.benchmark
def test_turns_from_the_first_paint_on(benchmark, tmp_path):
    settings = compiled(tmp_path)

    def longest(*paths: str) -> dict[str, float]:
        command = [sys.executable, "-m", "tests.benchmarks.turns_run", *paths]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=settings)
        return json.loads(done.stdout)

    sample = str(HERE.parents[1] / "resources" / "samples" / "en-de")
    benchmark.pedantic(longest, (sample,), rounds=1, warmup_rounds=1)
    for what, paths in {"no file": (), "a folder": (sample,)}.items():
        runs = [longest(*paths) for _ in range(5)]
        own, clock = (statistics.median(run[name] for run in runs) * 1000 for name in ("own", "clock"))
        work = f"longest turn from the first paint on, with {what}"
        note(f"{work}: of the window's thread", own, 100, "ms")
        # what other programs take is in it
        note(f"{work}: by the clock", clock, 100, "ms")
        assert own < 300


@pytest.mark.benchmark
def test_cold_start(benchmark, tmp_path):
    settings = compiled(tmp_path)

    def start(which: str) -> tuple[float, float]:
        begun = time.time()
        done = subprocess.run(
            [sys.executable, str(HERE / "start_run.py"), which],
            capture_output=True, text=True, check=True, env=settings,
        )  # fmt: skip
        painted, processor = map(float, done.stdout.split()[:2])
        return painted - begun, processor

    benchmark.pedantic(start, ("ours",), rounds=1, warmup_rounds=1)
    start("bare")
    ours, bare = zip(*((start("ours"), start("bare")) for _ in range(9)), strict=True)
    assert note("cold start beside a bare window with a table", beside(ours, bare), 2).value < 8
