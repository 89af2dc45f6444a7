"""Every visible control that is disabled states what it needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QListWidget, QToolButton, QWidget

from qe_desktop import ui
from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.ui.inspect.postedit.history_dialog import HistoryDialog
from qe_desktop.ui.projects.connect_dialog import ConnectDialog
from qe_desktop.ui.rate.item_remarks import SkipDialog
from qe_desktop.ui.scores.area import PAGES
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.form_controls import USUAL_TEXTS, make_tool_button, set_needs
from tests.ui.program_driver import run_script

UI = Path(ui.__file__).parent
DIALOGS = ("edit.preferences", "help.shortcuts", "file.connect", "help.commands", "file.recognised")
DEPENDENT_FIELDS = {
    ("campaigns/form_fields.py", "spin"), ("campaigns/form_fields.py", "self.count"),
    ("files/bilingual/save_dialogs.py", "self.layer_choice"), ("preferences_dialog.py", "self.font_box"),
}  # fmt: skip
"""Fields that follow the check box or radio button before them, which explains them."""
ACTIONS = ("ommands[", "ction", "self._qt[", "self._area_group(", "self._insert(", "self._wait", "add_image_save_menu(")
NOT_CONTROLS = {"own", "show", "look", "item", "self._notifier", "self._escape"}
"""Actions, items, notifiers and shortcuts."""


def is_explained(widget: QWidget) -> bool:
    """Return whether a disabled control, or the disabled widget that contains it, states what it needs."""
    if isinstance(widget, QToolButton) and widget.defaultAction() is not None:
        return bool(widget.defaultAction().toolTip())
    parent = widget.parentWidget()
    if parent is not None and not parent.isEnabled() and not widget.isWindow():
        return is_explained(parent)
    return widget.property(USUAL_TEXTS) is not None and bool(widget.toolTip())


def unexplained(window: QWidget) -> list[str]:
    """Return the texts of the visible disabled buttons of a window that have no explanation."""
    buttons = [button for button in window.findChildren(QAbstractButton) if button.isVisible()]
    return [
        button.text() or button.objectName() or repr(button)
        for button in buttons
        if not button.isEnabled() and not is_explained(button)
    ]


def pages(dialog: QDialog) -> Iterator[None]:
    """Show one page of a dialog after the other, if it has pages."""
    lists = [widget for widget in dialog.findChildren(QListWidget) if widget.isVisible()]
    rows = max([1, *(widget.count() for widget in lists)])
    for row in range(rows):
        for widget in lists:
            widget.setCurrentRow(min(row, widget.count() - 1))
        yield


def open_dialog() -> QDialog | None:
    dialogs = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog)]
    return next((dialog for dialog in dialogs if dialog.isVisible()), None)


def _disabling_calls() -> Iterator[tuple[str, str]]:
    for path in sorted(UI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("setEnabled", "setDisabled"):
                yield path.relative_to(UI).as_posix(), ast.unparse(node.value)


def test_controls_are_disabled_only_with_a_reason():
    controls = {
        (path, control)
        for path, control in _disabling_calls()
        if control not in NOT_CONTROLS and not any(action in control for action in ACTIONS)
    }
    assert controls == {*DEPENDENT_FIELDS, ("widgets/form_controls.py", "control")}


def test_a_disabled_control_has_its_usual_texts_again_when_it_is_enabled(qtbot):
    button = make_tool_button("Save", "Save the file")
    qtbot.addWidget(button)
    set_needs(button, "Open a file first.")
    set_needs(button, "Open another file first.")
    assert not button.isEnabled()
    assert "Open another file first." in button.toolTip()
    assert button.accessibleDescription() == "Open another file first."
    set_needs(button, "")
    assert (button.isEnabled(), button.toolTip(), button.accessibleDescription()) == (True, "Save the file", "")


@pytest.mark.parametrize("argv", [[], ["demo"]])
def test_disabled_buttons_and_commands_of_the_window_state_what_they_need(qtbot, argv):
    def script(driver):
        yield driver.is_open if argv else lambda: not driver.shell.jobs.running_jobs()
        shell, commands = driver.shell, driver.shell.commands
        assert unexplained(shell) == []
        silent = [action.id for action in commands.actions() if not commands[action.id].isEnabled()]
        assert [id for id in silent if not commands._needs(id)] == []
        for area in ("inspect", "scores", "rate"):
            commands[f"view.area-{area}"].trigger()
            yield lambda area=area: shell.areas.current == area and not shell.jobs.running_jobs()
            assert unexplained(shell) == []
            for id in [page.id for page in PAGES] if area == "scores" else ():
                shell.area("scores").pages.show_page(id)
                yield lambda: not shell.jobs.running_jobs()
                assert unexplained(shell) == []

    assert run_script(argv, script) == 0


@pytest.mark.parametrize("command", DIALOGS)
def test_disabled_buttons_of_dialogs_state_what_they_need(qtbot, sample, command):
    def script(driver):
        yield driver.is_open
        driver.shell.commands[command].trigger()
        yield open_dialog
        dialog = open_dialog()
        for _ in pages(dialog):
            assert unexplained(dialog) == []
        dialog.reject()

    assert run_script([str(sample)], script) == 0


def test_busy_dialogs_state_what_they_wait_for(qtbot):
    for dialog in (ConnectDialog(), SkipDialog(["no source"]), HistoryDialog(0, [], "", word_spans, Settings())):
        qtbot.addWidget(dialog)
        dialog.show()
        if isinstance(dialog, ConnectDialog):
            assert not dialog.connect_button.isEnabled()
            dialog.address.setText("server/project")
            assert dialog.connect_button.isEnabled()
            dialog.set_busy(True)
        assert unexplained(dialog) == []
        assert any(not button.isEnabled() for button in dialog.findChildren(QAbstractButton))


def test_buttons_of_a_locked_segment_state_that_it_is_locked(qtbot, job):
    def script(driver):
        yield driver.is_open
        view = driver.workspace.view
        locked = next(row for row in range(view.corpus.size) if view.status(row) is ReviewStatus.LOCKED)
        area = driver.shell.area("inspect")
        confirm = area.review.controller.panel.buttons["confirm"]
        usual = confirm.toolTip()
        driver.workspace.go_to(locked)
        assert not confirm.isEnabled()
        assert "locked in its file" in confirm.toolTip()
        assert unexplained(driver.shell) == []
        driver.workspace.go_to(0 if locked else 1)
        assert confirm.toolTip() == usual
        driver.shell.commands["edit.replace"].trigger()
        assert unexplained(driver.shell) == []
        QTest.keyClicks(area.review.replace_controller.bar.search_field, "qqqq")
        yield lambda: "no matches" in area.review.replace_controller.bar.replace.toolTip()
        assert unexplained(driver.shell) == []

    assert run_script([str(job)], script) == 0
