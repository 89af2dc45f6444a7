"""Runs of `study meta-evaluation`, and its files of human and metric scores."""

from __future__ import annotations

import numpy as np
import pytest

from tests.command_line import error_line, json_output


def evaluate(capsys, *arguments):
    """Run `study meta-evaluation` and return its JSON output."""
    return json_output(capsys, "study", "meta-evaluation", *arguments)


def evaluation_error(capsys, *arguments):
    """Run `study meta-evaluation`, which fails with a one-line error, and return this line."""
    return error_line(capsys, "study", "meta-evaluation", *arguments)


def write_scores(path, systems):
    """Write a file of segment scores by system, with None for NaN, and return its path."""
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
def score_files(tmp_path, scores):
    """Files of the human and metric scores."""
    human_scores, metric = scores
    return write_scores(tmp_path / "people.seg.score", human_scores), write_scores(
        tmp_path / "metric.seg.score", metric
    )
