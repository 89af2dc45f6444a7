"""How fast files of ratings are read, and how long a report on many ratings takes."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from qe_desktop.corpus import PairRatings, Ratings, Score, ScoreRatings
from qe_desktop.formats.ratings import read_ratings, write_ratings
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of

MANY = 1_000_000


def many(count: int) -> Ratings:
    """Adequacy and fluency ratings by 100 raters of the outputs of 10 systems, with 20 raters per output."""
    rng = np.random.default_rng(1)
    items = count // 2
    outputs = max(1, items // 20)
    output, rater = np.arange(items) // 20, (np.arange(items) * 7 + np.arange(items) // 20) % 100
    quality = rng.normal(3.5, 0.8, outputs)[output] + (output % 10) / 10
    value = np.clip(np.rint(np.repeat(quality, 2) + rng.normal(0, 0.8, 2 * items)), 1, 5)
    table = ScoreRatings(
        tuple(f"rater{index:03d}" for index in range(100)), tuple(f"system{index}" for index in range(10)),
        tuple(str(index + 1) for index in range(outputs // 10 + 1)), ("adequacy", "fluency"),
        np.repeat(rater, 2).astype(np.int32), np.repeat(output % 10, 2).astype(np.int32),
        np.repeat(output // 10, 2).astype(np.int32), np.tile(np.arange(2, dtype=np.int32), items), value,
        np.zeros(2 * items, np.uint8), 1.7e9 + np.repeat(np.arange(items), 2) * 3.25,
        rng.integers(4, 60, 2 * items).astype(np.float64), np.zeros(2 * items, np.uint8),
    )  # fmt: skip
    return Ratings(table, PairRatings.of([]))


@pytest.mark.benchmark
@pytest.mark.parametrize(("form", "bar"), [("long", 1.0), ("jsonl", 1.0)])
def test_time_of_reading_ratings_relative_to_a_python_loop(benchmark, tmp_path, form, bar):
    path = tmp_path / "ratings"
    write_ratings(many(MANY), path, form)

    def loop() -> list[Score]:
        with path.open(newline="") as file:
            if form == "long":
                rows = csv.DictReader(file)
                return [
                    Score(row["rater"], row["system"], row["segment"], row["scale"], float(row["value"]),
                          seconds=float(row["seconds"]))
                    for row in rows
                ]  # fmt: skip
            lines = (json.loads(line) for line in file)
            return [
                Score(row["rater"], row["system"], row["segment"], row["scale"], row["value"], seconds=row["seconds"])
                for row in lines
                if "rater" in row
            ]

    assert len(loop()) == MANY
    ratings = benchmark.pedantic(read_ratings, (path,), rounds=1)
    assert len(ratings.scores) == MANY
    figure = record_figure(
        f"read 1,000,000 ratings ({form}): a Python loop takes",
        1 / time_ratio_of(lambda: read_ratings(path), loop, 3),
        bar,
        is_minimum=True,
    )
    assert figure.value > bar / 4


CHILD = """
import qe_desktop
import json, statistics
from qe_desktop.ratings.results.rating_results import build_results as results_of
from qe_desktop.report.rating_json import ratings_json
from tests.benchmarks.measurement import peak_memory, median_seconds
from tests.benchmarks.test_rating_files import many
few, all_of_them = many(100_000), many(1_000_000)
ratings_json(results_of(few))
time_ratios = []
for turn in range(3):
    less = median_seconds(lambda: ratings_json(results_of(few)), 1)
    time_ratios.append(median_seconds(lambda: ratings_json(results_of(all_of_them)), 1) / less)
print(json.dumps([statistics.median(time_ratios), peak_memory()]))
"""


@pytest.mark.benchmark
def test_time_and_memory_of_a_report_on_a_million_ratings(benchmark):
    def run() -> list[float]:
        done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True, env=os.environ)
        return json.loads(done.stdout)

    time_ratio, memory = benchmark.pedantic(run, rounds=1)
    assert record_figure("report on 1,000,000 ratings, 100 raters, relative to 100,000", time_ratio, 12).value < 30
    assert record_figure("the same, peak memory", memory, 1000, "MB").value < 3000
