"""The Rate area with a real project: ratings by keys are stored in the file and restored on reopening."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from qe_desktop.project.store import Project
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ui.rate.campaign_chooser import CampaignSource
from tests.timeouts import PATIENCE
from tests.ui.rate.conftest import SOURCE, TEXTS

Key = Qt.Key


def campaign(protocol: str, systems: int) -> object:
    names = tuple("PQRST"[:systems])
    translations = {name: [f"{text} {name.lower()}" for text in TEXTS] for name in names}
    translations["P"][1] = translations["Q"][1]
    description = Campaign(f"c-{protocol}", "A campaign", protocol, EvaluationBasis.SOURCE, "en", "de")
    passages = [Passage(number, text) for number, text in enumerate(SOURCE)]
    setup = CampaignSetup(names, (0, 1, 2), ("ann", "bob"), training=1, per_screen=systems)
    return design_campaign(description, setup, passages, translations)


@pytest.fixture
def project_path(tmp_path) -> Path:
    with Project.create(tmp_path / "one.qedesk", None, person="ann") as project:
        project.add_campaign(campaign("adequacy-fluency", 2))
    return tmp_path / "one.qedesk"


def skip_first_pages(controller) -> None:
    """Go past profile and instructions."""
    for page in (controller.rater.profile, controller.rater.instructions):
        if controller.rater.page is page:
            page.press_first()


def test_ratings_by_key_are_stored_and_restored(driver, qtbot, project_path):
    with Project.open(project_path, person="ann") as project:
        source: CampaignSource = project
        driver.open(source)
        skip_first_pages(driver)
        assert driver.items.header.position_label.text() == "Training 1 of 1"
        for number in range(3):
            driver.press(Key.Key_4)
            qtbot.waitUntil(lambda: driver.session.is_revealed)
            driver.press(Key.Key_2)
            if driver.session.screen.training:
                driver.press(Key.Key_Right)
            qtbot.waitUntil(lambda number=number: driver.position == number + 1)
        driver.area.undo()
        driver.press(Key.Key_3)
        qtbot.waitUntil(lambda: driver.position == 3)
        driver.area.rater.set_source(None)
        assert project.flush(PATIENCE)
    with Project.open(project_path, person="ann") as project:
        work = project.rater_session("c-adequacy-fluency", "ann")
        assert work.progress()[0] == 2
        assert work.undo_text == "adequacy 3, item 2"
        driver.open(project)
        assert driver.rater.page is driver.items
        assert driver.position == 3
        driver.area.undo()
        assert driver.position == 2
        driver.area.rater.set_source(None)
        assert project.flush(PATIENCE)
        assert project.progress("c-adequacy-fluency")["ann"][0] == 1
        assert project.progress("c-adequacy-fluency")["bob"][0] == 0


def test_rankings_with_identical_outputs_can_be_rated_by_key(driver, qtbot, tmp_path):
    with Project.create(tmp_path / "two.qedesk", None, person="bob") as project:
        project.add_campaign(campaign("rank", 3))
        driver.open(project)
        skip_first_pages(driver)
        total = len(driver.session.work.screens)
        for _ in range(total):
            screen = driver.session.screen
            assert len(driver.card.cards) == len(screen.outputs)
            driver.press(*[Key.Key_1, Key.Key_2, Key.Key_2][: len(screen.outputs)])
            qtbot.waitUntil(lambda screen=screen: driver.session.work.is_done(screen.uid))
            if driver.session.screen is screen:
                driver.press(Key.Key_Right)
        qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
        driver.area.rater.set_source(None)
        assert project.flush(PATIENCE)
        assert project.progress("c-rank")["bob"] == (total - 1, total - 1)
