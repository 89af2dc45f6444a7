"""Numbers behind the charts of segment scores, compared with published tables and direct sums; invalid input."""

from __future__ import annotations

import csv
import json
from collections import defaultdict

import numpy as np
import pytest
from scipy import stats

from qe_desktop.corpus import View
from qe_desktop.levels.chart_model import AxisChart, ChangeChart, HeatMap
from qe_desktop.levels.level import ChartRequest
from qe_desktop.levels.sentences import SENTENCES, gold_panels
from qe_desktop.levels.sentences.distributions import (
    choose_bin_count,
    detect_scale,
    farthest_in_bars,
    histogram_bars,
    kernel_density,
    round_to_scale,
    silverman_bandwidth,
)
from qe_desktop.levels.sentences.system_panels import rescale_scores, rescaling_errors
from qe_desktop.metrics.correlation import pearson_matrix
from tests.levels import toy_level


@pytest.fixture
def graham(data_folder):
    """Return the systems and the gold of Graham's table."""
    rows = defaultdict(list)
    with (data_folder / "graham2015/task-1.2.csv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            rows[row["METRIC"]].append((int(row["SID"]), float(row["SCORE"]), float(row["HUMAN"])))
    columns = {name: np.asarray(sorted(values)) for name, values in rows.items()}
    return {name: values[:, 1] for name, values in columns.items()}, next(iter(columns.values()))[:, 2]


TABLE_2 = {
    "FBK-UPV-UEDIN-wp": (0.129, 0.125), "DCU-rtm-svr": (0.134, 0.127), "USHEFF": (0.136, 0.133),
    "DCU-rtm-tree": (0.140, 0.129), "DFKI-svr": (0.143, 0.132), "FBK-UPV-UEDIN-nowp": (0.144, 0.137),
    "SHEFF-lite-sparse": (0.150, 0.141), "Multilizer": (0.150, 0.135), "baseline": (0.152, 0.149),
    "DFKI-svr-xdata": (0.161, 0.146), "SHEFF-lite": (0.182, 0.168),
}  # fmt: skip
TABLE_3 = {
    "FBK-UPV-UEDIN-wp": (0.167, 0.166), "DCU-rtm-svr": (0.167, 0.165), "DCU-rtm-tree": (0.175, 0.169),
    "DFKI-svr": (0.177, 0.171), "USHEFF": (0.178, 0.178), "FBK-UPV-UEDIN-nowp": (0.181, 0.180),
    "SHEFF-lite-sparse": (0.184, 0.179), "baseline": (0.195, 0.194), "DFKI-svr-xdata": (0.195, 0.187),
    "Multilizer": (0.209, 0.181), "SHEFF-lite": (0.234, 0.216),
}  # fmt: skip


@pytest.mark.published
def test_rescaling_errors_equal_tables_2_and_3_of_graham_2015(graham, data_folder):
    systems, gold = graham
    errors = rescaling_errors(list(systems.values()), gold)
    assert len(systems) == 11
    oracle = json.loads((data_folder.parent / "oracles/sentences/graham_task12_recomputed.json").read_text())["table"]
    for index, name in enumerate(systems):
        mae, rmse = errors.mae[index], errors.rmse[index]
        would_mae, would_rmse = errors.rescaled_mae[index], errors.rescaled_rmse[index]
        assert (round(mae, 3), round(would_mae, 3)) == TABLE_2[name]
        assert (round(rmse, 3), round(would_rmse, 3)) == TABLE_3[name]
        assert [mae, would_mae, rmse, would_rmse] == pytest.approx(
            [oracle[name][key] for key in ("MAE", "resc_MAE", "RMSE", "resc_RMSE")], abs=1e-9
        )


@pytest.mark.published
def test_correlations_between_systems_equal_the_published_ones(graham, data_folder):
    systems, gold = graham
    names = list(systems)
    matrix = pearson_matrix([*systems.values(), gold])
    with (data_folder / "graham2015/expected_williams_pairs.tsv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            first, second = names.index(row["a"]), names.index(row["b"])
            assert matrix[first, second] == pytest.approx(float(row["r_ab"]), abs=1e-9)
            assert matrix[first, -1] == pytest.approx(float(row["r_a"]), abs=1e-9)


# --- numbers


def test_rescaled_scores_have_gold_mean_half_its_deviation_and_the_same_r():
    dice = np.random.default_rng(3)
    gold, scores = dice.normal(0.3, 0.2, 90), dice.normal(40, 9, 90)
    rescaled = rescale_scores(scores, gold)
    assert rescaled.mean() == pytest.approx(gold.mean())
    assert rescaled.std() == pytest.approx(gold.std() / 2)
    assert np.corrcoef(rescaled, gold)[0, 1] == pytest.approx(np.corrcoef(scores, gold)[0, 1])


def test_rescaled_errors_of_constant_scores_are_nan():
    gold = np.asarray([0.1, 0.3])
    errors = rescaling_errors([np.asarray([0.2, 0.2]), gold], gold)
    assert errors.mae.tolist() == pytest.approx([0.1, 0.0])
    assert np.isnan(errors.rescaled_mae).tolist() == [True, False]
    assert rescaling_errors([], gold).mae.shape == (0,)
    assert np.isnan(rescaling_errors([np.zeros(0)], np.zeros(0)).mae).all()


def test_pearson_matrix_equals_numpy_corrcoef(monkeypatch):
    monkeypatch.setattr("qe_desktop.metrics.correlation._SEGMENTS_PER_BLOCK", 7)
    dice = np.random.default_rng(4)
    columns = [dice.normal(1e6, 2, 40) for _ in range(4)]
    assert pearson_matrix(columns) == pytest.approx(np.corrcoef(columns), abs=1e-9)
    matrix = pearson_matrix([*columns, np.full(40, 5.0)])
    assert np.isnan(matrix[4]).all()
    assert np.isnan(matrix[:4, :4]).sum() == 0
    assert pearson_matrix([]).shape == (0, 0)


def test_kernel_density_equals_the_sum_of_its_kernels():
    values = np.random.default_rng(5).gamma(2, 1, 300)
    density = kernel_density(values)
    assert density is not None
    iqr = stats.iqr(values)
    assert density.bandwidth == pytest.approx(0.9 * min(values.std(ddof=1), iqr / 1.34) * 300**-0.2)
    plain = stats.norm.pdf(density.x[:, None], values[None, :], density.bandwidth).mean(axis=1)
    assert np.abs(density.heights - plain).max() < 0.005 * plain.max()
    assert np.trapezoid(density.heights, density.x) == pytest.approx(1, abs=0.01)


def test_values_without_spread_have_no_density():
    assert kernel_density(np.full(5, 0.3)) is None
    assert kernel_density(np.asarray([0.3])) is None
    # over half of the values are equal: the interquartile range is 0, the deviation is not
    assert silverman_bandwidth(np.asarray([1.0] * 9 + [2.0])) > 0


def test_histogram_bars_are_values_or_bins():
    few = histogram_bars(np.asarray([1.0, 1, 3, 2, 1, 3]), 1.0, 3.0, 9)
    assert few.discrete
    assert few.middles.tolist() == [1, 2, 3]
    assert few.shares.tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
    many = np.random.default_rng(6).random(500)
    bars = histogram_bars(many, -1.0, 1.0, choose_bin_count(many, -1.0, 1.0))
    assert not bars.discrete
    assert bars.shares.sum() == pytest.approx(1)
    # each value lies in its bar, and no bar is empty
    assert (bars.low[bars.bar_indices] <= many).all()
    assert (many <= bars.high[bars.bar_indices]).all()
    assert bars.shares.min() > 0
    assert histogram_bars(np.asarray([0.4, 0.4]), 0.0, 1.0, 9).shares.tolist() == [1.0]


def test_each_bar_has_its_value_with_the_largest_error():
    assert farthest_in_bars(np.asarray([0, 1, 0, 1, 1]), np.asarray([0.1, 0.5, 0.3, 0.9, 0.9])).tolist() == [2, 3]


def test_scores_are_rounded_to_the_nearest_scale_value():
    assert round_to_scale(np.asarray([0.2, 1.4, 1.6, 9.0]), np.asarray([1.0, 2.0, 3.0])).tolist() == [1, 1, 2, 3]
    assert detect_scale(np.arange(100.0)) is None
    assert detect_scale(np.asarray([1.0, 2.0] * 9)).tolist() == [1, 2]


# --- charts


def chart_request(gold, chosen=0, **systems):
    view = View(toy_level.make_corpus(gold, **systems))
    reference = SENTENCES.reference(view)
    return ChartRequest(
        view, reference, tuple(SENTENCES.subjects(view, reference)), chosen, {}, lambda value: f"{value:.3f}"
    )  # fmt: skip


def make_panels(name, *arguments, **systems):
    picture = next(picture for picture in SENTENCES.charts if picture.name == name)
    return picture.make_panels(chart_request(*arguments, **systems))


DICE = np.random.default_rng(8)
GOLD = DICE.normal(size=50)
NEAR, FAR = GOLD + DICE.normal(size=50) / 4, DICE.normal(size=50)


def test_gold_chart_of_a_system():
    raw, spread, standardised, values = make_panels("beside-gold", GOLD, 1, near=NEAR, far=FAR)
    assert raw.title == f"Original scores: MAE {np.abs(FAR - GOLD).mean():.3f}"
    assert isinstance(raw.content, AxisChart)
    assert raw.content.points.x.tolist() == FAR.tolist()
    assert raw.content.points.y.tolist() == GOLD.tolist()
    assert raw.content.points.describe(4) == f"segment 5: gold {GOLD[4]:.3f}, far {FAR[4]:.3f}"
    r = np.corrcoef(FAR, GOLD)[0, 1]
    assert standardised.title == f"Standardized: r {r:.3f}"
    line = standardised.content.lines[0]
    _, _, lowest, highest = standardised.content.bounds
    assert lowest <= line.y.min() <= line.y.max() <= highest
    assert (line.y / line.x).tolist() == pytest.approx([r, r])
    assert [line.key.name for line in spread.content.lines] == ["gold", "far"]
    bars = values.content.points
    for index in range(len(bars)):
        assert f"segment {bars.goal(index).segment + 1}" in bars.describe(index)
    header, rows = raw.make_table().header, raw.make_table().rows()
    assert header == ("segment", "gold", "score", "gold standardised", "score standardised")
    assert rows[7][:3] == (8, GOLD[7], FAR[7])


def test_scores_on_another_scale_have_their_own_axis_range():
    raw, *_ = make_panels("beside-gold", GOLD, one=NEAR * 100 + 40)
    scores = NEAR * 100 + 40
    assert raw.content.bounds == (scores.min(), scores.max(), GOLD.min(), GOLD.max())
    line = raw.content.lines[0]
    assert line.x.tolist() == line.y.tolist() == [max(scores.min(), GOLD.min()), min(scores.max(), GOLD.max())]
    # the ranges do not overlap
    raw, *_ = make_panels("beside-gold", GOLD, one=GOLD + 1000)
    assert raw.content.lines == ()
    raw, *_ = make_panels("beside-gold", GOLD, one=NEAR)
    low, high, lowest, highest = raw.content.bounds
    assert (low, high) == (lowest, highest) == (min(*NEAR, *GOLD), max(*NEAR, *GOLD))


def test_gold_chart_of_a_discrete_gold_states_the_mae_of_rounded_scores():
    gold = np.asarray([1.0, 2, 3] * 20)
    continuous = gold + np.random.default_rng(2).uniform(-0.9, 0.9, 60)
    *_, values = make_panels("beside-gold", gold, smooth=continuous)
    mae = np.abs(np.clip(np.round(continuous), 1, 3) - gold).mean()
    assert (
        "The gold has 3 values; smooth also has other scores. With scores rounded to the gold's values, the MAE would "
        f"be {mae:.3f}" in values.caption
    )
    *_, values = make_panels("beside-gold", gold, rough=gold[::-1])
    assert values.caption == "rough uses only the 3 values of the gold."


def test_points_of_many_segments_are_sampled_and_the_caption_says_so(monkeypatch):
    monkeypatch.setattr(gold_panels, "MAX_POINTS", 10)
    raw, *_ = make_panels("beside-gold", GOLD, near=NEAR)
    points = raw.content.points
    assert len(points) == 10
    assert points.x.tolist() == [NEAR[points.goal(index).segment] for index in range(10)]
    assert raw.caption == "A random sample of 10 of the 50 segments is plotted."
    # the copied table has all segments
    assert len(raw.make_table()) == 50


def test_rescaling_chart_shows_errors_before_and_after():
    mae, rmse, given, changed = make_panels("if-rescaled", GOLD, near=NEAR * 9, far=FAR, flat=np.full(50, 0.5))
    assert isinstance(mae.content, ChangeChart)
    assert mae.content.names[-1] == "near"
    assert np.isnan(mae.content.second).sum() == 1
    flat = mae.content.names.index("flat")
    assert "cannot be rescaled" in mae.content.descriptions[flat]
    assert mae.caption == (
        "With scores rescaled to the mean of the gold and half its standard deviation, 2 of 2 systems would have a "
        "lower MAE. r does not change."
    )
    constant, *_ = make_panels("if-rescaled", GOLD, flat=np.full(50, 0.5))
    assert constant.caption == "The scores of every system are constant and cannot be rescaled."
    assert rmse.make_table().header == ("system", "MAE", "MAE rescaled", "RMSE", "RMSE rescaled")
    assert changed.title == f"Rescaled: MAE {rescaling_errors([NEAR * 9], GOLD).rescaled_mae[0]:.3f}"
    assert isinstance(given.content, AxisChart)
    *_, changed = make_panels("if-rescaled", GOLD, 2, near=NEAR, far=FAR, flat=np.full(50, 0.5))
    assert "cannot be rescaled" in changed.content


def test_heat_map_of_correlations_between_systems():
    (panel,) = make_panels("between-systems", GOLD, far=FAR, flat=np.zeros(50), near=NEAR)
    heat = panel.content
    assert isinstance(heat, HeatMap)
    # sorted by correlation with the gold, undefined last
    assert heat.names == ("near", "far", "flat")
    assert heat.subjects == (2, 0, 1)
    r = np.corrcoef(NEAR, FAR)[0, 1]
    assert heat.values[0, 1] == pytest.approx(r)
    assert heat.describe(0, 1) == f"r between near and far: {r:.3f}"
    assert heat.describe(0, 0) == f"r between near and the gold: {np.corrcoef(NEAR, GOLD)[0, 1]:.3f}"
    assert heat.describe(0, 2) == "r between near and flat is undefined: at least one is constant"
    assert heat.describe(2, 2).startswith("r between flat and the gold is undefined")
    assert panel.make_table().header == ("system", "near", "far", "flat")


@pytest.mark.parametrize("name", [picture.name for picture in SENTENCES.charts])
def test_charts_report_too_few_segments_or_systems(name):
    assert "at least two" in make_panels(name, [0.5], near=[0.4])
    assert "No systems" in make_panels(name, GOLD)


def test_correlation_chart_of_one_system_asks_for_two():
    assert "at least two systems" in make_panels("between-systems", GOLD, near=NEAR)


@pytest.mark.parametrize(("gold", "system"), [(GOLD, np.full(50, 0.25)), (np.full(50, 0.25), GOLD)])
def test_gold_chart_of_constant_scores_reports_undefined_r_and_density(gold, system):
    raw, spread, standardised, values = make_panels("beside-gold", gold, one=system)
    assert isinstance(raw.content, AxisChart)
    assert isinstance(values.content, AxisChart)
    assert len(spread.content.lines) == 1
    assert "has no density" in spread.caption
    assert "r is undefined" in standardised.content
    constant = "one is constant." if system[0] == 0.25 else "The gold is constant."
    assert values.caption == constant
    assert "0.250" in standardised.content
    raw, spread, standardised, values = make_panels("beside-gold", np.zeros(9), one=np.zeros(9))
    assert isinstance(spread.content, str)
    assert raw.content.bounds == (-0.5, 0.5, -0.5, 0.5)


def test_outlier_does_not_raise_the_bin_count_above_its_maximum():
    values = np.random.default_rng(1).random(10_000)
    usual = choose_bin_count(values, 0.0, 1.0)
    assert usual == min(60, len(np.histogram_bin_edges(values, "fd", (0.0, 1.0))) - 1)
    assert choose_bin_count(np.append(values, 1e99), 0.0, 1e99) == 60
