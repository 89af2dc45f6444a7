"""How fast a project's rows are read and written, and what eight raters at once do to a server.

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
from tests.benchmarks.corpora import SEGMENTS, large_folder
from tests.benchmarks.figures import note
from tests.benchmarks.measuring import ratio
from tests.benchmarks.projects import large_project
from tests.postgres import address, postgresql
from tests.project.store.made import GOLD, a_campaign, an_edit, tags_project
from tests.project.store.reviewed import a_review
from tests.project.store.test_processes import run

__all__ = ["address", "postgresql"]


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A copy of the large project."""
    place = tmp_path / "large.qedesk"
    shutil.copy(large_project(SEGMENTS), place)
    return place


def open_project(place: Path) -> TagColumn:
    """Everything that a project holds, and the gold after all edits."""
    with Project.open(place, person="Anna") as project:
        history, corpus = project.history(), project.corpus()
        return history.replayed(GOLD, corpus.layers[GOLD].tags)


@pytest.mark.benchmark
def test_columns_and_edits_beside_the_plain_files(benchmark, large):
    folder = large_folder()
    beside = ratio(lambda: open_project(large), lambda: build_corpus(plan_imports([folder])[0]), 3)
    benchmark.pedantic(open_project, (large,), rounds=1)
    note(f"{SEGMENTS:,} segments and as many edits from a project, beside the plain files", beside, 2)
    assert beside < 6


def loop(place: Path) -> dict[tuple[int, int], int]:
    """Read the edits one by one into a dictionary, as one would."""
    state = {}
    with closing(sqlite3.connect(place)) as connection:
        connection.row_factory = sqlite3.Row
        for row in connection.execute("SELECT * FROM edits ORDER BY seq"):
            state[row["segment"], row["place"]] = row["tag"]
    return state


@pytest.mark.benchmark
def test_a_history_beside_a_loop(benchmark, large):
    with Project.open(large, person="Anna") as project:
        columns = benchmark.pedantic(project.history, rounds=3, warmup_rounds=1)
        assert len(columns) == SEGMENTS
        gold = project.corpus().layers[GOLD].tags
        beside = ratio(lambda: loop(large), lambda: project.history().replayed(GOLD, gold), 3)
        state = loop(large)
        tags = columns.replayed(GOLD, gold)
    note(f"{SEGMENTS:,} edits, read and replayed: a loop over the rows takes", beside, 2, least=True)
    some = list(state.items())[:: max(1, len(state) // 1000)]
    assert all(tags[segment][place] == tag for (segment, place), tag in some)


@pytest.mark.benchmark
def test_a_row_is_saved(benchmark, tmp_path):
    """From the queue to the call that says "saved", one row after the other and all at once."""
    project = tags_project(tmp_path / "a.qedesk")
    told = threading.Event()
    project.writer.on_saved.append(lambda count, at: told.set())
    appending: list[float] = []

    def one() -> float:
        row = an_edit(project)
        told.clear()
        begun = time.perf_counter()
        project.append([row])
        appending.append(time.perf_counter() - begun)
        assert told.wait(10)
        return time.perf_counter() - begun

    taken = [one() for _ in range(200)]
    benchmark.pedantic(one, rounds=20)
    note("a row, from the queue to “saved” on SQLite, median", statistics.median(taken) * 1000, 20, "ms")
    note("the same: how long the caller is kept, median", statistics.median(appending) * 1000, 1, "ms")
    rows = [an_edit(project, number % 200, number % 8) for number in range(10_000)]
    begun = time.perf_counter()
    project.append(rows)
    assert project.flush(60)
    note("10,000 rows at once, a row", (time.perf_counter() - begun) / 10, 1, "ms")
    project.close()


@pytest.mark.benchmark
def test_eight_raters_at_once(benchmark, address):
    each = 10_000 // 8
    raters = [address.server.new_role() for _ in range(8)]
    with Project.create(address.url, None, person="owner", password=address.password) as project:
        Project.prepare_server(address.url, raters=raters, password=address.password, new_password=lambda name: "")
        project.add_campaign(a_campaign(raters, segments=20))
        found = benchmark.pedantic(run, ("rate", each, address.url, *raters), rounds=1)
        events = project.events("campaign-1")
    assert found["statuses"] == [0] * 8
    note("8 raters at once on one server, 10,000 ratings: lost", 8 * each - len({event.uid for event in events}), 0, "")
    note("the same: twice", len(events) - len({event.uid for event in events}), 0, "")
    note("the same: ratings a second", len(events) / found["seconds"], 100, "/s", least=True)
    assert len(events) == len({event.uid for event in events}) == 8 * each


@pytest.mark.benchmark
def test_a_review_is_opened_and_changed(benchmark, tmp_path):
    """100,000 segments, each edited and confirmed: opened beside reading the rows alone, and one change more."""
    size = 100_000
    column = TextColumn.of(["three words here"] * size)
    place = tmp_path / "a.qedesk"
    with Project.create(place, Corpus("review", size, {TextRole.MT: column}), person="Anna") as project:
        done = (ReviewField.TARGET, ReviewField.STATUS)
        row = a_review(
            project, fields=done, values=("another target", int(ReviewStatus.CONFIRMED)), befores=(None, None)
        )
        project.append([row._replace(uid=new_uid(), segment=segment) for segment in range(size)])
        assert project.flush(600)
    with Project.open(place, person="Anna") as project:
        begun = time.process_time()
        session = benchmark.pedantic(restore_session, (project, {}), rounds=1)
        note(f"{size:,} rows of a review, opened: processor time", time.process_time() - begun, float("inf"), "s")
        statuses = session.view.statuses()
        assert (statuses == ReviewStatus.CONFIRMED).all()

        def loop() -> None:
            with closing(sqlite3.connect(place)) as connection:
                for held in connection.execute("SELECT * FROM reviews ORDER BY seq").fetchall():
                    [json.loads(held[cell]) for cell in (6, 7, 8)]

        beside = ratio(lambda: restore_session(project, {}), loop, 1)
        note("the same beside reading the rows and their JSON one by one", beside, 12)
        taken = []
        for number in range(50):
            begun = time.perf_counter()
            session.reviewing.set({number: {ReviewField.TARGET: f"target {number}"}})
            taken.append(time.perf_counter() - begun)
        copied = dict(session.view.review.targets)
        begun = time.perf_counter()
        dict(copied)
        whole = time.perf_counter() - begun
        note(f"a change at {size:,} touched segments, median", statistics.median(taken) * 1000, 4, "ms")
        note("the same beside copying all targets", statistics.median(taken) / whole, 2)
