"""Projects used by several processes, and by processes that are killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest

from qe_desktop.project.store import Project
from tests.project.store.small_projects import full_corpus, make_design, make_edit_row, rate_all, select_rows
from tests.timeouts import KILL_COUNTS, PATIENCE

ROOT = Path(__file__).parents[3]

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked here, which this system cannot"),
]


def run_processes(*arguments: object, password: str = "", timeout: float = PATIENCE) -> dict:
    command = [sys.executable, "-m", "tests.project.store.processes", *(str(argument) for argument in arguments)]
    environment = {**os.environ, "PGPASSWORD": password}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=timeout)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def kill_timeout(kills: int) -> float:
    """Timeout in seconds: a loaded machine takes more than half a second per kill."""
    return PATIENCE * max(1, kills / 50)


@pytest.mark.parametrize("kills", KILL_COUNTS)
def test_saved_rows_survive_every_kill(tmp_path, kills):
    path = tmp_path / "a.qedesk"
    with Project.create(path, full_corpus(), person="owner") as project:
        project.add_campaign(make_design())
    result = run_processes("kill", kills, path, timeout=kill_timeout(kills))
    print(result)
    assert result["lost"] == []
    assert result["integrity"] == "ok"
    assert result["there"] >= result["saved"] >= result["asked"] > kills


@pytest.mark.parametrize("kills", KILL_COUNTS)
def test_saved_rows_on_a_server_survive_every_kill(address, kills):
    with Project.create(address.url, full_corpus(), person="owner", password=address.password) as project:
        project.add_campaign(make_design())
    kills = max(5, kills // 10)
    result = run_processes("kill", kills, address.url, password=address.password, timeout=kill_timeout(kills))
    print(result)
    assert result["lost"] == []
    assert result["saved"] >= result["asked"] > 0


def _edit(url: str, person: str, segment: int, times: int) -> None:
    with Project.open(url, person=person) as project:
        for number in range(times):
            project.append([make_edit_row(project, segment, number % 3, number % 2)])
        assert project.flush(PATIENCE)


def test_two_processes_on_one_file_lose_nothing(tmp_path):
    path = str(tmp_path / "a.qedesk")
    watching = Project.create(path, full_corpus(), person="owner")
    context = multiprocessing.get_context("spawn")
    running = [context.Process(target=_edit, args=(path, f"person {n}", 3 * n, 400)) for n in range(2)]
    for process in running:
        process.start()
    edits = []
    while any(process.is_alive() for process in running):
        edits += watching.new_changes().edits
    for process in running:
        process.join()
        assert process.exitcode == 0
    edits += watching.new_changes().edits
    history = watching.history()
    assert len(history) == len(edits) == 800
    assert [row.seq for row in edits] == history.seq.tolist()
    for person in ("person 0", "person 1"):
        assert [row.places[0] for row in edits if row.person == person] == [number % 3 for number in range(400)]
    watching.close()
    assert select_rows(path, "PRAGMA integrity_check") == [("ok",)]


def test_eight_concurrent_raters_lose_nothing(address):
    """Each rater has a role and a process; 2,000 ratings here, 10,000 in the benchmark."""
    each = int(os.environ.get("QE_DESKTOP_RATINGS", "2000")) // 8
    raters = [address.server.new_role() for _ in range(8)]
    with Project.create(address.url, None, person="owner", password=address.password) as project:
        Project.prepare_server(address.url, raters=raters, password=address.password, new_password=lambda name: "")
        project.add_campaign(make_design(raters, segments=12))
        project.new_changes()
        result = run_processes("rate", each, address.url, *raters)
        assert result["statuses"] == [0] * 8
        ratings = project.new_changes().ratings
        events = project.events("campaign-1")
        assert len(events) == len({event.uid for event in events}) == 8 * each
        assert sorted(event.uid for event in ratings) == sorted(event.uid for event in events)
        per_rater = {rater: sum(event.rater == rater for event in events) for rater in raters}
        assert per_rater == dict.fromkeys(raters, each)
        for rater in raters:
            own = [event for event in events if event.rater == rater]
            assert [event.value for event in own] == [float(number % 5 + 1) for number in range(each)]


def test_a_project_is_a_single_file_again_when_reopened_after_a_kill(tmp_path):
    """Closing moves everything from the journal to the file."""
    path = tmp_path / "a.qedesk"
    with Project.create(path, full_corpus(), person="owner") as project:
        project.add_campaign(make_design())
    run_processes("kill", 3, path)
    with Project.open(path, person="owner") as project:
        rate_all(project, "campaign-1", "bob")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("a.qedesk")] == ["a.qedesk"]
