import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from qe_desktop.corpus import Fault, QeError, SourceLocation
from qe_desktop.ui.shell.notices import MAX_NOTICES, Message, NoticeBar


@pytest.fixture
def bar(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    return bar


def texts(notice):
    return [label.text() for label in notice.findChildren(QLabel)]


def test_it_takes_no_room_while_there_is_nothing_to_say(bar):
    assert bar.isHidden()
    notice = bar.info("Opened")
    assert not bar.isHidden()
    bar.dismiss(notice)
    assert bar.isHidden()


def test_bad_input_says_what_where_and_what_to_do(bar):
    notice = bar.from_error(QeError("too few tags.", hint="Add some.", place=SourceLocation("/a.tags", 7)))
    assert texts(notice) == ["too few tags", "/a.tags:7", "Add some."]
    assert notice.accessibleName() == "Error: too few tags. /a.tags:7. Add some."


def test_the_first_ten_faults_are_shown_on_demand(bar, qtbot):
    faults = [Fault(SourceLocation("/a.tags", line), f"line {line} is wrong") for line in range(1, 13)]
    notice = bar.from_error(QeError("too few tags", faults=faults, more=28))
    bar.show()
    assert texts(notice)[0] == "too few tags (in 40 places)"
    assert not notice._details.isVisible()
    qtbot.mouseClick(notice._more, Qt.MouseButton.LeftButton)
    assert notice._details.isVisible()
    lines = notice._details.toPlainText().splitlines()
    assert len(lines) == 11
    assert (lines[0], lines[-1]) == ("/a.tags:1: line 1 is wrong", "and 30 more")


def test_file_text_is_shown_letter_for_letter(bar):
    notice = bar.error("<b>bold</b>", "<i>advice</i>", "<u>where</u>")
    assert {label.textFormat() for label in notice.findChildren(QLabel)} == {Qt.TextFormat.PlainText}


def test_the_same_message_is_counted_and_others_stack_up_to_a_limit(bar):
    first = bar.error("No such file", where="/a")
    assert bar.error("No such file", where="/a") is first
    assert texts(first)[0] == "No such file (2 times)"
    for number in range(MAX_NOTICES + 2):
        bar.warning(f"warning {number}")
    assert [notice.message.title for notice in bar.notices()] == [f"warning {n}" for n in range(MAX_NOTICES + 1, 1, -1)]


def test_a_button_does_its_work_and_closes_the_notice(bar, qtbot):
    done = []
    bar.show_message(Message("Crashed", "warning", buttons=(("Recover", lambda: done.append(1)),)))
    notice = bar.notices()[0]
    qtbot.mouseClick(notice.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert done == [1]
    assert bar.notices() == []


@pytest.mark.parametrize("kind", ["error", "warning", "info"])
def test_every_kind_can_be_drawn(bar, kind):
    bar.show_message(Message("A title", kind, "a place", "an advice", ("one", "two")))
    assert not bar.grab().isNull()
