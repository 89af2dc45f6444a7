"""More systems, raters or joined outputs than can be compared are refused in a sentence, and not begun."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from qe_desktop.corpus import PairwiseJudgement, QeError, Ratings, Score
from qe_desktop.ratings.aggregation import means as intervals
from qe_desktop.ratings.aggregation.means import segment_means
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.sample_size import MAX_SYSTEMS

MANY = 20_000


def joined_outputs(letter: str, count: int) -> str:
    return "+".join(f"{letter}{place}" for place in range(count))


BEYOND = {
    "20,000 systems rated on a scale": Ratings.of(
        [Score("r", f"s{place}", str(place % 7), "score", place % 101) for place in range(MANY)]
    ),
    "20,000 systems ranked": Ratings.of(
        (), [PairwiseJudgement("r", str(place), f"s{place}", f"s{place + 1}", 1, 2) for place in range(MANY)]
    ),
    "one pair of 3,000 and 3,000 joined systems": Ratings.of(
        (), [PairwiseJudgement("r", "1", joined_outputs("a", 3000), joined_outputs("b", 3000), 1, 2)]
    ),
    "many pairs of few hundred joined systems": Ratings.of(
        (),
        [
            PairwiseJudgement("r", str(place), joined_outputs("a", 400), joined_outputs("b", 400), 1, 2)
            for place in range(200)
        ],
    ),
    "20,000 raters of one output": Ratings.of(
        [Score(f"r{place}", "A", "1", "score", place % 101) for place in range(MANY)]
    ),
    "200 scales": Ratings.of([Score("r", "A", str(place), f"scale {place % 200}", 3) for place in range(MANY)]),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_cannot_be_compared_is_refused_before_memory_is_asked_for(name):
    """Tables of systems × systems and of raters × raters took gigabytes, and minutes, before they failed."""
    tracemalloc.start()
    try:
        with pytest.raises(QeError, match=r"at most [\d,]+ can be compared with each other") as caught:
            build_results(BEYOND[name], trueskill=False)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()
    assert caught.value.hint


def test_as_many_systems_as_are_allowed_are_compared():
    rows = [Score("r", f"s{place % MAX_SYSTEMS}", str(place), "score", place % 11) for place in range(3 * MAX_SYSTEMS)]
    assert len(build_results(Ratings.of(rows)).systems) == MAX_SYSTEMS


def test_intervals_are_the_same_whether_cells_that_nobody_rated_are_held_or_not(monkeypatch):
    dice = np.random.default_rng(2)
    rows = [
        Score("r", f"s{dice.integers(6)}", str(dice.integers(300)), "score", float(dice.integers(101)))
        for _ in range(120)
    ]  # fmt: skip
    means = segment_means(Ratings.of(rows).scores, "score")
    plain = intervals.resampled_means([means], rounds=50)
    monkeypatch.setattr(intervals, "MAX_DENSE_CELLS", 0)
    assert intervals._rows([means])[2].shape == (len(np.unique(means.segment)), 6)
    np.testing.assert_allclose(intervals.resampled_means([means], rounds=50), plain, rtol=1e-12)


def test_trueskill_of_very_many_systems_is_left_out_and_said_to_be():
    """A step looks at all systems: one pair of 150 and 150 joined systems took half a minute."""
    pair = PairwiseJudgement("r", "1", joined_outputs("a", 150), joined_outputs("b", 150), 1, 2)
    found = build_results(Ratings.of((), [pair]))
    assert "TrueSkill: Not computed for more than 100 systems; there are 300." in found.notes
    assert len(found.systems) == 300
