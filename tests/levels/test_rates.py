"""Post-edit rates: times divided by the tokens of the MT, of the gold and of the systems that predict times."""

from __future__ import annotations

import numpy as np
import pytest

from tests.levels.test_score_tables import answer, refused

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


def r(one, other):
    return pytest.approx(np.corrcoef(one, other)[0, 1])


def test_gold_and_predictions_in_seconds_a_word(capsys, files):
    inputs = ("--gold", files / "pet", "--system", files / "predicted", "--per-token", files / "mt")
    found = answer(capsys, "score", "sentences", *inputs)
    system = found["systems"]["predicted"]
    assert system["Pearson"] == r(rate(SECONDS), rate(PREDICTED))
    assert system["MAE"] == pytest.approx(np.abs(rate(SECONDS) - rate(PREDICTED)).mean())
    assert "|per-token:all|" in found["signature"]
    assert "the gold and all scores are divided by the number of MT tokens" in found["notes"]
    plain = answer(capsys, "score", "sentences", *inputs[:4])
    assert plain["systems"]["predicted"]["Pearson"] == r(SECONDS, PREDICTED)
    assert "per-token" not in plain["signature"]


def test_golds_against_each_other_as_times_and_as_rates(capsys, files):
    """As in Graham's Table 1: a rate goes with HTER more than a time does."""
    inputs = ("--gold", files / "hter", "--system", f"PET={files / 'pet'}", f"PER={files / 'pet'}")
    rates = ("--per-token", files / "mt", "--times", "PER")
    found = answer(capsys, "score", "sentences", *inputs, *rates)
    assert found["systems"]["PET"]["Pearson"] == r(HTER, SECONDS)
    assert found["systems"]["PER"]["Pearson"] == r(HTER, rate(SECONDS))
    assert "|per-token:PER|" in found["signature"]
    assert "divided by the number of MT tokens: PER" in found["notes"]
    p = answer(capsys, "compare", "sentences", *inputs, *rates)["metrics"]["Pearson"]["p"]
    assert 0 < p["PER"]["PET"] < 1


def test_systems_that_predict_something_else_stay_as_they_are(capsys, files):
    inputs = ("--gold", files / "pet", "--system", files / "predicted", files / "hter", "--per-token", files / "mt")
    found = answer(capsys, "score", "sentences", *inputs, "--times", "pet", "predicted")
    assert found["systems"]["predicted"]["Pearson"] == r(rate(SECONDS), rate(PREDICTED))
    assert found["systems"]["hter"]["Pearson"] == r(rate(SECONDS), HTER)


def test_what_cannot_be_divided(capsys, files):
    inputs = ("score", "sentences", "--gold", files / "pet", "--system", files / "predicted")
    assert "neither the gold nor a system is named “x”. Available names: pet and predicted." in refused(
        capsys, *inputs, "--per-token", files / "mt", "--times", "x"
    )
    assert "Specify the MT with --per-token" in refused(capsys, *inputs, "--times", "pet")
    (files / "empty").write_text("a b\n\nc\n\nd\ne\n")
    assert f"{files / 'empty'}:2: this segment has no tokens (and 1 more location)" in refused(
        capsys, *inputs, "--per-token", files / "empty"
    )
    for lines, place in ((5, 5), (8, 7)):
        (files / "other").write_text("a b\n" * lines)
        err = refused(capsys, *inputs, "--per-token", files / "other")
        assert f"other:{place}: {lines} lines, but the gold has 6 segments" in err
