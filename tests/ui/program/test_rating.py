"""Rating in the whole window: messages in the status bar, undo from there, and a new campaign."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.project.store import Project
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ratings.campaign_draft import CampaignDraft, SegmentScope
from qe_desktop.ui.rate.item_page import TRAINING_OVER_ADVANCING
from qe_desktop.ui.rate.training_examples import EXAMPLES, TRAINING_SEGMENTS
from tests.timeouts import PATIENCE
from tests.ui.program_driver import run_script
from tests.ui.rate.conftest import SOURCE, TEXTS


def rate_training_item(rater, fluency=Qt.Key.Key_4, adequacy=Qt.Key.Key_3):
    """Rate the training item of a practice campaign and go on."""
    QTest.keyClick(rater.items, fluency)
    yield lambda: rater.session.is_revealed
    QTest.keyClick(rater.items, adequacy)
    QTest.keyClick(rater.items, Qt.Key.Key_Right)
    assert not rater.session.screen.training


def rate_first_item(driver):
    """Start the practice on the sample and rate its first item."""
    driver.shell.commands["view.area-rate"].trigger()
    area = driver.wiring.rating.area
    button = area.rater.placeholder.buttons["try"]
    yield button.hasFocus
    QTest.keyClick(button, Qt.Key.Key_Return)
    yield lambda: area.rater.page is area.rater.items
    yield from rate_training_item(area.rater)
    QTest.keyClick(area.rater.items, Qt.Key.Key_4)
    yield lambda: area.rater.session.is_revealed
    QTest.keyClick(area.rater.items, Qt.Key.Key_3)
    yield lambda: area.rater.session.work.progress()[0] == 1
    yield lambda: not driver.wiring.projects.service.pending


def test_reasons_of_training_items_use_the_words_of_the_fluency_scale():
    """Regression: the reason called a sentence good whose expected value is that of flawless sentences."""
    for example in EXAMPLES.values():
        words = {2: "disfluent", 4: "good", 5: "flawless"}
        assert [value for value, word in words.items() if word in example.reason] == [example.fluency]


@pytest.mark.parametrize("sample", TRAINING_SEGMENTS)
def test_practice_begins_with_a_training_item_that_explains_the_expected_answer(qtbot, sample):
    def script(driver):
        yield driver.is_open
        driver.shell.commands["view.area-rate"].trigger()
        rater = driver.wiring.rating.area.rater
        rater.placeholder.buttons["try"].click()
        yield lambda: rater.page is rater.items
        session, header = rater.session, rater.items.header
        work = session.work
        example = EXAMPLES[work.output(session.screen.outputs[0]).text]
        assert header.position_label.text() == "Training 1 of 1"
        assert header.guide.text().startswith("Training item; it does not count. First, rate fluency: read only")
        assert example.reason not in header.guide.text()
        height = header.height()
        other = 1 if example.fluency > 1 else 5
        QTest.keyClick(rater.items, Qt.Key(ord(str(other))))
        yield lambda: session.is_revealed
        assert "Rate adequacy" in header.guide.text()
        QTest.keyClick(rater.items, Qt.Key(ord(str(example.adequacy))))
        expected = f"adequacy is as expected; the expected fluency is {example.fluency}. {example.reason}"
        assert header.guide.text() == f"Training item: {expected} Change your answer, or press Right to go on."
        assert header.guide.isVisible()
        assert header.height() == height
        session.select_scale("fluency")
        QTest.keyClick(rater.items, Qt.Key(ord(str(example.fluency))))
        assert header.guide.text().startswith(f"Training item, rated as expected. {example.reason}")
        assert work.progress()[0] == 0
        # the item stays until the rater has read the feedback
        assert session._pending_action is None
        QTest.keyClick(rater.items, Qt.Key.Key_Right)
        assert header.position_label.text() == f"Item 1 of {work.progress()[1]}"
        assert work.progress()[1] >= 10
        assert header.guide.text() == TRAINING_OVER_ADVANCING
        QTest.keyClick(rater.items, Qt.Key.Key_I)
        assert rater.page is rater.instructions
        yield lambda: not driver.wiring.projects.service.pending
        # the choice of the item is part of the verifiable design
        assert [verdict.drawn_again for verdict in driver.workspace.project.verify()] == [True]

    assert run_script(["demo", sample], script) == 0


def test_feedback_names_the_scales_whose_rating_differs():
    example = EXAMPLES["Rückgängig merkt sich jetzt die letzten 50 statt 500 Schritte."]
    texts = [
        example.feedback({"fluency": fluency, "adequacy": adequacy})
        for fluency, adequacy in ((5, 3), (5, 1), (4, 3), (4, 1))
    ]
    assert texts == [
        f"Training item{text} {example.reason}"
        for text in (
            ", rated as expected.",
            ": fluency is as expected; the expected adequacy is 3.",
            ": adequacy is as expected; the expected fluency is 5.",
            "; the expected ratings are fluency 5 and adequacy 3.",
        )
    ]


def test_command_of_the_start_page_offers_to_rate_the_sample(qtbot):
    """Regression: nothing on the start page or in the command palette led to the practice."""

    def script(driver):
        # the request waits for the command if the window has just been opened
        driver.shell.start_page.practice_requested.emit()
        yield driver.is_open
        assert driver.shell.areas.current == "rate"
        placeholder = driver.wiring.rating.area.rater.placeholder
        yield lambda: "try" in placeholder.buttons
        driver.shell.show_area("inspect")
        driver.shell.commands["file.rate-sample"].trigger()
        assert driver.shell.areas.current == "rate"
        assert driver.workspace.project is None

    assert run_script([], script) == 0


def test_last_rating_is_in_the_status_bar_and_can_be_undone_there(qtbot):
    def script(driver):
        yield driver.is_open
        changes = []
        driver.workspace.ratings_changed.connect(lambda: changes.append(True))
        yield from rate_first_item(driver)
        act, work = driver.shell.status.action, driver.wiring.rating.area.rater.session.work
        driver.wiring.rating.area.rater.items.messages.hint("")
        assert act.isVisible()
        assert act.text.text() == "Adequacy 3, item 1"
        assert act.key.text()
        assert not driver.shell.status._counts.isVisible()
        driver.shell.commands["view.area-inspect"].trigger()
        assert not act.isVisible()
        driver.shell.commands["view.area-rate"].trigger()
        assert act.isVisible()
        QTest.mouseClick(act.undo, Qt.MouseButton.LeftButton)
        assert work.progress()[0] == 0
        assert act.text.text() == "Undone: adequacy 3, item 1"
        assert not act.undo.isVisible(), "the link would seem to refer to the undone judgement"
        yield lambda: not driver.wiring.projects.service.pending and changes

    assert run_script(["demo"], script) == 0


def test_new_campaign_is_shown_on_all_pages_and_stays_selected(qtbot):
    """Regression: saving the new campaign selected the campaign that was rated before."""

    def script(driver):
        yield driver.is_open
        yield from rate_first_item(driver)
        area, owner = driver.wiring.rating.area, driver.wiring.rating.campaign_controller
        practice = area.rater.session.work.campaign.uid
        area.show_page("set-up")
        page = owner.setup_page
        page.form.set_draft(
            CampaignDraft(
                name="Second", raters=driver.workspace.person, systems=("MT", "fluent"), source_language="en",
                target_language="de", extent=SegmentScope.DRAWN, count=12,
            )
        )  # fmt: skip
        saving = driver.wiring.projects.service
        yield lambda: not saving.pending
        saving._last_saved = datetime(2000, 1, 1)
        page.create_campaign()
        yield lambda: area.current == "progress"
        assert saving.text() != "Saved 00:00:00", "the campaign is saved"
        yield lambda: owner.service.view is not None and owner.service.view.title == "Second"
        # the time of the item that was left is saved after the new campaign was opened
        driver.wiring.rating._source.rated = practice
        driver.wiring.projects.service.saved.emit("Saved")
        yield lambda: not driver.wiring.projects.service.pending
        owner.service.refresh()
        yield lambda: not driver.shell.jobs.running_jobs()
        assert owner.service.view.title == "Second"
        bar = area.page("progress").bar
        assert bar.choice.isVisible()
        assert {bar.choice.itemText(index) for index in range(bar.choice.count())} >= {"Second"}
        area.show_page("results")
        yield lambda: not driver.shell.jobs.running_jobs()
        assert owner.service.view.title == "Second"
        area.show_page("rate")
        assert area.rater.session.work.campaign.name == "Second"
        assert area.rater.session.work.campaign.uid != practice
        # information notices would take height from the texts of all items
        driver.shell.notices.info("Saved in news")
        yield lambda: True
        area.rater.profile.press_first()
        area.rater.instructions.press_first()
        assert area.rater.page is area.rater.items
        assert driver.shell.notices.current is None

    assert run_script(["demo"], script) == 0


def save_copy_for_raters(folder):
    """Save a campaign of another owner as a file for its raters, and return its path."""
    description = Campaign(
        "c1", "A campaign", "adequacy", EvaluationBasis.SOURCE, "en", "de", created_by="Olga", created=1.0
    )
    translations = {name: [f"{text} {name}" for text in TEXTS] for name in "PQ"}
    setup = CampaignSetup(("P", "Q"), (0, 1), ("ann",))
    passages = [Passage(number, text) for number, text in enumerate(SOURCE)]
    path = folder / "for raters.qedesk"
    with Project.create(folder / "own.qedesk", None, person="Olga") as project:
        project.add_campaign(design_campaign(description, setup, passages, translations, secret=bytes(range(32))))
        assert project.flush(PATIENCE)
        project.save_for_raters(path)
    return path


def test_copy_for_raters_has_no_pages_of_the_owner_and_names_its_file_at_the_end(qtbot, tmp_path):
    """Regression: the owner's pages showed only an error."""
    path = save_copy_for_raters(tmp_path)

    def script(driver):
        yield lambda: driver.workspace.project is not None
        driver.shell.commands["view.area-rate"].trigger()
        area = driver.wiring.rating.area
        assert [id for id, tab in area.pages.bar.tabs.items() if not tab.isHidden()] == ["rate"]
        assert not area.pages.bar.isVisible()
        area.rater.open_campaign("c1", "ann")
        session = area.rater.session
        for screen in session.work.screens:
            session.go_to(screen.uid)
            session.rate("adequacy", 4.0)
        session.go_to("")
        text = area.rater.end.text.text()
        assert str(path) in text
        assert "Olga" in text
        yield lambda: not driver.wiring.projects.service.pending

    assert run_script([str(path)], script) == 0
