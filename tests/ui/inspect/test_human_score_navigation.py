"""From a cell of human scores to the segments that make the difference, also when system names are mapped."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import SystemNameMapping
from qe_desktop.project import Edit
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.window import Shell


@pytest.mark.parametrize("matched", [False, True])
def test_enter_on_a_human_score_cell_lists_segments_by_influence(qtbot: QtBot, matched: bool) -> None:
    shell = Shell(Settings())
    qtbot.addWidget(shell)
    wiring = MainController(shell)
    workspace = wiring.workspace

    def settle() -> None:
        qtbot.waitUntil(lambda: shell.jobs.is_idle() and not wiring.comparison._timer.isActive())

    shell.show()
    shell.open_sample("en-de")
    qtbot.waitUntil(lambda: workspace.session is not None)
    settle()
    if matched:
        assert workspace.session is not None
        workspace.session.match("", SystemNameMapping({"MT": "fluent", "fluent": "MT"}))
    shell.show_area("scores")
    workspace.set_level(next(level for level in workspace.levels() if level.name == "people"))
    settle()
    area = shell.area("scores")
    assert isinstance(area, ScoresArea)
    view = area.systems.matrix.view
    view.setCurrentIndex(view.matrix.index(0, 1))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    settle()
    inspect = shell.area("inspect")
    assert isinstance(inspect, InspectArea)
    listing = inspect.model.list_state
    assert listing is not None
    assert listing.difference is not None
    difference = listing.difference.influence
    assert (difference.metric, difference.items) == ("mean", "ratings")
    influence = np.abs(difference.values[listing.segments])
    assert influence[0] > 0
    assert (np.diff(influence) <= 0).all()
    assert workspace.segment == listing.segments[0]
    # editing tags does not affect the comparison by human scores
    target, session = workspace.target, workspace.session
    assert target is not None
    assert session is not None
    tag = 1 - int(session.view.segment_tags(target, workspace.segment)[0])
    workspace.edit(Edit(target, workspace.segment, (0,), (tag,)))
    settle()
    assert inspect.model.list_state is not None
    assert inspect.model.list_state.difference is not None
    # after the mapping changes, the two systems no longer exist
    session.match("", SystemNameMapping({"MT": "new", "fluent": "newer", "literal": "newest"}))
    settle()
    assert inspect.model.list_state.difference is None
    # prevent a question when the window closes
    workspace.close()
    shell.jobs.close()
