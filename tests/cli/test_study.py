"""`study meta-evaluation`: its input, the contract of its JSON, and its errors for names and sizes that do not fit."""

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
    lines = [f"{name}\t{'None' if np.isnan(value) else value}\n" for name, held in systems.items() for value in held]
    path.write_text("".join(lines))
    return path


SYSTEMS = ("one", "two", "three", "four")


@pytest.fixture
def scores():
    """What people and a metric gave four systems on thirty segments."""
    dice = np.random.default_rng(4)
    people = {name: dice.normal(place, 1, 30).round(3) for place, name in enumerate(SYSTEMS)}
    return people, {name: (held + dice.normal(0, 1, 30)).round(3) for name, held in people.items()}


@pytest.fixture
def files(tmp_path, scores):
    people, metric = scores
    return write(tmp_path / "people.seg.score", people), write(tmp_path / "metric.seg.score", metric)


def test_the_contract(capsys, files, scores):
    people, metric = scores
    found = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}")
    assert found["systems"] == list(SYSTEMS)
    assert found["humans"] == pytest.approx({name: held.mean() for name, held in people.items()})
    one = found["metrics"]["M"]
    assert one["scores"] == pytest.approx({name: held.mean() for name, held in metric.items()})
    correlations = {"pearson", "spearman", "kendall"}
    assert set(one) == correlations | {
        "scores", "intervals", "n", "pairwise_accuracy", "spa", "differentials", "segments",
    }  # fmt: skip
    figures = {"pairwise_accuracy", "differentials", "spa", "segments_pearson", "segments_kendall", "acc_eq"}
    assert set(one["intervals"]) == correlations | figures
    values = {
        **{name: one[name] for name in (*correlations, "pairwise_accuracy", "spa")},
        "differentials": one["differentials"]["pearson"], "acc_eq": one["segments"]["acc_eq"],
        **{f"segments_{name}": one["segments"][name] for name in ("pearson", "kendall")},
    }  # fmt: skip
    for name, (low, high) in one["intervals"].items():
        assert low <= values[name] <= high
    assert all(low < high for name, (low, high) in one["intervals"].items() if name in ("pearson", "spa", "acc_eq"))
    assert set(one["segments"]) == {"pearson", "kendall", "pearson_within", "acc_eq", "epsilon"}
    assert one["differentials"]["pairs"] == 6
    assert one["pearson"] == pytest.approx(
        np.corrcoef(list(found["humans"].values()), list(one["scores"].values()))[0, 1]
    )
    assert "sides:two" in found["signature"]
    assert "seed:1" in found["signature"]


def test_less_is_better_is_said_once(capsys, files, scores, tmp_path):
    other = write(tmp_path / "errors.seg.score", {name: -held for name, held in scores[1].items()})
    found = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}", f"E={other}", "--lower", "E")
    mine, theirs = (found["metrics"][name] for name in ("M", "E"))
    assert theirs["pearson"] == pytest.approx(mine["pearson"])
    assert theirs["segments"]["acc_eq"] == pytest.approx(mine["segments"]["acc_eq"])
    assert any("Lower is better" in note and "E" in note for note in found["notes"])


def test_a_folder_with_a_file_for_each_system_and_a_table_are_the_same(capsys, files, scores, tmp_path):
    folder, table = tmp_path / "metric", tmp_path / "table.tsv"
    folder.mkdir()
    for name, held in scores[1].items():
        (folder / f"{name}.scores").write_text("".join(f"{value}\n" for value in held))
    rows = zip(*scores[1].values(), strict=True)
    table.write_text("segment\t" + "\t".join(SYSTEMS) + "\n")
    with table.open("a") as file:
        file.writelines(f"{place}\t" + "\t".join(map(str, row)) + "\n" for place, row in enumerate(rows))
    found = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}", f"F={folder}", f"T={table}")
    figures = [found["metrics"][name] for name in ("M", "F", "T")]
    assert figures[0] == figures[1] == figures[2]


