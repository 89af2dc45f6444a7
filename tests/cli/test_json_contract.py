"""The JSON that scripts rely on, key by key: one or several language pairs, with and without undefined values."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cli.shared_tasks import options_of_both_pairs, write_shared_task
from tests.command_line import json_output, run_command


@pytest.fixture
def task(tmp_path):
    return write_shared_task(tmp_path / "task")


@pytest.fixture
def scored_folder(tmp_path):
    """Scores of 40 segments: `near` is close to the gold, `far` is random, and `flat` is constant."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=40)
    (tmp_path / "scored/systems").mkdir(parents=True)
    for path, values in (
        ("test.hter", gold), ("systems/near.scores", gold + rng.normal(size=40) / 4),
        ("systems/far.scores", rng.normal(size=40)), ("systems/flat.scores", np.zeros(40)),
    ):  # fmt: skip
        (tmp_path / "scored" / path).write_text("".join(f"{value:.6f}\n" for value in values))
    return tmp_path / "scored"


def inputs(folder, kind="words", gold="test.tags"):
    return kind, "--gold", folder / gold, "--system", folder / "systems"


def is_interval(value):
    return value is None or (len(value) == 2 and value[0] <= value[1] and all(type(end) is float for end in value))


SYSTEMS = ["fair", "good", "late", "twin"]


def test_score_json(capsys, task):
    result = json_output(capsys, "score", *inputs(task / "en-de"), "--metric", "MCC", "F1-BAD", "--intervals")
    assert set(result) == {"segments", "items", "metrics", "systems", "signature", "notes", "intervals"}
    assert (result["segments"], result["items"], result["metrics"]) == (60, 480, ["MCC", "F1-BAD"])
    assert list(result["systems"]) == list(result["intervals"]) == SYSTEMS
    for name, values in result["systems"].items():
        assert list(values) == list(result["intervals"][name]) == ["MCC", "F1-BAD"]
        for metric, value in values.items():
            low, high = result["intervals"][name][metric]
            assert low <= value <= high
    assert isinstance(result["signature"], str)
    assert result["notes"] == []
    plain = json_output(capsys, "score", *inputs(task / "en-de"), "--metric", "MCC", "F1-BAD")
    assert set(result) - set(plain) == {"intervals"}
    assert plain["systems"] == result["systems"]


def test_compare_json(capsys, task):
    options = ("--metric", "MCC", "F1-BAD", "--rounds", 300, "--seed", 7, "--correction", "holm", "--alpha", "0.1")
    data = json_output(capsys, "compare", *inputs(task / "en-de"), *options, "--intervals")
    contract = {
        "systems",
        "rounds",
        "seed",
        "unit",
        "correction",
        "alpha",
        "metrics",
        "intervals",
        "notes",
        "signature",
    }
    assert contract <= set(data)
    assert [data[key] for key in ("rounds", "seed", "unit", "correction", "alpha")] == [300, 7, "segment", "holm", 0.1]
    assert list(data["metrics"]) == ["MCC", "F1-BAD"]
    scores = data["metrics"]["MCC"]["scores"]
    assert data["systems"] == sorted(scores, key=scores.get, reverse=True)
    assert data["systems"][0] == "good"
    for metric, comparison in data["metrics"].items():
        assert {"scores", "p", "p_adjusted", "significant", "clusters", "d", "d_top", "d_bottom"} <= set(comparison)
        assert set(comparison["scores"]) == set(comparison["p"]) == set(comparison["significant"]) == set(SYSTEMS)
        for name, p in comparison["p"].items():
            assert set(p) == set(SYSTEMS) - {name}
            assert all(0 < value <= 1 for value in p.values())
            assert all(comparison["p"][other_system][name] == value for other_system, value in p.items())
            adjusted = comparison["p_adjusted"][name]
            assert set(adjusted) == set(p)
            assert all(adjusted[other_system] >= value for other_system, value in p.items())
            assert {other_system for other_system, value in adjusted.items() if value <= 0.1} >= set(
                comparison["significant"][name]
            )
        assert sorted(name for cluster in comparison["clusters"] for name in cluster) == SYSTEMS
        assert comparison["clusters"][0][0] == max(comparison["scores"], key=comparison["scores"].get)
        for above, below in zip(comparison["clusters"], comparison["clusters"][1:], strict=False):
            assert all(set(below) <= set(comparison["significant"][name]) for name in above)
        assert all(0 <= comparison[d] <= 1 for d in ("d", "d_top", "d_bottom"))
        assert all(is_interval(data["intervals"][name][metric]) for name in SYSTEMS)
    assert list(data["intervals"]) == SYSTEMS


@pytest.mark.parametrize("test", ["williams", "williams-two-tailed"])
def test_compare_json_with_undefined_scores(capsys, scored_folder, test):
    options = ("--metric", "Pearson", "--test", test, "--rounds", 200, "--intervals")
    result = json_output(capsys, "compare", *inputs(scored_folder, "sentences", "test.hter"), *options)
    comparison = result["metrics"]["Pearson"]
    assert comparison["scores"]["flat"] is None
    assert result["intervals"]["flat"] == {"Pearson": None}
    assert is_interval(result["intervals"]["near"]["Pearson"])
    assert all(value is None for value in comparison["p"]["flat"].values())
    assert all(comparison["p"][name]["flat"] is None for name in ("near", "far"))
    assert comparison["significant"]["flat"] == []
    assert comparison["clusters"] == [["near"], ["far"]]
    assert any(note.startswith("Pearson of flat: ") for note in result["notes"])


