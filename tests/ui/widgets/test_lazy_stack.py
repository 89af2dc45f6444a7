"""Lazily built pages: one part per event-loop iteration, focus, callbacks, and failures."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.ui.jobs import IncrementalTask, TaskSteps
from qe_desktop.ui.widgets.lazy_stack import BuildSteps, LazyStackedWidget, LazyTabWidget, PageGroup

PARTS = 3


class Stack(LazyStackedWidget):
    """A stack with a page that is built immediately and a page built in parts."""

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__()
        self.made: list[str] = []
        self.quick = QLineEdit("quick")
        self.add("quick", lambda: self.quick)
        self.add("slow", self._slow)
        qtbot.addWidget(self)
        self.show_page("quick")
        self.show()
        qtbot.waitExposed(self)
        self.made.clear()

    def _slow(self) -> BuildSteps:
        for part in range(PARTS):
            self.made.append(str(part))
            yield 0
        return QLineEdit("slow")


@pytest.fixture
def stack(qtbot: QtBot) -> Stack:
    return Stack(qtbot)


def test_page_is_built_one_part_per_iteration_and_shown_complete(stack: Stack, qtbot: QtBot) -> None:
    stack.show_page("slow")
    assert (stack.current, stack.made) == ("slow", ["0"])
    assert stack.built_page("slow") is None
    # the previous page stays on the screen
    assert not stack.updatesEnabled()
    seen: list[int] = []
    qtbot.waitUntil(lambda: seen.append(len(stack.made)) or stack.updatesEnabled())
    assert set(seen) <= set(range(1, PARTS + 1))
    page = stack.built_page("slow")
    assert page is not None
    assert page.isVisible()
    assert page.width() == stack.width()
    assert not stack.quick.isVisible()


def test_page_that_is_built_at_once_is_painted_in_a_later_iteration(stack: Stack, qtbot: QtBot) -> None:
    stack.add("new", lambda: QLineEdit("new"))
    called: list[str] = []
    for is_first in (True, False):
        stack.show_page("new", lambda: called.append("built"))
        page = stack.built_page("new")
        assert page is not None
        assert page.isVisible()
        assert page.width() == stack.width()
        assert stack.updatesEnabled() is not is_first
        assert stack.is_building is is_first
        qtbot.waitUntil(stack.updatesEnabled)
        assert not stack.is_building
        stack.show_page("quick")
    assert called == ["built", "built"]


def test_focus_moves_into_the_built_page_unless_moved_elsewhere(stack: Stack, qtbot: QtBot) -> None:
    stack.show_page("slow")
    qtbot.waitUntil(lambda: stack.built_page("slow") is not None)
    assert stack.window().focusWidget() is stack.built_page("slow")
    stack.show_page("quick")
    assert stack.window().focusWidget() is stack.quick

    other_stack = Stack(qtbot)
    outside = QLineEdit(other_stack)
    outside.show()
    other_stack.show_page("slow")
    outside.setFocus()
    qtbot.waitUntil(lambda: other_stack.built_page("slow") is not None)
    assert other_stack.focusWidget() is outside


def test_callback_of_a_page_runs_once_the_page_is_built(stack: Stack, qtbot: QtBot) -> None:
    done: list[QWidget | None] = []
    stack.show_page("slow", lambda: done.append(stack.built_page("slow")))
    assert not done
    qtbot.waitUntil(lambda: bool(done))
    assert done[0] is not None
    stack.show_page("slow", lambda: done.append(None))
    assert len(done) == 2


def test_requesting_a_page_finishes_building_it_at_once(stack: Stack) -> None:
    stack.show_page("slow")
    page = stack.page("slow")
    assert page.isVisible()
    assert stack.updatesEnabled()
    assert stack.made == ["0", "1", "2"]


def test_another_page_can_be_shown_while_one_is_built(stack: Stack, qtbot: QtBot) -> None:
    stack.show_page("slow")
    stack.show_page("quick")
    assert stack.updatesEnabled()
    assert stack.quick.isVisible()
    stack.show_page("slow")
    qtbot.waitUntil(lambda: stack.built_page("slow") is not None)
    # no part was built twice
    assert stack.made == ["0", "1", "2"]


def test_failed_page_is_rebuilt_when_shown_again(stack: Stack, qtbot: QtBot) -> None:
    fails = [True, False]

    def broken() -> BuildSteps:
        yield 0
        if fails.pop(0):
            raise RuntimeError("broken")
        return QLineEdit("mended")

    stack.add("broken", broken)
    with qtbot.captureExceptions() as raised:
        stack.show_page("broken")
        qtbot.waitUntil(lambda: bool(raised))
    assert stack.updatesEnabled()
    stack.show_page("broken")
    qtbot.waitUntil(lambda: stack.built_page("broken") is not None)


def test_current_page_is_built_when_the_stack_is_shown(qtbot: QtBot) -> None:
    stack = Stack(qtbot)
    stack.hide()
    stack.show_page("slow")
    assert stack.built_page("slow") is None
    stack.show()
    qtbot.waitUntil(lambda: stack.built_page("slow") is not None)
    assert stack.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_incremental_task_lets_the_event_loop_run_between_steps(qtbot: QtBot) -> None:
    done: list[str] = []
    holder = QWidget()
    qtbot.addWidget(holder)

    def pieces() -> TaskSteps:
        for piece in range(PARTS):
            done.append(str(piece))
            QTimer.singleShot(0, lambda piece=piece: done.append(f"answered {piece}"))
            yield 0

    work = IncrementalTask(pieces(), holder)
    assert not done
    qtbot.waitUntil(lambda: not work.is_running)
    qtbot.waitUntil(lambda: len(done) == 2 * PARTS)
    assert done.index("answered 0") < done.index("2")


class PageWithSwitch(QWidget):
    """A page that has a place for the switch between the pages of its tab."""

    def __init__(self) -> None:
        super().__init__()
        self.setLayout(QVBoxLayout())

    def place_switch(self, switch: QWidget) -> None:
        self.layout().addWidget(switch)


@pytest.fixture
def tabs(qtbot: QtBot) -> LazyTabWidget:
    created = LazyTabWidget()
    qtbot.addWidget(created)
    group = PageGroup("pair", "Pair")
    created.add("first", "First", PageWithSwitch, group)
    created.add("second", "Second", QWidget, group)
    created.add("third", "Third", QWidget)
    created.show()
    qtbot.waitExposed(created)
    return created


def test_grey_page_is_explained_instead_of_shown(tabs: LazyTabWidget, qtbot: QtBot) -> None:
    tabs.set_reason("third", "No data for it")
    button = tabs.bar.tabs["third"]
    assert button.accessibleDescription() == "No data for it"
    assert "No data for it" in button.toolTip()
    with qtbot.waitSignal(tabs.explained) as explained:
        button.click()
    assert explained.args == ["third"]
    assert tabs.current == "first"
    assert tabs.bar.tabs["pair"].isChecked()
    # by keyboard as well
    with qtbot.waitSignal(tabs.explained):
        qtbot.keyClick(button, Qt.Key.Key_Return)
    tabs.set_reason("third", "")
    button.click()
    assert tabs.current == "third"


def test_tab_is_grey_only_if_all_of_its_pages_are(tabs: LazyTabWidget) -> None:
    tabs.show_page("third")
    tabs.set_reason("first", "No data for it")
    assert tabs.bar.tabs["pair"].reason == ""
    tabs.bar.tabs["pair"].click()
    assert tabs.current == "second"
    tabs.set_reason("second", "Nor for this")
    assert tabs.bar.tabs["pair"].reason != ""


def test_switch_is_in_the_page_that_has_a_place_for_it(tabs: LazyTabWidget) -> None:
    first = tabs.page("first")
    assert first.isAncestorOf(tabs.switch)
    assert tabs.switch.isVisible()
    tabs.show_page("second")
    assert not first.isAncestorOf(tabs.switch)
    assert tabs.switch.isVisible()
    tabs.show_page("third")
    assert not tabs.switch.isVisible()
    tabs.show_page("first")
    assert first.isAncestorOf(tabs.switch)


def test_tab_of_the_current_page_is_not_grey(tabs: LazyTabWidget) -> None:
    tabs.show_page("third")
    button = tabs.bar.tabs["third"]
    before = button.grab().toImage()
    tabs.set_reason("third", "No data for it")
    assert button.grab().toImage() == before
    tabs.show_page("first")
    assert button.grab().toImage() != before
