"""What there is to rate: nothing and why, or which campaign and who."""

from __future__ import annotations

from PySide6.QtCore import Qt

from qe_desktop.corpus import QeError
from qe_desktop.ui.rate import empty_states
from tests.ui.rate.conftest import make

Key = Qt.Key


def test_without_a_project_there_is_one_button(controller, qtbot):
    assert controller.rater.page is controller.rater.quiet
    with qtbot.waitSignal(controller.rater.asked) as asked:
        controller.press(Key.Key_Space)
    assert asked.args == [empty_states.OPEN]


def test_without_a_campaign_an_owner_can_set_one_up_and_a_rater_waits(controller, qtbot):
    made = make("adequacy")
    made.campaigns = list
    controller.open(made)
    assert controller.rater.quiet.title.text() == "No campaigns yet"
    with qtbot.waitSignal(controller.rater.asked) as asked:
        controller.rater.quiet.press_first()
    assert asked.args == [empty_states.SET_UP]
    made.role = "rater"
    controller.open(made)
    assert list(controller.rater.quiet.buttons) == [empty_states.TRY_AGAIN]


def test_a_campaign_for_others_says_so_and_can_be_looked_for_again(controller):
    made = make("adequacy", raters=("bob",)).known()
    made.role = "rater"
    controller.open(made)
    assert controller.rater.quiet.title.text() == "No items to rate for ann"
    made.person = "bob"
    controller.rater.quiet.press_first()
    assert controller.rater.page is controller.rater.profile


def test_a_rater_without_items_is_told(controller):
    made = make("adequacy")
    made.screens.clear()
    controller.open(made)
    assert controller.rater.quiet.title.text() == "Campaign c1 has no items for ann"


def test_a_project_that_cannot_be_read_says_why(controller):
    made = make("adequacy")

    def fail(*_):
        raise QeError("the server does not answer", hint="Try again later.")

    made.work = fail
    controller.open(made)
    assert controller.rater.quiet.title.text() == "The server does not answer"
    assert controller.rater.quiet.text.text() == "Try again later."
    made.campaigns = fail
    controller.rater.quiet.press_first()
    assert controller.rater.quiet.title.text() == "The server does not answer"


def test_several_campaigns_and_raters_are_chosen_by_key(controller):
    made = make("adequacy", raters=("bob", "carla"))
    made.others = [make("rank", outputs=2, uid="c2", raters=("bob",))]
    made.person = "zoe"
    controller.open(made)
    choosing = controller.rater.choosing
    assert [entry.text() for entry in choosing.campaigns.entries()] == ["Campaign c1", "Campaign c2"]
    assert choosing.campaigns.entries()[0].accessibleName() == ("Campaign c1, Adequacy · English → German · 2 raters")
    controller.press(Key.Key_Return)
    assert choosing.title.text() == "Who are you?"
    assert [entry.accessibleName() for entry in choosing.raters.entries()] == [
        "bob, 0 of 4 done", "carla, 0 of 4 done",
    ]  # fmt: skip
    controller.press(Key.Key_Tab, Key.Key_Return)
    assert controller.session.work.rater == "carla"
    controller.do("campaigns")
    assert controller.rater.page is choosing
    assert controller.rater.session is None
    choosing.campaigns.entries()[1].click()
    # the only rater is chosen already
    assert controller.session.work.rater == "bob"


def test_a_new_campaign_is_found_and_nobody_at_work_is_disturbed(controller):
    made = make("adequacy").known()
    campaigns, made.campaigns = made.campaigns, list
    controller.open(made)
    made.campaigns = campaigns
    controller.area.rater.look_again()
    assert controller.rater.page is controller.rater.instructions
    session = controller.session
    controller.area.rater.look_again()
    assert controller.session is session


def test_whoever_works_here_is_not_asked(controller):
    controller.open(make("adequacy", raters=("bob", "ann")).known())
    assert controller.session.work.rater == "ann"


def test_the_one_campaign_with_items_left_is_gone_on_with(controller):
    made = make("adequacy", uid="done", items=1).known()
    made.others = [make("adequacy", uid="open").known(), make("adequacy", uid="other", raters=("bob",))]
    controller.open(made)
    # both have items left for ann, so that she chooses
    assert controller.rater.page is controller.rater.choosing
    made.rate(made.work("done", "ann").rate("done-ann-0", "adequacy", 4.0))
    controller.open(made)
    assert controller.session.work.campaign.uid == "open"
