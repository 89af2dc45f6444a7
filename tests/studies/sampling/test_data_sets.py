"""Sampled data sets: scores, error shares within the overshoot, and the sampling scheme of the paper."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.levels.words.tag_inputs import level_of, scoring_of
from qe_desktop.metrics import WORD_METRICS, Family, Metric, metric_families
from qe_desktop.metrics.tags.word_f1_mcc import F1_BAD
from qe_desktop.studies.sampling.data_sets import DataSets, prepare_orders
from qe_desktop.studies.sampling.error_pool import build_error_pool
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from tests.metrics import naive_word_metrics
from tests.studies.sampling.small_data_sets import (
    METRICS,
    as_lists,
    count_errors,
    data_set,
    gold_and_systems,
    sampling_options,
    small_scoring,
)
from tests.tag_comparison import make_scoring, word_metrics

WAYS = [(mixing, repeated) for mixing in ("many", "one") for repeated in (False, True)]
OVERSHOOTS = ("keep", "stop", "partial")


def sets_of(options, **others) -> DataSets:
    return DataSets.of(build_error_pool(small_scoring(**others), METRICS, repeated=options.repeated), options)


def naive_cuts(sets: DataSets, order, gold, systems):
    """Return how many items of an order each share needs, counted item by item."""
    pool, cuts = sets.pool, []
    for part, whole in sets.options.share_ratios:
        errors, tags, seen = 0, pool.tags, set()
        for index, item in enumerate(order):
            if item < pool.items:
                segment = pool.segment[item]
                errors += count_errors([gold[segment]], [systems[pool.system[item]][segment]])
                tags += len(gold[segment]) if segment in seen else 0
                seen.add(segment)
            if Fraction(errors, tags) >= Fraction(part, whole):
                stops = sets.options.overshoot == "stop" and Fraction(errors, tags) > Fraction(part, whole)
                cuts.append(index if stops else index + 1)
                break
    return cuts


@pytest.mark.parametrize(("mixing", "repeated"), WAYS)
@pytest.mark.parametrize("overshoot", ["keep", "stop"])
def test_scores_of_samples_equal_scores_of_their_tags(mixing, repeated, overshoot):
    sampling = sampling_options(mixing=mixing, repeated=repeated, overshoot=overshoot)
    sets = sets_of(sampling)
    gold, systems = gold_and_systems()
    gold, systems = as_lists(gold), [as_lists(system) for system in systems]
    orders = sets.orders.draw(np.random.default_rng(1))[:4]
    drawn = sets.cut_orders(orders)
    scores = sets.pool.scores(drawn.moved)
    assert drawn.redrawn == 0
    for index, order in enumerate(orders.tolist()):
        for share, count in enumerate(naive_cuts(sets, order, gold, systems)):
            items = [item for item in order[:count] if item < sets.pool.items]
            chosen = [(sets.pool.system[item], sets.pool.segment[item]) for item in items]
            gold_tags, sampled_tags = data_set(gold, systems, chosen, repeated=repeated)
            assert drawn.errors[index, share] == count_errors(gold_tags, sampled_tags)
            assert drawn.tags[index, share] == sum(map(len, gold_tags))
            expected = naive_word_metrics.scores(gold_tags, sampled_tags)
            for metric, score in zip(METRICS, scores[:, index, share], strict=True):
                assert score == pytest.approx(expected[metric.name], abs=1e-12), metric.name
            if mixing == "one":
                assert len({system for system, _ in chosen}) == 1


@pytest.mark.parametrize(("mixing", "repeated"), WAYS)
@pytest.mark.parametrize("overshoot", OVERSHOOTS)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), first=st.integers(1, 24), second=st.integers(1, 24))
def test_error_shares_are_met_within_the_overshoot(mixing, repeated, overshoot, seed, first, second):
    sampling = sampling_options(
        errors=(str(first), str(second + 0.25)), mixing=mixing, repeated=repeated, overshoot=overshoot
    )
    sets = sets_of(sampling)
    drawn = sets.draw(np.random.default_rng(seed), 30)
    shares = np.asarray([float(error) / 100 for error in sampling.errors])
    beyond = drawn.errors - shares * drawn.tags
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


def test_shares_met_exactly_do_not_depend_on_the_overshoot():
    # every wrong segment has one of the ten tags wrong, so that 20 % are two segments
    gold = TagColumn.of([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0]])
    system = TagColumn.of([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    pool = build_error_pool(make_scoring(["s"], gold, [system]), METRICS)
    for overshoot in OVERSHOOTS:
        drawn = DataSets.of(pool, sampling_options(errors=("10", "20"), overshoot=overshoot)).draw(
            np.random.default_rng(1), 9
        )
        assert (drawn.errors == [1, 2]).all()


def test_every_item_of_the_pool_is_equally_often_first():
    """The more systems have a segment wrong, the earlier it comes; each of these systems is equally likely."""
    gold = TagColumn.of([[1, 0], [1, 0]])
    correct, incorrect = [1, 0], [0, 0]
    systems = [
        TagColumn.of([incorrect, incorrect]),
        TagColumn.of([incorrect, correct]),
        TagColumn.of([incorrect, correct]),
    ]
    sets = DataSets.of(
        build_error_pool(make_scoring(["a", "b", "c"], gold, systems), METRICS), sampling_options(errors=("10", "20"))
    )
    generator = np.random.default_rng(1)
    first = np.concatenate([sets.orders.draw(generator)[:, 0] for _ in range(400)])
    counts = Counter(zip(sets.pool.segment[first].tolist(), sets.pool.system[first].tolist(), strict=True))
    assert set(counts) == {(0, 0), (0, 1), (0, 2), (1, 0)}
    # each of four items is first in a quarter of all orders, within five standard deviations
    assert max(abs(count / len(first) - 0.25) for count in counts.values()) < 5 * (0.1875 / len(first)) ** 0.5


def test_orders_contain_each_segment_once():
    sets = sets_of(sampling_options())
    orders = sets.orders.draw(np.random.default_rng(1))
    segments = np.sort(sets.pool.segment[orders], axis=1)
    assert (segments == np.unique(sets.pool.segment)).all()


def test_sampling_with_replacement_enlarges_the_data_sets():
    sets = sets_of(sampling_options(repeated=True))
    drawn = sets.draw(np.random.default_rng(1), 50)
    assert (drawn.tags > sets.pool.tags).mean() > 0.5


def test_orders_that_end_below_the_share_are_redrawn():
    # in each segment, one system has nearly all tags wrong, and the other a single tag
    gold = TagColumn.of([[0, 0, 0, 0, 1]] * 6)
    systems = [TagColumn.of([[1, 1, 1, 1, 1]] * 6), TagColumn.of([[1, 0, 0, 0, 1]] * 6)]
    pool = build_error_pool(make_scoring(["many", "few"], gold, systems), METRICS)
    drawn = DataSets.of(pool, sampling_options(errors=("10", "50"))).draw(np.random.default_rng(1), 500)
    assert drawn.redrawn > 50
    assert (drawn.errors[:, 1] >= 15).all()


@pytest.mark.parametrize(("mixing", "repeated"), WAYS)
def test_unreachable_share_is_refused_with_the_highest_possible(mixing, repeated):
    sampling = sampling_options(errors=("10", "60"), mixing=mixing, repeated=repeated)
    with pytest.raises(QeError, match=r"an error rate of 60 % is not possible; .* reach only (3\d|4\d)\.\d\d %"):
        sets_of(sampling)


@pytest.mark.parametrize(("mixing", "repeated"), WAYS)
def test_highest_reported_share_can_be_reached(mixing, repeated):
    def make_sets(share):
        return sets_of(sampling_options(errors=("10", share), mixing=mixing, repeated=repeated))

    def reported_share(share):
        with pytest.raises(QeError) as refused:
            make_sets(share)
        return refused.value.message.split("reach only ")[1].split()[0]

    highest = reported_share("60")
    assert make_sets(highest).draw(np.random.default_rng(1), 20).errors.shape == (20, 2)
    # the share that a slightly higher share reports is not above it
    above = str(Decimal(highest) + Decimal("0.02"))
    assert Decimal(reported_share(above)) < Decimal(above)


def test_gold_without_bad_or_systems_without_errors_are_refused():
    gold, systems = gold_and_systems()
    ok = TagColumn(np.zeros_like(gold.values), gold.offsets)
    with pytest.raises(QeError, match="no BAD tag"):
        build_error_pool(make_scoring(["s"], ok, [systems[0]]), METRICS)
    with pytest.raises(QeError, match="no errors to sample"):
        build_error_pool(make_scoring(["s"], gold, [gold]), METRICS)


def test_metrics_that_do_not_sum_over_segments_are_refused():
    family = Family("whole", ("x",), shared=(), rows=lambda overlap: overlap, has_independent_rows=False)
    metric = Metric("whole-corpus", family, (F1_BAD,), 0, 1, "", "")
    with pytest.raises(QeError, match="whole-corpus cannot be computed from single segments"):
        build_error_pool(small_scoring(), [metric])


def test_every_word_metric_sums_over_segments():
    assert all(family.has_independent_rows for family in metric_families(WORD_METRICS.values()))
    pool = build_error_pool(small_scoring(), list(WORD_METRICS.values()))
    assert pool.scores(np.zeros((1, len(pool.changing_columns)))).shape == (len(WORD_METRICS), 1)


def test_pool_without_items_scores_like_the_gold_tags():
    gold, _ = gold_and_systems()
    pool = build_error_pool(small_scoring(), METRICS)
    expected = naive_word_metrics.scores(as_lists(gold), as_lists(gold))
    scores = pool.scores(np.zeros((1, len(pool.changing_columns))))[:, 0].tolist()
    assert scores == pytest.approx([expected[metric.name] for metric in METRICS])


@pytest.mark.parametrize("kind", ["gaps", "source", "all"])
def test_pool_of_other_tag_levels_has_all_wrong_segments(kind):
    gold, systems = gold_and_systems()
    tag_scoring = scoring_of(level_of(kind), gold, {"a": systems[0], "b": systems[1]})
    pool = build_error_pool(tag_scoring, word_metrics(("F1-mult", "SeqCor")))
    assert pool.items == sum(
        count_errors([g], [t]) > 0
        for system in systems[:2]
        for g, t in zip(as_lists(gold), as_lists(system), strict=True)
    )  # fmt: skip


def test_draws_do_not_depend_on_block_size_or_count():
    sets = sets_of(sampling_options())
    whole = sets.draw(np.random.default_rng(1), 200).errors
    parts = [sets.draw(np.random.default_rng(1), count).errors for count in (1, 64, 65, 199)]
    assert all((part == whole[: len(part)]).all() for part in parts)
    assert all(len(shorter) < len(longer) for shorter, longer in pairwise(parts))


@pytest.mark.parametrize("flips", [0.35, 0.05, 0.001])
@pytest.mark.parametrize("changes", [{}, {"mixing": "one"}, {"repeated": True}])
def test_shares_are_lowered_only_if_errors_are_too_few(flips, changes):
    pool = build_error_pool(small_scoring(flips=flips, segments=400), METRICS, repeated=changes.get("repeated", False))
    options = SamplingOptions(lowers_errors=True, **changes).normalize()
    lowered = DataSets.of(pool, options).options
    try:
        prepare_orders(pool, options)
    except QeError:
        assert lowered.errors[-1] < options.errors[-1]
        assert len(set(lowered.errors)) == len(options.errors)
        pairs = options.pairs
        assert all(0 < lowered.difference(pair) <= options.difference(pair) for pair in pairs)
        assert lowered == lowered.normalize()
        DataSets.of(pool, lowered).draw(np.random.default_rng(1), 10)
    else:
        assert lowered == options
