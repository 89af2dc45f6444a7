"""How long the study of trivial baselines takes, relative to the comparison of systems that it contains."""

from __future__ import annotations

import pytest

from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.levels.words.tag_inputs import tags_from_python
from qe_desktop.metrics import PAPER_METRICS
from qe_desktop.significance import SignificanceOptions
from qe_desktop.studies.labelling_study import LabellingOptions, study_labellings
from tests.benchmarks.corpora import make_wmt_sized_tags
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of
from tests.tag_comparison import word_metrics


@pytest.mark.benchmark
def test_time_of_labelling_study_relative_to_a_comparison(benchmark):
    gold, systems = make_wmt_sized_tags()
    scoring = tags_from_python(WORD_LEVEL, gold, {f"s{index}": system for index, system in enumerate(systems)})
    metrics, options = word_metrics(PAPER_METRICS), SignificanceOptions()

    def study() -> None:
        study_labellings(scoring, metrics, LabellingOptions(options))

    benchmark.pedantic(study, rounds=3, warmup_rounds=1)
    time_ratio = time_ratio_of(study, lambda: scoring.compare(metrics, options), times=9)
    figure = record_figure("study labellings 17 × 1817, R = 10,000: relative to compare words", time_ratio, 1.5)
    assert figure.value < 4 * figure.limit
