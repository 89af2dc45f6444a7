"""Segments excluded by the gold scores: one mechanism for command-line files, folders and the window."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.cli.main import main
from qe_desktop.corpus import Documents, Kind, LayerKey, Provenance, View
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.levels.chart_model import SegmentGoal
from qe_desktop.levels.level import ChartRequest
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.metrics import SENTENCE_METRICS, metric_families
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder, filter_segments, take_snapshot
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.inspect.reader.segment_header import header_text
from qe_desktop.ui.scores.number_format import format_score
from tests.command_line import json_output
from tests.levels import toy_level

DICE = np.random.default_rng(4)
SIZE = 30
GOLD = DICE.normal(size=SIZE)
SYSTEMS = {
    "near": GOLD + DICE.normal(size=SIZE) / 3,
    "far": GOLD + DICE.normal(size=SIZE),
    "off": DICE.normal(size=SIZE),
}
EXCLUDED = np.zeros(SIZE, bool)
EXCLUDED[[0, 7, 8, 29]] = True
MARKED = np.where(EXCLUDED, np.nan, GOLD)
DOCUMENTS = Documents(tuple(f"d{index}" for index in range(SIZE // 3)), np.arange(SIZE) // 3)


def make_scoring(gold, **systems):
    view = View(toy_level.make_corpus(gold, **systems))
    scored = Scoring.of(SENTENCES, view)
    assert scored is not None
    return scored


MARKED_SCORING = make_scoring(MARKED, **SYSTEMS)
SHORT_SCORING = make_scoring(GOLD[~EXCLUDED], **{name: scores[~EXCLUDED] for name, scores in SYSTEMS.items()})


def test_scores_equal_those_of_a_corpus_without_the_excluded_segments():
    metrics = list(SENTENCE_METRICS.values())
    assert np.allclose(MARKED_SCORING.scores(metrics), SHORT_SCORING.scores(metrics), rtol=1e-12, equal_nan=True)
    assert (MARKED_SCORING.segments, MARKED_SCORING.size) == (SHORT_SCORING.segments, SHORT_SCORING.size) == (26, 26)
    for name, rows in MARKED_SCORING.rows(metric_families(metrics)).items():
        assert rows.shape[1] == SIZE
        assert not rows[:, EXCLUDED].any(), name
    assert SENTENCES.data_summary(MARKED_SCORING) == "26 segments"


@pytest.mark.parametrize("test", ["williams", "randomisation", "bootstrap"])
def test_significance_tests_ignore_excluded_segments(test):
    metrics, options = [SENTENCE_METRICS["Pearson"]], SignificanceOptions(test, rounds=200)
    first, second = (scored.compare(metrics, options).of("Pearson") for scored in (MARKED_SCORING, SHORT_SCORING))
    assert np.array_equal(first.p, second.p, equal_nan=True)


def test_documents_contain_only_scored_segments():
    of_segment = DOCUMENTS.of_segment[~EXCLUDED]
    scoring = MARKED_SCORING.with_documents(DOCUMENTS)
    other = SHORT_SCORING.with_documents(Documents(DOCUMENTS.names, of_segment))
    metrics, options = [SENTENCE_METRICS["MAE"]], SignificanceOptions(rounds=200, unit="document")
    assert np.array_equal(scoring.documents, of_segment)
    first, second = (scored.intervals(scored.family_rows(metrics), options)["MAE"] for scored in (scoring, other))
    assert np.array_equal(first, second)
    first, second = (scored.compare(metrics, options).of("MAE").p for scored in (scoring, other))
    assert np.array_equal(first, second, equal_nan=True)


def test_systems_that_differ_only_in_excluded_segments_are_identical():
    twin = np.where(EXCLUDED, 9.0, SYSTEMS["near"])
    scored = make_scoring(MARKED, near=SYSTEMS["near"], twin=twin, far=SYSTEMS["far"])
    assert SENTENCES.identical_subjects(scored).tolist() == [
        [True, True, False],
        [True, True, False],
        [False, False, True],
    ]


def test_charts_show_scored_segments_and_link_to_them():
    keys = MARKED_SCORING.subjects
    request = ChartRequest(MARKED_SCORING.view, MARKED_SCORING.reference, keys, 0, {}, lambda value: f"{value:.3f}")
    charts = {picture.name: picture.make_panels(request) for picture in SENTENCES.charts}
    raw, _, standardised, values = charts["beside-gold"]
    places = np.flatnonzero(~EXCLUDED)
    for panel in (raw, standardised):
        points = panel.content.points
        assert [points.goal(index) for index in range(len(points))] == [
            SegmentGoal(segment) for segment in places.tolist()
        ]
        assert panel.content.points.describe(0).startswith(f"segment {places[0] + 1}: gold {GOLD[places[0]]:.3f}")
    bars = values.content.points
    shown = [bars.goal(index).segment for index in range(len(bars))]
    assert not EXCLUDED[shown].any()
    assert all(f"segment {segment + 1}:" in bars.describe(index) for index, segment in enumerate(shown))
    header, rows = raw.make_table().header, raw.make_table().rows()
    assert header[0] == "segment"
    assert [row[0] for row in rows] == (places + 1).tolist()
    mae = np.abs(SYSTEMS["near"] - GOLD)[~EXCLUDED].mean()
    assert raw.title == f"Original scores: MAE {mae:.3f}"
    assert f"{mae:.3f}" in charts["if-rescaled"][2].title
    r = np.corrcoef(SYSTEMS["near"][~EXCLUDED], SYSTEMS["far"][~EXCLUDED])[0, 1]
    assert charts["between-systems"][0].content.values[0, 1] == pytest.approx(r)


@pytest.fixture
def task(tmp_path):
    """Return a folder with gold in the format of WMT23 and with systems."""
    rows = "".join(
        f"en-de\tgold\t{index}\t{'hallucination' if EXCLUDED[index] else GOLD[index]}\n" for index in range(SIZE)
    )
    folder = tmp_path / "task"
    (folder / "systems").mkdir(parents=True)
    (folder / "gold_scores.tsv").write_text(f"lp\tgold\tsid\tscore\n{rows}")
    for name, scores in SYSTEMS.items():
        lines = "".join(f"en-de\t{name}\t{index}\t{score}\n" for index, score in enumerate(scores))
        (folder / "systems" / f"{name}.txt").write_text(lines)
    return folder


def test_findings_of_a_folder_equal_scores_of_its_files(capsys, task):
    findings = json_output(capsys, "findings", task, "--rounds", 200)
    inputs = ("--gold", task / "gold_scores.tsv", "--system", task / "systems")
    scored = json_output(capsys, "score", "sentences", *inputs, "--intervals")
    pair = findings["pairs"]["en-de"]
    note = "4 segments left out: marked as hallucinations in the gold"
    assert note in scored["notes"]
    assert f"en-de: {note}" in findings["notes"]
    assert pair["segments"] == scored["segments"] == 26
    for name, by in pair["systems"].items():
        for metric in ("Pearson", "Spearman", "MAE", "RMSE"):
            assert by[metric]["score"] == pytest.approx(scored["systems"][name][metric], rel=1e-12)
            assert by[metric]["interval"] == scored["intervals"][name][metric]


def test_excluded_segments_are_shown_without_a_score_and_sorted_last(task):
    corpus = build_corpus(plan_imports([task])[0])
    gold = next(corpus.find(Provenance.GOLD, Kind.SCORES))
    assert np.array_equal(gold.scores, MARKED, equal_nan=True)
    assert "4 segments left out: marked as hallucinations in the gold" in gold.notes
    view = View(corpus)
    assert header_text(view, 7).startswith(f"no score in {gold.key.name} · ")
    assert f"{gold.key.name} {format_score(GOLD[1], 3)}" in header_text(view, 1)
    for order, best in ((SortOrder.SCORE_HIGH, np.nanargmax(MARKED)), (SortOrder.SCORE_LOW, np.nanargmin(MARKED))):
        query = SegmentQuery(order=order, score=gold.key)
        places = filter_segments(take_snapshot(view, Kind.WORDS, query), query).segments
        assert places[0] == best
        assert set(places[-4:]) == set(np.flatnonzero(EXCLUDED))


def test_gold_that_excludes_all_segments_is_an_error(capsys, task):
    path = task / "gold_scores.tsv"
    path.write_text(
        "".join(f"en-de\tgold\t{index}\thallucination\n" for index in range(SIZE)).join(["lp\tgold\tsid\tscore\n", ""])
    )
    for command in (("score", "sentences", "--gold", path, "--system", task / "systems"), ("findings", task)):
        assert main([*map(str, command)]) == 2
        assert "the gold marks all segments as hallucinations" in capsys.readouterr().err


def test_system_with_excluded_segments_is_an_error(capsys, task):
    moved = task / "systems" / "x.txt"
    (task / "gold_scores.tsv").rename(moved)
    command = ("score", "sentences", "--gold", task / "systems/near.txt", "--system", moved)
    assert main([*map(str, command)]) == 2
    err = capsys.readouterr().err
    assert f"{moved}:2: this segment has no score because the gold marks it as a hallucination" in err
    assert "Use this file as gold." in err


def test_another_gold_layer_excludes_no_segments():
    corpus = MARKED_SCORING.view.corpus
    key = LayerKey(Provenance.GOLD, "whole", Kind.SCORES)
    view = View(corpus.with_layer(type(next(iter(corpus.layers.values())))(key, GOLD)))
    scored = Scoring.of(SENTENCES, view, key)
    assert scored is not None
    assert scored.segments == SIZE