def test_a_score_for_each_system_is_enough_for_systems(capsys, files, tmp_path):
    whole = tmp_path / "people.sys.score"
    whole.write_text("one\t0\ntwo\t1\nthree\t2\nfour\t3\n")
    one = answer(capsys, "--human", whole, "--scores", f"M={files[1]}")["metrics"]["M"]
    assert one["pearson"] > 0.9
    assert (one["spa"], one["segments"]["acc_eq"]) == (None, None)
    named = tmp_path / "people.csv"
    named.write_text("SYS Z.SCR N\none 0 5\ntwo 1 5\nthree 2 5\nfour 3 5\n")
    assert answer(capsys, "--human", named, "--scores", f"M={files[1]}")["metrics"]["M"] == one


def test_ratings_are_read_as_they_come(capsys, files, tmp_path):
    ratings = tmp_path / "ratings.tsv"
    lines = ["rater\tsystem\tsegment\tscore\n"]
    dice = np.random.default_rng(2)
    for place, name in enumerate(SYSTEMS):
        lines += [
            f"r{dice.integers(3)}\t{name}\t{segment}\t{place + dice.integers(0, 3)}\n" for segment in range(1, 31)
        ]
    ratings.write_text("".join(lines))
    found = answer(capsys, "--human", ratings, "--scores", f"M={files[1]}")
    assert found["segments"] == {"scored": 30, "rated_of_all": 30, "rated": 30, "figures": "common"}
    assert found["metrics"]["M"]["spa"] is not None
    assert any("segments of the ratings are numbered from 1" in note for note in found["notes"])


def test_segments_that_have_nothing_to_do_with_each_other_are_pointed_out(capsys, tmp_path):
    """Ratings may number segments in an order of their own, which no file tells."""
    dice = np.random.default_rng(9)
    people = {name: dice.normal(place, 1, 200) for place, name in enumerate(SYSTEMS)}
    right = {name: held + dice.normal(0, 0.5, 200) for name, held in people.items()}
    other = {name: dice.permutation(held) - held.mean() for name, held in right.items()}
    human = write(tmp_path / "people", people)

    def notes(scores, *options):
        found = answer(capsys, "--human", human, "--scores", f"M={write(tmp_path / 'm', scores)}", *options)
        return found["metrics"]["M"], [note for note in found["notes"] if "only systems can be compared" in note]

    assert notes(right)[1] == []
    assert len(notes(other)[1]) == 1
    alone, none = notes(other, "--systems-only")
    assert (alone["spa"], alone["segments"]["pearson_within"], none) == (None, None, [])
    # better systems have better scores in any order of the segments
    shuffled = {name: dice.permutation(given) for name, given in right.items()}
    one, warnings = notes(shuffled)
    assert one["segments"]["pearson"] > 0.3
    assert abs(one["segments"]["pearson_within"]) < 0.08
    assert len(warnings) == 1
    order = dice.permutation(200)
    assert len(notes({name: given[order] for name, given in right.items()})[1]) == 1
    both = answer(
        capsys, "--human", human, "--scores", f"M={write(tmp_path / 'm', right)}",
        f"N={write(tmp_path / 'n', shuffled)}",
    )  # fmt: skip
    assert not [note for note in both["notes"] if "only systems can be compared" in note]
    assert [note for note in both["notes"] if "Scores by N do not correlate with human scores within systems" in note]


