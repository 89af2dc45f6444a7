"""More systems, raters or joined outputs than can be compared are rejected before any computation."""

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
    return "+".join(f"{letter}{index}" for index in range(count))


TOO_LARGE = {
    "20,000 systems rated on a scale": Ratings.of(
        [Score("r", f"s{index}", str(index % 7), "score", index % 101) for index in range(MANY)]
    ),
    "20,000 systems ranked": Ratings.of(
        (), [PairwiseJudgement("r", str(index), f"s{index}", f"s{index + 1}", 1, 2) for index in range(MANY)]
    ),
    "one pair of 3,000 and 3,000 joined systems": Ratings.of(
        (), [PairwiseJudgement("r", "1", joined_outputs("a", 3000), joined_outputs("b", 3000), 1, 2)]
    ),
    "many pairs of few hundred joined systems": Ratings.of(
        (),
        [
            PairwiseJudgement("r", str(index), joined_outputs("a", 400), joined_outputs("b", 400), 1, 2)
            for index in range(200)
        ],
    ),
    "20,000 raters of one output": Ratings.of(
        [Score(f"r{index}", "A", "1", "score", index % 101) for index in range(MANY)]
    ),
    "200 scales": Ratings.of([Score("r", "A", str(index), f"scale {index % 200}", 3) for index in range(MANY)]),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_too_large_input_is_refused_before_memory_is_allocated(name):
    """Tables of systems × systems and of raters × raters once took gigabytes and minutes before they failed."""
    tracemalloc.start()
    try:
        with pytest.raises(QeError, match=r"at most [\d,]+ can be (compared with each other|evaluated)") as caught:
            build_results(TOO_LARGE[name], trueskill=False)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()
    assert caught.value.hint


def test_maximum_number_of_systems_is_compared():
    rows = [Score("r", f"s{index % MAX_SYSTEMS}", str(index), "score", index % 11) for index in range(3 * MAX_SYSTEMS)]
    assert len(build_results(Ratings.of(rows)).systems) == MAX_SYSTEMS


def test_intervals_of_dense_and_sparse_cells_are_equal(monkeypatch):
    rng = np.random.default_rng(2)
    rows = [
        Score("r", f"s{rng.integers(6)}", str(rng.integers(300)), "score", float(rng.integers(101)))
        for _ in range(120)
    ]  # fmt: skip
    means = segment_means(Ratings.of(rows).scores, "score")
    expected = intervals.resampled_means([means], rounds=50)
    monkeypatch.setattr(intervals, "MAX_DENSE_CELLS", 0)
    assert intervals._rows([means])[2].shape == (len(np.unique(means.segment)), 6)
    np.testing.assert_allclose(intervals.resampled_means([means], rounds=50), expected, rtol=1e-12)


def test_trueskill_of_too_many_systems_is_omitted_with_a_note():
    """Each step visits all systems: one pair of 150 and 150 joined systems once took half a minute."""
    pair = PairwiseJudgement("r", "1", joined_outputs("a", 150), joined_outputs("b", 150), 1, 2)
    results = build_results(Ratings.of((), [pair]))
    assert "TrueSkill: Not computed for more than 100 systems; there are 300." in results.notes
    assert len(results.systems) == 300
