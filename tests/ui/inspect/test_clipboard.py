"""Copying words, texts and whole segments from list and reader."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from qe_desktop.corpus import Kind, TextColumn, TextRole, View
from qe_desktop.project import ReviewField
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.clipboard_text import pair_line, segment_text, tags_as_table, word_text
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.shell.commands import ACTIONS as SHELL_ACTIONS
from tests.ui.inspect.conftest import rich_corpus

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEY = Qt.Key


@pytest.fixture
def commands(qtbot, rich_workspace) -> ActionRegistry:
    window = QMainWindow()
    qtbot.addWidget(window)
    table = ActionRegistry(window, rich_workspace.settings)
    table.add_all((*SHELL_ACTIONS, *ACTIONS))
    area = InspectArea(rich_workspace, QWidget())
    window.setCentralWidget(area)
    window.resize(1200, 800)
    area.connect_actions(table)
    window.show()
    qtbot.waitExposed(window)
    QGuiApplication.clipboard().setText("before")
    return table


@pytest.fixture
def area(commands) -> InspectArea:
    return commands.parent().centralWidget()


def clipboard_text() -> str:
    return QGuiApplication.clipboard().text()


def test_ctrl_c_copies_the_words_in_the_reader_and_the_segment_in_the_list(area):
    area.reader.setFocus()
    QTest.keyClick(area.reader, KEY.Key_C, CTRL)
    assert clipboard_text() == "Die"
    QTest.keyClick(area.reader, KEY.Key_Right, SHIFT)
    QTest.keyClick(area.reader, KEY.Key_Right, SHIFT)
    QTest.keyClick(area.reader, KEY.Key_C, CTRL)
    assert clipboard_text() == "Die Katze saß"
    QTest.keyClick(area.view, KEY.Key_C, CTRL)
    assert clipboard_text() == "The cat sat .\tDie Katze saß ."


def test_commands_copy_texts_and_tags(area, commands, rich_workspace):
    rich_workspace.go_to(1)
    for name, expected in (
        ("copy-words", "Hallo"), ("copy-source", "Hello world"), ("copy-mt", "Hallo Welt 😀"),
        ("copy-pair", "Hello world\tHallo Welt 😀"), ("copy", tags_as_table(rich_workspace.view, 1).tsv()),
    ):  # fmt: skip
        commands[f"inspect.{name}"].trigger()
        assert clipboard_text() == expected
    rich_workspace.close()
    QGuiApplication.clipboard().setText("kept")
    for name in ("copy-words", "copy-source", "copy-mt", "copy-target", "copy-pair", "copy", "copy-list"):
        commands[f"inspect.{name}"].trigger()
    assert clipboard_text() == "kept"
    assert area.clipboard_controller.menu() is None


def test_context_menu_lists_copy_commands_and_copies_the_word(area, rich_workspace, commands):
    menu = area.clipboard_controller.menu()
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts == [
        "Copy the selected words", "Copy the source", "Copy the MT", "Copy source and target",
        "Copy the segment with tags or translations as TSV", "Copy the list as TSV", "Go to segment…",
    ]  # fmt: skip
    menu.deleteLater()
    other = area.clipboard_controller.menu((Kind.SOURCE, 1))
    assert other.actions()[0].text() == "Copy “cat”"
    other.actions()[0].trigger()
    assert clipboard_text() == "cat"
    other.deleteLater()


def test_edited_target_is_copied_without_codes(area, rich_workspace, commands):
    rich_workspace.session.reviewing.set({1: {ReviewField.TARGET: "Hallo, ⟨1/⟩Welt"}})
    rich_workspace.go_to(1)
    for name, expected in (
        ("copy-target", "Hallo, Welt"), ("copy-mt", "Hallo Welt 😀"), ("copy-pair", "Hello world\tHallo, Welt")
    ):  # fmt: skip
        commands[f"inspect.{name}"].trigger()
        assert clipboard_text() == expected
    menu = area.clipboard_controller.menu()
    assert "Copy the target" in [action.text() for action in menu.actions()]
    menu.deleteLater()


REASON = QContextMenuEvent.Reason


def open_menu(area, widget: QWidget, at: QPoint, reason: QContextMenuEvent.Reason = REASON.Mouse) -> QMenu:
    QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))
    return next(menu for menu in area.view.findChildren(QMenu) if menu.isVisible())


def close(menu: QMenu, qtbot) -> None:
    with qtbot.waitSignal(menu.destroyed):
        menu.close()


def test_context_menu_refers_to_the_word_under_the_mouse(area, qtbot):
    reader, source = area.reader, area.segment_pane.source
    assert reader.visible_top > 0, "the source stands in a pane of its own"
    word = reader.page.position_rect(2).center() - QPointF(0, reader.visible_top)
    menu = open_menu(area, reader, word.toPoint())
    assert reader.word_cursor.index == 2
    menu.actions()[0].trigger()
    assert clipboard_text() == "saß"
    close(menu, qtbot)
    menu = open_menu(area, source, reader.page.word_rects(reader.page.blocks[0], 1)[0].center().toPoint())
    assert reader.word_cursor.index == 2
    menu.actions()[0].trigger()
    assert clipboard_text() == "cat"
    close(menu, qtbot)


def test_keyboard_context_menu_refers_to_the_word_at_the_cursor(area, qtbot):
    reader = area.reader
    reader.go_to_index(1)
    # Qt passes the middle of the widget, where another word may be
    elsewhere = (reader.page.position_rect(2).center() - QPointF(0, reader.visible_top)).toPoint()
    menu = open_menu(area, reader, elsewhere, REASON.Keyboard)
    assert reader.word_cursor.index == 1
    menu.actions()[0].trigger()
    assert clipboard_text() == "Katze"
    close(menu, qtbot)


def test_keyboard_context_menu_is_below_the_cursor_in_the_source_pane(area, rich_workspace, qtbot):
    reader, source = area.reader, area.segment_pane.source
    rich_workspace.set_kind(Kind.SOURCE)
    reader.go_to_index(1)
    menu = open_menu(area, source, QPoint(0, 0), REASON.Keyboard)
    below = source.mapToGlobal(reader.page.position_rect(1).bottomLeft().toPoint())
    assert (menu.pos() - below).manhattanLength() <= 2
    close(menu, qtbot)


def test_raw_text_is_copied_where_available():
    corpus = rich_corpus()
    raw = TextColumn.of(["Die Katze saß.", "Hallo Welt 😀", "x\ty", "z"])
    corpus = replace(corpus, texts={**corpus.texts, TextRole.RAW_MT: raw})
    assert segment_text(corpus, TextRole.MT, 0) == "Die Katze saß."
    assert segment_text(corpus, TextRole.SOURCE, 0) == "The cat sat ."
    assert segment_text(corpus, TextRole.RAW_SOURCE, 0) == ""
    # a tab in the text does not start a new cell
    assert len(pair_line(View(corpus), 2).split("\t")) == 2


def test_text_of_a_gap_is_the_words_on_both_sides():
    view = View(rich_corpus())
    assert word_text(view, Kind.GAPS, 0, (2,)) == "Katze saß"
    assert word_text(view, Kind.GAPS, 0, (0,)) == "Die"
    assert word_text(view, Kind.SOURCE, 0, (0, 1)) == "The cat"
    assert word_text(view, Kind.WORDS, 0, ()) == ""


def test_tag_table_has_the_tags_of_all_layers():
    lines = tags_as_table(View(rich_corpus()), 0).tsv().splitlines()
    assert lines[0] == "segment\ttext\tplace\tword\tgold gold\tA\tB <b>"
    assert "1\tsource\t2\tcat\tBAD\t\t" in lines
    assert "1\tMT\t2\tKatze\tBAD\tBAD\tBAD" in lines
    assert "1\tgap\t4\t\tBAD\tBAD\t" in lines
    assert len(lines) == 1 + 4 + 4 + 5
