"""How much work a campaign is."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.workload import estimated, seconds_per_screen
from qe_desktop.ratings.campaign import Setup
from qe_desktop.ratings.protocols import PROTOCOLS, protocol_of
from tests.ratings.campaigns import campaign, designed

shares = st.floats(0, 1)


def judged(of):
    """How often each system is judged in a design."""
    systems = {key.output: key.systems for key in of.output_keys}
    real = {key.screen for key in of.screen_keys if key.role is ItemRole.SYSTEM}
    shown = (output for screen in of.screens if screen.uid in real for output in screen.outputs)
    return Counter(system for output in shown for system in systems[output])


def seconds(of):
    """What the screens of a design take."""
    protocol = protocol_of(of.campaign.protocol)
    return sum(seconds_per_screen(protocol, len(screen.outputs)) for screen in of.screens)


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
    guessed, screens, judgements = estimated(of.campaign, of.setup), Counter(s.rater for s in of.screens), judged(of)
    assert sorted(screens[rater] for rater in of.setup.raters) == sorted(guessed.screens.values())
    assert judgements.total() == pytest.approx(sum(guessed.judgements.values()))
    assert all(abs(judgements[name] - count) <= 6 for name, count in guessed.judgements.items())
    assert seconds(of) == pytest.approx(guessed.total_seconds)


def test_the_usual_pace():
    assert seconds(designed("rank", 5, 10, 1)) == 560.0
    assert seconds(designed("adequacy", 2, 10, 1)) == 600.0
    assert seconds(designed("rank", 3, 10, 1)) == pytest.approx(10 * 56 * 3 / 5)
    assert seconds(designed("pairwise", 3, 10, 1)) == pytest.approx(300)


def test_outputs_that_are_the_same_take_less_time():
    of = designed("rank", 5, 50, 1, same=0.5)
    assert seconds(of) < estimated(of.campaign, of.setup).total_seconds
    assert judged(of) == dict.fromkeys(of.setup.systems, 50)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_form_that_is_not_filled_in_yet(protocol):
    for setup in (Setup((), (), ()), Setup(("a",), (), ("r",)), Setup((), (0,), ("r",)), Setup(("a",), (0,), ())):
        work = estimated(campaign(protocol), setup)
        assert set(work.screens) == set(setup.raters)
        assert set(work.judgements) == set(setup.systems)
    assert estimated(campaign(protocol), Setup(("a", "b"), (), ("r",), training=3)).screens == {"r": 0}
