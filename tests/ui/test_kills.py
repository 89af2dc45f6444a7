"""The real program, killed at random moments while keys are pressed in it: all that was reported saved is there."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
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
from qe_desktop.project.store.tables.json_codec import row_from_json
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ui.settings import Settings
from tests.building import corpus_of, noisy, random_tags
from tests.formats.bilingual.samples import sample
from tests.patience import HOW_OFTEN, pause, wait_until

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork"),
]


class Nursery:
    """A process that has everything imported, so that a start of the program costs a fork and a window."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(str(folder / "settings.ini"))
        settings.person = "Anna"
        settings.save()
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "QE_DESKTOP_SETTINGS": str(folder / "settings.ini"),
            "XDG_DATA_HOME": str(folder / "data"),
            "OPENBLAS_NUM_THREADS": "1",
        }
        self._log = (folder / "nursery.log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.kill_nursery"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment,
        )  # fmt: skip
        assert self._answer() == "ready"

    def start(self, project: Path, report: Path, seed: int, **more: object) -> int:
        assert self._process.stdin is not None
        order = {"project": str(project), "report": str(report), "seed": seed, **more}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        self._process.communicate()
        self._log.close()
        assert self._process.returncode == 0


@pytest.fixture
def nursery(tmp_path) -> Iterator[Nursery]:
    one = Nursery(tmp_path)
    yield one
    one.close()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def kill(pid: int) -> None:
    assert alive(pid), "the program ended by itself"
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not alive(pid))


def wait_for_reports(pid: int, report: Path, kind: type, least: int) -> None:
    """Wait until so many rows of a kind were reported saved."""

    def enough() -> bool:
        assert alive(pid), "the program ended by itself"
        return sum(isinstance(row, kind) for row in reported(report).values()) >= least

    wait_until(enough, f"not so many were saved as {least} of {kind.__name__}")


def told(report: Path) -> list[dict]:
    """What the program reported; a line that was cut off by the kill was not yet a report."""
    if not report.exists():
        return []
    *whole, _ = report.read_text().split("\n")
    return [json.loads(line) for line in whole]


def reported(report: Path) -> dict[str, object]:
    """The rows that were reported saved."""
    return {line["uid"]: row_from_json(line) for line in told(report) if "uid" in line}


def check(project: Path, rows: dict[str, object]) -> int:
    """Open the project as the next start would; how many edits there are."""
    with Project.open(project, person="Anna") as opened:
        session = restore_session(opened, {})
        history = opened.history()
        kept: dict[str, object] = {row.uid: row for row in opened.edit_rows(history.seq.tolist())}
        for campaign in opened.campaigns():
            kept |= {event.uid: event for event in opened.events(campaign.uid)}
        reviews, visits = opened.review()
        kept |= {row.uid: row._replace(seq=0) for row in reviews}
        kept |= {row.uid: replace(row, seq=0) for row in visits}
        corpus = opened.corpus()
    missing = [uid for uid in rows if uid not in kept]
    assert not missing, f"{len(missing)} of {len(rows)} rows that were said to be saved are not there"
    for uid, row in rows.items():
        found = kept[uid]
        if isinstance(row, EditRow) and isinstance(found, EditRow):
            assert (found.layer, found.segment, found.places, found.tags) == (
                row.layer, row.segment, row.places, row.tags,
            )  # fmt: skip
        else:
            assert found == row
    # every edit one after the other gives the same tags as the columns do at once
    for key, layer in corpus.layers.items():
        if not key.kind.is_tags:
            continue
        values = layer.tags.values.copy()
        for row in kept.values():
            if isinstance(row, EditRow) and row.layer == key:
                values[layer.tags.offsets[row.segment] + np.asarray(row.places, int)] = row.tags
        assert np.array_equal(session.view.tags(key).values, values)
    # so it is with what was reviewed, field by field
    fields: dict[tuple[int, ReviewField], object] = {}
    for row in reviews:
        fields |= {(row.segment, field): value for field, value in zip(row.fields, row.values, strict=True)}
    for field, held in (
        (ReviewField.TARGET, session.view.review.targets),
        (ReviewField.NOTE, session.view.review.notes),
    ):
        assert held == {segment: value for (segment, of), value in fields.items() if of is field and value}
    edits = [row for row in kept.values() if isinstance(row, EditRow)]
    balance = sum(-1 if row.action is EditAction.UNDO else 1 for row in (*edits, *reviews))
    assert bool(session.undo_text) == (balance > 0)
    raw = sqlite3.connect(project)
    assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    raw.close()
    return len(edits)


def campaign() -> CampaignDesign:
    """Something to rate for the person who presses the keys."""
    about = Campaign("c1", "A campaign", "adequacy-fluency", EvaluationBasis.SOURCE, "en", "de")
    translations = {name: [f"{name} {number}" for number in range(40)] for name in ("one", "two")}
    passages = [Passage(number, f"source {number}") for number in range(40)]
    return design_campaign(about, CampaignSetup(("one", "two"), tuple(range(40)), ("Anna",)), passages, translations)


def new_project(place: Path) -> None:
    gold = random_tags(np.full(40, 8), 0.2, 1)
    corpus = corpus_of(gold, {"a": noisy(gold, 0.1, 1), "b": noisy(gold, 0.3, 2)})
    with Project.create(place, corpus, person="Anna") as project:
        project.add_campaign(campaign())
        project.flush()


