"""How fast a large project opens relative to its plain files, and how soon a key press is saved.

QE_DESKTOP_BENCH_SEGMENTS sets the size (1,000,000).
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.project import Edit
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store import Project
from tests.benchmarks.corpora import SEGMENTS, write_large_folder
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import measure_with_slowness
from tests.benchmarks.projects import write_large_project
from tests.benchmarks.test_window import measure_window, median_time_ratio

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


@pytest.mark.benchmark
def test_time_of_opening_a_large_project_relative_to_plain_files(benchmark, tmp_path):
    # a copy, so that the original stays unchanged for later runs
    project = tmp_path / "large.qedesk"
    shutil.copy(write_large_project(SEGMENTS), project)
    folder = write_large_folder()
    pairs = [(measure_window(project), measure_window(folder)) for _ in range(3)]
    benchmark.pedantic(measure_window, (project,), rounds=1)
    what = f"open a project of {SEGMENTS:,} segments with {SEGMENTS:,} edits"
    whole = median_time_ratio(*zip(*((ours["whole"], plain["whole"]) for ours, plain in pairs), strict=True))
    assert record_figure(f"{what}: whole relative to its plain files", whole, 2).value < 6


@pytest.mark.benchmark
def test_time_of_an_edit_is_independent_of_the_number_of_edits(benchmark, tmp_path):
    def spent(segments: int) -> tuple[float, float]:
        project_path = tmp_path / f"{segments}.qedesk"
        shutil.copy(write_large_project(segments), project_path)
        with Project.open(project_path, person="Anna") as project:
            session = restore_session(project, {})
            session.set_storage(project.append, "Anna", project.window)
            key = session.view.reference(Kind.WORDS)
            edits, undos = [], []
            for segment in np.random.default_rng(1).integers(0, segments, 200).tolist():
                tag = 1 - int(session.view.segment_tags(key, segment)[0])
                start = time.perf_counter()
                session.apply(Edit(key, segment, (0,), (tag,)))
                edits.append(time.perf_counter() - start)
            for _ in range(300):
                start = time.perf_counter()
                session.undo()
                undos.append(time.perf_counter() - start)
            project.flush()
        return statistics.median(edits), statistics.median(undos)

    few = spent(1000)
    many = benchmark.pedantic(spent, (SEGMENTS,), rounds=1)
    record_figure(f"an edit after {SEGMENTS:,} relative to one after 1,000", many[0] / few[0], 3)
    record_figure(f"an undo after {SEGMENTS:,}", many[1] * 1000, 16, "ms")
    assert many[0] < 20 * few[0]


@pytest.mark.benchmark
def test_time_from_key_press_to_saved(benchmark, tmp_path):
    project = tmp_path / "small.qedesk"
    shutil.copy(write_large_project(1000), project)

    def run() -> dict[str, float]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.saving_run", str(project)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    times, slower = measure_with_slowness(lambda: benchmark.pedantic(run, rounds=1))
    record_figure("key press to “saved” on SQLite, median", times["saved"] * 1000, 20, "ms", slower=slower)
    painted = "key press until the window is painted meanwhile, median"
    record_figure(painted, times["painted"] * 1000, 16, "ms", slower=slower)
    record_figure("the same, the slowest of 200", times["worst painted"] * 1000, 50, "ms", slower=slower)
    assert times["saved"] > 0
