"""`qe-desktop findings`: scores, intervals and clusters of a folder, missing results, and every output format."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.cli.shared_tasks import write_shared_task
from tests.command_line import error_line, json_output, run_command


@pytest.fixture
def task(tmp_path):
    return write_shared_task(tmp_path / "task")


def test_findings_equal_the_results_of_score_and_compare(capsys, task):
    result = json_output(capsys, "findings", task, "--rounds", 1000)
    assert result["level"] == "words"
    assert set(result["pairs"]) == {"en-de", "ne-en"}
    for pair, pair_result in result["pairs"].items():
        inputs = ("--gold", task / pair / "test.tags", "--system", task / pair / "systems")
        scored = json_output(capsys, "score", "words", *inputs, "--intervals")
        metrics = ("F1-mult", "F1-BAD", "F1-OK", "MCC", "phr-F1-BAD", "phr-F1-mult", "SeqCor")
        compared = json_output(capsys, "compare", "words", *inputs, "--rounds", 1000, "--metric", *metrics)
        assert set(pair_result["systems"]) == set(scored["systems"])
        for name, by_metric in pair_result["systems"].items():
            assert tuple(by_metric) == metrics
            for metric, entry in by_metric.items():
                assert entry["score"] == pytest.approx(scored["systems"][name][metric], abs=1e-12)
                assert entry["interval"] == pytest.approx(scored["intervals"][name][metric])
                clusters = compared["metrics"][metric]["clusters"]
                assert name in clusters[entry["cluster"] - 1]
                beaten = len(compared["metrics"][metric]["significant"][name])
                best, worst = entry["ranks"]
                assert 1 <= best <= worst == len(pair_result["systems"]) - beaten
    mean = np.mean([pair_result["systems"]["good"]["MCC"]["score"] for pair_result in result["pairs"].values()])
    assert result["average"]["good"]["MCC"] == pytest.approx(mean)
    assert result["average"]["late"]["MCC"] is None
    names = list(result["average"])
    assert (names[0], names[-1]) == ("good", "late")
    assert "late has no output for ne-en, so it has no average." in result["notes"]
    assert "seed:1" in result["signature"]
    assert "tests:randomisation|" in result["signature"]


def test_tables_by_metric_and_by_pair_have_lines_between_clusters(capsys, task):
    code, out, _ = run_command(capsys, "findings", task, "--rounds", 1000, "--metric", "MCC")
    assert code == 0
    assert "MCC in 2 language pairs" in out
    assert "average" in out
    assert "late has no output for ne-en" in out
    code, out, _ = run_command(capsys, "findings", task / "en-de", "--rounds", 1000, "--metric", "MCC")
    assert "en-de: 60 segments, 480 tags" in out
    result = json_output(capsys, "findings", task / "en-de", "--rounds", 1000, "--metric", "MCC")["pairs"]["en-de"]
    clusters = {by_metric["MCC"]["cluster"] for by_metric in result["systems"].values()}
    assert len(clusters) > 1
    code, latex, _ = run_command(
        capsys, "findings", task / "en-de", "--rounds", 1000, "--metric", "MCC", "--format", "latex"
    )  # fmt: skip
    assert latex.count(r"\midrule") == len(clusters)
    assert "Lines separate clusters by MCC" in latex
    code, out, _ = run_command(capsys, "findings", task, "--rounds", 100, "--by", "pair", "--metric", "MCC")
    assert "Average over 2 language pairs" in out


def test_tsv_has_one_row_per_score(capsys, task):
    metrics = ("--metric", "MCC", "F1-BAD")
    code, out, err = run_command(capsys, "findings", task, "--rounds", 100, "--format", "tsv", *metrics)
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert len(rows) == 2 * (4 + 3)
    assert list(rows[0]) == [
        "pair", "system", "metric", "score", "low", "high", "cluster", "best rank", "worst rank"
    ]  # fmt: skip
    assert all(float(row["low"]) <= float(row["score"]) <= float(row["high"]) for row in rows)
    assert "late has no output for ne-en" in err


def test_html_and_svg_escape_names_of_systems(capsys, task, tmp_path):
    hostile = task / "en-de" / "systems" / "<i>&amp;.tags"
    (task / "en-de" / "systems" / "late.tags").rename(hostile)
    code, out, _ = run_command(
        capsys, "findings", task, "--rounds", 100, "--metric", "MCC", "--format", "html", "--pictures", tmp_path / "svg"
    )  # fmt: skip
    assert code == 0
    assert "&lt;i&gt;&amp;amp;" in out
    assert "<i>" not in out
    assert out.count("<svg") == 2
    pictures = sorted((tmp_path / "svg").iterdir())
    assert [path.name for path in pictures] == ["en-de.MCC.svg", "ne-en.MCC.svg"]
    picture = ElementTree.fromstring(pictures[0].read_text())
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    # the labels of its row and of its column
    assert texts.count("<i>&amp;") == 2
    assert "en-de, MCC: significance" in texts
    assert any("seed 1" in (text or "") for text in texts)
    boxes = picture.findall(".//{http://www.w3.org/2000/svg}g/{http://www.w3.org/2000/svg}rect")
    assert len(boxes) == 16


@pytest.fixture
def scored_folder(tmp_path):
    """One language pair with segment scores."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=80)
    folder = tmp_path / "scored" / "en-de"
    (folder / "systems").mkdir(parents=True)
    (folder / "test.mt").write_text("a b\n" * 80)
    for path, values in (
        ("test.hter", gold), ("systems/near.scores", gold + rng.normal(size=80) / 4),
        ("systems/far.scores", rng.normal(size=80)), ("systems/flat.scores", np.zeros(80)),
    ):  # fmt: skip
        (folder / path).write_text("".join(f"{value:.6f}\n" for value in values))
    return folder


