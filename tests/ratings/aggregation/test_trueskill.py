"""TrueSkill against the package, results published by WMT, and input without a solution."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import truncnorm

from qe_desktop.corpus import ItemRole, PairRatings, PairwiseJudgement, QeError
from qe_desktop.ratings.aggregation import trueskill as trueskill_runs
from qe_desktop.ratings.aggregation.trueskill import rank_ranges, trueskill, update_skills
from tests.ratings import naive_ranking_statistics
from tests.ratings.rankings import load_expected, random_judgements, read_wmt16, swap_systems


def play(matches, mu, sigma, beta, tau, draw_probability) -> dict[str, list[float]]:
    """Return mean and sigma of each system after the matches in sequence."""
    skill = {name: (mu, sigma * sigma) for match in matches for name in match[0]}
    for names, ranks in matches:
        mean, variance = (np.asarray([skill[name][part] for name in names]) for part in (0, 1))
        outcome = np.sign(np.float64(ranks[1] - ranks[0]))
        mean, variance = update_skills(mean, variance + tau * tau, outcome, beta, draw_probability)
        skill |= dict(zip(names, zip(mean.tolist(), variance.tolist(), strict=True), strict=True))
    return {name: [mean, math.sqrt(variance)] for name, (mean, variance) in skill.items()}


@pytest.mark.parametrize(("name", "matches"), [("wmt_after_1", 1), ("wmt_after_10", 10), ("wmt_final", None)])
def test_updates_equal_known_values(name, matches):
    known = load_expected("trueskill")
    skills = play(known["matches"][:matches], **known["wmt_params"])
    for system, pair in skills.items():
        assert pair == pytest.approx(known[name][system], abs=6e-7)


def test_updates_with_default_constants_equal_known_values():
    known = load_expected("trueskill")
    skills = play(known["matches"][:10], 25.0, 25 / 3, 25 / 6, 25 / 300, 0.1)
    for system, pair in skills.items():
        # the normal distribution of the package is accurate to seven digits
        assert pair == pytest.approx(known["default_params_after_10"][system], abs=2e-6)


@given(st.floats(-3, 3), st.floats(0.05, 2), st.floats(0.05, 2), st.floats(0.1, 300), st.sampled_from([-1, 0, 1]))
def test_update_equals_that_of_a_truncated_normal(ahead, first_variance, second_variance, beta, outcome):
    mean, variance = np.asarray([ahead, 0.0]), np.asarray([first_variance, second_variance])
    updated, narrowed = update_skills(mean, variance, np.float64(outcome), beta)
    deviation = math.sqrt(first_variance + second_variance + 2 * beta * beta)
    margin = trueskill_margin(beta) / deviation
    low, high = {1: (margin, math.inf), 0: (-margin, margin), -1: (-math.inf, -margin)}[outcome]
    v, remaining = truncnorm.stats(low - ahead / deviation, high - ahead / deviation)
    shift = np.asarray([first_variance, -second_variance]) / deviation * v
    assert updated - mean == pytest.approx(shift, rel=1e-6, abs=1e-9)
    assert narrowed == pytest.approx(variance * (1 - variance / deviation**2 * (1 - remaining)), rel=1e-6)


def trueskill_margin(beta: float) -> float:
    """Return the draw margin at which a quarter of the matches between equal players are draws."""
    return 0.31863936396437514 * math.sqrt(2) * beta


@pytest.mark.parametrize("outcome", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("ahead", [-1000.0, -60.0, -5.0, 0.0, 5.0, 60.0, 1000.0])
def test_extreme_updates_stay_finite(ahead, outcome):
    mean, variance = np.asarray([ahead, 0.0]), np.asarray([0.25, 0.25])
    updated, narrowed = update_skills(mean, variance, np.float64(outcome), 0.025)
    assert np.isfinite(updated).all()
    assert ((narrowed > 0) & (narrowed <= variance)).all()
    # the difference of means never moves away from the observed outcome
    assert (updated[0] - updated[1] - ahead) * (outcome or -np.sign(ahead)) >= 0


def test_runs_agree_with_the_trueskill_package():
    rows = random_judgements(60, 4, seed=3).rows()
    table = [(row.first, row.second, row.first_rank, row.second_rank) for row in rows]
    rng = random.Random(1)
    expected_runs = [naive_ranking_statistics.trueskill_run(table, rng) for _ in range(150)]
    result = trueskill(PairRatings.of(rows), runs=4000)
    for name, score in zip(result.systems, result.score.tolist(), strict=True):
        values = np.asarray([run[name] for run in expected_runs])
        assert abs(score - values.mean()) < 4 * values.std() / math.sqrt(len(values))


def test_pairs_without_judgements_are_skipped():
    # a chain: the ends were never compared
    rows = [PairwiseJudgement("r", str(n), f"S{n % 3}", f"S{n % 3 + 1}", 1, 2 if n % 4 else 1) for n in range(40)]
    table = [(row.first, row.second, row.first_rank, row.second_rank) for row in rows]
    rng = random.Random(1)
    expected_runs = [naive_ranking_statistics.trueskill_run(table, rng) for _ in range(200)]
    result = trueskill(PairRatings.of(rows), runs=4000)
    assert result.problem == ""
    for name, score in zip(result.systems, result.score.tolist(), strict=True):
        values = np.asarray([run[name] for run in expected_runs])
        assert abs(score - values.mean()) < 4 * values.std() / math.sqrt(len(values))


def test_results_depend_only_on_the_seed():
    rows = random_judgements(300, 5).rows()
    shuffled = [swap_systems(row) if number % 2 else row for number, row in enumerate(rows)]
    random.Random(1).shuffle(shuffled)
    first, second = trueskill(PairRatings.of(rows), runs=50), trueskill(PairRatings.of(shuffled), runs=50)
    assert first.systems == second.systems
    assert first.score.tolist() == second.score.tolist()
    other = trueskill(PairRatings.of(rows), runs=50, seed=2)
    assert other.score.tolist() != first.score.tolist()


def test_many_systems_run_in_several_blocks(monkeypatch):
    pairs = random_judgements(200, 6)
    monkeypatch.setattr(trueskill_runs, "MAX_RUN_CELLS", 6 * 6 * 64)
    shares: list[float] = []
    result = trueskill(pairs, runs=150, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert len(shares) == 3
    monkeypatch.undo()
    assert result.score == pytest.approx(trueskill(pairs, runs=150).score, abs=0.1)


def test_progress_callback_can_stop_the_runs():
    class Stop(Exception):
        pass

    def stop(share: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        trueskill(random_judgements(2000, 4), runs=10, progress=stop)


def test_clear_groups_are_clusters():
    rows = [
        PairwiseJudgement("r", str(n), first, second, 1, 2 if first[0] != second[0] or n % 2 else 1)
        for n in range(60)
        for first, second in (("A1", "A2"), ("A2", "A1"), ("B1", "B2"), ("B2", "B1"), ("A1", "B1"), ("A2", "B2"))
    ]
    result = trueskill(PairRatings.of(rows), runs=200)
    assert [set(cluster) for cluster in result.clusters] == [{"A1", "A2"}, {"B1", "B2"}]
    assert result.rank_low.tolist() == [1, 1, 3, 3]
    assert result.rank_high.tolist() == [2, 2, 4, 4]
    assert (result.runs, result.comparisons) == (200, 360)


@given(st.integers(1, 130), st.integers(0, 10**6))
def test_rank_ranges_equal_those_of_sorted_ranks(runs, seed):
    means = np.random.default_rng(seed).normal(size=(runs, 4)) + np.asarray([0.5, 0.2, 0, 0])
    low, high = rank_ranges(means)
    cut = min(-(-runs // 40), (runs - 1) // 2)
    for system in range(4):
        ranks = sorted(1 + sum(run > run[system]) for run in means)
        central = ranks[cut : runs - cut]
        assert (low[system], high[system]) == (central[0], central[-1])


def test_equal_systems_share_their_ranks():
    low, high = rank_ranges(np.asarray([[0.5, 0.1, 0.1, -1.0]] * 9))
    assert low.tolist() == [1, 2, 2, 4]
    assert high.tolist() == [1, 3, 3, 4]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "No judgement compares two systems."),
        ([PairwiseJudgement("r", "1", "A", "A", 1, 1)], "No judgement compares two systems."),
        ([PairwiseJudgement("r", "1", "A", "B", 1, 2, role=ItemRole.TRAINING)], "No judgement compares two systems."),
        (
            [PairwiseJudgement("r", "1", "A", "B", 1, 1), PairwiseJudgement("r", "2", "A+B", "C", 1, 1)],
            "All judgements are ties",
        ),
    ],
)
def test_input_without_decisions_is_reported(rows, words):
    result = trueskill(PairRatings.of(rows), runs=10)
    assert words in result.problem
    assert result.systems == result.clusters == ()
    assert len(result.score) == len(result.rank_low) == len(result.rank_high) == 0


def test_unconnected_systems_are_reported():
    rows = [PairwiseJudgement("r", str(n), a, b, 1, 2) for n in range(5) for a, b in (("A", "B"), ("C", "D"))]
    result = trueskill(PairRatings.of([*rows, PairwiseJudgement("r", "1", "E", "E", 1, 1)]), runs=20)
    assert "E was never compared with another system." in result.problem
    assert "A and B; C and D" in result.problem
    assert sorted(result.systems) == ["A", "B", "C", "D"]


@pytest.mark.parametrize("wrong", [{"runs": 0}, {"seed": -1}])
def test_invalid_runs_and_seeds_are_refused(wrong):
    with pytest.raises(QeError, match="at least one bootstrap resample"):
        trueskill(random_judgements(10, 3), **wrong)


def test_one_judgement_is_enough():
    result = trueskill(PairRatings.of([PairwiseJudgement("r", "1", "A", "B", 2, 1)]), runs=1)
    assert result.systems == ("B", "A")
    assert result.score[0] == pytest.approx(-result.score[1])
    assert result.rank_low.tolist() == result.rank_high.tolist() == [1, 2]
    assert result.clusters == (("B",), ("A",))


@pytest.mark.published
@pytest.mark.parametrize("pair", ["deu-eng", "eng-ron", "tur-eng", "eng-tur"])
def test_published_scores_of_wmt16(data_folder, pair):
    folder = data_folder / "ratings" / "wmt16_rankings"
    result = trueskill(read_wmt16(folder / "pairwise" / f"wmt16.{pair}.csv.gz"))
    clusters: list[list[str]] = [[]]
    published = {}
    for line in (folder / "published_results" / f"wmt16.{pair}.txt").read_text().splitlines():
        if line.startswith("+"):
            clusters.append([])
            continue
        system, score, ranks = line.split(" ", 2)
        clusters[-1].append(system)
        published[system] = (float(score), *(float(rank) for rank in ranks.strip("()").split(",")))
    assert result.systems == tuple(published)
    assert [list(cluster) for cluster in result.clusters] == clusters
    for position, (score, low, high) in enumerate(published.values()):
        assert result.score[position] == pytest.approx(score, abs=0.01)
        assert abs(result.rank_low[position] - low) <= 1
        assert abs(result.rank_high[position] - high) <= 1
    known = json.loads(
        (data_folder.parent / "oracles" / "ratings" / "wmt16_trueskill_expectedwins_real.json").read_text()
    )
    for row in known["language_pairs"].get(pair, {}).get("mine", []):
        assert result.score[result.systems.index(row["system"])] == pytest.approx(row["score"], abs=0.01)
