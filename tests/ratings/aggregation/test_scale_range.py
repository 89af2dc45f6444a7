"""The range of a scale is derived from its ratings, in every text and plot."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ratings.aggregation.scale_range import ScaleRange, choose_bins, scale_range
from qe_desktop.ratings.agreement.rater_agreement import bin_values
from qe_desktop.ratings.results.distributions import RatingDistributions, RepeatPairs
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.report.rating_report import agreement_table, systems_table
from qe_desktop.ui.campaigns.results.agreement_table import agreement_measures
from qe_desktop.ui.campaigns.results.rater_summaries import repeated_pairs
from qe_desktop.ui.campaigns.results.statistic_columns import statistic_columns


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2, 3, 4, 5] * 4, ScaleRange(1, 5)),
        ([3, 4, 4], ScaleRange(1, 5)),
        ([1, 2, 3, 4, 5] * 8 + [55], ScaleRange(1, 5)),
        (list(range(0, 101, 5)), ScaleRange(0, 100)),
        ([72.5, 98.67, 61], ScaleRange(0, 100)),
        ([1, 2, 6, 7], ScaleRange(1, 7, known=False)),
        ([0, 3, 6, 5, 4], ScaleRange(0, 6, known=False)),
        ([0, 0.25, 1], ScaleRange(0, 1, known=False)),
        ([2.5, 9, 10, 0], ScaleRange(0, 10, known=False)),
        ([-25, 0, -1], ScaleRange(-25, 0, known=False)),
        ([], None),
    ],
)
def test_known_scales_are_recognized_and_others_have_their_observed_range(values, expected):
    assert scale_range(np.asarray(values, float)) == expected


def test_ranges_are_written_with_a_dash_or_to():
    assert [str(span) for span in (ScaleRange(1, 5), ScaleRange(0.5, 7), ScaleRange(-25, 0))] == [
        "1–5",
        "0.5–7",
        "−25 to 0",
    ]
    assert ScaleRange(1, 5) + ScaleRange(0, 100) == ScaleRange(1, 105)


def two_scales(draw) -> Ratings:
    """Return ratings of two raters, two systems and thirty segments on two scales, with values from `draw`."""
    rng = np.random.default_rng(1)
    return Ratings.of(
        [
            Score(rater, system, str(segment), scale, float(draw(rng)))
            for rater in ("Ana", "Ben")
            for system in ("one", "other")
            for segment in range(30)
            for scale in ("adequacy", "fluency")
        ]
    )


@pytest.mark.parametrize(
    ("draw", "header", "title"),
    [
        (lambda dice: dice.integers(1, 6), "total (2–10)", "adequacy (1–5) and fluency (1–5)"),
        (lambda dice: dice.integers(0, 101), "total (0–200)", "adequacy (0–100) and fluency (0–100)"),
        (lambda dice: round(100 * dice.random(), 2), "total (0–200)", "adequacy (0–100) and fluency (0–100)"),
        (lambda dice: dice.integers(1, 8), "total", "adequacy (values: 1–7) and fluency (values: 1–7)"),
    ],
)
def test_total_states_the_range_of_its_scales(draw, header, title):
    results = build_results(two_scales(draw))
    column = next(column for column in statistic_columns(results) if column.key == "total")
    assert column.name == header
    assert title in systems_table(results).title
    assert ("2 to 10" in column.description) is (header == "total (2–10)")
    if header == "total":
        assert column.description.endswith("observed values from 2 to 14")


def test_plots_are_as_wide_as_the_scale():
    assert choose_bins(np.array([0.0, 3.5, 9.5])).edges[-1] <= 10
    assert choose_bins(np.array([1.0, 4.5])).edges[-1] <= 5
    assert choose_bins(np.array([1.0, 40.5])).edges[[0, -1]].tolist() == [0, 100]
    assert choose_bins(np.arange(1.0, 8)).centres.tolist() == [1, 2, 3, 4, 5, 6, 7]
    shapes = RatingDistributions(repeats={("Ana", "x"): RepeatPairs(np.array([2.0, 6]), np.array([3.0, 7]))})
    assert repeated_pairs(shapes, "Ana", "x", ScaleRange(1, 7)).bounds == (1, 7)
    assert repeated_pairs(shapes, "Ana", "x", ScaleRange(0, 100)).bounds == (0, 100)
    assert repeated_pairs(shapes, "Ana", "x", ScaleRange(1, 5)).bounds == (2, 7)


def test_bins_of_a_short_scale_divide_that_scale():
    """Ten equal bins of 0..100 would put every value of 0..10 into the first."""
    assert len(set(bin_values(np.linspace(0, 10, 50), 10).tolist())) == 10
    assert bin_values(np.array([0.0, 9.9, 10, 100]), 10).tolist() == [0, 0, 1, 9]


@pytest.mark.parametrize(("top", "shown"), [(1, False), (4, True)])
def test_agreement_within_one_is_omitted_on_a_scale_from_0_to_1(top, shown):
    rows = agreement_measures(build_results(two_scales(lambda dice: dice.integers(0, 2) * top)), "adequacy")
    assert ("Share of rating pairs at most 1 apart" in [row.name for row in rows]) is shown
    reported = agreement_table(build_results(two_scales(lambda dice: dice.integers(0, 2) * top))).rows
    assert ("within one" in [row[1] for row in reported]) is shown
