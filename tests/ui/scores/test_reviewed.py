"""Scores of what is reviewed say on how many segments they rest, as they grow."""

from __future__ import annotations

from qe_desktop.corpus import Provenance, ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel
from tests.ui.scores.conftest import GOLD, WORDS, make_corpus


def test_the_panel_says_how_many_segments_were_reviewed(qtbot, world):
    workspace, scores = world.workspace, world.scores
    panel = ScoreSidePanel(scores, world.comparison)
    qtbot.addWidget(panel)
    workspace.open(make_corpus(2, gold=False))
    assert panel._seen.isHidden()
    workspace.own_layer(workspace.copied)
    world.wait()
    assert panel._seen.text() == "on 0 reviewed segments"
    for count, segment in enumerate((1, 0), 1):
        workspace.session.reviewing.set({segment: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
        world.wait()
        assert panel._seen.text().startswith(f"on {count} reviewed segment")
    workspace.undo()
    assert panel._seen.text() == "on 1 reviewed segment"
    assert not panel._seen.isHidden()
    workspace.undo()
    workspace.undo()
    assert panel._seen.isHidden()


def test_a_post_edit_is_offered_beside_the_gold_and_scores_its_segments(world, area):
    workspace, scores = world.workspace, world.scores
    world.open(make_corpus(3))
    against = area.systems.options._reference
    assert area.systems.options._pairs[against].isHidden()
    against_gold = scores.values
    workspace.session.reviewing.set(
        {4: {ReviewField.TARGET: "w0 w1 other"}, 5: {ReviewField.STATUS: ReviewStatus.CONFIRMED}}
    )
    world.wait()
    assert not area.systems.options._pairs[against].isHidden()
    assert [against.itemData(place).provenance for place in range(against.count())] == [
        Provenance.GOLD,
        Provenance.PERSON,
    ]
    assert scores.reference == GOLD
    assert {name: found.tolist() for name, found in scores.values.items()} == {
        name: found.tolist() for name, found in against_gold.items()
    }
    against.setCurrentIndex(1)
    against.activated.emit(1)
    world.wait()
    assert scores.reference.provenance is Provenance.PERSON
    assert [key.provenance for key in scores.layers] == [Provenance.SYSTEM] * 3
    assert scores.live.level.size(scores.scoring()) == 2 * WORDS
    # what the post-edit came from is taken back: the gold is scored against again
    workspace.undo()
    world.wait()
    assert scores.reference == GOLD
    assert area.systems.options._pairs[against].isHidden()
