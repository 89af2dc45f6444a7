"""The action registry: shortcuts, conflicts, and keys in text fields."""

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

from qe_desktop.ui.action_registry import (
    Action,
    ActionRegistry,
    ShortcutConflict,
    display_shortcut,
    follow_shortcuts,
    shortcut_text,
    with_shortcut,
)
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


def add_widget(window, widget):
    window.centralWidget().layout().addWidget(widget)
    return widget


def start(window, qtbot):
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()


def test_action_is_disabled_until_it_is_connected(table):
    calls = []
    qt_action = table.add(Action("a.one", "One", ("Ctrl+1",)))
    assert not qt_action.isEnabled()
    table.connect_to("a.one", lambda: calls.append(1))
    qt_action.trigger()
    assert calls == [1]


def test_disabled_action_states_what_it_needs(table):
    qt_action = table.add(Action("a.one", "One", ("Ctrl+1",), tip="About one", needs="Open files first."))
    assert (table.explanation("a.one"), qt_action.toolTip()) == ("Open files first.", "<span>Open files first.</span>")
    table.connect_to("a.one", lambda: None)
    assert (table.explanation("a.one"), qt_action.toolTip()) == ("About one", "<span>About one (Ctrl+1)</span>")
    qt_action.setEnabled(False)
    assert table.explanation("a.one") == "Open files first."


def test_actions_of_a_disabled_area_have_their_own_state_again_later(table):
    enabled = table.add(Action("inspect.one", "One", area="inspect", tip="About one"), lambda: None)
    disabled = table.add(Action("inspect.two", "Two", area="inspect", needs="Tag words first."), lambda: None)
    other = table.add(Action("scores.one", "Other", area="scores"), lambda: None)
    table.enable_area("inspect", False, "Open files first.")
    disabled.setEnabled(False)
    late = table.add(Action("inspect.late", "Late", area="inspect"))
    table.connect_to("inspect.late", lambda: None)
    assert [action.isEnabled() for action in (enabled, disabled, late, other)] == [False, False, False, True]
    assert {table.explanation(id) for id in ("inspect.one", "inspect.two")} == {"Open files first."}
    table.enable_area("inspect", True)
    assert [action.isEnabled() for action in (enabled, disabled, late, other)] == [True, False, True, True]
    assert (table.explanation("inspect.one"), table.explanation("inspect.two")) == ("About one", "Tag words first.")


def test_actions_of_one_scope_cannot_share_shortcuts(table):
    table.add(Action("a.one", "One", ("N",), area="inspect"))
    table.add(Action("b.one", "Other area", ("N",), area="scores"))
    with pytest.raises(ShortcutConflict, match="is already assigned to “One”"):
        table.add(Action("a.two", "Two", ("n",), area="inspect"))
    with pytest.raises(ShortcutConflict):
        table.add(Action("c.one", "Everywhere", ("N",)))
    assert "c.one" not in table


def test_custom_shortcuts_are_stored_and_can_be_reset(window, table):
    table.add(Action("a.one", "One", ("Ctrl+1",)))
    table.set_keys("a.one", ["Ctrl+Shift+1", "F2"])
    reloaded = ActionRegistry(window, Settings())
    qt_action = reloaded.add(Action("a.one", "One", ("Ctrl+1",)))
    assert [key.toString() for key in qt_action.shortcuts()] == ["Ctrl+Shift+1", "F2"]
    assert reloaded.is_customized("a.one")
    reloaded.set_keys("a.one", reloaded.action("a.one").keys)
    assert reloaded.keys("a.one") == ["Ctrl+1"]
    assert Settings().shortcuts == {}


def test_custom_shortcut_that_is_in_use_is_rejected(table):
    table.add(Action("a.one", "One", ("Ctrl+1",)))
    table.add(Action("a.two", "Two", ("Ctrl+2",)))
    with pytest.raises(ShortcutConflict, match=r"Ctrl\+1 is already assigned to “One”\. Press other keys\."):
        table.set_keys("a.two", ["Ctrl+1"])
    assert table.keys("a.two") == ["Ctrl+2"]


def test_keys_that_widgets_handle_are_listed_and_stay_with_their_action(table):
    toggle = table.add(Action("a.toggle", "Toggle", ("F2",), area="a", widget_keys=("Space",)))
    table.add(Action("a.other", "Other", area="a"))
    table.add(Action("b.scroll", "Scroll", ("Space",), area="b"))
    assert (table.keys("a.toggle"), table.listed_keys("a.toggle")) == (["F2"], ["F2", "Space"])
    assert [key.toString() for key in toggle.shortcuts()] == ["F2"]
    with pytest.raises(ShortcutConflict, match="Space is already assigned to “Toggle”"):
        table.set_keys("a.other", ["Space"])
    table.set_keys("a.toggle", ["F3", "Space"])
    assert (table.keys("a.toggle"), table.listed_keys("a.toggle")) == (["F3"], ["F3", "Space"])


def test_key_that_widgets_handle_is_no_shortcut_of_another_action(table):
    """The shortcut would take the key from the widgets."""
    table.add(Action("a.one", "One", ("Space",), area="a"))
    with pytest.raises(ShortcutConflict, match="Space is already assigned to “One”"):
        table.add(Action("a.toggle", "Toggle", area="a", widget_keys=("Space",)))
    assert "a.toggle" not in table
    with pytest.raises(ShortcutConflict):
        table.add(Action("everywhere", "Everywhere", widget_keys=("Space",)))
    # of different widgets: the list and the reader
    for id in ("b.list", "b.reader"):
        table.add(Action(id, id, area="b", widget_keys=("Ctrl+C",)))
    with pytest.raises(ShortcutConflict):
        table.add(Action("b.copy", "Copy", ("Ctrl+C",), area="b"))


