"""How long the event loop is blocked while systems are compared and files are edited."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.benchmarks.figures import record_figure
from tests.benchmarks.measured_window import BY_THE_CLOCK
from tests.benchmarks.measurement import measure_with_slowness
from tests.benchmarks.repeated_sources import make_repeating_job
from tests.benchmarks.test_bilingual_files import make_job
from tests.benchmarks.test_bleu_nist import random_texts as translations
from tests.benchmarks.test_findings import task
from tests.benchmarks.test_sentence_scores import SEGMENTS, SYSTEMS, scores_of

MANY = 40
WORKS = {
    "pages": "the Scores area with tags of 17 × 1817, and each of its pages, for the first time",
    "compare": "compare 17 × 1817 in the window",
    "findings": "findings of 3 pairs in the window",
    "findings judged": "another alpha for findings of 8 pairs × 40, seven metrics",
    "pictures": "each picture of 40 systems, seen for the first time",
    "matrix judged": "another alpha for a matrix of 40 systems",
    "theme": "another theme, with a matrix of 40 systems in view",
    "translations": "compare 4 × 2,000 translations by each metric in the window",
    "metrics and people": "evaluate 3 metrics of 4 × 2,000 translations against human scores, and show all results",
    "studies": "each study of metrics of 17 × 1817, with its tables and pictures",
}

TRANSLATING_WORKS = {
    "open": "open an XLIFF of 100,000 segments",
    "systems": "tags of two systems come to 100,000 segments",
    "typing": "begin to type in a target of 100,000 segments",
    "first edit": "the first edit of 100,000 segments, with which tags and HTER of post-edits come",
    "edit": "another edit of 100,000 segments",
    "confirm": "confirm a segment of 100,000 and go to the next that is doubtful",
    "filter": "only doubtful segments of 100,000, and all again",
    "undo": "undo an edit of 100,000 segments",
    "scores": "the Scores area with 100,000 segments, for the first time",
    "replace": "replace in 500 of 100,000 targets at once",
    "edit of many": "an edit of 100,000 segments while hundreds are edited and the Scores area is there",
    "save": "save an XLIFF of 100,000 segments",
}

REPEATING_WORKS = {
    "open": "open an XLIFF of 100,000 segments, of which 30,000 have a source that others have",
    "typing": "begin to type in one of 5,000 identical segments",
    "key": "a key typed in one of 5,000 identical segments",
    "edit": "an edit of one of 5,000 identical segments",
    "confirm": "confirm one of 5,000 identical segments",
    "undo": "undo that",
    "propagate": "use a confirmed target in 5,000 identical segments",
    "propagate undone": "undo that in one step",
    "replace": "replace in 4,500 equal targets at once",
    "replace undone": "undo that at once",
}

PEOPLE_WORKS = {
    "opened": "1,000,000 ratings opened together with texts",
    "scored": "people scored by 1,000,000 ratings",
    "matched": "another system of 1,000,000 ratings",
    "project": "a project with 1,000,000 ratings opened and scored",
}


@pytest.mark.benchmark
def test_no_event_loop_iteration_is_long_while_comparing_systems(benchmark, tmp_path):
    inputs: list[Path] = [
        score_table(tmp_path / "scores.tsv", SYSTEMS),
        task(tmp_path / "task", ("en-de", "ne-en", "ps-en"), 500),
        score_table(tmp_path / "many.tsv", MANY),
        task(tmp_path / "many", segments=60, systems=MANY),
        translation_folder(tmp_path / "en-de"),
        write_probabilities(task(tmp_path / "words", ("en-de",), SEGMENTS, SYSTEMS) / "en-de"),
    ]
    record_longest_iterations(benchmark, partial(run, "blocking_run", inputs), WORKS, 3)


@pytest.mark.benchmark
def test_no_event_loop_iteration_is_long_with_many_ratings(benchmark, tmp_path):
    without, folder = tagged_folder(tmp_path / "without"), add_ratings(tagged_folder(tmp_path / "rated"))

    def opened() -> dict[str, float]:
        project = tmp_path / "made.qedesk"
        for old in tmp_path.glob("made.qedesk*"):
            old.unlink()
        return run("many_ratings_run", [without, folder, project])

    record_longest_iterations(benchmark, opened, PEOPLE_WORKS, 3)


@pytest.mark.benchmark
def test_no_event_loop_iteration_is_long_in_a_large_bilingual_file(benchmark, tmp_path):
    original, path = tmp_path / "made.xlf", tmp_path / "job.xlf"
    make_job(original, 100_000, seed=1)

    def work_on_copy(*arguments: str) -> dict[str, float]:
        shutil.copy(original, path)
        return run("bilingual_file_run", [path], *arguments)

    record_longest_iterations(benchmark, work_on_copy, TRANSLATING_WORKS, 3)
    record_longest_iterations(
        None, partial(work_on_copy, BY_THE_CLOCK), TRANSLATING_WORKS, 3, "the longest turn by the clock"
    )


@pytest.mark.benchmark
def test_no_event_loop_iteration_is_long_where_sources_repeat(benchmark, tmp_path):
    path = tmp_path / "job.xlf"
    make_repeating_job(path, 100_000, 30_000, seed=1)
    record_longest_iterations(benchmark, partial(run, "repeated_sources_run", [path]), REPEATING_WORKS, 3)


def run(module: str, inputs: Sequence[Path], *arguments: str) -> dict[str, float]:
    """Run a measuring program on inputs and return its result; fail with its output on an error."""
    command = [sys.executable, "-X", "faulthandler", "-m", f"tests.benchmarks.{module}", *map(str, inputs), *arguments]
    process = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    if process.returncode:
        pytest.fail(f"{module} ended with {process.returncode}:\n{process.stderr}", pytrace=False)
    return json.loads(process.stdout)


def record_longest_iterations(
    benchmark: Any,
    measured: Callable[[], dict[str, float]],
    works: Mapping[str, str],
    times: int,
    what_of: str = "the longest turn of its thread",
) -> None:
    """Compare the longest iterations with their limit, adjusted for the speed of the machine in each run."""
    runs = [] if benchmark is None else [benchmark.pedantic(measure_with_slowness, (measured,), rounds=1)]
    runs += [measure_with_slowness(measured) for _ in range(times - len(runs))]
    assert all(result.keys() == works.keys() for result, _ in runs)
    for name, work in works.items():
        # the minimum over runs, because other load of the machine can only add time
        seconds, slower = min(((result[name], slower) for result, slower in runs), key=lambda pair: pair[0] / pair[1])
        figure = record_figure(f"{work}: {what_of}", seconds * 1000, 50, "ms", slower=slower)
        assert figure.value < 20 * figure.limit


def score_table(path: Path, systems: int) -> Path:
    """A table of scores of a number of systems."""
    scores, gold = scores_of(systems, SEGMENTS)
    names = "\t".join(["seg", "gold", *(f"s{index}" for index in range(systems))])
    columns = np.column_stack([gold, scores.T]).tolist()
    rows = ["\t".join([str(index), *map(repr, row)]) for index, row in enumerate(columns)]
    path.write_text("\n".join([names, *rows]) + "\n")
    return path


def write_probabilities(folder: Path) -> Path:
    """A folder of tags in which two systems have probabilities instead of tags."""
    rng = np.random.default_rng(2)
    for path in sorted((folder / "systems").iterdir())[:2]:
        tags = [line.split() for line in path.read_text().splitlines()]
        probabilities = [[f"{rng.random() / 2 + (tag == 'BAD') / 2:.4f}" for tag in line] for line in tags]
        path.with_suffix(".probs").write_text("".join(" ".join(line) + "\n" for line in probabilities))
        path.unlink()
    return folder


def translation_folder(folder: Path) -> Path:
    """A folder with a reference, outputs of systems, and ratings of these."""
    systems, reference = translations()
    (folder / "systems").mkdir(parents=True)
    files = {"ref.A": reference, **{f"systems/s{index}.txt": lines for index, lines in enumerate(systems)}}
    rows = [
        f"r{segment % 4}\ts{index}\t{segment + 1}\t{(segment * 7 + index * 3) % 9}"
        for index in range(len(systems))
        for segment in range(len(reference))
    ]
    files["people.tsv"] = ["rater\tsystem\tsegment\tscore", *rows]
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder


RATED, OUTPUTS, RATINGS = 10, 10_000, 10
"""Numbers of systems, of segments, and of ratings per output: a million ratings."""


def tagged_folder(folder: Path) -> Path:
    """A folder with MT and its tags."""
    folder.mkdir()
    (folder / "c.mt").write_text("one two\n" * OUTPUTS)
    (folder / "c.tags").write_text("OK BAD\n" * OUTPUTS)
    return folder


def add_ratings(folder: Path) -> Path:
    """Add ratings by fifty raters to a folder."""
    values = np.random.default_rng(1).integers(0, 101, (RATED, OUTPUTS, RATINGS)).tolist()
    with (folder / "people.tsv").open("w") as file:
        file.write("rater\tsystem\tsegment\tscore\n")
        for system, system_values in enumerate(values):
            file.writelines(
                f"r{(segment * 7 + index) % 50}\ts{system}\t{segment + 1}\t{value}\n"
                for segment, values_of_segment in enumerate(system_values)
                for index, value in enumerate(values_of_segment)
            )
    return folder