def test_figures_are_of_common_segments_unless_all_are_wanted(capsys, scores, tmp_path):
    people, metric = scores
    human = write(tmp_path / "people", {**people, "two": np.where(np.arange(30) < 20, people["two"], np.nan)})
    given = ("--human", human, "--scores", f"M={write(tmp_path / 'm', metric)}", "--rounds", "100")
    common, whole = answer(capsys, *given), answer(capsys, *given, "--segments", "all")
    assert common["segments"] == {"scored": 20, "rated_of_all": 20, "rated": 30, "figures": "common"}
    assert set(common["metrics"]["M"]["n"].values()) == {20}
    assert common["humans"]["one"] == pytest.approx(people["one"][:20].mean())
    assert common["metrics"]["M"]["scores"]["one"] == pytest.approx(metric["one"][:20].mean())
    assert whole["segments"] == {"scored": 30, "rated_of_all": 20, "rated": 30, "figures": "all"}
    assert (whole["metrics"]["M"]["n"]["pearson"], whole["metrics"]["M"]["n"]["spa"]) == (30, 20)
    assert whole["humans"]["one"] == pytest.approx(people["one"].mean())
    _, out, _ = run(capsys, "study", "meta-evaluation", *given)
    counts = [line.split().count("20") for line in out.splitlines() if "n (segments)" in line]
    assert counts == [3, 3, 3]
    assert "All values use the 20 segments" in out


def test_correlations_over_few_systems_have_a_caution(capsys, scores, tmp_path):
    people, metric = scores
    three = [{name: given[name] for name in SYSTEMS[:3]} for given in (people, metric)]
    human, m = (write(tmp_path / name, given) for name, given in zip(("people", "m"), three, strict=True))
    given = ("--human", human, "--scores", f"M={m}", "--rounds", "100")
    assert [note for note in answer(capsys, *given)["notes"] if "Only 3 systems" in note and "±0.997" in note]
    _, out, _ = run(capsys, "study", "meta-evaluation", *given)
    (row, *_) = [line for line in out.splitlines() if "] †" in line]
    assert row.count("] †") == 3
    assert "† Only 3 systems" in out
    more = {f"s{number}": people["one"] + number / 10 for number in range(6)}
    human, m = write(tmp_path / "more", more), write(tmp_path / "m", more)
    _, out, _ = run(capsys, "study", "meta-evaluation", "--human", human, "--scores", f"M={m}", "--rounds", "100")
    assert "†" not in out


def test_a_system_without_a_score_is_said(capsys, files, scores, tmp_path):
    holes = write(tmp_path / "holes", {**scores[1], "two": np.full(30, np.nan)})
    found = answer(capsys, "--human", files[0], "--scores", f"M={files[1]}", f"H={holes}", "--rounds", "100")
    one = found["metrics"]["H"]
    assert one["scores"]["two"] is None
    assert [one[name] for name in ("pearson", "spearman", "kendall", "pairwise_accuracy", "spa")] == [None] * 5
    of_systems = ("pearson", "spearman", "kendall", "pairwise_accuracy", "differentials", "spa")
    assert [one["intervals"][name] for name in of_systems] == [None] * 6
    assert found["better"]["spa"]["M"]["H"] is None
    assert [note for note in found["notes"] if "no score for H," in note]


def test_names_that_differ_are_matched_by_a_person_and_never_guessed(capsys, files, scores, tmp_path):
    renamed = write(tmp_path / "renamed", {name.replace("one", "one.7"): held for name, held in scores[0].items()})
    found = answer(capsys, "--human", renamed, "--scores", f"M={files[1]}")
    assert found["systems"] == ["two", "three", "four"]
    assert any("one.7" in note for note in found["notes"])
    matched = answer(capsys, "--human", renamed, "--scores", f"M={files[1]}", "--match", "one.7=one")
    assert matched["systems"] == list(SYSTEMS)
    error = refused(capsys, "--human", renamed, "--scores", f"M={files[1]}", "--without", "two")
    assert "2 systems in common" in error
    # it can be copied, with nothing of the sentence behind the last name
    assert "Use --match one.7=one for names that differ." in error
    other = write(tmp_path / "other", {name.replace("two", "two (2)"): held for name, held in scores[1].items()})
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
        (["--scores", "M={metric}", "--match", "two"], "“two” is not a match of names"),
        (["--scores", "M={metric}", "--match", "two=one", "two=three"], "“two” is matched with two systems"),
        (["--scores", "M={metric}", "--match", "two=one"], "two systems would have the same name"),
        (["--scores", "M={metric}", "--reference", "{metric}"], "both references and systems"),
        (["--scores", "M={short}"], "but metrics have 2"),
        (["--scores", "M={metric}", "N={short}"], "has 30"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(capsys, files, tmp_path, arguments, said):
    short = write(tmp_path / "short", dict.fromkeys(SYSTEMS, np.array([1.0, 2.0])))
    filled = [argument.format(metric=files[1], short=short) for argument in arguments]
    assert said in refused(capsys, "--human", files[0], *filled)


def test_every_form(capsys, files):
    given = ("study", "meta-evaluation", "--human", files[0], "--scores", f"M={files[1]}")
    code, out, _ = run(capsys, *given)
    assert code == 0
    assert "Correlation with human scores over 4 systems" in out
    code, out, _ = run(capsys, *given, "--format", "tsv")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["metric"] for row in rows] == ["M"]
    assert float(rows[0]["pearson low"]) < float(rows[0]["pearson high"])
    code, out, _ = run(capsys, *given, "--format", "latex")
    assert code == 0
    assert out.count("\\begin{tabular}") >= 4


