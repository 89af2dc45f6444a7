"""Ratings outside the range of their scale."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import ItemRole, Ratings, Score, ScoreRatings
from qe_desktop.ratings.aggregation.scale_range import out_of_range_note
from qe_desktop.ratings.results.rating_results import build_results


def _scores(values, scale="adequacy", more=()):
    rows = [Score(f"r{index % 3}", "S", str(index), scale, value) for index, value in enumerate(values)]
    return ScoreRatings.of([*rows, *more])


@pytest.mark.parametrize(
    ("values", "scale", "expected"),
    [
        ([1, 2, 3, 4, 5] * 8, "adequacy", ""),
        ([1, 2, 3, 4, 5] * 8 + [6], "fluency", "1 rating outside the range 1 to 5: 6 by r1"),
        ([1, 2, 3, 4, 5] * 8 + [0, 55], "adequacy", "2 ratings outside the range 1 to 5; the first is 0 by r1"),
        (list(range(0, 101, 5)), "adequacy", ""),
        ([*range(0, 101, 5), 101], "score", "1 rating outside the range 0 to 100: 101 by r0"),
        ([-25, -5, 0, -1], "score", ""),
        ([7, 8, 1000], "usefulness", ""),
        ([], "score", ""),
    ],
)
def test_values_outside_their_scale_are_noted(values, scale, expected):
    assert out_of_range_note(_scores(values, scale), scale) == expected


def test_training_is_ignored_and_results_contain_the_note():
    training = Score("r0", "S", "t", "adequacy", 9, ItemRole.TRAINING)
    assert out_of_range_note(_scores([1, 2, 3, 4, 5] * 8, more=[training]), "adequacy") == ""
    outlier = Score("Ada", "S", "x", "adequacy", 7)
    notes = build_results(Ratings(_scores([1, 2, 3, 4, 5] * 8, more=[outlier]), Ratings.of().pairs)).notes
    assert "adequacy: 1 rating outside the range 1 to 5: 7 by Ada" in notes


def test_system_rated_only_on_another_scale_has_its_segments():
    rows = [Score("r", "A", "1", "adequacy", 4), Score("r", "B", "1", "usefulness", 2)]
    assert {system.name: system.n for system in build_results(Ratings.of(rows)).systems}["B"] == 1
