"""Simulated systems: quality of their tags, probabilities and scores matches their names."""

from __future__ import annotations

import re

import pytest

import qe_desktop
from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.levels import levels_of
from qe_desktop.levels.sentences import SENTENCES
from tests.samples.sample_files import (
    SAMPLES,
    SYSTEMS,
    WITH_PROBABILITIES,
    confusion_counts,
    gap_flags,
    mcc,
    read_lines,
    read_tokens,
    word_flags,
)

MCC_RANGES = {
    "strong": (0.55, 0.65),
    "cautious": (0.40, 0.50),
    "eager": (0.30, 0.40),
    "weak": (0.10, 0.20),
}


@pytest.mark.parametrize("system", WITH_PROBABILITIES)
def test_probabilities_thresholded_at_one_half_equal_the_word_tags(pair: str, system: str) -> None:
    values = read_tokens(pair, f"systems/{system}.probabilities")
    for row, mt in zip(values, read_tokens(pair, "sample.mt"), strict=True):
        assert len(row) == len(mt)
        assert all(re.fullmatch(r"0\.\d{4}|1\.0000", value) for value in row)
    chances = [float(value) for row in values for value in row]
    assert 0.5 not in chances
    assert [chance >= 0.5 for chance in chances] == word_flags(pair, f"systems/{system}.tags")
    assert len(set(chances)) > len(chances) / 3


def test_mcc_of_systems_is_in_the_range_of_their_names(pair: str) -> None:
    gold = word_flags(pair, "sample.tags")
    result = [mcc(gold, word_flags(pair, f"systems/{system}.tags")) for system in SYSTEMS]
    assert result == sorted(result, reverse=True)
    for system, value in zip(SYSTEMS, result, strict=True):
        low, high = MCC_RANGES[system]
        assert low <= value <= high, system


def test_systems_differ_in_precision_and_recall(pair: str) -> None:
    gold = word_flags(pair, "sample.tags")
    profile = {}
    for system in SYSTEMS:
        tp, fp, fn, _ = confusion_counts(gold, word_flags(pair, f"systems/{system}.tags"))
        profile[system] = tp / (tp + fp), tp / (tp + fn)
    assert profile["cautious"][0] > profile["strong"][0] > profile["eager"][0]
    assert profile["eager"][1] > profile["strong"][1] > profile["cautious"][1]
    assert profile["cautious"][0] >= 0.75
    assert profile["eager"][1] >= 0.65


def test_sentence_scores_correlate_moderately_with_the_gold(pair: str) -> None:
    """Correlations are typical of shared tasks; in the large sample, only some differ significantly."""
    gold = [float(line) for line in read_lines(pair, "sample.hter")]
    scores = {system: [float(line) for line in read_lines(pair, f"systems/{system}.hter")] for system in SYSTEMS}
    assert all(min(column) > 0 and max(column) < 1.5 for column in scores.values())
    comparison = qe_desktop.compare("sentences", gold, scores).json()
    pearson = comparison["metrics"]["Pearson"]
    assert comparison["test"] == "williams-two-tailed"
    assert all(0.1 < value < 0.8 for value in pearson["scores"].values())
    assert len({round(value, 2) for value in pearson["scores"].values()}) == len(SYSTEMS)
    assert comparison["systems"][-1] == "weak"
    if pair == "en-de":
        assert comparison["systems"] == list(SYSTEMS)
        assert pearson["significant"] == {
            "strong": ["eager", "weak"], "cautious": ["weak"], "eager": [], "weak": [],
        }  # fmt: skip


def test_sentence_scores_are_imported_with_the_tags(pair: str) -> None:
    corpus = build_corpus(plan_imports([SAMPLES / pair])[0])
    view = View(corpus)
    assert SENTENCES.reference(view) == LayerKey(Provenance.GOLD, "hter", Kind.SCORES)
    assert [key.name for key in SENTENCES.subjects(view, SENTENCES.references(view)[0])] == sorted(SYSTEMS)
    # one of the samples also has references and ratings
    more = [*(["translations"] if corpus.references else []), *(["people"] if corpus.ratings is not None else [])]
    assert [level.name for level in levels_of(view)] == ["words", "gaps", "source", "sentences", *more]


def test_gap_tags_correlate_with_the_gold(pair: str) -> None:
    gold = gap_flags(pair, "sample.tags")
    value = {system: mcc(gold, gap_flags(pair, f"systems/{system}.tags")) for system in SYSTEMS}
    assert min(value.values()) > 0.0
    assert max(value, key=lambda system: value[system]) == "strong"
    assert min(value, key=lambda system: value[system]) == "weak"
