"""How fast a large project opens beside the plain files it was made of, and how soon a key press is saved.

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
from tests.benchmarks.corpora import SEGMENTS, large_folder
from tests.benchmarks.figures import note
from tests.benchmarks.measuring import with_slowness
from tests.benchmarks.projects import large_project
from tests.benchmarks.test_window import beside, opened

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


@pytest.mark.benchmark
def test_a_large_project(benchmark, tmp_path):
    # a copy, so that what is written here is not there the next time
    project = tmp_path / "large.qedesk"
    shutil.copy(large_project(SEGMENTS), project)
    folder = large_folder()
    pairs = [(opened(project), opened(folder)) for _ in range(3)]
    benchmark.pedantic(opened, (project,), rounds=1)
    what = f"open a project of {SEGMENTS:,} segments with {SEGMENTS:,} edits"
    whole = beside(*zip(*((ours["whole"], plain["whole"]) for ours, plain in pairs), strict=True))
    assert note(f"{what}: whole beside its plain files", whole, 2).value < 6


@pytest.mark.benchmark
def test_edits_after_a_million(benchmark, tmp_path):
    """An edit and an undo cost the same however many there are in the project."""

    def spent(segments: int) -> tuple[float, float]:
        place = tmp_path / f"{segments}.qedesk"
        shutil.copy(large_project(segments), place)
        with Project.open(place, person="Anna") as project:
            session = restore_session(project, {})
            session.keep_in(project.append, "Anna", project.window)
            key = session.view.reference(Kind.WORDS)
            edits, undos = [], []
            for segment in np.random.default_rng(1).integers(0, segments, 200).tolist():
                tag = 1 - int(session.view.segment_tags(key, segment)[0])
                begun = time.perf_counter()
                session.apply(Edit(key, segment, (0,), (tag,)))
                edits.append(time.perf_counter() - begun)
            for _ in range(300):
                begun = time.perf_counter()
                session.undo()
                undos.append(time.perf_counter() - begun)
            project.flush()
        return statistics.median(edits), statistics.median(undos)

    few = spent(1000)
    many = benchmark.pedantic(spent, (SEGMENTS,), rounds=1)
    note(f"an edit after {SEGMENTS:,} beside one after 1,000", many[0] / few[0], 3)
    note(f"an undo after {SEGMENTS:,}", many[1] * 1000, 16, "ms")
    assert many[0] < 20 * few[0]


@pytest.mark.benchmark
def test_a_key_press_is_saved(benchmark, tmp_path):
    project = tmp_path / "small.qedesk"
    shutil.copy(large_project(1000), project)

    def run() -> dict[str, float]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.saving_run", str(project)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    found, slower = with_slowness(lambda: benchmark.pedantic(run, rounds=1))
    note("key press to “saved” on SQLite, median", found["saved"] * 1000, 20, "ms", slower=slower)
    painted = "key press until the window is painted meanwhile, median"
    note(painted, found["painted"] * 1000, 16, "ms", slower=slower)
    note("the same, the slowest of 200", found["worst painted"] * 1000, 50, "ms", slower=slower)
    assert found["saved"] > 0
