"""Projects in the main window: saving, messages, and the restored state."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.project.store import Project
from qe_desktop.ui.widgets import dialogs as opening
from tests.ui.projects.conftest import GOLD, small_corpus


def test_edits_are_saved_at_once_and_restored_with_undo_and_redo(windows, project_path):
    first = windows("Anna")
    first.open(project_path)
    assert first.shell.windowTitle() == "small[*] – QE Desktop"
    assert first.status == "All changes saved"
    first.edit(1, 1)
    first.edit(0, 0)
    first.edit(2, 0)
    first.workspace.undo()
    first.wait_until_saved()
    first.wait_until(lambda: first.status.startswith("Saved "))
    assert not first.shell.isWindowModified()
    assert first.session.unsaved_layers() == []
    before = [first.tags(segment) for segment in range(3)]
    first.close()
    again = windows("Anna")
    again.open(project_path)
    assert [again.tags(segment) for segment in range(3)] == before
    assert again.shell.commands.text("edit.undo") == "Undo: word 1 OK → BAD, segment 1"
    assert again.shell.commands.text("edit.redo") == "Redo: word 1 OK → BAD, segment 3"
    again.shell.commands["edit.redo"].trigger()
    again.shell.commands["edit.undo"].trigger()
    again.shell.commands["edit.undo"].trigger()
    again.shell.commands["edit.undo"].trigger()
    assert again.session.edited_tags() == 0
    assert not again.shell.commands["edit.undo"].isEnabled()


def test_undo_does_not_affect_the_edits_of_other_users(windows, project_path):
    anna = windows("Anna")
    anna.open(project_path)
    anna.edit(1, 1)
    anna.close()
    ben = windows("Ben")
    ben.open(project_path)
    assert ben.session.edited_tags() == 1
    assert ben.session.undo_text == ""


def test_open_corpus_can_be_saved_as_project_with_undo_history(windows, tmp_path, monkeypatch):
    project_path = tmp_path / "made.qedesk"
    monkeypatch.setattr(opening, "ask_project_name", lambda *_: str(project_path))
    first = windows("Anna")
    first.workspace.open(small_corpus())
    first.edit(1, 1)
    own_layer = first.session.add_person("Anna", Kind.WORDS, GOLD)
    first.edit(1, 2, layer=own_layer)
    first.edit(2, 0)
    first.workspace.undo()
    assert first.shell.status.save_link.isVisible()
    QTest.mouseClick(first.shell.status.save_link, Qt.MouseButton.LeftButton)
    # edits go on while the file is written
    first.edit(0, 2, layer=own_layer)
    first.wait_until(lambda: first.workspace.project is not None)
    first.wait_until_saved()
    assert not first.shell.status.save_link.isVisible()
    assert not first.shell.isWindowModified()
    first.edit(0, 1)
    first.wait_until_saved()
    saved_tags = {key: first.session.view.tags(key) for key in (GOLD, own_layer)}
    first.close()
    again = windows("Anna")
    again.open(project_path)
    assert {key: again.session.view.tags(key) for key in (GOLD, own_layer)} == saved_tags
    assert again.session.undo_text == "word 2 OK → BAD, segment 1"
    for _ in range(4):
        again.workspace.undo()
    assert again.session.undo_text == ""
    assert again.session.edited_tags() == 0
    assert str(project_path) in again.shell.settings.existing_recent_paths()


def test_reopened_project_restores_segment_layer_and_area_per_user(windows, project_path):
    first = windows("Anna")
    first.open(project_path)
    first.workspace.add_own_layer(GOLD)
    first.workspace.go_to(2)
    first.shell.show_area("scores")
    first.close()
    again = windows("Anna")
    again.open(project_path)
    assert again.workspace.segment == 2
    assert again.workspace.target == LayerKey(Provenance.PERSON, "Anna", Kind.WORDS)
    assert again.shell.areas.current == "scores"
    ben = windows("Ben")
    ben.open(project_path)
    assert ben.workspace.segment == 0
    assert ben.shell.areas.current == "inspect"


def test_failed_opening_keeps_the_open_project(windows, project_path, tmp_path):
    window = windows("Anna")
    window.open(project_path)
    window.edit(1, 1)
    broken = tmp_path / "broken.qedesk"
    broken.write_bytes(b"SQLite format 3\0" + b"\x07" * 500)
    for unreadable in (broken, tmp_path / "nowhere.qedesk"):
        window.shell.open_paths([str(unreadable)])
        window.wait_until(
            lambda unreadable=unreadable: any(unreadable.name in notice for notice in window.notice_texts())
        )
    assert window.workspace.project.place == str(project_path)
    assert window.session.edited_tags() == 1


def test_threshold_and_removed_layer_are_stored(windows, tmp_path):
    project_path = tmp_path / "small.qedesk"
    Project.create(project_path, small_corpus(), person="Anna").close()
    first = windows("Anna")
    first.open(project_path)
    first.session.set_threshold("a", 0.25)
    first.session.remove(LayerKey(Provenance.SYSTEM, "b", Kind.WORDS))
    first.close()
    again = windows("Anna")
    again.open(project_path)
    assert again.session.threshold("a") == 0.25
    assert [key.name for key in again.session.view.scored_layers(Kind.WORDS)] == ["a"]
