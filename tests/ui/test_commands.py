"""The palette, the shortcut sheet, and the search by letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.shell.command_palette import CommandPalette, fuzzy_match
from qe_desktop.ui.shell.shortcut_page import KEYS_ROLE, ShortcutPage
from qe_desktop.ui.shell.window import Shell


@pytest.fixture
def shell(qtbot):
    shell = Shell(Settings())
    qtbot.addWidget(shell)
    shell.show()
    return shell


@given(st.text("abcdeA …-", max_size=6), st.text("abcdeA …-", max_size=12))
def test_a_match_names_the_letters_in_their_order(query, text):
    wanted = [letter for letter in query.casefold() if not letter.isspace()]
    rest = iter(text.casefold())
    found = fuzzy_match(query, text)
    assert (found is not None) == all(letter in rest for letter in wanted)
    if found is not None:
        assert found[1] == sorted(set(found[1]))
        assert [text[place].casefold() for place in found[1]] == wanted


def test_starts_of_words_and_neighbours_count_more():
    def best(query, *texts):
        return max(texts, key=lambda text: (fuzzy_match(query, text) or (-1,))[0])

    assert best("of", "Go to the start of file", "Open folder…") == "Open folder…"
    # what stands there as it is typed comes before letters far and near
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
def test_keys_are_cut_into_caps(qapp, key, caps):
    assert shortcut_hints.key_caps(key) == caps


def test_the_palette_finds_and_runs_a_command(shell, qtbot):
    palette = CommandPalette(shell.commands, shell)
    palette.show()
    qtbot.keyClicks(palette._field, "thdark")
    with qtbot.waitSignal(shell.commands["view.theme-dark"].triggered):
        qtbot.keyClick(palette._field, Qt.Key.Key_Return)
    assert shell.settings.theme == "dark"
    shell.looks.set_theme("light")


def test_the_palette_moves_by_arrows_and_stays_in_the_list(shell, qtbot):
    palette = CommandPalette(shell.commands, shell)
    palette.show()
    rows = palette._model.rowCount()
    qtbot.keyClick(palette._field, Qt.Key.Key_Up)
    assert palette._list.currentIndex().row() == 0
    for _ in range(rows + 3):
        qtbot.keyClick(palette._field, Qt.Key.Key_Down)
    assert palette._list.currentIndex().row() == rows - 1
    palette.close()


def test_the_palette_lists_only_what_can_be_done(shell):
    palette = CommandPalette(shell.commands, shell)
    names = [palette._model.index(row).data() for row in range(palette._model.rowCount())]
    assert "Quit" in names
    assert "Undo" not in names
    palette._field.setText("qqqq")
    assert palette._model.rowCount() == 0
    assert not palette._none.isHidden()
    palette.close()


def test_the_palette_s_model_is_sound(shell, qtmodeltester):
    palette = CommandPalette(shell.commands, shell)
    qtmodeltester.check(palette._model)
    palette.close()


def lines(sheet):
    groups = [sheet._tree.topLevelItem(row) for row in range(sheet._tree.topLevelItemCount())]
    return {
        group.child(row).text(0): group.child(row)
        for group in groups
        for row in range(group.childCount())
        if not group.child(row).isHidden()
    }


def test_the_sheet_lists_every_action_with_its_keys(shell, qtbot):
    sheet = ShortcutPage(shell.commands)
    qtbot.addWidget(sheet)
    found = lines(sheet)
    assert set(found) == {action.text for action in shell.commands.actions()}
    assert found["Redo"].data(1, KEYS_ROLE) == ["Ctrl+Shift+Z", "Ctrl+Y"]
    sheet._find.setText("ctrl+y")
    assert list(lines(sheet)) == ["Redo"]
    sheet.close()


def test_keys_are_changed_in_the_sheet_and_conflicts_refused(shell, qtbot):
    sheet = ShortcutPage(shell.commands)
    qtbot.addWidget(sheet)
    sheet.show()
    sheet._tree.setCurrentItem(lines(sheet)["Redo"])
    qtbot.keyClick(sheet._tree, Qt.Key.Key_Return)
    assert sheet._field.isVisible()
    sheet._field._edit.setKeySequence("Ctrl+Z")
    sheet._field._set()
    assert "is already assigned to “Undo”" in sheet._hint.text()
    sheet._field._edit.setKeySequence("F9")
    sheet._field._set()
    assert shell.commands.keys("edit.redo") == ["F9", "Ctrl+Y"]
    assert sheet._reset_button.isEnabled()
    sheet._reset_button.click()
    assert shell.commands.keys("edit.redo") == ["Ctrl+Shift+Z", "Ctrl+Y"]
    sheet.close()
