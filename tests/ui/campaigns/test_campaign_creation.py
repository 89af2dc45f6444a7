"""Creating a campaign from the set-up form: the saved design, invalid fields, copies of the reference, and errors."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.ratings.campaign import CampaignDesign, EvaluationBasis
from qe_desktop.ratings.campaign_draft import SegmentScope, make_campaign
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ui.campaigns import setup_page as setup_page_module
from qe_desktop.ui.campaigns.campaign_page import PROGRESS, SET_UP
from qe_desktop.ui.campaigns.setup_form import SetUpForm
from qe_desktop.ui.campaigns.setup_page import SetUpPage
from tests.timeouts import PATIENCE

from .conftest import SYSTEMS, OwnerPagesDriver
from .test_setup_page import note, type_name


def test_create_button_makes_a_design_from_the_form(
    page: SetUpPage, saved_designs: list[CampaignDesign], environment: Any, qtbot: QtBot
) -> None:
    form = page.form
    form.protocol.group.choose("rank")
    form.raters.setPlainText("Ana\n王芳\nمريم")
    form.extent.scope.choose(SegmentScope.RANGE)
    form.extent.first.setValue(2)
    form.extent.last.setValue(11)
    form.inputs.set_values({"overlap": 50, "repeats": 20, "seed": 9, "per_screen": 3, "training": 0})
    form.instructions.setPlainText("Names stay as they are.")
    with qtbot.waitSignal(page.created) as blocker:
        page.footer.create_button.click()
    assert blocker.args == saved_designs
    design = saved_designs[0]
    assert len(design.secret) == 32, "who knows the seed alone must not know the systems"
    assert design.campaign.protocol == "rank"
    assert design.campaign.raters == ("Ana", "王芳", "مريم")
    assert design.campaign.instructions == "Names stay as they are."
    assert design.setup.segments == tuple(range(1, 11))
    assert (design.setup.overlap, design.setup.repeats, design.setup.seed) == (0.5, 0.2, 9)
    assert {screen.rater for screen in design.screens} == {"Ana", "王芳", "مريم"}
    environment.wait()
    assert page.footer.create_button.isVisibleTo(page)


def test_create_button_stays_enabled_and_focuses_the_first_invalid_field(
    page: SetUpPage, saved_designs: list[CampaignDesign], environment: Any, qtbot: QtBot
) -> None:
    page.show()
    qtbot.waitExposed(page)
    page.form.raters.setPlainText("")
    page.form.systems.choose([])
    page.footer.create_button.click()
    environment.wait()
    assert saved_designs == []
    assert note(page, "systems") == "Select at least one system."
    assert note(page, "raters") == "Enter at least one rater, one name per line."
    assert page.footer.message_label.text() == "Select at least one system. 1 more problem to fix."
    assert not any(number.isVisibleTo(page) for number, _ in page.footer.sums)
    qtbot.waitUntil(lambda: page.focusWidget() is page.form.systems.list)
    page.form.systems.choose(SYSTEMS)
    page.footer.create_button.click()
    qtbot.waitUntil(lambda: page.focusWidget() is page.form.raters)


def select_copy_of_reference(page: SetUpPage, qtbot: QtBot) -> SetUpForm:
    """Show the page, and select segments in which the translation “human-A” equals the reference."""
    page.show()
    qtbot.waitExposed(page)
    form = page.form
    reference = form.texts.reference
    form.add_translation("human-A", [*reference[:12], *("other" for _ in reference[12:])])
    form.extent.scope.choose(SegmentScope.RANGE)
    form.extent.first.setValue(1)
    form.extent.last.setValue(12)
    return form


def test_copy_of_the_reference_that_only_creation_detects_can_be_confirmed(
    page: SetUpPage, saved_designs: list[CampaignDesign], environment: Any, qtbot: QtBot
) -> None:
    """The form compares a sample of all segments, but creation compares the selected segments."""
    form = select_copy_of_reference(page, qtbot)
    assert not form.reference_rated.isVisible()
    page.footer.create_button.click()
    environment.wait()
    assert saved_designs == []
    assert "“human-A” seems to be the reference" in page.footer.message_label.text()
    assert form.reference_rated.isVisible()
    qtbot.waitUntil(lambda: page.focusWidget() is form.reference_rated)
    form.systems.choose(SYSTEMS)
    assert not form.reference_rated.isVisible()
    form.systems.choose((*SYSTEMS, "human-A"))
    form.reference_rated.click()
    page.footer.create_button.click()
    environment.wait()
    assert [design.setup.systems for design in saved_designs] == [(*SYSTEMS, "human-A")]
    page.begin(form.texts)
    assert not form.reference_rated.isVisible()


def test_copy_of_the_displayed_reference_cannot_be_confirmed(
    page: SetUpPage, saved_designs: list[CampaignDesign], environment: Any, qtbot: QtBot
) -> None:
    form = select_copy_of_reference(page, qtbot)
    form.basis.choose(EvaluationBasis.BOTH)
    page.footer.create_button.click()
    environment.wait()
    assert saved_designs == []
    assert "it would be compared with itself" in page.footer.message_label.text()
    assert not form.reference_rated.isVisible()


def test_campaign_for_earlier_texts_is_not_created(
    environment: Any, corpus: Callable[..., Corpus], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the campaign was added to the project that was opened in the meantime."""
    begun, continues, saved = threading.Event(), threading.Event(), []

    def make_slowly(*arguments: Any) -> CampaignDesign:
        begun.set()
        assert continues.wait(PATIENCE)
        return make_campaign(*arguments)

    monkeypatch.setattr(setup_page_module, "make_campaign", make_slowly)
    page = SetUpPage(environment.workspace, saved.append)
    qtbot.addWidget(page)
    page.begin(CampaignTexts.of_corpus(corpus()))
    page.footer.create_button.click()
    qtbot.waitUntil(begun.is_set)
    page.begin(CampaignTexts.of_corpus(corpus(size=12)))
    continues.set()
    environment.wait()
    assert saved == []
    assert page.footer.create_button.isVisibleTo(page)


