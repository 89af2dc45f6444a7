"""What people gave systems as a level: the numbers of results, tests of what was rated of both, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import qe_desktop.levels.human.human_scores as people_rated
from qe_desktop.cli.main import main
from qe_desktop.corpus import Corpus, Documents, ItemRole, Ratings, Score, View
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.levels import GROUPS, Scoring, levels_of
from qe_desktop.levels.human import HUMAN_LEVEL
from qe_desktop.levels.human.human_inputs import number_segments
from qe_desktop.levels.human.human_level import RATERS_KEY
from qe_desktop.levels.human.segment_ids import parse_line_numbers
from qe_desktop.metrics import metric_families
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui import icons

SAMPLE = icons.resource_folder() / "samples/en-de/sample.ratings.jsonl"


def answer(capsys, *arguments):
    code = main([*map(str, arguments), "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)


def refused(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


def ratings(rows, scale="score", role=ItemRole.SYSTEM):
    """Ratings of `rows` of a rater, a system, a segment and a value."""
    return Ratings.of(
        [Score(rater, system, str(segment), scale, value, role) for rater, system, segment, value in rows]
    )


def drawn(segments=40, systems=("a", "b", "c"), share=0.8, seed=1):
    dice = np.random.default_rng(seed)
    return [
        (f"r{dice.integers(3)}", name, segment, float(dice.integers(0, 60) + 10 * place))
        for place, name in enumerate(systems)
        for segment in range(1, segments + 1)
        if dice.random() < share
    ]


def scoring_of(held, size=40, **more):
    return Scoring.of(HUMAN_LEVEL, View(Corpus("", size, ratings=held, **more)))


def written(path, rows):
    path.write_text("rater\tsystem\tsegment\tscore\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("whole", [False, True])
def test_means_are_those_of_results_to_the_last_digit(whole):
    rows = drawn(share=1.1 if whole else 0.8)
    held = ratings(rows)
    results = {one.name: one.scores for one in build_results(held, trueskill=False).systems}
    scoring = scoring_of(held)
    found = scoring.scores(list(HUMAN_LEVEL.metrics.values()))
    for name, (mean, z) in zip(scoring.names, found.tolist(), strict=True):
        assert mean == results[name].raw["score"].value
        assert z == results[name].z["score"].value


def test_adequacy_and_fluency_are_added():
    held = read_ratings(SAMPLE)
    results = {one.name: one.scores for one in build_results(held, trueskill=False).systems}
    scoring = scoring_of(held, 141)
    for name, (mean, z) in zip(scoring.names, scoring.scores(list(HUMAN_LEVEL.metrics.values())).tolist(), strict=True):
        assert mean == pytest.approx(results[name].raw["total"].value, abs=1e-11)
        assert z == pytest.approx(results[name].z["total"].value, abs=1e-11)


@pytest.mark.published
@pytest.mark.parametrize(
    "file",
    [
        "wmt21_da_toen/ad-csen-good-stnd-redup.csv.gz",
        "wmt21_da_toen/ad-seg-scores-cs-en.csv.gz",
        "ende_esa_mqm_multi_annotator/240315rc5ESA.scores.csv.gz",
        "ende_esa_mqm_multi_annotator/240521rc6GEMBA.scores.csv.gz",
        "mt_believability_adequacy_fluency/fa-en/fa-en.ad.annot.raw.csv.gz",
        "mt_believability_adequacy_fluency/ko-en/ko-en.fl.annot.raw.csv.gz",
    ],
)
def test_published_ratings_have_the_means_of_their_report(capsys, data_folder, file):
    path = data_folder / "ratings" / file
    found = answer(capsys, "score", "human", "--human", path)
    report = answer(capsys, "ratings", "report", path, "--rounds", "2", "--no-trueskill")
    called = {"mean": "raw", "z": "z"}
    rated = {name: one for name, one in report["systems"].items() if one["n"]}
    assert set(found["systems"]) == set(rated)
    for name, one in found["systems"].items():
        for metric, value in one.items():
            expected = rated[name][called[metric]]
            assert value == expected


def test_only_what_counts_is_scored():
    rows = [("r", "a", segment, float(segment % 7)) for segment in range(1, 11)]
    trained = ratings([("r", "b", 1, 5.0)], role=ItemRole.TRAINING)
    held = Ratings.of([*ratings(rows).scores.rows(), *trained.scores.rows()])
    assert scoring_of(held).names == ("a",)
    assert not HUMAN_LEVEL.present(View(Corpus("", 40, ratings=trained)))
    assert not HUMAN_LEVEL.present(View(Corpus("", 40)))
    assert Scoring.of(HUMAN_LEVEL, View(Corpus("", 40))) is None


def test_segments_are_lines_of_the_corpus_or_there_is_no_level():
    held = ratings(drawn())
    assert HUMAN_LEVEL in levels_of(View(Corpus("", 40, ratings=held)))
    assert not HUMAN_LEVEL.present(View(Corpus("", 39, ratings=held)))
    named = ratings([("r", "a", "news:1", 3.0)])
    assert not HUMAN_LEVEL.present(View(Corpus("", 40, ratings=named)))
    from_zero = ratings([("r", "a", segment, float(segment)) for segment in range(4)])
    rows = scoring_of(from_zero, 4).rows([HUMAN_LEVEL.metrics["mean"].family])["mean"]
    assert rows[0].tolist() == [[0, 1], [1, 1], [2, 1], [3, 1]]


def test_lines_are_numbered_from_what_was_rated():
    names, used = ("7", "x", "3"), np.array([0, 2, 2])
    lines, base = parse_line_numbers(names, used)
    assert (lines[[0, 2]].tolist(), base) == ([6, 2], 1)
    assert parse_line_numbers(names, np.array([1])) is None
    assert parse_line_numbers(names, used, 6) is None
    assert parse_line_numbers(("0", "5"), np.array([0, 1]))[1] == 0
    assert parse_line_numbers((), np.zeros(0, int)) is None


def test_names_that_are_no_lines_are_numbered_as_they_come():
    found, size = number_segments(ratings([("r", "a", name, 1.0) for name in ("news:2", "news:1", "news:2")]).scores)
    assert (found.segments, size) == (("1", "2"), 2)
    far = number_segments(ratings([("r", "a", name, 1.0) for name in ("900000000", "1")]).scores)
    assert (far[0].segments, far[1]) == (("1", "2"), 2)
    near = number_segments(ratings([("r", "a", name, 1.0) for name in ("9", "2")]).scores)
    assert (near[0].segments, near[1]) == (("9", "2"), 9)


def test_ratings_are_averaged_once_for_all_that_ask():
    view = View(Corpus("", 40, ratings=ratings(drawn())))
    before = people_rated._average_ratings.cache_info().misses
    scoring = Scoring.of(HUMAN_LEVEL, view)
    shares = []
    scoring.rows(metric_families(HUMAN_LEVEL.metrics.values()), shares.append)
    assert shares == [0.5, 1.0]
    assert people_rated._average_ratings.cache_info().misses == before + 1
    assert HUMAN_LEVEL.touched((RATERS_KEY, *scoring.subjects), scoring.subjects[0], [1]) == ()


def test_what_is_said_of_it():
    whole = scoring_of(ratings(drawn(share=1.1)))
    assert HUMAN_LEVEL.headline(whole) == "Human scores: 40 rated segments"
    assert "pairs" not in HUMAN_LEVEL.signature(whole)
    some = scoring_of(ratings(drawn(share=0.5)))
    assert "for all systems; pairs of systems are tested on segments rated for both" in HUMAN_LEVEL.summary(some)
    assert HUMAN_LEVEL.signature(some)["pairs"] == "shared"
    assert some.size == len(drawn(share=0.5))
    assert [HUMAN_LEVEL.against(key) for key in HUMAN_LEVEL.references(some.view)] == ["human scores"]


def test_systems_that_were_given_the_same_are_identical():
    rows = drawn(systems=("a", "b"), share=1.1)
    held = ratings([*rows, *((rater, "same", segment, value) for rater, name, segment, value in rows if name == "a")])
    scoring = scoring_of(held)
    same = HUMAN_LEVEL.identical(scoring)
    assert same.tolist() == [[True, False, True], [False, True, False], [True, False, True]]
    found = scoring.compare([HUMAN_LEVEL.metrics["mean"]], SignificanceOptions(rounds=200))
    assert found.metrics[0].p[0, 2] == 1


def test_what_nobody_rated_is_no_part_of_a_test():
    held = ratings(drawn(segments=20, share=1.1))
    near, far = (
        scoring_of(held, size).compare([HUMAN_LEVEL.metrics["mean"]], SignificanceOptions(rounds=300))
        for size in (20, 500)
    )
    assert near.metrics[0].p.tolist() == far.metrics[0].p.tolist()
    assert (near.segments, far.segments) == (20, 20)
    documents = Documents.from_names([f"d{segment // 5}" for segment in range(500)])
    whole = scoring_of(held, 500, documents=documents).compare(
        [HUMAN_LEVEL.metrics["mean"]], SignificanceOptions(rounds=300, unit="document")
    )
    assert whole.units == 4
    assert whole.exact


def test_segments_that_make_the_difference_are_those_rated_of_both():
    scoring = scoring_of(ratings(drawn(systems=("a", "b"), share=0.6)))
    rows = scoring.rows([HUMAN_LEVEL.metrics["mean"].family])["mean"]
    both = rows[..., 1].all(axis=0)
    values = scoring.apart(HUMAN_LEVEL.metrics["mean"]).values
    apart = rows[0, both, 0].mean() - rows[1, both, 0].mean()
    assert values.sum() == pytest.approx(apart)
    assert not values[~both].any()


def test_the_command_line(capsys, tmp_path):
    file = written(tmp_path / "ratings.tsv", drawn())
    found = answer(capsys, "score", "human", "--human", file, "--intervals")
    assert found["metrics"] == ["mean", "z"]
    assert (found["segments"], found["items"]) == (40, len(drawn()))
    assert found["signature"].startswith("QE Desktop")
    low, high = found["intervals"]["a"]["mean"]
    assert low < found["systems"]["a"]["mean"] < high
    compared = answer(capsys, "compare", "human", "--human", file, "--metric", "z", "--rounds", "500")
    assert set(compared["metrics"]) == {"z"}
    assert compared["metrics"]["z"]["p"]["a"]["b"] == compared["metrics"]["z"]["p"]["b"]["a"]
    assert compared["systems"][0] == "c"


def test_several_files_are_joined(capsys, tmp_path):
    rows = drawn()
    parts = [written(tmp_path / f"{end}.tsv", rows[end::2]) for end in (0, 1)]
    whole = answer(capsys, "score", "human", "--human", written(tmp_path / "all.tsv", rows))
    found = answer(capsys, "score", "human", "--human", *parts)
    for name, expected in whole["systems"].items():
        assert found["systems"][name] == pytest.approx(expected)


def test_a_project_is_read_like_a_file(capsys, tmp_path):
    file, project = written(tmp_path / "ratings.tsv", drawn()), tmp_path / "p.qedesk"
    assert main(["project", "create", str(project)]) == 0
    assert main(["ratings", "import", str(project), str(file)]) == 0
    capsys.readouterr()
    expected = answer(capsys, "score", "human", "--human", file)["systems"]
    assert answer(capsys, "score", "human", "--human", project)["systems"] == expected
    assert answer(capsys, "score", "human", "--human", project, "--campaign", "files")["systems"] == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("score", "--human", "{pairs}"), "have no scores"),
        (("score", "--human", "{ratings}", "--metric", "BLEU"), "there is no metric “BLEU” for ratings"),
        (("compare", "--human", "{ratings}", "--test", "williams"), "not ratings"),
        (("compare", "--human", "{alone}"), "at least two systems"),
        (
            ("score", "--human", "{ratings}", "--language-pair", "cs-en", "de-en"),
            "the gold file is the same for cs-en and de-en",
        ),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(capsys, tmp_path, arguments, said):
    from qe_desktop.corpus import PairwiseJudgement
    from qe_desktop.formats.ratings import write_ratings

    pairs = tmp_path / "pairs.jsonl"
    write_ratings(Ratings.of(pairs=[PairwiseJudgement("r", "1", "a", "b", 1, 2)]), pairs, "jsonl")
    files = {
        "pairs": pairs,
        "ratings": written(tmp_path / "ratings.tsv", drawn()),
        "alone": written(tmp_path / "alone.tsv", drawn(systems=("a",))),
    }
    command, *rest = (argument.format(**files) for argument in arguments)
    assert said in refused(capsys, command, "human", *rest)


def test_the_level_is_found_by_its_command():
    assert GROUPS["people"].levels == (HUMAN_LEVEL,)
    assert GROUPS["people"].given is not None


@pytest.mark.parametrize("way", ["bootstrap", "bca"])
@pytest.mark.parametrize("unit", ["segment", "document"])
def test_equal_ratings_of_one_rater_have_a_caution_and_no_interval(capsys, tmp_path, way, unit):
    file, documents = tmp_path / "ratings.csv", tmp_path / "lines.docs"
    lines = [f"ann,A,{at},0.1\nann,B,{at},{at}\n" for at in range(1, 4)]
    file.write_text("rater,system,segment,score\n" + "".join(lines))
    documents.write_text("one\none\ntwo\n")
    found = answer(
        capsys, "score", "human", "--human", file, "--intervals", way, "--unit", unit, "--documents", documents
    )
    assert found["intervals"]["A"]["mean"] is None
    low, high = found["intervals"]["B"]["mean"]
    assert low < high
    assert "Based on one rater and 3 segments per system." in found["notes"][0]
    assert [note for note in found["notes"] if note.startswith("mean of A has no interval") and "same value" in note]
