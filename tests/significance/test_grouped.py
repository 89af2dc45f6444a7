"""Rows and their metrics: all that are counted by one family stand together."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.translations.inputs import level_of
from qe_desktop.metrics import families_of
from qe_desktop.metrics.translations import Settings
from qe_desktop.significance import grouped


def test_metrics_that_share_rows_all_have_them():
    level = level_of(Settings(references=1))
    metrics = [level.metrics[name] for name in ("unigram-P", "BLEU", "unigram-R", "unigram-F1", "unigram-Fmean")]
    rows = {family.name: np.zeros((1, 2, len(family.columns))) for family in families_of(metrics)}
    found = [[metric.name for metric in family.metrics] for family in grouped(metrics, rows)]
    assert found == [["unigram-P", "unigram-R", "unigram-F1", "unigram-Fmean"], ["BLEU"]]
