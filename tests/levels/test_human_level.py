"""Human score level: means and z-scores, tests on segments rated for both systems, and invalid input."""

from __future__ import annotations

import numpy as np
import pytest

import qe_desktop.levels.human.human_level as people_rated
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
from tests.command_line import error_line, json_output

SAMPLE = icons.resource_folder() / "samples/en-de/sample.ratings.jsonl"


def ratings(rows, scale="score", role=ItemRole.SYSTEM):
    """Return ratings from rows of (rater, system, segment, value)."""
    return Ratings.of(
        [Score(rater, system, str(segment), scale, value, role) for rater, system, segment, value in rows]
    )


def random_rows(segments=40, systems=("a", "b", "c"), share=0.8, seed=1):
    dice = np.random.default_rng(seed)
    return [
        (f"r{dice.integers(3)}", name, segment, float(dice.integers(0, 60) + 10 * index))
        for index, name in enumerate(systems)
        for segment in range(1, segments + 1)
        if dice.random() < share
    ]


def scoring_of(rated, size=40, **more):
    return Scoring.of(HUMAN_LEVEL, View(Corpus("", size, ratings=rated, **more)))


def write_rows(path, rows):
    path.write_text("rater\tsystem\tsegment\tscore\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("whole", [False, True])
def test_means_equal_the_rating_results_exactly(whole):
    rows = random_rows(share=1.1 if whole else 0.8)
    rated = ratings(rows)
    results = {system.name: system.scores for system in build_results(rated, trueskill=False).systems}
    scoring = scoring_of(rated)
    scores = scoring.scores(list(HUMAN_LEVEL.metrics.values()))
    for name, (mean, z) in zip(scoring.names, scores.tolist(), strict=True):
        assert mean == results[name].raw["score"].value
        assert z == results[name].z["score"].value


def test_adequacy_and_fluency_are_summed():
    rated = read_ratings(SAMPLE)
    results = {system.name: system.scores for system in build_results(rated, trueskill=False).systems}
    scoring = scoring_of(rated, 141)
    for name, (mean, z) in zip(scoring.names, scoring.scores(list(HUMAN_LEVEL.metrics.values())).tolist(), strict=True):
        assert mean == pytest.approx(results[name].raw["total"].value, abs=1e-11)
        assert z == pytest.approx(results[name].z["total"].value, abs=1e-11)


def documents_from_last():
    """Return ratings whose documents have the opposite order in the corpus, and the documents."""
    rows = [(rater, system, f"doc{segment // 9}:{segment % 9 + 1}", value)
            for rater, system, segment, value in random_rows(segments=35)]  # fmt: skip
    documents = Documents(tuple(f"doc{number}" for number in (3, 2, 1, 0)), np.repeat(np.arange(4), 9))
    return ratings(rows), documents


@pytest.mark.parametrize("case", ["sample", "gaps", "documents"])
def test_intervals_equal_those_of_the_rating_results(case):
    """The areas Rate and Scores once showed different intervals of the same ratings."""
    more, size, scale = {}, 40, "score"
    if case == "sample":
        rated, size, scale = read_ratings(SAMPLE), 141, "total"
    elif case == "gaps":
        rated = ratings(random_rows())
    else:
        rated, more["documents"] = documents_from_last()
        size = 36
    results = {system.name: system.scores for system in build_results(rated, trueskill=False).systems}
    scoring = scoring_of(rated, size, **more)
    metrics = list(HUMAN_LEVEL.metrics.values())
    intervals = scoring.intervals(scoring.family_rows(metrics), SignificanceOptions())
    for name, mean, z in zip(scoring.names, intervals["mean"].tolist(), intervals["z"].tolist(), strict=True):
        for limits, estimate in ((mean, results[name].raw[scale]), (z, results[name].z[scale])):
            assert limits == pytest.approx((estimate.low, estimate.high), abs=1e-9)


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
def test_means_of_published_ratings_equal_the_ratings_report(capsys, data_folder, file):
    path = data_folder / "ratings" / file
    result = json_output(capsys, "score", "human", "--human", path)
    report = json_output(capsys, "ratings", "report", path, "--rounds", "2", "--no-trueskill")
    report_keys = {"mean": "raw", "z": "z"}
    rated = {name: system for name, system in report["systems"].items() if system["n"]}
    assert set(result["systems"]) == set(rated)
    for name, system in result["systems"].items():
        for metric, value in system.items():
            expected = rated[name][report_keys[metric]]
            if metric == "z" and len(rated) == 1:
                # a z-score compares systems; the report has none for a single system
                assert expected is None
            else:
                assert value == expected


def test_training_items_are_not_scored():
    rows = [("r", "a", segment, float(segment % 7)) for segment in range(1, 11)]
    trained = ratings([("r", "b", 1, 5.0)], role=ItemRole.TRAINING)
    rated = Ratings.of([*ratings(rows).scores.rows(), *trained.scores.rows()])
    assert scoring_of(rated).names == ("a",)
    assert not HUMAN_LEVEL.has_data(View(Corpus("", 40, ratings=trained)))
    assert not HUMAN_LEVEL.has_data(View(Corpus("", 40)))
    assert Scoring.of(HUMAN_LEVEL, View(Corpus("", 40))) is None


def test_level_is_present_only_if_segments_are_lines_of_the_corpus():
    rated = ratings(random_rows())
    assert HUMAN_LEVEL in levels_of(View(Corpus("", 40, ratings=rated)))
    assert not HUMAN_LEVEL.has_data(View(Corpus("", 39, ratings=rated)))
    named = ratings([("r", "a", "news:1", 3.0)])
    assert not HUMAN_LEVEL.has_data(View(Corpus("", 40, ratings=named)))
    from_zero = ratings([("r", "a", segment, float(segment)) for segment in range(4)])
    rows = scoring_of(from_zero, 4).rows([HUMAN_LEVEL.metrics["mean"].family])["mean"]
    assert rows[0].tolist() == [[0, 1], [1, 1], [2, 1], [3, 1]]


def test_line_numbers_are_parsed_from_rated_segments_only():
    names, used = ("7", "x", "3"), np.array([0, 2, 2])
    lines, base = parse_line_numbers(names, used)
    assert (lines[[0, 2]].tolist(), base) == ([6, 2], 1)
    assert parse_line_numbers(names, np.array([1])) is None
    assert parse_line_numbers(names, used, 6) is None
    assert parse_line_numbers(("0", "5"), np.array([0, 1]))[1] == 0
    assert parse_line_numbers((), np.zeros(0, int)) is None


def test_segment_names_without_line_numbers_are_numbered_in_order():
    numbered, size = number_segments(ratings([("r", "a", name, 1.0) for name in ("news:2", "news:1", "news:2")]).scores)
    assert (numbered.segments, size) == (("1", "2"), 2)
    far = number_segments(ratings([("r", "a", name, 1.0) for name in ("900000000", "1")]).scores)
    assert (far[0].segments, far[1]) == (("1", "2"), 2)
    near = number_segments(ratings([("r", "a", name, 1.0) for name in ("9", "2")]).scores)
    assert (near[0].segments, near[1]) == (("9", "2"), 9)


def test_averages_of_ratings_are_cached():
    view = View(Corpus("", 40, ratings=ratings(random_rows())))
    before = people_rated._average_ratings.cache_info().misses
    scoring = Scoring.of(HUMAN_LEVEL, view)
    shares = []
    scoring.rows(metric_families(HUMAN_LEVEL.metrics.values()), shares.append)
    assert shares == [0.5, 1.0]
    assert people_rated._average_ratings.cache_info().misses == before + 1
    assert HUMAN_LEVEL.affected_segments((RATERS_KEY, *scoring.subjects), scoring.subjects[0], [1]) == ()


def test_headline_summary_and_signature():
    whole = scoring_of(ratings(random_rows(share=1.1)))
    assert HUMAN_LEVEL.headline(whole) == "Human scores: 40 rated segments"
    assert "pairs" not in HUMAN_LEVEL.signature(whole)
    some = scoring_of(ratings(random_rows(share=0.5)))
    assert "for all systems; each pair of systems is tested on the segments rated for both" in HUMAN_LEVEL.summary(some)
    assert HUMAN_LEVEL.signature(some)["pairs"] == "shared"
    assert some.size == len(random_rows(share=0.5))
    assert [HUMAN_LEVEL.reference_name(key) for key in HUMAN_LEVEL.references(some.view)] == ["human scores"]


def test_systems_with_equal_ratings_are_identical():
    rows = random_rows(systems=("a", "b"), share=1.1)
    rated = ratings([*rows, *((rater, "same", segment, value) for rater, name, segment, value in rows if name == "a")])
    scoring = scoring_of(rated)
    same = HUMAN_LEVEL.identical_subjects(scoring)
    assert same.tolist() == [[True, False, True], [False, True, False], [True, False, True]]
    comparison = scoring.compare([HUMAN_LEVEL.metrics["mean"]], SignificanceOptions(rounds=200))
    assert comparison.metrics[0].p[0, 2] == 1


def test_unrated_segments_are_not_part_of_a_test():
    rated = ratings(random_rows(segments=20, share=1.1))
    near, far = (
        scoring_of(rated, size).compare([HUMAN_LEVEL.metrics["mean"]], SignificanceOptions(rounds=300))
        for size in (20, 500)
    )
    assert near.metrics[0].p.tolist() == far.metrics[0].p.tolist()
    assert (near.segments, far.segments) == (20, 20)
    documents = Documents.from_names([f"d{segment // 5}" for segment in range(500)])
    whole = scoring_of(rated, 500, documents=documents).compare(
        [HUMAN_LEVEL.metrics["mean"]], SignificanceOptions(rounds=300, unit="document")
    )
    assert whole.units == 4
    assert whole.exact


def test_difference_is_explained_by_segments_rated_for_both_systems():
    scoring = scoring_of(ratings(random_rows(systems=("a", "b"), share=0.6)))
    rows = scoring.rows([HUMAN_LEVEL.metrics["mean"].family])["mean"]
    both = rows[..., 1].all(axis=0)
    values = scoring.compute_influence(HUMAN_LEVEL.metrics["mean"]).values
    apart = rows[0, both, 0].mean() - rows[1, both, 0].mean()
    assert values.sum() == pytest.approx(apart)
    assert not values[~both].any()


def test_score_and_compare_commands(capsys, tmp_path):
    file = write_rows(tmp_path / "ratings.tsv", random_rows())
    report = json_output(capsys, "score", "human", "--human", file, "--intervals")
    assert report["metrics"] == ["mean", "z"]
    assert (report["segments"], report["items"]) == (40, len(random_rows()))
    assert report["signature"].startswith("QE Desktop")
    low, high = report["intervals"]["a"]["mean"]
    assert low < report["systems"]["a"]["mean"] < high
    compared = json_output(capsys, "compare", "human", "--human", file, "--metric", "z", "--rounds", "500")
    assert set(compared["metrics"]) == {"z"}
    assert compared["metrics"]["z"]["p"]["a"]["b"] == compared["metrics"]["z"]["p"]["b"]["a"]
    assert compared["systems"][0] == "c"


def test_several_rating_files_are_combined(capsys, tmp_path):
    rows = random_rows()
    parts = [write_rows(tmp_path / f"{end}.tsv", rows[end::2]) for end in (0, 1)]
    whole = json_output(capsys, "score", "human", "--human", write_rows(tmp_path / "all.tsv", rows))
    report = json_output(capsys, "score", "human", "--human", *parts)
    for name, expected in whole["systems"].items():
        assert report["systems"][name] == pytest.approx(expected)


def test_conflicts_between_rating_files_are_noted(capsys, tmp_path):
    """Previously, the rating of the first file was used without notice."""
    rows = random_rows()
    changed = [(*rows[0][:3], rows[0][3] + 1), *rows[1:]]
    parts = [write_rows(tmp_path / f"{name}.tsv", part) for name, part in (("one", rows), ("two", changed))]
    report = json_output(capsys, "score", "human", "--human", *parts)
    notes = "\n".join(report["notes"])
    assert "1 conflict between files (the rating in the first file counts); the first conflict is" in notes
    assert f"{len(rows) - 1:,} duplicate ratings in later files are not counted" in notes


def test_ratings_of_a_project_are_scored_like_those_of_a_file(capsys, tmp_path):
    file, project = write_rows(tmp_path / "ratings.tsv", random_rows()), tmp_path / "p.qedesk"
    assert main(["project", "create", str(project)]) == 0
    assert main(["ratings", "import", str(project), str(file)]) == 0
    capsys.readouterr()
    expected = json_output(capsys, "score", "human", "--human", file)["systems"]
    assert json_output(capsys, "score", "human", "--human", project)["systems"] == expected
    assert json_output(capsys, "score", "human", "--human", project, "--campaign", "files")["systems"] == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "--human", "{pairs}"), "no usable scores"),
        (("score", "--human", "{ratings}", "--metric", "BLEU"), "there is no metric “BLEU” for ratings"),
        (("compare", "--human", "{ratings}", "--test", "williams"), "not to ratings"),
        (("compare", "--human", "{alone}"), "at least two systems"),
        (
            ("score", "--human", "{ratings}", "--language-pair", "cs-en", "de-en"),
            "the gold is the same for cs-en and de-en",
        ),
    ],
)
def test_invalid_input_is_reported_in_one_line(capsys, tmp_path, arguments, message):
    from qe_desktop.corpus import PairwiseJudgement
    from qe_desktop.formats.ratings import write_ratings

    pairs = tmp_path / "pairs.jsonl"
    write_ratings(Ratings.of(pairs=[PairwiseJudgement("r", "1", "a", "b", 1, 2)]), pairs, "jsonl")
    files = {
        "pairs": pairs,
        "ratings": write_rows(tmp_path / "ratings.tsv", random_rows()),
        "alone": write_rows(tmp_path / "alone.tsv", random_rows(systems=("a",))),
    }
    command, *rest = (argument.format(**files) for argument in arguments)
    assert message in error_line(capsys, command, "human", *rest)