def test_each_metric_has_its_default_significance_test(capsys, scored_folder):
    metrics = ("--metric", "Pearson", "MAE", "Kendall")
    result = json_output(capsys, "findings", scored_folder, *metrics, "--rounds", 200)
    assert result["level"] == "sentences"
    assert result["tests"] == {"Pearson": "williams-two-tailed", "MAE": "randomisation", "Kendall": None}
    assert result["tails"] == {"Pearson": 2, "MAE": 2, "Kendall": None}
    systems = result["pairs"]["en-de"]["systems"]
    assert systems["near"]["Pearson"]["cluster"] == 1
    assert systems["near"]["Kendall"]["cluster"] is None
    assert systems["near"]["Kendall"]["interval"] is None
    assert systems["flat"]["Pearson"]["score"] is None
    assert any("Kendall compares each segment with all others" in note for note in result["notes"])
    assert any("Pearson of flat" in note for note in result["notes"])
    closed = json_output(capsys, "findings", scored_folder, *metrics, "--rounds", 200, "--intervals", "fisher")
    interval = closed["pairs"]["en-de"]["systems"]["near"]["Pearson"]["interval"]
    assert interval != systems["near"]["Pearson"]["interval"]


def test_single_system_is_not_tested(capsys, scored_folder):
    for path in (scored_folder / "systems").iterdir():
        if path.name != "near.scores":
            path.unlink()
    result = json_output(capsys, "findings", scored_folder)
    assert result["pairs"]["en-de"]["systems"]["near"]["Pearson"]["cluster"] is None
    assert "en-de has only one system, so no test was run." in result["notes"]
    code, out, _ = run_command(capsys, "findings", scored_folder)
    assert code == 0
    assert "near" in out


