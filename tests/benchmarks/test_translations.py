"""How fast translations are scored and compared, beside sacreBLEU doing the same."""

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
from tests.benchmarks.figures import note
from tests.benchmarks.measuring import ratio
from tests.benchmarks.test_translations_ngrams import beside, texts, theirs

ROUNDS = 10_000


@pytest.mark.benchmark
def test_rows_of_bleu_and_chrf(benchmark):
    systems, reference = texts()
    metrics = [TRANSLATION_METRICS["BLEU"], TRANSLATION_METRICS["chrF"]]

    def ours() -> list[list[float]]:
        found = beside(systems, reference)
        return [[float(metric.score(metric.family.rows(one).sum(axis=0))) for one in found] for metric in metrics]

    def sacrebleus() -> list[list[float]]:
        chrf = CHRF(references=[reference])
        return [theirs(systems, reference), [chrf.corpus_score(system, None).score for system in systems]]

    found = benchmark.pedantic(ours, rounds=3, warmup_rounds=1)
    assert np.array(found) == pytest.approx(np.array(sacrebleus()), rel=1e-9)
    figure = note(
        "BLEU and chrF rows, 4 × 2,000 segments, cut and counted: beside sacreBLEU's corpus_score",
        ratio(ours, sacrebleus, 3),
        0.6,
    )
    assert figure.value < 1


class Counted(BLEU):
    """sacreBLEU's BLEU with the counts given, those of the system that the only line of a text names."""

    def __init__(self, rows: np.ndarray) -> None:
        super().__init__()
        self.rows = rows
        self.num_refs = 1

    def _extract_corpus_statistics(self, hypotheses, references):
        return self.rows[int(hypotheses[0])].astype(int).tolist()


def all_pairs(rows: np.ndarray) -> dict[tuple[int, int], float]:
    """p of all pairs: sacreBLEU tests the others against one baseline, so each system but the last is one in turn."""
    found = {}
    for first in range(len(rows) - 1):
        named = [(str(place), [str(place)] * rows.shape[1]) for place in range(first, len(rows))]
        _, results = PairedTest(named, {"BLEU": Counted(rows)}, None, test_type="ar", n_samples=ROUNDS)()
        found |= {(first, first + place): one.p_value for place, one in enumerate(results["BLEU"]) if place}
    return found


@pytest.mark.benchmark
def test_all_pairs_by_bleu(benchmark, monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    metric = BleuSettings().metric()
    held = np.stack([metric.family.rows(one) for one in beside(*close())])
    families = [FamilyRows(held, (metric,))]
    observed = metric.comparable(held.sum(axis=1))[None]

    def compatible() -> np.ndarray:
        return sacrebleu_randomization(families, observed, rounds=ROUNDS, seed=SEED, watch=None).p

    benchmark.pedantic(randomization_tests, (families,), {"rounds": ROUNDS}, rounds=3, warmup_rounds=1)
    p, same = compatible()[0], all_pairs(held)
    assert len(same) == 6
    assert {pair: p[pair] for pair in same} == pytest.approx(same)
    # p is neither 1 nor the least that there can be throughout
    assert any(2 / ROUNDS < value < 0.9 for value in same.values())
    usual = ratio(lambda: all_pairs(held), lambda: randomization_tests(families, rounds=ROUNDS), 3)
    figure = note("BLEU, 4 × 2,000, 6 pairs, R = 10,000: sacreBLEU's own tests of the 6 take", usual, 20, least=True)
    assert figure.value > 5
    alike = ratio(lambda: all_pairs(held), compatible, 3)
    figure = note("the same with sacreBLEU's numbers (sacrebleu-ar), equal p: its own take", alike, 20, least=True)
    assert figure.value > 2


def close() -> tuple[list[list[str]], list[str]]:
    """Systems of which some are so near each other that p lies between its ends."""
    systems, reference = texts()
    dice = np.random.default_rng(7)

    def mixed(one: list[str], other: list[str], share: float) -> list[str]:
        return [a if dice.random() < share else b for a, b in zip(one, other, strict=True)]

    good, fair = systems[:2]
    return [good, mixed(good, fair, 0.5), mixed(good, fair, 0.5), mixed(good, fair, 0.48)], reference


@pytest.mark.benchmark
@pytest.mark.parametrize(("metrics", "bar"), [(["BLEU"], 0.95), (["BLEU", "chrF"], 0.6)], ids=["BLEU", "BLEU and chrF"])
def test_the_command_from_start_to_answer(benchmark, tmp_path, metrics, bar):
    systems, reference = texts()
    paths = {name: tmp_path / f"{name}.txt" for name in ("system", "reference")}
    for name, lines in (("system", systems[0]), ("reference", reference)):
        paths[name].write_text("".join(f"{line}\n" for line in lines))

    def command(*arguments: str | Path) -> str:
        return subprocess.run(
            [sys.executable, "-m", *map(str, arguments)], capture_output=True, text=True, check=True
        ).stdout

    def ours() -> str:
        given = ("--reference", paths["reference"], "--system", paths["system"], "--metric", *metrics)
        return command("qe_desktop", "score", "translations", *given, "--json")

    def sacrebleus() -> str:
        return command("sacrebleu", paths["reference"], "-i", paths["system"], "-m", *map(str.lower, metrics))

    assert all(f'"{metric}"' in benchmark.pedantic(ours, rounds=1) for metric in metrics[:1])
    assert "score" in sacrebleus()
    figure = note(
        f"score translations of 2,000 segments by {' and '.join(metrics)}, a process: beside the sacrebleu command",
        ratio(ours, sacrebleus, 9),
        bar,
    )
    assert figure.value < 1.5
