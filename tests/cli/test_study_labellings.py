"""`study labellings`: its JSON contract, its files and its errors."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from qe_desktop.formats import write_tags
from qe_desktop.studies.synthetic_labellings import LABELLINGS
from tests.command_line import error_line, json_output, run_command
from tests.small_corpora import noisy, random_tags


@pytest.fixture
def files(tmp_path):
    """Options that name a gold file and a folder of four systems."""
    gold = random_tags(np.random.default_rng(2).integers(4, 15, 60), 0.25, 3)
    folder = tmp_path / "systems"
    folder.mkdir()
    for index in range(4):
        write_tags(folder / f"s{index}.tags", noisy(gold, 0.05 + 0.1 * index, index))
    write_tags(tmp_path / "gold.tags", gold)
    (tmp_path / "mt").write_text("".join(" ".join("w" * int(n)) + "\n" for n in gold.lengths()))
    return ("--gold", tmp_path / "gold.tags", "--system", folder, "--rounds", "200")


def test_json_contract(capsys, files):
    result = json_output(capsys, "study", "labellings", *files, "--seed", "3")
    compared = json_output(capsys, "compare", "words", *files, "--seed", "3")
    assert result["seed"] == 3
    assert list(result["metrics"]) == ["F1-BAD", "F1-mult", "phr-F1-BAD", "phr-F1-mult", "MCC", "SeqCor"]
    for name, metric_result in result["metrics"].items():
        expected = compared["metrics"][name]
        assert [metric_result[key] for key in ("d", "d_top", "d_bottom")] == [
            expected[k] for k in ("d", "d_top", "d_bottom")
        ]
        assert metric_result["scores"] == expected["scores"]
        assert metric_result["order"] == list(expected["scores"])
        assert list(metric_result["labellings"]) == list(LABELLINGS)
        assert all(set(labelling) == {"score", "rated_lower"} for labelling in metric_result["labellings"].values())
        assert metric_result["total"] == sum(
            labelling["rated_lower"] for labelling in metric_result["labellings"].values()
        )
    assert result["metrics"]["MCC"]["labellings"]["all-OK"]["score"] is None
    assert any("MCC of all-BAD, all-OK" in note for note in result["notes"])
    assert "seed:3" in result["signature"]


def test_results_do_not_depend_on_the_number_of_processors(capsys, files, monkeypatch):
    tables = set()
    for cores in (1, 2, 5):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: set(range(cores)), raising=False)
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        tables.add(
            run_command(capsys, "study", "labellings", *files, "--intervals", "--draws", "3", "--format", "tsv")[1]
        )
    assert len(tables) == 1


def test_selected_labellings_are_in_the_order_of_the_paper(capsys, files):
    options = ("--metric", "mcc", "accuracy", "--labellings", "random", "all-BAD", "--draws", "5")
    result = json_output(capsys, "study", "labellings", *files, *options)
    assert list(result["metrics"]) == ["MCC", "accuracy"]
    assert list(result["labellings"]) == ["all-BAD", "random"]
    random = result["metrics"]["accuracy"]["labellings"]["random"]
    assert random["score_range"][0] < random["score"] < random["score_range"][1]


def test_table_tsv_latex_and_html_output(capsys, files):
    code, out, _ = run_command(capsys, "study", "labellings", *files)
    assert code == 0
    assert "Discriminative power of metrics over 4 systems" in out
    code, out, _ = run_command(capsys, "study", "labellings", *files, "--format", "tsv")
    tables = out.split("\n\n")
    rows = [list(csv.DictReader(io.StringIO(table), delimiter="\t")) for table in tables]
    assert [len(table) for table in rows] == [6, 30, 24]
    assert float(rows[0][0]["d low"]) <= float(rows[0][0]["d"]) <= float(rows[0][0]["d high"])
    code, out, _ = run_command(capsys, "study", "labellings", *files, "--format", "latex")
    assert code == 0
    assert out.count("\\begin{tabular}") >= 3
    code, out, _ = run_command(capsys, "study", "labellings", *files, "--format", "html")
    assert (code, out.count("<table>")) == (0, 3)


@pytest.mark.parametrize("kind", ["words", "gaps", "all"])
def test_written_labellings_are_not_counted_as_systems(capsys, files, tmp_path, kind):
    lengths = np.array([3, 5, 4, 2])
    for name, seed in (("gold", 1), ("one", 2), ("two", 3)):
        write_tags(tmp_path / f"{name}.2n1", random_tags(lengths, 0.3, seed), gaps=random_tags(lengths + 1, 0.3, seed))
    (tmp_path / "mt").write_text("".join(" ".join("w" * int(n)) + "\n" for n in lengths))
    both = ("--gold", tmp_path / "gold.2n1", "--mt", tmp_path / "mt", "--kind", kind)
    systems = [tmp_path / "one.2n1", tmp_path / "two.2n1"]
    folder = tmp_path / "made"
    first = json_output(capsys, "study", "labellings", *both, "--system", *systems, "--write", folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"synthetic-{name}.tags" for name in LABELLINGS)
    again = json_output(capsys, "study", "labellings", *both, "--system", *systems) | {"notes": first["notes"]}
    assert again == first
    scored = ("score", "words", "--gold", folder / "synthetic-random.tags", "--system", folder, "--metric", "accuracy")
    if kind == "words":
        assert json_output(capsys, *scored)["systems"]["synthetic-random"]["accuracy"] == 1
        result = json_output(capsys, "study", "labellings", *both, "--system", *systems, folder)
        assert result["metrics"] == first["metrics"]
        assert any("not counted as systems" in note and "synthetic-random" in note for note in result["notes"])


def test_several_language_pairs(capsys, files, tmp_path):
    for seed, pair in enumerate(("de-en", "en-de")):
        folder = tmp_path / pair
        folder.mkdir()
        gold = random_tags(np.full(20, 9), 0.3, seed)
        write_tags(folder / "gold.tags", gold)
        for index in (1, 2):
            write_tags(folder / f"s{index}.tags", noisy(gold, 0.1 * index, index))
    command = ("study", "labellings", "--gold", f"{tmp_path}/{{pair}}/gold.tags", "--system")
    systems = [f"{tmp_path}/{{pair}}/s1.tags", f"{tmp_path}/{{pair}}/s2.tags"]
    options = ("--language-pair", "de-en", "en-de", "--rounds", "50")
    result = json_output(capsys, *command, *systems, *options, "--write", tmp_path / "{pair}")
    assert list(result["pairs"]) == ["de-en", "en-de"]
    assert (tmp_path / "en-de" / "synthetic-random.tags").exists()
    assert "overwrite each other" in error_line(capsys, *command, *systems, *options, "--write", tmp_path / "made")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--labellings", "none"], "invalid choice"),
        (["--draws", "0"], "whole number of at least 1"),
        (["--metric", "BLEU"], "there is no metric “BLEU”"),
        (["--interval-rounds", "100"], "needs --intervals"),
        (["--intervals", "fisher"], "invalid choice: 'fisher'"),
        (["--write", "{file}"], "File exists"),
        (["--seed", "-1"], "whole number of at least 0"),
    ],
)
def test_invalid_options_are_one_line_errors(capsys, files, tmp_path, arguments, message):
    filled = [argument.format(file=tmp_path / "gold.tags") for argument in arguments]
    assert message in error_line(capsys, "study", "labellings", *files, *filled)


@pytest.mark.published
def test_wmt22_compared_with_the_findings_of_the_paper(capsys, data_folder):
    """F1 and MCC behave as at WMT15 (Logacheva et al. 2016); SeqCor favours all-OK where few words are BAD."""
    folder = data_folder / "wmt22_word" / "en-de"
    options = ("--gold", folder / "test.2022.en-de.tags", "--system", folder / "systems")
    result = json_output(capsys, "study", "labellings", *options)
    oracle = json.loads((data_folder.parent / "oracles/words/wmt22_full_scores.json").read_text())["lps"]["en-de"]
    for name, expected in oracle.items():
        for metric, key in (("F1-BAD", "f1_bad"), ("F1-mult", "f1_mult"), ("SeqCor", "seqcor_weighted")):
            assert result["metrics"][metric]["scores"][name] == pytest.approx(expected[key], abs=1e-9)
    lower = {
        metric: [labelling["rated_lower"] for labelling in metric_result["labellings"].values()]
        for metric, metric_result in result["metrics"].items()
    }
    assert lower["phr-F1-BAD"][0] == len(oracle)
    assert lower["F1-mult"] == [0, 0, 0, 0, 0]
    assert lower["MCC"][2] > 0
    assert lower["SeqCor"][1] > 0
    assert result["labellings"]["optimistic"]["bad"] == pytest.approx(0.0044, abs=1e-4)
