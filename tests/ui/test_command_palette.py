"""The command palette, the page of shortcuts, and fuzzy matching."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.shell.command_palette import CommandPalette, _Commands, fuzzy_match
from qe_desktop.ui.shell.help_dialog import KEYS_ROLE, ShortcutPage
from qe_desktop.ui.shell.window import Shell


@pytest.fixture
def shell(qtbot):
    shell = Shell(Settings())
    qtbot.addWidget(shell)
    shell.show()
    return shell


@given(st.text("abcdeA …-", max_size=6), st.text("abcdeA …-", max_size=12))
def test_fuzzy_match_returns_matching_letters_in_order(query, text):
    letters = [letter for letter in query.casefold() if not letter.isspace()]
    rest = iter(text.casefold())
    match = fuzzy_match(query, text)
    assert (match is not None) == all(letter in rest for letter in letters)
    if match is not None:
        assert match[1] == sorted(set(match[1]))
        assert [text[index].casefold() for index in match[1]] == letters


def test_word_starts_and_adjacent_letters_score_higher():
    def best(query, *texts):
        return max(texts, key=lambda text: (fuzzy_match(query, text) or (-1,))[0])

    assert best("of", "Go to the start of file", "Open folder…") == "Open folder…"
    # the exact text ranks above scattered letters
    scattered = "Plain check: Untranslated words"
    assert best("plain checks", scattered, "Mark what plain checks report: numbers, codes").startswith("Mark")
    assert best(
        "check", "Choose highlights, except locked", "Go to what the next of all plain checks finds"
    ).startswith("Go")
    assert best("port", "Pick another sort", "Export as…") == "Export as…"
    assert best("port", "Export as…", "Close the window with its port") == "Close the window with its port"
    assert best("redo", "Reset dock to one", "Redo") == "Redo"


@pytest.mark.parametrize(
    ("key", "caps"), [("Ctrl+Shift+Z", ["Ctrl", "Shift", "Z"]), ("Ctrl++", ["Ctrl", "+"]), ("+", ["+"]), ("/", ["/"])]
)
def test_shortcuts_are_split_into_key_caps(qapp, key, caps):
    assert shortcut_hints.key_caps(key) == caps


def test_palette_finds_and_runs_a_command(shell, qtbot):
    palette = CommandPalette(shell.commands, shell)
    palette.show()
    qtbot.keyClicks(palette._field, "thdark")
    with qtbot.waitSignal(shell.commands["view.theme-dark"].triggered):
        qtbot.keyClick(palette._field, Qt.Key.Key_Return)
    assert shell.settings.theme == "dark"
    shell.appearance.set_theme("light")


def test_palette_runs_a_command_after_the_focus_events_of_the_window(shell, qtbot, monkeypatch):
    order = []
    shell.commands["view.theme-dark"].triggered.connect(lambda: order.append("command"))
    monkeypatch.setattr(QGuiApplication, "focusWindow", lambda *_: None)
    palette = CommandPalette(shell.commands, shell)
    palette.show()
    qtbot.keyClicks(palette._field, "thdark")
    qtbot.keyClick(palette._field, Qt.Key.Key_Return)
    qtbot.wait(10)
    order.append("focus")
    QGuiApplication.instance().focusWindowChanged.emit(shell.windowHandle())
    qtbot.waitUntil(lambda: order == ["focus", "command"])
    shell.appearance.set_theme("light")


def test_palette_and_shortcut_page_find_inline_codes_as_tags(shell, qtbot):
    name = "Insert the next missing inline code"
    shell.commands.add_all(ACTIONS)
    shell.commands.connect_to("inspect.insert-code", lambda: None)
    model = _Commands(shell.commands, shell)
    model._all = [action for action in ACTIONS if "tag" in action.text.casefold() or action.text == name]
    model.filter("missing tag")
    assert (model.index(0).data(), model.display_parts(0)[1]) == (name, [])
    page = ShortcutPage(shell.commands)
    qtbot.addWidget(page)
    page._find.setText("missing tag")
    assert list(visible_rows(page)) == [name]
    assert page._none.isHidden()
    page._find.setText("in no command")
    assert not visible_rows(page)
    assert not page._none.isHidden()


def test_palette_selection_moves_with_arrow_keys_within_the_list(shell, qtbot):
    palette = CommandPalette(shell.commands, shell)
    palette.show()
    rows = palette._model.rowCount()
    qtbot.keyClick(palette._field, Qt.Key.Key_Up)
    assert palette._list.currentIndex().row() == 0
    for _ in range(rows + 3):
        qtbot.keyClick(palette._field, Qt.Key.Key_Down)
    assert palette._list.currentIndex().row() == rows - 1
    palette.close()


def test_palette_lists_only_enabled_commands(shell):
    palette = CommandPalette(shell.commands, shell)
    names = [palette._model.index(row).data() for row in range(palette._model.rowCount())]
    assert "Quit" in names
    assert "Undo" not in names
    palette._field.setText("qqqq")
    assert palette._model.rowCount() == 0
    assert not palette._none.isHidden()
    palette.close()


@pytest.fixture
def areas(shell):
    for id, title in (("inspect", "Inspect"), ("scores", "Scores")):
        action = Action(f"{id}.next", f"Next in {title}", area=id, group=title)
        shell.add_area(id, title, id, QLabel, actions=[action])
        shell.commands.connect_to(action.id, lambda: None)
    return shell


@pytest.mark.parametrize("area", ["inspect", "scores"])
def test_palette_and_shortcuts_begin_with_the_commands_of_the_area(areas, qtbot, area):
    areas.show_area(area)
    palette, page = CommandPalette(areas.commands, areas), ShortcutPage(areas.commands)
    qtbot.addWidget(page)
    assert palette._model.action(0).id == f"{area}.next"
    groups = [page._tree.topLevelItem(row).text(0) for row in range(page._tree.topLevelItemCount())]
    assert groups[0] == area.capitalize()
    # commands of other areas are last, and not in the palette
    assert groups[-1] == ("Scores" if area == "inspect" else "Inspect")
    assert {action.area for action in areas.commands.available_actions()} == {area, ""}
    palette.close()


def test_start_page_has_only_global_commands(areas):
    palette = CommandPalette(areas.commands, areas)
    assert palette._model.action(0).id == "file.open-folder"
    palette.close()


def test_palette_model_passes_the_qt_model_tester(shell, qtmodeltester):
    palette = CommandPalette(shell.commands, shell)
    qtmodeltester.check(palette._model)
    palette.close()


def visible_rows(page):
    groups = [page._tree.topLevelItem(row) for row in range(page._tree.topLevelItemCount())]
    return {
        group.child(row).text(0): group.child(row)
        for group in groups
        for row in range(group.childCount())
        if not group.child(row).isHidden()
    }


def test_shortcut_page_lists_every_action_with_its_shortcuts(shell, qtbot):
    page = ShortcutPage(shell.commands)
    qtbot.addWidget(page)
    rows = visible_rows(page)
    assert set(rows) == {action.text for action in shell.commands.actions()}
    assert rows["Redo"].data(1, KEYS_ROLE) == ["Ctrl+Shift+Z", "Ctrl+Y"]
    page._find.setText("ctrl+y")
    assert list(visible_rows(page)) == ["Redo"]
    page.close()


def test_keys_that_widgets_handle_are_listed(shell, qtbot):
    shell.commands.add_all(ACTIONS)
    page = ShortcutPage(shell.commands)
    qtbot.addWidget(page)
    rows = visible_rows(page)
    assert rows["Toggle OK and BAD"].data(1, KEYS_ROLE) == ["Space"]
    assert rows["Copy the selected words"].data(1, KEYS_ROLE) == ["Ctrl+C"]
    assert rows["Edit the target of the segment"].data(1, KEYS_ROLE) == ["F2", "Return"]
    page.close()


def test_shortcut_page_changes_shortcuts_and_rejects_conflicts(shell, qtbot):
    page = ShortcutPage(shell.commands)
    qtbot.addWidget(page)
    page.show()
    page._tree.setCurrentItem(visible_rows(page)["Redo"])
    qtbot.keyClick(page._tree, Qt.Key.Key_Return)
    assert page._field.isVisible()
    page._field._edit.setKeySequence("Ctrl+Z")
    page._field._emit_keys()
    assert "is already assigned to “Undo”" in page._hint.text()
    page._field._edit.setKeySequence("F9")
    page._field._emit_keys()
    assert shell.commands.keys("edit.redo") == ["F9", "Ctrl+Y"]
    assert page._reset_button.isEnabled()
    page._reset_button.click()
    assert shell.commands.keys("edit.redo") == ["Ctrl+Shift+Z", "Ctrl+Y"]
    page.close()
