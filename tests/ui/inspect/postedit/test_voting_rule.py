"""Voting rule of a bilingual file with three systems: text, target, list, filter and queue flag the same words."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.corpus.tag_voting import FULL_MARK, VotingRule, segment_marks
from qe_desktop.local_qe.qa_checks.runner import CHECKS_NAME
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.postedit.review_queue import FLAGGED
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
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


def add_checks(workspace, *rows: str) -> None:
    """Add a layer of the QA checks, without stated reasons."""
    corpus, key = workspace.session.corpus, LayerKey(Provenance.SYSTEM, CHECKS_NAME, Kind.WORDS)
    workspace.session.extend(corpus.with_layer(Layer(key, tags(*rows), origin=CHECKS_NAME)))


def flags(area: InspectArea) -> dict[str, object]:
    """Return what the text, the open target, the list, the filters and the legend show of the current segment."""
    controller, page, row = post_edit_controller(area), area.reader.page, area.workspace.segment
    return {
        "text": segment_marks(page.view, Kind.WORDS, page.segment, page.agreement).tolist(),
        "target": [(mark.start, mark.is_strong) for mark in controller.panel.edit._flagged],
        "list": area.model._row_tags.marks(Kind.WORDS, row).tolist(),
        "count": area.model.index(row, SegmentColumn.BAD).data(),
        "filter": area.review.filter_bar.buttons[FLAGGED].text(),
        "legend": [entry.label for entry in area.legend_popup.tags.entries],
    }


@pytest.mark.parametrize("rule", VotingRule)
def test_checks_without_results_change_no_flags(workspace, qtbot, area, rule):
    workspace.open(job_corpus())
    workspace.settings.agreement = rule.value
    area.header.legend.click()
    post_edit_controller(area).open()
    qtbot.waitUntil(lambda: bool(flags(area)["target"]))
    before = flags(area)
    assert before["text"] == [0, 2, 0, 0, 2]
    add_checks(workspace, "ooooo", "oooo", "ooo", "ooooo")
    qtbot.wait(20)
    assert flags(area) == before


@pytest.mark.parametrize("rule", VotingRule)
def test_word_that_only_checks_flag_is_fully_marked(workspace, qtbot, area, rule):
    workspace.open(job_corpus())
    workspace.settings.agreement = rule.value
    add_checks(workspace, "obboo", "oooo", "ooo", "ooooo")
    workspace.go_to(0)
    post_edit_controller(area).open()
    qtbot.waitUntil(lambda: bool(flags(area)["target"]))
    shown = flags(area)
    assert shown["text"] == shown["list"] == [0, 2, 2, 0, 2]
    assert [strong for _, strong in shown["target"]] == [True] * 3
    assert shown["count"] == "3"
    describe = area.reader.describe
    assert "flagged by the QA checks" not in describe((Kind.WORDS, 4))
    assert describe((Kind.WORDS, 2)).split("; ")[1:] == ["flagged by the QA checks", "no reason is stated"]
    assert "flagged by the QE system “qe”; flagged by the QA checks" in describe((Kind.WORDS, 1))


def test_checks_vote_in_the_evaluation_view(workspace, qtbot, area):
    workspace.open(job_corpus())
    add_checks(workspace, "obboo", "oooo", "ooo", "ooooo")
    area.inspect_view.show_evaluation()
    workspace.go_to(0)
    page = area.reader.page
    assert segment_marks(page.view, Kind.WORDS, 0, page.agreement).tolist() == [0, 2, 1, 0, 1]
