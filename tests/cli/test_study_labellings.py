"""`study labellings`: its contract, its files, and what it says of what does not fit."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from qe_desktop.formats import write_tags
from qe_desktop.studies.labellings.synthetic_labellings import LABELLINGS
from tests.building import noisy, random_tags
from tests.commands import answer, refused, run


@pytest.fixture
def files(tmp_path):
    """The gold's file and a folder of four systems, with the MT that all are of."""
    gold = random_tags(np.random.default_rng(2).integers(4, 15, 60), 0.25, 3)
    folder = tmp_path / "systems"
    folder.mkdir()
    for place in range(4):
        write_tags(folder / f"s{place}.tags", noisy(gold, 0.05 + 0.1 * place, place))
    write_tags(tmp_path / "gold.tags", gold)
    (tmp_path / "mt").write_text("".join(" ".join("w" * int(n)) + "\n" for n in gold.lengths()))
    return ("--gold", tmp_path / "gold.tags", "--system", folder, "--rounds", "200")


def test_the_contract(capsys, files):
    found = answer(capsys, "study", "labellings", *files, "--seed", "3")
    compared = answer(capsys, "compare", "words", *files, "--seed", "3")
    assert found["seed"] == 3
    assert list(found["metrics"]) == ["F1-BAD", "F1-mult", "phr-F1-BAD", "phr-F1-mult", "MCC", "SeqCor"]
    for name, one in found["metrics"].items():
        theirs = compared["metrics"][name]
        assert [one[key] for key in ("d", "d_top", "d_bottom")] == [theirs[k] for k in ("d", "d_top", "d_bottom")]
        assert one["scores"] == theirs["scores"]
        assert one["order"] == list(theirs["scores"])
        assert list(one["labellings"]) == list(LABELLINGS)
        assert all(set(held) == {"score", "rated_lower"} for held in one["labellings"].values())
        assert one["total"] == sum(held["rated_lower"] for held in one["labellings"].values())
    assert found["metrics"]["MCC"]["labellings"]["all-OK"]["score"] is None
    assert any("MCC of all-BAD, all-OK" in note for note in found["notes"])
    assert "seed:3" in found["signature"]


def test_the_table_does_not_depend_on_processors(capsys, files, monkeypatch):
    tables = set()
    for cores in (1, 2, 5):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: set(range(cores)), raising=False)
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        tables.add(run(capsys, "study", "labellings", *files, "--intervals", "--draws", "3", "--format", "tsv")[1])
    assert len(tables) == 1


def test_some_metrics_and_some_labellings_in_the_papers_order(capsys, files):
    given = ("--metric", "mcc", "accuracy", "--labellings", "random", "all-BAD", "--draws", "5")
    found = answer(capsys, "study", "labellings", *files, *given)
    assert list(found["metrics"]) == ["MCC", "accuracy"]
    assert list(found["labellings"]) == ["all-BAD", "random"]
    drawn = found["metrics"]["accuracy"]["labellings"]["random"]
    assert drawn["score_range"][0] < drawn["score"] < drawn["score_range"][1]


def test_every_form(capsys, files):
    code, out, _ = run(capsys, "study", "labellings", *files)
    assert code == 0
    assert "Discriminative power of metrics over 4 systems" in out
    code, out, _ = run(capsys, "study", "labellings", *files, "--format", "tsv")
    tables = out.split("\n\n")
    rows = [list(csv.DictReader(io.StringIO(table), delimiter="\t")) for table in tables]
    assert [len(table) for table in rows] == [6, 30, 24]
    assert float(rows[0][0]["d low"]) <= float(rows[0][0]["d"]) <= float(rows[0][0]["d high"])
    code, out, _ = run(capsys, "study", "labellings", *files, "--format", "latex")
    assert code == 0
    assert out.count("\\begin{tabular}") >= 3
    code, out, _ = run(capsys, "study", "labellings", *files, "--format", "html")
    assert (code, out.count("<table>")) == (0, 3)


