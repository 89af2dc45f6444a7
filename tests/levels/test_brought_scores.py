"""Scores of other metrics beside ours: scored, tested, and refused where they are of something else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.commands import answer, refused, run

SEGMENTS = 40


@pytest.fixture
def files(tmp_path):
    """A reference, three systems, and COMET's scores of two of them and of one that is not there."""
    lines = [f"word{number} and another one here ." for number in range(SEGMENTS)]
    made = {"ref": lines, "good": lines[:30] + ["x"] * 10, "bad": ["x"] * 30 + lines[30:], "new": ["y"] * SEGMENTS}
    for name, held in made.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in held))
    dice = np.random.default_rng(2)
    write(tmp_path, {"bad": -1.2 + dice.normal(size=SEGMENTS), "good": dice.normal(size=SEGMENTS), "gone": [1] * 40})
    return tmp_path


def write(folder, systems, name="comet.seg.score"):
    rows = [f"{system}\t{value}\n" for system, values in systems.items() for value in values]
    (folder / name).write_text("".join(rows))


def inputs(files, *more):
    systems = [files / f"{name}.txt" for name in ("good", "bad", "new")]
    given = ("--reference", files / "ref.txt", "--system", *systems, "--scores", f"COMET={files / 'comet.seg.score'}")
    return (*given, *more)


def held(files, system):
    lines = [line.split("\t") for line in (files / "comet.seg.score").read_text().splitlines()]
    return [float(score) for name, score in lines if name == system]


def test_the_mean_of_each_system_stands_beside_our_metrics(capsys, files):
    found = answer(capsys, "score", "translations", *inputs(files))
    assert {"BLEU", "COMET"} <= set(found["metrics"])
    for system in ("good", "bad"):
        assert found["systems"][system]["COMET"] == pytest.approx(np.mean(held(files, system)))
    assert found["systems"]["new"]["COMET"] is None
    assert any("COMET of new: Undefined if no segment has a score." in note for note in found["notes"])
    assert "COMET has scores for unknown systems: gone" in found["notes"]
    assert "COMET: file:comet.seg.score|better:more" in found["notes"]


def test_segments_that_were_not_scored_are_said_and_left_out_of_the_mean(capsys, files):
    write(files, {"good": [1.0, "None", *[3.0] * 38], "bad": [1] * 40, "new": [1] * 40})
    found = answer(capsys, "score", "translations", *inputs(files, "--metric", "comet", "--intervals"))
    assert found["systems"]["good"]["COMET"] == pytest.approx((1 + 38 * 3) / 39)
    low, high = found["intervals"]["good"]["COMET"]
    assert low <= (1 + 38 * 3) / 39 <= high
    assert "COMET has no score for 1 of 40 segments of good; the mean ignores them" in found["notes"]


def test_systems_are_compared_by_it_and_one_that_has_no_score_is_not_tested(capsys, files):
    one = answer(capsys, "compare", "translations", *inputs(files, "--rounds", 500))["metrics"]
    assert set(one) == {"BLEU", "chrF", "TER", "COMET"}
    comet = one["COMET"]
    assert comet["significant"]["good"] == ["bad"]
    assert comet["p"]["good"]["new"] is None
    # 0 is no score for it: the others' are below that
    assert comet["clusters"] == [["good"], ["bad"]]
    assert comet["d"] == 1


def test_less_is_better_where_it_is_said(capsys, files):
    more = answer(capsys, "compare", "translations", *inputs(files, "--metric", "COMET", "--rounds", 500))
    less = answer(
        capsys, "compare", "translations", *inputs(files, "--metric", "COMET", "--rounds", 500, "--lower", "COMET")
    )
    assert more["metrics"]["COMET"]["significant"]["good"] == ["bad"]
    assert less["metrics"]["COMET"]["significant"]["bad"] == ["good"]
    assert less["metrics"]["COMET"]["clusters"] == [["bad"], ["good"]]
    assert "“TER”" in refused(capsys, "score", "translations", *inputs(files, "--lower", "TER"))


@pytest.mark.parametrize("test", ["bootstrap", "sacrebleu-ar", "sacrebleu-bs"])
def test_every_test_takes_it(capsys, files, test):
    given = inputs(files, "--metric", "COMET", "BLEU", "--rounds", 300, "--test", test)
    found = answer(capsys, "compare", "translations", *given)["metrics"]
    assert found["COMET"]["p"]["good"]["bad"] < 0.05
    assert found["BLEU"]["p"]["good"]["new"] < 0.05


@pytest.mark.parametrize(
    ("systems", "line", "said"),
    [
        ({"good": [1] * 39, "bad": [1] * 39}, 39, "39 scores for each system, but there are 40 segments"),
        ({"good": [1] * 41, "bad": [1] * 41}, 41, "41 scores for each system, but there are 40 segments"),
        ({"good": [1], "bad": [1]}, 1, "These are scores of whole translations"),
        ({"Good": [1] * 40}, None, "no scores for these systems"),
        ({"good": [1] * 40, "bad": [*[1] * 39, "?"]}, 80, '"?" is not a number'),
    ],
)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_scores_of_something_else_are_refused(capsys, files, command, systems, line, said):
    write(files, systems)
    error = refused(capsys, command, "translations", *inputs(files))
    assert said in error
    assert f"comet.seg.score:{'' if line is None else f'{line}:'}" in error


