"""Projects in the real window: what is kept, what is said, what comes back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.project.store import Project
from qe_desktop.ui.shell import open_dialogs as opening
from tests.ui.projects.conftest import GOLD, small_corpus


def test_edits_are_saved_as_they_are_made_and_come_back_with_undo_and_redo(windows, path):
    first = windows("Anna")
    first.open(path)
    assert first.shell.windowTitle() == "small[*] – QE Desktop"
    assert first.status == "All changes saved"
    first.edit(1, 1)
    first.edit(0, 0)
    first.edit(2, 0)
    first.workspace.undo()
    first.saved()
    first.until(lambda: first.status.startswith("Saved "))
    assert not first.shell.isWindowModified()
    assert first.session.unsaved() == []
    before = [first.tags(segment) for segment in range(3)]
    first.close()
    again = windows("Anna")
    again.open(path)
    assert [again.tags(segment) for segment in range(3)] == before
    assert again.shell.commands.text("edit.undo") == "Undo: word 1 OK → BAD, segment 1"
    assert again.shell.commands.text("edit.redo") == "Redo: word 1 OK → BAD, segment 3"
    again.shell.commands["edit.redo"].trigger()
    again.shell.commands["edit.undo"].trigger()
    again.shell.commands["edit.undo"].trigger()
    again.shell.commands["edit.undo"].trigger()
    assert again.session.edited_tags() == 0
    assert not again.shell.commands["edit.undo"].isEnabled()


def test_another_person_undoes_nothing_of_mine(windows, path):
    anna = windows("Anna")
    anna.open(path)
    anna.edit(1, 1)
    anna.close()
    ben = windows("Ben")
    ben.open(path)
    assert ben.session.edited_tags() == 1
    assert ben.session.undo_text == ""


def test_what_is_open_becomes_a_project_with_its_undo_history(windows, tmp_path, monkeypatch):
    place = tmp_path / "made.qedesk"
    monkeypatch.setattr(opening, "ask_project_name", lambda *_: str(place))
    first = windows("Anna")
    first.workspace.open(small_corpus())
    first.edit(1, 1)
    mine = first.session.add_person("Anna", Kind.WORDS, GOLD)
    first.edit(1, 2, layer=mine)
    first.edit(2, 0)
    first.workspace.undo()
    assert first.shell.status.offer.isVisible()
    QTest.mouseClick(first.shell.status.offer, Qt.MouseButton.LeftButton)
    # edits go on while the file is written
    first.edit(0, 2, layer=mine)
    first.until(lambda: first.workspace.project is not None)
    first.saved()
    assert not first.shell.status.offer.isVisible()
    assert not first.shell.isWindowModified()
    first.edit(0, 1)
    first.saved()
    kept = {key: first.session.view.tags(key) for key in (GOLD, mine)}
    first.close()
    again = windows("Anna")
    again.open(place)
    assert {key: again.session.view.tags(key) for key in (GOLD, mine)} == kept
    assert again.session.undo_text == "word 2 OK → BAD, segment 1"
    for _ in range(4):
        again.workspace.undo()
    assert again.session.undo_text == ""
    assert again.session.edited_tags() == 0
    assert str(place) in again.shell.settings.recent()


def test_one_goes_on_where_one_left_off(windows, path):
    first = windows("Anna")
    first.open(path)
    first.workspace.own_layer(GOLD)
    first.workspace.go_to(2)
    first.shell.show_area("scores")
    first.close()
    again = windows("Anna")
    again.open(path)
    assert again.workspace.segment == 2
    assert again.workspace.target == LayerKey(Provenance.PERSON, "Anna", Kind.WORDS)
    assert again.shell.areas.current == "scores"
    ben = windows("Ben")
    ben.open(path)
    assert ben.workspace.segment == 0
    assert ben.shell.areas.current == "inspect"


def test_what_cannot_be_opened_leaves_what_is_open(windows, path, tmp_path):
    window = windows("Anna")
    window.open(path)
    window.edit(1, 1)
    broken = tmp_path / "broken.qedesk"
    broken.write_bytes(b"SQLite format 3\0" + b"\x07" * 500)
    for wrong in (broken, tmp_path / "nowhere.qedesk"):
        window.shell.open_paths([str(wrong)])
        window.until(lambda wrong=wrong: any(wrong.name in said for said in window.said()))
    assert window.workspace.project.place == str(path)
    assert window.session.edited_tags() == 1


def test_the_threshold_and_a_closed_layer_stay(windows, tmp_path):
    place = tmp_path / "small.qedesk"
    Project.create(place, small_corpus(), person="Anna").close()
    first = windows("Anna")
    first.open(place)
    first.session.set_threshold("a", 0.25)
    first.session.remove(LayerKey(Provenance.SYSTEM, "b", Kind.WORDS))
    first.close()
    again = windows("Anna")
    again.open(place)
    assert again.session.threshold("a") == 0.25
    assert [key.name for key in again.session.view.scored(Kind.WORDS)] == ["a"]
