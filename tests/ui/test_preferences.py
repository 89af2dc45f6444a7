"""Preferences hold at once."""

from __future__ import annotations

from qe_desktop.ui.highlighting.highlighting_controller import saved_commands
from qe_desktop.ui.preferences_dialog import PreferencesDialog
from qe_desktop.ui.settings import Settings


def test_every_choice_is_kept(qtbot):
    settings = Settings()
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    dialog.person.setText(" Anna ")
    dialog.person.editingFinished.emit()
    direction = dialog.fields["mt"].direction
    direction.setCurrentIndex(direction.findData("rtl"))
    direction.activated.emit(direction.currentIndex())
    dialog.decimals.setCurrentIndex(1)
    dialog.decimals.activated.emit(1)
    dialog.still.click()
    dialog.fields["source"].own.click()
    assert (settings.person, settings.mt_direction, settings.decimals) == ("Anna", "rtl", 4)
    assert settings.reduced_motion
    assert settings.source_font == dialog.fields["source"].font_box.currentFont().family()
    again = PreferencesDialog(Settings())
    qtbot.addWidget(again)
    assert again.person.text() == "Anna"
    assert again.fields["source"].own.isChecked()
    again.fields["source"].own.click()
    assert settings.source_font == ""


def typed_system(dialog, name, line):
    dialog.systems.name.setText(name)
    dialog.systems.line.setPlainText(line)


LINE = "python3 qe.py {source} {mt} {out}"


def test_a_system_that_was_typed_is_kept_when_one_closes_or_goes_to_another(qtbot, tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    typed_system(dialog, "one", LINE)
    dialog.systems.add.click()
    assert [command.name for command in saved_commands(settings)] == ["one"]
    typed_system(dialog, "two", LINE)
    dialog.systems.list.setCurrentRow(0)
    assert dialog.systems.name.text() == "one"
    dialog.systems.name.setText("first")
    dialog.show()
    dialog.reject()
    assert not dialog.isVisible()
    assert [command.name for command in saved_commands(settings)] == ["first", "two"]


def test_what_is_no_system_keeps_the_dialog_open_once_and_says_why(qtbot, tmp_path):
    settings = Settings(str(tmp_path / "s.ini"))
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    dialog.show()
    typed_system(dialog, "one", "python3 qe.py")
    dialog.close()
    assert dialog.isVisible()
    assert dialog.pages.currentWidget() is dialog.systems
    assert dialog.systems.status_label.text().endswith("Close again to discard the changes.")
    typed_system(dialog, "one", "python3 qe2.py")
    dialog.close()
    assert dialog.isVisible()
    dialog.close()
    assert not dialog.isVisible()
    assert saved_commands(settings) == ()