def test_a_table_and_a_folder_do_as_well(capsys, files):
    values = {name: held(files, name) for name in ("good", "bad")}
    (files / "folder").mkdir()
    for name, scores in values.items():
        (files / "folder" / f"{name}.scores").write_text("".join(f"{score}\n" for score in scores))
    rows = [f"{place}\t{one}\t{other}" for place, (one, other) in enumerate(zip(*values.values(), strict=True))]
    (files / "table.tsv").write_text("\n".join(["seg\tgood\tbad", *rows]) + "\n")
    more = ("--scores", f"folder={files / 'folder'}", f"table={files / 'table.tsv'}")
    found = answer(capsys, "score", "translations", *inputs(files, *more))["systems"]
    for name in values:
        assert found[name]["folder"] == pytest.approx(found[name]["COMET"])
        assert found[name]["table"] == pytest.approx(found[name]["COMET"])
    (files / "folder" / "bad.scores").write_text("1\n2\n")
    assert "bad.scores" in refused(capsys, "score", "translations", *inputs(files, *more))


def test_a_metric_of_ours_keeps_its_name(capsys, files):
    more = ("--scores", f"bleu={files / 'comet.seg.score'}")
    assert "BLEU is also a built-in metric" in refused(capsys, "score", "translations", *inputs(files, *more))


def test_every_form_has_it(capsys, files):
    for form in ("table", "tsv", "latex", "html"):
        code, out, _ = run(capsys, "compare", "translations", *inputs(files, "--rounds", 100, "--format", form))
        assert code == 0
        assert "COMET" in out


def test_of_several_pairs_each_has_its_own(capsys, files, tmp_path):
    other = tmp_path / "de-fr"
    other.mkdir()
    for path in [path for path in tmp_path.iterdir() if path.is_file()]:
        text = path.read_text()
        (other / path.name).write_text(text)
        (tmp_path / "cs-en").mkdir(exist_ok=True)
        (tmp_path / "cs-en" / path.name).write_text(text.replace("word", "term"))
    folder = tmp_path / "{pair}"
    given = inputs(folder, "--language-pair", "cs-en", "de-fr", "--metric", "COMET", "BLEU")
    found = answer(capsys, "score", "translations", *given)
    assert set(found["pairs"]) == {"cs-en", "de-fr"}
    (tmp_path / "cs-en" / "ref.txt").write_text((other / "ref.txt").read_text())
    assert "ref.txt: the gold file is the same for cs-en and de-fr" in refused(capsys, "score", "translations", *given)


def test_where_less_is_usually_better_it_is_said_that_nobody_said_so(capsys, files):
    (files / "comet.seg.score").rename(files / "x.seg.score")
    write(files, {"good": [1.0] * 40, "bad": [2.0] * 40}, "x.seg.score")
    given = [str(one).replace("COMET=", "MetricX=").replace("comet.seg", "x.seg") for one in inputs(files)]
    note = "for MetricX, lower is usually better, but here higher is; confirm with --lower MetricX"
    assert note in answer(capsys, "score", "translations", *given)["notes"]
    assert note not in answer(capsys, "score", "translations", *given, "--lower", "MetricX")["notes"]


def test_names_that_differ_are_matched_by_a_person_and_never_guessed(capsys, files):
    write(files, {"Good.en-de": [1.0] * 40, "b a d": [2.0] * 40, "new_1": [3.0] * 40})
    error = refused(capsys, "score", "translations", *inputs(files))
    assert "for example with --match Good.en-de=good 'b a d=bad' new_1=new." in error
    matched = ("--match", "Good.en-de=good", "new_1=new")
    found = answer(capsys, "score", "translations", *inputs(files, *matched))
    assert [found["systems"][name]["COMET"] for name in ("good", "bad", "new")] == [1.0, None, 3.0]
    assert {"good is scored as Good.en-de by COMET", "new is scored as new_1 by COMET"} <= set(found["notes"])
    compared = answer(capsys, "compare", "translations", *inputs(files, *matched, "--metric", "COMET", "--rounds", 99))
    assert compared["metrics"]["COMET"]["scores"]["good"] == 1.0


@pytest.mark.parametrize(
    ("match", "said"),
    [
        (
            "god=bad",
            "no file of scores or ratings has a system “god”. Did you mean “good”? "
            "Available names: bad, good and gone.",
        ),
        ("gone=nevv", "there is no system “nevv”. Did you mean “new”? Available names: good, bad and new."),
        ("good=bad", "comet.seg.score: two systems would have the same name"),
        ("good", "“good” is not a match of names. Use NAME=SYSTEM."),
    ],
)
def test_matches_of_names_that_are_not_there_are_refused(capsys, files, match, said):
    assert said in refused(capsys, "score", "translations", *inputs(files, "--match", match))
