"""Imported segment scores of other metrics: scores, tests, and errors if they do not match the input."""

from __future__ import annotations

import numpy as np
import pytest

from tests.command_line import error_line, json_output, run_command

SEGMENTS = 40


@pytest.fixture
def files(tmp_path):
    """Reference, three systems, and COMET scores of two of them and of an unknown system."""
    lines = [f"word{number} and another one here ." for number in range(SEGMENTS)]
    texts = {"ref": lines, "good": lines[:30] + ["x"] * 10, "bad": ["x"] * 30 + lines[30:], "new": ["y"] * SEGMENTS}
    for name, scores_of in texts.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in scores_of))
    dice = np.random.default_rng(2)
    write_scores(
        tmp_path, {"bad": -1.2 + dice.normal(size=SEGMENTS), "good": dice.normal(size=SEGMENTS), "gone": [1] * 40}
    )
    return tmp_path


def write_scores(folder, systems, name="comet.seg.score"):
    rows = [f"{system}\t{value}\n" for system, values in systems.items() for value in values]
    (folder / name).write_text("".join(rows))


def file_options(files, *more):
    systems = [files / f"{name}.txt" for name in ("good", "bad", "new")]
    arguments = (
        "--reference",
        files / "ref.txt",
        "--system",
        *systems,
        "--scores",
        f"COMET={files / 'comet.seg.score'}",
    )
    return (*arguments, *more)


def scores_of(files, system):
    lines = [line.split("\t") for line in (files / "comet.seg.score").read_text().splitlines()]
    return [float(score) for name, score in lines if name == system]


def test_system_means_of_imported_scores_are_reported_with_other_metrics(capsys, files):
    report = json_output(capsys, "score", "translations", *file_options(files))
    assert {"BLEU", "COMET"} <= set(report["metrics"])
    for system in ("good", "bad"):
        assert report["systems"][system]["COMET"] == pytest.approx(np.mean(scores_of(files, system)))
    assert report["systems"]["new"]["COMET"] is None
    assert any("COMET of new: Undefined if no segment has a score." in note for note in report["notes"])
    assert "COMET has scores for unknown systems: gone" in report["notes"]
    assert "COMET: file:comet.seg.score|better:more" in report["notes"]


def test_segments_without_a_score_are_noted_and_ignored_by_the_mean(capsys, files):
    write_scores(files, {"good": [1.0, "None", *[3.0] * 38], "bad": [1] * 40, "new": [1] * 40})
    report = json_output(capsys, "score", "translations", *file_options(files, "--metric", "comet", "--intervals"))
    assert report["systems"]["good"]["COMET"] == pytest.approx((1 + 38 * 3) / 39)
    low, high = report["intervals"]["good"]["COMET"]
    assert low <= (1 + 38 * 3) / 39 <= high
    assert "COMET has no score for 1 of 40 segments of good; the mean ignores it" in report["notes"]


def test_imported_scores_are_tested_for_systems_that_have_them(capsys, files):
    one = json_output(capsys, "compare", "translations", *file_options(files, "--rounds", 500))["metrics"]
    assert set(one) == {"BLEU", "chrF", "TER", "COMET"}
    comet = one["COMET"]
    assert comet["significant"]["good"] == ["bad"]
    assert comet["p"]["good"]["new"] is None
    # missing scores are not 0: the mean of bad is below 0
    assert comet["clusters"] == [["good"], ["bad"]]
    assert comet["d"] == 1


def test_lower_option_reverses_the_direction_of_imported_scores(capsys, files):
    more = json_output(capsys, "compare", "translations", *file_options(files, "--metric", "COMET", "--rounds", 500))
    less = json_output(
        capsys,
        "compare",
        "translations",
        *file_options(files, "--metric", "COMET", "--rounds", 500, "--lower", "COMET"),
    )
    assert more["metrics"]["COMET"]["significant"]["good"] == ["bad"]
    assert less["metrics"]["COMET"]["significant"]["bad"] == ["good"]
    assert less["metrics"]["COMET"]["clusters"] == [["bad"], ["good"]]
    assert "“TER”" in error_line(capsys, "score", "translations", *file_options(files, "--lower", "TER"))


@pytest.mark.parametrize("test", ["bootstrap", "sacrebleu-ar", "sacrebleu-bs"])
def test_imported_scores_work_with_every_significance_test(capsys, files, test):
    arguments = file_options(files, "--metric", "COMET", "BLEU", "--rounds", 300, "--test", test)
    metrics = json_output(capsys, "compare", "translations", *arguments)["metrics"]
    assert metrics["COMET"]["p"]["good"]["bad"] < 0.05
    assert metrics["BLEU"]["p"]["good"]["new"] < 0.05