@pytest.fixture
def translated(tmp_path, files):
    """Options for the same systems' texts: the better people find one, the more words of the references it has."""
    dice = np.random.default_rng(9)
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    lines = [list(dice.choice(words, 6)) for _ in range(30)]
    for name, kept in {"ref.A": 6, "ref.B": 5, "one": 2, "two": 3, "three": 4, "four": 5}.items():
        folder = tmp_path if name.startswith("ref") else tmp_path / "systems"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("".join(" ".join([*line[:kept], "x"]) + "\n" for line in lines))
    return tmp_path / "ref.A", tmp_path / "ref.B", "--system", tmp_path / "systems", "--human", files[0]


def test_curves_stand_beside_the_figures(capsys, translated):
    given = (
        "--reference", *translated, "--metric", "BLEU", "unigram-Fmean", "--curve", "recall", "references",
        "--rounds", "100",
    )  # fmt: skip
    found = answer(capsys, *given)
    recall = found["curves"]["recall"]["unigram-Fmean"]
    assert [point["alpha"] for point in recall] == pytest.approx(np.linspace(0, 1, 21).tolist())
    papers = next(point for point in recall if point["alpha"] == 0.9)
    assert papers["pearson"] == pytest.approx(found["metrics"]["unigram-Fmean"]["pearson"])
    assert papers["intervals"].items() <= found["metrics"]["unigram-Fmean"]["intervals"].items()
    references = found["curves"]["references"]
    assert list(references) == ["BLEU", "unigram-Fmean"]
    for name, points in references.items():
        assert [(one["references"], one["sets"], one["sampled"]) for one in points] == [(1, 2, False), (2, 1, False)]
        assert points[1]["pearson"] == pytest.approx(found["metrics"][name]["pearson"])
    code, out, _ = run(capsys, "study", "meta-evaluation", *given)
    assert code == 0
    assert "Pearson is highest at recall weight" in out
    assert "Correlation with human scores by number of references" in out
    code, out, _ = run(capsys, "study", "meta-evaluation", *given, "--format", "tsv")
    rows = list(csv.DictReader(io.StringIO(out.partition("\n\n")[2]), delimiter="\t"))
    assert [(row["curve"], row["metric"]) for row in rows] == [
        *[("recall", "unigram-Fmean")] * 21, *[("references", "BLEU")] * 2, *[("references", "unigram-Fmean")] * 2,
    ]  # fmt: skip
    assert float(rows[18]["pearson"]) == pytest.approx(papers["pearson"])
    assert "curves" not in answer(capsys, "--reference", *translated, "--metric", "BLEU", "--rounds", "100")


