"""`study thresholds`: its contract, the numbers that it reads, and what it says of what does not fit."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.formats import write_tags
from tests.building import random_tags
from tests.commands import answer, refused, run


def write_numbers(path, values, gold):
    parts = np.split(values, gold.offsets[1:-1])
    path.write_text("".join(" ".join(map(repr, part.tolist())) + "\n" for part in parts))
    return path


@pytest.fixture
def gold():
    return random_tags(np.random.default_rng(2).integers(3, 15, 50), 0.25, 3)


@pytest.fixture
def chances(gold):
    """P(BAD), higher where words are BAD."""
    dice = np.random.default_rng(5)
    return np.clip(dice.normal(0.3 + 0.3 * gold.values, 0.2), 0.001, 0.999).round(3)


@pytest.fixture
def given(tmp_path, gold, chances):
    write_tags(tmp_path / "gold.tags", gold)
    write_numbers(tmp_path / "s.probs", chances, gold)
    return ("--gold", tmp_path / "gold.tags", "--interval-rounds", "50")


def test_the_contract(capsys, given, tmp_path, chances):
    found = answer(capsys, "study", "thresholds", *given, "--system", tmp_path / "s.probs", "--seed", "4")
    assert (found["seed"], found["rounds"], found["tuned_on"]) == (4, 50, "gold")
    assert any("optimistic" in note for note in found["notes"])
    one = found["systems"]["s"]
    assert one["numbers"] == "P(BAD)"
    assert one["thresholds"] == len(set(chances.tolist())) + 1
    assert set(one["segments"]) == {"count", "recall_at_k", "auc", "average_precision"}
    assert 0.5 < one["auc"] < 1
    assert list(one["metrics"]) == ["F1-BAD", "F1-mult", "phr-F1-BAD", "phr-F1-mult", "MCC", "SeqCor"]
    assert set(one["metrics"]["MCC"]) == {"threshold", "interval", "score", "best", "usual"}
    assert "curve" not in one


def test_a_threshold_makes_the_tags_that_it_is_scored_as(capsys, given, tmp_path):
    """`convert --threshold` and `score` say the same."""
    numbers, tagged = tmp_path / "s.probs", tmp_path / "made.tags"
    one = answer(capsys, "study", "thresholds", *given, "--system", numbers)["systems"]["s"]["metrics"]
    for metric in ("MCC", "SeqCor", "phr-F1-mult"):
        for threshold, score in ((one[metric]["threshold"], one[metric]["score"]), (0.5, one[metric]["usual"])):
            assert run(capsys, "convert", numbers, tagged, "--threshold", threshold)[0] == 0
            scored = answer(capsys, "score", "words", "--gold", given[1], "--system", tagged, "--metric", metric)
            assert scored["systems"]["made"][metric] == pytest.approx(score, abs=1e-9)


def test_curves_hold_every_threshold(capsys, given, tmp_path, chances):
    asked = ("study", "thresholds", *given, "--system", tmp_path / "s.probs", "--metric", "F1-mult")
    curve = answer(capsys, *asked, "--curves")["systems"]["s"]["curve"]
    assert curve["threshold"][:-1] == sorted(set(chances.tolist()), reverse=True)
    assert (curve["recall"][0], curve["recall"][-1], curve["bad"][0], curve["bad"][-1]) == (0, 1, 0, 1)
    assert curve["precision"][0] is None
    code, out, err = run(capsys, *asked, "--format", "tsv")
    assert (code, "optimistic" in err) == (0, True)
    ranks, chosen, rows = (list(csv.DictReader(io.StringIO(part), delimiter="\t")) for part in out.split("\n\n"))
    assert (len(ranks), len(chosen)) == (1, 1)
    assert [float(row["F1-mult"]) for row in rows] == curve["F1-mult"]
    assert [float(row["threshold"]) for row in rows] == curve["threshold"]
    for form, begins in (("table", ""), ("latex", "%"), ("html", "<!doctype")):
        code, out, _ = run(capsys, *asked, "--format", form)
        assert (code, out.startswith(begins)) == (0, True)
        assert ("<polyline" in out) == (form == "html")


def test_thresholds_that_were_chosen_on_the_same_tags_as_dev_are_said_to_flatter(capsys, given, tmp_path):
    own = ("--dev-gold", given[1], "--dev", tmp_path / "s.probs")
    found = answer(capsys, "study", "thresholds", *given, "--system", tmp_path / "s.probs", *own)
    assert any("same tags that are scored here" in note and "optimistic" in note for note in found["notes"])


def test_thresholds_are_chosen_on_dev(capsys, given, tmp_path):
    other = random_tags(np.random.default_rng(9).integers(3, 15, 40), 0.25, 8)
    values = np.clip(np.random.default_rng(1).normal(0.3 + 0.3 * other.values, 0.2), 0.001, 0.999)
    write_tags(tmp_path / "dev.tags", other)
    dev = ("--dev-gold", tmp_path / "dev.tags", "--dev", f"s={write_numbers(tmp_path / 'dev.probs', values, other)}")
    found = answer(capsys, "study", "thresholds", *given, "--system", tmp_path / "s.probs", *dev)
    alone = answer(
        capsys, "study", "thresholds", "--gold", dev[1], "--system", dev[3], "--interval-rounds", "50"
    )  # fmt: skip
    assert found["tuned_on"] == "dev"
    assert not any("optimistic" in note for note in found["notes"])
    for metric, one in found["systems"]["s"]["metrics"].items():
        theirs = alone["systems"]["s"]["metrics"][metric]
        assert (one["threshold"], one["interval"], one["dev_score"]) == (
            theirs["threshold"], theirs["interval"], theirs["score"],
        )  # fmt: skip
        assert one["score"] <= one["best"]["score"] + 1e-12
    text = run(capsys, "study", "thresholds", *given, "--system", tmp_path / "s.probs", *dev)[1]
    assert "on dev" in text


def test_numbers_may_be_of_ok_or_logarithms_or_scores(capsys, given, tmp_path, gold, chances):
    def found(name, values, *options):
        path = write_numbers(tmp_path / name, values, gold)
        held = answer(capsys, "study", "thresholds", *given, "--system", f"s={path}", *options)
        return held["systems"]["s"], held["notes"]

    straight, _ = found("bad", chances)
    for name, values, options in (
        ("ok", 1 - chances, ("--numbers", "OK")),
        ("logs", np.log(1 - chances), ()),
        ("logs-bad", np.log(chances), ("--numbers", "BAD")),
    ):
        one, notes = found(name, values, *options)
        assert any("numbers interpreted as" in note for note in notes)
        assert one["auc"] == pytest.approx(straight["auc"])
        for metric, theirs in straight["metrics"].items():
            assert one["metrics"][metric]["score"] == pytest.approx(theirs["score"])
            assert one["metrics"][metric]["threshold"] == pytest.approx(theirs["threshold"])
    for values, options in ((10 * chances - 3, ()), (3 - 10 * chances, ("--numbers", "ok"))):
        one, notes = found("scores", values, *options)
        assert (one["numbers"], one["auc"]) == ("scores", pytest.approx(straight["auc"]))
        assert one["metrics"]["MCC"]["usual"] is None
    one, _ = found("rounded", np.where(chances == chances.min(), -1e-6, chances))
    assert one["numbers"] == "P(BAD)"


def test_one_number_a_line_is_told_by_the_gold(capsys, given, tmp_path, gold, chances):
    parts = np.split(chances, gold.offsets[1:-1])
    (tmp_path / "lines.txt").write_text("\n".join("".join(f"{one!r}\n" for one in part.tolist()) for part in parts))
    systems = (tmp_path / "s.probs", tmp_path / "lines.txt")
    found = answer(capsys, "study", "thresholds", *given, "--system", *systems)
    assert found["systems"]["lines"] == found["systems"]["s"]


def test_segments_that_the_gold_leaves_out_are_left_out(capsys, tmp_path):
    rows = ("Das Rad <EOS>\tOK BAD OK", "hallucination\thallucination", "Nein <EOS>\tBAD OK")
    gold, whole, short = (tmp_path / name for name in ("gold.tsv", "whole.probs", "short.probs"))
    gold.write_text("".join(f"en-de\tgold\t{place}\tx\t{row}\n" for place, row in enumerate(rows)))
    whole.write_text("0.1 0.8 0.3\n0.9 0.9\n0.4 0.2\n")
    short.write_text("0.1 0.8 0.3\n\n0.4 0.2\n")
    found = answer(capsys, "study", "thresholds", "--gold", gold, "--system", whole, short, "--interval-rounds", "40")
    assert found["systems"]["whole"] == found["systems"]["short"]
    assert (found["systems"]["whole"]["auc"], found["systems"]["whole"]["thresholds"]) == (1, 6)
    assert any("whole" in note and "left out, as in the gold" in note for note in found["notes"])


def test_the_sample_and_what_is_missing_without_its_mt(capsys):
    sample = Path(__file__).parents[2] / "resources/samples/en-de"
    systems = (sample / "systems/strong.probabilities", sample / "systems/weak.probabilities")
    given = ("--gold", sample / "sample.tags", "--system", *systems, "--interval-rounds", "40")
    found = answer(capsys, "study", "thresholds", *given, "--mt", sample / "sample.mt")["systems"]
    assert found["strong"]["auc"] > found["weak"]["auc"] > 0.5
    assert "Add the MT (--mt)" in refused(capsys, "study", "thresholds", *given)


def test_gaps_and_all(capsys, tmp_path):
    lengths = np.array([3, 5, 4, 2])
    write_tags(tmp_path / "gold", random_tags(lengths, 0.4, 1), gaps=random_tags(lengths + 1, 0.3, 2))
    (tmp_path / "mt").write_text("".join(" ".join("w" * int(n)) + "\n" for n in lengths))
    for kind, size in (("words", lengths), ("gaps", lengths + 1), ("all", 2 * lengths + 1)):
        like = random_tags(size, 0.5, 1)
        path = write_numbers(tmp_path / f"of-{kind}", np.random.default_rng(3).random(int(size.sum())), like)
        asked = ("--gold", tmp_path / "gold", "--mt", tmp_path / "mt", "--kind", kind, "--system", path)
        found = answer(capsys, "study", "thresholds", *asked, "--interval-rounds", "40")
        assert found["systems"][f"of-{kind}"]["thresholds"] == size.sum() + 1
        assert f"tags:{kind}" in found["signature"]


@pytest.mark.parametrize(
    ("content", "options", "said"),
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
def test_what_does_not_fit_is_said_in_one_line(capsys, tmp_path, monkeypatch, content, options, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").write_text("OK BAD OK\nOK\n")
    (tmp_path / "s").write_text(content)
    assert said in refused(capsys, "study", "thresholds", "--gold", "gold", "--system", "s", *options)


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
    given = ("--gold", data_folder / "wmt22_word" / "en-de" / "test.2022.en-de.tags", "--metric", "F1-mult", "MCC")
    systems = [folder / name / "target.submission" for name in PUBLISHED]
    found = answer(capsys, "study", "thresholds", *given, "--system", *systems, "--interval-rounds", "40")["systems"]
    assert list(found) == list(PUBLISHED)
    for name, figures in PUBLISHED.items():
        one = found[name]["segments"]
        assert tuple(round(one[key], 4) for key in ("recall_at_k", "auc", "average_precision")) == figures
        assert one["count"] == 192
