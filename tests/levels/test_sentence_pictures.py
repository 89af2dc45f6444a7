"""The numbers behind the pictures of segment scores: against the published tables, plain sums, and bad input."""

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
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.levels.sentences.charts import gold_panels
from qe_desktop.levels.sentences.charts.rescaling_gain import rescale_scores, rescaling_errors
from qe_desktop.levels.sentences.distributions import (
    choose_bin_count,
    detect_scale,
    farthest_in_bars,
    histogram_bars,
    kernel_density,
    round_to_scale,
    silverman_bandwidth,
)
from qe_desktop.metrics.scores.correlation import pearson_matrix
from tests.levels import toy


@pytest.fixture
def graham(data_folder):
    """The systems and the gold of Graham's table."""
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
def test_tables_2_and_3_of_graham_2015(graham, data_folder):
    systems, gold = graham
    found = rescaling_errors(list(systems.values()), gold)
    assert len(systems) == 11
    oracle = json.loads((data_folder.parent / "oracles/sentences/graham_task12_recomputed.json").read_text())["table"]
    for place, name in enumerate(systems):
        mae, rmse = found.mae[place], found.rmse[place]
        would_mae, would_rmse = found.rescaled_mae[place], found.rescaled_rmse[place]
        assert (round(mae, 3), round(would_mae, 3)) == TABLE_2[name]
        assert (round(rmse, 3), round(would_rmse, 3)) == TABLE_3[name]
        assert [mae, would_mae, rmse, would_rmse] == pytest.approx(
            [oracle[name][key] for key in ("MAE", "resc_MAE", "RMSE", "resc_RMSE")], abs=1e-9
        )


@pytest.mark.published
def test_r_between_systems_is_what_the_williams_tests_used(graham, data_folder):
    systems, gold = graham
    names = list(systems)
    found = pearson_matrix([*systems.values(), gold])
    with (data_folder / "graham2015/expected_williams_pairs.tsv").open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            one, other = names.index(row["a"]), names.index(row["b"])
            assert found[one, other] == pytest.approx(float(row["r_ab"]), abs=1e-9)
            assert found[one, -1] == pytest.approx(float(row["r_a"]), abs=1e-9)


# --- numbers


def test_rescaling_gives_the_golds_mean_and_half_its_deviation_and_keeps_r():
    dice = np.random.default_rng(3)
    gold, scores = dice.normal(0.3, 0.2, 90), dice.normal(40, 9, 90)
    found = rescale_scores(scores, gold)
    assert found.mean() == pytest.approx(gold.mean())
    assert found.std() == pytest.approx(gold.std() / 2)
    assert np.corrcoef(found, gold)[0, 1] == pytest.approx(np.corrcoef(scores, gold)[0, 1])


def test_what_cannot_be_rescaled_is_nan_beside_its_true_errors():
    gold = np.asarray([0.1, 0.3])
    found = rescaling_errors([np.asarray([0.2, 0.2]), gold], gold)
    assert found.mae.tolist() == pytest.approx([0.1, 0.0])
    assert np.isnan(found.rescaled_mae).tolist() == [True, False]
    assert rescaling_errors([], gold).mae.shape == (0,)
    assert np.isnan(rescaling_errors([np.zeros(0)], np.zeros(0)).mae).all()


def test_correlations_of_all_pairs(monkeypatch):
    monkeypatch.setattr("qe_desktop.metrics.scores.correlation._PIECE", 7)
    dice = np.random.default_rng(4)
    columns = [dice.normal(1e6, 2, 40) for _ in range(4)]
    assert pearson_matrix(columns) == pytest.approx(np.corrcoef(columns), abs=1e-9)
    found = pearson_matrix([*columns, np.full(40, 5.0)])
    assert np.isnan(found[4]).all()
    assert np.isnan(found[:4, :4]).sum() == 0
    assert pearson_matrix([]).shape == (0, 0)


def test_a_density_is_the_sum_of_its_kernels():
    values = np.random.default_rng(5).gamma(2, 1, 300)
    found = kernel_density(values)
    assert found is not None
    iqr = stats.iqr(values)
    assert found.bandwidth == pytest.approx(0.9 * min(values.std(ddof=1), iqr / 1.34) * 300**-0.2)
    plain = stats.norm.pdf(found.places[:, None], values[None, :], found.bandwidth).mean(axis=1)
    assert np.abs(found.heights - plain).max() < 0.005 * plain.max()
    assert np.trapezoid(found.heights, found.places) == pytest.approx(1, abs=0.01)


def test_numbers_without_spread_have_no_density():
    assert kernel_density(np.full(5, 0.3)) is None
    assert kernel_density(np.asarray([0.3])) is None
    # half of them alike: the quartiles say nothing, the deviation does
    assert silverman_bandwidth(np.asarray([1.0] * 9 + [2.0])) > 0


