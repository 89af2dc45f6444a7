"""From what raters did to ratings by system."""

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
from tests.ratings.campaigns import Key, Ticks, answered, campaign, designed, passages, setup, work_of

QUALITY = {f"system-{place}": place for place in range(1, 6)}


def by_quality(key: Key):
    """Raters for whom a system's number is its quality, and a degraded output is always the worst."""

    def quality(output: str) -> int:
        one = key.output[output]
        return 0 if one.role is ItemRole.BAD else QUALITY[one.systems[0]]

    def answer(screen: Screen, field: str) -> object:
        qualities = [quality(output) for output in screen.outputs]
        if field == "ranks":
            order = sorted(set(qualities), reverse=True)
            return tuple(order.index(one) + 1 for one in qualities)
        return max(1, min(5, qualities[0]))

    return answer


def test_every_rating_comes_back_under_its_system():
    of = designed("adequacy-fluency", 4, 10, 3, repeats=0.2, controls=0.2, training=2)
    key = Key(of)
    ratings = collect_ratings(of, answered(of, by_quality(key)))
    scores = ratings.scores
    assert len(scores) == 2 * len(of.screens)
    assert len(ratings.pairs) == 0
    expected = Counter(
        (screen.rater, key.systems(screen)[0], segment_name(screen.segment), scale, key.role(screen))
        for screen in of.screens
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


@pytest.mark.parametrize("protocol", [name for name, one in PROTOCOLS.items() if one.compares])
def test_rankings_come_back_as_pairs_in_the_order_shown(protocol):
    of = designed(protocol, 4, 12, 2, repeats=0.25, training=1)
    key = Key(of)
    pairs = collect_ratings(of, answered(of, by_quality(key))).pairs
    by_screen = defaultdict(list)
    for row in pairs.rows():
        by_screen[row.screen].append(row)
    assert set(by_screen) == {screen.uid for screen in of.screens}
    for screen in of.screens:
        names = key.systems(screen)
        rows = by_screen[screen.uid]
        assert [(row.first, row.second) for row in rows] == [
            (one, other) for place, one in enumerate(names) for other in names[place + 1 :]
        ]
        assert {(row.rater, row.segment, row.role) for row in rows} == {
            (screen.rater, segment_name(screen.segment), key.role(screen))
        }
    outcome = pairs.outcome()
    better = np.asarray([QUALITY[pairs.units[one]] for one in pairs.first]) > [
        QUALITY[pairs.units[other]] for other in pairs.second
    ]
    assert np.array_equal(outcome == 1, better)


def test_pairs_with_a_degraded_output_stand_apart_and_the_degraded_one_second():
    of = designed("rank", 4, 20, 1, controls=0.25)
    key = Key(of)
    rows = collect_ratings(of, answered(of, by_quality(key))).pairs.rows()
    controls = {screen.uid for screen in of.screens if key.role(screen) is ItemRole.BAD}
    assert len(controls) == 5
    bad = [row for row in rows if row.role is ItemRole.BAD]
    # of four outputs, the degraded one meets three; the others meet each other once more
    assert len(bad) == 15
    assert all(row.screen in controls and row.first_rank < row.second_rank for row in bad)
    assert sum(row.first == row.second for row in bad) == 5
    assert Counter(row.role for row in rows if row.screen in controls) == {ItemRole.BAD: 15, ItemRole.REPEAT: 15}
    assert Counter(row.role for row in rows if row.screen not in controls) == {ItemRole.SYSTEM: 120}


def test_identical_outputs_are_one_unit_and_beside_themselves_where_all_are_the_same():
    texts = {"a": ["x y", "same"], "b": ["x y", "same"], "c": ["z", "same"]}
    of = design_campaign(campaign("rank"), replace(setup(0, 2, 1), systems=("a", "b", "c")), passages(2), texts)
    ratings = collect_ratings(of, answered(of, lambda screen, field: tuple(range(1, len(screen.outputs) + 1))))
    rows = {(row.segment, frozenset((row.first, row.second))): row for row in ratings.pairs.rows()}
    assert set(rows) == {("1", frozenset(("a+b", "c"))), ("2", frozenset(("a+b+c",)))}
    alone = rows["2", frozenset(("a+b+c",))]
    assert alone.first_rank == alone.second_rank == 1
    expanded = Counter(frozenset((row.first, row.second)) for row in ratings.pairs.expanded().rows())
    assert expanded == {frozenset("ab"): 2, frozenset("ac"): 2, frozenset("bc"): 2}


def rated(of, *doings) -> list[RatingEvent]:
    """The events of the first rater who does this."""
    work = work_of(of, of.setup.raters[0])
    for doing in doings:
        doing(work)
    return list(work.events)


def first(work: RaterSession, place: int = 0) -> str:
    return work.screens[place].uid


def test_what_is_not_complete_or_skipped():
    of = designed("adequacy-fluency", 2, 4, 1)
    events = rated(
        of,
        lambda work: work.rate(first(work), "fluency", 2),
        lambda work: work.rate(first(work, 1), "fluency", 2),
        lambda work: work.skip(first(work, 1), "makes no sense", 3.0),
        lambda work: work.comment(first(work, 2), " <b>odd</b> "),
        lambda work: work.rate(first(work, 3), "fluency", 2),
        lambda work: work.undo(),
    )
    ratings = collect_ratings(of, events)
    assert [(row.scale, row.value) for row in ratings.scores.rows()] == [("fluency", 2.0)]
    key = Key(of)
    skipped, odd = ratings.comments
    assert (skipped.text, skipped.skipped, skipped.segment) == ("makes no sense", True, str(of.screens[1].segment + 1))
    assert (odd.text, odd.skipped, odd.systems) == ("<b>odd</b>", False, tuple(key.systems(of.screens[2])))
    ranking = designed("rank", 3, 2, 1)
    half = rated(ranking, lambda work: work.rate(first(work), "ranks", (1, 0, 2)))
    assert len(collect_ratings(ranking, half).pairs) == 0


def test_flags_of_fluency():
    of = designed("adequacy-fluency", 2, 4, 1)
    events = rated(
        of,
        lambda work: work.rate(first(work), "fluency", 2),
        lambda work: work.reveal(first(work)),
        lambda work: work.rate(first(work), "adequacy", 4),
        lambda work: work.rate(first(work), "fluency", 3),
    )
    assert {row.scale: (row.value, row.flags) for row in collect_ratings(of, events).scores.rows()} == {
        "fluency": (3.0, RatingFlag.CHANGED_AFTER_REVEAL),
        "adequacy": (4.0, 0),
    }
    only = designed("fluency", 2, 4, 1)
    (row,) = collect_ratings(only, rated(only, lambda work: work.rate(first(work), "fluency", 2))).scores.rows()
    assert row.flags == RatingFlag.SOURCE_NOT_SEEN
    direct = designed("direct-assessment", 2, 4, 1)
    (row,) = collect_ratings(direct, rated(direct, lambda work: work.rate(first(work), "score", 0))).scores.rows()
    assert (row.value, row.flags) == (0, 0)


def test_events_that_are_not_the_raters_own_are_left_out_and_counted():
    of = designed("adequacy", 2, 4, 2, simulated=True)
    mine = rated(of, lambda work: work.rate(first(work), "adequacy", 2))
    strange = [
        replace(mine[0], uid="x", rater="rater-2", value=5.0),
        replace(mine[0], uid="y", campaign="other", value=5.0),
        replace(mine[0], uid="z", screen="nothing", value=5.0),
    ]
    ratings = collect_ratings(of, [*strange, *mine, *mine])
    assert [row.value for row in ratings.scores.rows()] == [2.0]
    assert ratings.notes == (
        "1 row of rater-2 was skipped: item of another rater",
        "2 rows of rater-1 were skipped: event of another campaign (1), item of another rater (1)",
        "the raters are simulated",
    )
    assert len(collect_ratings(of, []).scores) == 0


def test_training_is_marked_and_its_remarks_are_left_out():
    of = designed("rank", 3, 4, 1, training=1)
    events = rated(
        of,
        lambda work: work.rate(first(work), "ranks", (1, 2, 3)),
        lambda work: work.comment(first(work), "is that right?"),
    )
    ratings = collect_ratings(of, events)
    assert {row.role for row in ratings.pairs.rows()} == {ItemRole.TRAINING}
    assert ratings.comments == ()


@given(st.randoms(use_true_random=False), st.sampled_from(["adequacy-fluency", "rank"]))
def test_the_order_in_which_events_arrive_is_nothing(dice, protocol):
    of = designed(protocol, 3, 4, 2, repeats=0.3)
    key = Key(of)
    events = answered(of, by_quality(key))
    for rater in of.setup.raters:
        own = [event for event in events if event.rater == rater]
        work = work_of(of, rater, own, Ticks(9000.0, f"later-{rater}"))
        for _ in range(dice.randint(0, 5)):
            work.undo()
        work.redo()
        events += work.events[len(own) :]
    there = collect_ratings(of, events)
    dice.shuffle(events)
    again = collect_ratings(of, events)
    assert Counter(again.scores.rows()) == Counter(there.scores.rows())
    assert Counter(again.pairs.rows()) == Counter(there.pairs.rows())


def test_progress_of_all_raters():
    of = designed("adequacy", 2, 4, 3, training=2)
    events = []
    for place, rater in enumerate(of.setup.raters[:2]):
        work = work_of(of, rater, ticks=Ticks(prefix=rater))
        for screen in work.screens[: 2 + 3 * place]:
            work.rate(screen.uid, "adequacy", 3)
        work.skip(work.screens[-1].uid, "no")
        events += work.events
        assert rater_progress_counts(of.campaign, of.screens, events)[rater] == work.progress()
    assert rater_progress_counts(of.campaign, of.screens, events) == {
        "rater-1": (1, 8),
        "rater-2": (4, 8),
        "rater-3": (0, 8),
    }
