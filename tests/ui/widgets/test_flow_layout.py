"""Flow layout: its height for a width, which Qt requests repeatedly while it lays out a window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.widgets.layouts import FlowLayout

WIDE, HIGH = 100, 20


@pytest.fixture
def flow(qtbot, monkeypatch):
    parent = QWidget()
    qtbot.addWidget(parent)
    layout = FlowLayout(parent, gap=0, line_gap=0)
    for _ in range(3):
        widget = QWidget()
        widget.setFixedSize(QSize(WIDE, HIGH))
        layout.addWidget(widget)
    parent.show()
    layout.arranged = []
    arrange = FlowLayout._arrange

    def counted(self, rect: QRect, *, move: bool) -> int:
        layout.arranged.append(rect.width())
        return arrange(self, rect, move=move)

    monkeypatch.setattr(FlowLayout, "_arrange", counted)
    yield layout
    # the parent keeps the layout alive until here
    parent.close()


def test_height_is_computed_once_per_width(flow):
    for _ in range(3):
        assert [flow.heightForWidth(width * WIDE) for width in (1, 2, 4)] == [3 * HIGH, 2 * HIGH, HIGH]
    assert flow.arranged == [WIDE, 2 * WIDE, 4 * WIDE]


@pytest.mark.parametrize("change", ["hidden", "smaller", "gone", "another"])
def test_height_is_recomputed_when_the_widgets_change(flow, change):
    assert flow.heightForWidth(2 * WIDE) == 2 * HIGH
    last = flow.itemAt(2).widget()
    if change == "hidden":
        last.hide()
    elif change == "smaller":
        last.setFixedSize(QSize(WIDE, HIGH // 2))
    elif change == "gone":
        flow.removeWidget(last)
    else:
        for _ in range(2):
            widget = QWidget()
            widget.setFixedSize(QSize(WIDE, HIGH))
            flow.addWidget(widget)
            widget.show()
    lines = {"hidden": 1, "smaller": 1.5, "gone": 1, "another": 3}
    assert flow.heightForWidth(2 * WIDE) == lines[change] * HIGH