@pytest.mark.parametrize("kind", ["words", "gaps", "all"])
def test_labellings_are_written_and_never_counted_among_systems(capsys, files, tmp_path, kind):
    lengths = np.array([3, 5, 4, 2])
    for name, seed in (("gold", 1), ("one", 2), ("two", 3)):
        write_tags(tmp_path / f"{name}.2n1", random_tags(lengths, 0.3, seed), gaps=random_tags(lengths + 1, 0.3, seed))
    (tmp_path / "mt").write_text("".join(" ".join("w" * int(n)) + "\n" for n in lengths))
    both = ("--gold", tmp_path / "gold.2n1", "--mt", tmp_path / "mt", "--kind", kind)
    systems = [tmp_path / "one.2n1", tmp_path / "two.2n1"]
    folder = tmp_path / "made"
    first = answer(capsys, "study", "labellings", *both, "--system", *systems, "--write", folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"synthetic-{name}.tags" for name in LABELLINGS)
    again = answer(capsys, "study", "labellings", *both, "--system", *systems) | {"notes": first["notes"]}
    assert again == first
    scored = ("score", "words", "--gold", folder / "synthetic-random.tags", "--system", folder, "--metric", "accuracy")
    if kind == "words":
        assert answer(capsys, *scored)["systems"]["synthetic-random"]["accuracy"] == 1
        found = answer(capsys, "study", "labellings", *both, "--system", *systems, folder)
        assert found["metrics"] == first["metrics"]
        assert any("not counted as systems" in note and "synthetic-random" in note for note in found["notes"])


def test_several_language_pairs(capsys, files, tmp_path):
    for seed, pair in enumerate(("de-en", "en-de")):
        folder = tmp_path / pair
        folder.mkdir()
        gold = random_tags(np.full(20, 9), 0.3, seed)
        write_tags(folder / "gold.tags", gold)
        for place in (1, 2):
            write_tags(folder / f"s{place}.tags", noisy(gold, 0.1 * place, place))
    given = ("study", "labellings", "--gold", f"{tmp_path}/{{pair}}/gold.tags", "--system")
    systems = [f"{tmp_path}/{{pair}}/s1.tags", f"{tmp_path}/{{pair}}/s2.tags"]
    named = ("--language-pair", "de-en", "en-de", "--rounds", "50")
    found = answer(capsys, *given, *systems, *named, "--write", tmp_path / "{pair}")
    assert list(found["pairs"]) == ["de-en", "en-de"]
    assert (tmp_path / "en-de" / "synthetic-random.tags").exists()
    assert "overwrite each other" in refused(capsys, *given, *systems, *named, "--write", tmp_path / "made")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--labellings", "none"], "invalid choice"),
        (["--draws", "0"], "whole number of at least 1"),
        (["--metric", "BLEU"], "there is no metric “BLEU”"),
        (["--interval-rounds", "100"], "needs --intervals"),
        (["--write", "{file}"], "File exists"),
        (["--seed", "-1"], "whole number of at least 0"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(capsys, files, tmp_path, arguments, said):
    filled = [argument.format(file=tmp_path / "gold.tags") for argument in arguments]
    assert said in refused(capsys, "study", "labellings", *files, *filled)


@pytest.mark.published
def test_wmt22_as_the_paper_and_not(capsys, data_folder):
    """What Logacheva et al. 2016 found at WMT15 recurs for F1 and MCC; SeqCor likes all-OK where few words are BAD."""
    folder = data_folder / "wmt22_word" / "en-de"
    given = ("--gold", folder / "test.2022.en-de.tags", "--system", folder / "systems")
    found = answer(capsys, "study", "labellings", *given)
    oracle = json.loads((data_folder.parent / "oracles/words/wmt22_full_scores.json").read_text())["lps"]["en-de"]
    for name, theirs in oracle.items():
        for metric, key in (("F1-BAD", "f1_bad"), ("F1-mult", "f1_mult"), ("SeqCor", "seqcor_weighted")):
            assert found["metrics"][metric]["scores"][name] == pytest.approx(theirs[key], abs=1e-9)
    lower = {
        metric: [held["rated_lower"] for held in one["labellings"].values()] for metric, one in found["metrics"].items()
    }
    assert lower["phr-F1-BAD"][0] == len(oracle)
    assert lower["F1-mult"] == [0, 0, 0, 0, 0]
    assert lower["MCC"][2] > 0
    assert lower["SeqCor"][1] > 0
    assert found["labellings"]["optimistic"]["bad"] == pytest.approx(0.0044, abs=1e-4)
