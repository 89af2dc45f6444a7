"""Folders with ratings of each language pair: findings of human scores, in every output format."""

from __future__ import annotations

import numpy as np
import pytest

from tests.command_line import error_line, json_output, run_command

SEGMENTS = 40


def write_ratings(path, seed, **means):
    """Write ratings of most segments of some systems by two raters."""
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
    write_ratings(folder / "cs-en" / "people.tsv", 1, good=70, fair=50, late=60)
    write_ratings(folder / "de-fr" / "people.tsv", 2, good=65, fair=40)
    return folder


def test_findings_equal_the_score_and_compare_commands(capsys, task):
    findings = json_output(capsys, "findings", task, "--rounds", 500)
    assert findings["level"] == "people"
    assert findings["tests"] == {"mean": "randomisation", "z": "randomisation"}
    for pair, pair_findings in findings["pairs"].items():
        arguments = ("--human", task / pair / "people.tsv")
        scored = json_output(capsys, "score", "human", *arguments, "--intervals")
        compared = json_output(capsys, "compare", "human", *arguments, "--rounds", 500)["metrics"]
        assert set(pair_findings["systems"]) == set(scored["systems"])
        for name, by in pair_findings["systems"].items():
            for metric, finding in by.items():
                assert finding["score"] == pytest.approx(scored["systems"][name][metric])
                assert finding["interval"] == pytest.approx(scored["intervals"][name][metric])
                assert name in compared[metric]["clusters"][finding["cluster"] - 1]
    means = [pair_findings["systems"]["good"]["z"]["score"] for pair_findings in findings["pairs"].values()]
    assert findings["average"]["good"]["z"] == pytest.approx(np.mean(means))
    assert findings["average"]["late"]["z"] is None
    assert "late has no output for de-fr, so it has no average." in findings["notes"]


@pytest.mark.parametrize("form", ["table", "tsv", "latex", "html", "json"])
@pytest.mark.parametrize("by", ["pair", "metric"])
def test_findings_of_ratings_in_every_output_format(capsys, task, form, by):
    code, out, err = run_command(
        capsys, "findings", task, "--rounds", 50, "--level", "people", "--format", form, "--by", by
    )
    assert code == 0, err
    assert "late" in out
    assert "mean" in out


def test_charts_of_human_scores_are_written(capsys, task, tmp_path):
    code, _, err = run_command(capsys, "findings", task, "--rounds", 50, "--pictures", tmp_path / "pictures")
    assert code == 0, err
    assert any("cs-en" in path.name for path in (tmp_path / "pictures").glob("*.svg"))


def test_names_that_differ_between_pairs_are_matched(capsys, task):
    write_ratings(task / "de-fr" / "people.tsv", 2, **{"Good_1": 65, "fair": 40})
    findings = json_output(capsys, "findings", task, "--rounds", 50, "--match", "Good_1=good")
    assert set(findings["average"]) == {"good", "fair", "late"}
    assert findings["average"]["good"]["mean"] is not None


def test_ratings_next_to_texts_are_scored_if_the_level_is_named(capsys, task):
    for pair in ("cs-en", "de-fr"):
        (task / pair / "c.mt").write_text("one two\n" * SEGMENTS)
        (task / pair / "c.tags").write_text("OK BAD\n" * SEGMENTS)
        (task / pair / "systems").mkdir()
        (task / pair / "systems" / "a.tags").write_text("OK OK\n" * SEGMENTS)
    assert json_output(capsys, "findings", task, "--rounds", 50)["level"] == "words"
    people = json_output(capsys, "findings", task, "--rounds", 50, "--level", "people")
    assert people["level"] == "people"
    assert set(people["pairs"]) == {"cs-en", "de-fr"}


def test_level_without_ratings_is_an_error(capsys, task):
    (task / "cs-en" / "people.tsv").unlink()
    (task / "de-fr" / "people.tsv").write_text("one two\n" * SEGMENTS)
    (task / "de-fr" / "c.mt").write_text("one two\n" * SEGMENTS)
    assert "there are no ratings to evaluate" in error_line(capsys, "findings", task, "--level", "people")
