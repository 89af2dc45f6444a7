"""Metrics are grouped with the rows of their family."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.translations.translation_inputs import level_of
from qe_desktop.metrics import metric_families
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings
from qe_desktop.significance import group_by_family


def test_metrics_are_grouped_by_shared_rows():
    level = level_of(TranslationMetricSettings(references=1))
    metrics = [level.metrics[name] for name in ("unigram-P", "BLEU", "unigram-R", "unigram-F1", "unigram-Fmean")]
    rows = {family.name: np.zeros((1, 2, len(family.columns))) for family in metric_families(metrics)}
    result = [[metric.name for metric in family.metrics] for family in group_by_family(metrics, rows)]
    assert result == [["unigram-P", "unigram-R", "unigram-F1", "unigram-Fmean"], ["BLEU"]]
