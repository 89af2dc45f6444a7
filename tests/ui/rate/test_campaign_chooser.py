"""Selection of campaign and rater, and the empty states of the rater's page."""

from __future__ import annotations

from PySide6.QtCore import Qt

from qe_desktop.corpus import QeError
from qe_desktop.ui.rate import empty_states
from tests.ui.rate.conftest import make_project

Key = Qt.Key


def test_page_without_a_project_has_one_button(driver, qtbot):
    assert driver.rater.page is driver.rater.placeholder
    with qtbot.waitSignal(driver.rater.requested) as blocker:
        driver.press(Key.Key_Space)
    assert blocker.args == [empty_states.OPEN]


def test_without_a_campaign_only_an_owner_can_set_one_up(driver, qtbot):
    project = make_project("adequacy")
    project.campaigns = list
    driver.open(project)
    assert driver.rater.placeholder.title.text() == "No campaigns yet"
    with qtbot.waitSignal(driver.rater.requested) as blocker:
        driver.rater.placeholder.press_first()
    assert blocker.args == [empty_states.SET_UP]
    project.role = "rater"
    driver.open(project)
    assert list(driver.rater.placeholder.buttons) == [empty_states.TRY_AGAIN]


def test_rater_without_assigned_items_can_try_again(driver):
    project = make_project("adequacy", raters=("bob",)).with_profile()
    project.role = "rater"
    driver.open(project)
    assert driver.rater.placeholder.title.text() == "ann has no items to rate"
    project.person = "bob"
    driver.rater.placeholder.press_first()
    assert driver.rater.page is driver.rater.profile


def test_rater_without_items_is_informed(driver):
    project = make_project("adequacy")
    project.screens.clear()
    driver.open(project)
    assert driver.rater.placeholder.title.text() == "Campaign c1 has no items for ann"


def test_project_read_error_is_shown(driver):
    project = make_project("adequacy")

    def fail(*_):
        raise QeError("the server does not answer", hint="Try again later.")

    project.rater_session = fail
    driver.open(project)
    assert driver.rater.placeholder.title.text() == "The server does not answer"
    assert driver.rater.placeholder.text.text() == "Try again later."
    project.campaigns = fail
    driver.rater.placeholder.press_first()
    assert driver.rater.placeholder.title.text() == "The server does not answer"


def test_campaign_and_rater_are_selected_with_keys(driver):
    project = make_project("adequacy", raters=("bob", "carla"))
    project.others = [make_project("rank", outputs=2, uid="c2", raters=("bob",))]
    project.person = "zoe"
    driver.open(project)
    chooser = driver.rater.chooser
    assert [entry.text() for entry in chooser.campaigns.entries()] == ["Campaign c1", "Campaign c2"]
    assert chooser.campaigns.entries()[0].accessibleName() == ("Campaign c1, Adequacy · English → German · 2 raters")
    driver.press(Key.Key_Return)
    assert chooser.title.text() == "Who are you?"
    assert [entry.accessibleName() for entry in chooser.raters.entries()] == [
        "bob, 0 of 4 done", "carla, 0 of 4 done",
    ]  # fmt: skip
    driver.press(Key.Key_Tab, Key.Key_Return)
    assert driver.session.work.rater == "carla"
    driver.trigger("campaigns")
    assert driver.rater.page is chooser
    assert driver.rater.session is None
    chooser.campaigns.entries()[1].click()
    # its only rater is selected automatically
    assert driver.session.work.rater == "bob"


def test_look_again_opens_a_new_campaign_but_keeps_the_running_session(driver):
    project = make_project("adequacy").with_profile()
    campaigns, project.campaigns = project.campaigns, list
    driver.open(project)
    project.campaigns = campaigns
    driver.area.rater.refresh_campaigns()
    assert driver.rater.page is driver.rater.instructions
    session = driver.session
    driver.area.rater.refresh_campaigns()
    assert driver.session is session


def test_current_user_is_not_asked_for_the_rater(driver):
    driver.open(make_project("adequacy", raters=("bob", "ann")).with_profile())
    assert driver.session.work.rater == "ann"


def test_only_campaign_with_open_items_is_opened(driver):
    project = make_project("adequacy", uid="done", items=1).with_profile()
    project.others = [
        make_project("adequacy", uid="open").with_profile(),
        make_project("adequacy", uid="other", raters=("bob",)),
    ]
    driver.open(project)
    # two campaigns have open items for ann, so she must choose
    assert driver.rater.page is driver.rater.chooser
    project.rate(project.rater_session("done", "ann").rate("done-ann-0", "adequacy", 4.0))
    driver.open(project)
    assert driver.session.work.campaign.uid == "open"


def test_user_who_is_a_rater_can_select_another_rater(driver):
    driver.open(make_project("adequacy", raters=("bob", "ann")).with_profile())
    driver.trigger("campaigns")
    assert driver.rater.page is driver.rater.chooser
    # a change in the project does not answer the question
    driver.rater.refresh_campaigns()
    assert driver.rater.page is driver.rater.chooser
    driver.rater.chooser.raters.entries()[0].click()
    assert driver.session.work.rater == "bob"


def test_only_rater_of_the_only_campaign_is_shown_in_the_list(driver):
    driver.open(make_project("adequacy").with_profile())
    driver.trigger("campaigns")
    assert [entry.text() for entry in driver.rater.chooser.raters.entries()] == ["ann"]


def test_first_pages_name_the_rater_and_lead_to_another(driver):
    driver.open(make_project("adequacy", raters=("ann", "bob")))
    assert driver.rater.profile.text.text().startswith("You are rating as ann.")
    driver.rater.profile.buttons["raters"].click()
    assert driver.rater.page is driver.rater.chooser
    driver.rater.chooser.raters.entries()[0].click()
    driver.rater.profile.press_first()
    assert "You are rating as" in driver.rater.instructions.text.text()
    driver.rater.instructions.buttons["raters"].click()
    driver.rater.chooser.raters.entries()[1].click()
    assert driver.session.work.rater == "bob"


def test_only_rater_has_no_link_to_another(driver):
    driver.open(make_project("adequacy"))
    assert list(driver.rater.profile.buttons) == ["done"]