@pytest.mark.parametrize(
    ("systems", "line", "message"),
    [
        ({"good": [1] * 39, "bad": [1] * 39}, 39, "39 scores for each system, but there are 40 segments"),
        ({"good": [1] * 41, "bad": [1] * 41}, 41, "41 scores for each system, but there are 40 segments"),
        ({"good": [1], "bad": [1]}, 1, "These are scores of whole translations"),
        ({"Good": [1] * 40}, None, "no scores for any of the systems"),
        ({"good": [1] * 40, "bad": [*[1] * 39, "?"]}, 80, '"?" is not a number'),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_scores_of_other_segments_or_systems_are_errors(capsys, files, command, systems, line, message):
    write_scores(files, systems)
    error = error_line(capsys, command, "translations", *file_options(files))
    assert message in error
    assert f"comet.seg.score:{'' if line is None else f'{line}:'}" in error


def test_scores_are_imported_from_a_table_or_a_folder(capsys, files):
    values = {name: scores_of(files, name) for name in ("good", "bad")}
    (files / "folder").mkdir()
    for name, scores in values.items():
        (files / "folder" / f"{name}.scores").write_text("".join(f"{score}\n" for score in scores))
    rows = [f"{index}\t{first}\t{second}" for index, (first, second) in enumerate(zip(*values.values(), strict=True))]
    (files / "table.tsv").write_text("\n".join(["seg\tgood\tbad", *rows]) + "\n")
    more = ("--scores", f"folder={files / 'folder'}", f"table={files / 'table.tsv'}")
    systems = json_output(capsys, "score", "translations", *file_options(files, *more))["systems"]
    for name in values:
        assert systems[name]["folder"] == pytest.approx(systems[name]["COMET"])
        assert systems[name]["table"] == pytest.approx(systems[name]["COMET"])
    (files / "folder" / "bad.scores").write_text("1\n2\n")
    assert "bad.scores" in error_line(capsys, "score", "translations", *file_options(files, *more))


def test_name_of_a_built_in_metric_is_rejected(capsys, files):
    more = ("--scores", f"bleu={files / 'comet.seg.score'}")
    assert "BLEU is also a built-in metric" in error_line(capsys, "score", "translations", *file_options(files, *more))


def test_imported_scores_appear_in_every_output_format(capsys, files):
    for form in ("table", "tsv", "latex", "html"):
        code, out, _ = run_command(
            capsys, "compare", "translations", *file_options(files, "--rounds", 100, "--format", form)
        )
        assert code == 0
        assert "COMET" in out


def test_each_language_pair_has_its_own_scores(capsys, files, tmp_path):
    other = tmp_path / "de-fr"
    other.mkdir()
    for path in [path for path in tmp_path.iterdir() if path.is_file()]:
        text = path.read_text()
        (other / path.name).write_text(text)
        (tmp_path / "cs-en").mkdir(exist_ok=True)
        (tmp_path / "cs-en" / path.name).write_text(text.replace("word", "term"))
    folder = tmp_path / "{pair}"
    arguments = file_options(folder, "--language-pair", "cs-en", "de-fr", "--metric", "COMET", "BLEU")
    report = json_output(capsys, "score", "translations", *arguments)
    assert set(report["pairs"]) == {"cs-en", "de-fr"}
    (tmp_path / "cs-en" / "ref.txt").write_text((other / "ref.txt").read_text())
    assert "ref.txt: the gold is the same for cs-en and de-fr" in error_line(
        capsys, "score", "translations", *arguments
    )


def test_missing_lower_option_of_a_known_error_metric_is_noted(capsys, files):
    (files / "comet.seg.score").rename(files / "x.seg.score")
    write_scores(files, {"good": [1.0] * 40, "bad": [2.0] * 40}, "x.seg.score")
    arguments = [
        str(option).replace("COMET=", "MetricX=").replace("comet.seg", "x.seg") for option in file_options(files)
    ]
    note = (
        "for MetricX, lower is usually better, but higher is treated as better; use --lower MetricX if lower is better"
    )
    assert note in json_output(capsys, "score", "translations", *arguments)["notes"]
    assert note not in json_output(capsys, "score", "translations", *arguments, "--lower", "MetricX")["notes"]


def test_differing_system_names_are_matched_only_by_the_match_option(capsys, files):
    write_scores(files, {"Good.en-de": [1.0] * 40, "b a d": [2.0] * 40, "new_1": [3.0] * 40})
    error = error_line(capsys, "score", "translations", *file_options(files))
    assert "for example with --match Good.en-de=good 'b a d=bad' new_1=new." in error
    matched = ("--match", "Good.en-de=good", "new_1=new")
    report = json_output(capsys, "score", "translations", *file_options(files, *matched))
    assert [report["systems"][name]["COMET"] for name in ("good", "bad", "new")] == [1.0, None, 3.0]
    notes = {"good is called Good.en-de in the COMET scores", "new is called new_1 in the COMET scores"}
    assert notes <= set(report["notes"])
    compared = json_output(
        capsys, "compare", "translations", *file_options(files, *matched, "--metric", "COMET", "--rounds", 99)
    )
    assert compared["metrics"]["COMET"]["scores"]["good"] == 1.0


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (
            "god=bad",
            "no score or rating file contains a system “god”. Did you mean “good”? "
            "Available names: bad, good and gone.",
        ),
        ("gone=nevv", "there is no system “nevv”. Did you mean “new”? Available names: good, bad and new."),
        ("good=bad", "comet.seg.score: two systems would have the same name"),
        ("good", "“good” does not have the form NAME=SYSTEM. Put the name from the file before the name of the"),
    ],
)
def test_invalid_match_options_are_errors(capsys, files, match, message):
    assert message in error_line(capsys, "score", "translations", *file_options(files, "--match", match))
