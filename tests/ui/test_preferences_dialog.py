"""The preferences dialog applies and stores each choice at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox

from qe_desktop.ui import theme
from qe_desktop.ui.highlighting.highlighting_settings import saved_commands
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.preferences_dialog import PreferencesDialog
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets.dialogs import FileDialog


def select(box: QComboBox, value: object) -> None:
    """Select an entry as the user does."""
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_every_choice_is_stored(qtbot):
    settings = Settings()
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    general, appearance = dialog.general, dialog.appearance
    general.person.setText(" Anna ")
    general.person.editingFinished.emit()
    select(appearance.fields["mt"].direction, "rtl")
    select(general.decimals, 4)
    appearance.motion.click()
    select(general.identical_segments, "open")
    appearance.fields["source"].custom_font.click()
    assert (settings.person, settings.mt_direction, settings.decimals) == ("Anna", "rtl", 4)
    assert settings.reduced_motion
    assert settings.identical_segments == "open"
    assert settings.source_font == appearance.fields["source"].font_box.currentFont().family()
    reopened = PreferencesDialog(Settings())
    qtbot.addWidget(reopened)
    assert reopened.general.person.text() == "Anna"
    assert reopened.general.identical_segments.currentData() == "open"
    assert reopened.appearance.fields["source"].custom_font.isChecked()
    reopened.appearance.fields["source"].custom_font.click()
    assert settings.source_font == ""


def test_appearance_is_applied_at_once_and_follows_the_menu(qtbot, tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    shell = Shell(settings)
    qtbot.addWidget(shell)
    base = QApplication.font().pointSizeF()
    page = PreferencesDialog(settings, shell).appearance
    select(page.theme, "dark")
    select(page.text_size, 125)
    page.motion.click()
    assert theme.current().name == "dark"
    assert QApplication.font().pointSizeF() == pytest.approx(base * 1.25)
    assert shell.commands["view.theme-dark"].isChecked()
    assert shell.commands["view.still"].isChecked()
    saved = Settings(str(tmp_path / "s.ini"))
    assert (saved.theme, saved.text_size, saved.reduced_motion) == ("dark", 125, True)
    for command in ("view.theme-light", "view.text-usual", "view.still"):
        shell.commands[command].trigger()
    assert (page.theme.currentData(), page.text_size.currentData(), page.motion.isChecked()) == ("light", 100, False)
    assert theme.current().name == "light"
    assert QApplication.font().pointSizeF() == pytest.approx(base)


def type_system(dialog, name, line):
    dialog.systems.name.setText(name)
    dialog.systems.command_field.setPlainText(line)


LINE = "python3 qe.py {source} {mt} {out}"


def test_typed_system_is_saved_on_closing_or_selecting_another(qtbot, tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    type_system(dialog, "one", LINE)
    dialog.systems.add.click()
    assert [command.name for command in saved_commands(settings)] == ["one"]
    type_system(dialog, "two", LINE)
    dialog.systems.list.setCurrentRow(0)
    assert dialog.systems.name.text() == "one"
    dialog.systems.name.setText("first")
    dialog.show()
    dialog.reject()
    assert not dialog.isVisible()
    assert [command.name for command in saved_commands(settings)] == ["first", "two"]


def test_invalid_system_keeps_the_dialog_open_once_and_shows_the_reason(qtbot, tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    dialog.show()
    type_system(dialog, "one", "python3 qe.py")
    dialog.close()
    assert dialog.isVisible()
    assert dialog.pages.currentWidget() is dialog.systems
    assert dialog.systems.status_label.text().endswith("To discard the changes, close Preferences again.")
    type_system(dialog, "one", "python3 qe2.py")
    dialog.close()
    assert dialog.isVisible()
    dialog.close()
    assert not dialog.isVisible()
    assert saved_commands(settings) == ()


def test_invalid_saved_systems_are_listed_with_their_problem(qtbot, tmp_path):
    """Regression: invalid systems were left out, and deleted when another system was saved."""
    settings = Settings(str(tmp_path / "s.ini"))
    settings.qe_systems = [
        {"name": "old", "command": "qe.py {mt}", "minutes": 5},
        {"name": "one", "command": LINE, "minutes": 5},
        {"name": "one", "command": f"{LINE} --again", "minutes": 5},
        {"name": "slow", "command": LINE, "minutes": "long"},
    ]
    assert [command.line for command in saved_commands(settings)] == [LINE]
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    page = dialog.systems
    assert [page.list.item(row).text() for row in range(4)] == [
        "old (invalid)", "one", "one (invalid)", "slow (invalid)",
    ]  # fmt: skip
    problems = []
    for row in range(4):
        page.list.setCurrentRow(row)
        problems.append(page.status_label.text())
    assert "lacks a placeholder" in problems[0]
    assert problems[1:3] == ["", "Another QE system already has this name. Enter a different name."]
    assert "the time limit of slow must be above 0" in problems[3]
    page.list.setCurrentRow(2)
    page.name.setText("two")
    page.save_button.click()
    assert [row["name"] for row in settings.qe_systems] == ["old", "one", "two", "slow"]
    assert [command.name for command in saved_commands(settings)] == ["one", "two"]


def test_invalid_system_stays_when_another_is_selected(qtbot, tmp_path):
    """Regression: the changes were discarded, and the reason was not shown."""
    settings = Settings(str(tmp_path / "s.ini"))
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    page = dialog.systems
    for name in ("one", "two"):
        page.add.click()
        type_system(dialog, name, LINE)
        page.save_button.click()
    dialog.pages.setCurrentWidget(page)
    dialog.show()
    page.command_field.setPlainText("python3 qe.py")

    def click_first() -> None:
        rect = page.list.visualItemRect(page.list.item(0))
        qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
        QApplication.processEvents()

    click_first()
    assert (page.name.text(), page.command_field.toPlainText()) == ("two", "python3 qe.py")
    assert page.list.currentRow() == 1
    assert [item.text() for item in page.list.selectedItems()] == ["two"]
    assert "lacks a placeholder" in page.status_label.text()
    assert page.status_label.text().endswith("To discard the changes, select the other system or “New” again.")
    click_first()
    assert (page.name.text(), page.command_field.toPlainText()) == ("one", LINE)
    assert page.status_label.text() == ""
    assert [command.line for command in saved_commands(settings)] == [LINE, LINE]


@pytest.mark.parametrize(
    ("name", "setting", "valid", "count", "invalid", "error"),
    [
        ("terms", "terms_file", "source,target\nfile,Datei\npump,Pumpe\n", "2 terms", "a,b\nc\n", "list.csv:2: "),
        ("forbidden_words", "forbidden_words_file", "# a\nfoo\n", "1 forbidden word or phrase", "x" * 300, "csv:1: "),
    ],
)  # fmt: skip
def test_word_list_is_selected_if_it_is_valid(
    qtbot, tmp_path, monkeypatch, name, setting, valid, count, invalid, error
):
    file, settings, jobs = tmp_path / "list.csv", Settings(str(tmp_path / "s.ini")), JobRunner()
    monkeypatch.setattr(FileDialog, "getOpenFileName", staticmethod(lambda *_: (str(file), "")))
    dialog = PreferencesDialog(settings, jobs=jobs)
    qtbot.addWidget(dialog)
    field = getattr(dialog.checks, name)
    assert (field.path_label.text(), field.remove.isEnabled()) == ("no file selected", False)
    file.write_text(invalid)
    field.select.click()
    qtbot.waitUntil(lambda: error in field.status_label.text())
    assert getattr(settings, setting) == ""
    file.write_text(valid)
    field.select.click()
    qtbot.waitUntil(lambda: field.status_label.text() == count)
    assert getattr(settings, setting) == str(file)
    # a list that was damaged later is reported when the dialog is opened
    file.write_text(invalid)
    reopened = PreferencesDialog(settings, jobs=jobs)
    qtbot.addWidget(reopened)
    field = getattr(reopened.checks, name)
    qtbot.waitUntil(lambda: error in field.status_label.text())
    field.remove.click()
    assert (getattr(settings, setting), field.status_label.text()) == ("", "")
    jobs.close()


def test_a_removed_word_list_remains_removed_when_it_was_still_being_read(qtbot, tmp_path):
    file, settings, jobs = tmp_path / "list.csv", Settings(str(tmp_path / "s.ini")), JobRunner()
    file.write_text("file,Datei\n")
    settings.terms_file = str(file)
    dialog = PreferencesDialog(settings, jobs=jobs)
    qtbot.addWidget(dialog)
    assert not jobs.is_idle()
    dialog.checks.terms.remove.click()
    qtbot.waitUntil(jobs.is_idle)
    assert (settings.terms_file, dialog.checks.terms.status_label.text()) == ("", "")
    jobs.close()


def test_word_lists_cannot_be_selected_without_background_jobs(qtbot):
    dialog = PreferencesDialog(Settings())
    qtbot.addWidget(dialog)
    assert not dialog.checks.terms.isEnabled()


def test_system_can_be_saved_and_tested_once_it_has_a_name_and_a_command(qtbot, tmp_path):
    dialog = PreferencesDialog(Settings(str(tmp_path / "s.ini")), None, lambda *_: lambda: None)
    qtbot.addWidget(dialog)
    page = dialog.systems
    assert not page.save_button.isEnabled()
    assert not page.test.isEnabled()
    assert "Enter a name and a command first." in page.save_button.toolTip()
    type_system(dialog, "one", "")
    assert not page.save_button.isEnabled()
    type_system(dialog, "one", LINE)
    assert page.save_button.isEnabled()
    assert page.test.isEnabled()
    page.test.click()
    assert not page.test.isEnabled()
    type_system(dialog, "two", LINE)
    assert not page.test.isEnabled()
