"""The findings of a folder: scores, intervals and clusters as the other commands give them, gaps, and every form."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.cli.shared_tasks import shared_task
from tests.commands import answer, run


@pytest.fixture
def task(tmp_path):
    return shared_task(tmp_path / "task")


def test_scores_intervals_and_clusters_are_those_of_the_other_commands(capsys, task):
    found = answer(capsys, "findings", task, "--rounds", 1000)
    assert found["level"] == "words"
    assert set(found["pairs"]) == {"en-de", "ne-en"}
    for pair, held in found["pairs"].items():
        inputs = ("--gold", task / pair / "test.tags", "--system", task / pair / "systems")
        scored = answer(capsys, "score", "words", *inputs, "--intervals")
        metrics = ("F1-mult", "F1-BAD", "F1-OK", "MCC", "phr-F1-BAD", "phr-F1-mult", "SeqCor")
        compared = answer(capsys, "compare", "words", *inputs, "--rounds", 1000, "--metric", *metrics)
        assert set(held["systems"]) == set(scored["systems"])
        for name, by in held["systems"].items():
            assert tuple(by) == metrics
            for metric, one in by.items():
                assert one["score"] == pytest.approx(scored["systems"][name][metric], abs=1e-12)
                assert one["interval"] == pytest.approx(scored["intervals"][name][metric])
                clusters = compared["metrics"][metric]["clusters"]
                assert name in clusters[one["cluster"] - 1]
                beaten = len(compared["metrics"][metric]["significant"][name])
                best, worst = one["ranks"]
                assert 1 <= best <= worst == len(held["systems"]) - beaten
    mean = np.mean([held["systems"]["good"]["MCC"]["score"] for held in found["pairs"].values()])
    assert found["average"]["good"]["MCC"] == pytest.approx(mean)
    assert found["average"]["late"]["MCC"] is None
    names = list(found["average"])
    assert (names[0], names[-1]) == ("good", "late")
    assert "late has no output for ne-en, so it has no average." in found["notes"]
    assert "seed:1" in found["signature"]
    assert "tests:randomisation|" in found["signature"]


def test_a_table_for_each_metric_or_pair_with_lines_between_clusters(capsys, task):
    code, out, _ = run(capsys, "findings", task, "--rounds", 1000, "--metric", "MCC")
    assert code == 0
    assert "MCC in 2 language pairs" in out
    assert "average" in out
    assert "late has no output for ne-en" in out
    code, out, _ = run(capsys, "findings", task / "en-de", "--rounds", 1000, "--metric", "MCC")
    assert "en-de: 60 segments, 480 tags" in out
    found = answer(capsys, "findings", task / "en-de", "--rounds", 1000, "--metric", "MCC")["pairs"]["en-de"]
    clusters = {one["MCC"]["cluster"] for one in found["systems"].values()}
    assert len(clusters) > 1
    code, latex, _ = run(
        capsys, "findings", task / "en-de", "--rounds", 1000, "--metric", "MCC", "--format", "latex"
    )  # fmt: skip
    assert latex.count(r"\midrule") == len(clusters)
    assert "Lines separate clusters by MCC" in latex
    code, out, _ = run(capsys, "findings", task, "--rounds", 100, "--by", "pair", "--metric", "MCC")
    assert "Average over 2 language pairs" in out


def test_one_row_a_number_for_scripts(capsys, task):
    metrics = ("--metric", "MCC", "F1-BAD")
    code, out, err = run(capsys, "findings", task, "--rounds", 100, "--format", "tsv", *metrics)
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert len(rows) == 2 * (4 + 3)
    assert list(rows[0]) == [
        "pair", "system", "metric", "score", "low", "high", "cluster", "best rank", "worst rank"
    ]  # fmt: skip
    assert all(float(row["low"]) <= float(row["score"]) <= float(row["high"]) for row in rows)
    assert "late has no output for ne-en" in err


def test_a_page_and_pictures_show_names_letter_for_letter(capsys, task, tmp_path):
    hostile = task / "en-de" / "systems" / "<i>&amp;.tags"
    (task / "en-de" / "systems" / "late.tags").rename(hostile)
    code, out, _ = run(
        capsys, "findings", task, "--rounds", 100, "--metric", "MCC", "--format", "html", "--pictures", tmp_path / "svg"
    )  # fmt: skip
    assert code == 0
    assert "&lt;i&gt;&amp;amp;" in out
    assert "<i>" not in out
    assert out.count("<svg") == 2
    pictures = sorted((tmp_path / "svg").iterdir())
    assert [path.name for path in pictures] == ["en-de.MCC.svg", "ne-en.MCC.svg"]
    drawn = ElementTree.fromstring(pictures[0].read_text())
    texts = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    # beside its row and over its column
    assert texts.count("<i>&amp;") == 2
    assert "en-de, MCC: significance" in texts
    assert any("seed 1" in (text or "") for text in texts)
    boxes = drawn.findall(".//{http://www.w3.org/2000/svg}g/{http://www.w3.org/2000/svg}rect")
    assert len(boxes) == 16


@pytest.fixture
def scored(tmp_path):
    """A pair of segment scores."""
    dice = np.random.default_rng(4)
    gold = dice.normal(size=80)
    folder = tmp_path / "scored" / "en-de"
    (folder / "systems").mkdir(parents=True)
    (folder / "test.mt").write_text("a b\n" * 80)
    for path, values in (
        ("test.hter", gold), ("systems/near.scores", gold + dice.normal(size=80) / 4),
        ("systems/far.scores", dice.normal(size=80)), ("systems/flat.scores", np.zeros(80)),
    ):  # fmt: skip
        (folder / path).write_text("".join(f"{value:.6f}\n" for value in values))
    return folder


def test_each_metric_has_the_test_that_is_usual_for_it(capsys, scored):
    metrics = ("--metric", "Pearson", "MAE", "Kendall")
    found = answer(capsys, "findings", scored, *metrics, "--rounds", 200)
    assert found["level"] == "sentences"
    assert found["tests"] == {"Pearson": "williams-two-tailed", "MAE": "randomisation", "Kendall": None}
    assert found["tails"] == {"Pearson": 2, "MAE": 2, "Kendall": None}
    systems = found["pairs"]["en-de"]["systems"]
    assert systems["near"]["Pearson"]["cluster"] == 1
    assert systems["near"]["Kendall"]["cluster"] is None
    assert systems["near"]["Kendall"]["interval"] is None
    assert systems["flat"]["Pearson"]["score"] is None
    assert any("Kendall compares each segment with all others" in note for note in found["notes"])
    assert any("Pearson of flat" in note for note in found["notes"])
    closed = answer(capsys, "findings", scored, *metrics, "--rounds", 200, "--intervals", "fisher")
    interval = closed["pairs"]["en-de"]["systems"]["near"]["Pearson"]["interval"]
    assert interval != systems["near"]["Pearson"]["interval"]


def test_one_system_has_nothing_to_be_tested_against(capsys, scored):
    for path in (scored / "systems").iterdir():
        if path.name != "near.scores":
            path.unlink()
    found = answer(capsys, "findings", scored)
    assert found["pairs"]["en-de"]["systems"]["near"]["Pearson"]["cluster"] is None
    assert "en-de has only one system, so no test was run." in found["notes"]
    code, out, _ = run(capsys, "findings", scored)
    assert code == 0
    assert "near" in out


@pytest.mark.parametrize(
    ("made", "arguments", "says"),
    [
        ({"notes.md": "nothing"}, (), "none of these files is part of a corpus"),
        ({"test.mt": "a b\n", "test.tags": "OK BAD\n"}, (), "there is nothing to score: no gold with systems in"),
        ({"test.mt": "a b\n", "test.tags": "OK BAD\n"}, ("--level", "sentences"), "there are no scores to score"),
        ({"test.mt": "a b\n", "test.tags": "OK\n", "systems/x.tags": "OK BAD\n"}, (), "test.tags:1: "),
        ({"test.mt": "a\n", "test.tags": "OK\n", "systems/x.tags": "OK\n"}, ("--test", "williams"), "not tags"),
        ({"test.mt": "a\n", "test.tags": "OK\n", "systems/x.tags": "OK\n"}, ("--metric", "BLEU"), "no metric “BLEU”"),
        ({"test.mt": "a\n", "test.tags": "OK\n"}, ("--language-pair", "de-xx"), "nothing to score"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_one_line(capsys, tmp_path, made, arguments, says):
    folder = tmp_path / "made"
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    code, out, err = run(capsys, "findings", folder, *arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_pairs_without_systems_are_named_and_left_out(capsys, task):
    for path in (task / "ne-en" / "systems").iterdir():
        path.unlink()
    found = answer(capsys, "findings", task, "--rounds", 100)
    assert set(found["pairs"]) == {"en-de"}
    assert "ne-en has no gold or no systems and is skipped" in found["notes"]


@pytest.mark.published
def test_the_findings_of_wmt22(capsys, data_folder):
    found = answer(capsys, "findings", data_folder / "wmt22_word", "--metric", "MCC", "F1-BAD", "F1-OK")
    published = json.loads((data_folder / "wmt22_word/published_results.json").read_text())
    teams = {"NJUNLP": "NJUQE", "Papago": "papago", "Organisers": "OrganizersBaselines"}
    checked = 0
    for pair, held in found["pairs"].items():
        for row in published[f"T1_word_{pair.replace('-', '')}"]:
            one = held["systems"].get(teams.get(row["Team"], row["Team"]))
            if one is not None:
                rounded = [f"{one[metric]['score']:.4f}" for metric in ("MCC", "F1-BAD", "F1-OK")]
                assert rounded == [row["MCC"], row["Recall"], row["Precision"]], row["Team"]
                checked += 1
    assert checked == sum(len(held["systems"]) for held in found["pairs"].values()) == 13


def test_of_several_golds_one_is_chosen_by_name(capsys, tmp_path):
    dice = np.random.default_rng(4)
    for pair in ("en-de", "ne-en"):
        (tmp_path / pair).mkdir()
        rows = dice.normal(size=(30, 4))
        lines = ("\t".join(map(str, (place, *row))) for place, row in enumerate(rows))
        (tmp_path / pair / "t.tsv").write_text("\n".join(["seg\thter\tz_mean\tA\tB", *lines]) + "\n")
    folders, usual = (tmp_path / "en-de", tmp_path / "ne-en"), ("--metric", "pearson")
    found = answer(capsys, "findings", *folders, *usual)
    assert "ne-en is scored against hter, the first of its golds: hter, z_mean" in found["notes"]
    for gold in ("hter", "z_mean"):
        chosen = answer(capsys, "findings", *folders, *usual, "--gold-name", gold)
        assert not any("the first of its golds" in note for note in chosen["notes"])
        for pair in ("en-de", "ne-en"):
            inputs = ("--gold", tmp_path / pair / "t.tsv", "--gold-name", gold)
            scored = answer(capsys, "score", "sentences", *inputs)["systems"]
            for name, held in chosen["pairs"][pair]["systems"].items():
                assert held["Pearson"]["score"] == pytest.approx(scored[name]["Pearson"])
    code, out, err = run(capsys, "findings", *folders, "--gold-name", "ter")
    assert (code, out) == (2, "")
    assert "there is no gold “ter”. Golds: hter and z_mean." in err


def test_a_system_that_cannot_be_read_is_not_left_out_unseen(capsys, scored):
    (scored / "systems" / "far.scores").write_text("0.1\n0.2\nabc\n" + "0.3\n" * 77)
    code, out, err = run(capsys, "findings", scored)
    assert (code, out) == (2, "")
    assert "far.scores:3: " in err
    assert err.count("\n") == 1


def test_gold_beside_a_folder_of_systems_needs_no_text(capsys, scored):
    (scored / "test.mt").unlink()
    found = answer(capsys, "findings", scored, "--metric", "Pearson")["pairs"]["en-de"]
    assert set(found["systems"]) == {"near", "far", "flat"}
    dice = np.random.default_rng(9)
    (scored / "test.da").write_text("".join(f"{value:.4f}\n" for value in dice.normal(size=80)))
    found = answer(capsys, "findings", scored, "--metric", "Pearson")
    assert any("hter" in note and "da" in note for note in found["notes"])


def test_what_could_not_be_tested_has_no_rank_and_no_cluster(capsys, scored):
    systems = answer(capsys, "findings", scored, "--metric", "Pearson")["pairs"]["en-de"]["systems"]
    assert (systems["near"]["Pearson"]["cluster"], systems["near"]["Pearson"]["ranks"]) == (1, [1, 1])
    assert (systems["far"]["Pearson"]["cluster"], systems["far"]["Pearson"]["ranks"]) == (2, [2, 2])
    assert systems["flat"]["Pearson"]["cluster"] is None
    assert systems["flat"]["Pearson"]["ranks"] is None
    inputs = ("--gold", scored / "test.hter", "--system", scored / "systems")
    compared = answer(capsys, "compare", "sentences", *inputs)["metrics"]["Pearson"]
    assert compared["clusters"] == [["near"], ["far"]]
    assert compared["d"] == 1


def test_a_pair_whose_test_cannot_be_made_stops_no_other(capsys, scored):
    short = scored.parent / "ne-en"
    (short / "systems").mkdir(parents=True)
    for name in ("test.hter", "systems/near.scores", "systems/far.scores"):
        (short / name).write_text("0.1\n0.3\n0.2\n")
    found = answer(capsys, "findings", scored.parent, "--metric", "Pearson", "MAE")
    assert "ne-en: the Williams test needs at least 4 segments" in found["notes"]
    assert found["pairs"]["ne-en"]["systems"]["near"]["Pearson"]["cluster"] is None
    assert found["pairs"]["ne-en"]["systems"]["near"]["MAE"]["cluster"] == 1
    assert found["pairs"]["en-de"]["systems"]["near"]["Pearson"]["cluster"] == 1


def test_scores_that_run_against_the_gold_are_named(capsys, scored, tmp_path):
    near = [float(line) for line in (scored / "systems" / "near.scores").read_text().split()]
    (scored / "systems" / "against.scores").write_text("".join(f"{-value}\n" for value in near))
    said = "Pearson of against is negative: these scores may have the opposite direction of the gold"
    inputs = ("--gold", scored / "test.hter", "--system", scored / "systems", "--metric", "Pearson")
    for command in (("score", "sentences", *inputs), ("compare", "sentences", *inputs), ("findings", scored)):
        notes = answer(capsys, *command)["notes"]
        assert any(said in note for note in notes)
        assert not any("near" in note and "direction of the gold" in note for note in notes)


def test_golds_that_differ_in_case_alone_are_told_apart(capsys, tmp_path):
    folder = tmp_path / "en-de"
    folder.mkdir()
    dice = np.random.default_rng(6)
    columns = dice.normal(size=(30, 3))
    rows = ["\t".join([str(row), *(f"{value:.4f}" for value in values)]) for row, values in enumerate(columns)]
    (folder / "table.tsv").write_text("\n".join(["seg\tda\tDA\tsys", *rows]) + "\n")
    inputs = ("--metric", "Pearson", "--gold-name")
    found = {
        gold: answer(capsys, "findings", folder, *inputs, gold)["pairs"]["en-de"]["systems"]["sys"]["Pearson"]["score"]
        for gold in ("da", "DA")
    }
    assert found["da"] == pytest.approx(np.corrcoef(columns[:, 0], columns[:, 2])[0, 1], abs=1e-3)
    assert found["DA"] == pytest.approx(np.corrcoef(columns[:, 1], columns[:, 2])[0, 1], abs=1e-3)
    code, _, err = run(capsys, "findings", folder, "--gold-name", "Da")
    assert code == 2
    assert "there is no gold “Da”" in err


def test_pictures_of_long_names_do_not_meet(capsys, task, tmp_path):
    long = "x" * 130
    for pair in ("en-de", "ne-en"):
        (task / pair).rename(task / f"{long} {pair}")
    code, _, _ = run(
        capsys, "findings", task, "--rounds", 10, "--metric", "MCC", "F1-BAD", "--pictures", tmp_path / "p"
    )
    assert code == 0
    assert len(list((tmp_path / "p").iterdir())) == 4
