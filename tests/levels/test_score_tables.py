"""Tables with several golds and systems on the command line: selection of gold and systems."""

from __future__ import annotations

import pytest

from tests.command_line import error_line, json_output

GOLD = (0.1, 0.5, 0.2, 0.9, 0.4, 0.7)
OTHER = (0.9, 0.1, 0.8, 0.3, 0.6, 0.2)
NEAR = tuple(value + 0.01 for value in GOLD)
FAR = tuple(value + 0.5 for value in GOLD)


@pytest.fixture
def table(tmp_path):
    def write_table(name, **columns):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        rows = zip(range(len(GOLD)), *columns.values(), strict=True)
        lines = ["\t".join(("seg", *columns)), *("\t".join(map(str, row)) for row in rows)]
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    return write_table


def test_single_gold_needs_no_name(capsys, table):
    path = table("t.tsv", gold=GOLD, near=NEAR, far=FAR)
    report = json_output(capsys, "score", "sentences", "--gold", path, "--metric", "mae")
    assert {name: round(values["MAE"], 6) for name, values in report["systems"].items()} == {"near": 0.01, "far": 0.5}
    assert "gold:gold" in report["signature"]
    assert json_output(capsys, "compare", "sentences", "--gold", path, "--metric", "mae")["systems"] == ["near", "far"]


def test_one_of_several_golds_is_selected_by_name(capsys, table):
    path = table("t.tsv", hter=GOLD, z_mean=OTHER, near=NEAR, far=FAR)
    err = error_line(capsys, "score", "sentences", "--gold", path)
    assert "this table has 2 gold columns: hter, z_mean. Select a column with --gold-name NAME." in err
    assert "Available columns: hter and z_mean" in error_line(
        capsys, "score", "sentences", "--gold", path, "--gold-name", "ter"
    )
    for name, sign in (("hter", 1), ("Z_mean", -1)):
        report = json_output(capsys, "score", "sentences", "--gold", path, "--gold-name", name)
        assert list(report["systems"]) == ["near", "far"]
        assert report["systems"]["near"]["Pearson"] * sign > 0.8
        assert f"gold:{name.lower()}" in report["signature"]


def test_any_column_can_be_selected_as_gold(capsys, table):
    path = table("t.tsv", seconds_a_word=[value + 0.1234 for value in OTHER], near=[v + 0.0001 for v in NEAR])
    err = error_line(capsys, "score", "sentences", "--gold", path)
    assert "this table has no gold column. Select a column with --gold-name NAME: seconds_a_word, near." in err
    report = json_output(capsys, "score", "sentences", "--gold", path, "--gold-name", "seconds_a_word")
    assert list(report["systems"]) == ["near"]


def test_golds_are_scored_against_each_other(capsys, table):
    path = table("t.tsv", hter=GOLD, z_mean=OTHER)
    err = error_line(capsys, "score", "sentences", "--gold", path, "--gold-name", "hter")
    assert "this table has no systems, and none is specified. Specify the systems' files with --system." in err
    report = json_output(capsys, "score", "sentences", "--gold", path, "--gold-name", "hter", "--system", path)
    assert report["systems"]["hter"]["Pearson"] == pytest.approx(1)
    assert report["systems"]["z_mean"]["Pearson"] < -0.8


def test_single_column_gold_requires_systems_and_rejects_a_name(capsys, tmp_path):
    path = tmp_path / "gold.hter"
    path.write_text("".join(f"{value}\n" for value in GOLD))
    err = error_line(capsys, "score", "sentences", "--gold", path)
    assert "this file has only the gold, and no system is specified" in err
    assert "--system" in err
    assert "Omit --gold-name" in error_line(
        capsys, "score", "sentences", "--gold", path, "--gold-name", "x", "--system", path
    )


def test_system_table_provides_all_its_systems(capsys, table, tmp_path):
    gold = table("t.tsv", gold=GOLD, near=NEAR)
    more = table("more/u.tsv", gold=OTHER, far=FAR, away=OTHER)
    (tmp_path / "more/single.txt").write_text("".join(f"{value}\n" for value in OTHER))
    (tmp_path / "more/README").write_text("not scores\n")
    for named, systems in (
        (more, ["far", "away"]),
        (tmp_path / "more", ["single", "far", "away"]),
        (f"only={gold}", ["only"]),
    ):
        report = json_output(capsys, "score", "sentences", "--gold", gold, "--system", named)
        assert list(report["systems"]) == systems
    err = error_line(capsys, "score", "sentences", "--gold", gold, "--system", f"x={more}")
    assert "“x” cannot be the name of all 2 systems in this table" in err
    err = error_line(capsys, "score", "sentences", "--gold", gold, "--system", more, f"far={gold}")
    assert "two systems are named “far”" in err


def test_system_table_without_a_gold_segment_is_an_error(capsys, table, tmp_path):
    gold = table("t.tsv", gold=GOLD, near=NEAR)
    short = tmp_path / "short.tsv"
    short.write_text("".join(gold.read_text().splitlines(keepends=True)[:-1]))
    err = error_line(capsys, "score", "sentences", "--gold", gold, "--system", short)
    assert f"{short}:6: 1 of 6 segments is missing; the first is 5 (numbered from 0)" in err


def test_segments_marked_as_hallucination_in_the_gold_are_excluded(capsys, table, tmp_path):
    scores = [*map(str, GOLD)]
    scores[2] = "hallucination"
    gold = tmp_path / "gold.tsv"
    rows = "".join(f"en-de\tgold\t{index}\t{score}\n" for index, score in enumerate(scores))
    gold.write_text(f"lp\tgold\tsid\tscore\n{rows}")
    systems = table("t.tsv", gold=GOLD, near=[*NEAR[:2], 99, *NEAR[3:]], far=[*FAR[:2], -99, *FAR[3:]])
    documents = tmp_path / "documents"
    documents.write_text("x\nx\ny\ny\nz\nz\n")
    inputs = ("--gold", gold, "--system", systems, "--unit", "document", "--documents", documents)
    report = json_output(capsys, "score", "sentences", *inputs, "--intervals")
    assert report["segments"] == 5
    assert report["systems"]["near"]["MAE"] == pytest.approx(0.01)
    assert "1 segment left out: marked as a hallucination in the gold" in report["notes"]
    compared = json_output(capsys, "compare", "sentences", *inputs, "--metric", "mae")
    assert compared["systems"] == ["near", "far"]
    err = error_line(capsys, "score", "sentences", "--gold", systems, "--system", gold)
    assert f"{gold}:4: this segment has no score because the gold marks it as a hallucination" in err


def test_info_describes_the_columns_of_a_table(capsys, table):
    path = table("t.tsv", gold=GOLD, near=NEAR, note=["a"] * 6)
    (file,) = json_output(capsys, "info", path)["corpora"][0]["files"]
    assert file["description"] == "scores of 6 segments: gold; near"
    assert (file["golds"], file["systems"], file["notes"]) == (["gold"], ["near"], ["column not read: note"])
