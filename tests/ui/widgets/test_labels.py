"""Labels with a custom size or weight follow the text size of the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ui.shell.appearance import apply_text_size
from qe_desktop.ui.widgets.labels import BandLabel, FormattedLabel, Label
from qe_desktop.ui.widgets.layouts import vbox


@pytest.mark.parametrize(("scale", "bold"), [(1.0, False), (1.0, True), (1.4, False)])
def test_label_follows_the_text_size(qtbot, qapp, scale, bold):
    window = QWidget()
    qtbot.addWidget(window)
    label = Label("Text", scale=scale, bold=bold)
    vbox(label, on=window)
    window.show()
    before = label.font().pointSizeF()
    apply_text_size(qapp, 150)
    try:
        qapp.processEvents()
        assert label.font().pointSizeF() == pytest.approx(1.5 * before)
        assert label.font().bold() is bold
    finally:
        apply_text_size(qapp, 100)
    qapp.processEvents()
    assert label.font().pointSizeF() == pytest.approx(before)


def test_format_of_a_part_begins_after_characters_of_two_utf16_units(qtbot):
    """After an emoji, the format was shifted by one character, and the last letter of its part had none."""
    label = FormattedLabel("muted")
    qtbot.addWidget(label)
    label.set_parts([("ok 😀", None), (" good 😀", QTextCharFormat()), (" day", QTextCharFormat())])
    text = label.text().encode("utf-16-le")
    spans = [(part.start, part.start + part.length) for part in label._formats]
    assert [text[2 * start : 2 * end].decode("utf-16-le", "replace") for start, end in spans] == ["good 😀", "day"]


def test_band_is_repainted_as_a_whole_for_another_text(qtbot):
    """Qt repaints only the text, and the ends of the band kept the height for the text before."""
    label, painted = BandLabel("info_fill"), []

    class PaintWatcher(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            painted.extend([event.rect()] if event.type() == QEvent.Type.Paint else [])
            return False

    watcher = PaintWatcher(label)
    label.setFixedSize(300, 60)
    label.setText("one line")
    qtbot.addWidget(label)
    label.show()
    qtbot.waitExposed(label)
    QApplication.processEvents()
    label.installEventFilter(watcher)
    label.setText("several words that need more than one line of this label, which is not wide enough for all of them")
    qtbot.waitUntil(lambda: label.rect() in painted)
