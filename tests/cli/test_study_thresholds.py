"""`study thresholds`: its JSON contract, the numbers that it reads, and its errors."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.formats import write_tags
from tests.command_line import error_line, json_output, run_command
from tests.small_corpora import random_tags


def write_numbers(path, values, gold):
    parts = np.split(values, gold.offsets[1:-1])
    path.write_text("".join(" ".join(map(repr, part.tolist())) + "\n" for part in parts))
    return path


@pytest.fixture
def gold():
    return random_tags(np.random.default_rng(2).integers(3, 15, 50), 0.25, 3)


@pytest.fixture
def probabilities(gold):
    """P(BAD), on average higher for BAD words."""
    rng = np.random.default_rng(5)
    return np.clip(rng.normal(0.3 + 0.3 * gold.values, 0.2), 0.001, 0.999).round(3)


@pytest.fixture
def inputs(tmp_path, gold, probabilities):
    write_tags(tmp_path / "gold.tags", gold)
    write_numbers(tmp_path / "s.probs", probabilities, gold)
    return ("--gold", tmp_path / "gold.tags", "--interval-rounds", "50")


def test_json_contract(capsys, inputs, tmp_path, probabilities):
    result = json_output(capsys, "study", "thresholds", *inputs, "--system", tmp_path / "s.probs", "--seed", "4")
    assert (result["seed"], result["rounds"], result["tuned_on"]) == (4, 50, "gold")
    assert any("optimistic" in note for note in result["notes"])
    system = result["systems"]["s"]
    assert system["numbers"] == "P(BAD)"
    assert system["thresholds"] == len(set(probabilities.tolist())) + 1
    assert set(system["segments"]) == {"count", "recall_at_k", "auc", "average_precision"}
    assert 0.5 < system["auc"] < 1
    assert list(system["metrics"]) == ["F1-BAD", "F1-mult", "phr-F1-BAD", "phr-F1-mult", "MCC", "SeqCor"]
    assert set(system["metrics"]["MCC"]) == {"threshold", "interval", "score", "best", "usual"}
    assert "curve" not in system


def test_score_of_a_threshold_equals_that_of_converted_tags(capsys, inputs, tmp_path):
    """`convert --threshold` and then `score` give the score in the study."""
    numbers, tagged = tmp_path / "s.probs", tmp_path / "made.tags"
    metrics = json_output(capsys, "study", "thresholds", *inputs, "--system", numbers)["systems"]["s"]["metrics"]
    for metric in ("MCC", "SeqCor", "phr-F1-mult"):
        for threshold, score in (
            (metrics[metric]["threshold"], metrics[metric]["score"]),
            (0.5, metrics[metric]["usual"]),
        ):
            assert run_command(capsys, "convert", numbers, tagged, "--threshold", threshold)[0] == 0
            scored = json_output(capsys, "score", "words", "--gold", inputs[1], "--system", tagged, "--metric", metric)
            assert scored["systems"]["made"][metric] == pytest.approx(score, abs=1e-9)


def test_curves_contain_every_threshold(capsys, inputs, tmp_path, probabilities):
    command = ("study", "thresholds", *inputs, "--system", tmp_path / "s.probs", "--metric", "F1-mult")
    curve = json_output(capsys, *command, "--curves")["systems"]["s"]["curve"]
    assert curve["threshold"][:-1] == sorted(set(probabilities.tolist()), reverse=True)
    assert (curve["recall"][0], curve["recall"][-1], curve["bad"][0], curve["bad"][-1]) == (0, 1, 0, 1)
    assert curve["precision"][0] is None
    code, out, err = run_command(capsys, *command, "--format", "tsv")
    assert (code, "optimistic" in err) == (0, True)
    ranks, chosen, rows = (list(csv.DictReader(io.StringIO(part), delimiter="\t")) for part in out.split("\n\n"))
    assert (len(ranks), len(chosen)) == (1, 1)
    assert [float(row["F1-mult"]) for row in rows] == curve["F1-mult"]
    assert [float(row["threshold"]) for row in rows] == curve["threshold"]
    for form, begins in (("table", ""), ("latex", "%"), ("html", "<!doctype")):
        code, out, _ = run_command(capsys, *command, "--format", form)
        assert (code, out.startswith(begins)) == (0, True)
        assert ("<polyline" in out) == (form == "html")


def test_thresholds_tuned_on_the_test_tags_are_noted_as_optimistic(capsys, inputs, tmp_path):
    own = ("--dev-gold", inputs[1], "--dev", tmp_path / "s.probs")
    result = json_output(capsys, "study", "thresholds", *inputs, "--system", tmp_path / "s.probs", *own)
    assert any("same gold tags as the scored data" in note and "optimistic" in note for note in result["notes"])


def test_thresholds_are_tuned_on_dev(capsys, inputs, tmp_path):
    other = random_tags(np.random.default_rng(9).integers(3, 15, 40), 0.25, 8)
    values = np.clip(np.random.default_rng(1).normal(0.3 + 0.3 * other.values, 0.2), 0.001, 0.999)
    write_tags(tmp_path / "dev.tags", other)
    dev = ("--dev-gold", tmp_path / "dev.tags", "--dev", f"s={write_numbers(tmp_path / 'dev.probs', values, other)}")
    result = json_output(capsys, "study", "thresholds", *inputs, "--system", tmp_path / "s.probs", *dev)
    alone = json_output(
        capsys, "study", "thresholds", "--gold", dev[1], "--system", dev[3], "--interval-rounds", "50"
    )  # fmt: skip
    assert result["tuned_on"] == "dev"
    assert not any("optimistic" in note for note in result["notes"])
    for metric, metric_result in result["systems"]["s"]["metrics"].items():
        expected = alone["systems"]["s"]["metrics"][metric]
        assert (metric_result["threshold"], metric_result["interval"], metric_result["dev_score"]) == (
            expected["threshold"], expected["interval"], expected["score"],
        )  # fmt: skip
        assert metric_result["score"] <= metric_result["best"]["score"] + 1e-12
    text = run_command(capsys, "study", "thresholds", *inputs, "--system", tmp_path / "s.probs", *dev)[1]
    assert "on dev" in text


def test_numbers_may_be_p_ok_log_probabilities_or_scores(capsys, inputs, tmp_path, gold, probabilities):
    def evaluate(name, values, *options):
        path = write_numbers(tmp_path / name, values, gold)
        result = json_output(capsys, "study", "thresholds", *inputs, "--system", f"s={path}", *options)
        return result["systems"]["s"], result["notes"]

    expected, _ = evaluate("bad", probabilities)
    for name, values, options in (
        ("ok", 1 - probabilities, ("--numbers", "OK")),
        ("logs", np.log(1 - probabilities), ()),
        ("logs-bad", np.log(probabilities), ("--numbers", "BAD")),
    ):
        system, notes = evaluate(name, values, *options)
        assert any("numbers interpreted as" in note for note in notes)
        assert system["auc"] == pytest.approx(expected["auc"])
        for metric, expected_metric in expected["metrics"].items():
            assert system["metrics"][metric]["score"] == pytest.approx(expected_metric["score"])
            assert system["metrics"][metric]["threshold"] == pytest.approx(expected_metric["threshold"])
    for values, options in ((10 * probabilities - 3, ()), (3 - 10 * probabilities, ("--numbers", "ok"))):
        system, notes = evaluate("scores", values, *options)
        assert (system["numbers"], system["auc"]) == ("scores", pytest.approx(expected["auc"]))
        assert system["metrics"]["MCC"]["usual"] is None
    system, _ = evaluate("rounded", np.where(probabilities == probabilities.min(), -1e-6, probabilities))
    assert system["numbers"] == "P(BAD)"


def test_gold_determines_the_segments_of_one_number_per_line(capsys, inputs, tmp_path, gold, probabilities):
    parts = np.split(probabilities, gold.offsets[1:-1])
    (tmp_path / "lines.txt").write_text(
        "\n".join("".join(f"{number!r}\n" for number in part.tolist()) for part in parts)
    )
    systems = (tmp_path / "s.probs", tmp_path / "lines.txt")
    result = json_output(capsys, "study", "thresholds", *inputs, "--system", *systems)
    assert result["systems"]["lines"] == result["systems"]["s"]


def test_segments_omitted_by_the_gold_are_omitted(capsys, tmp_path):
    rows = ("Das Rad <EOS>\tOK BAD OK", "hallucination\thallucination", "Nein <EOS>\tBAD OK")
    gold, whole, short = (tmp_path / name for name in ("gold.tsv", "whole.probs", "short.probs"))
    gold.write_text("".join(f"en-de\tgold\t{index}\tx\t{row}\n" for index, row in enumerate(rows)))
    whole.write_text("0.1 0.8 0.3\n0.9 0.9\n0.4 0.2\n")
    short.write_text("0.1 0.8 0.3\n\n0.4 0.2\n")
    result = json_output(
        capsys, "study", "thresholds", "--gold", gold, "--system", whole, short, "--interval-rounds", "40"
    )
    assert result["systems"]["whole"] == result["systems"]["short"]
    assert (result["systems"]["whole"]["auc"], result["systems"]["whole"]["thresholds"]) == (1, 6)
    assert any("whole" in note and "left out, as in the gold" in note for note in result["notes"])


def test_bundled_sample_needs_its_mt(capsys):
    sample = Path(__file__).parents[2] / "resources/samples/en-de"
    systems = (sample / "systems/strong.probabilities", sample / "systems/weak.probabilities")
    inputs = ("--gold", sample / "sample.tags", "--system", *systems, "--interval-rounds", "40")
    result = json_output(capsys, "study", "thresholds", *inputs, "--mt", sample / "sample.mt")["systems"]
    assert result["strong"]["auc"] > result["weak"]["auc"] > 0.5
    assert "Add the MT (--mt)" in error_line(capsys, "study", "thresholds", *inputs)


def test_words_gaps_and_all_tags_have_their_own_thresholds(capsys, tmp_path):
    lengths = np.array([3, 5, 4, 2])
    write_tags(tmp_path / "gold", random_tags(lengths, 0.4, 1), gaps=random_tags(lengths + 1, 0.3, 2))
    (tmp_path / "mt").write_text("".join(" ".join("w" * int(n)) + "\n" for n in lengths))
    for kind, size in (("words", lengths), ("gaps", lengths + 1), ("all", 2 * lengths + 1)):
        like = random_tags(size, 0.5, 1)
        path = write_numbers(tmp_path / f"of-{kind}", np.random.default_rng(3).random(int(size.sum())), like)
        command = ("--gold", tmp_path / "gold", "--mt", tmp_path / "mt", "--kind", kind, "--system", path)
        result = json_output(capsys, "study", "thresholds", *command, "--interval-rounds", "40")
        assert result["systems"][f"of-{kind}"]["thresholds"] == size.sum() + 1
        assert f"tags:{kind}" in result["signature"]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("0.1 0.2 nan\n0.1\n", (), ':1: "nan" is not a number'),
        ("0.1 0.2 inf\n0.1\n", (), ':1: "inf" is not a number'),
        ("a b c\nd\n", (), ':1: "a" is not a number'),
        ("0.1 0.2\n0.1\n", (), ":1: 2 numbers, but the gold has 3 tags"),
        ("0.1 0.2 0.3\n", (), "1 segment, but the gold has 2"),
        ("0 1 1\n0\n", (), "it is not known whether 1 means BAD or OK"),
        ("OK BAD OK\nOK\n", (), "contains tags, not numbers"),
        ("0.1 0.2 0.3\n0.1\n", ("--dev-gold", "gold"), "needs both gold tags and scores"),
        ("0.1 0.2 0.3\n0.1\n", ("--dev-gold", "gold", "--dev", "other=s"), "no system “other”"),
        ("0.1 0.2 0.3\n0.1\n", ("--metric", "BLEU"), "there is no metric “BLEU”"),
        ("0.1 0.2 0.3\n0.1\n", ("--system", "s"), "two systems are named “s”"),
    ],
)
def test_invalid_input_is_a_one_line_error(capsys, tmp_path, monkeypatch, content, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").write_text("OK BAD OK\nOK\n")
    (tmp_path / "s").write_text(content)
    assert message in error_line(capsys, "study", "thresholds", "--gold", "gold", "--system", "s", *options)


PUBLISHED = {
    "IST-Unbabel_-_10_submission": (0.3652, 0.7756, 0.4903),
    "Team_HW-TSC__-_3_submission": (0.2517, 0.6893, 0.3611),
    "OrganizersBaselines_Random__-_1_submission": (0.1241, 0.5035, 0.2118),
    "OrganizersBaselines_Openkiwi_+_LIME__-_1_submission": (0.0744, 0.4416, 0.1720),
}
"""Recall@K, AUC and AP of English–German in the results of the WMT22 explainability task."""


@pytest.mark.published
def test_wmt22_explainability_to_the_last_printed_digit(capsys, data_folder):
    folder = data_folder / "wmt22_explain" / "en-de"
    inputs = ("--gold", data_folder / "wmt22_word" / "en-de" / "test.2022.en-de.tags", "--metric", "F1-mult", "MCC")
    systems = [folder / name / "target.submission" for name in PUBLISHED]
    result = json_output(capsys, "study", "thresholds", *inputs, "--system", *systems, "--interval-rounds", "40")[
        "systems"
    ]
    assert list(result) == list(PUBLISHED)
    for name, figures in PUBLISHED.items():
        segments = result[name]["segments"]
        assert tuple(round(segments[key], 4) for key in ("recall_at_k", "auc", "average_precision")) == figures
        assert segments["count"] == 192
