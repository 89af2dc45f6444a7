"""Projects on a PostgreSQL server: password, two users at once, server outage, and the rater role."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from qe_desktop.project.store import Project, project_creation
from qe_desktop.ui.shell.area_switcher import RailButton
from tests.postgres import running_server
from tests.timeouts import PATIENCE
from tests.ui.projects.conftest import small_corpus


@pytest.fixture(scope="module")
def server():
    yield from running_server()


@pytest.fixture(autouse=True)
def _no_password_around(monkeypatch, tmp_path):
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))


@pytest.fixture
def url(server) -> str:
    """Return the address, without password, of a new project on the server."""
    address = server.url(server.new_database())
    Project.create(address, small_corpus(), person="Anna", password=server.password).close()
    return address


def connect(window, url, password):
    """Open an address with a password through the menu."""
    before = window.workspace.project
    window.shell.commands["file.connect"].trigger()
    dialog = window.wiring.projects.dialog
    dialog.fill(url)
    QTest.keyClicks(dialog.password, password)
    dialog.connect_button.click()
    window.wait_until(lambda: window.workspace.project is not before)


def test_unencrypted_connection_to_another_computer_causes_a_warning(windows, url, server, monkeypatch):
    monkeypatch.setattr("qe_desktop.project.store.project_opening.is_local", lambda host: False)
    window = windows("Anna")
    connect(window, url, server.password)
    (notice,) = window.shell.notices.notices()
    assert "is not encrypted" in notice.message.plain_text()
    assert "sslmode=verify-full" in notice.message.plain_text()


def test_password_is_requested_and_not_stored(windows, url, server, tmp_path):
    window = windows("Anna")
    window.shell.open_paths([url])
    window.wait_until(lambda: window.wiring.projects.dialog is not None)
    dialog = window.wiring.projects.dialog
    assert dialog.user.text() == "postgres"
    assert "postgres@" not in dialog.address.text()
    QTest.keyClicks(dialog.password, "wrong")
    dialog.connect_button.click()
    window.wait_until(lambda: dialog.connect_button.isEnabled())
    assert "rejected the password" in dialog.notices.notices()[0].message.plain_text()
    dialog.password.clear()
    QTest.keyClicks(dialog.password, server.password)
    dialog.connect_button.click()
    window.wait_until(lambda: window.workspace.project is not None)
    assert window.wiring.projects.dialog is None
    assert window.shell.settings.existing_recent_paths() == [url]
    window.edit(1, 1)
    window.wait_until_saved()
    window.close()
    for file in Path(tmp_path).rglob("*"):
        if file.is_file():
            assert server.password.encode() not in file.read_bytes()


def test_two_users_on_one_server_see_each_others_edits(windows, url, server):
    anna, ben = windows("Anna"), windows("Ben")
    connect(anna, url, server.password)
    connect(ben, url, server.password)
    anna.edit(1, 1)
    ben.wait_until(lambda: ben.tags(1) == [1, 1, 0, 1])
    ben.edit(1, 1)
    anna.wait_until(lambda: anna.tags(1) == [1, 0, 0, 1])
    anna.workspace.undo()
    assert "changed in the meantime by another user or in another window" in anna.notice_texts()[0]


def test_open_corpus_can_be_saved_as_project_on_a_server(windows, server):
    address = server.url(server.new_database())
    window = windows("Anna")
    window.workspace.open(small_corpus())
    window.edit(1, 1)
    window.shell.commands["file.project-server"].trigger()
    dialog = window.wiring.projects.dialog
    dialog.fill(address.replace("postgres@", f"postgres:{server.password}@"))
    assert dialog.password.text() == server.password
    assert server.password not in dialog.address.text()
    dialog.connect_button.click()
    window.wait_until(lambda: window.workspace.project is not None)
    window.wait_until_saved()
    assert window.workspace.project.place == address
    ben = windows("Ben")
    connect(ben, address, server.password)
    assert ben.tags(1) == [1, 1, 0, 1]


def test_cancelled_saving_leaves_nothing_on_the_server(windows, server, monkeypatch):
    """The database then contained a project, so that saving in it again was rejected."""
    begun, continues = threading.Event(), threading.Event()

    def add_slowly(*arguments):
        begun.set()
        assert continues.wait(PATIENCE)
        add_corpus(*arguments)

    add_corpus = project_creation._add_corpus
    database = server.new_database()
    window = windows("Anna")
    window.workspace.open(small_corpus())
    with monkeypatch.context() as patch:
        patch.setattr(project_creation, "_add_corpus", add_slowly)
        save_on_server(window, server, database)
        window.wait_until(begun.is_set)
        window.wiring.projects.dialog.cancel_button.click()
        continues.set()
        window.wait_until(window.workspace.jobs.is_idle)
    assert window.workspace.project is None
    assert window.notice_texts() == []
    tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'qe_desktop'"
    assert server.execute(tables, database) == []
    save_on_server(window, server, database)
    window.wait_until(lambda: window.workspace.project is not None)


def save_on_server(window, server, database):
    """Request to save the open texts in a database."""
    window.shell.commands["file.project-server"].trigger()
    dialog = window.wiring.projects.dialog
    dialog.fill(server.url(database).replace("postgres@", f"postgres:{server.password}@"))
    dialog.connect_button.click()


def test_edits_during_a_server_outage_are_saved_after_it(windows, url, server):
    window = windows("Anna")
    connect(window, url, server.password)
    window.edit(1, 1)
    window.wait_until_saved()
    server.stop(signal.SIGQUIT)
    try:
        window.edit(0, 0)
        window.edit(0, 1)
        window.wait_until(lambda: window.service.error is not None)
        window.wait_until(lambda: "2 changes stored on this computer" in window.status)
        assert "trying again" in window.status
        assert window.tags(0) == [1, 1, 1]
    finally:
        server.start()
    window.wait_until(lambda: window.status.startswith("Saved "))
    assert window.service.pending == 0
    with Project.open(url, person="Ben", password=server.password) as project:
        assert len(project.history()) == 3
    assert not any("Not saved" in notice for notice in window.notice_texts())


def test_rater_role_hides_the_other_areas_without_errors(windows, url, server):
    Project.prepare_server(url, raters=["ben"], password=server.password, new_password=lambda role: f"{role}!")
    window = windows("Somebody")
    connect(window, url.replace("postgres@", "ben@"), "ben!")
    assert window.session is None
    assert window.workspace.project.role == "rater"
    rail = {button.objectName(): button.isHidden() for button in window.shell.areas.rail.findChildren(RailButton)}
    assert rail == {"inspect": True, "scores": True, "rate": False}
    assert not window.shell.commands["view.area-inspect"].isEnabled()
    assert window.workspace.person == "ben"
    assert window.status == "All changes saved"
    assert not window.shell.commands["file.project"].isEnabled()
    window.qtbot.wait(300)
    assert window.notice_texts() == []
    window.shell.commands["file.close"].trigger()
    assert window.workspace.project is None
