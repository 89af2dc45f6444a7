"""Ratings passed from Python are scored and compared like those of a file."""

from __future__ import annotations

import numpy as np
import pytest

import qe_desktop
from tests.command_line import json_output

SEGMENTS = 25


@pytest.fixture
def ratings():
    dice = np.random.default_rng(4)
    result = {}
    for index, name in enumerate(("a", "b", "c")):
        rows = dice.integers(0, 60, (3, SEGMENTS)) + 10.0 * index
        rows[dice.random(rows.shape) < 0.3] = np.nan
        result[name] = rows
    return result


@pytest.fixture
def file(ratings, tmp_path):
    rows = [
        f"{rater}\t{name}\t{segment + 1}\t{value}\n"
        for name, rater_rows in ratings.items()
        for rater, row in enumerate(rater_rows)
        for segment, value in enumerate(row)
        if not np.isnan(value)
    ]
    path = tmp_path / "people.tsv"
    path.write_text("rater\tsystem\tsegment\tscore\n" + "".join(rows))
    return path


def test_python_scores_and_tests_equal_the_command_line(capsys, ratings, file):
    scored = qe_desktop.score("human", None, ratings, intervals="bootstrap").json()
    assert scored["systems"] == json_output(capsys, "score", "human", "--human", file, "--intervals")["systems"]
    by_rater = {
        name: {str(rater): row.tolist() for rater, row in enumerate(rater_rows)} for name, rater_rows in ratings.items()
    }
    compared = qe_desktop.compare("human", None, by_rater, rounds=200).json()
    assert compared["metrics"] == json_output(capsys, "compare", "human", "--human", file, "--rounds", 200)["metrics"]


def test_ratings_of_one_rater_with_missing_values():
    report = qe_desktop.score("people", None, {"a": [1, None, 3], "b": [2.0, np.nan, np.nan]}, ["mean"])
    assert report.json()["systems"] == {"a": {"mean": 2.0}, "b": {"mean": 2.0}}
    systems = {"a": [1, 2, 3], "b": [2, 3, 3]}
    documents = qe_desktop.compare("people", None, systems, ["mean"], documents=["x", "x", "y"])
    assert documents.json()["unit"] == "document"


@pytest.mark.parametrize(
    ("gold", "systems", "message"),
    [
        ([1, 2], {"a": [1, 2]}, "gold: human scores are not compared with a gold"),
        (None, {"a": [1, 2], "b": [1]}, "systems['b']['0']: 1 rating for 2 segments"),
        (None, {"a": [1, 2], "b": [None, None]}, "systems['b']: no segment has a rating"),
        (None, {"a": [1, "much"]}, "systems['a']: these values are not ratings"),
        (None, {"a": {"r": [1, float("inf")]}}, "systems['a']['r'][1]: \"inf\" is not a rating"),
        (None, {"a": {"r": [[1]]}}, "systems['a']['r']: these values are not ratings"),
        (None, {"a": {}}, "systems['a']: these values are not ratings"),
        (None, {"a": [[1, 2], [1]]}, "systems['a']: these values are not ratings"),
        (None, {"a": 3}, "systems['a']: these values are not ratings"),
        (None, {"a": []}, "systems['a']: these values are not ratings"),
        (None, {"a": np.zeros((2, 2, 2))}, "systems['a']: these values are not ratings"),
    ],
)
def test_invalid_ratings_are_reported_with_their_position(gold, systems, message):
    with pytest.raises(qe_desktop.QeError) as error:
        qe_desktop.score("people", gold, systems)
    assert message in error.value.line()


@pytest.mark.parametrize("level", ["words", "sentences", "translations"])
def test_other_levels_require_a_gold(level):
    with pytest.raises(qe_desktop.QeError) as error:
        qe_desktop.score(level, None, {"a": [["OK"]] if level == "words" else [1.0] if level == "sentences" else ["x"]})
    assert "gold" in error.value.line()