@pytest.mark.parametrize("kills", HOW_OFTEN)
def test_what_was_said_to_be_saved_survives_every_kill(nursery, tmp_path, kills):
    seed = int(os.environ.get("QE_DESKTOP_KILL_SEED", "1"))
    rng = random.Random(seed)
    project, rows, total, asked = tmp_path / "p0.qedesk", {}, Counter(), Counter()
    new_project(project)
    begun = time.monotonic()
    for number in range(kills):
        if number and number % 25 == 0:
            # a small file is reopened faster, and a large one is not more likely to break
            project, rows = tmp_path / f"p{number}.qedesk", {}
            new_project(project)
        report = tmp_path / f"report-{number}"
        pid = nursery.start(project, report, seed * 100_000 + number)
        if rng.random() < 0.8:
            kind, least = (RatingEvent, 1) if number % 4 == 1 else (EditRow, rng.randint(1, 6))
            wait_for_reports(pid, report, kind, least)
            asked[kind.__name__] += least
            pause(rng.uniform(0, 0.15))
        else:
            # at any moment of the start as well
            pause(rng.uniform(0, 0.5))
        kill(pid)
        new = reported(report)
        total.update(type(row).__name__ for row in new.values())
        rows |= new
        check(project, rows)
    print(f"{kills} kills; reported saved: {dict(total)}; {time.monotonic() - begun:.0f} s")
    assert len(asked) == 2
    assert all(total[kind] >= least for kind, least in asked.items())


@pytest.mark.parametrize("kills", HOW_OFTEN)
def test_what_was_corrected_survives_every_kill(nursery, tmp_path, kills):
    """Killed while translations are edited, confirmed and noted, and the work is recorded, between tags."""
    seed = int(os.environ.get("QE_DESKTOP_KILL_SEED", "1"))
    rng = random.Random(seed)
    project, rows, total, asked = tmp_path / "p0.qedesk", {}, Counter(), Counter()
    new_project(project)
    for number in range(kills):
        if number and number % 25 == 0:
            project, rows = tmp_path / f"p{number}.qedesk", {}
            new_project(project)
        report = tmp_path / f"report-{number}"
        pid = nursery.start(project, report, seed * 200_000 + number, rates=False, corrects=True)
        kind, least = (VisitRow, 1) if number % 3 == 1 else (ReviewRow, rng.randint(1, 6))
        wait_for_reports(pid, report, kind, least)
        asked[kind.__name__] += least
        pause(rng.uniform(0, 0.15))
        kill(pid)
        new = reported(report)
        total.update(type(row).__name__ for row in new.values())
        rows |= new
        check(project, rows)
    print(f"{kills} kills while correcting; reported saved: {dict(total)}")
    assert all(total[kind] >= least for kind, least in asked.items())


@pytest.mark.parametrize("kills", HOW_OFTEN)
def test_what_was_typed_in_the_window_survives_every_kill(nursery, tmp_path, kills):
    """A translator's file with codes, typed key by key in the editor of targets, and confirmed with Ctrl+Enter."""
    seed = int(os.environ.get("QE_DESKTOP_KILL_SEED", "1"))
    rng = random.Random(seed)
    project, rows, said = tmp_path / "p0.qedesk", {}, Counter()
    for number in range(kills):
        if number % 25 == 0:
            project, rows = tmp_path / f"p{number}.qedesk", {}
            Project.create(project, corpus_of_files([sample("studio.sdlxliff")], "job"), person="Anna").close()
        report = tmp_path / f"report-{number}"
        pid = nursery.start(project, report, seed * 300_000 + number, rates=False, types=True)
        wait_for_reports(pid, report, ReviewRow, rng.randint(1, 4))
        pause(rng.uniform(0, 0.15))
        kill(pid)
        new = reported(report)
        said.update(field.name for row in new.values() if isinstance(row, ReviewRow) for field in row.fields)
        rows |= new
        check(project, rows)
    print(f"{kills} kills while typing; reported saved: {dict(said)}")
    assert said["TARGET"]
    assert said["STATUS"]


def test_two_programs_on_one_file_lose_nothing_and_see_each_other(nursery, tmp_path):
    project = tmp_path / "shared.qedesk"
    new_project(project)
    reports = [tmp_path / "left", tmp_path / "right"]
    go = tmp_path / "go"
    pids = [
        nursery.start(project, report, seed, presses=60, go=str(go), rates=False) for seed, report in enumerate(reports)
    ]

    def until(holds) -> None:
        def there() -> bool:
            assert all(alive(pid) for pid in pids), "a program ended by itself"
            return holds()

        wait_until(there, "the programs did not get there", every=0.05)

    until(lambda: all(any("ready" in line for line in told(report)) for report in reports))
    go.touch()

    def each_has_seen_the_other() -> bool:
        edits = [{uid for uid, row in reported(report).items() if isinstance(row, EditRow)} for report in reports]
        seen = [{line["seen"] for line in told(report) if "seen" in line} for report in reversed(reports)]
        return min(map(len, edits)) >= 20 and all(mine <= theirs for mine, theirs in zip(edits, seen, strict=True))

    until(each_has_seen_the_other)
    for pid in pids:
        kill(pid)
    check(project, {**reported(reports[0]), **reported(reports[1])})