def test_save_error_is_shown_until_the_form_changes(
    environment: Any, corpus: Callable[..., Corpus], qtbot: QtBot
) -> None:
    def refuse(design: CampaignDesign) -> None:
        raise QeError("the disk is full", hint="Make room.")

    page = SetUpPage(environment.workspace, refuse)
    qtbot.addWidget(page)
    page.begin(CampaignTexts.of_corpus(corpus()))
    page.footer.create_button.click()
    environment.wait()
    assert page.footer.message_label.text() == "The disk is full. Make room."
    type_name(page, qtbot, "Again")
    page.refresh()
    assert page.footer.message_label.text().startswith("The form is complete")


def test_campaign_is_set_up_and_saved_in_the_project(environment: Any, driver: OwnerPagesDriver) -> None:
    project = environment.open()
    driver.show(SET_UP)
    form = driver.pages.setup_page.form
    form.raters.setPlainText("Ana\n王芳")
    driver.pages.setup_page.footer.create_button.click()
    driver.settle()
    (campaign,) = project.campaigns()
    assert campaign.raters == ("Ana", "王芳")
    assert driver.area.current == PROGRESS
    assert driver.pages.service.view.uid == campaign.uid
    assert "no rater has started yet" in driver.area.page(PROGRESS).content.summary.text()
    driver.show(SET_UP)
    assert form.draft.raters == "Olga", "the form is reset"
    assert form.name.text() == f"{campaign.name} 2"
    form.name.textEdited.emit(campaign.name)
    form.name.setText(campaign.name)
    assert "This name is already in use" in note(driver.pages.setup_page, "name")
    driver.pages.setup_page.cancelled.emit()
    assert driver.area.current == PROGRESS
