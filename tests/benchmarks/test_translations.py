"""How fast translations are scored and compared, relative to sacreBLEU."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

from qe_desktop.metrics import TRANSLATION_METRICS
from qe_desktop.metrics.text.bleu import BleuSettings
from qe_desktop.significance import randomization_tests
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.significance.sacrebleu_tests import SEED, sacrebleu_randomization
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of
from tests.benchmarks.test_bleu_nist import pair_with_reference, random_texts, sacrebleu_scores

ROUNDS = 10_000


@pytest.mark.benchmark
def test_time_of_bleu_and_chrf_relative_to_sacrebleu(benchmark):
    systems, reference = random_texts()
    metrics = [TRANSLATION_METRICS["BLEU"], TRANSLATION_METRICS["chrF"]]

    def ours() -> list[list[float]]:
        scores = pair_with_reference(systems, reference)
        return [
            [float(metric.score(metric.family.rows(text_pair).sum(axis=0))) for text_pair in scores]
            for metric in metrics
        ]

    def sacrebleus() -> list[list[float]]:
        chrf = CHRF(references=[reference])
        return [sacrebleu_scores(systems, reference), [chrf.corpus_score(system, None).score for system in systems]]

    scores = benchmark.pedantic(ours, rounds=3, warmup_rounds=1)
    assert np.array(scores) == pytest.approx(np.array(sacrebleus()), rel=1e-9)
    figure = record_figure(
        "BLEU and chrF rows, 4 × 2,000 segments, cut and counted: relative to sacreBLEU's corpus_score",
        time_ratio_of(ours, sacrebleus, 3),
        0.6,
    )
    assert figure.value < 1


class Counted(BLEU):
    """sacreBLEU's BLEU with given counts; the only line of a text is the index of the system."""

    def __init__(self, rows: np.ndarray) -> None:
        super().__init__()
        self.rows = rows
        self.num_refs = 1

    def _extract_corpus_statistics(self, hypotheses, references):
        return self.rows[int(hypotheses[0])].astype(int).tolist()


def all_pairs(rows: np.ndarray) -> dict[tuple[int, int], float]:
    """p-values of all pairs; sacreBLEU tests against one baseline, so each system but the last is one in turn."""
    p_values = {}
    for first in range(len(rows) - 1):
        outputs = [(str(index), [str(index)] * rows.shape[1]) for index in range(first, len(rows))]
        _, results = PairedTest(outputs, {"BLEU": Counted(rows)}, None, test_type="ar", n_samples=ROUNDS)()
        p_values |= {(first, first + index): result.p_value for index, result in enumerate(results["BLEU"]) if index}
    return p_values


@pytest.mark.benchmark
def test_p_values_of_bleu_equal_sacrebleu_and_take_less_time(benchmark, monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    metric = BleuSettings().metric()
    rows = np.stack([metric.family.rows(text_pair) for text_pair in pair_with_reference(*similar_systems())])
    families = [FamilyRows(rows, (metric,))]
    observed = metric.finite_scores(rows.sum(axis=1))[None]

    def compatible() -> np.ndarray:
        return sacrebleu_randomization(families, observed, rounds=ROUNDS, seed=SEED, on_progress=None).p

    benchmark.pedantic(randomization_tests, (families,), {"rounds": ROUNDS}, rounds=3, warmup_rounds=1)
    p, expected = compatible()[0], all_pairs(rows)
    assert len(expected) == 6
    assert {pair: p[pair] for pair in expected} == pytest.approx(expected)
    # not all p-values are 1 or minimal
    assert any(2 / ROUNDS < value < 0.9 for value in expected.values())
    speedup = time_ratio_of(lambda: all_pairs(rows), lambda: randomization_tests(families, rounds=ROUNDS), 3)
    figure = record_figure(
        "BLEU, 4 × 2,000, 6 pairs, R = 10,000: sacreBLEU's own tests of the 6 take", speedup, 20, is_minimum=True
    )
    assert figure.value > 5
    compatible_speedup = time_ratio_of(lambda: all_pairs(rows), compatible, 3)
    figure = record_figure(
        "the same with sacreBLEU's numbers (sacrebleu-ar), equal p: its own take",
        compatible_speedup,
        20,
        is_minimum=True,
    )
    assert figure.value > 2


def similar_systems() -> tuple[list[list[str]], list[str]]:
    """Systems of which some are so similar that p-values are neither minimal nor 1."""
    systems, reference = random_texts()
    rng = np.random.default_rng(7)

    def mix_lines(first: list[str], second: list[str], share: float) -> list[str]:
        return [a if rng.random() < share else b for a, b in zip(first, second, strict=True)]

    good, fair = systems[:2]
    return [good, mix_lines(good, fair, 0.5), mix_lines(good, fair, 0.5), mix_lines(good, fair, 0.48)], reference


@pytest.mark.benchmark
@pytest.mark.parametrize(("metrics", "bar"), [(["BLEU"], 0.95), (["BLEU", "chrF"], 0.6)], ids=["BLEU", "BLEU and chrF"])
def test_time_of_score_command_relative_to_the_sacrebleu_command(benchmark, tmp_path, metrics, bar):
    systems, reference = random_texts()
    paths = {name: tmp_path / f"{name}.txt" for name in ("system", "reference")}
    for name, lines in (("system", systems[0]), ("reference", reference)):
        paths[name].write_text("".join(f"{line}\n" for line in lines))

    def command(*arguments: str | Path) -> str:
        return subprocess.run(
            [sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, check=True
        ).stdout

    def ours() -> str:
        arguments = ("--reference", paths["reference"], "--system", paths["system"], "--metric", *metrics)
        return command("qe_desktop", "score", "translations", *arguments, "--json")

    def sacrebleus() -> str:
        return command("sacrebleu", paths["reference"], "-i", paths["system"], "-m", *map(str.lower, metrics))

    assert all(f'"{metric}"' in benchmark.pedantic(ours, rounds=1) for metric in metrics[:1])
    assert "score" in sacrebleus()
    figure = record_figure(
        f"score translations of 2,000 segments by {' and '.join(metrics)}, a process: relative to sacrebleu",
        time_ratio_of(ours, sacrebleus, 9),
        bar,
    )
    assert figure.value < 1.5
