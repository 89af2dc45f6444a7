"""Bundled samples opened through main(argv): edits, scores, rating, other scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind
from tests.ui.program.test_rating import rate_training_item
from tests.ui.program_driver import run_script


def test_sample_is_edited_and_scored_by_keyboard(qtbot):
    def script(driver):
        yield driver.is_open
        area = driver.shell.area("inspect")
        view = area.view
        assert driver.shell.windowTitle() == "en-de[*] – QE Desktop"
        assert len(driver.wiring.scores.layers) == 4
        before = driver.wiring.scores.values["F1-mult"].copy()
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Right)
        QTest.keyClick(view, Qt.Key.Key_Space)
        assert driver.shell.notices.current.message.title == "The gold is locked"
        # notices of one event-loop iteration do not replace each other
        yield lambda: True
        driver.shell.commands["inspect.lock"].trigger()
        titles = [notice.message.title for notice in driver.shell.notices.notices()]
        assert titles == ["The gold is unlocked: Space changes its tags. L locks it again."]
        QTest.keyClick(view, Qt.Key.Key_Space)
        assert driver.workspace.session.undo_text == "word 2 OK → BAD, segment 2"
        assert driver.shell.isWindowModified()
        assert driver.shell.commands.text("edit.undo") == "Undo: word 2 OK → BAD, segment 2"
        assert not (driver.wiring.scores.values["F1-mult"] == before).all()
        driver.shell.commands["edit.undo"].trigger()
        assert driver.wiring.scores.values["F1-mult"] == pytest.approx(before, abs=1e-12)
        assert not driver.shell.isWindowModified()
        driver.shell.commands["view.area-scores"].trigger()
        assert driver.shell.areas.current == "scores"
        yield lambda: driver.wiring.comparison.state == "ready" and not driver.wiring.comparison.is_data_outdated
        assert driver.wiring.comparison.result.comparison.of("F1-mult").d > 0

    assert run_script(["demo"], script) == 0


def test_sample_has_human_scores(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.commands["view.area-scores"].trigger()
        driver.workspace.set_level(next(level for level in driver.workspace.levels() if level.name == "people"))
        yield lambda: driver.wiring.comparison.state == "ready" and not driver.wiring.comparison.is_data_outdated
        area = driver.shell.area("scores")
        assert area.systems._title.text() == "Human scores: 24 rated segments"
        comparison = driver.wiring.comparison.result.comparison
        assert (comparison.options.test, comparison.units) == ("randomisation", 24)
        assert set(comparison.systems) == {"MT", "fluent", "literal"}
        view = area.systems.matrix.view
        view.show_segments(view.model().index(0, 2))
        yield lambda: driver.shell.areas.current == "inspect" and not driver.shell.jobs.running_jobs()
        # the segment in which the totals of both systems differ most
        assert driver.workspace.segment == 5

    assert run_script(["demo"], script) == 0


def test_the_sample_has_sentence_scores(qtbot):
    def script(driver):
        yield driver.is_open
        status = driver.shell.status
        driver.shell.commands["view.area-scores"].trigger()
        assert status._positive.isVisible()
        # correlations with human scores do not depend on tags
        pages = driver.shell.area("scores").pages
        pages.show_page("people")
        assert not status._positive.isVisible()
        # edits have no positive class
        pages.show_page("post-editing")
        assert not status._positive.isVisible()
        pages.show_page("systems")
        assert status._positive.isVisible()
        assert "gold: sample.tags" in status._counts.text()
        assert "3 translations · 4 QE systems" in status._counts.text()
        driver.workspace.set_level(next(level for level in driver.workspace.levels() if level.name == "sentences"))
        yield lambda: driver.wiring.comparison.state == "ready" and not driver.wiring.comparison.is_data_outdated
        comparison = driver.wiring.comparison.result.comparison
        assert (comparison.options.test, comparison.units) == ("williams-two-tailed", 141)
        assert 0 < comparison.of("Pearson").d < 1
        assert driver.shell.area("scores").systems._title.text() == "Sentences against HTER: 141 segments"
        # scores have no positive class
        assert not status._positive.isVisible()
        assert "gold: sample.hter" in status._counts.text()
        driver.shell.commands["view.area-inspect"].trigger()
        # the word at the cursor is described instead of the counts
        assert status._word.isVisible()
        assert "gold" in status._word.text()
        driver.shell.commands["view.area-rate"].trigger()
        assert not status._positive.isVisible()

    assert run_script(["demo"], script) == 0


def test_demo_starts_a_practice_rating_in_one_step(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.commands["view.area-rate"].trigger()
        area = driver.wiring.rating.area
        assert area.current == "rate"
        button = area.rater.placeholder.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        session = area.rater.session
        assert session.current_scale.name == "fluency"
        assert len(session.work.screens) >= 10
        yield from rate_training_item(area.rater)
        QTest.keyClick(area.rater.items, Qt.Key.Key_4)
        yield lambda: session.is_revealed
        QTest.keyClick(area.rater.items, Qt.Key.Key_3)
        yield lambda: session.work.progress()[0] == 1
        yield lambda: not driver.wiring.projects.service.pending
        assert Path(driver.workspace.project.place).parent.name == "trials"

    assert run_script(["demo"], script) == 0


def test_last_practice_can_be_continued(qtbot):
    def begin(driver):
        yield driver.is_open
        driver.shell.commands["view.area-rate"].trigger()
        rater = driver.wiring.rating.area.rater
        assert "continue" not in rater.placeholder.buttons
        rater.placeholder.buttons["try"].click()
        yield lambda: rater.page is rater.items
        session = rater.session
        yield from rate_training_item(rater)
        QTest.keyClick(rater.items, Qt.Key.Key_4)
        yield lambda: session.is_revealed
        QTest.keyClick(rater.items, Qt.Key.Key_3)
        yield lambda: session.work.progress()[0] == 1 and not driver.wiring.projects.service.pending

    def resume(driver):
        yield driver.is_open
        driver.shell.commands["view.area-rate"].trigger()
        rater = driver.wiring.rating.area.rater
        assert list(rater.placeholder.buttons) == ["continue", "try", "open"]
        yield rater.placeholder.buttons["continue"].hasFocus
        QTest.keyClick(rater.placeholder.buttons["continue"], Qt.Key.Key_Return)
        yield lambda: driver.workspace.project is not None and rater.session is not None
        assert rater.session.work.progress()[0] == 1
        # regression: the profile was requested in the middle of the practice
        assert rater.page is rater.items

    assert run_script(["demo"], begin) == 0
    assert run_script(["demo"], resume) == 0


def test_results_and_progress_show_the_campaign_just_rated(qtbot):
    """Regression: the ratings of the sample were shown first, although they cannot be combined with the practice."""

    def script(driver):
        yield driver.is_open
        driver.shell.commands["view.area-rate"].trigger()
        area = driver.wiring.rating.area
        owner = driver.wiring.rating.campaign_controller
        button = area.rater.placeholder.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        session = area.rater.session
        yield from rate_training_item(area.rater)
        QTest.keyClick(area.rater.items, Qt.Key.Key_4)
        yield lambda: session.is_revealed
        QTest.keyClick(area.rater.items, Qt.Key.Key_3)
        yield lambda: session.work.progress()[0] == 1
        area.show_page("results")
        yield lambda: owner.service.view is not None and owner.results.state in ("ready", "failed")
        assert owner.service.view.uid == session.work.campaign.uid
        assert owner.results.state == "ready", owner.results.error
        area.show_page("progress")
        yield lambda: not driver.wiring.projects.service.pending
        assert owner.service.view.uid == session.work.campaign.uid

    assert run_script(["demo"], script) == 0


def test_sample_with_one_translation_starts_a_practice_rating(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.commands["view.area-rate"].trigger()
        area = driver.wiring.rating.area
        button = area.rater.placeholder.buttons["try"]
        yield button.hasFocus
        QTest.keyClick(button, Qt.Key.Key_Return)
        yield lambda: area.rater.page is area.rater.items
        assert area.rater.session.work.progress() == (0, 10)
        yield lambda: not driver.wiring.projects.service.pending

    assert run_script(["demo", "en-he"], script) == 0


@pytest.mark.parametrize("key", ["en-he", "en-ja"])
def test_samples_in_other_scripts_have_their_direction(qtbot, key):
    def script(driver):
        yield driver.is_open
        block = driver.shell.area("inspect").reader.page.block(Kind.WORDS)
        assert block.layout.right_to_left == (key == "en-he")

    assert run_script(["demo", key], script) == 0
