"""Folders with ratings of each language pair: findings of people, with the tests of that level, in every form."""

from __future__ import annotations

import numpy as np
import pytest

from tests.commands import answer, refused, run

SEGMENTS = 40


def rated(path, seed, **means):
    """Ratings by two raters of most segments of some systems."""
    dice = np.random.default_rng(seed)
    rows = [
        f"r{rater}\t{name}\t{segment}\t{round(mean + 8 * dice.normal(), 1)}\n"
        for name, mean in means.items()
        for segment in range(1, SEGMENTS + 1)
        for rater in range(2)
        if dice.random() < 0.9
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("rater\tsystem\tsegment\tscore\n" + "".join(rows))


@pytest.fixture
def task(tmp_path):
    folder = tmp_path / "task"
    rated(folder / "cs-en" / "people.tsv", 1, good=70, fair=50, late=60)
    rated(folder / "de-fr" / "people.tsv", 2, good=65, fair=40)
    return folder


def test_scores_tests_and_intervals_are_those_of_the_other_commands(capsys, task):
    found = answer(capsys, "findings", task, "--rounds", 500)
    assert found["level"] == "people"
    assert found["tests"] == {"mean": "randomisation", "z": "randomisation"}
    for pair, held in found["pairs"].items():
        given = ("--human", task / pair / "people.tsv")
        scored = answer(capsys, "score", "human", *given, "--intervals")
        compared = answer(capsys, "compare", "human", *given, "--rounds", 500)["metrics"]
        assert set(held["systems"]) == set(scored["systems"])
        for name, by in held["systems"].items():
            for metric, finding in by.items():
                assert finding["score"] == pytest.approx(scored["systems"][name][metric])
                assert finding["interval"] == pytest.approx(scored["intervals"][name][metric])
                assert name in compared[metric]["clusters"][finding["cluster"] - 1]
    means = [held["systems"]["good"]["z"]["score"] for held in found["pairs"].values()]
    assert found["average"]["good"]["z"] == pytest.approx(np.mean(means))
    assert found["average"]["late"]["z"] is None
    assert "late has no output for de-fr, so it has no average." in found["notes"]


@pytest.mark.parametrize("form", ["table", "tsv", "latex", "html", "json"])
@pytest.mark.parametrize("by", ["pair", "metric"])
def test_in_every_form(capsys, task, form, by):
    code, out, err = run(capsys, "findings", task, "--rounds", 50, "--level", "people", "--format", form, "--by", by)
    assert code == 0, err
    assert "late" in out
    assert "mean" in out


def test_pictures_of_what_people_gave(capsys, task, tmp_path):
    code, _, err = run(capsys, "findings", task, "--rounds", 50, "--pictures", tmp_path / "pictures")
    assert code == 0, err
    assert any("cs-en" in path.name for path in (tmp_path / "pictures").glob("*.svg"))


def test_names_that_differ_between_pairs_are_matched(capsys, task):
    rated(task / "de-fr" / "people.tsv", 2, **{"Good_1": 65, "fair": 40})
    found = answer(capsys, "findings", task, "--rounds", 50, "--match", "Good_1=good")
    assert set(found["average"]) == {"good", "fair", "late"}
    assert found["average"]["good"]["mean"] is not None


def test_ratings_beside_texts_are_scored_where_the_level_is_named(capsys, task):
    for pair in ("cs-en", "de-fr"):
        (task / pair / "c.mt").write_text("one two\n" * SEGMENTS)
        (task / pair / "c.tags").write_text("OK BAD\n" * SEGMENTS)
        (task / pair / "systems").mkdir()
        (task / pair / "systems" / "a.tags").write_text("OK OK\n" * SEGMENTS)
    assert answer(capsys, "findings", task, "--rounds", 50)["level"] == "words"
    people = answer(capsys, "findings", task, "--rounds", 50, "--level", "people")
    assert people["level"] == "people"
    assert set(people["pairs"]) == {"cs-en", "de-fr"}


def test_without_ratings_there_is_nothing_to_score(capsys, task):
    (task / "cs-en" / "people.tsv").unlink()
    (task / "de-fr" / "people.tsv").write_text("one two\n" * SEGMENTS)
    (task / "de-fr" / "c.mt").write_text("one two\n" * SEGMENTS)
    assert "there are no ratings to score" in refused(capsys, "findings", task, "--level", "people")
