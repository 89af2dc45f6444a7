"""Find and Replace are once in the Edit menu, and enabled only in the Inspect area."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from tests.ui.program_driver import run_script


def entries(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "").partition("\t")[0] for action in menu.actions()]


def test_find_and_replace_are_in_the_edit_menu_and_work_in_inspect(qtbot, job):
    def script(driver):
        commands, bar = driver.shell.commands, driver.shell.menuBar()
        assert not commands["edit.replace"].isEnabled()
        yield driver.is_open
        menus = {action.text(): action.menu() for action in bar.actions()}
        edit = entries(menus["&Edit"])
        assert edit[2:6] == ["", "Find…", "Replace…", ""]
        assert commands["edit.replace"].isEnabled()
        # the menu shows the first shortcut
        assert commands["edit.find"].shortcuts()[0].toString() == "Ctrl+F"
        assert [key.toString() for key in commands["edit.replace"].shortcuts()] == ["Ctrl+H"]
        menus["&Inspect"].aboutToShow.emit()
        assert not [entry for entry in entries(menus["&Inspect"]) if "eplace" in entry]
        commands["edit.replace"].trigger()
        area = driver.shell.area("inspect")
        assert area.review.replace_controller.bar.isVisible()
        driver.shell.show_area("scores")
        # the search field is not visible there
        assert not commands["edit.find"].isEnabled()
        assert not commands["edit.replace"].isEnabled()
        driver.shell.show_area("inspect")
        assert commands["edit.find"].isEnabled()
        driver.workspace.close()
        assert not commands["edit.find"].isEnabled()

    assert run_script([str(job)], script) == 0
