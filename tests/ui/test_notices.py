"""The notice bar: messages, errors with details, repetition, navigation, and removal."""

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from qe_desktop.corpus import Fault, QeError, SourceLocation
from qe_desktop.ui.shell.notices import KEEP_OPEN, MAX_INFOS, Message, NoticeBar


@pytest.fixture
def bar(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    return bar


def texts(notice):
    return [label.text() for label in notice.findChildren(QLabel) if not label.isHidden()]


def test_bar_without_notices_is_hidden(bar):
    assert bar.isHidden()
    notice = bar.info("Opened")
    assert not bar.isHidden()
    bar.dismiss(notice)
    assert bar.isHidden()


def test_error_notice_states_what_where_and_what_to_do(bar):
    notice = bar.from_error(QeError("too few tags.", hint="Add some.", place=SourceLocation("/a.tags", 7)))
    assert texts(notice) == ["Too few tags", "/a.tags:7", "Add some."]
    assert notice.accessibleName() == "Error: Too few tags. /a.tags:7. Add some."
    # the name of a file keeps its letters
    assert Message.from_error(QeError("a.tags is empty")).title == "a.tags is empty"


def test_long_path_of_a_written_file_is_elided_and_whole_in_the_tooltip(bar):
    path = f"/home/ana/{'folder/' * 20}scores.tsv"
    notice = bar.show_message(Message("scores.tsv written as TSV", location=path))
    _, shown = texts(notice)
    assert shown.startswith("/home/ana/")
    assert shown.endswith("scores.tsv")
    assert "…" in shown
    label = next(label for label in notice.findChildren(QLabel) if label.text() == shown)
    assert path in label.toolTip()
    assert path in notice.accessibleName()
    # the place of an error is shown as a whole
    assert path in texts(bar.error("It is a folder", where=path))
    assert texts(bar.show_message(Message("Written", location="/a/b.tsv")))[:2] == ["Written", "/a/b.tsv"]


def test_first_ten_faults_are_shown_on_demand(bar, qtbot):
    faults = [Fault(SourceLocation("/a.tags", line), f"line {line} is wrong") for line in range(1, 13)]
    notice = bar.from_error(QeError("too few tags", faults=faults, more=28))
    bar.show()
    assert texts(notice)[0] == "Too few tags (and 39 more locations)"
    assert not notice._details.isVisible()
    qtbot.mouseClick(notice._more, Qt.MouseButton.LeftButton)
    assert notice._details.isVisible()
    lines = notice._details.toPlainText().splitlines()
    assert len(lines) == 11
    assert (lines[0], lines[-1]) == ("/a.tags:1: line 1 is wrong", "and 30 more")


def test_markup_in_a_notice_is_plain_text(bar):
    notice = bar.error("<b>bold</b>", "<i>advice</i>", "<u>where</u>")
    assert {label.textFormat() for label in notice.findChildren(QLabel)} == {Qt.TextFormat.PlainText}


def titles(bar):
    return [notice.message.title for notice in bar.notices()]


def visible_titles(bar):
    return [notice.message.title for notice in bar.notices() if not notice.isHidden()]


def test_repeated_message_is_counted_and_shown_again(bar):
    first = bar.error("No such file", where="/a")
    bar.warning("Read-only")
    assert bar.error("No such file", where="/a") is first
    assert texts(first)[0] == "No such file (2 times)"
    assert visible_titles(bar) == ["No such file"]


def test_one_notice_is_shown_and_others_are_reached_by_keyboard(bar, qtbot):
    bar.show()
    bar.activateWindow()
    names = ["Crashed", "Read-only", "No such file"]
    for name in names:
        bar.error(name)
        QTest.qWait(0)
        assert visible_titles(bar) == [name]
    assert bar.current.accessibleName() == "Error: No such file. (1 of 3)"
    assert "1 of 3" in texts(bar.current)
    height = bar.sizeHint().height()
    bar.current.next_button.setFocus()
    for number, name in ((2, "Read-only"), (3, "Crashed"), (1, "No such file"), (2, "Read-only")):
        qtbot.keyClick(bar.focusWidget(), Qt.Key.Key_Space)
        assert visible_titles(bar) == [name]
        assert bar.current.accessibleName() == f"Error: {name}. ({number} of 3)"
        assert bar.focusWidget() is bar.current.next_button
    bar.current.close_button.setFocus()
    for name in ("Crashed", "No such file"):
        qtbot.keyClick(bar.focusWidget(), Qt.Key.Key_Space)
        assert visible_titles(bar) == [name]
        assert bar.focusWidget() is bar.current.close_button
    assert bar.current.next_button.isHidden()
    assert bar.current.accessibleName() == "Error: No such file."
    assert bar.sizeHint().height() == height
    qtbot.keyClick(bar.focusWidget(), Qt.Key.Key_Space)
    assert bar.isHidden()
    assert bar.current is None


def test_only_informational_notices_are_removed_automatically(bar):
    """Errors, warnings and messages with buttons stay; information is replaced by the next message."""
    bar.warning("Not saved yet")
    bar.show_message(Message("A copy was made", buttons=(("Open copy", lambda: None),)))
    for number in range(60):
        bar.error(f"error {number}")
        bar.info(f"info {number}")
        QTest.qWait(0)
    errors = [f"error {number}" for number in range(59, -1, -1)]
    assert titles(bar) == ["info 59", *errors, "A copy was made", "Not saved yet"]
    for number in range(60, 61 + MAX_INFOS):
        bar.info(f"info {number}")
    assert titles(bar)[MAX_INFOS:] == [*errors, "A copy was made", "Not saved yet"]
    assert titles(bar)[0] == f"info {60 + MAX_INFOS}"


def test_next_action_removes_reports_of_earlier_actions(bar):
    """Regression: "Saved" remained on screen until another message replaced it."""

    class Area(QObject):
        acted = Signal(str)

    area = Area()
    area.acted.connect(bar.remove_reports)
    bar.error("No such file")
    bar.show_message(Message("A copy was made", buttons=(("Open copy", lambda: None),)))
    bar.show_message(Message("Import notes on 2 files", details=("a.tags: 1 line", "b.tags: 2 lines")))
    bar.info("Saved")
    area.acted.emit("the action that is reported")
    assert visible_titles(bar) == ["Saved"]
    QTest.qWait(0)
    area.acted.emit("another action")
    assert titles(bar) == ["Import notes on 2 files", "A copy was made", "No such file"]


def test_clear_keeps_notices_with_buttons_and_global_notices(bar):
    bar.error("No such file")
    bar.show_message(Message("A copy was made", buttons=(("Open copy", lambda: None),)))
    bar.show_message(Message("The program ended unexpectedly", "warning", is_global=True))
    bar.warning("Read-only")
    bar.clear()
    assert titles(bar) == ["The program ended unexpectedly", "A copy was made"]
    assert visible_titles(bar) == ["The program ended unexpectedly"]


def test_button_runs_its_action_and_closes_the_notice(bar, qtbot):
    calls = []
    bar.show_message(Message("Crashed", "warning", buttons=(("Recover", lambda: calls.append(1)),)))
    notice = bar.notices()[0]
    qtbot.mouseClick(notice.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert calls == [1]
    assert bar.notices() == []


@pytest.mark.parametrize("kind", ["error", "warning", "info"])
def test_every_kind_of_notice_can_be_drawn(bar, kind):
    bar.show_message(Message("A title", kind, "a place", "an advice", ("one", "two")))
    assert not bar.grab().isNull()


def test_a_button_closes_its_notice_unless_its_handler_keeps_it_open(bar):
    results = [KEEP_OPEN, None]
    notice = bar.show_message(Message("Look?", buttons=(("Look", lambda: results.pop(0)),)))
    button = next(button for button in notice.findChildren(QPushButton) if button.text() == "Look")
    button.click()
    assert bar.current is notice
    button.click()
    assert bar.current is None
    assert results == []
