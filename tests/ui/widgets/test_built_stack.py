"""Pages that are built in parts: one part a turn, nothing half built in view, the focus and what waits for the page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.ui.startup.incremental_task import IncrementalTask, TaskSteps
from qe_desktop.ui.widgets.lazy_stack import BuildSteps, LazyStackedWidget

PARTS = 3


class Stack(LazyStackedWidget):
    """A page that is there at once, and one in parts, in a window."""

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


def test_a_page_comes_as_a_whole_a_part_a_turn(stack: Stack, qtbot: QtBot) -> None:
    stack.show_page("slow")
    assert (stack.current, stack.made) == ("slow", ["0"])
    assert stack.built("slow") is None
    # what was in view stays on the screen
    assert not stack.updatesEnabled()
    seen: list[int] = []
    qtbot.waitUntil(lambda: seen.append(len(stack.made)) or stack.updatesEnabled())
    assert set(seen) <= set(range(1, PARTS + 1))
    page = stack.built("slow")
    assert page is not None
    assert page.isVisible()
    assert page.width() == stack.width()
    assert not stack.quick.isVisible()


def test_the_focus_goes_into_the_page_unless_it_went_elsewhere(stack: Stack, qtbot: QtBot) -> None:
    stack.show_page("slow")
    qtbot.waitUntil(lambda: stack.built("slow") is not None)
    assert stack.window().focusWidget() is stack.built("slow")
    stack.show_page("quick")
    assert stack.window().focusWidget() is stack.quick

    other = Stack(qtbot)
    beside = QLineEdit(other)
    beside.show()
    other.show_page("slow")
    beside.setFocus()
    qtbot.waitUntil(lambda: other.built("slow") is not None)
    assert other.focusWidget() is beside


def test_what_waits_for_a_page_is_done_once_it_is_there(stack: Stack, qtbot: QtBot) -> None:
    done: list[QWidget | None] = []
    stack.show_page("slow", lambda: done.append(stack.built("slow")))
    assert not done
    qtbot.waitUntil(lambda: bool(done))
    assert done[0] is not None
    stack.show_page("slow", lambda: done.append(None))
    assert len(done) == 2


def test_whoever_needs_a_page_has_it_at_once(stack: Stack) -> None:
    stack.show_page("slow")
    page = stack.page("slow")
    assert page.isVisible()
    assert stack.updatesEnabled()
    assert stack.made == ["0", "1", "2"]


def test_another_page_may_be_chosen_while_one_is_built(stack: Stack, qtbot: QtBot) -> None:
    stack.show_page("slow")
    stack.show_page("quick")
    assert stack.updatesEnabled()
    assert stack.quick.isVisible()
    stack.show_page("slow")
    qtbot.waitUntil(lambda: stack.built("slow") is not None)
    # nothing was begun twice
    assert stack.made == ["0", "1", "2"]


def test_one_that_went_wrong_leaves_the_window_alive_and_is_begun_anew(stack: Stack, qtbot: QtBot) -> None:
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
    qtbot.waitUntil(lambda: stack.built("broken") is not None)


def test_what_is_in_view_when_the_stack_is_shown_is_built(qtbot: QtBot) -> None:
    stack = Stack(qtbot)
    stack.hide()
    stack.show_page("slow")
    assert stack.built("slow") is None
    stack.show()
    qtbot.waitUntil(lambda: stack.built("slow") is not None)
    assert stack.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_work_in_pieces_lets_the_window_answer_in_between(qtbot: QtBot) -> None:
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
    qtbot.waitUntil(lambda: not work.working)
    qtbot.waitUntil(lambda: len(done) == 2 * PARTS)
    assert done.index("answered 0") < done.index("2")
