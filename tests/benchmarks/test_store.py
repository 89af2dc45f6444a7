"""How fast rows of a project are read and written, and the throughput of eight raters on one server.

QE_DESKTOP_BENCH_SEGMENTS sets the size of the large project (1,000,000).
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import statistics
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from qe_desktop.corpus import Corpus, ReviewStatus, TagColumn, TextColumn, TextRole
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.project.events import ReviewField, new_uid
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store import Project
from tests.benchmarks.corpora import SEGMENTS, write_large_folder
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of
from tests.benchmarks.projects import write_large_project
from tests.postgres import address, postgresql
from tests.project.store.review_rows import make_review_row
from tests.project.store.small_projects import GOLD, make_design, make_edit_row, tags_project
from tests.project.store.test_processes import run_processes

__all__ = ["address", "postgresql"]


@pytest.fixture
def large_copy(tmp_path: Path) -> Path:
    """A copy of the large project."""
    path = tmp_path / "large.qedesk"
    shutil.copy(write_large_project(SEGMENTS), path)
    return path


def open_project(path: Path) -> TagColumn:
    """Read everything in a project, and return gold after all edits."""
    with Project.open(path, person="Anna") as project:
        history, corpus = project.history(), project.corpus()
        return history.replay(GOLD, corpus.layers[GOLD].tags)


@pytest.mark.benchmark
def test_time_of_opening_a_project_relative_to_plain_files(benchmark, large_copy):
    folder = write_large_folder()
    time_ratio = time_ratio_of(lambda: open_project(large_copy), lambda: build_corpus(plan_imports([folder])[0]), 3)
    benchmark.pedantic(open_project, (large_copy,), rounds=1)
    record_figure(f"{SEGMENTS:,} segments and as many edits from a project, relative to the plain files", time_ratio, 2)
    assert time_ratio < 6


def read_edits_in_a_loop(path: Path) -> dict[tuple[int, int], int]:
    """Read the edits one by one into a dictionary."""
    state = {}
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        for row in connection.execute("SELECT * FROM edits ORDER BY seq"):
            state[row["segment"], row["place"]] = row["tag"]
    return state


@pytest.mark.benchmark
def test_time_of_reading_edits_relative_to_a_loop(benchmark, large_copy):
    with Project.open(large_copy, person="Anna") as project:
        columns = benchmark.pedantic(project.history, rounds=3, warmup_rounds=1)
        assert len(columns) == SEGMENTS
        gold = project.corpus().layers[GOLD].tags
        time_ratio = time_ratio_of(
            lambda: read_edits_in_a_loop(large_copy), lambda: project.history().replay(GOLD, gold), 3
        )
        state = read_edits_in_a_loop(large_copy)
        tags = columns.replay(GOLD, gold)
    record_figure(f"{SEGMENTS:,} edits, read and replayed: a loop over the rows takes", time_ratio, 2, is_minimum=True)
    sampled = list(state.items())[:: max(1, len(state) // 1000)]
    assert all(tags[segment][word] == tag for (segment, word), tag in sampled)


@pytest.mark.benchmark
def test_time_to_save_rows(benchmark, tmp_path):
    """From the queue to the callback that reports the save, for single rows and for many at once."""
    project = tags_project(tmp_path / "a.qedesk")
    saved = threading.Event()
    project.writer.on_saved.append(lambda count, at: saved.set())
    append_times: list[float] = []

    def save_row() -> float:
        row = make_edit_row(project)
        saved.clear()
        start = time.perf_counter()
        project.append([row])
        append_times.append(time.perf_counter() - start)
        assert saved.wait(10)
        return time.perf_counter() - start

    save_times = [save_row() for _ in range(200)]
    benchmark.pedantic(save_row, rounds=20)
    record_figure("a row, from the queue to “saved” on SQLite, median", statistics.median(save_times) * 1000, 20, "ms")
    record_figure("the same: how long the caller is kept, median", statistics.median(append_times) * 1000, 1, "ms")
    rows = [make_edit_row(project, number % 200, number % 8) for number in range(10_000)]
    start = time.perf_counter()
    project.append(rows)
    assert project.flush(60)
    record_figure("10,000 rows at once, a row", (time.perf_counter() - start) / 10, 1, "ms")
    project.close()


@pytest.mark.benchmark
def test_throughput_of_eight_concurrent_raters(benchmark, address):
    ratings_each = 10_000 // 8
    raters = [address.server.new_role() for _ in range(8)]
    with Project.create(address.url, None, person="owner", password=address.password) as project:
        Project.prepare_server(address.url, raters=raters, password=address.password, new_password=lambda name: "")
        project.add_campaign(make_design(raters, segments=20))
        result = benchmark.pedantic(run_processes, ("rate", ratings_each, address.url, *raters), rounds=1)
        events = project.events("campaign-1")
    assert result["statuses"] == [0] * 8
    record_figure(
        "8 raters at once on one server, 10,000 ratings: lost",
        8 * ratings_each - len({event.uid for event in events}),
        0,
        "",
    )
    record_figure("the same: twice", len(events) - len({event.uid for event in events}), 0, "")
    record_figure("the same: ratings a second", len(events) / result["seconds"], 100, "/s", is_minimum=True)
    assert len(events) == len({event.uid for event in events}) == 8 * ratings_each


@pytest.mark.benchmark
def test_time_to_open_and_change_a_review(benchmark, tmp_path):
    """100,000 edited and confirmed segments: opening relative to reading the rows alone, and one more change."""
    size = 100_000
    column = TextColumn.of(["three words here"] * size)
    path = tmp_path / "a.qedesk"
    with Project.create(path, Corpus("review", size, {TextRole.MT: column}), person="Anna") as project:
        changed_fields = (ReviewField.TARGET, ReviewField.STATUS)
        row = make_review_row(
            project, fields=changed_fields, values=("another target", int(ReviewStatus.CONFIRMED)), befores=(None, None)
        )
        project.append([row._replace(uid=new_uid(), segment=segment) for segment in range(size)])
        assert project.flush(600)
    with Project.open(path, person="Anna") as project:
        start = time.process_time()
        session = benchmark.pedantic(restore_session, (project, {}), rounds=1)
        record_figure(
            f"{size:,} rows of a review, opened: processor time", time.process_time() - start, float("inf"), "s"
        )
        statuses = session.view.statuses()
        assert (statuses == ReviewStatus.CONFIRMED).all()

        def loop() -> None:
            with closing(sqlite3.connect(path)) as connection:
                for record in connection.execute("SELECT * FROM reviews ORDER BY seq").fetchall():
                    [json.loads(record[cell]) for cell in (6, 7, 8)]

        time_ratio = time_ratio_of(lambda: restore_session(project, {}), loop, 1)
        record_figure("the same relative to reading the rows and their JSON one by one", time_ratio, 12)
        times = []
        for number in range(50):
            start = time.perf_counter()
            session.reviewing.set({number: {ReviewField.TARGET: f"target {number}"}})
            times.append(time.perf_counter() - start)
        copied = dict(session.view.review.targets)
        start = time.perf_counter()
        dict(copied)
        copy_time = time.perf_counter() - start
        record_figure(f"a change at {size:,} touched segments, median", statistics.median(times) * 1000, 4, "ms")
        record_figure("the same relative to copying all targets", statistics.median(times) / copy_time, 2)
