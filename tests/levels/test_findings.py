"""Findings as values: judged anew, led by another metric, followed and stopped while they are made and read."""

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
from qe_desktop.report.findings import findings_json, findings_tables
from qe_desktop.significance import SignificanceOptions

OPTIONS = SignificanceOptions("", 500, correction="none")
NAMES = ("F1-BAD", "MCC", "SeqCor")
LEVEL = tag_level(Kind.WORDS)


def scoring(seed: int, **noise: float) -> Scoring:
    """Systems that turn so many of the gold's tags."""
    dice = np.random.default_rng(seed)
    gold = (dice.random((50, 8)) < 0.3).astype(np.uint8)
    key = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
    layers = {key: Layer(key, TagColumn.of(gold.tolist()))}
    for name, share in noise.items():
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        layers[key] = Layer(key, TagColumn.of((gold ^ (dice.random(gold.shape) < share)).tolist()))
    found = Scoring.of(LEVEL, View(Corpus("test", 50, layers=layers)))
    assert found is not None
    return found


@pytest.fixture
def found() -> Findings:
    pairs = {"en-de": scoring(1, good=0.05, fair=0.15, late=0.3), "ne-en": scoring(2, fair=0.1, good=0.2)}
    return collect_findings(pairs, [LEVEL.metrics[name] for name in NAMES], OPTIONS)


@pytest.mark.parametrize(
    "changed", [{"correction": "holm"}, {"alpha": 0.002}, {"correction": "bonferroni", "alpha": 0.5}]
)
def test_another_correction_or_alpha_gives_what_testing_again_would(found: Findings, changed: dict[str, str]) -> None:
    options = replace(OPTIONS, **changed)
    judged = found.rejudged(options)
    again = collect_findings({pair.name: pair.scoring for pair in found.pairs}, found.metrics, options)
    assert findings_json(judged) == findings_json(again)
    assert findings_json(judged) != findings_json(found)
    # nothing was tested
    assert judged.pairs[0].comparisons[0].metrics[0].p is found.pairs[0].comparisons[0].metrics[0].p


def test_another_metric_leads_and_no_number_is_another(found: Findings) -> None:
    led = found.led_by("SeqCor")
    assert [metric.name for metric in led.metrics] == ["SeqCor", "F1-BAD", "MCC"]
    before, after = findings_json(found), findings_json(led)
    assert before["pairs"] == after["pairs"]
    assert {name: dict(sorted(by.items())) for name, by in before["average"].items()} == {
        name: dict(sorted(by.items())) for name, by in after["average"].items()
    }
    assert findings_tables(led, "metric")[0].title.startswith("SeqCor")
    assert found.led_by("no such metric").metrics == found.metrics


def test_who_is_not_in_all_pairs_has_no_average(found: Findings) -> None:
    assert "late" not in found.pairs[1].systems
    averages = found.averages(found.metrics[0])
    assert averages["good"] == pytest.approx(
        np.mean([pair.scores[pair.systems.index("good"), 0] for pair in found.pairs])
    )
    assert np.isnan(averages["late"])


class Stopped(Exception):
    pass


def test_the_work_is_told_from_beginning_to_end_and_can_be_stopped(found: Findings) -> None:
    pairs = {pair.name: pair.scoring for pair in found.pairs}
    told: list[float] = []
    collect_findings(pairs, found.metrics, OPTIONS, watch=lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert told[-1] == 1
    assert len({round(share, 1) for share in told}) > 5

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Stopped

    with pytest.raises(Stopped):
        collect_findings(pairs, found.metrics, OPTIONS, watch=stop)


def test_reading_a_folder_is_told_and_can_be_stopped(tmp_path: Path) -> None:
    for pair in ("en-de", "ne-en"):
        (tmp_path / pair).mkdir()
        for name in ("test.tags", "x.tags", "test.mt"):
            (tmp_path / pair / name).write_text("a b\n" if name == "test.mt" else "OK BAD\n")
    told: list[tuple[str, float]] = []
    held = read_folders([tmp_path], progress=lambda name, done: told.append((name, done)))
    shares = [done for _, done in told]
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] <= 1
    assert {"test.tags", "x.tags"} <= {Path(name).name for name, _ in told}
    assert [group.name for group in held.groups] == ["words"]
    assert held.group is GROUPS["words"]

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        read_folders([tmp_path], watch=stop)


def test_rounds_of_intervals_are_said_of_each_pair_where_they_differ(
    found: Findings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "|interval-rounds:1000" in findings_json(found)["signature"]
    short = scoring(3, fair=0.1, good=0.2)
    documents = Documents.from_names([str(place // 10) for place in range(50)])
    pairs = {"en-de": short, "ne-en": short.in_documents(documents)}
    # the package has a function of the module's name
    monkeypatch.setattr(import_module("qe_desktop.significance.score_intervals"), "MANY_UNITS", 49)
    by_segment = collect_findings(pairs, found.metrics, OPTIONS)
    assert "|interval-rounds:200" in findings_json(by_segment)["signature"]
    # five documents are few enough, and 50 segments are not
    metrics, by_document = found.metrics, replace(OPTIONS, unit="document")
    rounds = [pair.interval_rounds(metrics, by_document) for pair in pairs.values()]
    assert rounds == [200, 1000]
    differing = replace(by_segment, options=by_document)
    assert "|interval-rounds:en-de=200,ne-en=1000" in findings_json(differing)["signature"]
    assert "|interval-rounds:70" in findings_json(replace(differing, interval_rounds=70))["signature"]
