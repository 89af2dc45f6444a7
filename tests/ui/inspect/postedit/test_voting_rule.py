"""Voting rule of a bilingual file with three systems: text, target, list, filter and queue flag the same words."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.corpus.tag_voting import FULL_MARK, VotingRule, segment_marks
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.postedit.review_queue import FLAGGED
from tests.small_corpora import tags
from tests.ui.inspect.postedit.conftest import job_corpus, post_edit_controller

# the system of the file flags words 1 and 4 of the first segment, and word 1 of the second
OTHERS = {"second": tags("obboo", "oooo", "ooo", "ooooo"), "third": tags("obooo", "oooo", "ooo", "ooooo")}
WORD_MARKS = {
    VotingRule.ANY: [[0, 2, 1, 0, 1], [0, 1, 0, 0]],
    VotingRule.MAJORITY: [[0, 2, 0, 0, 0], [0, 0, 0, 0]],
    VotingRule.ALL: [[0, 2, 0, 0, 0], [0, 0, 0, 0]],
}


@pytest.fixture
def area_of_three(workspace, qtbot, area: InspectArea) -> InspectArea:
    corpus = job_corpus()
    for name, column in OTHERS.items():
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        corpus = corpus.with_layer(Layer(key, column, origin=f"{name}.tags", form="n"))
    workspace.open(corpus)
    return area


@pytest.mark.parametrize("rule", VotingRule)
def test_all_parts_flag_words_by_the_voting_rule(workspace, qtbot, area_of_three, rule):
    area, controller = area_of_three, post_edit_controller(area_of_three)
    controller.open()
    workspace.settings.agreement = rule.value
    for segment, expected in enumerate(WORD_MARKS[rule]):
        workspace.go_to(segment)
        controller.open()
        page = area.reader.page
        assert segment_marks(page.view, Kind.WORDS, segment, page.agreement).tolist() == expected
        qtbot.waitUntil(
            lambda expected=expected: (
                [mark.is_strong for mark in controller.panel.edit._flagged]
                == [mark == FULL_MARK for mark in expected if mark]
            )
        )
    # the third segment is locked
    flagged = [segment for segment in (0, 1, 3) if rule is VotingRule.ANY or segment == 0]
    assert controller.review_queue.flagged_unfinished(workspace.view).nonzero()[0].tolist() == flagged
    button = area.review.filter_bar.buttons[FLAGGED]
    assert str(len(flagged)) in button.text()
    button.click()
    qtbot.waitUntil(lambda: [area.model.segment_at(row) for row in range(area.model.rowCount())] == flagged)
