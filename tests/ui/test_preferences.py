"""Preferences hold at once."""

from __future__ import annotations

from qe_desktop.ui.preferences import Preferences
from qe_desktop.ui.settings import Settings


def test_every_choice_is_kept(qtbot):
    settings = Settings()
    dialog = Preferences(settings)
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
    again = Preferences(Settings())
    qtbot.addWidget(again)
    assert again.person.text() == "Anna"
    assert again.fields["source"].own.isChecked()
    again.fields["source"].own.click()
    assert settings.source_font == ""
