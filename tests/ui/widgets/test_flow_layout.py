"""Widgets in lines: as high as the lines are, which Qt asks for again and again while it lays a window out."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.widgets.layouts import FlowLayout

WIDE, HIGH = 100, 20


@pytest.fixture
def flow(qtbot, monkeypatch):
    place = QWidget()
    qtbot.addWidget(place)
    layout = FlowLayout(place, gap=0, line_gap=0)
    for _ in range(3):
        widget = QWidget()
        widget.setFixedSize(QSize(WIDE, HIGH))
        layout.addWidget(widget)
    place.show()
    layout.arranged = []
    arrange = FlowLayout._arrange

    def counted(self, rect: QRect, *, move: bool) -> int:
        layout.arranged.append(rect.width())
        return arrange(self, rect, move=move)

    monkeypatch.setattr(FlowLayout, "_arrange", counted)
    yield layout
    # what holds the layout is held until here
    place.close()


def test_a_height_is_found_once_for_each_width(flow):
    for _ in range(3):
        assert [flow.heightForWidth(width * WIDE) for width in (1, 2, 4)] == [3 * HIGH, 2 * HIGH, HIGH]
    assert flow.arranged == [WIDE, 2 * WIDE, 4 * WIDE]


@pytest.mark.parametrize("change", ["hidden", "smaller", "gone", "another"])
def test_another_height_is_found_where_anything_in_it_is_another(flow, change):
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
            more = QWidget()
            more.setFixedSize(QSize(WIDE, HIGH))
            flow.addWidget(more)
            more.show()
    lines = {"hidden": 1, "smaller": 1.5, "gone": 1, "another": 3}
    assert flow.heightForWidth(2 * WIDE) == lines[change] * HIGH
