"""Estimates of the work of a campaign."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.campaign import CampaignSetup
from qe_desktop.ratings.campaign_draft import estimate_workload
from qe_desktop.ratings.protocols import PROTOCOLS, get_protocol
from qe_desktop.ratings.rater_progress import raters_progress
from tests.ratings.campaigns import make_campaign, make_random_design, simulate_events

shares = st.floats(0, 1)


def judgement_counts(design):
    """Return how often each system is judged in a design."""
    systems = {key.output: key.systems for key in design.output_keys}
    real = {key.screen for key in design.screen_keys if key.role is ItemRole.SYSTEM}
    shown = (output for screen in design.screens if screen.uid in real for output in screen.outputs)
    return Counter(system for output in shown for system in systems[output])


def seconds(design):
    """Return the estimated time of all screens of a design."""
    protocol = get_protocol(design.campaign.protocol)
    return sum(protocol.estimated_seconds(1, len(screen.outputs)) for screen in design.screens)


def remaining_seconds(design, events=()):
    """Return the remaining time of each rater, as the owner of the campaign sees it."""
    return {row.rater: row.remaining_seconds for row in raters_progress(design.campaign, design.screens, events)}


@given(
    st.sampled_from(list(PROTOCOLS)), st.integers(2, 6), st.integers(6, 20), st.integers(1, 5), shares, shares, shares,
    st.integers(0, 3),
)  # fmt: skip
def test_estimate_equals_the_work_of_the_design(protocol, systems, segments, raters, overlap, repeats, controls, more):
    design = make_random_design(
        protocol, systems, segments, raters, overlap=overlap, repeats=repeats, controls=controls, training=more
    )
    estimate, screens, judgements = (
        estimate_workload(design.campaign, design.setup),
        Counter(s.rater for s in design.screens),
        judgement_counts(design),
    )
    assert sorted(screens[rater] for rater in design.setup.raters) == sorted(estimate.screens.values())
    assert judgements.total() == pytest.approx(sum(estimate.judgements.values()))
    assert all(abs(judgements[name] - count) <= 6 for name, count in estimate.judgements.items())
    assert seconds(design) == pytest.approx(estimate.total_seconds)
    assert sorted(remaining_seconds(design).values()) == pytest.approx(sorted(estimate.seconds.values()))


def test_default_pace():
    assert seconds(make_random_design("rank", 5, 10, 1)) == 560.0
    assert seconds(make_random_design("adequacy", 2, 10, 1)) == 600.0
    assert seconds(make_random_design("rank", 3, 10, 1)) == pytest.approx(10 * 56 * 3 / 5)
    assert seconds(make_random_design("pairwise", 3, 10, 1)) == pytest.approx(300)


def test_identical_outputs_take_less_time():
    design = make_random_design("rank", 5, 50, 1, same=0.5)
    assert seconds(design) < estimate_workload(design.campaign, design.setup).total_seconds
    assert judgement_counts(design) == dict.fromkeys(design.setup.systems, 50)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_incomplete_setups_have_an_estimate(protocol):
    for setup in (
        CampaignSetup((), (), ()),
        CampaignSetup(("a",), (), ("r",)),
        CampaignSetup((), (0,), ("r",)),
        CampaignSetup(("a",), (0,), ()),
    ):
        work = estimate_workload(make_campaign(protocol), setup)
        assert set(work.screens) == set(setup.raters)
        assert set(work.judgements) == set(setup.systems)
    assert estimate_workload(make_campaign(protocol), CampaignSetup(("a", "b"), (), ("r",), training=3)).screens == {
        "r": 0
    }


@pytest.mark.parametrize("same", [0.0, 0.5])
def test_progress_begins_with_the_estimate_of_the_setup(same):
    """The remaining time of a ranking of three systems once began a third above the estimate of its setup."""
    design = make_random_design("rank", 3, 20, 2, same=same, training=4, repeats=0.1)
    assert remaining_seconds(design) == pytest.approx(estimate_workload(design.campaign, design.setup).seconds)


def test_remaining_time_uses_the_pace_of_the_rater():
    design = make_random_design("adequacy", 2, 10, 2, training=3)
    events = simulate_events(design, lambda *_: 3)
    first = [event for event in events if event.rater == "rater-1"]
    own = [screen for screen in design.screens if screen.rater == "rater-1"]
    half = [event for event in first if event.screen in {screen.uid for screen in own[: len(own) // 2]}]
    (pace,) = {event.seconds for event in first}
    rest = len(own) - len(own) // 2
    assert remaining_seconds(design, half) == pytest.approx(
        {"rater-1": rest * pace, "rater-2": 30 * (len(design.screens) - len(own))}
    )
    assert remaining_seconds(design, events) == {"rater-1": 0, "rater-2": 0}