def test_bars_of_values_and_of_bins():
    few = histogram_bars(np.asarray([1.0, 1, 3, 2, 1, 3]), 1.0, 3.0, 9)
    assert few.discrete
    assert few.middles.tolist() == [1, 2, 3]
    assert few.shares.tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
    many = np.random.default_rng(6).random(500)
    found = histogram_bars(many, -1.0, 1.0, choose_bin_count(many, -1.0, 1.0))
    assert not found.discrete
    assert found.shares.sum() == pytest.approx(1)
    # each number lies in its bar, and no bar is empty
    assert (found.low[found.bar_of] <= many).all()
    assert (many <= found.high[found.bar_of]).all()
    assert found.shares.min() > 0
    assert histogram_bars(np.asarray([0.4, 0.4]), 0.0, 1.0, 9).shares.tolist() == [1.0]


def test_a_bar_leads_to_its_number_that_is_farthest_off():
    assert farthest_in_bars(np.asarray([0, 1, 0, 1, 1]), np.asarray([0.1, 0.5, 0.3, 0.9, 0.9])).tolist() == [2, 3]


def test_rounding_takes_the_nearest_value_of_a_scale():
    assert round_to_scale(np.asarray([0.2, 1.4, 1.6, 9.0]), np.asarray([1.0, 2.0, 3.0])).tolist() == [1, 1, 2, 3]
    assert detect_scale(np.arange(100.0)) is None
    assert detect_scale(np.asarray([1.0, 2.0] * 9)).tolist() == [1, 2]


# --- pictures


def asked(gold, chosen=0, **systems):
    view = View(toy.corpus(gold, **systems))
    reference = SENTENCES.reference(view)
    return ChartRequest(
        view, reference, tuple(SENTENCES.subjects(view, reference)), chosen, {}, lambda value: f"{value:.3f}"
    )  # fmt: skip


def panels(name, *arguments, **systems):
    picture = next(picture for picture in SENTENCES.pictures if picture.name == name)
    return picture.make(asked(*arguments, **systems))


DICE = np.random.default_rng(8)
GOLD = DICE.normal(size=50)
NEAR, FAR = GOLD + DICE.normal(size=50) / 4, DICE.normal(size=50)


def test_a_system_beside_the_gold():
    raw, spread, standardised, values = panels("beside-gold", GOLD, 1, near=NEAR, far=FAR)
    assert raw.title == f"Original scores: MAE {np.abs(FAR - GOLD).mean():.3f}"
    assert isinstance(raw.drawing, AxisChart)
    assert raw.drawing.points.x.tolist() == FAR.tolist()
    assert raw.drawing.points.y.tolist() == GOLD.tolist()
    assert raw.drawing.points.say(4) == f"segment 5: gold {GOLD[4]:.3f}, far {FAR[4]:.3f}"
    r = np.corrcoef(FAR, GOLD)[0, 1]
    assert standardised.title == f"Standardized: r {r:.3f}"
    line = standardised.drawing.lines[0]
    _, _, lowest, highest = standardised.drawing.bounds
    assert lowest <= line.y.min() <= line.y.max() <= highest
    assert (line.y / line.x).tolist() == pytest.approx([r, r])
    assert [line.key.name for line in spread.drawing.lines] == ["gold", "far"]
    bars = values.drawing.points
    for place in range(len(bars)):
        assert f"segment {bars.goal(place).segment + 1}" in bars.say(place)
    header, rows = raw.numbers().header, raw.numbers().rows()
    assert header == ("segment", "gold", "score", "gold standardised", "score standardised")
    assert rows[7][:3] == (8, GOLD[7], FAR[7])


def test_scores_on_a_scale_of_their_own_have_an_axis_of_their_own():
    raw, *_ = panels("beside-gold", GOLD, one=NEAR * 100 + 40)
    scores = NEAR * 100 + 40
    assert raw.drawing.bounds == (scores.min(), scores.max(), GOLD.min(), GOLD.max())
    line = raw.drawing.lines[0]
    assert line.x.tolist() == line.y.tolist() == [max(scores.min(), GOLD.min()), min(scores.max(), GOLD.max())]
    # nowhere the same
    raw, *_ = panels("beside-gold", GOLD, one=GOLD + 1000)
    assert raw.drawing.lines == ()
    raw, *_ = panels("beside-gold", GOLD, one=NEAR)
    low, high, lowest, highest = raw.drawing.bounds
    assert (low, high) == (lowest, highest) == (min(*NEAR, *GOLD), max(*NEAR, *GOLD))


