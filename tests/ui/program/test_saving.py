"""Saving through main(argv): what is offered, asked and written."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMessageBox

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.formats import read_tags, read_text
from qe_desktop.project import ReviewField
from qe_desktop.ui.app import _InterruptHandler
from qe_desktop.ui.files.tag_saver import WMT22, WORDS, WORDS_AND_GAPS, SaveTagsDialog, available_formats
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.driving import drive

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


def test_saving_offers_the_edited_layer_and_enter_goes_on(qtbot, sample):
    def script(controller):
        yield controller.is_open
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        controller.workspace.settings.person = "Anna"
        controller.shell.commands["edit.own-layer"].trigger()
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        dialog = SaveTagsDialog(controller.workspace.session, controller.workspace.target, controller.shell)
        assert dialog.whose.currentText() == "Anna (annotator) – edited"
        dialog.show()
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert dialog.result() == QDialog.DialogCode.Accepted
        dialog.deleteLater()

    assert drive([str(sample)], script) == 0


def test_unsaved_edits_are_asked_about_before_they_are_lost(qtbot, sample, monkeypatch):
    asked = []

    def go_back(box):
        asked.append(box.text())
        box.reject()

    monkeypatch.setattr(QMessageBox, "open", go_back)

    def script(controller):
        yield controller.is_open
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        assert not controller.shell.close()
        yield controller.is_answered
        assert controller.shell.isVisible()
        controller.shell.commands["file.close"].trigger()
        yield controller.is_answered
        assert controller.workspace.session is not None
        assert asked == ["The edits to gold are not saved."] * 2

    assert drive([str(sample)], script) == 0


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_second_interrupt_ends_the_program_while_the_question_is_open(qtbot, sample, monkeypatch):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)

    def script(controller):
        yield controller.is_open
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        interrupts = _InterruptHandler(controller.shell)
        for close in (partial(interrupts.end, signal.SIGINT), controller.shell.close):
            close()
            yield lambda: question(controller) is not None
            assert ended == []
            interrupts.end(signal.SIGHUP)
            assert ended == []
            interrupts.end(signal.SIGTERM)
            assert ended == [130]
            ended.clear()
            QTest.keyClick(question(controller), Qt.Key.Key_Escape)
            yield controller.is_answered
        # the question about other files is not about the window
        controller.shell.commands["file.close"].trigger()
        yield lambda: question(controller) is not None
        interrupts.end(signal.SIGINT)
        assert ended == []
        interrupts.end(signal.SIGINT)
        assert ended == [130]
        QTest.keyClick(question(controller), Qt.Key.Key_Escape)
        yield controller.is_answered

    assert drive([str(sample)], script) == 0


def test_the_event_loop_goes_on_while_a_question_is_open(qtbot, sample):
    """Closing only asks; what follows from the answer happens in a turn of its own."""

    def script(controller):
        yield controller.is_open
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        controller.workspace.session.reviewing.set({0: {ReviewField.NOTE: "why?"}})
        for key, texts in ((Qt.Key.Key_Escape, ["Go back"]), (None, ["Discard edits", "Discard edits"])):
            assert not controller.shell.close()
            for text in texts:
                yield lambda: question(controller) is not None
                box = question(controller)
                if key is not None:
                    QTest.keyClick(box, key)
                else:
                    next(button for button in box.buttons() if button.text() == text).click()
                assert not box.isVisible()
                asked.append(box.text())
            yield controller.is_answered
            assert controller.shell.isVisible() is (key is not None)

    asked: list[str] = []
    assert drive([str(sample)], script) == 0
    tags, review = "The edits to gold are not saved.", "The review of 1 segment is not saved."
    assert asked == [tags, tags, review]


def test_saving_before_closing_asks_in_the_event_loop_too(qtbot, sample, tmp_path, monkeypatch):
    """Going back from the dialog keeps the window; saving closes it."""
    path = tmp_path / "mine.tags"
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(path), ""))

    def script(controller):
        yield controller.is_open
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        for saves in (False, True):
            assert not controller.shell.close()
            yield lambda: question(controller) is not None
            box = question(controller)
            next(button for button in box.buttons() if button.text() == "Save…").click()
            yield lambda: controller.shell.findChildren(SaveTagsDialog)
            [dialog] = controller.shell.findChildren(SaveTagsDialog)
            assert controller.wiring.projects.is_asking
            destroyed = []
            dialog.destroyed.connect(lambda _=None, destroyed=destroyed: destroyed.append(True))
            dialog.accept() if saves else dialog.reject()
            yield controller.is_answered
            yield lambda destroyed=destroyed: destroyed
            assert path.exists() is saves
            assert controller.shell.isVisible() is not saves

    assert drive([str(sample)], script) == 0


def question(controller):
    return next((box for box in controller.shell.findChildren(QMessageBox) if box.isVisible()), None)


def test_saving_in_every_form_and_reading_back(qtbot, sample, tmp_path):
    def script(controller):
        yield controller.is_open
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        session, saver = controller.workspace.session, controller.wiring.saver
        mt = read_text(sample / "sample.mt")
        assert available_formats(session, Provenance.GOLD, "gold")[0] is WORDS_AND_GAPS
        dialog = SaveTagsDialog(session, GOLD, controller.shell)
        assert dialog.whose.currentText() == "gold – edited"
        dialog.deleteLater()
        for form in (WORDS, WORDS_AND_GAPS, WMT22):
            path = tmp_path / f"saved.{form.suffix}"
            assert saver.save(Provenance.GOLD, "gold", form, path, "en-de")
            read = read_tags(path, Kind.WORDS, mt=mt, language_pair="en-de" if form is WMT22 else "")
            assert read.columns[Kind.WORDS] == session.view.tags(GOLD)
        assert not controller.shell.isWindowModified()
        refused = []
        saver.failed.connect(refused.append)
        assert not saver.save(Provenance.GOLD, "gold", WORDS, tmp_path / "no/such/folder/x.tags")
        assert len(refused) == 1

    assert drive([str(sample)], script) == 0


def test_other_names_of_a_file_that_was_replaced_are_told(qtbot, sample, tmp_path):
    place, other = tmp_path / "mine.tags", tmp_path / "other.tags"
    place.write_text("before\n")
    os.link(place, other)

    def script(controller):
        yield controller.is_open
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        assert controller.wiring.saver.save(Provenance.GOLD, "gold", WORDS, place)
        told = [notice.message.title for notice in controller.shell.notices.notices()]
        assert any("1 other hard link to" in title for title in told)

    assert drive([str(sample)], script) == 0
    assert other.read_text() == "before\n"
    assert place.read_text() != "before\n"
