"""How much work a campaign is."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.workload import estimate_workload
from qe_desktop.ratings.campaign import CampaignSetup
from qe_desktop.ratings.protocols import PROTOCOLS, get_protocol
from qe_desktop.ratings.rater_progress import raters_progress
from tests.ratings.campaigns import answered, campaign, designed

shares = st.floats(0, 1)


def judged(of):
    """How often each system is judged in a design."""
    systems = {key.output: key.systems for key in of.output_keys}
    real = {key.screen for key in of.screen_keys if key.role is ItemRole.SYSTEM}
    shown = (output for screen in of.screens if screen.uid in real for output in screen.outputs)
    return Counter(system for output in shown for system in systems[output])


def seconds(of):
    """What the screens of a design take."""
    protocol = get_protocol(of.campaign.protocol)
    return sum(protocol.estimated_seconds(1, len(screen.outputs)) for screen in of.screens)


def left(of, events=()):
    """What is left of a campaign by each rater, as its owner watches it."""
    return {row.rater: row.left for row in raters_progress(of.campaign, of.screens, events)}


@given(
    st.sampled_from(list(PROTOCOLS)), st.integers(2, 6), st.integers(6, 20), st.integers(1, 5), shares, shares, shares,
    st.integers(0, 3),
)  # fmt: skip
def test_the_estimate_is_what_the_design_comes_to(
    protocol, systems, segments, raters, overlap, repeats, controls, more
):
    of = designed(
        protocol, systems, segments, raters, overlap=overlap, repeats=repeats, controls=controls, training=more
    )
    guessed, screens, judgements = (
        estimate_workload(of.campaign, of.setup),
        Counter(s.rater for s in of.screens),
        judged(of),
    )
    assert sorted(screens[rater] for rater in of.setup.raters) == sorted(guessed.screens.values())
    assert judgements.total() == pytest.approx(sum(guessed.judgements.values()))
    assert all(abs(judgements[name] - count) <= 6 for name, count in guessed.judgements.items())
    assert seconds(of) == pytest.approx(guessed.total_seconds)
    assert sorted(left(of).values()) == pytest.approx(sorted(guessed.seconds.values()))


def test_the_usual_pace():
    assert seconds(designed("rank", 5, 10, 1)) == 560.0
    assert seconds(designed("adequacy", 2, 10, 1)) == 600.0
    assert seconds(designed("rank", 3, 10, 1)) == pytest.approx(10 * 56 * 3 / 5)
    assert seconds(designed("pairwise", 3, 10, 1)) == pytest.approx(300)


def test_outputs_that_are_the_same_take_less_time():
    of = designed("rank", 5, 50, 1, same=0.5)
    assert seconds(of) < estimate_workload(of.campaign, of.setup).total_seconds
    assert judged(of) == dict.fromkeys(of.setup.systems, 50)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_form_that_is_not_filled_in_yet(protocol):
    for setup in (
        CampaignSetup((), (), ()),
        CampaignSetup(("a",), (), ("r",)),
        CampaignSetup((), (0,), ("r",)),
        CampaignSetup(("a",), (0,), ()),
    ):
        work = estimate_workload(campaign(protocol), setup)
        assert set(work.screens) == set(setup.raters)
        assert set(work.judgements) == set(setup.systems)
    assert estimate_workload(campaign(protocol), CampaignSetup(("a", "b"), (), ("r",), training=3)).screens == {"r": 0}


@pytest.mark.parametrize("same", [0.0, 0.5])
def test_a_campaign_takes_what_its_set_up_promised(same):
    """A ranking of three systems took a third more of the time that the set-up promised as soon as it was watched."""
    of = designed("rank", 3, 20, 2, same=same, training=4, repeats=0.1)
    assert left(of) == pytest.approx(estimate_workload(of.campaign, of.setup).seconds)


def test_what_is_left_goes_by_the_pace_of_the_rater():
    of = designed("adequacy", 2, 10, 2, training=3)
    events = answered(of, lambda *_: 3)
    first = [event for event in events if event.rater == "rater-1"]
    own = [screen for screen in of.screens if screen.rater == "rater-1"]
    half = [event for event in first if event.screen in {screen.uid for screen in own[: len(own) // 2]}]
    (pace,) = {event.seconds for event in first}
    rest = len(own) - len(own) // 2
    assert left(of, half) == pytest.approx({"rater-1": rest * pace, "rater-2": 30 * (len(of.screens) - len(own))})
    assert left(of, events) == {"rater-1": 0, "rater-2": 0}