def test_pictures_are_written_and_stand_in_the_page(capsys, translated, tmp_path):
    folder = tmp_path / "made" / "pictures"
    given = (
        "--reference", *translated, "--metric", "BLEU", "TER", "--curve", "recall", "references", "--rounds", "100",
    )  # fmt: skip
    code, page, _ = run(capsys, "study", "meta-evaluation", *given, "--pictures", folder, "--format", "html")
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
    r = answer(capsys, *given)["metrics"]["BLEU"]["pearson"]
    assert f"BLEU vs. human scores: r {r:.3f} [" in systems
    assert ">TER<" in (folder / "better.spa.svg").read_text()


def test_metrics_whose_files_would_be_called_the_same_have_files_of_their_own(capsys, files, tmp_path):
    given = ("--human", files[0], "--scores", f"a/b={files[1]}", f"a-b={files[1]}", "--pictures", tmp_path / "p")
    answer(capsys, *given)
    assert {f"a-b.{what}.svg" for what in ("systems", "pairs", "systems-2", "pairs-2")} <= {
        path.name for path in (tmp_path / "p").iterdir()
    }


def test_curves_that_cannot_be_are_refused(capsys, files, translated):
    error = refused(capsys, "--human", files[0], "--scores", f"M={files[1]}", "--curve", "recall")
    assert "--curve: curves need metrics of texts, but there are no texts" in error
    one = refused(
        capsys, "--reference", *translated[1:], "--metric", "BLEU", "--rounds", "100", "--curve", "references"
    )
    assert "needs at least two references" in one


@pytest.fixture
def rated(tmp_path):
    """Two files of ratings, of other raters."""
    dice = np.random.default_rng(2)
    lines = [
        f"r{dice.integers(4)}\t{name}\t{segment}\t{place + dice.integers(0, 3)}\n"
        for place, name in enumerate(SYSTEMS)
        for segment in range(1, 31)
    ]
    paths = []
    for part in (0, 1):
        paths.append(tmp_path / f"part{part}.tsv")
        paths[-1].write_text("rater\tsystem\tsegment\tscore\n" + "".join(lines[part::2]))
    return paths


def test_a_projects_ratings_are_read_as_their_files_are(capsys, files, rated, tmp_path):
    project = tmp_path / "rated.qedesk"
    assert main(["project", "create", str(project)]) == 0
    assert main(["ratings", "import", str(project), *map(str, rated)]) == 0
    capsys.readouterr()
    metric = ("--scores", f"M={files[1]}")
    expected = answer(capsys, "--human", *rated, *metric)
    assert expected["segments"] == {"scored": 30, "rated_of_all": 30, "rated": 30, "figures": "common"}
    for more in ((), ("--campaign", "files")):
        found = answer(capsys, "--human", project, *metric, *more)
        assert (found["humans"], found["metrics"]) == (expected["humans"], expected["metrics"])
    report = json.loads(run(capsys, "ratings", "report", project, "--json", "--no-trueskill")[1])
    assert expected["humans"] == {name: one["raw"] for name, one in report["systems"].items()}
    assert "none.qedesk" in refused(capsys, "--human", tmp_path / "none.qedesk", *metric)


def test_numbers_that_are_names_take_no_room(capsys, tmp_path):
    ratings, whole = tmp_path / "ratings.tsv", tmp_path / "metric.sys.score"
    lines = [f"r\t{name}\t99999999999999{place}\t{place}\n" for place, name in enumerate(SYSTEMS)]
    ratings.write_text("rater\tsystem\tsegment\tscore\n" + "".join(lines))
    whole.write_text("".join(f"{name}\t{place}\n" for place, name in enumerate(SYSTEMS)))
    found = answer(capsys, "--human", ratings, "--scores", f"M={whole}")
    assert found["metrics"]["M"]["pearson"] == pytest.approx(1)
    assert any("only systems are compared" in note for note in found["notes"])


