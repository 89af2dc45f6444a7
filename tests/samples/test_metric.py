"""Simulated metric: scores of every output that correlate with reference similarity and simulated ratings."""

from __future__ import annotations

import json
from collections import defaultdict
from statistics import correlation, fmean

import pytest

from tests.samples.sample_files import SAMPLES, edit_distance, read_authored_tokens, read_lines

FILE = "metrics/simulated-metric.seg.score"
OUTPUTS = {"MT": "sample.mt", "fluent": "translations/fluent.txt", "literal": "translations/literal.txt"}


@pytest.fixture(scope="module")
def scores() -> dict[str, list[float]]:
    result: dict[str, list[float]] = {}
    for line in read_lines("en-de", FILE):
        system, value = line.split("\t")
        result.setdefault(system, []).append(float(value))
    return result


def test_every_segment_of_each_system_has_a_score(scores: dict[str, list[float]]) -> None:
    segments = len(read_lines("en-de", "sample.src"))
    systems = [line.split("\t")[0] for line in read_lines("en-de", FILE)]
    assert systems == [name for name in OUTPUTS for _ in range(segments)]
    assert all(0.0 < value < 1.0 for column in scores.values() for value in column)
    assert all(len(set(column)) > 0.9 * segments for column in scores.values())


def test_mean_scores_order_systems_by_quality(scores: dict[str, list[float]]) -> None:
    means = {system: fmean(column) for system, column in scores.items()}
    assert means["fluent"] > means["MT"] > means["literal"]
    # the order is not the same in every segment
    worse = sum(first < second for first, second in zip(scores["fluent"], scores["MT"], strict=True))
    assert 0.1 < worse / len(scores["MT"]) < 0.45


def test_identical_outputs_have_the_same_score(scores: dict[str, list[float]]) -> None:
    same = 0
    for segment, outputs in enumerate(
        zip(*(map(" ".join, read_authored_tokens("en-de", name)) for name in OUTPUTS.values()), strict=True)
    ):
        output_scores = dict.fromkeys(outputs, 0.0)
        for output, system in zip(outputs, OUTPUTS, strict=True):
            output_scores[output] = output_scores[output] or scores[system][segment]
            assert output_scores[output] == scores[system][segment]
        same += len(output_scores) < len(outputs)
    assert same >= 5


def test_scores_correlate_negatively_with_the_distance_to_a_reference(scores: dict[str, list[float]]) -> None:
    references = [read_authored_tokens("en-de", f"references/{name}.txt") for name in "AB"]
    for system, name in OUTPUTS.items():
        nearest = [
            min(edit_distance(output, reference) / len(reference) for reference in of_segment)
            for output, *of_segment in zip(read_authored_tokens("en-de", name), *references, strict=True)
        ]
        assert -0.85 < correlation(nearest, scores[system]) < -0.2, system


def test_scores_correlate_moderately_with_the_ratings(scores: dict[str, list[float]]) -> None:
    ratings = defaultdict(list)
    for line in (SAMPLES / "en-de/sample.ratings.jsonl").read_text(encoding="utf-8").splitlines()[1:]:
        event = json.loads(line)
        if event["field"] == "adequacy" and event["role"] == "system":
            # segments of a journal are counted from 1
            for system in event["outputs"][0]:
                ratings[system, int(event["segment"]) - 1].append(event["value"])
    means = [fmean(values) for values in ratings.values()]
    assert len(means) >= 60
    assert 0.4 < correlation(means, [scores[system][segment] for system, segment in ratings]) < 0.9
