"""Bundled samples opened through main(argv): edits, scores, rating, other scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind
from tests.ui.program_driver import drive


def test_sample_is_edited_and_scored_by_keyboard(qtbot):
    def script(controller):
        yield controller.is_open
        area = controller.shell.area("inspect")
        view = area.view
        assert controller.shell.windowTitle() == "en-de[*] – QE Desktop"
        assert len(controller.wiring.scores.layers) == 4
        before = controller.wiring.scores.values["F1-mult"].copy()
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Right)
        QTest.keyClick(view, Qt.Key.Key_Space)
        assert controller.workspace.session.undo_text == "word 2 OK → BAD, segment 2"
        assert controller.shell.isWindowModified()
        assert controller.shell.commands.text("edit.undo") == "Undo: word 2 OK → BAD, segment 2"
        assert not (controller.wiring.scores.values["F1-mult"] == before).all()
        controller.shell.commands["edit.undo"].trigger()
        assert controller.wiring.scores.values["F1-mult"] == pytest.approx(before, abs=1e-12)
        assert not controller.shell.isWindowModified()
        controller.shell.commands["view.area-scores"].trigger()
        assert controller.shell.areas.current == "scores"
        yield lambda: controller.wiring.comparison.state == "ready" and not controller.wiring.comparison.stale
        assert controller.wiring.comparison.result.comparison.of("F1-mult").d > 0

    assert drive(["demo"], script) == 0


def test_sample_has_human_scores(qtbot):
    def script(controller):
        yield controller.is_open
        controller.shell.commands["view.area-scores"].trigger()
        controller.workspace.set_level(next(level for level in controller.workspace.levels() if level.name == "people"))
        yield lambda: controller.wiring.comparison.state == "ready" and not controller.wiring.comparison.stale
        area = controller.shell.area("scores")
        assert area.systems._title.text() == "Human scores: 24 rated segments"
        comparison = controller.wiring.comparison.result.comparison
        assert (comparison.options.test, comparison.units) == ("randomisation", 24)
        assert set(comparison.systems) == {"MT", "fluent", "literal"}
        view = area.systems.matrix.view
        view.show_segments(view.model().index(0, 2))
        yield lambda: controller.shell.areas.current == "inspect" and not controller.shell.jobs.running()
        # the segment in which the totals of both systems differ most
        assert controller.workspace.segment == 5

    assert drive(["demo"], script) == 0


def test_the_sample_has_sentence_scores(qtbot):
    def script(controller):
        yield controller.is_open
        status = controller.shell.status
        controller.shell.commands["view.area-scores"].trigger()
        assert status._positive.isVisible()
        assert "gold: sample.tags" in status._counts.text()
        assert "3 translations · 4 systems" in status._counts.text()
        controller.workspace.set_level(
            next(level for level in controller.workspace.levels() if level.name == "sentences")
        )
        yield lambda: controller.wiring.comparison.state == "ready" and not controller.wiring.comparison.stale
        comparison = controller.wiring.comparison.result.comparison
        assert (comparison.options.test, comparison.units) == ("williams-two-tailed", 141)
        assert 0 < comparison.of("Pearson").d < 1
        assert controller.shell.area("scores").systems._title.text() == "Sentences against HTER: 141 segments"
        # scores have no positive class
        assert not status._positive.isVisible()
        assert "gold: sample.hter" in status._counts.text()
        controller.shell.commands["view.area-inspect"].trigger()
        assert status._positive.isVisible()
        controller.shell.commands["view.area-rate"].trigger()
        assert not status._positive.isVisible()

    assert drive(["demo"], script) == 0


def test_demo_starts_a_trial_rating_in_one_step(qtbot):
    def script(controller):
        yield controller.is_open
        controller.shell.commands["view.area-rate"].trigger()
        area = controller.wiring.rating.area
        assert area.current == "rate"
        button = area.rater.quiet.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        session = area.rater.session
        assert session.current_scale.name == "fluency"
        assert len(session.work.screens) >= 10
        QTest.keyClick(area.rater.items, Qt.Key.Key_4)
        yield lambda: session.revealed
        QTest.keyClick(area.rater.items, Qt.Key.Key_3)
        yield lambda: session.work.progress()[0] == 1
        yield lambda: not controller.wiring.projects.service.pending
        assert Path(controller.workspace.project.place).parent.name == "trials"

    assert drive(["demo"], script) == 0


def test_results_and_progress_show_the_campaign_just_rated(qtbot):
    """The ratings of the sample cannot be joined with the trial, but were shown first."""

    def script(controller):
        yield controller.is_open
        controller.shell.commands["view.area-rate"].trigger()
        area = controller.wiring.rating.area
        owner = controller.wiring.rating.owner
        button = area.rater.quiet.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        session = area.rater.session
        QTest.keyClick(area.rater.items, Qt.Key.Key_4)
        yield lambda: session.revealed
        QTest.keyClick(area.rater.items, Qt.Key.Key_3)
        yield lambda: session.work.progress()[0] == 1
        area.show_page("results")
        yield lambda: owner.service.view is not None and owner.results.state in ("ready", "failed")
        assert owner.service.view.uid == session.work.campaign.uid
        assert owner.results.state == "ready", owner.results.error
        area.show_page("progress")
        yield lambda: not controller.wiring.projects.service.pending
        assert owner.service.view.uid == session.work.campaign.uid

    assert drive(["demo"], script) == 0


def test_sample_with_one_translation_starts_a_trial_rating(qtbot):
    def script(controller):
        yield controller.is_open
        controller.shell.commands["view.area-rate"].trigger()
        area = controller.wiring.rating.area
        button = area.rater.quiet.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        assert len(area.rater.session.work.screens) == 10
        yield lambda: not controller.wiring.projects.service.pending

    assert drive(["demo", "en-he"], script) == 0


@pytest.mark.parametrize("key", ["en-he", "en-ja"])
def test_samples_in_other_scripts_have_their_direction(qtbot, key):
    def script(controller):
        yield controller.is_open
        block = controller.shell.area("inspect").reader.page.block(Kind.WORDS)
        assert block.layout.right_to_left == (key == "en-he")

    assert drive(["demo", key], script) == 0