def test_custom_shortcut_takes_precedence_over_a_new_default(window, table):
    table.add(Action("a.one", "One", ("Ctrl+1",)))
    table.set_keys("a.one", ["F7"])
    reloaded = ActionRegistry(window, Settings())
    reloaded.add(Action("a.one", "One", ("Ctrl+1",)))
    reloaded.add(Action("a.new", "New", ("F7", "F8")))
    assert reloaded.keys("a.new") == ["F8"]
    reloaded.reset_all_keys()
    assert reloaded.keys("a.new") == ["F7", "F8"]


def test_default_keys_work_as_soon_as_no_custom_shortcut_has_them(window, table):
    table.add(Action("a.one", "One", ("Ctrl+1",)))
    table.set_keys("a.one", ["Ctrl+K"])
    qt_action = table.add(Action("a.two", "Two", ("Ctrl+K",)))
    assert qt_action.shortcuts() == []
    table.set_keys("a.one", ["Ctrl+J"])
    assert table.keys("a.two") == ["Ctrl+K"]
    assert [key.toString() for key in qt_action.shortcuts()] == ["Ctrl+K"]


def test_custom_shortcut_of_an_action_that_is_added_later_belongs_to_it_alone(window, table):
    table.add(Action("a.two", "Two", ("Ctrl+2",)))
    table.set_keys("a.two", ["Ctrl+K"])
    newer = ActionRegistry(window, Settings())
    first = newer.add(Action("a.one", "One", ("Ctrl+K",)))
    second = newer.add(Action("a.two", "Two", ("Ctrl+2",)))
    assert [key.toString() for key in second.shortcuts()] == ["Ctrl+K"]
    assert first.shortcuts() == []


def test_texts_name_the_current_shortcut(table):
    table.add(Action("a.save", "Save", ("Ctrl+S",)))
    table.add(Action("a.plain", "Plain"))
    calls = []
    follow_shortcuts(lambda: calls.append(with_shortcut("Save the file", "a.save")))
    assert (shortcut_text("a.save"), shortcut_text("a.plain"), shortcut_text("a.unknown")) == ("Ctrl+S", "", "")
    table.set_keys("a.save", ["F5"])
    assert calls == ["Save the file (Ctrl+S)", "Save the file (F5)"]
    table.set_keys("a.save", [])
    assert calls[-1] == "Save the file"


def test_shortcuts_of_an_area_work_only_while_it_is_visible(window, table, qtbot):
    calls = []
    first, second = add_widget(window, QWidget()), add_widget(window, QWidget())
    second.hide()
    for area, page in (("inspect", first), ("scores", second)):
        table.set_area_widget(area, page)
        table.add(Action(f"{area}.next", "Next", ("N",), area=area), lambda area=area: calls.append(area))
    start(window, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_N)
    first.hide()
    second.show()
    qtbot.keyClick(window, Qt.Key.Key_N)
    assert calls == ["inspect", "scores"]
    assert [action.id for action in table.available_actions()] == ["scores.next"]


@pytest.mark.parametrize("kind", [QLineEdit, QTextEdit, QPlainTextEdit, QSpinBox, QComboBox])
def test_plain_keys_are_typed_into_the_focused_text_field(window, table, qtbot, kind):
    calls = []
    field = add_widget(window, kind())
    if kind is QComboBox:
        field.setEditable(True)
    for key in ("N", "/", "1", "Space", "?"):
        table.add(Action(f"a.{key}", key, (key,)), lambda key=key: calls.append(key))
    start(window, qtbot)
    field.setFocus()
    for key in (Qt.Key.Key_N, Qt.Key.Key_Slash, Qt.Key.Key_1, Qt.Key.Key_Space, Qt.Key.Key_Question):
        qtbot.keyClick(window.focusWidget(), key)
    assert calls == []


@pytest.mark.parametrize("kind", [QPushButton, QCheckBox])
def test_space_presses_the_focused_button(window, table, qtbot, kind):
    calls, pressed = [], []
    button = add_widget(window, kind("Press"))
    button.clicked.connect(lambda: pressed.append(1))
    for key in ("N", "Space"):
        table.add(Action(f"a.{key}", key, (key,)), lambda key=key: calls.append(key))
    start(window, qtbot)
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.keyClick(button, Qt.Key.Key_N)
    assert (pressed, calls) == ([1], ["N"])


def test_names_set_at_run_time_are_shown_as_plain_text(table):
    qt_action = table.add(Action("edit.undo", "Undo", ("Ctrl+Z",)))
    table.set_text("edit.undo", "Undo: <b>R&D</b>")
    assert qt_action.text() == "Undo: <b>R&&D</b>"
    assert "&lt;b&gt;R&amp;D" in qt_action.toolTip()
    assert table.text("edit.undo") == "Undo: <b>R&D</b>"
    table.set_text("edit.undo", "")
    assert qt_action.text() == table.text("edit.undo") == "Undo"


def test_the_key_is_named_as_it_is_labelled():
    assert display_shortcut("Ctrl+Return") == display_shortcut("Ctrl+Enter")
    assert "Return" not in display_shortcut("Return")
