"""NIST equals mteval-v13a and its definition; rows are independent of segment order."""

from __future__ import annotations

import json
from collections import Counter
from math import exp, log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.metrics.text.bleu import BleuSettings
from qe_desktop.metrics.text.nist import NistSettings, nist_metrics
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from qe_desktop.metrics.text.tokenizers import Tokenizer
from tests.metrics.text_strategies import system_and_references

GUIDES = {
    "hyp1": "It is a guide to action which ensures that the military always obeys the commands of the party",
    "hyp2": "It is to insure the troops forever hearing the activity guidebook that party direct",
}


def score(settings: NistSettings, system, references) -> float:
    metric = settings.metric()
    return float(metric.score(metric.family.rows(tokenized_pair(system, references)).sum(axis=0)))


def nist_by_definition(system, references, longest=5) -> float:
    """Return NIST by its definition, n-gram by n-gram."""

    def ngrams(line, n):
        words = line.split()
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    everywhere = [sum((ngrams(line, n) for text in references for line in text), Counter()) for n in range(longest + 1)]
    words = sum(everywhere[1].values())
    result = 0.0
    for n in range(1, longest + 1):
        information = total = 0.0
        for segment, line in enumerate(system):
            max_counts = Counter()
            for text in references:
                max_counts |= ngrams(text[segment], n)
            for ngram, count in ngrams(line, n).items():
                total += count
                if ngram in max_counts:
                    context = everywhere[n - 1][ngram[:-1]] if n > 1 else words
                    information += min(count, max_counts[ngram]) * log2(context / everywhere[n][ngram])
        result += information / max(total, 1)
    ratio = min(1.0, sum(len(line.split()) for line in system) / (words / len(references)))
    return result * exp(-log(2) / log(1.5) ** 2 * log(ratio) ** 2) if ratio > 0 else 0.0


@pytest.fixture(scope="module")
def oracles(data_folder):
    folder = data_folder.parent / "oracles/translations"
    return lambda name: json.loads((folder / f"{name}.json").read_text())


@pytest.mark.published
def test_nist_and_its_parts_equal_mteval(oracles):
    medium = oracles("medium_texts")
    cases = {name: case for name, case in oracles("nist_mteval13a")["cases"].items() if name.startswith("sys")}
    assert len(cases) == 24
    for name, case in cases.items():
        system, count, lowered = name.split("|")
        references, cut = int(count[0]), Tokenizer("mteval", lowercase=lowered == "lc")
        tokenized = tokenized_pair(medium["systems"][system], medium["refs"][:references])
        assert score(
            NistSettings(references, cut), medium["systems"][system], medium["refs"][:references]
        ) == pytest.approx(case["NIST"], abs=1e-8)
        rows = NistSettings(references, cut, 9).metric().family.rows(tokenized)
        totals = rows.sum(axis=0)
        assert totals[1] * references == pytest.approx(case["sum_ref_words"])
        assert totals[2:11] == pytest.approx(case["own_info_sums_1_9"], abs=1e-8)
        assert totals[11:].tolist() == case["own_hyp_ngrams_1_9"]
        for longest in range(1, 10):
            metric = NistSettings(references, cut, longest).metric()
            sums = metric.family.rows(tokenized).sum(axis=0)
            assert float(metric.score(sums)) == pytest.approx(case["cumulative_NIST_1_9"][longest - 1], abs=1e-8)
            assert float(metric.terms[0].evaluate(*sums)) == pytest.approx(case["own_penalty"], abs=1e-12)


@pytest.mark.published
def test_bleu_equals_mteval(oracles):
    """mteval's scores range from 0 to 1 and use n-grams of up to nine words."""
    medium = oracles("medium_texts")
    for name, case in oracles("nist_mteval13a")["cases"].items():
        if not name.startswith("sys"):
            continue
        system, count, lowered = name.split("|")
        references, cut = int(count[0]), Tokenizer("mteval", lowercase=lowered == "lc")
        tokenized = tokenized_pair(medium["systems"][system], medium["refs"][:references])
        for longest in range(1, 10):
            metric = BleuSettings(references, cut, longest=longest).metric()
            result = float(metric.score(metric.family.rows(tokenized).sum(axis=0)))
            assert result == pytest.approx(100 * case["cumulative_BLEU_1_9"][longest - 1], abs=1e-8)


