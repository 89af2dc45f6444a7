"""Selection of campaign and rater, and the empty states of the rater's page."""

from __future__ import annotations

from PySide6.QtCore import Qt

from qe_desktop.corpus import QeError
from qe_desktop.ui.rate import empty_states
from tests.ui.rate.conftest import make

Key = Qt.Key


def test_page_without_a_project_has_one_button(controller, qtbot):
    assert controller.rater.page is controller.rater.quiet
    with qtbot.waitSignal(controller.rater.requested) as blocker:
        controller.press(Key.Key_Space)
    assert blocker.args == [empty_states.OPEN]


def test_without_a_campaign_only_an_owner_can_set_one_up(controller, qtbot):
    project = make("adequacy")
    project.campaigns = list
    controller.open(project)
    assert controller.rater.quiet.title.text() == "No campaigns yet"
    with qtbot.waitSignal(controller.rater.requested) as blocker:
        controller.rater.quiet.press_first()
    assert blocker.args == [empty_states.SET_UP]
    project.role = "rater"
    controller.open(project)
    assert list(controller.rater.quiet.buttons) == [empty_states.TRY_AGAIN]


def test_rater_without_assigned_items_can_try_again(controller):
    project = make("adequacy", raters=("bob",)).known()
    project.role = "rater"
    controller.open(project)
    assert controller.rater.quiet.title.text() == "No items to rate for ann"
    project.person = "bob"
    controller.rater.quiet.press_first()
    assert controller.rater.page is controller.rater.profile


def test_rater_without_items_is_informed(controller):
    project = make("adequacy")
    project.screens.clear()
    controller.open(project)
    assert controller.rater.quiet.title.text() == "Campaign c1 has no items for ann"


def test_project_read_error_is_shown(controller):
    project = make("adequacy")

    def fail(*_):
        raise QeError("the server does not answer", hint="Try again later.")

    project.work = fail
    controller.open(project)
    assert controller.rater.quiet.title.text() == "The server does not answer"
    assert controller.rater.quiet.text.text() == "Try again later."
    project.campaigns = fail
    controller.rater.quiet.press_first()
    assert controller.rater.quiet.title.text() == "The server does not answer"


def test_campaign_and_rater_are_selected_with_keys(controller):
    project = make("adequacy", raters=("bob", "carla"))
    project.others = [make("rank", outputs=2, uid="c2", raters=("bob",))]
    project.person = "zoe"
    controller.open(project)
    chooser = controller.rater.choosing
    assert [entry.text() for entry in chooser.campaigns.entries()] == ["Campaign c1", "Campaign c2"]
    assert chooser.campaigns.entries()[0].accessibleName() == ("Campaign c1, Adequacy · English → German · 2 raters")
    controller.press(Key.Key_Return)
    assert chooser.title.text() == "Who are you?"
    assert [entry.accessibleName() for entry in chooser.raters.entries()] == [
        "bob, 0 of 4 done", "carla, 0 of 4 done",
    ]  # fmt: skip
    controller.press(Key.Key_Tab, Key.Key_Return)
    assert controller.session.work.rater == "carla"
    controller.do("campaigns")
    assert controller.rater.page is chooser
    assert controller.rater.session is None
    chooser.campaigns.entries()[1].click()
    # its only rater is selected automatically
    assert controller.session.work.rater == "bob"


def test_look_again_opens_a_new_campaign_but_keeps_the_running_session(controller):
    project = make("adequacy").known()
    campaigns, project.campaigns = project.campaigns, list
    controller.open(project)
    project.campaigns = campaigns
    controller.area.rater.look_again()
    assert controller.rater.page is controller.rater.instructions
    session = controller.session
    controller.area.rater.look_again()
    assert controller.session is session


def test_current_user_is_not_asked_for_the_rater(controller):
    controller.open(make("adequacy", raters=("bob", "ann")).known())
    assert controller.session.work.rater == "ann"


def test_only_campaign_with_open_items_is_opened(controller):
    project = make("adequacy", uid="done", items=1).known()
    project.others = [make("adequacy", uid="open").known(), make("adequacy", uid="other", raters=("bob",))]
    controller.open(project)
    # two campaigns have open items for ann, so she must choose
    assert controller.rater.page is controller.rater.choosing
    project.rate(project.work("done", "ann").rate("done-ann-0", "adequacy", 4.0))
    controller.open(project)
    assert controller.session.work.campaign.uid == "open"
