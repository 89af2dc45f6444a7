"""How long the findings of a shared task take from start to table, and a score from start to output."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.levels.words.tag_level import DISPLAYED_METRICS
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import processor_time

PAIRS = ("de-en", "en-cs", "en-de", "en-ja", "en-mr", "en-yo", "km-en", "ps-en")
SYSTEMS, SEGMENTS, WORDS = 10, 1000, 20
METRICS = DISPLAYED_METRICS[:1] + DISPLAYED_METRICS[2:]


def task(folder: Path, pairs: tuple[str, ...] = PAIRS, segments: int = SEGMENTS, systems: int = SYSTEMS) -> Path:
    """A folder of a shared task, with one folder per language pair."""
    rng = np.random.default_rng(1)
    for pair in pairs:
        (folder / pair / "systems").mkdir(parents=True)
        gold = rng.random((segments, WORDS)) < 0.2
        (folder / pair / "test.mt").write_text((" ".join("w" * WORDS) + "\n") * segments)
        _write(folder / pair / "test.tags", gold)
        for system in range(systems):
            flipped = rng.random(gold.shape) < 0.1 + system / (5 * systems)
            _write(folder / pair / "systems" / f"s{system}.tags", gold ^ flipped)
    return folder


def _write(path: Path, tags: np.ndarray) -> None:
    path.write_text("".join(" ".join("BAD" if tag else "OK" for tag in line) + "\n" for line in tags))


def process_seconds(*arguments: str) -> float:
    """Return the processor time in seconds of a whole process."""
    before = processor_time()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=bytecode_environment())
    return processor_time() - before


def bytecode_environment() -> dict[str, str]:
    """Return the environment of a second start, with compiled bytecode even if this machine disables it for tests."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@pytest.mark.benchmark
def test_time_of_findings_relative_to_pairwise_comparisons(benchmark, tmp_path):
    """The reference is one comparison of each pair, each from start to table."""
    folder = task(tmp_path / "task")
    command = ("-m", "qe_desktop", "findings", str(folder), "--metric", *METRICS, "--format", "tsv")

    def matrices() -> float:
        return sum(
            process_seconds(
                "-m", "qe_desktop", "compare", "words", "--gold", str(folder / pair / "test.tags"),
                "--system", str(folder / pair / "systems"), "--metric", *METRICS, "--format", "tsv",
            )
            for pair in PAIRS
        )  # fmt: skip

    assert len(METRICS) == 6
    benchmark.pedantic(process_seconds, command, rounds=1)
    matrices()
    time_ratio = statistics.median(process_seconds(*command) / matrices() for _ in range(3))
    figure = record_figure(
        "findings of 8 pairs × 10 × 1,000, six metrics, R = 10,000: relative to its matrices", time_ratio, 1.5
    )
    assert figure.value < 5 * figure.limit


@pytest.mark.benchmark
def test_time_of_score_command_relative_to_importing_numpy(benchmark, tmp_path):
    folder = task(tmp_path / "task", ("en-de",), 2000) / "en-de"
    command = (
        "-m", "qe_desktop", "score", "words", "--gold", str(folder / "test.tags"), "--system", str(folder / "systems"),
    )  # fmt: skip

    benchmark.pedantic(process_seconds, command, rounds=1)
    extra = statistics.median(process_seconds(*command) - process_seconds("-c", "import numpy") for _ in range(7))
    figure = record_figure(
        "score 10 × 2,000 segments, from start to answer: relative to importing numpy", extra, 0.6, "s more"
    )
    assert figure.value < 10 * figure.limit
