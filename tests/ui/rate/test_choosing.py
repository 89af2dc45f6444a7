"""What there is to rate: nothing and why, or which campaign and who."""

from __future__ import annotations

from PySide6.QtCore import Qt

from qe_desktop.corpus import QeError
from qe_desktop.ui.rate import empty_states
from tests.ui.rate.conftest import make

Key = Qt.Key


def test_without_a_project_there_is_one_button(desk, qtbot):
    assert desk.rater.page is desk.rater.quiet
    with qtbot.waitSignal(desk.rater.asked) as asked:
        desk.press(Key.Key_Space)
    assert asked.args == [empty_states.OPEN]


def test_without_a_campaign_an_owner_can_set_one_up_and_a_rater_waits(desk, qtbot):
    made = make("adequacy")
    made.campaigns = list
    desk.open(made)
    assert desk.rater.quiet.title.text() == "There is no campaign yet"
    with qtbot.waitSignal(desk.rater.asked) as asked:
        desk.rater.quiet.press_first()
    assert asked.args == [empty_states.SET_UP]
    made.role = "rater"
    desk.open(made)
    assert list(desk.rater.quiet.buttons) == [empty_states.TRY_AGAIN]


def test_a_campaign_for_others_says_so_and_can_be_looked_for_again(desk):
    made = make("adequacy", raters=("bob",)).known()
    made.role = "rater"
    desk.open(made)
    assert desk.rater.quiet.title.text() == "There is nothing to rate for ann"
    made.person = "bob"
    desk.rater.quiet.press_first()
    assert desk.rater.page is desk.rater.profile


def test_a_rater_without_items_is_told(desk):
    made = make("adequacy")
    made.screens.clear()
    desk.open(made)
    assert desk.rater.quiet.title.text() == "Campaign c1 has no items for ann"


def test_a_project_that_cannot_be_read_says_why(desk):
    made = make("adequacy")

    def fail(*_):
        raise QeError("the server does not answer", hint="Try again later.")

    made.work = fail
    desk.open(made)
    assert desk.rater.quiet.title.text() == "The server does not answer"
    assert desk.rater.quiet.text.text() == "Try again later."
    made.campaigns = fail
    desk.rater.quiet.press_first()
    assert desk.rater.quiet.title.text() == "The server does not answer"


def test_several_campaigns_and_raters_are_chosen_by_key(desk):
    made = make("adequacy", raters=("bob", "carla"))
    made.others = [make("rank", outputs=2, uid="c2", raters=("bob",))]
    made.person = "zoe"
    desk.open(made)
    choosing = desk.rater.choosing
    assert [entry.text() for entry in choosing.campaigns.entries()] == ["Campaign c1", "Campaign c2"]
    assert choosing.campaigns.entries()[0].accessibleName() == ("Campaign c1, Adequacy · English → German · 2 raters")
    desk.press(Key.Key_Return)
    assert choosing.title.text() == "Who are you?"
    assert [entry.accessibleName() for entry in choosing.raters.entries()] == [
        "bob, 0 of 4 done", "carla, 0 of 4 done",
    ]  # fmt: skip
    desk.press(Key.Key_Tab, Key.Key_Return)
    assert desk.sitting.work.rater == "carla"
    desk.do("campaigns")
    assert desk.rater.page is choosing
    assert desk.rater.sitting is None
    choosing.campaigns.entries()[1].click()
    # the only rater is chosen already
    assert desk.sitting.work.rater == "bob"


def test_a_new_campaign_is_found_and_nobody_at_work_is_disturbed(desk):
    made = make("adequacy").known()
    campaigns, made.campaigns = made.campaigns, list
    desk.open(made)
    made.campaigns = campaigns
    desk.area.rater.look_again()
    assert desk.rater.page is desk.rater.instructions
    sitting = desk.sitting
    desk.area.rater.look_again()
    assert desk.sitting is sitting


def test_whoever_works_here_is_not_asked(desk):
    desk.open(make("adequacy", raters=("bob", "ann")).known())
    assert desk.sitting.work.rater == "ann"


def test_the_one_campaign_with_items_left_is_gone_on_with(desk):
    made = make("adequacy", uid="done", items=1).known()
    made.others = [make("adequacy", uid="open").known(), make("adequacy", uid="other", raters=("bob",))]
    desk.open(made)
    # both have items left for ann, so that she chooses
    assert desk.rater.page is desk.rater.choosing
    made.rate(made.work("done", "ann").rate("done-ann-0", "adequacy", 4.0))
    desk.open(made)
    assert desk.sitting.work.campaign.uid == "open"
