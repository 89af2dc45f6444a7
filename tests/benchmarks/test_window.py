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

from tests.benchmarks.corpora import SEGMENTS, write_large_folder
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import HAS_WC, count_words, measure_with_slowness, wall_and_processor_time

HERE = Path(__file__).parent


def measure_window(folder: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.window_run", str(folder)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def median_time_ratio(times: Sequence[Sequence[float]], references: Sequence[Sequence[float]]) -> float:
    """Return the median ratio of times to reference times, for wall-clock or processor time, whichever is smaller.

    Both are upper bounds of the waiting time on an idle machine: wall-clock time includes other load, and processor
    time adds up threads that run in parallel.
    """
    return float(np.median(np.asarray(times) / np.asarray(references), axis=0).min())


@pytest.mark.skipif(not HAS_WC, reason="there is no wc here")
@pytest.mark.benchmark
def test_time_and_memory_of_a_large_corpus_in_the_window(benchmark):
    folder, small_run = write_large_folder(), write_large_folder(1000)
    tags = [folder / "test.tags", *sorted((folder / "systems").iterdir())]
    benchmark.pedantic(measure_window, (folder,), rounds=1)
    large, small, wc, edits = [], [], [], []
    for _ in range(3):
        large_run, slower = measure_with_slowness(lambda: measure_window(folder))
        large.append(large_run)
        edits.append((large_run["edit"], slower))
        small.append(measure_window(small_run))
        wc.append(wall_and_processor_time(lambda: count_words(*tags)))
    whole = median_time_ratio([large_run["whole"] for large_run in large], wc)
    rows = median_time_ratio([large_run["first rows"] for large_run in large], wc)
    what = f"open {SEGMENTS:,} segments, 5 systems"
    record_figure(f"{what}: whole relative to wc -w of all tag files", whole, 6)
    record_figure(f"{what}: first rows relative to wc -w", rows, 6)
    record_figure(f"{what}: memory", max(large_run["memory MB"] for large_run in large), 1536, "MB")
    assert all(large_run["rows before scores"] == 1 for large_run in large)
    scrolled = statistics.median(
        large_run["page"] / small_run["page"] for large_run, small_run in zip(large, small, strict=True)
    )
    assert record_figure("scroll a page there relative to 1,000 segments", scrolled, 1.3).value < 5
    edit, slower = sorted(edits)[1]
    record_figure("one edit there: scores and the painted word", edit * 1000, 16, "ms", slower=slower)
    assert whole < 40


def bytecode_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a second start, with compiled bytecode even if this machine disables it for tests."""
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return settings | {
        "QE_DESKTOP_SETTINGS": str(folder / "settings.ini"),
        "XDG_DATA_HOME": str(folder),
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }


@pytest.mark.benchmark
def test_longest_event_loop_iteration_after_the_first_paint(benchmark, tmp_path):
    settings = bytecode_environment(tmp_path)

    def longest(*paths: str) -> dict[str, float]:
        command = [sys.executable, "-m", "tests.benchmarks.event_loop_run", *paths]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=settings)
        return json.loads(done.stdout)

    sample = str(HERE.parents[1] / "resources" / "samples" / "en-de")
    benchmark.pedantic(longest, (sample,), rounds=1, warmup_rounds=1)
    for what, paths in {"no file": (), "a folder": (sample,)}.items():
        runs = [longest(*paths) for _ in range(5)]
        own, clock = (statistics.median(run[name] for run in runs) * 1000 for name in ("own", "clock"))
        work = f"longest turn from the first paint on, with {what}"
        record_figure(f"{work}: of the window's thread", own, 100, "ms")
        # this includes the load of other programs
        record_figure(f"{work}: by the clock", clock, 100, "ms")
        assert own < 300


@pytest.mark.benchmark
def test_time_of_cold_start_relative_to_a_bare_window(benchmark, tmp_path):
    settings = bytecode_environment(tmp_path)

    def start(which: str) -> tuple[float, float]:
        start_time = time.time()
        done = subprocess.run(
            [sys.executable, str(HERE / "start_run.py"), which],
            capture_output=True, text=True, check=True, env=settings,
        )  # fmt: skip
        painted, processor = map(float, done.stdout.split()[:2])
        return painted - start_time, processor

    benchmark.pedantic(start, ("ours",), rounds=1, warmup_rounds=1)
    start("bare")
    ours, bare = zip(*((start("ours"), start("bare")) for _ in range(9)), strict=True)
    assert (
        record_figure("cold start relative to a bare window with a table", median_time_ratio(ours, bare), 2).value < 8
    )
