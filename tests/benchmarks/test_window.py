"""How fast the window is: its start, and a corpus of a million segments in it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.benchmarks.corpora import SEGMENTS, large_folder
from tests.benchmarks.figures import HAS_WC, note, wc_seconds

HERE = Path(__file__).parent


def opened(folder: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.window_run", str(folder)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(not HAS_WC, reason="there is no wc here")
@pytest.mark.benchmark
def test_a_large_corpus(benchmark):
    folder = large_folder()
    small = opened(large_folder(1000))
    large = benchmark.pedantic(opened, (folder,), rounds=1)
    wc = wc_seconds(folder / "test.tags", *sorted((folder / "systems").iterdir()))
    what = f"open {SEGMENTS:,} segments, 5 systems"
    note(f"{what}: whole beside wc -w of all tag files", large["whole"] / wc, 6)
    note(f"{what}: first rows beside wc -w", large["first rows"] / wc, 6)
    note(f"{what}: memory", large["memory MB"], 1536, "MB")
    assert large["rows before scores"] == 1
    assert note("scroll a page there beside 1,000 segments", large["page"] / small["page"], 1.3).value < 5
    note("one edit there: scores and the painted word", large["edit"] * 1000, 16, "ms")
    assert large["whole"] < 40 * wc


@pytest.mark.benchmark
def test_cold_start(benchmark, tmp_path):
    settings = {**os.environ, "QE_DESKTOP_SETTINGS": str(tmp_path / "settings.ini")}

    def start(which: str) -> float:
        begun = time.time()
        done = subprocess.run(
            [sys.executable, str(HERE / "start_run.py"), which],
            capture_output=True, text=True, check=True, env=settings,
        )  # fmt: skip
        return float(done.stdout.split()[0]) - begun

    benchmark.pedantic(start, ("ours",), rounds=1, warmup_rounds=1)
    start("bare")
    beside = statistics.median(start("ours") / start("bare") for _ in range(7))
    assert note("cold start beside a bare window with a table", beside, 2).value < 8
