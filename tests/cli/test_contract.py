"""The JSON that scripts rely on, key by key: of one pair and of several, with undefined values and without."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cli.shared_tasks import both_pairs, shared_task
from tests.commands import answer, run


@pytest.fixture
def task(tmp_path):
    return shared_task(tmp_path / "task")


@pytest.fixture
def scored(tmp_path):
    """Scores of 40 segments: `near` and `far` the gold, and `flat`, of which no correlation is defined."""
    dice = np.random.default_rng(4)
    gold = dice.normal(size=40)
    (tmp_path / "scored/systems").mkdir(parents=True)
    for path, values in (
        ("test.hter", gold), ("systems/near.scores", gold + dice.normal(size=40) / 4),
        ("systems/far.scores", dice.normal(size=40)), ("systems/flat.scores", np.zeros(40)),
    ):  # fmt: skip
        (tmp_path / "scored" / path).write_text("".join(f"{value:.6f}\n" for value in values))
    return tmp_path / "scored"


def inputs(folder, kind="words", gold="test.tags"):
    return kind, "--gold", folder / gold, "--system", folder / "systems"


def is_interval(value):
    return value is None or (len(value) == 2 and value[0] <= value[1] and all(type(end) is float for end in value))


SYSTEMS = ["fair", "good", "late", "twin"]


def test_score(capsys, task):
    found = answer(capsys, "score", *inputs(task / "en-de"), "--metric", "MCC", "F1-BAD", "--intervals")
    assert set(found) == {"segments", "items", "metrics", "systems", "signature", "notes", "intervals"}
    assert (found["segments"], found["items"], found["metrics"]) == (60, 480, ["MCC", "F1-BAD"])
    assert list(found["systems"]) == list(found["intervals"]) == SYSTEMS
    for name, values in found["systems"].items():
        assert list(values) == list(found["intervals"][name]) == ["MCC", "F1-BAD"]
        for metric, value in values.items():
            low, high = found["intervals"][name][metric]
            assert low <= value <= high
    assert isinstance(found["signature"], str)
    assert found["notes"] == []
    plain = answer(capsys, "score", *inputs(task / "en-de"), "--metric", "MCC", "F1-BAD")
    assert set(found) - set(plain) == {"intervals"}
    assert plain["systems"] == found["systems"]


def test_compare(capsys, task):
    options = ("--metric", "MCC", "F1-BAD", "--rounds", 300, "--seed", 7, "--correction", "holm", "--alpha", "0.1")
    found = answer(capsys, "compare", *inputs(task / "en-de"), *options, "--intervals")
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
    assert contract <= set(found)
    assert [found[key] for key in ("rounds", "seed", "unit", "correction", "alpha")] == [300, 7, "segment", "holm", 0.1]
    assert list(found["metrics"]) == ["MCC", "F1-BAD"]
    scores = found["metrics"]["MCC"]["scores"]
    assert found["systems"] == sorted(scores, key=scores.get, reverse=True)
    assert found["systems"][0] == "good"
    for metric, one in found["metrics"].items():
        assert {"scores", "p", "p_adjusted", "significant", "clusters", "d", "d_top", "d_bottom"} <= set(one)
        assert set(one["scores"]) == set(one["p"]) == set(one["significant"]) == set(SYSTEMS)
        for name, p in one["p"].items():
            assert set(p) == set(SYSTEMS) - {name}
            assert all(0 < value <= 1 for value in p.values())
            assert all(one["p"][other][name] == value for other, value in p.items())
            judged = one["p_adjusted"][name]
            assert set(judged) == set(p)
            assert all(judged[other] >= value for other, value in p.items())
            assert {other for other, value in judged.items() if value <= 0.1} >= set(one["significant"][name])
        assert sorted(name for cluster in one["clusters"] for name in cluster) == SYSTEMS
        assert one["clusters"][0][0] == max(one["scores"], key=one["scores"].get)
        for above, below in zip(one["clusters"], one["clusters"][1:], strict=False):
            assert all(set(below) <= set(one["significant"][name]) for name in above)
        assert all(0 <= one[d] <= 1 for d in ("d", "d_top", "d_bottom"))
        assert all(is_interval(found["intervals"][name][metric]) for name in SYSTEMS)
    assert list(found["intervals"]) == SYSTEMS


@pytest.mark.parametrize("test", ["williams", "williams-two-tailed"])
def test_compare_of_what_is_undefined(capsys, scored, test):
    options = ("--metric", "Pearson", "--test", test, "--rounds", 200, "--intervals")
    found = answer(capsys, "compare", *inputs(scored, "sentences", "test.hter"), *options)
    one = found["metrics"]["Pearson"]
    assert one["scores"]["flat"] is None
    assert found["intervals"]["flat"] == {"Pearson": None}
    assert is_interval(found["intervals"]["near"]["Pearson"])
    assert all(value is None for value in one["p"]["flat"].values())
    assert all(one["p"][name]["flat"] is None for name in ("near", "far"))
    assert one["significant"]["flat"] == []
    assert one["clusters"] == [["near"], ["far"]]
    assert any(note.startswith("Pearson of flat: ") for note in found["notes"])


def test_score_of_what_is_undefined(capsys, scored):
    command = ("score", *inputs(scored, "sentences", "test.hter"), "--metric", "Pearson", "Kendall", "MAE")
    found = answer(capsys, *command, "--intervals")
    assert found["systems"]["flat"]["Pearson"] is None
    assert found["systems"]["flat"]["MAE"] > 0
    assert found["intervals"]["flat"]["Pearson"] is None
    assert found["intervals"]["near"]["Kendall"] is None
    assert is_interval(found["intervals"]["flat"]["MAE"])
    assert any(note.startswith("Pearson of flat: ") for note in found["notes"])
    assert any("Kendall" in note and "no interval" in note for note in found["notes"])


def test_findings(capsys, task):
    found = answer(capsys, "findings", task, "--metric", "MCC", "F1-BAD", "--rounds", 200)
    assert {"level", "pairs", "average", "signature", "notes"} <= set(found)
    assert found["level"] == "words"
    assert list(found["pairs"]) == ["en-de", "ne-en"]
    for held in found["pairs"].values():
        for by in held["systems"].values():
            assert list(by) == ["MCC", "F1-BAD"]
            for one in by.values():
                assert set(one) == {"score", "interval", "cluster", "ranks"}
                assert one["interval"][0] <= one["score"] <= one["interval"][1]
                assert type(one["cluster"]) is int
                assert [type(rank) for rank in one["ranks"]] == [int, int]
                assert 1 <= one["ranks"][0] <= one["ranks"][1] <= len(held["systems"])
    assert set(found["average"]) == set(SYSTEMS)
    assert found["average"]["late"] == {"MCC": None, "F1-BAD": None}
    of_good = [held["systems"]["good"]["F1-BAD"]["score"] for held in found["pairs"].values()]
    assert found["average"]["good"]["F1-BAD"] == pytest.approx(np.mean(of_good))


def test_findings_of_what_is_undefined(capsys, scored):
    found = answer(capsys, "findings", scored, "--metric", "Pearson", "Kendall", "--rounds", 100)
    (held,) = found["pairs"].values()
    assert held["systems"]["flat"]["Pearson"] == {"score": None, "interval": None, "cluster": None, "ranks": None}
    kendall = held["systems"]["near"]["Kendall"]
    assert (kendall["interval"], kendall["cluster"], kendall["ranks"]) == (None, None, None)
    assert kendall["score"] > 0
    assert found["average"]["flat"]["Pearson"] is None


@pytest.mark.parametrize("command", [("score",), ("compare", "--rounds", 100)])
def test_several_pairs(capsys, task, command):
    name, *options = command
    both = answer(capsys, name, *both_pairs(task), "--metric", "MCC", "--intervals", *options)
    assert set(both) == {"pairs", "notes"}
    assert list(both["pairs"]) == ["en-de", "ne-en"]
    for pair, found in both["pairs"].items():
        alone = answer(capsys, name, *inputs(task / pair), "--metric", "MCC", "--intervals", *options)
        assert found == alone
    assert both["notes"] == [f"{pair}: {note}" for pair, found in both["pairs"].items() for note in found["notes"]]


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
def test_adjusted_p_is_the_same_in_json_and_tsv(capsys, task, correction):
    command = ("compare", *inputs(task / "en-de"), "--metric", "MCC", "--rounds", 300)
    options = (*command, "--correction", correction)
    one = answer(capsys, *options)["metrics"]["MCC"]
    pairs = len(SYSTEMS) * (len(SYSTEMS) - 1) // 2
    if correction == "none":
        assert one["p_adjusted"] == one["p"]
    if correction == "bonferroni":
        for name, p in one["p"].items():
            assert one["p_adjusted"][name] == {other: min(1, pairs * value) for other, value in p.items()}
    header, *rows = (
        line.split("\t") for line in run(capsys, *options, "--format", "tsv")[1].splitlines() if "\t" in line
    )
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        assert one["p_adjusted"][cells["system"]][cells["other"]] == float(cells["adjusted"])
