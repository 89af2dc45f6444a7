"""The bundled samples through main(argv), by keys: edits, scores, rating, other scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind
from tests.ui.driving import drive


def test_the_sample_by_keyboard_alone(qtbot):
    def script(desk):
        yield desk.is_open
        area = desk.shell.area("inspect")
        view = area.view
        assert desk.shell.windowTitle() == "en-de[*] – QE Desktop"
        assert len(desk.wiring.scores.layers) == 4
        before = desk.wiring.scores.values["F1-mult"].copy()
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Right)
        QTest.keyClick(view, Qt.Key.Key_Space)
        assert desk.workspace.session.undo_text == "word 2 OK → BAD, segment 2"
        assert desk.shell.isWindowModified()
        assert desk.shell.commands.text("edit.undo") == "Undo: word 2 OK → BAD, segment 2"
        assert not (desk.wiring.scores.values["F1-mult"] == before).all()
        desk.shell.commands["edit.undo"].trigger()
        assert desk.wiring.scores.values["F1-mult"] == pytest.approx(before, abs=1e-12)
        assert not desk.shell.isWindowModified()
        desk.shell.commands["view.area-scores"].trigger()
        assert desk.shell.areas.current == "scores"
        yield lambda: desk.wiring.comparison.state == "ready" and not desk.wiring.comparison.stale
        assert desk.wiring.comparison.result.comparison.of("F1-mult").d > 0

    assert drive(["demo"], script) == 0


def test_the_sample_has_what_people_gave(qtbot):
    def script(desk):
        yield desk.is_open
        desk.shell.commands["view.area-scores"].trigger()
        desk.workspace.set_level(next(level for level in desk.workspace.levels() if level.name == "people"))
        yield lambda: desk.wiring.comparison.state == "ready" and not desk.wiring.comparison.stale
        area = desk.shell.area("scores")
        assert area.systems._title.text() == "What people gave: 24 rated segments"
        comparison = desk.wiring.comparison.result.comparison
        assert (comparison.options.test, comparison.units) == ("randomisation", 24)
        assert set(comparison.systems) == {"MT", "fluent", "literal"}
        view = area.systems.matrix.view
        view.show_segments(view.model().index(0, 2))
        yield lambda: desk.shell.areas.current == "inspect" and not desk.shell.jobs.running()
        # the one in which both totals lie farthest apart
        assert desk.workspace.segment == 5

    assert drive(["demo"], script) == 0


def test_the_sample_has_sentence_scores(qtbot):
    def script(desk):
        yield desk.is_open
        status = desk.shell.status
        desk.shell.commands["view.area-scores"].trigger()
        assert status._positive.isVisible()
        assert "gold: sample.tags" in status._counts.text()
        assert "3 translations · 4 systems" in status._counts.text()
        desk.workspace.set_level(next(level for level in desk.workspace.levels() if level.name == "sentences"))
        yield lambda: desk.wiring.comparison.state == "ready" and not desk.wiring.comparison.stale
        comparison = desk.wiring.comparison.result.comparison
        assert (comparison.options.test, comparison.units) == ("williams-two-tailed", 141)
        assert 0 < comparison.of("Pearson").d < 1
        assert desk.shell.area("scores").systems._title.text() == "Sentences against HTER: 141 segments"
        # among scores nothing is positive
        assert not status._positive.isVisible()
        assert "gold: sample.hter" in status._counts.text()
        desk.shell.commands["view.area-inspect"].trigger()
        assert status._positive.isVisible()
        desk.shell.commands["view.area-rate"].trigger()
        assert not status._positive.isVisible()

    assert drive(["demo"], script) == 0


def test_rate_in_the_demo_leads_to_rating_in_one_step(qtbot):
    def script(desk):
        yield desk.is_open
        desk.shell.commands["view.area-rate"].trigger()
        area = desk.wiring.rating.area
        assert area.current == "rate"
        button = area.rater.quiet.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        sitting = area.rater.sitting
        assert sitting.asked.name == "fluency"
        assert len(sitting.work.screens) >= 10
        QTest.keyClick(area.rater.items, Qt.Key.Key_4)
        yield lambda: sitting.revealed
        QTest.keyClick(area.rater.items, Qt.Key.Key_3)
        yield lambda: sitting.work.progress()[0] == 1
        yield lambda: not desk.wiring.projects.keeper.pending
        assert Path(desk.workspace.project.place).parent.name == "trials"

    assert drive(["demo"], script) == 0


def test_results_and_progress_are_of_the_campaign_that_was_just_rated(qtbot):
    """Ratings that came with the sample cannot be joined with it, and stood there at first."""

    def script(desk):
        yield desk.is_open
        desk.shell.commands["view.area-rate"].trigger()
        area = desk.wiring.rating.area
        owner = desk.wiring.rating.owner
        button = area.rater.quiet.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        sitting = area.rater.sitting
        QTest.keyClick(area.rater.items, Qt.Key.Key_4)
        yield lambda: sitting.revealed
        QTest.keyClick(area.rater.items, Qt.Key.Key_3)
        yield lambda: sitting.work.progress()[0] == 1
        area.show_page("results")
        yield lambda: owner.keeper.view is not None and owner.results.state in ("ready", "failed")
        assert owner.keeper.view.uid == sitting.work.campaign.uid
        assert owner.results.state == "ready", owner.results.error
        area.show_page("progress")
        yield lambda: not desk.wiring.projects.keeper.pending
        assert owner.keeper.view.uid == sitting.work.campaign.uid

    assert drive(["demo"], script) == 0


def test_a_sample_with_one_translation_leads_to_rating_as_well(qtbot):
    def script(desk):
        yield desk.is_open
        desk.shell.commands["view.area-rate"].trigger()
        area = desk.wiring.rating.area
        button = area.rater.quiet.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        assert len(area.rater.sitting.work.screens) == 10
        yield lambda: not desk.wiring.projects.keeper.pending

    assert drive(["demo", "en-he"], script) == 0


@pytest.mark.parametrize("key", ["en-he", "en-ja"])
def test_other_scripts(qtbot, key):
    def script(desk):
        yield desk.is_open
        block = desk.shell.area("inspect").reader.page.block(Kind.WORDS)
        assert block.layout.right_to_left == (key == "en-he")

    assert drive(["demo", key], script) == 0
