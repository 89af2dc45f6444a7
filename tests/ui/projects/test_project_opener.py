"""Opening projects: command line, drop, menu, recent list; and adding files to a project."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, QeError, TextRole
from qe_desktop.formats.files_in_use import is_open_here
from qe_desktop.project.store import Project
from qe_desktop.ui.files.importing import file_opener as importing
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.start_page import StartPage
from qe_desktop.ui.widgets import dialogs as opening
from tests.small_corpora import tags
from tests.timeouts import PATIENCE
from tests.ui.program_driver import run_script
from tests.ui.projects.conftest import small_corpus


def test_project_can_be_opened_from_the_command_line(qtbot, project_path):
    def script(driver):
        yield lambda: driver.workspace.project is not None and driver.is_open()
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        yield lambda: driver.shell.status._saved.text().startswith("Saved ")

    assert run_script([str(project_path)], script) == 0
    assert Settings().existing_recent_paths() == [str(project_path)]
    with Project.open(project_path, person="x") as project:
        assert len(project.history()) == 1


def test_unreachable_server_on_the_command_line_opens_the_dialog(qtbot):
    def script(driver):
        yield lambda: driver.wiring.projects.dialog is not None
        dialog = driver.wiring.projects.dialog
        assert dialog.user.text() == "anna"
        assert dialog.address.text() == "postgresql://127.0.0.1:1/db"
        assert "cannot be reached" in dialog.notices.notices()[0].message.plain_text()
        assert "try again" in dialog.notices.notices()[0].message.plain_text()
        dialog.reject()
        yield lambda: driver.wiring.projects.dialog is None

    assert run_script(["postgresql://anna@127.0.0.1:1/db"], script) == 0
    assert Settings().existing_recent_paths() == []


@pytest.mark.parametrize("reachable", [True, False])
def test_cancelling_the_dialog_cancels_the_connection(windows, project_path, monkeypatch, reachable):
    begun, responds = threading.Event(), threading.Event()

    def open_slowly(place, **options):
        begun.set()
        responds.wait(PATIENCE)
        if not reachable:
            raise QeError("the server cannot be reached")
        return open_project(project_path, person=options["person"])

    open_project = Project.open
    monkeypatch.setattr(Project, "open", open_slowly)
    window = windows("Anna")
    window.shell.commands["file.connect"].trigger()
    dialog = window.wiring.projects.dialog
    dialog.fill("postgresql://anna@127.0.0.1:1/db")
    dialog.connect_button.click()
    window.wait_until(begun.is_set)
    dialog.cancel_button.click()
    responds.set()
    window.wait_until(window.workspace.jobs.is_idle)
    assert window.workspace.project is None
    assert window.wiring.projects.dialog is None
    assert window.notice_texts() == []
    assert not is_open_here(project_path)


def test_dropped_project_is_opened(windows, project_path):
    window = windows("Anna")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(project_path))])
    window.shell.dropEvent(
        QDropEvent(
            QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
    )
    window.wait_until(lambda: window.workspace.project is not None)


def test_project_together_with_other_files_is_refused(windows, project_path, tmp_path):
    window = windows("Anna")
    tags_file = tmp_path / "x.tags"
    tags_file.write_text("OK\n")
    window.shell.open_paths([str(tags_file), str(project_path)])
    assert "cannot be opened together with other files" in window.notice_texts()[0]
    assert window.workspace.project is None


def test_project_can_be_opened_from_the_menu(windows, project_path, monkeypatch):
    monkeypatch.setattr(opening.FileDialog, "getOpenFileName", lambda *_: (str(project_path), ""))
    window = windows("Anna")
    window.shell.commands["file.open-project"].trigger()
    window.wait_until(lambda: window.workspace.project is not None)
    assert window.shell.settings.last_folder == str(project_path.parent)


def test_missing_suffix_is_added_to_the_project_name(qtbot, tmp_path, monkeypatch):
    def answer(*arguments):
        return arguments[-1](str(tmp_path / "mine"), ""), ""

    monkeypatch.setattr(opening.FileDialog, "getSaveFileName", answer)
    assert opening.ask_project_name(None, Settings(), "t", "p") == str(tmp_path / "mine.qedesk")


def test_recent_projects_and_servers_are_listed_by_name(qtbot, project_path):
    settings = Settings()
    settings.add_recent(str(project_path))
    settings.add_recent("postgresql://anna@db.example.org/wmt24")
    settings.add_recent(str(project_path.parent / "gone.qedesk"))
    assert settings.existing_recent_paths() == ["postgresql://anna@db.example.org/wmt24", str(project_path)]
    page = StartPage()
    qtbot.addWidget(page)
    page.set_recent(settings.existing_recent_paths())
    names = [entry.accessibleName() for entry in page._recent.entries()]
    assert names[0] == "wmt24, anna@db.example.org"
    assert names[1].startswith("small, ")


@pytest.fixture
def folder(tmp_path) -> Path:
    corpus_folder = tmp_path / "corpus"
    corpus_folder.mkdir()
    (corpus_folder / "x.mt").write_text("ein Wort\nzwei Worte hier\n")
    (corpus_folder / "x.tags").write_text("OK BAD\nOK OK OK\n")
    return corpus_folder


def open_in_new_project(windows, folder: Path, place: Path):
    """Return a window in which a folder was opened and saved as a project."""
    window = windows("Anna")
    window.shell.open_paths([str(folder)])
    window.wait_until(lambda: window.session is not None)
    window.wiring.projects.opener.create(str(place))
    window.wait_until(lambda: window.workspace.project is not None)
    return window


def test_files_added_to_a_project_are_stored(windows, folder, tmp_path):
    project_path = tmp_path / "made.qedesk"
    window = open_in_new_project(windows, folder, project_path)
    window.edit(0, 0, layer=LayerKey(Provenance.GOLD, "gold", Kind.WORDS))
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "mine.tags").write_text("OK OK\nBAD OK OK\n")
    (extra / "x.src").write_text("a word\ntwo words here\n")
    (extra / "ref.A").write_text("its reference\nand another\n")
    window.shell.open_paths([str(extra / name) for name in ("mine.tags", "x.src", "ref.A")])
    window.wait_until(lambda: window.wiring.opener.sheet is not None)
    QTest.mouseClick(window.wiring.opener.sheet.add_button, Qt.MouseButton.LeftButton)
    window.wait_until(lambda: window.session.corpus.text(TextRole.SOURCE) is not None and window.shell.jobs.is_idle())
    window.wait_until_saved()
    layers, size = set(window.session.corpus.layers), window.session.edited_tags()
    window.close()
    again = windows("Anna")
    again.open(project_path)
    assert set(again.session.corpus.layers) == layers
    assert len(layers) == 2
    assert again.session.corpus.text(TextRole.SOURCE)[1] == "two words here"
    assert list(again.session.corpus.references["A"].lines()) == ["its reference", "and another"]
    assert again.session.edited_tags() == size == 1


@pytest.fixture
def paused_reading(monkeypatch):
    """Pause the reading of files; yield two events: reading has begun, and reading may continue."""
    started, go_on, real = threading.Event(), threading.Event(), importing.build_corpus

    def assemble(*values, **options):
        if options.get("base_corpus") is not None:
            started.set()
            assert go_on.wait(PATIENCE)
        return real(*values, **options)

    monkeypatch.setattr(importing, "build_corpus", assemble)
    yield started, go_on
    go_on.set()


def add_source(window, tmp_path) -> None:
    source = tmp_path / "more.src"
    source.write_text("a word\ntwo words here\n")
    window.shell.open_paths([str(source)])
    window.wait_until(lambda: window.wiring.opener.sheet is not None)
    QTest.mouseClick(window.wiring.opener.sheet.add_button, Qt.MouseButton.LeftButton)


def test_changes_made_while_files_are_read_are_kept_and_can_be_undone(windows, folder, tmp_path, paused_reading):
    started, go_on = paused_reading
    window = windows("Anna")
    window.shell.open_paths([str(folder)])
    window.wait_until(lambda: window.session is not None)
    add_source(window, tmp_path)
    window.wait_until(started.is_set)
    own_layer = window.session.add_person("Anna", Kind.WORDS)
    window.edit(1, 1, layer=own_layer)
    late_layer = LayerKey(Provenance.SYSTEM, "late", Kind.WORDS)
    window.session.extend(window.session.corpus.with_layer(Layer(late_layer, tags("ob", "ooo"), "late")))
    go_on.set()
    window.wait_until(lambda: window.session.corpus.text(TextRole.SOURCE) is not None and window.shell.jobs.is_idle())
    assert {own_layer, late_layer} <= set(window.session.corpus.layers)
    window.workspace.undo()
    assert window.tags(1, own_layer) == [0, 0, 0]
    window.workspace.undo()
    assert own_layer not in window.session.corpus.layers


def test_files_read_while_a_project_is_created_are_stored_in_it(windows, folder, tmp_path, paused_reading):
    started, go_on = paused_reading
    window = windows("Anna")
    window.shell.open_paths([str(folder)])
    window.wait_until(lambda: window.session is not None)
    add_source(window, tmp_path)
    window.wait_until(started.is_set)
    project_path = tmp_path / "made.qedesk"
    window.wiring.projects.opener.create(str(project_path))
    window.wait_until(lambda: window.workspace.project is not None)
    go_on.set()
    window.wait_until(lambda: window.session.corpus.text(TextRole.SOURCE) is not None and window.shell.jobs.is_idle())
    window.wait_until_saved()
    window.close()
    again = windows("Anna")
    again.open(project_path)
    assert again.session.corpus.text(TextRole.SOURCE)[1] == "two words here"


def test_files_added_while_a_project_is_created_are_stored_in_it(windows, folder, tmp_path, monkeypatch):
    started, go_on, real = threading.Event(), threading.Event(), Project.create

    def create(*values, **options):
        started.set()
        assert go_on.wait(PATIENCE)
        return real(*values, **options)

    monkeypatch.setattr(Project, "create", create)
    window = windows("Anna")
    window.shell.open_paths([str(folder)])
    window.wait_until(lambda: window.session is not None)
    project_path = tmp_path / "made.qedesk"
    window.wiring.projects.opener.create(str(project_path))
    window.wait_until(started.is_set)
    add_source(window, tmp_path)
    window.wait_until(lambda: window.session.corpus.text(TextRole.SOURCE) is not None)
    go_on.set()
    window.wait_until(lambda: window.workspace.project is not None and window.shell.jobs.is_idle())
    window.wait_until_saved()
    window.close()
    again = windows("Anna")
    again.open(project_path)
    assert again.session.corpus.text(TextRole.SOURCE)[1] == "two words here"


def test_files_are_not_added_to_a_corpus_opened_while_they_are_read(
    windows, folder, project_path, tmp_path, paused_reading
):
    started, go_on = paused_reading
    window = windows("Anna")
    window.shell.open_paths([str(folder)])
    window.wait_until(lambda: window.session is not None)
    add_source(window, tmp_path)
    window.wait_until(started.is_set)
    new_corpus = small_corpus()
    window.workspace.open(new_corpus)
    go_on.set()
    window.wait_until(window.shell.jobs.is_idle)
    assert window.session.corpus is new_corpus
    assert window.wiring.opener.sheet.isVisible()
    window.wiring.opener.sheet.reject()


def test_files_are_not_stored_in_a_project_that_was_closed_while_they_were_read(windows, folder, tmp_path, monkeypatch):
    started, go_on = threading.Event(), threading.Event()
    prepared = importing.prepare_corpus

    def paused(corpus):
        started.set()
        assert go_on.wait(PATIENCE)
        return prepared(corpus)

    place = tmp_path / "made.qedesk"
    window = open_in_new_project(windows, folder, place)
    monkeypatch.setattr(importing, "prepare_corpus", paused)
    add_source(window, tmp_path)
    window.wait_until(started.is_set)
    window.workspace.open(small_corpus())
    go_on.set()
    window.wait_until(window.shell.jobs.is_idle)
    window.wiring.opener.sheet.reject()
    with Project.open(place, person="x") as project:
        assert project.corpus().text(TextRole.SOURCE) is None


def test_folder_replaces_an_open_project_without_confirmation(windows, project_path, folder):
    window = windows("Anna")
    window.open(project_path)
    window.edit(1, 1)
    window.shell.open_paths([str(folder)])
    window.wait_until(lambda: window.wiring.opener.sheet is not None)
    QTest.mouseClick(window.wiring.opener.sheet.open_button, Qt.MouseButton.LeftButton)
    window.wait_until(lambda: window.workspace.project is None)
    assert window.session.corpus.size == 2
    assert window.status == ""
    with Project.open(project_path, person="x") as project:
        assert len(project.history()) == 1


def open_files_of(project_path: Path) -> list[str]:
    """Return the open files of this process that belong to a project."""
    links = (os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd"))
    return [
        os.readlink(link) for link in links if os.path.islink(link) and os.readlink(link).startswith(str(project_path))
    ]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the system does not list open files")
def test_projects_replaced_while_opening_are_closed(windows, tmp_path):
    paths = [tmp_path / f"{name}.qedesk" for name in "abc"]
    for project_path in paths:
        Project.create(project_path, small_corpus(), person="Anna").close()
    window = windows("Anna")
    jobs = window.shell.jobs
    for project_path in paths:
        window.wiring.projects.opener.open(str(project_path))
        # the job has ended, but the window is not notified yet
        jobs.running_jobs()[-1].future.result(PATIENCE)
    window.wait_until(lambda: window.workspace.project is not None and jobs.is_idle())
    assert window.workspace.project.place == str(paths[2])
    assert [len(open_files_of(project_path)) for project_path in paths[:2]] == [0, 0]
    assert not any(is_open_here(project_path) for project_path in paths[:2])
    assert open_files_of(paths[2])
