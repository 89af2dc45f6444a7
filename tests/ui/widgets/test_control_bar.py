"""Controls of a bar are high enough, and fold in a narrow bar."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ui.control_painter import control_height
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.widgets.control_bar import LABELS, SUMMARY, LabelledControlsBar
from qe_desktop.ui.workspace import Workspace
from tests.ui.inspect.test_segment_pane import sentences


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
        area.segment_pane.target.buttons["confirm"], header.menu_button, header.legend,
    ]  # fmt: skip
    assert all(control.height() >= least for control in controls)


class Options(LabelledControlsBar):
    """Bar of three controls, and one in the panel."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes = [self._combo(f"&{name}", "", [(f"value of {name}", name)]) for name in ("Level", "Gold", "Metric")]
        self._begin_panel("Test options")
        self.alpha = self._combo("&Alpha", "", [("0.05", 0.05)])
        self.set_summary("Bonferroni")


def test_narrow_bar_folds_the_summary_then_the_labels_then_the_last_controls(qtbot):
    bar = Options()
    qtbot.addWidget(bar)
    bar.resize(2000, 40)
    bar.show()
    assert not bar.folded
    level, gold, metric = bar.boxes
    found = set()
    for width in [*range(1000, 100, -5), *range(100, 1000, 5)]:
        bar.resize(width, 40)
        QApplication.processEvents()
        folded = list(bar.folded)
        found.add(len(folded))
        assert folded == [SUMMARY, LABELS, metric, gold][: len(folded)]
        assert bar.panel_button.isVisible()
        inside = [box for box in bar.boxes if box not in folded]
        assert all(box.window() is bar and box.isVisible() for box in inside)
        if len(folded) < 4:
            assert all(bar.rect().contains(box.mapTo(bar, box.rect().bottomRight())) for box in inside)
            assert all(box.width() >= box.sizeHint().width() for box in inside)
        assert all(box.window() is not bar and not box.parentWidget().isHidden() for box in bar.boxes[len(inside) :])
    assert found == {0, 1, 2, 3, 4}
    # the order of the controls, also for Tab, is as before
    bar.resize(2000, 40)
    assert [box.mapTo(bar, box.rect().topLeft()).x() for box in bar.boxes] == sorted(
        box.mapTo(bar, box.rect().topLeft()).x() for box in bar.boxes
    )
    ring, box = [], level
    for _ in range(20):
        if box in (*bar.boxes, bar.panel_button):
            ring.append(box)
        box = box.nextInFocusChain()
    assert ring[:4] == [level, gold, metric, bar.panel_button]


def test_folded_control_is_reached_in_the_panel(qtbot):
    bar = Options()
    qtbot.addWidget(bar)
    bar.resize(120, 40)
    bar.show()
    metric = bar.boxes[2]
    assert metric in bar.folded
    bar.focus_control(metric)
    qtbot.waitUntil(metric.isVisible)
    assert bar._column.indexOf(metric.parentWidget()) < bar._column.indexOf(bar.alpha.parentWidget())
    bar.panel_button.popup.close()
