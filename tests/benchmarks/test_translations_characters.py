"""How fast n-grams of characters are counted, beside sacreBLEU; and the alignments of METEOR beside that."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest
from sacrebleu.metrics import CHRF

from qe_desktop.metrics.family import Metric
from qe_desktop.metrics.text import chrf, meteor
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair, TokenizedText, Vocabulary
from tests.benchmarks.figures import note
from tests.benchmarks.measuring import ratio
from tests.metrics.cutting import Blanks

SYSTEMS, SEGMENTS = 4, 2000


@cache
def texts() -> tuple[list[list[str]], list[str]]:
    """Systems, better and worse ones, and a reference of words as often repeated as in text, 24 to a segment."""
    dice = np.random.default_rng(1)
    letters = np.array(list("eeeeettttaaaooiinnsshhrrddllcumwfgypbvk"))
    words = np.array(["".join(dice.choice(letters, size)) for size in dice.integers(2, 11, 20_000)])
    often = 1 / (np.arange(len(words)) + 2.7)
    often /= often.sum()
    reference = [list(dice.choice(words, size, p=often)) for size in dice.integers(8, 41, SEGMENTS)]
    systems = []
    for number in range(SYSTEMS):
        drawn = iter(dice.choice(words, SEGMENTS * 41, p=often))
        systems.append(
            [
                " ".join(next(drawn) if dice.random() < 0.2 + 0.1 * number else word for word in segment)
                for segment in reference
            ]
        )
    return systems, [" ".join(segment) for segment in reference]


def rows(metric: Metric) -> list[float]:
    """The scores of all systems, from their lines on; what they share of the reference is worked out once."""
    systems, reference = texts()
    vocabulary = Vocabulary()
    beside = (TokenizedText(reference, vocabulary),)
    return [
        float(metric.score(metric.family.rows(TokenizedPair(TokenizedText(system, vocabulary), beside)).sum(axis=0)))
        for system in systems
    ]


def theirs(words: int) -> list[float]:
    """The same by sacreBLEU, which is given the reference once as well."""
    systems, reference = texts()
    metric = CHRF(word_order=words, references=[reference])
    return [metric.corpus_score(system, None).score for system in systems]


@pytest.mark.benchmark
@pytest.mark.parametrize(("place", "words"), [(0, 0), (1, 2)], ids=["chrF", "chrF++"])
def test_beside_sacrebleu(benchmark, place, words):
    metric = chrf.chrf_metrics()[place]
    found = benchmark.pedantic(rows, (metric,), rounds=3, warmup_rounds=1)
    assert found == pytest.approx(theirs(words), abs=1e-9)
    figure = note(
        f"{metric.name}, 4 systems × 2,000 segments: sacreBLEU takes",
        ratio(partial(theirs, words), partial(rows, metric), 3), 5, least=True,
    )  # fmt: skip
    assert figure.value > 2


@pytest.mark.benchmark
@pytest.mark.parametrize("fewest", ["crossings", "chunks"])
def test_alignments(benchmark, fewest):
    (metric,) = meteor.meteor_metrics(Blanks(), fewest=fewest)
    benchmark.pedantic(rows, (metric,), rounds=2, warmup_rounds=1)
    beside = ratio(partial(rows, metric), partial(theirs, 0), 3)
    figure = note(f"METEOR, fewest {fewest}, 4 systems × 2,000 segments: beside chrF by sacreBLEU", beside, 1)
    assert figure.value < 4 * figure.bar
