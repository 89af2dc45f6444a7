"""Every mnemonic is unique in its menu: two of them would need a second key to choose between the entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from qe_desktop.ui.icons import resource_folder
from tests.ui.program_driver import run_script


def repeated_mnemonics(menu: QMenu, name: str) -> Iterator[str]:
    # menus are filled when they are opened
    menu.aboutToShow.emit()
    shown = [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]
    keys = Counter(QKeySequence.mnemonic(action.text()).toString() for action in shown)
    for action in shown:
        if (key := QKeySequence.mnemonic(action.text()).toString()) and keys[key] > 1:
            yield f"{name} > {action.text()}: {key}"
        if isinstance(submenu := action.menu(), QMenu):
            yield from repeated_mnemonics(submenu, f"{name} > {action.text()}")


@pytest.mark.parametrize("area", ["inspect", "scores", "rate"])
def test_mnemonics_are_unique_in_each_menu(qtbot, area: str) -> None:
    def script(driver):
        yield driver.is_open
        driver.shell.show_area(area)
        yield driver.is_open
        menus = [(action.menu(), action.text()) for action in driver.shell.menuBar().actions() if action.isVisible()]
        titles = Counter(QKeySequence.mnemonic(title).toString() for _, title in menus)
        assert max(titles.values()) == 1
        assert [line for menu, title in menus for line in repeated_mnemonics(menu, title)] == []

    assert run_script([str(resource_folder() / "samples/en-de")], script) == 0