def test_a_discrete_gold_beside_continuous_scores():
    gold = np.asarray([1.0, 2, 3] * 20)
    continuous = gold + np.random.default_rng(2).uniform(-0.9, 0.9, 60)
    *_, values = panels("beside-gold", gold, smooth=continuous)
    mae = np.abs(np.clip(np.round(continuous), 1, 3) - gold).mean()
    assert (
        f"The gold has 3 values; smooth has scores between them. Rounded to these values, its MAE would be {mae:.3f}"
        in (values.caption)
    )
    *_, values = panels("beside-gold", gold, rough=gold[::-1])
    assert values.caption == "rough uses only the 3 values of the gold."


def test_many_segments_are_thinned_and_that_is_said(monkeypatch):
    monkeypatch.setattr(gold_panels, "MAX_POINTS", 10)
    raw, *_ = panels("beside-gold", GOLD, near=NEAR)
    points = raw.drawing.points
    assert len(points) == 10
    assert points.x.tolist() == [NEAR[points.goal(place).segment] for place in range(10)]
    assert raw.caption == "A random 10 of 50 segments are plotted."
    # what is copied is whole
    assert len(raw.numbers()) == 50


def test_the_errors_if_rescaled():
    mae, rmse, given, changed = panels("if-rescaled", GOLD, near=NEAR * 9, far=FAR, flat=np.full(50, 0.5))
    assert isinstance(mae.drawing, ChangeChart)
    assert mae.drawing.names[-1] == "near"
    assert np.isnan(mae.drawing.second).sum() == 1
    flat = mae.drawing.names.index("flat")
    assert "cannot be rescaled" in mae.drawing.descriptions[flat]
    assert mae.caption == (
        "Rescaled to the mean of the gold and half its standard deviation, 2 of 2 systems would have a lower MAE. "
        "r does not change."
    )
    assert rmse.numbers().header == ("system", "MAE", "MAE rescaled", "RMSE", "RMSE rescaled")
    assert changed.title == f"Rescaled: MAE {rescaling_errors([NEAR * 9], GOLD).rescaled_mae[0]:.3f}"
    assert isinstance(given.drawing, AxisChart)
    *_, changed = panels("if-rescaled", GOLD, 2, near=NEAR, far=FAR, flat=np.full(50, 0.5))
    assert "cannot be rescaled" in changed.drawing


def test_r_between_systems():
    (panel,) = panels("between-systems", GOLD, far=FAR, flat=np.zeros(50), near=NEAR)
    heat = panel.drawing
    assert isinstance(heat, HeatMap)
    # the best with the gold first, the undefined last
    assert heat.names == ("near", "far", "flat")
    assert heat.subjects == (2, 0, 1)
    r = np.corrcoef(NEAR, FAR)[0, 1]
    assert heat.values[0, 1] == pytest.approx(r)
    assert heat.say(0, 1) == f"near and far correlate: r {r:.3f}"
    assert heat.say(0, 0) == f"near correlates with the gold: r {np.corrcoef(NEAR, GOLD)[0, 1]:.3f}"
    assert heat.say(0, 2) == "r between near and flat is undefined: one of them is constant"
    assert heat.say(2, 2).startswith("r between flat and the gold is undefined")
    assert panel.numbers().header == ("system", "near", "far", "flat")


@pytest.mark.parametrize("name", [picture.name for picture in SENTENCES.pictures])
def test_too_little_is_said(name):
    assert "at least two" in panels(name, [0.5], near=[0.4])
    assert "No systems" in panels(name, GOLD)


def test_one_system_has_nothing_beside_it():
    assert "at least two systems" in panels("between-systems", GOLD, near=NEAR)


@pytest.mark.parametrize(("gold", "system"), [(GOLD, np.full(50, 0.25)), (np.full(50, 0.25), GOLD)])
def test_constant_numbers_have_no_r_and_the_picture_says_so(gold, system):
    raw, spread, standardised, values = panels("beside-gold", gold, one=system)
    assert isinstance(raw.drawing, AxisChart)
    assert isinstance(values.drawing, AxisChart)
    assert len(spread.drawing.lines) == 1
    assert "has no density" in spread.caption
    assert "r is undefined" in standardised.drawing
    constant = "one is constant." if system[0] == 0.25 else "The gold is constant."
    assert values.caption == constant
    assert "0.250" in standardised.drawing
    raw, spread, standardised, values = panels("beside-gold", np.zeros(9), one=np.zeros(9))
    assert isinstance(spread.drawing, str)
    assert raw.drawing.bounds == (-0.5, 0.5, -0.5, 0.5)


def test_a_value_far_from_all_others_asks_for_no_more_bins_than_are_drawn():
    values = np.random.default_rng(1).random(10_000)
    usual = choose_bin_count(values, 0.0, 1.0)
    assert usual == min(60, len(np.histogram_bin_edges(values, "fd", (0.0, 1.0))) - 1)
    assert choose_bin_count(np.append(values, 1e99), 0.0, 1e99) == 60
