"""The real program, killed at random moments while keys are pressed: all rows reported as saved are stored."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents as corpus_of_files
from qe_desktop.project.events import EditAction, EditRow, ReviewField, ReviewRow, VisitRow
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store import Project
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from tests.formats.bilingual.samples import parse_sample
from tests.small_corpora import corpus_of, noisy, random_tags
from tests.timeouts import KILL_COUNTS, pause, wait_until
from tests.ui.killed_programs import (
    ForkServer,
    is_running,
    kill,
    report_lines,
    reported_rows,
    wait_for_reports,
)

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork"),
]


@pytest.fixture
def fork_server(tmp_path) -> Iterator[ForkServer]:
    process = ForkServer(tmp_path)
    yield process
    process.close()


def check_project(project: Path, rows: dict[str, object]) -> int:
    """Open the project as the next start would, compare it with the rows, and return the number of edits."""
    with Project.open(project, person="Anna") as opened:
        session = restore_session(opened, {})
        history = opened.history()
        stored_rows: dict[str, object] = {row.uid: row for row in opened.edit_rows(history.seq.tolist())}
        for campaign in opened.campaigns():
            stored_rows |= {event.uid: event for event in opened.events(campaign.uid)}
        reviews, visits = opened.review()
        stored_rows |= {row.uid: row._replace(seq=0) for row in reviews}
        stored_rows |= {row.uid: replace(row, seq=0) for row in visits}
        corpus = opened.corpus()
    missing = [uid for uid in rows if uid not in stored_rows]
    assert not missing, f"{len(missing)} of {len(rows)} rows reported as saved are missing"
    for uid, row in rows.items():
        stored = stored_rows[uid]
        if isinstance(row, EditRow) and isinstance(stored, EditRow):
            assert (stored.layer, stored.segment, stored.places, stored.tags) == (
                row.layer, row.segment, row.places, row.tags,
            )  # fmt: skip
        else:
            assert stored == row
    # replaying all edits one by one gives the same tags as the columns
    for key, layer in corpus.layers.items():
        if not key.kind.is_tags:
            continue
        values = layer.tags.values.copy()
        for row in stored_rows.values():
            if isinstance(row, EditRow) and row.layer == key:
                values[layer.tags.offsets[row.segment] + np.asarray(row.places, int)] = row.tags
        assert np.array_equal(session.view.tags(key).values, values)
    # the same applies to each field of the review
    fields: dict[tuple[int, ReviewField], object] = {}
    for row in reviews:
        fields |= {(row.segment, field): value for field, value in zip(row.fields, row.values, strict=True)}
    for field, texts in (
        (ReviewField.TARGET, session.view.review.targets),
        (ReviewField.NOTE, session.view.review.notes),
    ):
        assert texts == {
            segment: value for (segment, row_field), value in fields.items() if row_field is field and value
        }
    edits = [row for row in stored_rows.values() if isinstance(row, EditRow)]
    balance = sum(-1 if row.action is EditAction.UNDO else 1 for row in (*edits, *reviews))
    assert bool(session.undo_text) == (balance > 0)
    raw = sqlite3.connect(project)
    assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    raw.close()
    return len(edits)


def campaign() -> CampaignDesign:
    """A campaign for the person who presses the keys."""
    description = Campaign("c1", "A campaign", "adequacy-fluency", EvaluationBasis.SOURCE, "en", "de")
    translations = {name: [f"{name} {number}" for number in range(40)] for name in ("one", "two")}
    passages = [Passage(number, f"source {number}") for number in range(40)]
    return design_campaign(
        description, CampaignSetup(("one", "two"), tuple(range(40)), ("Anna",)), passages, translations
    )


def new_project(path: Path) -> None:
    gold = random_tags(np.full(40, 8), 0.2, 1)
    corpus = corpus_of(gold, {"a": noisy(gold, 0.1, 1), "b": noisy(gold, 0.3, 2)})
    with Project.create(path, corpus, person="Anna") as project:
        project.add_campaign(campaign())
        project.flush()


@pytest.mark.parametrize("kills", KILL_COUNTS)
def test_rows_reported_as_saved_survive_every_kill(fork_server, tmp_path, kills):
    seed = int(os.environ.get("QE_DESKTOP_KILL_SEED", "1"))
    rng = random.Random(seed)
    project, rows, total, expected = tmp_path / "p0.qedesk", {}, Counter(), Counter()
    new_project(project)
    start = time.monotonic()
    for number in range(kills):
        if number and number % 25 == 0:
            # a small file is reopened faster, and a large one is equally robust
            project, rows = tmp_path / f"p{number}.qedesk", {}
            new_project(project)
        report = tmp_path / f"report-{number}"
        pid = fork_server.start(project, report, seed * 100_000 + number)
        if rng.random() < 0.8:
            kind, min_rows = (RatingEvent, 1) if number % 4 == 1 else (EditRow, rng.randint(1, 6))
            wait_for_reports(pid, report, kind, min_rows)
            expected[kind.__name__] += min_rows
            pause(rng.uniform(0, 0.15))
        else:
            # also kill at any moment of the start
            pause(rng.uniform(0, 0.5))
        kill(pid)
        new_rows = reported_rows(report)
        total.update(type(row).__name__ for row in new_rows.values())
        rows |= new_rows
        check_project(project, rows)
    print(f"{kills} kills; reported saved: {dict(total)}; {time.monotonic() - start:.0f} s")
    assert len(expected) == 2
    assert all(total[kind] >= min_rows for kind, min_rows in expected.items())


@pytest.mark.parametrize("kills", KILL_COUNTS)
def test_post_edits_reported_as_saved_survive_every_kill(fork_server, tmp_path, kills):
    """Killed between tag edits while translations are edited, confirmed and annotated, and the work is recorded."""
    seed = int(os.environ.get("QE_DESKTOP_KILL_SEED", "1"))
    rng = random.Random(seed)
    project, rows, total, expected = tmp_path / "p0.qedesk", {}, Counter(), Counter()
    new_project(project)
    for number in range(kills):
        if number and number % 25 == 0:
            project, rows = tmp_path / f"p{number}.qedesk", {}
            new_project(project)
        report = tmp_path / f"report-{number}"
        pid = fork_server.start(project, report, seed * 200_000 + number, rates=False, edits_reviews=True)
        kind, min_rows = (VisitRow, 1) if number % 3 == 1 else (ReviewRow, rng.randint(1, 6))
        wait_for_reports(pid, report, kind, min_rows)
        expected[kind.__name__] += min_rows
        pause(rng.uniform(0, 0.15))
        kill(pid)
        new_rows = reported_rows(report)
        total.update(type(row).__name__ for row in new_rows.values())
        rows |= new_rows
        check_project(project, rows)
    print(f"{kills} kills while correcting; reported saved: {dict(total)}")
    assert all(total[kind] >= min_rows for kind, min_rows in expected.items())


@pytest.mark.parametrize("kills", KILL_COUNTS)
def test_typed_targets_reported_as_saved_survive_every_kill(fork_server, tmp_path, kills):
    """A bilingual file with inline codes, typed key by key in the target editor, and confirmed with Ctrl+Enter."""
    seed = int(os.environ.get("QE_DESKTOP_KILL_SEED", "1"))
    rng = random.Random(seed)
    project, rows, counts = tmp_path / "p0.qedesk", {}, Counter()
    for number in range(kills):
        if number % 25 == 0:
            project, rows = tmp_path / f"p{number}.qedesk", {}
            Project.create(project, corpus_of_files([parse_sample("studio.sdlxliff")], "job"), person="Anna").close()
        report = tmp_path / f"report-{number}"
        pid = fork_server.start(project, report, seed * 300_000 + number, rates=False, types=True)
        wait_for_reports(pid, report, ReviewRow, rng.randint(1, 4))
        pause(rng.uniform(0, 0.15))
        kill(pid)
        new_rows = reported_rows(report)
        counts.update(field.name for row in new_rows.values() if isinstance(row, ReviewRow) for field in row.fields)
        rows |= new_rows
        check_project(project, rows)
    print(f"{kills} kills while typing; reported saved: {dict(counts)}")
    assert counts["TARGET"]
    assert counts["STATUS"]


def test_two_programs_on_one_project_lose_nothing_and_see_each_other(fork_server, tmp_path):
    project = tmp_path / "shared.qedesk"
    new_project(project)
    reports = [tmp_path / "left", tmp_path / "right"]
    go = tmp_path / "go"
    pids = [
        fork_server.start(project, report, seed, presses=60, go=str(go), rates=False)
        for seed, report in enumerate(reports)
    ]

    def wait_for(holds) -> None:
        def check() -> bool:
            assert all(is_running(pid) for pid in pids), "a program ended by itself"
            return holds()

        wait_until(check, "the programs did not get there", interval_s=0.05)

    wait_for(lambda: all(any("ready" in line for line in report_lines(report)) for report in reports))
    go.touch()

    def each_has_seen_the_other() -> bool:
        edits = [{uid for uid, row in reported_rows(report).items() if isinstance(row, EditRow)} for report in reports]
        seen = [{line["seen"] for line in report_lines(report) if "seen" in line} for report in reversed(reports)]
        return min(map(len, edits)) >= 20 and all(mine <= others for mine, others in zip(edits, seen, strict=True))

    wait_for(each_has_seen_the_other)
    for pid in pids:
        kill(pid)
    check_project(project, {**reported_rows(reports[0]), **reported_rows(reports[1])})
