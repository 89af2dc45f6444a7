from __future__ import annotations

import builtins
import logging
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.spool import data_folder
from qe_desktop.project.store.writer import BackOff
from tests.command_line import run_command
from tests.postgres import Server, running_server
from tests.project.store.small_projects import GOLD, full_corpus, make_design, make_edit_row
from tests.timeouts import PATIENCE, wait_until


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """Server that tests may stop."""
    yield from running_server()


@pytest.fixture
def project(own_server: Server) -> Iterator[Project]:
    created = Project.create(
        own_server.url(own_server.new_database()), full_corpus(), person="ann", password=own_server.password
    )
    created.writer._back_off = BackOff(0.01, 2.0, 0.1)
    yield created
    if own_server.process is None:
        own_server.start()
    created.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["in order", "crash"])
def test_restarts_of_a_server_lose_nothing(own_server, project, how):
    """The server is stopped and started three times while rows are written continuously."""
    troubles: list[QeError | None] = []
    saved: list[int] = []
    project.writer.on_error.append(troubles.append)
    project.writer.on_saved.append(lambda count, at: saved.append(count))
    stop = threading.Event()
    rows = []

    def type_on() -> None:
        while not stop.is_set():
            row = make_edit_row(project, 0, len(rows) % 3, len(rows) % 2)
            rows.append(row)
            project.append([row])
            time.sleep(0.001)

    thread = threading.Thread(target=type_on)
    thread.start()
    try:
        for _ in range(3):
            before = sum(saved)
            wait_until(lambda before=before: sum(saved) > before + 20)
            own_server.stop(how)
            wait_until(lambda: project.writer.error is not None)
            time.sleep(0.2)
            own_server.start()
            wait_until(lambda: project.writer.error is None)
    finally:
        stop.set()
        thread.join()
    assert project.flush(PATIENCE)
    assert sum(saved) == len(rows)
    stored = project.edit_rows(project.history().seq.tolist())
    assert [row.uid for row in stored] == [row.uid for row in rows]
    # each failure and each recovery is reported once
    assert [error is None for error in troubles] == [False, True] * 3
    assert project.writer.rejected_rows == ()


def test_unsent_rows_are_sent_at_the_next_opening(own_server, project):
    own_server.stop()
    rows = [make_edit_row(project, 0, index) for index in range(3)]
    project.append(rows)
    wait_until(lambda: list((data_folder() / "unsaved").glob("*.jsonl")))
    assert project.close(0.1) == 3
    [spool] = (data_folder() / "unsaved").glob("*.jsonl")
    written = spool.read_text()
    assert own_server.password not in written
    assert all(row.uid in written for row in rows)
    own_server.start()
    with Project.open(project.place, person="bob", password=own_server.password) as again:
        assert [row.uid for row in again.edit_rows(again.history().seq.tolist())] == [row.uid for row in rows]
        assert {row.person for row in again.edit_rows([1, 2, 3])} == {"ann"}
    assert not list((data_folder() / "unsaved").glob("*"))


def test_connections_closed_by_the_server_are_reopened(own_server, project):
    for number in range(10):
        project.append([make_edit_row(project, 0, number % 3)])
        own_server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'"
                           " AND pid <> pg_backend_pid()")  # fmt: skip
    assert project.flush(PATIENCE)
    assert len(project.history()) == 10
    assert project.new_changes().edits == ()


def test_reading_from_an_unreachable_server_raises_a_readable_error(own_server, project):
    own_server.stop()
    for ask in (project.new_changes, project.history, project.campaigns, project.corpus):
        with pytest.raises(QeError, match="cannot be reached"):
            ask()
    with pytest.raises(QeError, match="cannot be reached") as caught:
        Project.open(project.place, person="ann", password=own_server.password)
    assert own_server.password not in caught.value.line()
    own_server.start()
    project.new_changes()
    assert project.corpus() is not None


