"""How fast character n-grams and METEOR alignments are counted, relative to sacreBLEU."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest
from sacrebleu.metrics import CHRF

from qe_desktop.metrics.family import Metric
from qe_desktop.metrics.text import chrf, meteor
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair, TokenizedText, Vocabulary
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of
from tests.metrics.whitespace_tokenizer import WhitespaceTokenizer

SYSTEMS, SEGMENTS = 4, 2000


@cache
def texts() -> tuple[list[list[str]], list[str]]:
    """Systems of decreasing quality, and a reference of 24 words per segment with realistic word frequencies."""
    rng = np.random.default_rng(1)
    letters = np.array(list("eeeeettttaaaooiinnsshhrrddllcumwfgypbvk"))
    words = np.array(["".join(rng.choice(letters, size)) for size in rng.integers(2, 11, 20_000)])
    probabilities = 1 / (np.arange(len(words)) + 2.7)
    probabilities /= probabilities.sum()
    reference = [list(rng.choice(words, size, p=probabilities)) for size in rng.integers(8, 41, SEGMENTS)]
    systems = []
    for number in range(SYSTEMS):
        drawn = iter(rng.choice(words, SEGMENTS * 41, p=probabilities))
        systems.append(
            [
                " ".join(next(drawn) if rng.random() < 0.2 + 0.1 * number else word for word in segment)
                for segment in reference
            ]
        )
    return systems, [" ".join(segment) for segment in reference]


def system_scores(metric: Metric) -> list[float]:
    """Return the scores of all systems from their lines; the counts of the reference are shared."""
    systems, reference = texts()
    vocabulary = Vocabulary()
    references = (TokenizedText(reference, vocabulary),)
    return [
        float(
            metric.score(metric.family.rows(TokenizedPair(TokenizedText(system, vocabulary), references)).sum(axis=0))
        )
        for system in systems
    ]


def sacrebleu_scores(words: int) -> list[float]:
    """Return the same scores by sacreBLEU, which also receives the reference once."""
    systems, reference = texts()
    metric = CHRF(word_order=words, references=[reference])
    return [metric.corpus_score(system, None).score for system in systems]


@pytest.mark.benchmark
@pytest.mark.parametrize(("place", "words"), [(0, 0), (1, 2)], ids=["chrF", "chrF++"])
def test_time_of_chrf_relative_to_sacrebleu(benchmark, place, words):
    metric = chrf.chrf_metrics()[place]
    scores = benchmark.pedantic(system_scores, (metric,), rounds=3, warmup_rounds=1)
    assert scores == pytest.approx(sacrebleu_scores(words), abs=1e-9)
    figure = record_figure(
        f"{metric.name}, 4 systems × 2,000 segments: sacreBLEU takes",
        time_ratio_of(partial(sacrebleu_scores, words), partial(system_scores, metric), 3), 5, is_minimum=True,
    )  # fmt: skip
    assert figure.value > 2


@pytest.mark.benchmark
@pytest.mark.parametrize("fewest", ["crossings", "chunks"])
def test_time_of_meteor_relative_to_chrf_by_sacrebleu(benchmark, fewest):
    (metric,) = meteor.meteor_metrics(WhitespaceTokenizer(), fewest=fewest)
    benchmark.pedantic(system_scores, (metric,), rounds=2, warmup_rounds=1)
    time_ratio = time_ratio_of(partial(system_scores, metric), partial(sacrebleu_scores, 0), 3)
    figure = record_figure(
        f"METEOR, fewest {fewest}, 4 systems × 2,000 segments: relative to chrF by sacreBLEU", time_ratio, 1
    )
    assert figure.value < 4 * figure.limit
