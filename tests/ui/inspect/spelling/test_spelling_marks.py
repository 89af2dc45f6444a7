"""Misspelled words of the target being edited: marks, suggestions, own words, and the switch."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCharFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from qe_desktop.corpus.translation_job import TargetRules
from qe_desktop.local_qe.spelling import spell_checker
from qe_desktop.local_qe.spelling.hunspell_process import HunspellProcess
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS, connect_post_edit_actions
from tests.local_qe.spelling.tiny_dictionary import write_dictionary
from tests.ui.inspect.postedit.conftest import TARGETS, job_corpus, type_at_end


@pytest.fixture
def spelling(area, qtbot):
    """The spell checker of a target that is being edited."""
    area.workspace.go_to(1)
    area.review.controller.open()
    qtbot.waitUntil(lambda: area.review.spelling.checker is not None)
    return area.review.spelling


def marked_words(area) -> list[str]:
    dashes = QTextCharFormat.UnderlineStyle.DashUnderline
    edit = area.review.controller.panel.edit
    return [mark.cursor.selectedText() for mark in edit.extraSelections() if mark.format.underlineStyle() == dashes]


def open_menu(area, word: str, *, by_key: bool) -> QMenu:
    """Open the context menu on a word."""
    edit = area.review.controller.panel.edit
    edit.go_to(edit.line.index(word) + 1)
    if by_key:
        point = QPoint(0, 0)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, point, edit.mapToGlobal(point))
        QApplication.sendEvent(edit, event)
    else:
        point = edit.cursorRect(edit.textCursor()).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, edit.viewport().mapToGlobal(point))
        QApplication.sendEvent(edit.viewport(), event)
    menu = next(menu for menu in edit.findChildren(QMenu) if menu.isVisible())
    return menu


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_a_misspelled_word_is_marked_until_it_is_right(area, spelling, qtbot):
    qtbot.waitUntil(lambda: not spelling.workspace.jobs.running_jobs())
    assert marked_words(area) == []
    type_at_end(area, " Aepfel der")
    qtbot.waitUntil(lambda: marked_words(area) == ["Aepfel"])
    edit = area.review.controller.panel.edit
    edit.go_to(edit.line.index("Aepfel") + 1)
    QTest.keyClick(edit, Qt.Key.Key_Left)
    QTest.keyClick(edit, Qt.Key.Key_Delete)
    QTest.keyClick(edit, Qt.Key.Key_Delete)
    QTest.keyClicks(edit, "A")
    qtbot.waitUntil(lambda: edit.line.endswith(" Apfel der"))
    qtbot.waitUntil(lambda: marked_words(area) == [])


def test_the_word_being_typed_is_not_marked(area, spelling, qtbot):
    type_at_end(area, " Aepf")
    qtbot.waitUntil(lambda: spelling.workspace.jobs.is_idle())
    qtbot.wait(20)
    assert marked_words(area) == []
    QTest.keyClicks(area.review.controller.panel.edit, " ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Aepf"])


def test_marks_are_not_updated_between_a_key_and_its_draft(area, spelling, qtbot):
    settings = area.workspace.settings
    type_at_end(area, " Aepf")
    settings.spelling = False
    settings.spelling = True
    qtbot.waitSignal(area.review.controller.draft_changed).wait()
    qtbot.waitUntil(lambda: spelling.workspace.jobs.is_idle())
    assert marked_words(area) == []
    QTest.keyClicks(area.review.controller.panel.edit, " ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Aepf"])


def test_words_are_marked_where_they_are_after_codes_and_emoji(area, qtbot):
    area.workspace.go_to(0)
    area.review.controller.open()
    area.review.controller.panel.edit.replace_line(f"{TARGETS[0]} 😀 Aepfel ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Aepfel"])
    area.workspace.go_to(3)
    area.review.controller.open()
    # "auf" and "Wiedersehen" are not in this dictionary
    qtbot.waitUntil(lambda: marked_words(area) == ["Dann", "auf", "Wiedersehen"])


@pytest.mark.parametrize("by_key", [True, False])
def test_a_suggestion_replaces_the_word_in_one_step(area, spelling, qtbot, by_key):
    type_at_end(area, " Apfeln ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Apfeln"])
    menu = open_menu(area, "Apfeln", by_key=by_key)
    qtbot.waitUntil(lambda: "Apfel" in texts(menu))
    assert texts(menu).index("Add “Apfeln” to dictionary") == texts(menu).index("Apfel") + 1
    if by_key:
        assert menu.activeAction().text() == "Apfel"
        QTest.keyClick(menu, Qt.Key.Key_Return)
    else:
        action = next(action for action in menu.actions() if action.text() == "Apfel")
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    edit = area.review.controller.panel.edit
    assert edit.line == f"{TARGETS[1]} Apfel "
    qtbot.waitUntil(lambda: marked_words(area) == [])
    edit.undo()
    assert edit.line == f"{TARGETS[1]} Apfeln "


def test_codes_in_a_replaced_word_remain(area, qtbot):
    area.workspace.go_to(0)
    area.review.controller.open()
    edit = area.review.controller.panel.edit
    edit.replace_line("Ae⟨1⟩pfe⟨/1⟩l ⟨2/⟩")
    edit.replace_span(0, 6, "Apfel")
    assert edit.line == "Apfel⟨1⟩⟨/1⟩ ⟨2/⟩"


def test_an_added_word_is_right_from_then_on(area, spelling, qtbot, folder):
    messages: list[str] = []
    area.review.controller.message_posted.connect(messages.append)
    type_at_end(area, " Wortzaehler ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Wortzaehler"])
    menu = open_menu(area, "Wortzaehler", by_key=True)
    qtbot.waitUntil(lambda: "Searching for suggestions…" not in texts(menu))
    add = next(action for action in menu.actions() if action.text().startswith("Add "))
    menu.setActiveAction(add)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: marked_words(area) == [])
    assert (folder / "spelling" / "de.txt").read_text(encoding="utf-8") == "Wortzaehler\n"
    assert messages[-1] == "Added “Wortzaehler” to your dictionary"


def test_a_word_of_a_file_is_plain_text_in_the_menu(area, spelling, qtbot):
    type_at_end(area, " Ap&amp;<b>q</b>Xyz&Zyx ")
    QTest.keyClicks(area.review.controller.panel.edit, " Qrst ")
    qtbot.waitUntil(lambda: "Qrst" in marked_words(area))
    menu = open_menu(area, "Qrst", by_key=True)
    qtbot.waitUntil(lambda: "No suggestions" in texts(menu) or "Searching for suggestions…" not in texts(menu))
    menu.close()


def test_a_late_suggestion_for_a_closed_menu_or_a_changed_target_does_nothing(area, spelling, qtbot):
    type_at_end(area, " Apfeln ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Apfeln"])
    menu = open_menu(area, "Apfeln", by_key=True)
    menu.close()
    qtbot.waitUntil(lambda: spelling.workspace.jobs.is_idle())
    spelling._replace("Apfeln", (0, 3), "Apfel")
    assert area.review.controller.panel.edit.line == f"{TARGETS[1]} Apfeln "


def test_without_a_dictionary_the_menu_states_why(area, qtbot, folder):
    for path in (folder / "dictionaries").iterdir():
        path.unlink()
    spelling = area.review.spelling
    messages: list[str] = []
    area.review.controller.message_posted.connect(messages.append)
    area.workspace.go_to(1)
    area.review.controller.open()
    qtbot.waitUntil(lambda: bool(spelling.reason))
    assert messages == []
    type_at_end(area, " Aepfel ")
    menu = open_menu(area, "Aepfel", by_key=True)
    # the reason with its folder would make the menu too wide
    assert texts(menu)[0] == "Why is the spelling not checked?"
    menu.actions()[0].trigger()
    assert messages.pop().startswith("Spell checking is off: there is no Hunspell dictionary for de.")
    menu.close()
    spelling.toggle()
    qtbot.waitUntil(lambda: len(messages) == 1)
    assert messages == [spelling.reason]
    assert spelling.reason
    # a new dictionary is used after the command is run again
    write_dictionary(folder / "dictionaries", words=("grüne",))
    spelling.toggle()
    qtbot.waitUntil(lambda: spelling.checker is not None)
    area.review.controller.panel.edit.go_to(0)
    qtbot.waitUntil(lambda: "Aepfel" in marked_words(area))


def test_the_command_switches_it_and_names_the_dictionary(qtbot, workspace, folder):
    window = QMainWindow()
    qtbot.addWidget(window)
    workspace.open(replace(job_corpus(), language_pair="en-de"))
    area = InspectArea(workspace, QWidget())
    area.review.spelling.folder = folder
    window.setCentralWidget(area)
    commands = ActionRegistry(window, workspace.settings)
    commands.add_all(ACTIONS)
    connect_post_edit_actions(area.review, commands)
    window.show()
    messages: list[str] = []
    area.review.controller.message_posted.connect(messages.append)
    action = commands["inspect.spelling"]
    assert action.isCheckable()
    assert action.isChecked()
    action.trigger()
    assert not workspace.settings.spelling
    assert not action.isChecked()
    area.workspace.go_to(1)
    area.review.controller.open()
    type_at_end(area, " Aepfel ")
    assert area.review.spelling.language is None
    action.trigger()
    qtbot.waitUntil(lambda: marked_words(area) == ["Aepfel"])
    assert messages == ["Spell checking is off", "Spell checking is on, with the dictionary de_DE"]
    action.trigger()
    assert marked_words(area) == []


def test_text_of_the_command_states_that_there_is_no_dictionary(area, qtbot, folder):
    for path in (folder / "dictionaries").iterdir():
        path.unlink()
    commands = ActionRegistry(area, area.workspace.settings)
    commands.add_all(ACTIONS)
    connect_post_edit_actions(area.review, commands)
    action, text = commands["inspect.spelling"], commands.text("inspect.spelling")
    area.workspace.go_to(1)
    area.review.controller.open()
    qtbot.waitUntil(lambda: bool(area.review.spelling.reason))
    assert commands.text("inspect.spelling") == "Check spelling (not available for de; select for details)"
    assert "there is no Hunspell dictionary for de" in action.toolTip()
    assert not action.isChecked()
    messages: list[str] = []
    area.review.controller.message_posted.connect(messages.append)
    action.trigger()
    qtbot.waitUntil(lambda: len(messages) == 1)
    assert "there is no Hunspell dictionary for de" in messages[0]
    assert not action.isChecked()
    write_dictionary(folder / "dictionaries", words=("grüne",))
    action.trigger()
    qtbot.waitUntil(lambda: area.review.spelling.checker is not None)
    assert (commands.text("inspect.spelling"), action.isChecked()) == (text, True)


def test_command_states_that_there_is_no_dictionary_before_the_first_edit(qtbot, workspace, tmp_path):
    window = QMainWindow()
    qtbot.addWidget(window)
    area = InspectArea(workspace, QWidget())
    area.review.spelling.folder = tmp_path
    window.setCentralWidget(area)
    commands = ActionRegistry(window, workspace.settings)
    commands.add_all(ACTIONS)
    connect_post_edit_actions(area.review, commands)
    assert commands["inspect.spelling"].isChecked()
    workspace.open(replace(job_corpus(), language_pair="en-de"))
    qtbot.waitUntil(lambda: not commands["inspect.spelling"].isChecked())
    assert commands.text("inspect.spelling") == "Check spelling (not available for de; select for details)"
    write_dictionary(tmp_path / "dictionaries", words=("grüne",))
    workspace.open(replace(job_corpus(), language_pair="en-de"))
    qtbot.waitUntil(workspace.jobs.is_idle)
    assert commands["inspect.spelling"].isChecked()
    # the dictionary is opened only when a target is edited
    assert area.review.spelling.checker is None


def test_a_process_that_dies_switches_spelling_off_and_the_target_can_be_edited(area, spelling, qtbot):
    engine = spelling.checker._engine
    assert isinstance(engine, HunspellProcess)
    engine._process.kill()
    engine._process.wait()
    type_at_end(area, " Aepfel ")
    qtbot.waitUntil(lambda: spelling.checker is None)
    assert spelling.reason.startswith("Spell checking is off: ")
    type_at_end(area, "x")
    assert area.review.controller.panel.edit.line.endswith(" Aepfel x")


def test_closing_the_files_ends_the_process(area, spelling, qtbot):
    engine = spelling.checker._engine
    area.workspace.close()
    assert engine._process.returncode is not None
    assert spelling.checker is None


def test_another_file_gets_the_dictionary_of_its_language(area, spelling, qtbot):
    area.workspace.open(replace(job_corpus(), language_pair="en-nl"))
    assert spelling.checker is None
    area.workspace.go_to(1)
    area.review.controller.open()
    qtbot.waitUntil(lambda: "dictionary for nl" in spelling.reason)


def test_opening_a_dictionary_does_not_block_the_window(area, qtbot, monkeypatch):
    """Typing works while the dictionary is being opened."""
    original = spell_checker.find_dictionary

    def slowly(*arguments):
        time.sleep(0.3)
        return original(*arguments)

    monkeypatch.setattr(spell_checker, "find_dictionary", slowly)
    area.workspace.go_to(1)
    begun = time.monotonic()
    area.review.controller.open()
    type_at_end(area, " Aepfel ")
    assert area.review.spelling.checker is None
    assert time.monotonic() - begun < 10
    qtbot.waitUntil(lambda: marked_words(area) == ["Aepfel"])


def open_in_languages(area, *languages: str) -> None:
    """Open the bilingual file with a different target language for each segment."""
    corpus = job_corpus()
    rules = {segment: TargetRules(language=language) for segment, language in enumerate(languages)}
    area.workspace.open(replace(corpus, job=replace(corpus.job, rules=rules)))


def edit_segment(area, segment: int, line: str) -> None:
    area.workspace.go_to(segment)
    area.review.controller.open()
    area.review.controller.panel.edit.replace_line(line)


def test_each_segment_has_the_dictionary_and_own_words_of_its_language(area, qtbot, folder):
    write_dictionary(folder / "dictionaries", "fr_FR", ("vert", "pomme"))
    open_in_languages(area, "de", "fr", "de", "ar")
    spelling = area.review.spelling
    edit_segment(area, 0, "Apfel pomme ")
    qtbot.waitUntil(lambda: marked_words(area) == ["pomme"])
    german = spelling.checker
    edit_segment(area, 1, "Apfel pomme ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Apfel"])
    assert (spelling.language, spelling.checker.name) == ("fr", "fr_FR")
    menu = open_menu(area, "Apfel", by_key=True)
    qtbot.waitUntil(lambda: "Searching for suggestions…" not in texts(menu))
    next(action for action in menu.actions() if action.text().startswith("Add ")).trigger()
    menu.close()
    qtbot.waitUntil(lambda: marked_words(area) == [])
    assert (folder / "spelling" / "fr.txt").read_text(encoding="utf-8") == "Apfel\n"
    edit_segment(area, 3, "Apfel ")
    qtbot.waitUntil(lambda: "dictionary for ar" in spelling.reason)
    assert marked_words(area) == []
    menu = open_menu(area, "Apfel", by_key=True)
    assert texts(menu)[0] == "Why is the spelling not checked?"
    menu.close()
    # the dictionary and its results are used again
    edit_segment(area, 0, "Apfel pomme ")
    assert spelling.checker is german
    qtbot.waitUntil(lambda: marked_words(area) == ["pomme"])
    area.workspace.close()
    assert german._engine._process.returncode is not None


def test_the_dictionary_that_was_not_used_longest_is_closed(area, qtbot, folder, monkeypatch):
    monkeypatch.setattr("qe_desktop.ui.inspect.postedit.spelling_controller.MAX_DICTIONARIES", 2)
    for name in ("fr_FR", "it_IT"):
        write_dictionary(folder / "dictionaries", name, ("der",))
    open_in_languages(area, "de", "fr", "de", "it")
    spelling, checkers = area.review.spelling, []
    for segment in (0, 1, 0, 3):
        edit_segment(area, segment, "der ")
        qtbot.waitUntil(lambda: spelling.checker is not None)
        checkers.append(spelling.checker)
    german, french, again, italian = checkers
    assert german is again
    assert [checker._engine._process.poll() is None for checker in (german, french, italian)] == [True, False, True]


def test_a_dictionary_that_is_replaced_while_it_is_opened_is_opened_later(area, qtbot, folder):
    write_dictionary(folder / "dictionaries", "fr_FR", ("pomme",))
    open_in_languages(area, "de", "fr")
    for segment in (0, 1, 0):
        edit_segment(area, segment, "Apfel pomme ")
    qtbot.waitUntil(lambda: marked_words(area) == ["pomme"])
    edit_segment(area, 1, "Apfel pomme ")
    qtbot.waitUntil(lambda: marked_words(area) == ["Apfel"])
