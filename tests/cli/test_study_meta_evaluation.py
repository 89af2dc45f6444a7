"""`study meta-evaluation`: its input, its JSON contract, and errors for names and sizes that do not match."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import numpy as np
import pytest

from qe_desktop.cli.main import main
from qe_desktop.studies.meta_eval.agreement_tests import TESTED_STATISTICS


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys, *arguments):
    code, out, err = run(capsys, "study", "meta-evaluation", *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def refused(capsys, *arguments):
    code, out, err = run(capsys, "study", "meta-evaluation", *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    return err


def write(path, systems):
    lines = [
        f"{name}\t{'None' if np.isnan(value) else value}\n" for name, numbers in systems.items() for value in numbers
    ]
    path.write_text("".join(lines))
    return path


SYSTEMS = ("one", "two", "three", "four")


@pytest.fixture
def scores():
    """Human and metric scores of four systems on thirty segments."""
    rng = np.random.default_rng(4)
    human_scores = {name: rng.normal(index, 1, 30).round(3) for index, name in enumerate(SYSTEMS)}
    return human_scores, {name: (numbers + rng.normal(0, 1, 30)).round(3) for name, numbers in human_scores.items()}


@pytest.fixture
def files(tmp_path, scores):
    human_scores, metric = scores
    return write(tmp_path / "people.seg.score", human_scores), write(tmp_path / "metric.seg.score", metric)


def test_json_contract(capsys, files, scores):
    human_scores, metric = scores
    result = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}")
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


def test_lower_option_reverses_the_sign_of_scores(capsys, files, scores, tmp_path):
    other = write(tmp_path / "errors.seg.score", {name: -numbers for name, numbers in scores[1].items()})
    result = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}", f"E={other}", "--lower", "E")
    higher_is_better, lower_is_better = (result["metrics"][name] for name in ("M", "E"))
    assert lower_is_better["pearson"] == pytest.approx(higher_is_better["pearson"])
    assert lower_is_better["segments"]["acc_eq"] == pytest.approx(higher_is_better["segments"]["acc_eq"])
    assert any("Lower is better" in note and "E" in note for note in result["notes"])


def test_score_file_folder_and_table_give_equal_results(capsys, files, scores, tmp_path):
    folder, table = tmp_path / "metric", tmp_path / "table.tsv"
    folder.mkdir()
    for name, numbers in scores[1].items():
        (folder / f"{name}.scores").write_text("".join(f"{value}\n" for value in numbers))
    rows = zip(*scores[1].values(), strict=True)
    table.write_text("segment\t" + "\t".join(SYSTEMS) + "\n")
    with table.open("a") as file:
        file.writelines(f"{index}\t" + "\t".join(map(str, row)) + "\n" for index, row in enumerate(rows))
    result = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}", f"F={folder}", f"T={table}")
    figures = [result["metrics"][name] for name in ("M", "F", "T")]
    assert figures[0] == figures[1] == figures[2]


def test_system_scores_suffice_for_system_correlations(capsys, files, tmp_path):
    whole = tmp_path / "people.sys.score"
    whole.write_text("one\t0\ntwo\t1\nthree\t2\nfour\t3\n")
    metric_result = answer(capsys, "--human", whole, "--scores", f"M={files[1]}")["metrics"]["M"]
    assert metric_result["pearson"] > 0.9
    assert (metric_result["spa"], metric_result["segments"]["acc_eq"]) == (None, None)
    named = tmp_path / "people.csv"
    named.write_text("SYS Z.SCR N\none 0 5\ntwo 1 5\nthree 2 5\nfour 3 5\n")
    assert answer(capsys, "--human", named, "--scores", f"M={files[1]}")["metrics"]["M"] == metric_result


def test_individual_ratings_are_accepted_as_human_scores(capsys, files, tmp_path):
    ratings = tmp_path / "ratings.tsv"
    lines = ["rater\tsystem\tsegment\tscore\n"]
    rng = np.random.default_rng(2)
    for index, name in enumerate(SYSTEMS):
        lines += [f"r{rng.integers(3)}\t{name}\t{segment}\t{index + rng.integers(0, 3)}\n" for segment in range(1, 31)]
    ratings.write_text("".join(lines))
    result = answer(capsys, "--human", ratings, "--scores", f"M={files[1]}")
    assert result["segments"] == {"scored": 30, "rated_of_all": 30, "rated": 30, "figures": "common"}
    assert result["metrics"]["M"]["spa"] is not None
    assert any("segments of the ratings are numbered from 1" in note for note in result["notes"])


def test_segments_in_different_orders_are_noted(capsys, tmp_path):
    """Ratings may number the segments in another order than the metric, which no file states."""
    rng = np.random.default_rng(9)
    human_scores = {name: rng.normal(index, 1, 200) for index, name in enumerate(SYSTEMS)}
    right = {name: numbers + rng.normal(0, 0.5, 200) for name, numbers in human_scores.items()}
    other = {name: rng.permutation(numbers) - numbers.mean() for name, numbers in right.items()}
    human = write(tmp_path / "people", human_scores)

    def notes(scores, *options):
        result = answer(capsys, "--human", human, "--scores", f"M={write(tmp_path / 'm', scores)}", *options)
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
    both = answer(
        capsys, "--human", human, "--scores", f"M={write(tmp_path / 'm', right)}",
        f"N={write(tmp_path / 'n', shuffled)}",
    )  # fmt: skip
    assert not [note for note in both["notes"] if "only systems can be compared" in note]
    assert [note for note in both["notes"] if "Scores by N do not correlate with human scores within systems" in note]


def test_statistics_use_common_segments_unless_all_are_requested(capsys, scores, tmp_path):
    human_scores, metric = scores
    human = write(
        tmp_path / "people", {**human_scores, "two": np.where(np.arange(30) < 20, human_scores["two"], np.nan)}
    )
    options = ("--human", human, "--scores", f"M={write(tmp_path / 'm', metric)}", "--rounds", "100")
    common, whole = answer(capsys, *options), answer(capsys, *options, "--segments", "all")
    assert common["segments"] == {"scored": 20, "rated_of_all": 20, "rated": 30, "figures": "common"}
    assert set(common["metrics"]["M"]["n"].values()) == {20}
    assert common["humans"]["one"] == pytest.approx(human_scores["one"][:20].mean())
    assert common["metrics"]["M"]["scores"]["one"] == pytest.approx(metric["one"][:20].mean())
    assert whole["segments"] == {"scored": 30, "rated_of_all": 20, "rated": 30, "figures": "all"}
    assert (whole["metrics"]["M"]["n"]["pearson"], whole["metrics"]["M"]["n"]["spa"]) == (30, 20)
    assert whole["humans"]["one"] == pytest.approx(human_scores["one"].mean())
    _, out, _ = run(capsys, "study", "meta-evaluation", *options)
    counts = [line.split().count("20") for line in out.splitlines() if "n (segments)" in line]
    assert counts == [3, 3, 3]
    assert "All values use the 20 segments" in out


def test_correlations_over_few_systems_have_a_note(capsys, scores, tmp_path):
    human_scores, metric = scores
    of_three = [{name: inputs[name] for name in SYSTEMS[:3]} for inputs in (human_scores, metric)]
    human, m = (write(tmp_path / name, inputs) for name, inputs in zip(("people", "m"), of_three, strict=True))
    inputs = ("--human", human, "--scores", f"M={m}", "--rounds", "100")
    assert [note for note in answer(capsys, *inputs)["notes"] if "Only 3 systems" in note and "±0.997" in note]
    _, out, _ = run(capsys, "study", "meta-evaluation", *inputs)
    (row, *_) = [line for line in out.splitlines() if "] †" in line]
    assert row.count("] †") == 3
    assert "† Only 3 systems" in out
    more = {f"s{number}": human_scores["one"] + number / 10 for number in range(6)}
    human, m = write(tmp_path / "more", more), write(tmp_path / "m", more)
    _, out, _ = run(capsys, "study", "meta-evaluation", "--human", human, "--scores", f"M={m}", "--rounds", "100")
    assert "†" not in out


def test_system_without_a_score_is_noted(capsys, files, scores, tmp_path):
    holes = write(tmp_path / "holes", {**scores[1], "two": np.full(30, np.nan)})
    result = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}", f"H={holes}", "--rounds", "100")
    metric = result["metrics"]["H"]
    assert metric["scores"]["two"] is None
    assert [metric[name] for name in ("pearson", "spearman", "kendall", "pairwise_accuracy", "spa")] == [None] * 5
    of_systems = ("pearson", "spearman", "kendall", "pairwise_accuracy", "differentials", "spa")
    assert [metric["intervals"][name] for name in of_systems] == [None] * 6
    assert result["better"]["spa"]["M"]["H"] is None
    assert [note for note in result["notes"] if "no score for H," in note]


def test_different_names_are_matched_only_by_the_match_option(capsys, files, scores, tmp_path):
    renamed = write(
        tmp_path / "renamed", {name.replace("one", "one.7"): numbers for name, numbers in scores[0].items()}
    )
    result = answer(capsys, "--human", renamed, "--scores", f"M={files[1]}")
    assert result["systems"] == ["two", "three", "four"]
    assert any("one.7" in note for note in result["notes"])
    matched = answer(capsys, "--human", renamed, "--scores", f"M={files[1]}", "--match", "one.7=one")
    assert matched["systems"] == list(SYSTEMS)
    error = refused(capsys, "--human", renamed, "--scores", f"M={files[1]}", "--without", "two")
    assert "2 systems in common" in error
    # the option can be copied without trailing punctuation
    assert "Use --match one.7=one for names that differ." in error
    other = write(tmp_path / "other", {name.replace("two", "two (2)"): numbers for name, numbers in scores[1].items()})
    both = ("--human", renamed, "--scores", f"M={other}", "--match", "one.7=one", "two (2)=two")
    assert answer(capsys, *both)["systems"] == list(SYSTEMS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no metric scores to evaluate"),
        (["--scores", "{metric}"], "does not have the form METRIC=FILE"),
        (["--scores", "M={metric}", "M={metric}"], "there are two files of “M” scores"),
        (["--scores", "M={metric}", "--lower", "X"], "there is no file of “X” scores"),
        (["--scores", "M={metric}", "--metric", "X"], "there is no metric “X”"),
        (["--scores", "M={metric}", "--without", "X"], "no system “X”"),
        (["--scores", "M={metric}", "--match", "X=one"], "no file of scores or ratings has a system “X”"),
        (["--scores", "M={metric}", "--match", "two=onne"], "there is no system “onne”. Did you mean “one”? Available"),
        (["--scores", "M={metric}", "--match", "two"], "“two” does not have the form NAME=SYSTEM"),
        (["--scores", "M={metric}", "--match", "two=one", "two=three"], "“two” is matched with two systems"),
        (["--scores", "M={metric}", "--match", "two=one"], "two systems would have the same name"),
        (["--scores", "M={metric}", "--reference", "{metric}"], "both references and systems"),
        (["--scores", "M={short}"], "but metrics have 2"),
        (["--scores", "M={metric}", "N={short}"], "has 30"),
    ],
)
def test_invalid_options_are_one_line_errors(capsys, files, tmp_path, arguments, said):
    short = write(tmp_path / "short", dict.fromkeys(SYSTEMS, np.array([1.0, 2.0])))
    filled = [argument.format(metric=files[1], short=short) for argument in arguments]
    assert said in refused(capsys, "--human", files[0], *filled)


def test_table_tsv_and_latex_output(capsys, files):
    command = ("study", "meta-evaluation", "--human", files[0], "--scores", f"M={files[1]}")
    code, out, _ = run(capsys, *command)
    assert code == 0
    assert "Correlation with human scores over 4 systems" in out
    code, out, _ = run(capsys, *command, "--format", "tsv")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["metric"] for row in rows] == ["M"]
    assert float(rows[0]["pearson low"]) < float(rows[0]["pearson high"])
    code, out, _ = run(capsys, *command, "--format", "latex")
    assert code == 0
    assert out.count("\\begin{tabular}") >= 4


@pytest.fixture
def translated(tmp_path, files):
    """Options for texts of the systems: those rated higher share more words with the references."""
    rng = np.random.default_rng(9)
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    lines = [list(rng.choice(words, 6)) for _ in range(30)]
    for name, word_count in {"ref.A": 6, "ref.B": 5, "one": 2, "two": 3, "three": 4, "four": 5}.items():
        folder = tmp_path if name.startswith("ref") else tmp_path / "systems"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("".join(" ".join([*line[:word_count], "x"]) + "\n" for line in lines))
    return tmp_path / "ref.A", tmp_path / "ref.B", "--system", tmp_path / "systems", "--human", files[0]


def test_curves_agree_with_the_statistics(capsys, translated):
    options = (
        "--reference", *translated, "--metric", "BLEU", "unigram-Fmean", "--curve", "recall", "references",
        "--rounds", "100",
    )  # fmt: skip
    result = answer(capsys, *options)
    recall = result["curves"]["recall"]["unigram-Fmean"]
    assert [point["alpha"] for point in recall] == pytest.approx(np.linspace(0, 1, 21).tolist())
    published_point = next(point for point in recall if point["alpha"] == 0.9)
    assert published_point["pearson"] == pytest.approx(result["metrics"]["unigram-Fmean"]["pearson"])
    assert published_point["intervals"].items() <= result["metrics"]["unigram-Fmean"]["intervals"].items()
    references = result["curves"]["references"]
    assert list(references) == ["BLEU", "unigram-Fmean"]
    for name, points in references.items():
        assert [(entry["references"], entry["sets"], entry["sampled"]) for entry in points] == [
            (1, 2, False),
            (2, 1, False),
        ]
        assert points[1]["pearson"] == pytest.approx(result["metrics"][name]["pearson"])
    code, out, _ = run(capsys, "study", "meta-evaluation", *options)
    assert code == 0
    assert "Pearson is highest at recall weight" in out
    assert "Correlation with human scores by number of references" in out
    code, out, _ = run(capsys, "study", "meta-evaluation", *options, "--format", "tsv")
    rows = list(csv.DictReader(io.StringIO(out.partition("\n\n")[2]), delimiter="\t"))
    assert [(row["curve"], row["metric"]) for row in rows] == [
        *[("recall", "unigram-Fmean")] * 21, *[("references", "BLEU")] * 2, *[("references", "unigram-Fmean")] * 2,
    ]  # fmt: skip
    assert float(rows[18]["pearson"]) == pytest.approx(published_point["pearson"])
    assert "curves" not in answer(capsys, "--reference", *translated, "--metric", "BLEU", "--rounds", "100")


def test_pictures_are_written_and_embedded_in_html(capsys, translated, tmp_path):
    folder = tmp_path / "made" / "pictures"
    options = (
        "--reference", *translated, "--metric", "BLEU", "TER", "--curve", "recall", "references", "--rounds", "100",
    )  # fmt: skip
    code, page, _ = run(capsys, "study", "meta-evaluation", *options, "--pictures", folder, "--format", "html")
    assert code == 0
    expected = [f"{metric}.{what}" for metric in ("BLEU", "TER") for what in ("systems", "pairs")]
    expected += ["curve.recall", "curve.references", *(f"better.{figure}" for figure in TESTED_STATISTICS)]
    assert {path.name for path in folder.iterdir()} == {f"{name}.svg" for name in expected}
    for path in folder.iterdir():
        picture = path.read_text()
        ElementTree.fromstring(picture)
        assert picture in page
    systems = (folder / "BLEU.systems.svg").read_text()
    assert all(f">{name}<" in systems for name in SYSTEMS)
    r = answer(capsys, *options)["metrics"]["BLEU"]["pearson"]
    assert f"BLEU vs. human scores: r {r:.3f} [" in systems
    assert ">TER<" in (folder / "better.spa.svg").read_text()


def test_metrics_of_similar_names_have_different_picture_files(capsys, files, tmp_path):
    options = ("--human", files[0], "--scores", f"a/b={files[1]}", f"a-b={files[1]}", "--pictures", tmp_path / "p")
    answer(capsys, *options)
    assert {f"a-b.{what}.svg" for what in ("systems", "pairs", "systems-2", "pairs-2")} <= {
        path.name for path in (tmp_path / "p").iterdir()
    }


def test_impossible_curves_are_refused(capsys, files, translated):
    error = refused(capsys, "--human", files[0], "--scores", f"M={files[1]}", "--curve", "recall")
    assert "--curve: curves need metrics of texts, but there are no texts" in error
    other_error = refused(
        capsys, "--reference", *translated[1:], "--metric", "BLEU", "--rounds", "100", "--curve", "references"
    )
    assert "needs at least two references" in other_error


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


def test_ratings_of_a_project_give_the_results_of_their_files(capsys, files, rating_files, tmp_path):
    project = tmp_path / "rated.qedesk"
    assert main(["project", "create", str(project)]) == 0
    assert main(["ratings", "import", str(project), *map(str, rating_files)]) == 0
    capsys.readouterr()
    metric = ("--scores", f"M={files[1]}")
    expected = answer(capsys, "--human", *rating_files, *metric)
    assert expected["segments"] == {"scored": 30, "rated_of_all": 30, "rated": 30, "figures": "common"}
    for more in ((), ("--campaign", "files")):
        result = answer(capsys, "--human", project, *metric, *more)
        assert (result["humans"], result["metrics"]) == (expected["humans"], expected["metrics"])
    report = json.loads(run(capsys, "ratings", "report", project, "--json", "--no-trueskill")[1])
    assert expected["humans"] == {name: figures["raw"] for name, figures in report["systems"].items()}
    assert "none.qedesk" in refused(capsys, "--human", tmp_path / "none.qedesk", *metric)


def test_large_segment_numbers_are_treated_as_names(capsys, tmp_path):
    ratings, whole = tmp_path / "ratings.tsv", tmp_path / "metric.sys.score"
    lines = [f"r\t{name}\t99999999999999{index}\t{index}\n" for index, name in enumerate(SYSTEMS)]
    ratings.write_text("rater\tsystem\tsegment\tscore\n" + "".join(lines))
    whole.write_text("".join(f"{name}\t{index}\n" for index, name in enumerate(SYSTEMS)))
    result = answer(capsys, "--human", ratings, "--scores", f"M={whole}")
    assert result["metrics"]["M"]["pearson"] == pytest.approx(1)
    assert any("only systems are compared" in note for note in result["notes"])


@pytest.mark.published
def test_wmt23_results_from_the_published_files(capsys, data_folder):
    folder = data_folder / "wmt23_metrics_ende"
    oracle = json.loads((data_folder.parent / "oracles/people/wmt23_ende.json").read_text())["metrics"]
    score_files = [f"{name}={folder / name}.seg.score.gz" for name in oracle]
    human = folder / "en-de.mqm.seg.score.gz"
    result = answer(capsys, "--human", human, "--scores", *score_files, "--without", "refA", "synthetic_ref")
    assert result["segments"] == {"scored": 460, "rated_of_all": 460, "rated": 460, "figures": "common"}
    assert len(result["systems"]) == 12
    for name, expected in oracle.items():
        metric_result = result["metrics"][name]
        assert round(metric_result["pearson"], 4) == expected["system_pearson"]
        assert round(metric_result["segments"]["acc_eq"], 4) == expected["acc_eq"]
        assert metric_result["spa"] == pytest.approx(expected["SPA"], abs=0.01)


def test_every_statistic_and_test_states_its_number_of_segments(capsys, files, scores, tmp_path):
    human_scores = {name: np.where(np.arange(30) < 10, np.nan, values) for name, values in scores[0].items()}
    human_scores["one"][9] = 1.0
    human = write(tmp_path / "rated", human_scores)
    other = write(tmp_path / "other", {name: -values for name, values in scores[1].items()})
    options = ("--human", human, "--scores", f"M={files[1]}", f"O={other}", "--rounds", "100", "--segments", "all")
    study = answer(capsys, *options)
    # only one system has a score for segment 10, so there is nothing to compare it with
    expected = {"spa": 20, "segments_pearson": 21, "segments_kendall": 21, "acc_eq": 20}
    assert expected.items() <= study["metrics"]["M"]["n"].items()
    assert {name: test["segments"] for name, test in study["tests"].items()} == dict.fromkeys(study["tests"], 20)
    assert set(study["tests"]) == set(study["metrics"]["M"]["intervals"])
    assert study["tests"]["segments_kendall"]["test"] == study["tests"]["segments_pearson"]["test"] == "segments"
    _, out, _ = run(capsys, "study", "meta-evaluation", *options, "--format", "tsv")
    row = next(csv.DictReader(io.StringIO(out), delimiter="\t"))
    columns = {"n SPA": "20", "n acc_eq": "20", "n segments pearson": "21", "n segments kendall": "21"}
    assert columns.items() <= row.items()
    _, out, _ = run(capsys, "study", "meta-evaluation", *options)
    assert out.count("This test uses 20 segments.") == len(study["tests"])


def test_segments_of_documents_get_a_note_or_are_resampled_together(capsys, files, tmp_path):
    documents = tmp_path / "lines.docs"
    documents.write_text("".join(f"d{line // 3}\n" for line in range(30)))
    other = write(
        tmp_path / "other", {name: np.random.default_rng(n).normal(size=30) for n, name in enumerate(SYSTEMS)}
    )
    options = ("--human", files[0], "--scores", f"M={files[1]}", f"O={other}", "--rounds", "100")
    plain = answer(capsys, *options)
    split = answer(capsys, *options, "--documents", documents)
    whole = answer(capsys, *options, "--documents", documents, "--unit", "document")
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
    assert "no document information" in refused(capsys, *options, "--unit", "document")