@pytest.mark.parametrize(
    ("files", "arguments", "says"),
    [
        ({"notes.md": "nothing"}, (), "none of these files is part of a corpus"),
        ({"test.mt": "a b\n", "test.tags": "OK BAD\n"}, (), "there is nothing to score: no systems with gold"),
        ({"test.mt": "a b\n", "test.tags": "OK BAD\n"}, ("--level", "sentences"), "there are no scores to evaluate"),
        ({"test.mt": "a b\n", "test.tags": "OK\n", "systems/x.tags": "OK BAD\n"}, (), "test.tags:1: "),
        ({"test.mt": "a\n", "test.tags": "OK\n", "systems/x.tags": "OK\n"}, ("--test", "williams"), "not to tags"),
        ({"test.mt": "a\n", "test.tags": "OK\n", "systems/x.tags": "OK\n"}, ("--metric", "BLEU"), "no metric “BLEU”"),
        ({"test.mt": "a\n", "test.tags": "OK\n"}, ("--language-pair", "de-xx"), "nothing to score"),
    ],
)  # fmt: skip
def test_invalid_input_is_a_one_line_error(capsys, tmp_path, files, arguments, says):
    folder = tmp_path / "made"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    code, out, err = run_command(capsys, "findings", folder, *arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_pairs_without_systems_are_skipped_with_a_note(capsys, task):
    for path in (task / "ne-en" / "systems").iterdir():
        path.unlink()
    result = json_output(capsys, "findings", task, "--rounds", 100)
    assert set(result["pairs"]) == {"en-de"}
    assert "ne-en is skipped, because it has no gold or no systems" in result["notes"]


def test_gold_without_systems_or_of_another_level_is_not_listed_as_available(capsys, tmp_path):
    (tmp_path / "x.src").write_text("a b\n")
    (tmp_path / "x.mt").write_text("c d\n")
    (tmp_path / "x.hter").write_text("0.5\n")
    error = error_line(capsys, "findings", tmp_path, "--gold-name", "hter")
    assert "there is nothing to score" in error
    (tmp_path / "sysA.scores").write_text("0.4\n")
    error = error_line(capsys, "findings", tmp_path, "--level", "words", "--gold-name", "hter")
    assert "there is no gold “hter”" in error
    assert "Gold layers" not in error


def test_missing_score_file_of_a_folder_without_a_language_pair_is_named(capsys, tmp_path):
    (tmp_path / "x.mt").write_text("a b\n")
    error = error_line(capsys, "findings", tmp_path, "--scores", "COMET={pair}.x")
    assert f"{tmp_path.name}.x: file not found" in error


@pytest.mark.published
def test_scores_of_wmt22_equal_the_published_ones(capsys, data_folder):
    result = json_output(capsys, "findings", data_folder / "wmt22_word", "--metric", "MCC", "F1-BAD", "F1-OK")
    published = json.loads((data_folder / "wmt22_word/published_results.json").read_text())
    teams = {"NJUNLP": "NJUQE", "Papago": "papago", "Organisers": "OrganizersBaselines"}
    checked = 0
    for pair, pair_result in result["pairs"].items():
        for row in published[f"T1_word_{pair.replace('-', '')}"]:
            by_metric = pair_result["systems"].get(teams.get(row["Team"], row["Team"]))
            if by_metric is not None:
                rounded = [f"{by_metric[metric]['score']:.4f}" for metric in ("MCC", "F1-BAD", "F1-OK")]
                assert rounded == [row["MCC"], row["Recall"], row["Precision"]], row["Team"]
                checked += 1
    assert checked == sum(len(pair_result["systems"]) for pair_result in result["pairs"].values()) == 13


def test_gold_name_selects_one_of_several_golds(capsys, tmp_path):
    rng = np.random.default_rng(4)
    for pair in ("en-de", "ne-en"):
        (tmp_path / pair).mkdir()
        rows = rng.normal(size=(30, 4))
        lines = ("\t".join(map(str, (index, *row))) for index, row in enumerate(rows))
        (tmp_path / pair / "t.tsv").write_text("\n".join(["seg\thter\tz_mean\tA\tB", *lines]) + "\n")
    folders, options = (tmp_path / "en-de", tmp_path / "ne-en"), ("--metric", "pearson")
    result = json_output(capsys, "findings", *folders, *options)
    assert "ne-en is scored against hter, the first of its gold layers: hter, z_mean" in result["notes"]
    for gold in ("hter", "z_mean"):
        chosen = json_output(capsys, "findings", *folders, *options, "--gold-name", gold)
        assert not any("the first of its gold layers" in note for note in chosen["notes"])
        for pair in ("en-de", "ne-en"):
            inputs = ("--gold", tmp_path / pair / "t.tsv", "--gold-name", gold)
            scored = json_output(capsys, "score", "sentences", *inputs)["systems"]
            for name, pair_result in chosen["pairs"][pair]["systems"].items():
                assert pair_result["Pearson"]["score"] == pytest.approx(scored[name]["Pearson"])
    code, out, err = run_command(capsys, "findings", *folders, "--gold-name", "ter")
    assert (code, out) == (2, "")
    assert "there is no gold “ter”. Gold layers: hter and z_mean." in err


def test_unreadable_system_is_an_error(capsys, scored_folder):
    (scored_folder / "systems" / "far.scores").write_text("0.1\n0.2\nabc\n" + "0.3\n" * 77)
    code, out, err = run_command(capsys, "findings", scored_folder)
    assert (code, out) == (2, "")
    assert "far.scores:3: " in err
    assert err.count("\n") == 1


def test_gold_and_systems_without_mt_are_scored(capsys, scored_folder):
    (scored_folder / "test.mt").unlink()
    result = json_output(capsys, "findings", scored_folder, "--metric", "Pearson")["pairs"]["en-de"]
    assert set(result["systems"]) == {"near", "far", "flat"}
    rng = np.random.default_rng(9)
    (scored_folder / "test.da").write_text("".join(f"{value:.4f}\n" for value in rng.normal(size=80)))
    result = json_output(capsys, "findings", scored_folder, "--metric", "Pearson")
    assert any("hter" in note and "da" in note for note in result["notes"])


def test_untestable_system_has_no_ranks_and_no_cluster(capsys, scored_folder):
    systems = json_output(capsys, "findings", scored_folder, "--metric", "Pearson")["pairs"]["en-de"]["systems"]
    assert (systems["near"]["Pearson"]["cluster"], systems["near"]["Pearson"]["ranks"]) == (1, [1, 1])
    assert (systems["far"]["Pearson"]["cluster"], systems["far"]["Pearson"]["ranks"]) == (2, [2, 2])
    assert systems["flat"]["Pearson"]["cluster"] is None
    assert systems["flat"]["Pearson"]["ranks"] is None
    inputs = ("--gold", scored_folder / "test.hter", "--system", scored_folder / "systems")
    compared = json_output(capsys, "compare", "sentences", *inputs)["metrics"]["Pearson"]
    assert compared["clusters"] == [["near"], ["far"]]
    assert compared["d"] == 1


def test_pair_too_small_for_a_test_does_not_stop_the_others(capsys, scored_folder):
    short = scored_folder.parent / "ne-en"
    (short / "systems").mkdir(parents=True)
    for name in ("test.hter", "systems/near.scores", "systems/far.scores"):
        (short / name).write_text("0.1\n0.3\n0.2\n")
    result = json_output(capsys, "findings", scored_folder.parent, "--metric", "Pearson", "MAE")
    assert "ne-en: the Williams test needs at least 4 segments" in result["notes"]
    assert result["pairs"]["ne-en"]["systems"]["near"]["Pearson"]["cluster"] is None
    assert result["pairs"]["ne-en"]["systems"]["near"]["MAE"]["cluster"] == 1
    assert result["pairs"]["en-de"]["systems"]["near"]["Pearson"]["cluster"] == 1


def test_negative_correlation_with_the_gold_is_noted(capsys, scored_folder, tmp_path):
    near = [float(line) for line in (scored_folder / "systems" / "near.scores").read_text().split()]
    (scored_folder / "systems" / "against.scores").write_text("".join(f"{-value}\n" for value in near))
    expected = "Pearson of against is negative: predictions and gold may have opposite directions"
    inputs = ("--gold", scored_folder / "test.hter", "--system", scored_folder / "systems", "--metric", "Pearson")
    for command in (("score", "sentences", *inputs), ("compare", "sentences", *inputs), ("findings", scored_folder)):
        notes = json_output(capsys, *command)["notes"]
        assert any(expected in note for note in notes)
        assert not any("near" in note and "gold may have opposite directions" in note for note in notes)


def test_names_of_golds_are_case_sensitive(capsys, tmp_path):
    folder = tmp_path / "en-de"
    folder.mkdir()
    rng = np.random.default_rng(6)
    columns = rng.normal(size=(30, 3))
    rows = ["\t".join([str(row), *(f"{value:.4f}" for value in values)]) for row, values in enumerate(columns)]
    (folder / "table.tsv").write_text("\n".join(["seg\tda\tDA\tsys", *rows]) + "\n")
    inputs = ("--metric", "Pearson", "--gold-name")
    result = {
        gold: json_output(capsys, "findings", folder, *inputs, gold)["pairs"]["en-de"]["systems"]["sys"]["Pearson"][
            "score"
        ]
        for gold in ("da", "DA")
    }
    assert result["da"] == pytest.approx(np.corrcoef(columns[:, 0], columns[:, 2])[0, 1], abs=1e-3)
    assert result["DA"] == pytest.approx(np.corrcoef(columns[:, 1], columns[:, 2])[0, 1], abs=1e-3)
    code, _, err = run_command(capsys, "findings", folder, "--gold-name", "Da")
    assert code == 2
    assert "there is no gold “Da”" in err


def test_pictures_of_long_names_have_different_files(capsys, task, tmp_path):
    long = "x" * 130
    for pair in ("en-de", "ne-en"):
        (task / pair).rename(task / f"{long} {pair}")
    code, _, _ = run_command(
        capsys, "findings", task, "--rounds", 10, "--metric", "MCC", "F1-BAD", "--pictures", tmp_path / "p"
    )
    assert code == 0
    assert len(list((tmp_path / "p").iterdir())) == 4
