"""Labels with a size or weight of their own follow the text size of the window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.shell.appearance import apply_text_size
from qe_desktop.ui.widgets.labels import Label
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
