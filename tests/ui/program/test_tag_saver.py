"""Saving tags through main(argv): offered layers, questions and written files."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QMessageBox

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.formats import read_tags, read_text
from qe_desktop.project import ReviewField
from qe_desktop.ui.app import _InterruptHandler
from qe_desktop.ui.files.tag_saver import WMT22, WORDS, WORDS_AND_GAPS, SaveTagsDialog, available_formats
from tests.ui.program_driver import run_script
from tests.ui.save_dialog_answers import answer_save_dialogs

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


def test_save_dialog_offers_the_edited_layer_and_enter_accepts(qtbot, sample):
    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        driver.workspace.settings.person = "Anna"
        driver.shell.commands["edit.own-layer"].trigger()
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        dialog = SaveTagsDialog(driver.workspace.session, driver.workspace.target, driver.shell)
        assert dialog.layer_choice.currentText() == "Anna (annotator) – edited"
        dialog.show()
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert dialog.result() == QDialog.DialogCode.Accepted
        dialog.deleteLater()

    assert run_script([str(sample)], script) == 0


def test_save_dialog_after_an_edited_target_selects_its_tags_and_names_the_export(qtbot, sample):
    def script(driver):
        yield driver.is_open
        driver.workspace.session.reviewing.set({0: {ReviewField.TARGET: "Ganz anders ."}})
        driver.shell.commands["file.save"].trigger()
        [dialog] = driver.shell.findChildren(SaveTagsDialog)
        assert dialog.selected_layer()[0] is Provenance.PERSON
        assert dialog.layer_choice.currentText().startswith("post-edit ")
        labels = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
        assert "This saves tags only. File ▸ Export as… saves your edited targets." in labels
        dialog.reject()

    assert run_script([str(sample)], script) == 0


def test_closing_asks_about_unsaved_edits(qtbot, sample, monkeypatch):
    questions = []

    def go_back(box):
        questions.append(box.text())
        box.reject()

    monkeypatch.setattr(QMessageBox, "open", go_back)

    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        assert not driver.shell.close()
        yield driver.is_answered
        assert driver.shell.isVisible()
        driver.shell.commands["file.close"].trigger()
        yield driver.is_answered
        assert driver.workspace.session is not None
        assert questions == ["The edits to gold are not saved."] * 2

    assert run_script([str(sample)], script) == 0


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_second_interrupt_ends_the_program_while_the_question_is_open(qtbot, sample, monkeypatch):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)

    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        interrupts = _InterruptHandler(driver.shell)
        for close in (partial(interrupts.end, signal.SIGINT), driver.shell.close):
            close()
            yield lambda: open_question(driver) is not None
            assert ended == []
            interrupts.end(signal.SIGHUP)
            assert ended == []
            interrupts.end(signal.SIGTERM)
            assert ended == [130]
            ended.clear()
            QTest.keyClick(open_question(driver), Qt.Key.Key_Escape)
            yield driver.is_answered
        # a question about closing the corpus does not count as an interrupt
        driver.shell.commands["file.close"].trigger()
        yield lambda: open_question(driver) is not None
        interrupts.end(signal.SIGINT)
        assert ended == []
        interrupts.end(signal.SIGINT)
        assert ended == [130]
        QTest.keyClick(open_question(driver), Qt.Key.Key_Escape)
        yield driver.is_answered

    assert run_script([str(sample)], script) == 0


def test_event_loop_runs_while_a_question_is_open(qtbot, sample):
    """Closing only asks; the answer is handled in a later event-loop iteration."""

    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        driver.workspace.session.reviewing.set({0: {ReviewField.NOTE: "why?"}})
        for key, texts in ((Qt.Key.Key_Escape, ["Go back"]), (None, ["Discard edits", "Discard edits"])):
            assert not driver.shell.close()
            for text in texts:
                yield lambda: open_question(driver) is not None
                box = open_question(driver)
                if key is not None:
                    QTest.keyClick(box, key)
                else:
                    next(button for button in box.buttons() if button.text() == text).click()
                assert not box.isVisible()
                questions.append(box.text())
            yield driver.is_answered
            assert driver.shell.isVisible() is (key is not None)

    questions: list[str] = []
    assert run_script([str(sample)], script) == 0
    tags, review = "The edits to gold are not saved.", "Export the changes to 1 segment before closing?"
    assert questions == [tags, tags, review]


def test_event_loop_runs_while_tags_are_saved_before_closing(qtbot, sample, tmp_path, monkeypatch):
    """Cancelling the dialog keeps the window open; saving closes it."""
    path = tmp_path / "mine.tags"
    answer_save_dialogs(monkeypatch, path)

    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        for saves in (False, True):
            assert not driver.shell.close()
            yield lambda: open_question(driver) is not None
            box = open_question(driver)
            next(button for button in box.buttons() if button.text() == "Save…").click()
            yield lambda: driver.shell.findChildren(SaveTagsDialog)
            [dialog] = driver.shell.findChildren(SaveTagsDialog)
            assert driver.wiring.projects.is_asking
            destroyed = []
            dialog.destroyed.connect(lambda _=None, destroyed=destroyed: destroyed.append(True))
            dialog.accept() if saves else dialog.reject()
            yield driver.is_answered
            yield lambda destroyed=destroyed: destroyed
            assert path.exists() is saves
            assert driver.shell.isVisible() is not saves

    assert run_script([str(sample)], script) == 0


def open_question(driver):
    return next((box for box in driver.shell.findChildren(QMessageBox) if box.isVisible()), None)


def test_tags_saved_in_every_format_are_read_back(qtbot, sample, tmp_path):
    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        session, saver = driver.workspace.session, driver.wiring.saver
        mt = read_text(sample / "sample.mt")
        assert available_formats(session, Provenance.GOLD, "gold")[0] is WORDS_AND_GAPS
        dialog = SaveTagsDialog(session, GOLD, driver.shell)
        assert dialog.layer_choice.currentText() == "gold – edited"
        dialog.deleteLater()
        for form in (WORDS, WORDS_AND_GAPS, WMT22):
            path = tmp_path / f"saved.{form.suffix}"
            assert saver.save(Provenance.GOLD, "gold", form, path, "en-de")
            read = read_tags(path, Kind.WORDS, mt=mt, language_pair="en-de" if form is WMT22 else "")
            assert read.columns[Kind.WORDS] == session.view.tags(GOLD)
        assert not driver.shell.isWindowModified()
        refused = []
        saver.failed.connect(refused.append)
        assert not saver.save(Provenance.GOLD, "gold", WORDS, tmp_path / "no/such/folder/x.tags")
        assert len(refused) == 1

    assert run_script([str(sample)], script) == 0


def test_hard_links_to_a_replaced_file_are_reported(qtbot, sample, tmp_path):
    path, link = tmp_path / "mine.tags", tmp_path / "other.tags"
    path.write_text("before\n")
    os.link(path, link)

    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        assert driver.wiring.saver.save(Provenance.GOLD, "gold", WORDS, path)
        titles = [notice.message.title for notice in driver.shell.notices.notices()]
        assert any("1 other hard link to" in title for title in titles)

    assert run_script([str(sample)], script) == 0
    assert link.read_text() == "before\n"
    assert path.read_text() != "before\n"
