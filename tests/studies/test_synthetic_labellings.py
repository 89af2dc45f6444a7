"""Synthetic labellings: counts by rule, reproducibility by seed, and separation from systems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn, View
from qe_desktop.formats import read_tags, system_name
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.studies.synthetic_labellings import (
    LABELLINGS,
    RANDOM_LABELLINGS,
    is_synthetic,
    make_labelling,
    synthetic_layer,
    write_labellings,
)
from tests.small_corpora import noisy, random_tags, tags

golds = st.lists(st.lists(st.integers(0, 1), max_size=12), max_size=12).map(TagColumn.of)


def counts(gold, labelling):
    """Return true positives and false positives of a labelling."""
    is_bad = labelling.values == 1
    return int((is_bad & (gold.values == 1)).sum()), int((is_bad & (gold.values == 0)).sum())


@given(golds, st.integers(0, 2**70), st.integers(0, 5))
def test_true_and_false_positives_follow_the_rules(gold, seed, draw):
    bad = int(gold.values.sum())
    ok = len(gold.values) - bad
    hits = round(0.1 * bad)
    expected = {
        "all-BAD": (bad, ok),
        "all-OK": (0, 0),
        "optimistic": (hits, min(ok, round(hits * 0.1 / 0.9))),
        "pessimistic": (round(0.9 * bad), round(0.9 * ok)),
    }
    for name, expected_counts in expected.items():
        labelling = make_labelling(gold, name, seed, draw)
        assert counts(gold, labelling) == expected_counts
        assert np.array_equal(labelling.offsets, gold.offsets)
        assert labelling.values.dtype == np.uint8
    if bad in (0, len(gold.values)):
        assert make_labelling(gold, "random", seed, draw) == gold


def test_shares_are_those_of_the_paper_at_its_share_of_bad():
    """With the paper's 19 % of BAD, precision .9 and recall .1 make 98 % OK."""
    gold = random_tags(np.full(2000, 20), 0.19, 3)
    labelling = make_labelling(gold, "optimistic")
    hits, false_alarms = counts(gold, labelling)
    assert hits / (hits + false_alarms) == pytest.approx(0.9, abs=1e-3)
    assert hits / gold.values.sum() == pytest.approx(0.1, abs=1e-3)
    assert 1 - labelling.bad_share() == pytest.approx(0.98, abs=2e-3)
    assert make_labelling(gold, "pessimistic").bad_share() == pytest.approx(0.9, abs=1e-4)


def test_random_labelling_has_the_share_of_the_gold_without_correlation():
    gold = random_tags(np.full(5000, 20), 0.19, 3)
    labelling = make_labelling(gold, "random")
    assert labelling.bad_share() == pytest.approx(gold.bad_share(), abs=0.006)
    assert abs(np.corrcoef(gold.values, labelling.values)[0, 1]) < 0.02


def test_words_labelled_bad_are_drawn_uniformly():
    gold = tags("b" * 40 + "o" * 60)
    share = np.mean([make_labelling(gold, "pessimistic", 1, draw).values for draw in range(400)], axis=0)
    assert share[:40].mean() == 36 / 40
    assert np.ptp(share) < 0.13


@pytest.mark.parametrize("name", RANDOM_LABELLINGS)
def test_random_labelling_depends_on_seed_draw_and_name(name):
    gold = random_tags(np.full(50, 20), 0.2, 5)
    labelling = make_labelling(gold, name, 7)
    assert make_labelling(gold, name, 7) == labelling
    other_labellings = [make_labelling(gold, name, 8), make_labelling(gold, name, 7, 1)]
    other_labellings += [make_labelling(gold, other_name, 7) for other_name in LABELLINGS if other_name != name]
    assert all(other_name != labelling for other_name in other_labellings)


@pytest.mark.parametrize("kind", [Kind.WORDS, Kind.GAPS, Kind.SOURCE])
def test_synthetic_layers_are_stored_but_not_scored(kind):
    gold = random_tags(np.array([3, 0, 8]), 0.4, 2)
    key = LayerKey(Provenance.GOLD, "gold", kind)
    corpus = Corpus("", 3, layers={key: Layer(key, gold)}).with_layer(
        Layer(LayerKey(Provenance.SYSTEM, "random", kind), noisy(gold, 0.3, 1))
    )
    for name in LABELLINGS:
        layer = synthetic_layer(gold, kind, name, 4)
        assert layer.tags == make_labelling(gold, name, 4)
        assert (layer.key.provenance, layer.key.display_name) == (Provenance.SYNTHETIC, f"synthetic-{name}")
        assert is_synthetic(layer.key.name)
        corpus = corpus.with_layer(layer)
    assert len(corpus.layers) == 7
    assert corpus.names(Provenance.SYSTEM) == ["random"]
    assert [key.name for key in View(corpus).scored_layers(kind)] == ["random"]
    assert synthetic_layer(gold, kind, "random", 4, 2).key.name == "synthetic-random-3"
    if kind is Kind.WORDS:
        assert Scoring.of(WORD_LEVEL, View(corpus)).names == ("random",)


def test_written_files_have_synthetic_names_and_read_back_the_same(tmp_path):
    gold = random_tags(np.array([3, 5, 8]), 0.4, 2)
    paths = write_labellings(tmp_path / "made" / "here", gold, seed=3, draws=2)
    assert [path.name for path in paths] == [
        "synthetic-all-BAD.tags", "synthetic-all-OK.tags", "synthetic-optimistic.tags", "synthetic-optimistic-2.tags",
        "synthetic-pessimistic.tags", "synthetic-pessimistic-2.tags", "synthetic-random.tags",
        "synthetic-random-2.tags",
    ]  # fmt: skip
    assert all(is_synthetic(system_name(path)) for path in paths)
    assert read_tags(paths[-1], Kind.WORDS).columns[Kind.WORDS] == make_labelling(gold, "random", 3, 1)
    assert not any(map(is_synthetic, ("random", "synthetic-deep", "my-synthetic-random", "synthetic-random.x")))
