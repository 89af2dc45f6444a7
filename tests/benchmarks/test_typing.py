"""How soon a typed key is shown in a target, with HTER and tags of its segment, in a large bilingual file."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from typing import Any

import pytest

from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import measure_with_slowness
from tests.benchmarks.typing_run import JOURNAL

SEGMENTS = 100_000


def measure_typing(words: int, stored: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.typing_run", str(SEGMENTS), str(words), stored]
    times: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return times


@pytest.mark.benchmark
@pytest.mark.parametrize(("words", "stored"), [(25, ""), (80, ""), (25, JOURNAL)])
def test_time_from_key_press_to_paint_in_a_target(benchmark, words, stored):
    times, slower = measure_with_slowness(lambda: benchmark.pedantic(measure_typing, (words, stored), rounds=1))
    size = f"{words} words, {SEGMENTS:,} segments{', with a journal' if stored else ''}"
    figures = [
        record_figure(
            f"a key in a target of {size}, to its paint with HTER and tags, median",
            statistics.median(times["keys"]) * 1000,
            16,
            "ms",
            slower=slower,
        ),
        record_figure(
            f"what was typed handed to the session, {size}, median",
            statistics.median(times["pauses"]) * 1000,
            50,
            "ms",
            slower=slower,
        ),
    ]
    assert all(figure.met for figure in figures), figures