def test_new_changes_of_concurrent_writers_are_complete(own_server, project):
    """Sequence numbers are assigned before the commit, so that lower ones may follow; each row is reported once."""
    project.add_campaign(make_design([f"rater {n}" for n in range(4)], segments=8))
    writers = [
        Project.open(project.place, person=f"rater {n}", password=own_server.password) for n in range(4)
    ]  # fmt: skip
    project.new_changes()
    sent: list[list[str]] = [[] for _ in writers]

    def rate(number: int) -> None:
        work = writers[number].rater_session("campaign-1")
        for turn in range(60):
            event = work.rate(work.screens[turn % len(work.screens)].uid, "fluency", turn % 5 + 1)
            sent[number].append(event.uid)
            writers[number].rate(event)

    received: list[str] = []
    threads = [threading.Thread(target=rate, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        received += [event.uid for event in project.new_changes().ratings]
    for writer in writers:
        assert writer.flush(PATIENCE)
        writer.close()
    received += [event.uid for event in project.new_changes().ratings]
    assert sorted(received) == sorted(uid for uids in sent for uid in uids)


def test_a_missing_driver_is_reported(monkeypatch):
    real = builtins.__import__

    def refuse(name: str, *rest: object, **more: object) -> object:
        if name == "psycopg":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(QeError, match="psycopg, which is not installed") as caught:
        Project.open("postgresql://ann@127.0.0.1/db", person="ann")
    assert "pip install" in caught.value.hint


def test_passwords_come_from_the_environment_or_the_address_and_are_not_logged(address, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("PGPASSWORD", address.password)
    with Project.create(address.url, full_corpus(), person="ann") as project:
        assert project.place == address.url
    within = address.url.replace("postgres@", f"postgres:{address.password}@")
    monkeypatch.delenv("PGPASSWORD")
    with Project.open(within, person="ann") as project:
        assert project.place == address.url
        assert address.password not in repr(project._database.location)
    assert address.password not in caplog.text


def test_empty_and_missing_databases_are_reported(address, own_server):
    with pytest.raises(QeError, match="no project in this database"):
        Project.open(address.url, person="ann", password=address.password)
    with pytest.raises(QeError, match="no such database"):
        Project.open(address.server.url("nowhere"), person="ann", password=address.password)
    Project.create(address.url, None, person="ann", password=address.password).close()
    with Project.create(address.url, full_corpus(), person="ann", password=address.password) as project:
        # a project without a corpus accepts one
        assert project.corpus() is not None
        assert project.title == "small"
    with pytest.raises(QeError, match="this database already contains a project"):
        Project.create(address.url, full_corpus(), person="ann", password=address.password)


def test_a_newer_project_on_a_server_is_rejected(address):
    from qe_desktop.project.store.tables.schema import VERSION

    Project.create(address.url, full_corpus(), person="ann", password=address.password).close()
    address.server.execute(f"UPDATE qe_desktop.meta SET value = '{VERSION + 1}' WHERE key = 'schema'", address.name)
    with pytest.raises(QeError, match="newer version"):
        Project.open(address.url, person="ann", password=address.password)


def test_edits_of_two_users_are_in_the_order_of_their_commits(own_server, project):
    """Both windows replay the history to the same tags."""
    other = Project.open(project.place, person="bob", password=own_server.password)
    for turn in range(30):
        for window in (project, other):
            window.append([make_edit_row(window, 0, 0, turn % 2)])
    assert project.flush(PATIENCE)
    assert other.flush(PATIENCE)
    seqs = project.history().seq.tolist()
    news_seqs = [row.seq for row in other.new_changes().edits] + [row.seq for row in project.new_changes().edits]
    assert set(news_seqs) <= set(seqs)
    assert seqs == sorted(seqs)
    assert project.history().replay(GOLD, full_corpus().layers[GOLD].tags) == other.history().replay(
        GOLD, full_corpus().layers[GOLD].tags
    )
    other.close()


def test_a_password_method_that_is_not_allowed_is_rejected(own_server):
    url = own_server.url(own_server.new_database())
    with pytest.raises(QeError) as caught:
        Project.open(f"{url}?require_auth=md5", person="ann", password=own_server.password)
    assert "requests an authentication method that is not allowed" in caught.value.line()
    assert own_server.password not in caught.value.line()


def test_an_unencrypted_connection_causes_a_warning(project, own_server, monkeypatch, capsys):
    assert project.warning == "", "connections to this computer cannot be intercepted"
    monkeypatch.setattr("qe_desktop.project.store.project_opening.is_local", lambda host: False)
    with Project.open(project.place, person="ann", password=own_server.password) as opened:
        assert opened.warning.startswith("The connection to ")
        assert "is not encrypted" in opened.warning
    monkeypatch.setenv("PGPASSWORD", own_server.password)
    code, _, err = run_command(capsys, "project", "info", project.place)
    assert code == 0
    assert "qe-desktop: warning: The connection to " in err
