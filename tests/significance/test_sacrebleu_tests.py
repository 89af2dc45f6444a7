"""sacreBLEU's paired tests: p equals the library's and that of saved runs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.metrics.text.bleu import BleuSettings
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from qe_desktop.significance import SignificanceOptions, compare_rows, sacrebleu_tests
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.significance.sacrebleu_tests import SEED, sacrebleu_bootstrap, sacrebleu_randomization

BLEU = BleuSettings(1).metric()
SYSTEMS, SEGMENTS = 3, 40


def family(references, systems):
    return FamilyRows(np.stack([BLEU.family.rows(tokenized_pair(system, references)) for system in systems]), (BLEU,))


def observed_scores(family_rows):
    return BLEU.finite_scores(family_rows.rows.sum(axis=1))[None, :]


@pytest.fixture(scope="module")
def texts():
    """Reference and systems with an increasing share of replaced words."""
    dice = np.random.default_rng(11)
    words = [f"w{number}" for number in range(30)]
    reference = [[words[word] for word in dice.integers(0, 30, dice.integers(5, 15))] for _ in range(SEGMENTS)]

    def spoilt(share):
        return [" ".join("x" if dice.random() < share else word for word in line) for line in reference]

    return [" ".join(line) for line in reference], [spoilt(share) for share in (0.1, 0.13, 0.3)]


@pytest.mark.parametrize(("kind", "run"), [("ar", sacrebleu_randomization), ("bs", sacrebleu_bootstrap)])
def test_p_values_equal_sacrebleu(monkeypatch, texts, kind, run):
    from sacrebleu.metrics import BLEU as Theirs
    from sacrebleu.significance import PairedTest

    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    reference, systems = texts
    named = [(f"s{index}", lines) for index, lines in enumerate(systems)]
    _, sacrebleu_results = PairedTest(named, {"BLEU": Theirs()}, [reference], test_type=kind, n_samples=500)()
    family_rows = family([reference], systems)
    result = run([family_rows], observed_scores(family_rows), rounds=500, seed=SEED, on_progress=None)
    assert sacrebleu_results["BLEU"][0].score == pytest.approx(observed_scores(family_rows)[0, 0])
    assert result.p[0, 0, 1:].tolist() == pytest.approx(
        [sacrebleu_result.p_value for sacrebleu_result in sacrebleu_results["BLEU"][1:]]
    )


@pytest.mark.parametrize("run", [sacrebleu_randomization, sacrebleu_bootstrap])
def test_batches_of_rounds_do_not_change_p(monkeypatch, texts, run):
    family_rows = family([texts[0]], texts[1])
    progress_events = []
    whole = run([family_rows], observed_scores(family_rows), rounds=200, seed=7, on_progress=None)
    monkeypatch.setattr(sacrebleu_tests, "_MAX_CELLS", 64 * SEGMENTS)
    parts = run(
        [family_rows],
        observed_scores(family_rows),
        rounds=200,
        seed=7,
        on_progress=lambda done, of: progress_events.append((done, of)),
    )
    assert np.array_equal(whole.p, parts.p)
    assert len(progress_events) > 1
    assert progress_events[-1] == (200, 200)


def test_identical_outputs_have_the_same_small_p_as_in_sacrebleu(texts):
    family_rows = family([texts[0]], [texts[1][0], texts[1][0]])
    result = sacrebleu_randomization(
        [family_rows], observed_scores(family_rows), rounds=999, seed=SEED, on_progress=None
    )
    assert result.p[0, 0, 1] == 0.001


@pytest.mark.published
@pytest.mark.parametrize(
    ("kind", "run", "rounds"), [("ar", sacrebleu_randomization, 10_000), ("bs", sacrebleu_bootstrap, 1_000)]
)
def test_p_values_equal_saved_sacrebleu_runs(data_folder, kind, run, rounds):
    folder = data_folder.parent / "oracles"
    saved = json.loads((folder / "significance/paired_tests_sacrebleu.json").read_text())[kind]
    medium = json.loads((folder / "translations/medium_texts.json").read_text())
    assert (saved["seed"], saved["n_samples"]) == (SEED, rounds)
    systems = [medium["systems"][name] for name in saved["systems"]]
    family_rows = family([medium["refs"][0]], systems)
    assert observed_scores(family_rows)[0].tolist() == pytest.approx(
        [sacrebleu_result["score"] for sacrebleu_result in saved["BLEU"]]
    )
    result = run([family_rows], observed_scores(family_rows), rounds=rounds, seed=SEED, on_progress=None)
    assert result.p[0, 0, 1:].tolist() == pytest.approx(
        [sacrebleu_result["p"] for sacrebleu_result in saved["BLEU"][1:]]
    )


@pytest.mark.parametrize("test", ["sacrebleu-ar", "sacrebleu-bs"])
def test_identical_systems_are_not_distinct(texts, test):
    reference, systems = texts
    rows = [family([reference], [systems[0], systems[0]])]
    comparison = compare_rows(("a", "b"), rows, [BLEU], SignificanceOptions(test, 200))
    assert not comparison.metrics[0].beats.any()
    assert comparison.metrics[0].d == 0
