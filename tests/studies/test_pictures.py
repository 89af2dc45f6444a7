"""Pictures of a study as values: where systems, pairs and curves are, what is said of them, where they lead."""

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
from tests.studies.test_humans import made, rows_of


def study(better=1, orientation="ahead", systems=6):
    people, metric, names = made(systems)
    metrics = MetricSystemScores((rows_of("m", better * metric, better),))
    return meta_evaluate(
        names, metrics, HumanSystemScores.of_segments(people), MetaEvalOptions(orientation=orientation, rounds=400)
    )


def test_every_system_is_where_people_and_the_metric_put_it():
    found = study()
    one = found.agreements[0]
    panel, _ = metric_vs_human_panels(found, 0)
    chart = panel.drawing
    assert chart.points.x.tolist() == found.people.tolist()
    assert chart.points.y.tolist() == one.scores.tolist()
    assert chart.points.names == found.systems
    assert [chart.points.goal(place) for place in range(6)] == [SystemGoal(place) for place in range(6)]
    assert f"r {one.correlations['pearson']:.3f} [{one.intervals['pearson'][0]:.3f}" in panel.title
    (line,) = chart.lines
    slope, start = np.polyfit(found.people, one.scores, 1)
    assert line.y.tolist() == pytest.approx((slope * line.x + start).tolist())
    low, high, lowest, highest = chart.bounds
    assert low <= line.x.min() < line.x.max() <= high
    assert lowest - 1e-9 <= line.y.min() < line.y.max() <= highest + 1e-9


def test_crosses_are_the_intervals_of_both():
    found = study()
    one = found.agreements[0]
    (cross,) = metric_vs_human_panels(found, 0)[0].drawing.crosses
    assert cross.across.tolist() == found.people_intervals.tolist()
    assert cross.along.tolist() == one.score_intervals.tolist()
    for ends, scores in ((found.people_intervals, found.people), (one.score_intervals, one.scores)):
        assert (ends[:, 0] < scores).all()
        assert (scores < ends[:, 1]).all()
        # a normal mean of 80 segments
        assert np.diff(ends).ravel().tolist() == pytest.approx([4 * np.sqrt(1 / 80)] * 6, rel=0.7)


def test_where_less_is_better_intervals_and_line_fall():
    more, less = study(), study(better=-1)
    ours, theirs = more.agreements[0].score_intervals, less.agreements[0].score_intervals
    assert theirs.tolist() == pytest.approx(-ours[:, ::-1])
    panel, pairs = metric_vs_human_panels(less, 0)
    (line,) = panel.drawing.lines
    assert line.y[0] > line.y[1]
    assert "the sign of r is reversed" in panel.caption
    assert pairs.drawing.points.y.tolist() == pytest.approx(
        metric_vs_human_panels(more, 0)[1].drawing.points.y.tolist()
    )


def test_pairs_of_which_both_are_sure_and_of_opposite_orders_are_named():
    people, metric, names = made(systems=5)
    metric = metric.copy()
    metric[[0, 4]] = metric[[4, 0]]
    found = meta_evaluate(
        names,
        MetricSystemScores((rows_of("m", metric),)),
        HumanSystemScores.of_segments(people),
        MetaEvalOptions(rounds=400),
    )
    ours, theirs = found.agreements[0].ahead, found.people_ahead
    expected = [
        f"{names[j]} above {names[i]}"
        for (i, j), one, other in zip(combinations(range(5), 2), ours, theirs, strict=True)
        if one <= 0.025 and other >= 0.975
    ]
    assert "s4 above s0" in expected
    systems, pairs = metric_vs_human_panels(found, 0)
    assert systems.caption.startswith(f"{len(expected)} pair")
    assert "s4 above s0" in systems.caption
    chart = pairs.drawing
    keys = [chart.dots[kind].name for kind in chart.points.kinds]
    assert keys.count("discordant, both significantly") == len(expected)
    place = next(place for place in range(10) if chart.points.goal(place) == PairGoal(4, 0))
    assert keys[place] == "discordant, both significantly"
    assert chart.points.x[place] > 0 > chart.points.y[place]


