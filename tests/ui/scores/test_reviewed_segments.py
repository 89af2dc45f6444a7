"""Scores of reviewed segments: the number of segments shown, and post-edits as reference."""

from __future__ import annotations

from qe_desktop.corpus import Provenance, ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel
from tests.ui.scores.conftest import GOLD, WORDS, make_corpus


def test_panel_shows_the_number_of_reviewed_segments(qtbot, environment):
    workspace, scores = environment.workspace, environment.scores
    panel = ScoreSidePanel(scores, environment.comparison)
    qtbot.addWidget(panel)
    workspace.open(make_corpus(2, gold=False))
    assert panel._status_label.isHidden()
    workspace.add_own_layer(workspace.copy_source)
    environment.wait()
    assert panel._status_label.text() == "Scored on 0 reviewed segments"
    for count, segment in enumerate((1, 0), 1):
        workspace.session.reviewing.set({segment: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
        environment.wait()
        assert panel._status_label.text().startswith(f"Scored on {count} reviewed segment")
    workspace.undo()
    assert panel._status_label.text() == "Scored on 1 reviewed segment"
    assert not panel._status_label.isHidden()
    workspace.undo()
    workspace.undo()
    assert panel._status_label.isHidden()


def test_post_edit_is_offered_as_reference_and_scores_its_segments(environment, area):
    workspace, scores = environment.workspace, environment.scores
    environment.open(make_corpus(3))
    selector = area.systems.options._reference
    assert area.systems.options._pairs[selector].isHidden()
    against_gold = scores.values
    workspace.session.reviewing.set(
        {4: {ReviewField.TARGET: "w0 w1 other"}, 5: {ReviewField.STATUS: ReviewStatus.CONFIRMED}}
    )
    environment.wait()
    assert not area.systems.options._pairs[selector].isHidden()
    assert [selector.itemData(index).provenance for index in range(selector.count())] == [
        Provenance.GOLD,
        Provenance.PERSON,
    ]
    assert scores.reference == GOLD
    assert {name: values.tolist() for name, values in scores.values.items()} == {
        name: values.tolist() for name, values in against_gold.items()
    }
    selector.setCurrentIndex(1)
    selector.activated.emit(1)
    environment.wait()
    assert scores.reference.provenance is Provenance.PERSON
    assert [key.provenance for key in scores.layers] == [Provenance.SYSTEM] * 3
    assert scores.live.level.size(scores.scoring()) == 2 * WORDS
    # undoing the edits makes the gold the reference again
    workspace.undo()
    environment.wait()
    assert scores.reference == GOLD
    assert area.systems.options._pairs[selector].isHidden()
