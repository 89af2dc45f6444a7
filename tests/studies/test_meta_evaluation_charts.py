"""Charts of a meta-evaluation: positions, titles, captions and targets of systems, pairs and curves."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from qe_desktop.levels.chart_model import PairGoal, SystemGoal
from qe_desktop.metrics.external import external_metric
from qe_desktop.studies.charts import curve_panels, metric_vs_human_panels
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve, CurvePoint
from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions, MetricSystemScores
from tests.studies.test_meta_evaluation import made, rows_of


def study(better=1, orientation="ahead", systems=6):
    people, metric, names = made(systems)
    metrics = MetricSystemScores((rows_of("m", better * metric, better),))
    return meta_evaluate(
        names, metrics, HumanSystemScores.of_segments(people), MetaEvalOptions(orientation=orientation, rounds=400)
    )


def test_systems_are_plotted_by_human_and_metric_score():
    result = study()
    agreement = result.agreements[0]
    panel, _ = metric_vs_human_panels(result, 0)
    chart = panel.content
    assert chart.points.x.tolist() == result.human_scores.tolist()
    assert chart.points.y.tolist() == agreement.scores.tolist()
    assert chart.points.labels == result.systems
    assert [chart.points.goal(index) for index in range(6)] == [SystemGoal(index) for index in range(6)]
    assert f"r {agreement.correlations['pearson']:.3f} [{agreement.intervals['pearson'][0]:.3f}" in panel.title
    (line,) = chart.lines
    slope, start = np.polyfit(result.human_scores, agreement.scores, 1)
    assert line.y.tolist() == pytest.approx((slope * line.x + start).tolist())
    low, high, lowest, highest = chart.bounds
    assert low <= line.x.min() < line.x.max() <= high
    assert lowest - 1e-9 <= line.y.min() < line.y.max() <= highest + 1e-9


def test_crosses_are_the_intervals_of_humans_and_metric():
    result = study()
    agreement = result.agreements[0]
    (cross,) = metric_vs_human_panels(result, 0)[0].content.error_bars
    assert cross.x_ends.tolist() == result.human_intervals.tolist()
    assert cross.y_ends.tolist() == agreement.score_intervals.tolist()
    for ends, scores in ((result.human_intervals, result.human_scores), (agreement.score_intervals, agreement.scores)):
        assert (ends[:, 0] < scores).all()
        assert (scores < ends[:, 1]).all()
        # the interval of a normal mean of 80 segments
        assert np.diff(ends).ravel().tolist() == pytest.approx([4 * np.sqrt(1 / 80)] * 6, rel=0.7)


def test_lower_is_better_reverses_intervals_and_line():
    higher_better, lower_better = study(), study(better=-1)
    intervals, reversed_intervals = (
        higher_better.agreements[0].score_intervals,
        lower_better.agreements[0].score_intervals,
    )
    assert reversed_intervals.tolist() == pytest.approx(-intervals[:, ::-1])
    panel, pairs = metric_vs_human_panels(lower_better, 0)
    (line,) = panel.content.lines
    assert line.y[0] > line.y[1]
    assert "the sign of r is reversed" in panel.caption
    assert pairs.content.points.y.tolist() == pytest.approx(
        metric_vs_human_panels(higher_better, 0)[1].content.points.y.tolist()
    )


def test_significantly_discordant_pairs_are_named():
    people, metric, names = made(systems=5)
    metric = metric.copy()
    metric[[0, 4]] = metric[[4, 0]]
    result = meta_evaluate(
        names,
        MetricSystemScores((rows_of("m", metric),)),
        HumanSystemScores.of_segments(people),
        MetaEvalOptions(rounds=400),
    )
    metric_p, human_p = result.agreements[0].pair_p_values, result.human_p_values
    expected = [
        f"{names[j]} above {names[i]}"
        for (i, j), by_metric, by_humans in zip(combinations(range(5), 2), metric_p, human_p, strict=True)
        if by_metric <= 0.025 and by_humans >= 0.975
    ]
    assert "s4 above s0" in expected
    systems, pairs = metric_vs_human_panels(result, 0)
    assert systems.caption.startswith(f"{len(expected)} pair")
    assert "s4 above s0" in systems.caption
    chart = pairs.content
    keys = [chart.dots[kind].name for kind in chart.points.key_indices]
    assert keys.count("discordant, both p ≤ .05") == len(expected)
    index = next(index for index in range(10) if chart.points.goal(index) == PairGoal(4, 0))
    assert keys[index] == "discordant, both p ≤ .05"
    assert chart.points.x[index] > 0 > chart.points.y[index]
    systems, pairs = metric_vs_human_panels(result, 0, alpha=0.01)
    assert "(p ≤ .01 each, two-sided, unadjusted)" in systems.caption
    assert "discordant, both p ≤ .01" in [key.name for key in pairs.content.dots]


@pytest.mark.parametrize("orientation", ["ahead", "listed"])
def test_quadrants_of_differences_show_pairwise_accuracy(orientation):
    result = study(orientation=orientation)
    panel = metric_vs_human_panels(result, 0)[1]
    points = panel.content.points
    concordant = int((points.x * points.y > 0).sum())
    assert concordant / result.pairs == pytest.approx(result.agreements[0].pairwise_accuracy)
    assert panel.title.startswith(f"{concordant} of 15 pairs concordant; r of differences ")
    for index in range(len(points)):
        goal = points.goal(index)
        assert points.x[index] == pytest.approx(result.human_scores[goal.first] - result.human_scores[goal.second])
        assert points.describe(index).startswith(f"s{goal.first} − s{goal.second}: ")
    if orientation == "ahead":
        assert (points.x >= 0).all()
    header = panel.make_table().header
    assert header == ("first", "second", "human difference", "human p", "metric", "difference", "p")


def test_system_scores_have_no_crosses_and_no_pair_tests():
    people, metric, names = made()
    whole = (external_metric("whole"), metric.mean(axis=1))
    result = meta_evaluate(names, MetricSystemScores((), (whole,)), HumanSystemScores(people.mean(axis=1)))
    panel, pairs = metric_vs_human_panels(result, 0)
    assert panel.content.error_bars == ()
    assert "[" not in panel.title
    assert (panel.caution, pairs.caution) == ("too few systems", "too few systems")
    assert "No pair is tested" in panel.caption
    assert len(pairs.content.points) == 10
    assert len(panel.make_table()) == 5


def test_constant_metric_has_no_line():
    people, _, names = made()
    result = meta_evaluate(
        names, MetricSystemScores((rows_of("flat", np.ones_like(people)),)), HumanSystemScores.of_segments(people)
    )
    panel, pairs = metric_vs_human_panels(result, 0)
    assert panel.title == "flat vs. human scores: r is undefined"
    assert panel.content.lines == ()
    assert pairs.title == "0 of 10 pairs concordant"
    # the metric does not contradict the human scores
    assert {pairs.content.dots[kind].name for kind in pairs.content.points.key_indices} == {
        "tied in metric or human scores"
    }
    agreement = replace(result.agreements[0], scores=np.full(5, np.nan))
    undefined = metric_vs_human_panels(replace(result, agreements=(agreement,)), 0)
    assert [isinstance(panel.content, str) for panel in undefined] == [True, True]


def points(*values):
    return tuple(
        CurvePoint(
            index / 2, {"pearson": value, "spearman": value / 2, "kendall": np.nan},
            dict.fromkeys(("pearson", "spearman", "kendall"), (value - 0.1, value + 0.1)),
        )
        for index, value in enumerate(values)
    )  # fmt: skip


def test_recall_curve_has_lines_whiskers_and_a_legend():
    (recall,) = curve_panels([CorrelationCurve("recall", "unigram-Fmean", points(0.2, 0.6, 0.4))], 4)
    assert recall.title.endswith("r is highest at 0.50")
    chart = recall.content
    assert [line.y.tolist() for line in chart.lines] == [[0.2, 0.6, 0.4], [0.1, 0.3, 0.2], []]
    (whiskers,) = chart.error_bars
    assert whiskers.y_ends[:, 1].tolist() == pytest.approx([0.3, 0.7, 0.5])
    assert chart.points.describe(1) == "Pearson at recall weight 0.50: 0.600 [0.500, 0.700]"
    assert len({(line.key.token, line.key.mark) for line in chart.lines}) == 3
    assert chart.bounds[3] == pytest.approx(0.7)
    assert (recall.caution, recall.caption[-15:]) == ("4 systems: too few", "over 4 systems.")


def test_curves_over_many_systems_have_no_caution():
    (recall,) = curve_panels([CorrelationCurve("recall", "unigram-Fmean", points(0.2, 0.6, 0.4))], 30)
    assert recall.caution == ""


def test_reference_curves_have_one_line_per_metric():
    curves = [CorrelationCurve("references", name, points(0.2, 0.6)) for name in ("BLEU", "TER")]
    (panel,) = curve_panels(curves, 4)
    assert [key.name for key in panel.keys] == ["BLEU", "TER"]
    assert panel.content.error_bars == ()
    assert panel.content.points.series.tolist() == [0, 0, 1, 1]
    assert panel.make_table().header[:4] == ("curve", "metric", "at", "sets")
    undefined = curve_panels([CorrelationCurve("references", "BLEU", points(np.nan, np.nan))], 4)[0]
    assert isinstance(undefined.content, str)