@pytest.mark.parametrize("orientation", ["ahead", "listed"])
def test_quadrants_are_agreement(orientation):
    found = study(orientation=orientation)
    panel = metric_vs_human_panels(found, 0)[1]
    points = panel.drawing.points
    alike = int((points.x * points.y > 0).sum())
    assert alike / found.pairs == pytest.approx(found.agreements[0].pairwise_accuracy)
    assert panel.title.startswith(f"{alike} of 15 pairs concordant; r of differences ")
    for place in range(len(points)):
        goal = points.goal(place)
        assert points.x[place] == pytest.approx(found.people[goal.one] - found.people[goal.other])
        assert points.say(place).startswith(f"s{goal.one} − s{goal.other}: ")
    if orientation == "ahead":
        assert (points.x >= 0).all()
    header = panel.numbers().header
    assert header == ("first", "second", "people", "p by people", "metric", "difference", "p")


def test_a_score_for_each_system_has_no_cross_and_no_pair_is_tested():
    people, metric, names = made()
    whole = (external_metric("whole"), metric.mean(axis=1))
    found = meta_evaluate(names, MetricSystemScores((), (whole,)), HumanSystemScores(people.mean(axis=1)))
    panel, pairs = metric_vs_human_panels(found, 0)
    assert panel.drawing.crosses == ()
    assert "[" not in panel.title
    assert "No pair is tested" in panel.caption
    assert len(pairs.drawing.points) == 10
    assert len(panel.numbers()) == 5


def test_a_metric_that_tells_nothing_apart_has_no_line():
    people, _, names = made()
    found = meta_evaluate(
        names, MetricSystemScores((rows_of("flat", np.ones_like(people)),)), HumanSystemScores.of_segments(people)
    )
    panel, pairs = metric_vs_human_panels(found, 0)
    assert panel.title == "flat vs. human scores: r is undefined"
    assert panel.drawing.lines == ()
    assert pairs.title == "0 of 10 pairs concordant"
    one = replace(found.agreements[0], scores=np.full(5, np.nan))
    nothing = metric_vs_human_panels(replace(found, agreements=(one,)), 0)
    assert [isinstance(panel.drawing, str) for panel in nothing] == [True, True]


def points(*values):
    return tuple(
        CurvePoint(
            place / 2, {"pearson": value, "spearman": value / 2, "kendall": np.nan},
            dict.fromkeys(("pearson", "spearman", "kendall"), (value - 0.1, value + 0.1)),
        )
        for place, value in enumerate(values)
    )  # fmt: skip


def test_curves_are_lines_with_a_legend():
    (recall,) = curve_panels([CorrelationCurve("recall", "unigram-Fmean", points(0.2, 0.6, 0.4))])
    assert recall.title.endswith("r is highest at 0.50")
    chart = recall.drawing
    assert [line.y.tolist() for line in chart.lines] == [[0.2, 0.6, 0.4], [0.1, 0.3, 0.2], []]
    (whiskers,) = chart.crosses
    assert whiskers.along[:, 1].tolist() == pytest.approx([0.3, 0.7, 0.5])
    assert chart.points.say(1) == "Pearson at recall weight 0.50: 0.600 [0.500, 0.700]"
    assert len({(line.key.token, line.key.mark) for line in chart.lines}) == 3
    assert chart.bounds[3] == pytest.approx(0.7)


def test_references_have_a_line_for_each_metric():
    curves = [CorrelationCurve("references", name, points(0.2, 0.6)) for name in ("BLEU", "TER")]
    (panel,) = curve_panels(curves)
    assert [key.name for key in panel.keys] == ["BLEU", "TER"]
    assert panel.drawing.crosses == ()
    assert panel.drawing.points.series.tolist() == [0, 0, 1, 1]
    assert panel.numbers().header[:4] == ("curve", "metric", "at", "sets")
    undefined = curve_panels([CorrelationCurve("references", "BLEU", points(np.nan, np.nan))])[0]
    assert isinstance(undefined.drawing, str)
