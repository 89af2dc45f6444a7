"""sacreBLEU's paired tests: the same p, number for number, as the library itself and as its runs that were kept."""

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


def observed(held):
    return BLEU.comparable(held.rows.sum(axis=1))[None, :]


@pytest.fixture(scope="module")
def texts():
    """References and systems that spoil more and more of them."""
    dice = np.random.default_rng(11)
    words = [f"w{number}" for number in range(30)]
    reference = [[words[word] for word in dice.integers(0, 30, dice.integers(5, 15))] for _ in range(SEGMENTS)]

    def spoilt(share):
        return [" ".join("x" if dice.random() < share else word for word in line) for line in reference]

    return [" ".join(line) for line in reference], [spoilt(share) for share in (0.1, 0.13, 0.3)]


@pytest.mark.parametrize(("kind", "run"), [("ar", sacrebleu_randomization), ("bs", sacrebleu_bootstrap)])
def test_they_are_the_librarys(monkeypatch, texts, kind, run):
    from sacrebleu.metrics import BLEU as Theirs
    from sacrebleu.significance import PairedTest

    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    reference, systems = texts
    named = [(f"s{place}", lines) for place, lines in enumerate(systems)]
    _, theirs = PairedTest(named, {"BLEU": Theirs()}, [reference], test_type=kind, n_samples=500)()
    held = family([reference], systems)
    found = run([held], observed(held), rounds=500, seed=SEED, watch=None)
    assert theirs["BLEU"][0].score == pytest.approx(observed(held)[0, 0])
    assert found.p[0, 0, 1:].tolist() == pytest.approx([one.p_value for one in theirs["BLEU"][1:]])


@pytest.mark.parametrize("run", [sacrebleu_randomization, sacrebleu_bootstrap])
def test_blocks_of_rounds_do_not_change_what_is_drawn(monkeypatch, texts, run):
    held = family([texts[0]], texts[1])
    heard = []
    whole = run([held], observed(held), rounds=200, seed=7, watch=None)
    monkeypatch.setattr(sacrebleu_tests, "_CELLS", 64 * SEGMENTS)
    parts = run([held], observed(held), rounds=200, seed=7, watch=lambda done, of: heard.append((done, of)))
    assert np.array_equal(whole.p, parts.p)
    assert len(heard) > 1
    assert heard[-1] == (200, 200)


def test_the_same_output_differs_significantly_as_there(texts):
    held = family([texts[0]], [texts[1][0], texts[1][0]])
    found = sacrebleu_randomization([held], observed(held), rounds=999, seed=SEED, watch=None)
    assert found.p[0, 0, 1] == 0.001


@pytest.mark.published
@pytest.mark.parametrize(
    ("kind", "run", "rounds"), [("ar", sacrebleu_randomization, 10_000), ("bs", sacrebleu_bootstrap, 1_000)]
)
def test_runs_that_were_kept(data_folder, kind, run, rounds):
    folder = data_folder.parent / "oracles"
    kept = json.loads((folder / "significance/paired_tests_sacrebleu.json").read_text())[kind]
    medium = json.loads((folder / "translations/medium_texts.json").read_text())
    assert (kept["seed"], kept["n_samples"]) == (SEED, rounds)
    systems = [medium["systems"][name] for name in kept["systems"]]
    held = family([medium["refs"][0]], systems)
    assert observed(held)[0].tolist() == pytest.approx([one["score"] for one in kept["BLEU"]])
    found = run([held], observed(held), rounds=rounds, seed=SEED, watch=None)
    assert found.p[0, 0, 1:].tolist() == pytest.approx([one["p"] for one in kept["BLEU"][1:]])


@pytest.mark.parametrize("test", ["sacrebleu-ar", "sacrebleu-bs"])
def test_identical_systems_are_not_distinct(texts, test):
    reference, systems = texts
    rows = [family([reference], [systems[0], systems[0]])]
    comparison = compare_rows(("a", "b"), rows, [BLEU], SignificanceOptions(test, 200))
    assert not comparison.metrics[0].beats.any()
    assert comparison.metrics[0].d == 0