def test_score_json_with_undefined_scores(capsys, scored_folder):
    command = ("score", *inputs(scored_folder, "sentences", "test.hter"), "--metric", "Pearson", "Kendall", "MAE")
    result = json_output(capsys, *command, "--intervals")
    assert result["systems"]["flat"]["Pearson"] is None
    assert result["systems"]["flat"]["MAE"] > 0
    assert result["intervals"]["flat"]["Pearson"] is None
    assert result["intervals"]["near"]["Kendall"] is None
    assert is_interval(result["intervals"]["flat"]["MAE"])
    assert any(note.startswith("Pearson of flat: ") for note in result["notes"])
    assert any("Kendall" in note and "no interval" in note for note in result["notes"])


@pytest.mark.parametrize(("metric", "explained"), [("Kendall", False), ("MAE", True)])
def test_intervals_are_explained_only_if_there_are_any(capsys, scored_folder, metric, explained):
    command = ("score", *inputs(scored_folder, "sentences", "test.hter"), "--metric", metric, "--intervals")
    code, output, _ = run_command(capsys, *command)
    assert code == 0
    assert ("In brackets: 95 % intervals." in output) is explained


def test_findings_json(capsys, task):
    result = json_output(capsys, "findings", task, "--metric", "MCC", "F1-BAD", "--rounds", 200)
    assert {"level", "pairs", "average", "signature", "notes"} <= set(result)
    assert result["level"] == "words"
    assert list(result["pairs"]) == ["en-de", "ne-en"]
    for pair_result in result["pairs"].values():
        for by_metric in pair_result["systems"].values():
            assert list(by_metric) == ["MCC", "F1-BAD"]
            for entry in by_metric.values():
                assert set(entry) == {"score", "interval", "cluster", "ranks"}
                assert entry["interval"][0] <= entry["score"] <= entry["interval"][1]
                assert type(entry["cluster"]) is int
                assert [type(rank) for rank in entry["ranks"]] == [int, int]
                assert 1 <= entry["ranks"][0] <= entry["ranks"][1] <= len(pair_result["systems"])
    assert set(result["average"]) == set(SYSTEMS)
    assert result["average"]["late"] == {"MCC": None, "F1-BAD": None}
    good_scores = [pair_result["systems"]["good"]["F1-BAD"]["score"] for pair_result in result["pairs"].values()]
    assert result["average"]["good"]["F1-BAD"] == pytest.approx(np.mean(good_scores))


def test_findings_json_with_undefined_scores(capsys, scored_folder):
    result = json_output(capsys, "findings", scored_folder, "--metric", "Pearson", "Kendall", "--rounds", 100)
    (pair,) = result["pairs"].values()
    assert pair["systems"]["flat"]["Pearson"] == {"score": None, "interval": None, "cluster": None, "ranks": None}
    kendall = pair["systems"]["near"]["Kendall"]
    assert (kendall["interval"], kendall["cluster"], kendall["ranks"]) == (None, None, None)
    assert kendall["score"] > 0
    assert result["average"]["flat"]["Pearson"] is None


@pytest.mark.parametrize("command", [("score",), ("compare", "--rounds", 100)])
def test_json_of_several_pairs_contains_that_of_each_pair(capsys, task, command):
    name, *options = command
    both = json_output(capsys, name, *options_of_both_pairs(task), "--metric", "MCC", "--intervals", *options)
    assert set(both) == {"pairs", "notes"}
    assert list(both["pairs"]) == ["en-de", "ne-en"]
    for pair, result in both["pairs"].items():
        alone = json_output(capsys, name, *inputs(task / pair), "--metric", "MCC", "--intervals", *options)
        assert result == alone
    assert both["notes"] == [f"{pair}: {note}" for pair, result in both["pairs"].items() for note in result["notes"]]


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
def test_adjusted_p_is_the_same_in_json_and_tsv(capsys, task, correction):
    command = ("compare", *inputs(task / "en-de"), "--metric", "MCC", "--rounds", 300)
    options = (*command, "--correction", correction)
    comparison = json_output(capsys, *options)["metrics"]["MCC"]
    pairs = len(SYSTEMS) * (len(SYSTEMS) - 1) // 2
    if correction == "none":
        assert comparison["p_adjusted"] == comparison["p"]
    if correction == "bonferroni":
        for name, p in comparison["p"].items():
            assert comparison["p_adjusted"][name] == {
                other_system: min(1, pairs * value) for other_system, value in p.items()
            }
    header, *rows = (
        line.split("\t") for line in run_command(capsys, *options, "--format", "tsv")[1].splitlines() if "\t" in line
    )
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        assert comparison["p_adjusted"][cells["system"]][cells["other"]] == float(cells["adjusted"])
