"""Charts of the threshold, labelling and sampling studies: lines, marked points, titles and captions."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from qe_desktop.corpus import TagColumn, offsets_from_lengths
from qe_desktop.levels.chart_model import AxisChart
from qe_desktop.levels.words.tag_inputs import level_of, scoring_of
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.studies.charts.curve_charts import curve_key, thin_points
from qe_desktop.studies.charts.tag_metric_charts import labelling_panels, sampling_panels
from qe_desktop.studies.charts.threshold_charts import threshold_panels
from qe_desktop.studies.labelling_study import LabellingOptions, study_labellings
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from qe_desktop.studies.sampling.sampling_study import study_sampling
from qe_desktop.studies.threshold_study import ThresholdData, WordScores, study_thresholds

METRICS = [WORD_METRICS[name] for name in ("F1-BAD", "MCC")]
SEGMENTS, WORDS = 40, 8


def three_digits(value):
    return f"{value:.3f}"


@pytest.fixture
def gold():
    values = (np.random.default_rng(1).random(SEGMENTS * WORDS) < 0.3).astype(np.uint8)
    return TagColumn(values, offsets_from_lengths([WORDS] * SEGMENTS))


@pytest.fixture
def scoring(gold):
    generator = np.random.default_rng(2)
    flipped = {
        name: TagColumn(
            np.where(generator.random(len(gold.values)) < share, 1 - gold.values, gold.values), gold.offsets
        )
        for name, share in (("good", 0.1), ("bad", 0.3))
    }
    return scoring_of(level_of("words"), gold, flipped)


def threshold_study_of(gold, systems):
    generator = np.random.default_rng(3)
    numbers = {
        f"s{number}": WordScores(
            np.clip(0.4 * gold.values + generator.random(len(gold.values)) * 0.6, 0, 1), probabilities=True
        )
        for number in range(systems)
    }
    return study_thresholds(ThresholdData(gold, numbers), METRICS, rounds=50)


def test_threshold_chart_has_every_threshold_and_marks_the_best(gold):
    study = threshold_study_of(gold, 2)
    against, ranking = threshold_panels(study, 1, 0, three_digits)
    system = study.systems[1]
    chart = against.content
    assert isinstance(chart, AxisChart)
    for line, metric in zip(chart.lines, range(2), strict=True):
        assert line.y.tolist() == [pytest.approx(system.sweep.scores_at(threshold)[metric]) for threshold in line.x]
    best = system.best[0]
    assert (chart.points.x[0], chart.points.y[0]) == (best.threshold, best.score)
    low, high = best.interval
    interval = f"95 % interval {low:.3f} to {high:.3f}"
    assert f"F1-BAD is highest at {best.threshold:.3f} ({interval}): {best.score:.3f}" in chart.points.describe(0)
    # the maxima have the colours of their curves, so one dot in the legend could not stand for them
    assert [key.name for key in against.keys] == ["F1-BAD", "MCC", "95 % interval"]
    assert [key.token for key in chart.dots] == [line.key.token for line in chart.lines]
    assert chart.error_bars[0].x_ends.tolist() == [list(best.interval)]
    numbers = against.make_table()
    assert numbers.header[:5] == ("system", "threshold", "bad", "precision", "recall")
    assert len(numbers) == len(system.sweep.positions.thresholds)
    curves = ranking.content
    assert [line.key.name for line in curves.lines] == ["s0", "s1"]
    index = system.sweep.positions.position_of(best.threshold)
    assert (curves.points.x[0], curves.points.y[0]) == (system.sweep.recall[index], system.sweep.precision[index])


def test_many_systems_are_limited_to_the_selected_and_the_best(gold):
    study = threshold_study_of(gold, 12)
    precisions = [system.sweep.together.average_precision for system in study.systems]
    worst = int(np.argmin(precisions))
    drawn = [line.key.name for line in threshold_panels(study, worst, 0, three_digits)[1].content.lines]
    assert len(drawn) == 8
    assert f"s{worst}" in drawn
    assert f"s{int(np.argmax(precisions))}" in drawn


def test_constant_scores_have_no_best_threshold(gold):
    all_ok = TagColumn(np.zeros_like(gold.values), gold.offsets)
    constant = WordScores(np.full(len(gold.values), 0.5), probabilities=True)
    study = study_thresholds(ThresholdData(all_ok, {"s": constant}), METRICS, rounds=5)
    against, ranking = threshold_panels(study, 0, 0, three_digits)
    assert "no best threshold for F1-BAD" in against.title
    assert ranking.title == "Precision vs. recall of BAD"


def test_systems_and_labellings_are_ordered_by_metric(scoring):
    study = study_labellings(scoring, METRICS, LabellingOptions())
    for metric_index, metric in enumerate(study.metrics):
        (panel,) = labelling_panels(study, metric_index, three_digits)
        points = panel.content.points
        assert (np.diff(points.y) <= 0).all()
        defined = {item.name for item in study.labellings if np.isfinite(item.scores[metric_index]).all()}
        assert set(points.labels) == {"good", "bad", *defined}
        undefined_note = "Undefined scores count as 0 and are not plotted: all-BAD, all-OK."
        assert (undefined_note in panel.caption) == (metric.name == "MCC")
        assert {points.labels[item]: kind for item, kind in enumerate(points.key_indices)}["good"] == 0
        assert points.describe(0).startswith(f"{points.labels[0]}")
        assert len(panel.make_table()) == 7
        assert (f"{metric.name} ranks a system below" in panel.caption) == bool(study.totals[metric_index])


def test_counts_of_several_draws_are_averages(scoring):
    study = study_labellings(scoring, METRICS, LabellingOptions(labellings=("random",), draws=3))
    (random,) = study.labellings
    lower_counts = np.asarray([[1, 0, 0], [2, 2, 2]])
    study = replace(study, labellings=(replace(random, lower_counts=lower_counts),))
    (first,), (second,) = (labelling_panels(study, metric_index, three_digits) for metric_index in range(2))
    assert "ranks a system below a baseline 0.33 times on average." in first.caption
    assert "ranks a system below a baseline 2.00 times on average." in second.caption
    points = first.content.points
    description = points.describe(points.labels.index("random"))
    assert description.endswith("ranked above 0.33 of 2 systems on average")


def test_sampling_charts_show_p_by_number_of_data_sets(scoring):
    options = SamplingOptions((Decimal(5), Decimal(6), Decimal(8)), (10, 100), 20)
    study = study_sampling(scoring, METRICS, options)
    panels = sampling_panels(study, 1, three_digits)
    assert panels[0].title == "MCC: p by number of data sets"
    spread = np.ptp(study.adjusted_p().mean(axis=-1), axis=0)
    largest_difference = ("5 and 6 %", "5 and 8 %", "6 and 8 %")[int(np.argmax(spread))]
    assert panels[1].title.startswith(f"{largest_difference}, where metrics differ most")
    assert [line.key.name for line in panels[1].content.lines] == ["F1-BAD", "MCC", "alpha = .05"]
    chart = panels[0].content
    assert chart.bounds[:2] == (1.0, pytest.approx(2.05))
    assert chart.x_ticks == ((1.0, "10"), (2.0, "100"))
    for pair, line in enumerate(chart.lines[:3]):
        assert line.y.tolist() == study.adjusted_p()[1, pair].tolist()
    assert chart.lines[3].y.tolist() == [0.05, 0.05]
    assert len(panels[0].make_table()) == 2 * 3 * 2
    assert "5 and 6 %" in chart.points.describe(0)


def test_thinned_curves_keep_their_ends_and_drop_undefined_points():
    x = np.linspace(0, 1, 5_000)
    y = np.where(x < 0.1, np.nan, x**2)
    thinned = thin_points(x, y, 100)
    assert len(thinned) <= 102
    assert thinned[-1] == 4_999
    assert np.isfinite(y[thinned]).all()
    assert thinned[0] == np.flatnonzero(np.isfinite(y))[0]
    assert thin_points(x, y * np.nan, 100).tolist() == []


def test_curves_have_different_keys_and_the_first_six_different_colours():
    keys = [curve_key(index, "x") for index in range(24)]
    assert len({(key.token, key.mark) for key in keys}) == 24
    assert len({key.token for key in keys[:6]}) == 6
