"""`study meta-evaluation`: its input, its JSON contract, and errors for names and sizes that do not match."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.cli.main import main
from tests.cli.meta_evaluation import SYSTEMS, evaluate, evaluation_error, score_files, scores, write_scores
from tests.command_line import error_line, run_command

__all__ = ["score_files", "scores"]


def test_json_contract(capsys, score_files, scores):
    human_scores, metric = scores
    result = evaluate(capsys, "--human", score_files[0], "--scores", f"M={score_files[1]}")
    assert result["systems"] == list(SYSTEMS)
    assert result["humans"] == pytest.approx({name: numbers.mean() for name, numbers in human_scores.items()})
    metric_result = result["metrics"]["M"]
    assert metric_result["scores"] == pytest.approx({name: numbers.mean() for name, numbers in metric.items()})
    correlations = {"pearson", "spearman", "kendall"}
    assert set(metric_result) == correlations | {
        "scores", "intervals", "n", "pairwise_accuracy", "spa", "differentials", "segments",
    }  # fmt: skip
    figures = {"pairwise_accuracy", "differentials", "spa", "segments_pearson", "segments_kendall", "acc_eq"}
    assert set(metric_result["intervals"]) == correlations | figures
    values = {
        **{name: metric_result[name] for name in (*correlations, "pairwise_accuracy", "spa")},
        "differentials": metric_result["differentials"]["pearson"], "acc_eq": metric_result["segments"]["acc_eq"],
        **{f"segments_{name}": metric_result["segments"][name] for name in ("pearson", "kendall")},
    }  # fmt: skip
    for name, (low, high) in metric_result["intervals"].items():
        assert low <= values[name] <= high
    assert all(
        low < high for name, (low, high) in metric_result["intervals"].items() if name in ("pearson", "spa", "acc_eq")
    )
    assert set(metric_result["segments"]) == {"pearson", "kendall", "pearson_within", "acc_eq", "epsilon"}
    assert metric_result["differentials"]["pairs"] == 6
    assert metric_result["pearson"] == pytest.approx(
        np.corrcoef(list(result["humans"].values()), list(metric_result["scores"].values()))[0, 1]
    )
    assert "sides:two" in result["signature"]
    assert "seed:1" in result["signature"]


def test_lower_option_reverses_the_sign_of_scores(capsys, score_files, scores, tmp_path):
    other = write_scores(tmp_path / "errors.seg.score", {name: -numbers for name, numbers in scores[1].items()})
    result = evaluate(
        capsys, "--human", score_files[0], "--scores", f"M={score_files[1]}", f"E={other}", "--lower", "E"
    )
    higher_is_better, lower_is_better = (result["metrics"][name] for name in ("M", "E"))
    assert lower_is_better["pearson"] == pytest.approx(higher_is_better["pearson"])
    assert lower_is_better["segments"]["acc_eq"] == pytest.approx(higher_is_better["segments"]["acc_eq"])
    assert any("Lower is better" in note and "E" in note for note in result["notes"])


def test_score_file_folder_and_table_give_equal_results(capsys, score_files, scores, tmp_path):
    folder, table = tmp_path / "metric", tmp_path / "table.tsv"
    folder.mkdir()
    for name, numbers in scores[1].items():
        (folder / f"{name}.scores").write_text("".join(f"{value}\n" for value in numbers))
    rows = zip(*scores[1].values(), strict=True)
    table.write_text("segment\t" + "\t".join(SYSTEMS) + "\n")
    with table.open("a") as file:
        file.writelines(f"{index}\t" + "\t".join(map(str, row)) + "\n" for index, row in enumerate(rows))
    result = evaluate(capsys, "--human", score_files[0], "--scores", f"M={score_files[1]}", f"F={folder}", f"T={table}")
    figures = [result["metrics"][name] for name in ("M", "F", "T")]
    assert figures[0] == figures[1] == figures[2]


def test_system_scores_suffice_for_system_correlations(capsys, score_files, tmp_path):
    whole = tmp_path / "people.sys.score"
    whole.write_text("one\t0\ntwo\t1\nthree\t2\nfour\t3\n")
    metric_result = evaluate(capsys, "--human", whole, "--scores", f"M={score_files[1]}")["metrics"]["M"]
    assert metric_result["pearson"] > 0.9
    assert (metric_result["spa"], metric_result["segments"]["acc_eq"]) == (None, None)
    named = tmp_path / "people.csv"
    named.write_text("SYS Z.SCR N\none 0 5\ntwo 1 5\nthree 2 5\nfour 3 5\n")
    assert evaluate(capsys, "--human", named, "--scores", f"M={score_files[1]}")["metrics"]["M"] == metric_result


def test_individual_ratings_are_accepted_as_human_scores(capsys, score_files, tmp_path):
    ratings = tmp_path / "ratings.tsv"
    lines = ["rater\tsystem\tsegment\tscore\n"]
    rng = np.random.default_rng(2)
    for index, name in enumerate(SYSTEMS):
        lines += [f"r{rng.integers(3)}\t{name}\t{segment}\t{index + rng.integers(0, 3)}\n" for segment in range(1, 31)]
    ratings.write_text("".join(lines))
    result = evaluate(capsys, "--human", ratings, "--scores", f"M={score_files[1]}")
    assert result["segments"] == {"scored": 30, "rated_of_all": 30, "rated": 30, "figures": "common"}
    assert result["metrics"]["M"]["spa"] is not None
    assert any("segments of the ratings, numbered from 1" in note for note in result["notes"])


def test_segments_in_different_orders_are_noted(capsys, tmp_path):
    """Ratings may number the segments in another order than the metric, which no file states."""
    rng = np.random.default_rng(9)
    human_scores = {name: rng.normal(index, 1, 200) for index, name in enumerate(SYSTEMS)}
    right = {name: numbers + rng.normal(0, 0.5, 200) for name, numbers in human_scores.items()}
    other = {name: rng.permutation(numbers) - numbers.mean() for name, numbers in right.items()}
    human = write_scores(tmp_path / "people", human_scores)

    def notes(scores, *options):
        result = evaluate(capsys, "--human", human, "--scores", f"M={write_scores(tmp_path / 'm', scores)}", *options)
        return result["metrics"]["M"], [note for note in result["notes"] if "only systems can be compared" in note]

    assert notes(right)[1] == []
    assert len(notes(other)[1]) == 1
    alone, none = notes(other, "--systems-only")
    assert (alone["spa"], alone["segments"]["pearson_within"], none) == (None, None, [])
    # in any order of the segments, better systems still have better scores
    shuffled = {name: rng.permutation(values) for name, values in right.items()}
    metric_result, warnings = notes(shuffled)
    assert metric_result["segments"]["pearson"] > 0.3
    assert abs(metric_result["segments"]["pearson_within"]) < 0.08
    assert len(warnings) == 1
    order = rng.permutation(200)
    assert len(notes({name: values[order] for name, values in right.items()})[1]) == 1
    both = evaluate(
        capsys, "--human", human, "--scores", f"M={write_scores(tmp_path / 'm', right)}",
        f"N={write_scores(tmp_path / 'n', shuffled)}",
    )  # fmt: skip
    assert not [note for note in both["notes"] if "only systems can be compared" in note]
    assert [note for note in both["notes"] if "Scores by N do not correlate significantly with human" in note]


def test_statistics_use_common_segments_unless_all_are_requested(capsys, scores, tmp_path):
    human_scores, metric = scores
    human = write_scores(
        tmp_path / "people", {**human_scores, "two": np.where(np.arange(30) < 20, human_scores["two"], np.nan)}
    )
    options = ("--human", human, "--scores", f"M={write_scores(tmp_path / 'm', metric)}", "--rounds", "100")
    common, whole = evaluate(capsys, *options), evaluate(capsys, *options, "--segments", "all")
    assert common["segments"] == {"scored": 20, "rated_of_all": 20, "rated": 30, "figures": "common"}
    assert set(common["metrics"]["M"]["n"].values()) == {20}
    assert common["humans"]["one"] == pytest.approx(human_scores["one"][:20].mean())
    assert common["metrics"]["M"]["scores"]["one"] == pytest.approx(metric["one"][:20].mean())
    assert whole["segments"] == {"scored": 30, "rated_of_all": 20, "rated": 30, "figures": "all"}
    assert (whole["metrics"]["M"]["n"]["pearson"], whole["metrics"]["M"]["n"]["spa"]) == (30, 20)
    assert whole["humans"]["one"] == pytest.approx(human_scores["one"].mean())
    _, out, _ = run_command(capsys, "study", "meta-evaluation", *options)
    counts = [line.split().count("20") for line in out.splitlines() if "n (segments)" in line]
    assert counts == [3, 3, 3]
    assert "All values use the 20 segments" in out


def test_system_without_a_score_is_noted(capsys, score_files, scores, tmp_path):
    holes = write_scores(tmp_path / "holes", {**scores[1], "two": np.full(30, np.nan)})
    result = evaluate(
        capsys, "--human", score_files[0], "--scores", f"M={score_files[1]}", f"H={holes}", "--rounds", "100"
    )
    metric = result["metrics"]["H"]
    assert metric["scores"]["two"] is None
    assert [metric[name] for name in ("pearson", "spearman", "kendall", "pairwise_accuracy", "spa")] == [None] * 5
    of_systems = ("pearson", "spearman", "kendall", "pairwise_accuracy", "differentials", "spa")
    assert [metric["intervals"][name] for name in of_systems] == [None] * 6
    assert result["better"]["spa"]["M"]["H"] is None
    assert [note for note in result["notes"] if "no score by H," in note]


def test_different_names_are_matched_only_by_the_match_option(capsys, score_files, scores, tmp_path):
    renamed = write_scores(
        tmp_path / "renamed", {name.replace("one", "one.7"): numbers for name, numbers in scores[0].items()}
    )
    result = evaluate(capsys, "--human", renamed, "--scores", f"M={score_files[1]}")
    assert result["systems"] == ["two", "three", "four"]
    assert any("one.7" in note for note in result["notes"])
    matched = evaluate(capsys, "--human", renamed, "--scores", f"M={score_files[1]}", "--match", "one.7=one")
    assert matched["systems"] == list(SYSTEMS)
    error = evaluation_error(capsys, "--human", renamed, "--scores", f"M={score_files[1]}", "--without", "two")
    assert "2 systems in common" in error
    # the option can be copied without trailing punctuation
    assert "Use --match one.7=one for names that differ." in error
    other = write_scores(
        tmp_path / "other", {name.replace("two", "two (2)"): numbers for name, numbers in scores[1].items()}
    )
    both = ("--human", renamed, "--scores", f"M={other}", "--match", "one.7=one", "two (2)=two")
    assert evaluate(capsys, *both)["systems"] == list(SYSTEMS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no metric scores to evaluate"),
        (["--scores", "{metric}"], "does not have the form METRIC=FILE"),
        (["--scores", "M={metric}", "M={metric}"], "there are two files of “M” scores"),
        (["--scores", "M={metric}", "--lower", "X"], "there is no file of “X” scores"),
        (["--scores", "M={metric}", "--metric", "X"], "there is no metric “X”"),
        (["--scores", "M={metric}", "--without", "X"], "no system “X”"),
        (["--scores", "M={metric}", "--match", "X=one"], "no score or rating file contains a system “X”"),
        (["--scores", "M={metric}", "--match", "two=onne"], "there is no system “onne”. Did you mean “one”? Available"),
        (["--scores", "M={metric}", "--match", "two"], "“two” does not have the form NAME=SYSTEM"),
        (["--scores", "M={metric}", "--match", "two=one", "two=three"], "“two” is matched with two systems"),
        (["--scores", "M={metric}", "--match", "two=one"], "two systems would have the same name"),
        (["--scores", "M={metric}", "--reference", "{metric}"], "both references and systems"),
        (["--scores", "M={short}"], "but metrics have 2"),
        (["--scores", "M={metric}", "N={short}"], "has 30"),
    ],
)
def test_invalid_options_are_one_line_errors(capsys, score_files, tmp_path, arguments, message):
    short = write_scores(tmp_path / "short", dict.fromkeys(SYSTEMS, np.array([1.0, 2.0])))
    filled = [argument.format(metric=score_files[1], short=short) for argument in arguments]
    assert message in evaluation_error(capsys, "--human", score_files[0], *filled)


@pytest.fixture
def rating_files(tmp_path):
    """Two files that share the ratings of four raters."""
    rng = np.random.default_rng(2)
    lines = [
        f"r{rng.integers(4)}\t{name}\t{segment}\t{index + rng.integers(0, 3)}\n"
        for index, name in enumerate(SYSTEMS)
        for segment in range(1, 31)
    ]
    paths = []
    for part in (0, 1):
        paths.append(tmp_path / f"part{part}.tsv")
        paths[-1].write_text("rater\tsystem\tsegment\tscore\n" + "".join(lines[part::2]))
    return paths


def test_ratings_of_a_project_give_the_results_of_their_files(capsys, score_files, rating_files, tmp_path):
    project = tmp_path / "rated.qedesk"
    assert main(["project", "create", str(project)]) == 0
    assert main(["ratings", "import", str(project), *map(str, rating_files)]) == 0
    capsys.readouterr()
    metric = ("--scores", f"M={score_files[1]}")
    expected = evaluate(capsys, "--human", *rating_files, *metric)
    assert expected["segments"] == {"scored": 30, "rated_of_all": 30, "rated": 30, "figures": "common"}
    for more in ((), ("--campaign", "files")):
        result = evaluate(capsys, "--human", project, *metric, *more)
        assert (result["humans"], result["metrics"]) == (expected["humans"], expected["metrics"])
    report = json.loads(run_command(capsys, "ratings", "report", project, "--json", "--no-trueskill")[1])
    assert expected["humans"] == {name: figures["raw"] for name, figures in report["systems"].items()}
    assert "none.qedesk" in evaluation_error(capsys, "--human", tmp_path / "none.qedesk", *metric)


def test_large_segment_numbers_are_treated_as_names(capsys, tmp_path):
    ratings, whole = tmp_path / "ratings.tsv", tmp_path / "metric.sys.score"
    lines = [f"r\t{name}\t99999999999999{index}\t{index}\n" for index, name in enumerate(SYSTEMS)]
    ratings.write_text("rater\tsystem\tsegment\tscore\n" + "".join(lines))
    whole.write_text("".join(f"{name}\t{index}\n" for index, name in enumerate(SYSTEMS)))
    result = evaluate(capsys, "--human", ratings, "--scores", f"M={whole}")
    assert result["metrics"]["M"]["pearson"] == pytest.approx(1)
    assert any("only systems are compared" in note for note in result["notes"])


@pytest.mark.published
def test_wmt23_results_from_the_published_files(capsys, data_folder):
    folder = data_folder / "wmt23_metrics_ende"
    oracle = json.loads((data_folder.parent / "oracles/people/wmt23_ende.json").read_text())["metrics"]
    score_files = [f"{name}={folder / name}.seg.score.gz" for name in oracle]
    human = folder / "en-de.mqm.seg.score.gz"
    result = evaluate(capsys, "--human", human, "--scores", *score_files, "--without", "refA", "synthetic_ref")
    assert result["segments"] == {"scored": 460, "rated_of_all": 460, "rated": 460, "figures": "common"}
    assert len(result["systems"]) == 12
    for name, expected in oracle.items():
        metric_result = result["metrics"][name]
        assert round(metric_result["pearson"], 4) == expected["system_pearson"]
        assert round(metric_result["segments"]["acc_eq"], 4) == expected["acc_eq"]
        assert metric_result["spa"] == pytest.approx(expected["SPA"], abs=0.01)


def test_segments_of_documents_get_a_note_or_are_resampled_together(capsys, score_files, tmp_path):
    documents = tmp_path / "lines.docs"
    documents.write_text("".join(f"d{line // 3}\n" for line in range(30)))
    other = write_scores(
        tmp_path / "other", {name: np.random.default_rng(n).normal(size=30) for n, name in enumerate(SYSTEMS)}
    )
    options = ("--human", score_files[0], "--scores", f"M={score_files[1]}", f"O={other}", "--rounds", "100")
    plain = evaluate(capsys, *options)
    split = evaluate(capsys, *options, "--documents", documents)
    whole = evaluate(capsys, *options, "--documents", documents, "--unit", "document")
    assert (plain["unit"], split["unit"], whole["unit"]) == ("segment", "segment", "document")
    assert plain["metrics"] == split["metrics"]
    assert whole["metrics"]["M"]["spa"] == plain["metrics"]["M"]["spa"]
    assert whole["metrics"]["M"]["intervals"] != plain["metrics"]["M"]["intervals"]
    assert whole["better"] != plain["better"]
    assert {test["test"] for test in whole["tests"].values()} == {"perm-both", "documents"}
    notes_by_study = [
        [note for note in study["notes"] if "treated as independent" in note] for study in (plain, split, whole)
    ]
    assert [len(notes) for notes in notes_by_study] == [0, 1, 0]
    assert notes_by_study[1][0].startswith("30 segments of 10 documents")
    assert "Use --unit document to resample whole documents." in split["notes"]
    assert "unit:document" in whole["signature"]
    assert "no document information" in evaluation_error(capsys, *options, "--unit", "document")


def test_several_language_pairs_are_refused(capsys, score_files):
    error = error_line(
        capsys, "study", "meta-evaluation", "--human", score_files[0], "--scores", f"M={score_files[1]}",
        "--language-pair", "en-de", "en-fr",
    )  # fmt: skip
    assert "this study uses only one language pair" in error
