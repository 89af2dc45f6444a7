"""How long the window is kept from answering while systems are compared beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.figures import note
from tests.benchmarks.measuring import with_slowness
from tests.benchmarks.test_findings import task
from tests.benchmarks.test_sentence_scores import SEGMENTS, SYSTEMS, scores_of
from tests.benchmarks.test_translations_ngrams import texts

MANY = 40
WORKS = {
    "compare": "compare 17 × 1817 in the window",
    "findings": "findings of 3 pairs in the window",
    "findings judged": "another alpha for findings of 8 pairs × 40, seven metrics",
    "pictures": "each picture of 40 systems, seen for the first time",
    "matrix judged": "another alpha for a matrix of 40 systems",
    "theme": "another theme, with a matrix of 40 systems in view",
    "translations": "compare 4 × 2,000 translations by each metric in the window",
}


@pytest.mark.benchmark
def test_no_turn_of_the_window_is_long(benchmark, tmp_path):
    inputs = [
        written(tmp_path / "scores.tsv", SYSTEMS),
        task(tmp_path / "task", ("en-de", "ne-en", "ps-en"), 500),
        written(tmp_path / "many.tsv", MANY),
        task(tmp_path / "many", segments=60, systems=MANY),
        translated(tmp_path / "en-de"),
    ]

    def run() -> dict[str, float]:
        command = [sys.executable, "-m", "tests.benchmarks.blocking_run", *map(str, inputs)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
        return json.loads(done.stdout)

    benchmark.pedantic(run, rounds=1)
    runs, slower = with_slowness(lambda: [run() for _ in range(5)])
    # the longest of many turns in each, to which other work on the machine can only add
    found = {what: min(one[what] for one in runs) for what in runs[0]}
    assert found.keys() == WORKS.keys()
    for what, work in WORKS.items():
        figure = note(f"{work}: the longest turn of its thread", found[what] * 1000, 50, "ms", slower=slower)
        assert figure.value < 20 * figure.bar


def written(path: Path, systems: int) -> Path:
    """A table of scores of so many systems."""
    scores, gold = scores_of(systems, SEGMENTS)
    names = "\t".join(["seg", "gold", *(f"s{place}" for place in range(systems))])
    columns = np.column_stack([gold, scores.T]).tolist()
    rows = ["\t".join([str(place), *map(repr, row)]) for place, row in enumerate(columns)]
    path.write_text("\n".join([names, *rows]) + "\n")
    return path


def translated(folder: Path) -> Path:
    """A folder of a reference and what systems made of it."""
    systems, reference = texts()
    (folder / "systems").mkdir(parents=True)
    files = {"ref.A": reference, **{f"systems/s{place}.txt": lines for place, lines in enumerate(systems)}}
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder
