"""Post-editing times of the gold and of systems divided by the number of MT tokens."""

from __future__ import annotations

import numpy as np
import pytest

from tests.command_line import error_line, json_output

TOKENS = (3, 1, 4, 2, 5, 2)
SECONDS = (30.0, 4.0, 90.0, 11.0, 42.0, 12.0)
PREDICTED = (33.0, 5.0, 70.0, 14.0, 50.0, 9.0)
HTER = (0.5, 0.2, 0.9, 0.3, 0.4, 0.35)


@pytest.fixture
def files(tmp_path):
    for name, values in (("pet", SECONDS), ("predicted", PREDICTED), ("hter", HTER)):
        (tmp_path / name).write_text("".join(f"{value}\n" for value in values))
    (tmp_path / "mt").write_text("".join(" ".join(["w"] * tokens) + "\n" for tokens in TOKENS))
    return tmp_path


def rate(values):
    return np.array(values) / TOKENS


def pearson(first, second):
    return pytest.approx(np.corrcoef(first, second)[0, 1])


def test_gold_and_predictions_are_divided_by_mt_tokens(capsys, files):
    inputs = ("--gold", files / "pet", "--system", files / "predicted", "--per-token", files / "mt")
    report = json_output(capsys, "score", "sentences", *inputs)
    system = report["systems"]["predicted"]
    assert system["Pearson"] == pearson(rate(SECONDS), rate(PREDICTED))
    assert system["MAE"] == pytest.approx(np.abs(rate(SECONDS) - rate(PREDICTED)).mean())
    assert "|per-token:all|" in report["signature"]
    assert "the gold and all scores are divided by the number of MT tokens" in report["notes"]
    plain = json_output(capsys, "score", "sentences", *inputs[:4])
    assert plain["systems"]["predicted"]["Pearson"] == pearson(SECONDS, PREDICTED)
    assert "per-token" not in plain["signature"]


def test_times_option_divides_only_the_named_systems(capsys, files):
    """As in Graham (2015), Table 1: post-editing time (PET) and rate (PER) correlated with HTER."""
    inputs = ("--gold", files / "hter", "--system", f"PET={files / 'pet'}", f"PER={files / 'pet'}")
    rates = ("--per-token", files / "mt", "--times", "PER")
    report = json_output(capsys, "score", "sentences", *inputs, *rates)
    assert report["systems"]["PET"]["Pearson"] == pearson(HTER, SECONDS)
    assert report["systems"]["PER"]["Pearson"] == pearson(HTER, rate(SECONDS))
    assert "|per-token:PER|" in report["signature"]
    assert "scores divided by the number of MT tokens: PER" in report["notes"]
    p = json_output(capsys, "compare", "sentences", *inputs, *rates)["metrics"]["Pearson"]["p"]
    assert 0 < p["PER"]["PET"] < 1


def test_systems_not_named_by_the_times_option_are_unchanged(capsys, files):
    inputs = ("--gold", files / "pet", "--system", files / "predicted", files / "hter", "--per-token", files / "mt")
    report = json_output(capsys, "score", "sentences", *inputs, "--times", "pet", "predicted")
    assert report["systems"]["predicted"]["Pearson"] == pearson(rate(SECONDS), rate(PREDICTED))
    assert report["systems"]["hter"]["Pearson"] == pearson(rate(SECONDS), HTER)


def test_invalid_token_counts_and_names_are_errors(capsys, files):
    inputs = ("score", "sentences", "--gold", files / "pet", "--system", files / "predicted")
    assert "neither the gold nor a system is named “x”. Available names: pet and predicted." in error_line(
        capsys, *inputs, "--per-token", files / "mt", "--times", "x"
    )
    assert "Specify the MT with --per-token" in error_line(capsys, *inputs, "--times", "pet")
    (files / "empty").write_text("a b\n\nc\n\nd\ne\n")
    assert f"{files / 'empty'}:2: this segment has no tokens (and 1 more location)" in error_line(
        capsys, *inputs, "--per-token", files / "empty"
    )
    for lines, line_number in ((5, 5), (8, 7)):
        (files / "other").write_text("a b\n" * lines)
        err = error_line(capsys, *inputs, "--per-token", files / "other")
        assert f"other:{line_number}: {lines} lines, but the gold has 6 segments" in err
