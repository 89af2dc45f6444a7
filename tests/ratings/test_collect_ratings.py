"""Ratings by system, collected from the events of raters."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import ItemRole, RatingFlag
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.blinding import collect_ratings, segment_name
from qe_desktop.ratings.campaign import Screen
from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.ratings.rater_progress import rater_progress_counts
from qe_desktop.ratings.rater_session import RaterSession
from tests.ratings.campaigns import (
    BlindingKey,
    TickingClock,
    make_campaign,
    make_passages,
    make_random_design,
    make_rater_session,
    make_setup,
    simulate_events,
)

QUALITY = {f"system-{index}": index for index in range(1, 6)}


def answers_by_quality(key: BlindingKey):
    """Return answers by which the number of a system is its quality and degraded outputs are worst."""

    def quality(output: str) -> int:
        key_row = key.output[output]
        return 0 if key_row.role is ItemRole.BAD else QUALITY[key_row.systems[0]]

    def answer(screen: Screen, field: str) -> object:
        qualities = [quality(output) for output in screen.outputs]
        if field == "ranks":
            order = sorted(set(qualities), reverse=True)
            return tuple(order.index(key_row) + 1 for key_row in qualities)
        return max(1, min(5, qualities[0]))

    return answer


def test_ratings_are_assigned_to_their_systems():
    design = make_random_design("adequacy-fluency", 4, 10, 3, repeats=0.2, controls=0.2, training=2)
    key = BlindingKey(design)
    ratings = collect_ratings(design, simulate_events(design, answers_by_quality(key)))
    scores = ratings.scores
    assert len(scores) == 2 * len(design.screens)
    assert len(ratings.pairs) == 0
    expected = Counter(
        (screen.rater, key.systems(screen)[0], segment_name(screen.segment), scale, key.role(screen))
        for screen in design.screens
        for scale in ("fluency", "adequacy")
    )
    rows = scores.rows()
    assert Counter((row.rater, row.system, row.segment, row.scale, row.role) for row in rows) == expected
    for row in rows:
        assert row.value == (1 if row.role is ItemRole.BAD else QUALITY[row.system])
        # two ratings and a reveal, a second for each rating
        assert row.seconds == 2
        assert row.started >= 999
        assert row.flags == (RatingFlag.SOURCE_NOT_SEEN if row.scale == "fluency" else 0)
    assert ratings.origin == "A campaign"
    assert (ratings.notes, ratings.comments) == ((), ())


@pytest.mark.parametrize("protocol", [name for name, left in PROTOCOLS.items() if left.compares])
def test_rankings_become_pairs_in_the_order_shown(protocol):
    design = make_random_design(protocol, 4, 12, 2, repeats=0.25, training=1)
    key = BlindingKey(design)
    pairs = collect_ratings(design, simulate_events(design, answers_by_quality(key))).pairs
    by_screen = defaultdict(list)
    for row in pairs.rows():
        by_screen[row.screen].append(row)
    assert set(by_screen) == {screen.uid for screen in design.screens}
    for screen in design.screens:
        names = key.systems(screen)
        rows = by_screen[screen.uid]
        assert [(row.first, row.second) for row in rows] == [
            (left, right) for index, left in enumerate(names) for right in names[index + 1 :]
        ]
        assert {(row.rater, row.segment, row.role) for row in rows} == {
            (screen.rater, segment_name(screen.segment), key.role(screen))
        }
    outcome = pairs.outcome()
    better = np.asarray([QUALITY[pairs.units[left]] for left in pairs.first]) > [
        QUALITY[pairs.units[right]] for right in pairs.second
    ]
    assert np.array_equal(outcome == 1, better)


def test_pairs_with_a_degraded_output_have_their_role_and_list_it_second():
    design = make_random_design("rank", 4, 20, 1, controls=0.25)
    key = BlindingKey(design)
    rows = collect_ratings(design, simulate_events(design, answers_by_quality(key))).pairs.rows()
    controls = {screen.uid for screen in design.screens if key.role(screen) is ItemRole.BAD}
    assert len(controls) == 5
    bad = [row for row in rows if row.role is ItemRole.BAD]
    # in each control screen, three pairs contain the degraded output, and three do not
    assert len(bad) == 15
    assert all(row.screen in controls and row.first_rank < row.second_rank for row in bad)
    assert sum(row.first == row.second for row in bad) == 5
    assert Counter(row.role for row in rows if row.screen in controls) == {ItemRole.BAD: 15, ItemRole.REPEAT: 15}
    assert Counter(row.role for row in rows if row.screen not in controls) == {ItemRole.SYSTEM: 120}


def test_identical_outputs_are_one_unit_that_ties_with_itself_if_alone():
    texts = {"a": ["x y", "same"], "b": ["x y", "same"], "c": ["z", "same"]}
    design = design_campaign(
        make_campaign("rank"), replace(make_setup(0, 2, 1), systems=("a", "b", "c")), make_passages(2), texts
    )
    ratings = collect_ratings(
        design, simulate_events(design, lambda screen, field: tuple(range(1, len(screen.outputs) + 1)))
    )
    rows = {(row.segment, frozenset((row.first, row.second))): row for row in ratings.pairs.rows()}
    assert set(rows) == {("1", frozenset(("a+b", "c"))), ("2", frozenset(("a+b+c",)))}
    alone = rows["2", frozenset(("a+b+c",))]
    assert alone.first_rank == alone.second_rank == 1
    expanded = Counter(frozenset((row.first, row.second)) for row in ratings.pairs.expand_units().rows())
    assert expanded == {frozenset("ab"): 2, frozenset("ac"): 2, frozenset("bc"): 2}


def events_of(design, *actions) -> list[RatingEvent]:
    """Return the events of the first rater after these actions."""
    work = make_rater_session(design, design.setup.raters[0])
    for action in actions:
        action(work)
    return list(work.events)


def screen_uid(work: RaterSession, index: int = 0) -> str:
    return work.screens[index].uid


def test_incomplete_skipped_and_undone_items_do_not_count():
    design = make_random_design("adequacy-fluency", 2, 4, 1)
    events = events_of(
        design,
        lambda work: work.rate(screen_uid(work), "fluency", 2),
        lambda work: work.rate(screen_uid(work, 1), "fluency", 2),
        lambda work: work.skip(screen_uid(work, 1), "makes no sense", 3.0),
        lambda work: work.comment(screen_uid(work, 2), " <b>odd</b> "),
        lambda work: work.rate(screen_uid(work, 3), "fluency", 2),
        lambda work: work.undo(),
    )
    ratings = collect_ratings(design, events)
    assert [(row.scale, row.value) for row in ratings.scores.rows()] == [("fluency", 2.0)]
    key = BlindingKey(design)
    skipped, odd = ratings.comments
    assert (skipped.text, skipped.skipped, skipped.segment) == (
        "makes no sense",
        True,
        str(design.screens[1].segment + 1),
    )
    assert (odd.text, odd.skipped, odd.systems) == ("<b>odd</b>", False, tuple(key.systems(design.screens[2])))
    ranking = make_random_design("rank", 3, 2, 1)
    incomplete = events_of(ranking, lambda work: work.rate(screen_uid(work), "ranks", (1, 0, 2)))
    assert len(collect_ratings(ranking, incomplete).pairs) == 0


def test_flags_of_fluency():
    design = make_random_design("adequacy-fluency", 2, 4, 1)
    events = events_of(
        design,
        lambda work: work.rate(screen_uid(work), "fluency", 2),
        lambda work: work.reveal(screen_uid(work)),
        lambda work: work.rate(screen_uid(work), "adequacy", 4),
        lambda work: work.rate(screen_uid(work), "fluency", 3),
    )
    assert {row.scale: (row.value, row.flags) for row in collect_ratings(design, events).scores.rows()} == {
        "fluency": (3.0, RatingFlag.CHANGED_AFTER_REVEAL),
        "adequacy": (4.0, 0),
    }
    fluency_only = make_random_design("fluency", 2, 4, 1)
    (row,) = collect_ratings(
        fluency_only, events_of(fluency_only, lambda work: work.rate(screen_uid(work), "fluency", 2))
    ).scores.rows()
    assert row.flags == RatingFlag.SOURCE_NOT_SEEN
    direct = make_random_design("direct-assessment", 2, 4, 1)
    (row,) = collect_ratings(
        direct, events_of(direct, lambda work: work.rate(screen_uid(work), "score", 0))
    ).scores.rows()
    assert (row.value, row.flags) == (0, 0)


def test_events_of_other_raters_and_campaigns_are_skipped_and_counted():
    design = make_random_design("adequacy", 2, 4, 2, simulated=True)
    valid = events_of(design, lambda work: work.rate(screen_uid(work), "adequacy", 2))
    foreign = [
        replace(valid[0], uid="x", rater="rater-2", value=5.0),
        replace(valid[0], uid="y", campaign="other", value=5.0),
        replace(valid[0], uid="z", screen="nothing", value=5.0),
    ]
    ratings = collect_ratings(design, [*foreign, *valid, *valid])
    assert [row.value for row in ratings.scores.rows()] == [2.0]
    assert ratings.notes == (
        "1 invalid row of rater-2 was left out: unknown item or item of another rater",
        (
            "2 invalid rows of rater-1 were left out: event of another campaign (1), "
            "unknown item or item of another rater (1)"
        ),
        "the raters are simulated",
    )
    assert len(collect_ratings(design, []).scores) == 0


def test_training_has_its_role_and_its_comments_are_omitted():
    design = make_random_design("rank", 3, 4, 1, training=1)
    events = events_of(
        design,
        lambda work: work.rate(screen_uid(work), "ranks", (1, 2, 3)),
        lambda work: work.comment(screen_uid(work), "is that right?"),
    )
    ratings = collect_ratings(design, events)
    assert {row.role for row in ratings.pairs.rows()} == {ItemRole.TRAINING}
    assert ratings.comments == ()


@given(st.randoms(use_true_random=False), st.sampled_from(["adequacy-fluency", "rank"]))
def test_order_of_events_does_not_matter(random, protocol):
    design = make_random_design(protocol, 3, 4, 2, repeats=0.3)
    key = BlindingKey(design)
    events = simulate_events(design, answers_by_quality(key))
    for rater in design.setup.raters:
        rater_events = [event for event in events if event.rater == rater]
        work = make_rater_session(design, rater, rater_events, TickingClock(9000.0, f"later-{rater}"))
        for _ in range(random.randint(0, 5)):
            work.undo()
        work.redo()
        events += work.events[len(rater_events) :]
    expected = collect_ratings(design, events)
    random.shuffle(events)
    again = collect_ratings(design, events)
    assert Counter(again.scores.rows()) == Counter(expected.scores.rows())
    assert Counter(again.pairs.rows()) == Counter(expected.pairs.rows())


def test_progress_of_all_raters():
    design = make_random_design("adequacy", 2, 4, 3, training=2)
    events = []
    for index, rater in enumerate(design.setup.raters[:2]):
        work = make_rater_session(design, rater, clock=TickingClock(prefix=rater))
        for screen in work.screens[: 2 + 3 * index]:
            work.rate(screen.uid, "adequacy", 3)
        work.skip(work.screens[-1].uid, "no")
        events += work.events
        assert rater_progress_counts(design.campaign, design.screens, events)[rater] == work.progress()
    assert rater_progress_counts(design.campaign, design.screens, events) == {
        "rater-1": (1, 8),
        "rater-2": (4, 8),
        "rater-3": (0, 8),
    }
