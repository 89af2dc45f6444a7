"""Saving through main(argv): what is offered, asked and written."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMessageBox

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.formats import read_tags, read_text
from qe_desktop.ui.saving import BOTH, WMT22, WORDS, SaveDialog, forms_of
from tests.ui.driving import drive

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


def test_saving_offers_the_edited_layer_and_enter_goes_on(qtbot, sample):
    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        desk.workspace.settings.person = "Anna"
        desk.shell.commands["edit.own-layer"].trigger()
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        dialog = SaveDialog(desk.workspace.session, desk.workspace.target, desk.shell)
        assert dialog.whose.currentText() == "Anna (person) – edited"
        dialog.show()
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert dialog.result() == QDialog.DialogCode.Accepted
        dialog.deleteLater()

    assert drive([str(sample)], script) == 0


def test_unsaved_edits_are_asked_about_before_they_are_lost(qtbot, sample, monkeypatch):
    asked = []

    def go_back(box):
        asked.append(box.text())
        return 0

    monkeypatch.setattr(QMessageBox, "exec", go_back)

    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        assert not desk.shell.close()
        assert desk.shell.isVisible()
        desk.shell.commands["file.close"].trigger()
        assert desk.workspace.session is not None
        assert asked == ["The edits of gold are in no file yet."] * 2

    assert drive([str(sample)], script) == 0


def test_saving_in_every_form_and_reading_back(qtbot, sample, tmp_path):
    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        session, saver = desk.workspace.session, desk.wiring.saver
        mt = read_text(sample / "sample.mt")
        assert forms_of(session, Provenance.GOLD, "gold")[0] is BOTH
        dialog = SaveDialog(session, GOLD, desk.shell)
        assert dialog.whose.currentText() == "gold – edited"
        dialog.deleteLater()
        for form in (WORDS, BOTH, WMT22):
            path = tmp_path / f"saved.{form.suffix}"
            assert saver.save(Provenance.GOLD, "gold", form, path, "en-de")
            read = read_tags(path, Kind.WORDS, mt=mt, language_pair="en-de" if form is WMT22 else "")
            assert read.columns[Kind.WORDS] == session.view.tags(GOLD)
        assert not desk.shell.isWindowModified()
        refused = []
        desk.workspace.failed.connect(refused.append)
        assert not saver.save(Provenance.GOLD, "gold", WORDS, tmp_path / "no/such/folder/x.tags")
        assert len(refused) == 1

    assert drive([str(sample)], script) == 0


def test_other_names_of_a_file_that_was_replaced_are_told(qtbot, sample, tmp_path):
    place, other = tmp_path / "mine.tags", tmp_path / "other.tags"
    place.write_text("before\n")
    os.link(place, other)

    def script(desk):
        yield desk.is_open
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        assert desk.wiring.saver.save(Provenance.GOLD, "gold", WORDS, place)
        told = [notice.message.title for notice in desk.shell.notices.notices()]
        assert any("1 other name of" in title for title in told)

    assert drive([str(sample)], script) == 0
    assert other.read_text() == "before\n"
    assert place.read_text() != "before\n"
