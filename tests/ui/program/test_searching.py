"""Finding and replacing are where other programs have them, once, and can be done where texts are read."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from tests.ui.driving import drive


def entries(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "").partition("\t")[0] for action in menu.actions()]


def test_find_and_replace_are_in_the_edit_menu_and_work_in_inspect(qtbot, job):
    def script(desk):
        commands, bar = desk.shell.commands, desk.shell.menuBar()
        assert not commands["edit.replace"].isEnabled()
        yield desk.is_open
        menus = {action.text(): action.menu() for action in bar.actions()}
        edit = entries(menus["&Edit"])
        assert edit[2:6] == ["", "Find…", "Replace…", ""]
        assert commands["edit.replace"].isEnabled()
        # the menu has the first one beside it
        assert commands["edit.find"].shortcuts()[0].toString() == "Ctrl+F"
        assert [key.toString() for key in commands["edit.replace"].shortcuts()] == ["Ctrl+H"]
        menus["&Inspect"].aboutToShow.emit()
        assert not [one for one in entries(menus["&Inspect"]) if "eplace" in one]
        commands["edit.replace"].trigger()
        area = desk.shell.area("inspect")
        assert area.correcting.replacing.bar.isVisible()
        desk.shell.show_area("scores")
        # what would be typed into cannot be seen there
        assert not commands["edit.find"].isEnabled()
        assert not commands["edit.replace"].isEnabled()
        desk.shell.show_area("inspect")
        assert commands["edit.find"].isEnabled()
        desk.workspace.close()
        assert not commands["edit.find"].isEnabled()

    assert drive([str(job)], script) == 0
