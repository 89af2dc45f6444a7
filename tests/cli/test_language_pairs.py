"""Several language pairs in one command, separated by their files or by a column of their rows."""

from __future__ import annotations

import csv
import io

import pytest

from tests.command_line import json_output, run_command

GOLD = {"en-de": "0.1\n0.5\n0.2\n0.9\n0.4\n", "ne-en": "0.3\n0.1\n0.8\n0.2\n0.6\n"}
SYSTEMS = {"a": (0.2, 0.4, 0.3, 0.8, 0.5), "b": (0.6, 0.4, 0.2, 0.5, 0.3)}


@pytest.fixture
def folder(tmp_path):
    """One gold file per pair, and submissions that contain both pairs."""
    for pair, gold in GOLD.items():
        (tmp_path / f"gold.{pair}").write_text(gold)
    (tmp_path / "systems").mkdir()
    for name, scores in SYSTEMS.items():
        rows = [f"{pair}\t{name}\t{index}\t{score}\n" for pair in GOLD for index, score in enumerate(scores)]
        (tmp_path / "systems" / f"{name}.txt").write_text("".join(rows))
    return tmp_path


def test_each_pair_has_the_results_of_a_run_on_it_alone(capsys, folder):
    inputs = ("--gold", folder / "gold.{pair}", "--system", folder / "systems", "--language-pair")
    for command in (("score",), ("compare",), ("compare", "--intervals", "fisher")):
        (name, *options), both = command, {}
        both = json_output(capsys, name, "sentences", *inputs, "en-de", "ne-en", *options)["pairs"]
        assert list(both) == ["en-de", "ne-en"]
        for pair, result in both.items():
            assert result == json_output(capsys, name, "sentences", *inputs, pair, *options)
        assert both["en-de"] != both["ne-en"]


def test_tables_name_their_pair(capsys, folder):
    inputs = ("sentences", "--gold", folder / "gold.{pair}", "--system", folder / "systems")
    pairs = ("--language-pair", "en-de", "ne-en")
    _, out, err = run_command(capsys, "compare", *inputs, *pairs, "--format", "tsv", "--intervals")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["pair"] for row in rows] == ["en-de", "ne-en"]
    assert all(float(row["low"]) <= float(row["score"]) <= float(row["high"]) for row in rows)
    assert {row["cluster"] for row in rows} == {"1"}
    assert "note: ne-en: d is" in err
    _, out, _ = run_command(capsys, "score", *inputs, *pairs)
    assert "en-de. 5 segments" in out
    assert "ne-en. 5 segments" in out
    _, out, _ = run_command(capsys, "compare", *inputs, *pairs, "--format", "latex")
    assert out.count(r"\begin{table}") == 2
    assert "Clusters, best first: a, b" in out


@pytest.mark.parametrize(
    ("gold", "system", "says"),
    [
        ("gold.en-de", "systems", "the gold is the same for en-de and ne-en"),
        ("gold.{pair}", "x=-", "standard input can be read only once"),
        ("none.{pair}", "systems", "none.en-de: file not found"),
    ],
)
def test_pairs_whose_files_are_ambiguous_or_missing_are_refused(capsys, folder, gold, system, says):
    system = system if "-" in system else folder / system
    code, out, err = run_command(
        capsys, "score", "sentences", "--gold", folder / gold, "--system", system, "--language-pair", "en-de", "ne-en"
    )  # fmt: skip
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_top_half_larger_than_the_number_of_systems_is_refused(capsys, folder):
    inputs = ("--gold", folder / "gold.en-de", "--system", folder / "systems", "--language-pair", "en-de")
    code, out, err = run_command(capsys, "compare", "sentences", *inputs, "--top", "3")
    assert (code, out) == (2, "")
    assert "there are only 2 systems, so --top cannot be 3" in err
