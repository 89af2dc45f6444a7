"""Metrics whose scores are imported with a corpus are metrics of the translation level."""

from __future__ import annotations

import gc
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, MetricColumn, TextColumn, TextRole, View
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.levels import Scoring, registry
from qe_desktop.levels.registry import levels_of
from qe_desktop.levels.translations import GROUP, TRANSLATIONS
from qe_desktop.metrics.external import external_metric

COMET = MetricColumn({"one": np.array([0.5, 1.0, np.nan]), "elsewhere": np.zeros(3)}, origin="COMET.seg.score")
ERRORS = MetricColumn({"two": np.array([3.0, 0.0, 6.0]), "one": np.array([1.0, 1.0, 1.0])}, -1, "errors.seg.score")


def corpus(**metrics: MetricColumn) -> Corpus:
    translations = {name: TextColumn.of(["a b", "c", name]) for name in ("one", "two")}
    references = {"A": TextColumn.of(["a b", "c", "d"])}
    return Corpus("c", 3, translations=translations, references=references, metric_scores=metrics)


def test_metric_scores_of_the_corpus_are_metrics_of_the_level():
    scoring = Scoring.of(TRANSLATIONS, View(corpus(COMET=COMET, errors=ERRORS)))
    assert [key.name for key in scoring.subjects] == ["one", "two"]
    comet, errors = (scoring.level.metrics[name] for name in ("COMET", "errors"))
    assert (comet.better, errors.better) == (1, -1)
    # the mean is over the segments that have a score
    np.testing.assert_array_equal(scoring.scores([comet, errors]), [[0.75, 1.0], [np.nan, 3.0]])
    rows = scoring.rows([comet.family])["COMET"]
    np.testing.assert_array_equal(rows, [[[0.5, 1], [1, 1], [0, 0]], [[0, 0]] * 3])
    for names in (scoring.level.shown_metrics, scoring.level.tested_metrics):
        assert names[-2:] == ("COMET", "errors")


def test_level_is_reused_for_the_same_scores_and_unchanged_without_scores():
    one = corpus(COMET=COMET)
    level = TRANSLATIONS.of_view(View(one))
    assert TRANSLATIONS.of_view(View(one)) is level
    assert level.of_view(View(replace(one, name="another"))) is level
    more = level.of_view(View(corpus(COMET=COMET, errors=ERRORS)))
    assert set(more.metrics) - set(level.metrics) == {"errors"}
    assert more.of_view(View(one)) is level
    assert level.of_view(View(corpus())) is TRANSLATIONS
    assert TRANSLATIONS.of_view(View(corpus())) is TRANSLATIONS


def test_unreferenced_levels_are_not_confused_with_later_ones():
    def mean(value: float) -> float:
        column = MetricColumn({"one": np.full(3, value)})
        scoring = Scoring.of(TRANSLATIONS, View(corpus(M=column)))
        return float(scoring.scores([scoring.level.metrics["M"]])[0, 0])

    for value in range(20):
        assert mean(value) == value
        gc.collect()


def test_imported_metric_with_a_used_name_gets_its_file_name():
    own = replace(TRANSLATIONS, metrics={"COMET": external_metric("COMET")})
    level = own.of_view(View(corpus(COMET=COMET)))
    assert list(level.metrics) == ["COMET", "COMET (COMET.seg.score)"]
    assert level.metrics["COMET"] is own.metrics["COMET"]
    assert list(level.imported_scores) == ["COMET (COMET.seg.score)"]


def test_levels_of_a_view_include_imported_metrics(monkeypatch):
    monkeypatch.setitem(registry.GROUPS, GROUP.name, GROUP)
    result = {level.name: level for level in levels_of(View(corpus(COMET=COMET)))}
    assert "COMET" in result["translations"].metrics


@pytest.mark.published
def test_system_scores_of_wmt23_are_means_of_segment_scores(data_folder):
    """The published system scores of WMT23 equal the means of the segment scores."""
    folder = data_folder / "wmt23_metrics_ende"
    (result,) = plan_imports([folder])
    read = build_corpus(result)
    assert read.size == 557
    assert {"COMET-refA", "MetricX-23-refA"} <= set(read.metric_scores)
    assert {column.better for column in read.metric_scores.values()} == {1}
    # MQM scores are recognized as human ratings; assigned the metric role, they are a metric like others
    assert read.ratings is not None
    mqm = [replace(file, role=Role.METRIC) for file in result.files if file.path.name == "en-de.mqm.seg.score.gz"]
    column = build_corpus(replace(result, files=tuple(mqm))).metric_scores["mqm"]
    read = replace(read, metric_scores={**read.metric_scores, "mqm": column})
    systems = list(column.systems)
    text = TextColumn.of(["x"] * read.size)
    whole = replace(read, texts={TextRole.REFERENCE: text}, translations=dict.fromkeys(systems, text))
    scoring = Scoring.of(TRANSLATIONS, View(whole))
    result = scoring.scores([scoring.level.metrics["mqm"]])[:, 0]
    lines = (folder / "en-de.mqm.sys.score").read_text().splitlines()
    published = {line.split("\t")[0]: float(line.split("\t")[1]) for line in lines if not line.endswith("None")}
    assert len(published) > 10
    for system, score in published.items():
        assert result[systems.index(system)] == pytest.approx(score)