def test_level_is_registered_by_its_command_name():
    assert GROUPS["people"].levels == (HUMAN_LEVEL,)
    assert GROUPS["people"].from_python is not None


def test_segment_numbers_beyond_the_documents_file_are_refused(capsys, tmp_path):
    """Previously, segments were renumbered in order of appearance, so segment 1000 got the document of line 1."""
    file, documents = tmp_path / "ratings.csv", tmp_path / "lines.docs"
    file.write_text(
        "rater,system,segment,score\n" + "".join(f"ann,{s},{n},{n % 7}\n" for s in "AB" for n in (1000, 2000))
    )
    documents.write_text("one\ntwo\n")
    assert "lines.docs" in error_line(capsys, "score", "human", "--human", file, "--documents", documents)


@pytest.mark.parametrize("way", ["bootstrap", "bca"])
@pytest.mark.parametrize("unit", ["segment", "document"])
def test_equal_ratings_of_one_rater_have_a_note_and_no_interval(capsys, tmp_path, way, unit):
    file, documents = tmp_path / "ratings.csv", tmp_path / "lines.docs"
    lines = [f"ann,A,{at},0.1\nann,B,{at},{at}\n" for at in range(1, 4)]
    file.write_text("rater,system,segment,score\n" + "".join(lines))
    documents.write_text("one\none\ntwo\n")
    report = json_output(
        capsys, "score", "human", "--human", file, "--intervals", way, "--unit", unit, "--documents", documents
    )
    assert report["intervals"]["A"]["mean"] is None
    low, high = report["intervals"]["B"]["mean"]
    assert low < high
    assert "Based on one rater and 3 segments." in report["notes"][0]
    assert [note for note in report["notes"] if note.startswith("mean of A has no interval") and "same value" in note]
