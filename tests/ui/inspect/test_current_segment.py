"""The current segment, when several listeners of one notification change it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.ui.inspect.area import InspectArea
from tests.ui.inspect.conftest import rich_corpus


def test_last_of_two_segments_set_by_one_notification_is_current(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    told = []

    def jump():
        workspace.go_to(1)
        workspace.go_to(2)

    def tell(segment):
        told.append(segment)
        if len(told) > 50:
            # stop a notification that would otherwise never end
            workspace._turns.clear()

    workspace.opened.connect(jump)
    workspace.segment_changed.connect(tell)
    workspace.open(rich_corpus())
    assert told == [2]
    assert workspace.segment == 2
    assert area.view.currentIndex().row() == area.model.row_of(2)
