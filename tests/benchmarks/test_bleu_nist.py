"""How fast the rows of BLEU and NIST are counted, relative to sacreBLEU's scores of the same texts."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from qe_desktop.metrics.text.bleu import BleuSettings
from qe_desktop.metrics.text.nist import NistSettings
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair, TokenizedText, Vocabulary
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of

SYSTEMS, SEGMENTS = 4, 2_000


def random_texts() -> tuple[list[list[str]], list[str]]:
    """Outputs of systems, each with its own words in place of some of the reference's, and the reference."""
    rng = np.random.default_rng(1)
    words = np.array([f"word{number}" for number in range(20_000)])
    # few words make up half of any text, as in natural language
    weights = 1 / np.arange(1, len(words) + 1)
    lengths = rng.integers(5, 45, SEGMENTS)
    reference = [rng.choice(words, length, p=weights / weights.sum()) for length in lengths]
    systems = [
        [np.where(rng.random(len(line)) < share, rng.choice(words, len(line)), line) for line in reference]
        for share in np.linspace(0.2, 0.6, SYSTEMS)
    ]
    return [[format_line(line) for line in system] for system in systems], [format_line(line) for line in reference]


def format_line(line: np.ndarray) -> str:
    half = len(line) // 2
    return f"{' '.join(line[:half])}, {' '.join(line[half:])} (1,234.5)."


def pair_with_reference(systems: list[list[str]], reference: list[str]) -> list[TokenizedPair]:
    vocabulary = Vocabulary()
    references = (TokenizedText(reference, vocabulary),)
    return [TokenizedPair(TokenizedText(system, vocabulary), references) for system in systems]


def sacrebleu_scores(systems: list[list[str]], reference: list[str]) -> list[float]:
    """Return sacreBLEU's scores: it counts the reference once, and its caches of earlier runs are cleared."""
    bleu = BLEU(references=[reference])
    bleu.tokenizer.__class__.__call__.cache_clear()
    bleu.tokenizer._post_tokenizer.__class__.__call__.cache_clear()
    return [bleu.corpus_score(system, None).score for system in systems]


@pytest.mark.benchmark
def test_time_of_bleu_rows_relative_to_sacrebleu(benchmark):
    systems, reference = random_texts()
    metric = BleuSettings().metric()

    def ours() -> list[float]:
        totals = [metric.family.rows(text_pair).sum(axis=0) for text_pair in pair_with_reference(systems, reference)]
        return [float(metric.score(total)) for total in totals]

    scores = benchmark.pedantic(ours, rounds=5, warmup_rounds=1)
    assert scores == pytest.approx(sacrebleu_scores(systems, reference), rel=1e-9)
    value = time_ratio_of(ours, lambda: sacrebleu_scores(systems, reference))
    figure = record_figure(
        "BLEU rows, 4 × 2,000 segments, cut and counted: relative to sacreBLEU's corpus_score", value, 0.35
    )
    assert figure.value < 1


@pytest.mark.benchmark
def test_time_of_nist_rows_relative_to_bleu_by_sacrebleu(benchmark):
    systems, reference = random_texts()
    metric = NistSettings().metric()

    def ours() -> list[np.ndarray]:
        return [metric.family.rows(text_pair) for text_pair in pair_with_reference(systems, reference)]

    assert len(benchmark.pedantic(ours, rounds=5, warmup_rounds=1)) == SYSTEMS
    value = time_ratio_of(ours, lambda: sacrebleu_scores(systems, reference))
    figure = record_figure("NIST rows, 4 × 2,000 segments: relative to sacreBLEU's corpus_score of BLEU", value, 0.45)
    assert figure.value < 1