@pytest.mark.published
@pytest.mark.parametrize("name", GUIDES)
def test_cased_segment_with_three_references_equals_mteval(name, oracles):
    oracle = oracles("nist_mteval13a")
    references = [[line] for line in oracle["inputs_doctest"]["refs"]]
    expected = oracle["cases"][f"doctest|{name}"]
    assert score(NistSettings(3, Tokenizer("mteval")), [GUIDES[name]], references) == pytest.approx(
        expected["NIST"], abs=1e-8
    )
    metric = BleuSettings(3, Tokenizer("mteval")).metric()
    result = float(metric.score(metric.family.rows(tokenized_pair([GUIDES[name]], references)).sum(axis=0)))
    assert result == pytest.approx(100 * expected["BLEU"], abs=1e-8)


@given(system_and_references(), st.integers(1, 9))
def test_nist_equals_its_definition(drawn, longest):
    system, references = drawn
    result = score(NistSettings(len(references), Tokenizer("none"), longest), system, references)
    if not any(line.split() for text in references for line in text):
        assert np.isnan(result)
    else:
        assert result == pytest.approx(nist_by_definition(system, references, longest), rel=1e-9, abs=1e-9)


@given(system_and_references(min_segments=2), st.randoms(use_true_random=False))
def test_rows_follow_the_order_of_segments(drawn, dice):
    system, references = drawn
    order = list(range(len(system)))
    dice.shuffle(order)
    rows_of = NistSettings(len(references)).metric().family.rows
    rows = rows_of(tokenized_pair(system, references))
    moved = rows_of(tokenized_pair([system[i] for i in order], [[text[i] for i in order] for text in references]))
    assert moved == pytest.approx(rows[order], abs=1e-12)


@given(system_and_references(min_segments=2))
def test_terms_can_be_summed_by_significance_tests(drawn):
    """Terms are linear, write to `out` and keep their arguments unchanged; all systems share the reference length."""
    metric = NistSettings(len(drawn[1])).metric()
    assert metric.family.shared == (1,)
    rows = metric.family.rows(tokenized_pair(*drawn))
    left, right = (half.sum(axis=0) for half in np.array_split(rows, 2))
    for term in metric.terms:
        parts = [
            np.array(term.parts(totals[0], rows[:, 1].sum(), *totals[2:]))
            for totals in (left, right, left + right, 0 * left)
        ]
        assert parts[0] + parts[1] - parts[3] == pytest.approx(parts[2])
        given_parts, out = [np.full((2, 3), value) for value in parts[2]], np.empty((2, 3))
        written = term.function(*given_parts, out=out)
        assert written == pytest.approx(np.full((2, 3), float(term.function(*parts[2], out=None))))
        assert all(np.all(part == value) for part, value in zip(given_parts, parts[2], strict=True))
    assert metric.finite_scores(rows).shape == (len(rows),)


def test_predictable_word_has_no_information():
    # in all references b always follows a, so b has no information after a
    metric = NistSettings(word_tokenizer=Tokenizer("none"), longest=2).metric()
    rows = metric.family.rows(tokenized_pair(["a b", "b a"], [["a b", "a b"]]))
    assert rows[:, 2].tolist() == [2, 2]
    assert rows[:, 3].tolist() == [0, 0]


def test_nist_of_empty_texts():
    metric = nist_metrics()[0]
    assert metric.family.rows(tokenized_pair([], [[]])).shape == (0, 12)
    assert np.isnan(float(metric.score(np.zeros(12))))
    assert "Undefined" in metric.reason
    assert score(NistSettings(), ["", "a"], [["a", ""]]) == 0
    assert score(NistSettings(), [""], [["a b"]]) == 0


def test_invalid_settings_are_errors():
    for longest in (0, 10):
        with pytest.raises(QeError, match="1 to 9 words"):
            NistSettings(longest=longest)
    with pytest.raises(ValueError, match="references"):
        NistSettings(2).metric().family.rows(tokenized_pair(["a"], [["a"]]))


def test_signature_states_the_settings():
    metric = NistSettings(3).metric()
    assert metric.signature.startswith("nrefs:3|case:lc|tok:mteval|order:5|weights:fixed|version:qe-desktop-")
    assert "stay fixed" in metric.help()
