"""Controls of a bar have one height, which follows the text size."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QToolButton, QWidget

from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.widgets.buttons import LinkButton, control_height
from qe_desktop.ui.widgets.control_bar import ControlHeights
from qe_desktop.ui.widgets.layouts import hbox, wrap_layout
from qe_desktop.ui.workspace import Workspace
from tests.ui.inspect.test_segment_pane import sentences


def test_controls_have_one_height_that_follows_the_font(qtbot):
    bar = QWidget()
    qtbot.addWidget(bar)
    controls = [QToolButton(), QComboBox(), QLineEdit(), QCheckBox()]
    link = LinkButton("Link")
    hbox(*controls[:2], wrap_layout(hbox(controls[2])), hbox(controls[3]), link, on=bar)
    ControlHeights(bar)
    heights = set()
    for scale in (1, 2):
        font = bar.font()
        font.setPointSizeF(font.pointSizeF() * scale)
        bar.setFont(font)
        assert {control.minimumHeight() for control in controls} == {control_height(bar.fontMetrics())}
        heights.add(controls[0].minimumHeight())
    assert len(heights) == 2
    assert link.minimumHeight() == 0


@pytest.fixture
def workspace(qtbot, tmp_path):
    from qe_desktop.ui.jobs import JobRunner
    from qe_desktop.ui.settings import Settings

    jobs = JobRunner()
    yield Workspace(Settings(str(tmp_path / "s.ini")), jobs)
    jobs.close()


def test_controls_above_and_below_the_segment_list_are_high_enough(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    workspace.open(sentences(12, 4))
    area.resize(1300, 800)
    area.show()
    least = control_height(area.fontMetrics())
    header, filters = area.header, area.filters
    controls = [
        filters.search, filters.filter, filters.order, area.view_button,
        area.place.target.buttons["confirm"], header.more, header.legend,
    ]  # fmt: skip
    assert all(control.height() >= least for control in controls)
