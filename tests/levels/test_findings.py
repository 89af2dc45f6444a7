"""Findings: new verdicts for other options, another leading metric, progress and interruption."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Documents, Kind, Layer, LayerKey, Provenance, TagColumn, View
from qe_desktop.levels import GROUPS, Scoring, tag_level
from qe_desktop.levels.findings import Findings, collect_findings
from qe_desktop.levels.shared_task import read_folders
from qe_desktop.report.findings import FindingsReport
from qe_desktop.significance import SignificanceOptions

OPTIONS = SignificanceOptions("", 500, correction="none")
NAMES = ("F1-BAD", "MCC", "SeqCor")
LEVEL = tag_level(Kind.WORDS)


def make_scoring(seed: int, **noise: float) -> Scoring:
    """Return a scoring of systems that differ from the gold in the given share of tags."""
    dice = np.random.default_rng(seed)
    gold = (dice.random((50, 8)) < 0.3).astype(np.uint8)
    key = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
    layers = {key: Layer(key, TagColumn.of(gold.tolist()))}
    for name, share in noise.items():
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        layers[key] = Layer(key, TagColumn.of((gold ^ (dice.random(gold.shape) < share)).tolist()))
    result = Scoring.of(LEVEL, View(Corpus("test", 50, layers=layers)))
    assert result is not None
    return result


@pytest.fixture
def findings() -> Findings:
    pairs = {"en-de": make_scoring(1, good=0.05, fair=0.15, late=0.3), "ne-en": make_scoring(2, fair=0.1, good=0.2)}
    return collect_findings(pairs, [LEVEL.metrics[name] for name in NAMES], OPTIONS)


@pytest.mark.parametrize(
    "changed", [{"correction": "holm"}, {"alpha": 0.002}, {"correction": "bonferroni", "alpha": 0.5}]
)
def test_another_correction_or_alpha_equals_testing_again(findings: Findings, changed: dict[str, str]) -> None:
    options = replace(OPTIONS, **changed)
    judged = findings.with_options(options)
    again = collect_findings({pair.name: pair.scoring for pair in findings.pairs}, findings.metrics, options)
    assert FindingsReport(judged, "task").json() == FindingsReport(again, "task").json()
    assert FindingsReport(judged, "task").json() != FindingsReport(findings, "task").json()
    # p-values were not computed again
    assert judged.pairs[0].comparisons[0].metrics[0].p is findings.pairs[0].comparisons[0].metrics[0].p


def test_another_leading_metric_changes_no_numbers(findings: Findings) -> None:
    led = findings.with_first_metric("SeqCor")
    assert [metric.name for metric in led.metrics] == ["SeqCor", "F1-BAD", "MCC"]
    before, after = FindingsReport(findings, "task").json(), FindingsReport(led, "task").json()
    assert before["pairs"] == after["pairs"]
    assert {name: dict(sorted(by.items())) for name, by in before["average"].items()} == {
        name: dict(sorted(by.items())) for name, by in after["average"].items()
    }
    assert FindingsReport(led, "task", by="metric").tables()[0].title.startswith("SeqCor")
    assert findings.with_first_metric("no such metric").metrics == findings.metrics


def test_system_missing_from_a_pair_has_no_average(findings: Findings) -> None:
    assert "late" not in findings.pairs[1].systems
    averages = findings.averages(findings.metrics[0])
    assert averages["good"] == pytest.approx(
        np.mean([pair.scores[pair.systems.index("good"), 0] for pair in findings.pairs])
    )
    assert np.isnan(averages["late"])


def test_lines_separate_tested_clusters_only(findings: Findings) -> None:
    pair, metric = findings.pairs[0], findings.metrics[0]
    assert pair.cluster_ends(metric) == (1, 2), "three clusters of one system"
    (comparison,) = [test for test in pair.comparisons if metric in [of.metric for of in test.metrics]]
    without_last = [replace(of, order=of.order[:-1]) if of.metric == metric else of for of in comparison.metrics]
    untested = replace(pair, comparisons=(replace(comparison, metrics=tuple(without_last)),))
    assert [finding.cluster for finding in untested.system_findings(metric)] == [1, 2, None]
    assert untested.cluster_ends(metric) == (1,), "no line above the untested system"


class Stopped(Exception):
    pass


def test_collecting_findings_reports_progress_and_can_be_stopped(findings: Findings) -> None:
    pairs = {pair.name: pair.scoring for pair in findings.pairs}
    shares: list[float] = []
    collect_findings(pairs, findings.metrics, OPTIONS, on_progress=lambda done, total: shares.append(done / total))
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len({round(share, 1) for share in shares}) > 5

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Stopped

    with pytest.raises(Stopped):
        collect_findings(pairs, findings.metrics, OPTIONS, on_progress=stop)


def test_reading_a_folder_reports_progress_and_can_be_stopped(tmp_path: Path) -> None:
    for pair in ("en-de", "ne-en"):
        (tmp_path / pair).mkdir()
        for name in ("test.tags", "x.tags", "test.mt"):
            (tmp_path / pair / name).write_text("a b\n" if name == "test.mt" else "OK BAD\n")
    progress_events: list[tuple[str, float]] = []
    folders = read_folders([tmp_path], progress=lambda name, done: progress_events.append((name, done)))
    shares = [done for _, done in progress_events]
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] <= 1
    assert {"test.tags", "x.tags"} <= {Path(name).name for name, _ in progress_events}
    assert [group.name for group in folders.groups] == ["words"]
    assert folders.group is GROUPS["words"]

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        read_folders([tmp_path], check_cancelled=stop)


def test_signature_states_interval_rounds_per_pair_if_they_differ(
    findings: Findings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "|interval-rounds:1000" in FindingsReport(findings, "task").signature
    short = make_scoring(3, fair=0.1, good=0.2)
    documents = Documents.from_names([str(index // 10) for index in range(50)])
    pairs = {"en-de": short, "ne-en": short.with_documents(documents)}
    # the package has a function with the same name as the module
    monkeypatch.setattr(import_module("qe_desktop.significance.score_intervals"), "LARGE_CORPUS_UNITS", 49)
    by_segment = collect_findings(pairs, findings.metrics, OPTIONS)
    assert "|interval-rounds:200" in FindingsReport(by_segment, "task").signature
    # five documents are at most MANY_UNITS, 50 segments are more
    metrics, by_document = findings.metrics, replace(OPTIONS, unit="document")
    rounds = [pair.interval_rounds(metrics, by_document) for pair in pairs.values()]
    assert rounds == [200, 1000]
    differing = replace(by_segment, options=by_document)
    assert "|interval-rounds:en-de=200,ne-en=1000" in FindingsReport(differing, "task").signature
    fewer = replace(differing, options=replace(by_document, interval_rounds=70))
    assert "|interval-rounds:70" in FindingsReport(fewer, "task").signature
