"""Questions before bilingual files are written: Enter overwrites nothing, Escape cancels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QWidget

from qe_desktop.ui.files.bilingual import save_dialogs
from qe_desktop.ui.files.bilingual.save_dialogs import InvalidSegmentsDialog, SaveAnswer

PATH = "/home/anna/" + "tiefer/" * 30 + "Kapitel 3 (final).sdlxliff"
ASKED: dict[str, Callable[..., object]] = {
    "changed": partial(save_dialogs.ask_file_changed, "a.xlf", is_missing=False, obstacle="It cannot be reloaded."),
    "gone": partial(save_dialogs.ask_file_changed, "a.xlf", is_missing=True),
    "held": partial(save_dialogs.ask_file_locked, "a.xlf"),
    "barred": partial(save_dialogs.ask_file_not_writable, "a.xlf", "the file is read-only"),
    "place": partial(save_dialogs.ask_untrusted_path, PATH, is_missing=False, changed=False),
    "place that changed": partial(save_dialogs.ask_untrusted_path, PATH, is_missing=False, changed=True),
    "place that is gone": partial(save_dialogs.ask_untrusted_path, PATH, is_missing=True, changed=False),
}
RELOADED = partial(save_dialogs.ask_file_changed, "a.xlf", is_missing=False)
CLOSING: dict[str, Callable[..., object]] = {
    "left": partial(save_dialogs.ask_discard_unsupported, 3),
    "leaving": partial(save_dialogs.ask_save_reviewed, 3, files=["a.xlf"]),
}


@pytest.fixture
def press(monkeypatch) -> Callable[[Qt.Key], None]:
    """Return a function that sets the key to be pressed in the next question."""
    pressed: list[Qt.Key] = []

    def run(box: QMessageBox) -> None:
        # shown so that the buttons have their real widths
        box.show()
        assert not [button.text() for button in box.buttons() if button.width() < button.sizeHint().width()]
        QTest.keyClick(box.defaultButton() if pressed[-1] is Qt.Key.Key_Return else box, pressed[-1])
        assert not box.isVisible()

    monkeypatch.setattr(QMessageBox, "open", run)
    return pressed.append


@pytest.mark.parametrize("name", ASKED)
def test_enter_saves_elsewhere_and_escape_goes_back(qtbot, press, name):
    parent = QWidget()
    qtbot.addWidget(parent)
    answered: list[SaveAnswer] = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        press(key)
        ASKED[name](parent=parent, answered=answered.append)
    qtbot.waitUntil(lambda: answered == [SaveAnswer.SAVE_AS, SaveAnswer.CANCEL])


def test_enter_reloads_a_changed_file_whose_edits_are_in_a_journal(qtbot, press):
    parent = QWidget()
    qtbot.addWidget(parent)
    answered: list[SaveAnswer] = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        press(key)
        RELOADED(parent=parent, answered=answered.append)
    qtbot.waitUntil(lambda: answered == [SaveAnswer.RELOAD, SaveAnswer.CANCEL])


@pytest.mark.parametrize("name", CLOSING)
def test_enter_saves_before_closing_and_escape_goes_back(qtbot, press, name):
    parent = QWidget()
    qtbot.addWidget(parent)
    answered: list[SaveAnswer] = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        press(key)
        CLOSING[name](parent=parent, answered=answered.append)
    assert answered == [], "an answer is dealt with in a turn of its own"
    qtbot.waitUntil(lambda: answered == [SaveAnswer.SAVE_AS, SaveAnswer.CANCEL])


def test_enter_does_not_overwrite_files_by_copies(qtbot, press):
    parent = QWidget()
    qtbot.addWidget(parent)
    answered: list[SaveAnswer] = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        press(key)
        names = [f"{number}.xlf" for number in range(40)]
        save_dialogs.ask_overwrite(names, parent=parent, answered=answered.append)
    qtbot.waitUntil(lambda: answered == [SaveAnswer.CANCEL] * 2)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_goes_to_the_invalid_segment_and_saves_nothing(qtbot, key):
    question = InvalidSegmentsDialog("a.xlf", {4: "the code ⟨1⟩ is missing"}, only_codes=True, parent=None)
    qtbot.addWidget(question)
    question.show()
    QTest.keyClick(question.list, key)
    assert question.result() == InvalidSegmentsDialog.DialogCode.Rejected
    assert question.selected_segment == (4 if key is Qt.Key.Key_Return else None)
    assert not question.isVisible()


@pytest.mark.parametrize(("only_codes", "others"), [(False, False), (False, True), (True, False)])
def test_saving_the_other_segments_is_offered_only_if_there_are_any(qtbot, only_codes, others):
    question = InvalidSegmentsDialog(
        "a.xlf", {4: "it is locked"}, only_codes=only_codes, parent=None, has_others=others
    )
    qtbot.addWidget(question)
    question.show()
    assert question.save.isVisible() is (only_codes or others)


def test_enter_adds_missing_attributes_and_exports_confirmed_segments(qtbot, press):
    parent = QWidget()
    qtbot.addWidget(parent)
    answered: list[SaveAnswer] = []
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        press(key)
        save_dialogs.ask_add_missing("a.xlf", 3, parent=parent, answered=answered.append)
        save_dialogs.ask_unconfirmed(2, 3, parent=parent, answered=answered.append)
        save_dialogs.ask_unconfirmed(0, 3, parent=parent, answered=answered.append)
    expected = [SaveAnswer.ADD_MISSING, SaveAnswer.CONFIRMED_ONLY, SaveAnswer.ALL_SEGMENTS, *[SaveAnswer.CANCEL] * 3]
    qtbot.waitUntil(lambda: answered == expected)


def test_full_path_is_shown(qtbot, monkeypatch):
    """The question about a path must show all of it, however long it is."""
    shown: list[str] = []
    monkeypatch.setattr(QMessageBox, "open", lambda box: shown.append(box.text()))
    parent = QWidget()
    qtbot.addWidget(parent)
    ASKED["place"](parent=parent, answered=lambda answer: None)
    assert shown[0].replace("\u200b", "") == f"Save to {PATH}?"
