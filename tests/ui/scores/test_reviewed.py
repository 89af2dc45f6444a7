"""Scores of what is reviewed say on how many segments they rest, as they grow."""

from __future__ import annotations

from qe_desktop.corpus import Status
from qe_desktop.project import ReviewField
from qe_desktop.ui.scores.panel import ScorePanel
from tests.ui.scores.conftest import make_corpus


def test_the_panel_says_how_many_segments_were_reviewed(qtbot, world):
    workspace, scores = world.workspace, world.scores
    panel = ScorePanel(scores, world.comparison)
    qtbot.addWidget(panel)
    workspace.open(make_corpus(2, gold=False))
    assert panel._seen.isHidden()
    workspace.own_layer(workspace.copied)
    world.wait()
    assert panel._seen.text() == "on 0 reviewed segments"
    for count, segment in enumerate((1, 0), 1):
        workspace.session.reviewing.set({segment: {ReviewField.STATUS: Status.CONFIRMED}})
        world.wait()
        assert panel._seen.text().startswith(f"on {count} reviewed segment")
    workspace.undo()
    assert panel._seen.text() == "on 1 reviewed segment"
    assert not panel._seen.isHidden()
    workspace.undo()
    workspace.undo()
    assert panel._seen.isHidden()
