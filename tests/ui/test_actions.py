import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from qe_desktop.ui.action_registry import Action, ActionRegistry, ShortcutConflict
from qe_desktop.ui.settings import Settings


@pytest.fixture
def window(qtbot):
    window = QMainWindow()
    window.setCentralWidget(QWidget())
    QVBoxLayout(window.centralWidget())
    qtbot.addWidget(window)
    return window


@pytest.fixture
def table(window):
    return ActionRegistry(window, Settings())


def put(window, widget):
    window.centralWidget().layout().addWidget(widget)
    return widget


def start(window, qtbot):
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()


def test_an_action_is_disabled_until_somebody_answers_for_it(table):
    done = []
    own = table.add(Action("a.one", "One", ("Ctrl+1",)))
    assert not own.isEnabled()
    table.connect_to("a.one", lambda: done.append(1))
    own.trigger()
    assert done == [1]


def test_two_actions_of_one_scope_cannot_share_keys(table):
    table.add(Action("a.one", "One", ("N",), area="inspect"))
    table.add(Action("b.one", "Other area", ("N",), area="scores"))
    with pytest.raises(ShortcutConflict, match="is already assigned to “One”"):
        table.add(Action("a.two", "Two", ("n",), area="inspect"))
    with pytest.raises(ShortcutConflict):
        table.add(Action("c.one", "Everywhere", ("N",)))
    assert "c.one" not in table


def test_own_keys_are_remembered_and_can_be_reset(window, table):
    table.add(Action("a.one", "One", ("Ctrl+1",)))
    table.set_keys("a.one", ["Ctrl+Shift+1", "F2"])
    again = ActionRegistry(window, Settings())
    own = again.add(Action("a.one", "One", ("Ctrl+1",)))
    assert [key.toString() for key in own.shortcuts()] == ["Ctrl+Shift+1", "F2"]
    assert again.is_own("a.one")
    again.set_keys("a.one", again.action("a.one").keys)
    assert again.keys("a.one") == ["Ctrl+1"]
    assert Settings().shortcuts == {}


def test_own_keys_that_are_taken_are_refused_in_a_sentence(table):
    table.add(Action("a.one", "One", ("Ctrl+1",)))
    table.add(Action("a.two", "Two", ("Ctrl+2",)))
    with pytest.raises(ShortcutConflict, match=r"Ctrl\+1 is already assigned to “One”\. Press other keys\."):
        table.set_keys("a.two", ["Ctrl+1"])
    assert table.keys("a.two") == ["Ctrl+2"]


def test_own_keys_win_over_what_a_new_version_brings(window, table):
    table.add(Action("a.one", "One", ("Ctrl+1",)))
    table.set_keys("a.one", ["F7"])
    again = ActionRegistry(window, Settings())
    again.add(Action("a.one", "One", ("Ctrl+1",)))
    again.add(Action("a.new", "New", ("F7", "F8")))
    assert again.keys("a.new") == ["F8"]
    again.reset_all_keys()
    assert again.keys("a.new") == ["F7", "F8"]


def test_keys_of_an_area_hold_only_while_it_is_on_screen(window, table, qtbot):
    done = []
    one, other = put(window, QWidget()), put(window, QWidget())
    other.hide()
    for area, page in (("inspect", one), ("scores", other)):
        table.place(area, page)
        table.add(Action(f"{area}.next", "Next", ("N",), area=area), lambda area=area: done.append(area))
    start(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_N)
    one.hide()
    other.show()
    qtbot.keyClick(window, Qt.Key.Key_N)
    assert done == ["inspect", "scores"]
    assert [action.id for action in table.available()] == ["scores.next"]


@pytest.mark.parametrize("kind", [QLineEdit, QTextEdit, QPlainTextEdit, QSpinBox, QComboBox])
def test_plain_keys_are_typed_while_a_text_field_has_the_focus(window, table, qtbot, kind):
    done = []
    field = put(window, kind())
    if kind is QComboBox:
        field.setEditable(True)
    for key in ("N", "/", "1", "Space", "?"):
        table.add(Action(f"a.{key}", key, (key,)), lambda key=key: done.append(key))
    start(window, qtbot)
    field.setFocus()
    for key in (Qt.Key.Key_N, Qt.Key.Key_Slash, Qt.Key.Key_1, Qt.Key.Key_Space, Qt.Key.Key_Question):
        qtbot.keyClick(window.focusWidget(), key)
    assert done == []


@pytest.mark.parametrize("kind", [QPushButton, QCheckBox])
def test_space_presses_the_button_that_has_the_focus(window, table, qtbot, kind):
    done, pressed = [], []
    button = put(window, kind("Press"))
    button.clicked.connect(lambda: pressed.append(1))
    for key in ("N", "Space"):
        table.add(Action(f"a.{key}", key, (key,)), lambda key=key: done.append(key))
    start(window, qtbot)
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.keyClick(button, Qt.Key.Key_N)
    assert (pressed, done) == ([1], ["N"])


def test_names_given_at_run_time_are_shown_letter_for_letter(table):
    own = table.add(Action("edit.undo", "Undo", ("Ctrl+Z",)))
    table.rename("edit.undo", "Undo: <b>R&D</b>")
    assert own.text() == "Undo: <b>R&&D</b>"
    assert "&lt;b&gt;R&amp;D" in own.toolTip()
    assert table.text("edit.undo") == "Undo: <b>R&D</b>"
    table.rename("edit.undo", "")
    assert own.text() == table.text("edit.undo") == "Undo"
