"""Data sets: the sums of rows are those of tags, shares are met as the overshoot says, and the draw is the paper's."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.levels.words.tag_inputs import level_of, scoring_of
from qe_desktop.metrics import WORD_METRICS, Family, Metric, metric_families
from qe_desktop.metrics.tags.word_metrics import F1_BAD
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.error_pool import build_error_pool
from tests.comparing import scored, word_metrics
from tests.metrics import naive
from tests.studies.sampling.made import METRICS, as_lists, data_set, gold_and_systems, options, scoring, wrong

WAYS = [(mixing, repeated) for mixing in ("many", "one") for repeated in (False, True)]
OVERSHOOTS = ("keep", "stop", "partial")


def sets_of(asked, **others) -> DataSets:
    return DataSets.of(build_error_pool(scoring(**others), METRICS, repeated=asked.repeated), asked)


def plainly(sets: DataSets, order, gold, systems):
    """How many items of an order each share takes, item by item."""
    pool, found = sets.pool, []
    for part, whole in sets.options.needed:
        errors, tags, seen = 0, pool.tags, set()
        for place, item in enumerate(order):
            if item < pool.items:
                segment = pool.segment[item]
                errors += wrong([gold[segment]], [systems[pool.system[item]][segment]])
                tags += len(gold[segment]) if segment in seen else 0
                seen.add(segment)
            if Fraction(errors, tags) >= Fraction(part, whole):
                stops = sets.options.overshoot == "stop" and Fraction(errors, tags) > Fraction(part, whole)
                found.append(place if stops else place + 1)
                break
    return found


@pytest.mark.parametrize(("mixing", "repeated"), WAYS)
@pytest.mark.parametrize("overshoot", ["keep", "stop"])
def test_scores_are_those_of_the_tags(mixing, repeated, overshoot):
    asked = options(mixing=mixing, repeated=repeated, overshoot=overshoot)
    sets = sets_of(asked)
    gold, systems = gold_and_systems()
    gold, systems = as_lists(gold), [as_lists(system) for system in systems]
    orders = sets.orders.draw(np.random.default_rng(1))[:4]
    drawn = sets.cut(orders)
    scores = sets.pool.scores(drawn.moved)
    assert drawn.redrawn == 0
    for place, order in enumerate(orders.tolist()):
        for share, count in enumerate(plainly(sets, order, gold, systems)):
            items = [item for item in order[:count] if item < sets.pool.items]
            chosen = [(sets.pool.system[item], sets.pool.segment[item]) for item in items]
            one, other = data_set(gold, systems, chosen, repeated=repeated)
            assert drawn.errors[place, share] == wrong(one, other)
            assert drawn.tags[place, share] == sum(map(len, one))
            expected = naive.scores(one, other)
            for metric, found in zip(METRICS, scores[:, place, share], strict=True):
                assert found == pytest.approx(expected[metric.name], abs=1e-12), metric.name
            if mixing == "one":
                assert len({system for system, _ in chosen}) == 1


@pytest.mark.parametrize(("mixing", "repeated"), WAYS)
@pytest.mark.parametrize("overshoot", OVERSHOOTS)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), first=st.integers(1, 24), second=st.integers(1, 24))
def test_shares_are_met_within_the_overshoot(mixing, repeated, overshoot, seed, first, second):
    asked = options(errors=(str(first), str(second + 0.25)), mixing=mixing, repeated=repeated, overshoot=overshoot)
    sets = sets_of(asked)
    drawn = sets.drawn(np.random.default_rng(seed), 30)
    wanted = np.asarray([float(error) / 100 for error in asked.errors])
    beyond = drawn.errors - wanted * drawn.tags
    largest = sets.pool.errors.max()
    if overshoot == "partial":
        assert np.abs(beyond).max() < 1e-9
    elif overshoot == "keep":
        assert beyond.min() >= -1e-9
        assert beyond.max() < largest
    else:
        assert beyond.max() <= 1e-9
        assert beyond.min() > -largest
    assert (np.diff(drawn.errors, axis=1) >= -1e-9).all()


def test_what_meets_the_share_is_whole_whatever_the_overshoot():
    # every wrong segment has one wrong tag of ten, and 20 % are two of them
    gold = TagColumn.of([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]])
    system = TagColumn.of([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    pool = build_error_pool(scored(["s"], gold, [system]), METRICS)
    for overshoot in OVERSHOOTS:
        drawn = DataSets.of(pool, options(errors=("10", "20"), overshoot=overshoot)).drawn(np.random.default_rng(1), 9)
        assert (drawn.errors == [1, 2]).all()


def test_items_come_first_as_they_would_from_the_pool():
    """Of segments that more systems got wrong, one comes the earlier, from any of these systems alike."""
    gold = TagColumn.of([[1, 0], [1, 0]])
    right, off = [1, 0], [0, 0]
    systems = [TagColumn.of([off, off]), TagColumn.of([off, right]), TagColumn.of([off, right])]
    sets = DataSets.of(build_error_pool(scored(["a", "b", "c"], gold, systems), METRICS), options(errors=("10", "20")))
    dice = np.random.default_rng(1)
    first = np.concatenate([sets.orders.draw(dice)[:, 0] for _ in range(400)])
    counts = Counter(zip(sets.pool.segment[first].tolist(), sets.pool.system[first].tolist(), strict=True))
    assert set(counts) == {(0, 0), (0, 1), (0, 2), (1, 0)}
    # each of four items first in a quarter of all orders, within five deviations
    assert max(abs(count / len(first) - 0.25) for count in counts.values()) < 5 * (0.1875 / len(first)) ** 0.5


def test_orders_of_the_pool_hold_each_segment_once():
    sets = sets_of(options())
    orders = sets.orders.draw(np.random.default_rng(1))
    segments = np.sort(sets.pool.segment[orders], axis=1)
    assert (segments == np.unique(sets.pool.segment)).all()


def test_with_replacement_segments_come_again_and_make_data_sets_larger():
    sets = sets_of(options(repeated=True))
    drawn = sets.drawn(np.random.default_rng(1), 50)
    assert (drawn.tags > sets.pool.tags).mean() > 0.5


def test_orders_that_end_before_are_drawn_again():
    # of each segment one system has nearly all tags wrong, the other one
    gold = TagColumn.of([[0, 0, 0, 0, 1]] * 6)
    systems = [TagColumn.of([[1, 1, 1, 1, 1]] * 6), TagColumn.of([[1, 0, 0, 0, 1]] * 6)]
    pool = build_error_pool(scored(["many", "few"], gold, systems), METRICS)
    drawn = DataSets.of(pool, options(errors=("10", "50"))).drawn(np.random.default_rng(1), 500)
    assert drawn.redrawn > 50
    assert (drawn.errors[:, 1] >= 15).all()


@pytest.mark.parametrize(("mixing", "repeated"), WAYS)
def test_a_share_that_is_never_reached_is_refused_with_the_highest(mixing, repeated):
    asked = options(errors=("10", "60"), mixing=mixing, repeated=repeated)
    with pytest.raises(QeError, match=r"60 % of errors is not possible; .* reach (3\d|4\d)\.\d\d %"):
        sets_of(asked)


def test_the_highest_share_that_is_said_can_be_reached():
    with pytest.raises(QeError) as refused:
        sets_of(options(errors=("10", "60")))
    highest = refused.value.message.split("reach ")[1].split()[0]
    assert sets_of(options(errors=("10", highest))).drawn(np.random.default_rng(1), 20).errors.shape == (20, 2)


def test_gold_without_bad_and_systems_without_errors_are_refused():
    gold, systems = gold_and_systems()
    ok = TagColumn(np.zeros_like(gold.values), gold.offsets)
    with pytest.raises(QeError, match="no BAD tag"):
        build_error_pool(scored(["s"], ok, [systems[0]]), METRICS)
    with pytest.raises(QeError, match="no errors to sample"):
        build_error_pool(scored(["s"], gold, [gold]), METRICS)


def test_metrics_whose_rows_do_not_stand_for_themselves_are_refused():
    family = Family("whole", ("x",), shared=(), rows=lambda overlap: overlap, separate=False)
    metric = Metric("whole-corpus", family, (F1_BAD,), 0, 1, "", "")
    with pytest.raises(QeError, match="whole-corpus cannot be computed from single segments"):
        build_error_pool(scoring(), [metric])


def test_every_word_metric_has_rows_that_add_up():
    assert all(family.separate for family in metric_families(WORD_METRICS.values()))
    pool = build_error_pool(scoring(), list(WORD_METRICS.values()))
    assert pool.scores(np.zeros((1, len(pool.moving)))).shape == (len(WORD_METRICS), 1)


def test_all_sums_without_any_item_are_the_golds():
    gold, _ = gold_and_systems()
    pool = build_error_pool(scoring(), METRICS)
    expected = naive.scores(as_lists(gold), as_lists(gold))
    found = pool.scores(np.zeros((1, len(pool.moving))))[:, 0].tolist()
    assert found == pytest.approx([expected[metric.name] for metric in METRICS])


@pytest.mark.parametrize("kind", ["gaps", "source", "all"])
def test_other_tags_go_the_same_way(kind):
    gold, systems = gold_and_systems()
    found = scoring_of(level_of(kind), gold, {"a": systems[0], "b": systems[1]})
    pool = build_error_pool(found, word_metrics(("F1-mult", "SeqCor")))
    assert pool.items == sum(
        wrong([g], [t]) > 0
        for system in systems[:2]
        for g, t in zip(as_lists(gold), as_lists(system), strict=True)
    )  # fmt: skip


def test_blocks_and_counts_change_nothing():
    sets = sets_of(options())
    whole = sets.drawn(np.random.default_rng(1), 200).errors
    parts = [sets.drawn(np.random.default_rng(1), count).errors for count in (1, 64, 65, 199)]
    assert all((part == whole[: len(part)]).all() for part in parts)
    assert all(len(one) < len(other) for one, other in pairwise(parts))
