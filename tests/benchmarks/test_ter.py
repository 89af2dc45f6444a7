"""How fast TER is counted with the same edits as sacreBLEU, relative to sacreBLEU on one core."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sacrebleu.metrics import TER

from qe_desktop.metrics.ter import TercomLineTokenizer
from qe_desktop.metrics.ter.ter_edits import edit_rows
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of
from tests.metrics.ter.sequences import edit_randomly

SEGMENTS, WORDS = 100, 18


def texts(changes: int) -> tuple[list[str], list[str]]:
    """References of frequent and rare words, and outputs made of them by random changes, including shifts."""
    rng = random.Random(4)
    references = [
        [f"w{int(rng.paretovariate(0.7)) % 5000}" for _ in range(rng.randint(WORDS // 3, WORDS * 2))]
        for _ in range(SEGMENTS)
    ]
    system = [edit_randomly(tokens, rng, 5000, rng.randint(0, changes)) for tokens in references]
    return [" ".join(tokens) for tokens in system], [" ".join(tokens) for tokens in references]


@pytest.mark.benchmark
@pytest.mark.parametrize(("kind", "changes"), [("post-edits", 4), ("references", 16)])
def test_ter_edits_equal_sacrebleu_and_take_less_time(benchmark, kind, changes):
    system, references = texts(changes)

    def ours() -> np.ndarray:
        return edit_rows(tokenized_pair(system, [references]), TercomLineTokenizer())

    def sacrebleu_edits() -> np.ndarray:
        # its tokenizer caches its results across instances of TER
        return np.array(TER()._extract_corpus_statistics(system, [references]), float)

    edits = benchmark.pedantic(ours, rounds=3, warmup_rounds=1)
    assert np.array_equal(edits[:, [0, 2]], sacrebleu_edits())
    figure = record_figure(
        f"TER of 100 segments against {kind}: sacreBLEU takes",
        time_ratio_of(sacrebleu_edits, ours, 3),
        4,
        is_minimum=True,
    )
    assert figure.value > 2
