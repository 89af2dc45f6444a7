"""Counts in the status bar for corpora that have metric scores, translations or layers of systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, MetricColumn, TextColumn, TextRole
from qe_desktop.project import Session
from qe_desktop.ui.inspect.corpus_counts import counts_text
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW

SCORES = {name: MetricColumn({"one": np.arange(2.0)}) for name in ("BLEU", "COMET")}
SOURCE = Corpus("c", 2, {TextRole.SOURCE: TextColumn.of(["a", "b"])})


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        (SOURCE, "2 segments · 0 systems · no gold"),
        (replace(SOURCE, metric_scores=SCORES), "2 segments · 2 metrics"),
        (
            replace(SOURCE, metric_scores=SCORES, translations={"one": TextColumn.of(["c", "d"])}),
            "2 segments · 1 translation · no gold",
        ),
    ],
)
def test_metrics_are_counted_if_there_are_no_systems(corpus, expected):
    assert counts_text(Session(corpus), None, "", EVALUATION_VIEW) == expected