@pytest.mark.published
def test_wmt23_from_the_files_as_published(capsys, data_folder):
    folder = data_folder / "wmt23_metrics_ende"
    oracle = json.loads((data_folder.parent / "oracles/people/wmt23_ende.json").read_text())["metrics"]
    given = [f"{name}={folder / name}.seg.score.gz" for name in oracle]
    human = folder / "en-de.mqm.seg.score.gz"
    found = answer(capsys, "--human", human, "--scores", *given, "--without", "refA", "synthetic_ref")
    assert found["segments"] == {"scored": 460, "rated_of_all": 460, "rated": 460, "figures": "common"}
    assert len(found["systems"]) == 12
    for name, expected in oracle.items():
        one = found["metrics"][name]
        assert round(one["pearson"], 4) == expected["system_pearson"]
        assert round(one["segments"]["acc_eq"], 4) == expected["acc_eq"]
        assert one["spa"] == pytest.approx(expected["SPA"], abs=0.01)


def test_every_statistic_and_test_states_its_segments(capsys, files, scores, tmp_path):
    people = {name: np.where(np.arange(30) < 10, np.nan, values) for name, values in scores[0].items()}
    people["one"][9] = 1.0
    human = write(tmp_path / "rated", people)
    other = write(tmp_path / "other", {name: -values for name, values in scores[1].items()})
    given = ("--human", human, "--scores", f"M={files[1]}", f"O={other}", "--rounds", "100", "--segments", "all")
    study = answer(capsys, *given)
    # the translation of segment 10 by one system has nothing to be compared with
    expected = {"spa": 20, "segments_pearson": 21, "segments_kendall": 21, "acc_eq": 20}
    assert expected.items() <= study["metrics"]["M"]["n"].items()
    assert {name: test["segments"] for name, test in study["tests"].items()} == dict.fromkeys(study["tests"], 20)
    assert set(study["tests"]) == set(study["metrics"]["M"]["intervals"])
    assert study["tests"]["segments_kendall"]["test"] == study["tests"]["segments_pearson"]["test"] == "segments"
    _, out, _ = run(capsys, "study", "meta-evaluation", *given, "--format", "tsv")
    row = next(csv.DictReader(io.StringIO(out), delimiter="\t"))
    columns = {"n SPA": "20", "n acc_eq": "20", "n segments pearson": "21", "n segments kendall": "21"}
    assert columns.items() <= row.items()
    _, out, _ = run(capsys, "study", "meta-evaluation", *given)
    assert out.count("This test uses 20 segments.") == len(study["tests"])


def test_segments_of_documents_get_a_caution_or_are_resampled_together(capsys, files, tmp_path):
    documents = tmp_path / "lines.docs"
    documents.write_text("".join(f"d{line // 3}\n" for line in range(30)))
    other = write(
        tmp_path / "other", {name: np.random.default_rng(n).normal(size=30) for n, name in enumerate(SYSTEMS)}
    )
    given = ("--human", files[0], "--scores", f"M={files[1]}", f"O={other}", "--rounds", "100")
    plain = answer(capsys, *given)
    split = answer(capsys, *given, "--documents", documents)
    whole = answer(capsys, *given, "--documents", documents, "--unit", "document")
    assert (plain["unit"], split["unit"], whole["unit"]) == ("segment", "segment", "document")
    assert plain["metrics"] == split["metrics"]
    assert whole["metrics"]["M"]["spa"] == plain["metrics"]["M"]["spa"]
    assert whole["metrics"]["M"]["intervals"] != plain["metrics"]["M"]["intervals"]
    assert whole["better"] != plain["better"]
    assert {test["test"] for test in whole["tests"].values()} == {"perm-both", "documents"}
    cautions = [
        [note for note in study["notes"] if "treated as independent" in note] for study in (plain, split, whole)
    ]
    assert [len(notes) for notes in cautions] == [0, 1, 0]
    assert cautions[1][0].startswith("30 segments of 10 documents")
    assert "Use --unit document to resample whole documents." in split["notes"]
    assert "unit:document" in whole["signature"]
    assert "no document information" in refused(capsys, *given, "--unit", "document")
