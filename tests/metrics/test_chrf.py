"""chrF and chrF++ equal sacreBLEU on its oracles and on random texts."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF

from qe_desktop.metrics.text import ngrams as counting
from qe_desktop.metrics.text.chrf import ChrfSettings, EdgeWords, chrf_metrics, segment_chars
from qe_desktop.metrics.text.ngrams import count_shared_ngrams, ngram_totals
from qe_desktop.metrics.text.tokenized_pairs import TokenColumn, tokenized_pair
from tests.metrics.whitespace_tokenizer import (
    assert_rows_add_up,
    corpus_score,
    segment_score,
    segment_scores,
    text_pairs,
)

ORACLE = {
    "chrF2": ("chrF", ChrfSettings()),
    "chrF2++": ("chrF++", ChrfSettings()),
    "chrF2-lc": ("chrF", ChrfSettings(lowercase=True)),
    "chrF2-ws": ("chrF", ChrfSettings(whitespace=True)),
    "chrF3": ("chrF", ChrfSettings(beta=3)),
    "chrF2-eps": ("chrF", ChrfSettings(eps_smoothing=True)),
}


def configured_metric(name, references):
    metric, settings = ORACLE[name]
    return next(candidate for candidate in chrf_metrics(references, settings) if candidate.name == metric)


@pytest.fixture
def oracle(data_folder):
    return data_folder.parent / "oracles/translations"


@pytest.mark.published
def test_segment_scores_equal_the_oracle(oracle):
    cases = json.loads((oracle / "surface_small_sentence.json").read_text())["cases"]
    assert len(cases) == 30
    for case in cases:
        assert set(case["chrf"]) == set(ORACLE)
        for name, expected in case["chrf"].items():
            assert segment_score(
                configured_metric(name, len(case["refs"])), case["hyp"], *case["refs"]
            ) == pytest.approx(expected, abs=1e-9)


@pytest.mark.published
def test_corpus_scores_equal_the_oracle(oracle):
    texts = json.loads((oracle / "medium_texts.json").read_text())
    systems = json.loads((oracle / "surface_medium_corpus.json").read_text())["systems"]
    assert len(systems) == 4
    for system, by_references in systems.items():
        for references, expected in by_references.items():
            count = int(references[0])
            tokenized = tokenized_pair(texts["systems"][system], texts["refs"][:count])
            for name in ORACLE:
                assert corpus_score(configured_metric(name, count), tokenized) == pytest.approx(
                    expected[f"chrf:{name}"], abs=1e-9
                )
            rows = configured_metric("chrF2", count).family.rows(tokenized)
            assert rows.tolist() == expected["seg_stats"]["chrf2[(h,r,m)x6]"]


# few letters, so that n-grams are shared; special cases of str.lower and str.split are included
letters = st.sampled_from("abA ß.,'(-\t\xa0\u2028İΣ語文\U0001f600\ud800")
lines = st.one_of(st.just(""), st.text(letters, max_size=24), st.text(max_size=12))
options = st.builds(
    ChrfSettings, beta=st.integers(1, 3), lowercase=st.booleans(), whitespace=st.booleans(), eps_smoothing=st.booleans()
)


@settings(max_examples=100)
@given(text_pairs(lines), options)
def test_chrf_equals_sacrebleu(drawn, chosen):
    system, references = drawn
    tokenized = tokenized_pair(system, references)
    for metric, words in zip(chrf_metrics(len(references), chosen), (0, 2), strict=True):
        sacrebleu_metric = CHRF(
            word_order=words, beta=chosen.beta, lowercase=chosen.lowercase, whitespace=chosen.whitespace,
            eps_smoothing=chosen.eps_smoothing,
        )  # fmt: skip
        assert metric.family.rows(tokenized).tolist() == sacrebleu_metric._extract_corpus_statistics(system, references)
        assert corpus_score(metric, tokenized) == pytest.approx(
            sacrebleu_metric.corpus_score(system, references).score, abs=1e-9
        )
        each = [
            sacrebleu_metric.sentence_score(line, [reference[number] for reference in references]).score
            for number, line in enumerate(system)
        ]
        assert segment_scores(metric, tokenized) == pytest.approx(each, abs=1e-9)
        expected_signature = dict(part.split(":") for part in str(sacrebleu_metric.get_signature().format()).split("|"))
        signature = dict(part.split(":") for part in metric.signature.split("|"))
        expected_signature.pop("version")
        assert signature == {**expected_signature, "beta": str(chosen.beta)}


@given(text_pairs(lines), options)
def test_rows_depend_only_on_their_segment(drawn, chosen):
    assert_rows_add_up(chrf_metrics(len(drawn[1]), chosen), *drawn)


def tokens_of(rows: list[list[int]]) -> TokenColumn:
    return TokenColumn(
        np.array([code for row in rows for code in row], np.int64), np.cumsum([0, *map(len, rows)], dtype=np.int64)
    )


def shared_ngram_counts(first: list[int], second: list[int], order: int) -> list[int]:
    def grams(tokens, n):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    return [(grams(first, n) & grams(second, n)).total() for n in range(1, order + 1)]


# small and large codes, so that both halves of a large alphabet occur
symbols = st.lists(st.one_of(st.integers(0, 2), st.integers(0, 1 << 20)), max_size=12)


@given(st.lists(st.tuples(symbols, symbols), max_size=5), st.integers(1, 6), st.sampled_from([63, 24]), st.booleans())
def test_shared_ngrams_equal_a_plain_count(pairs, order, bits, in_blocks):
    system, reference = ([list(pair[side]) for pair in pairs] for side in (0, 1))
    with pytest.MonkeyPatch.context() as patch:
        # with few bits, an n-gram of few symbols no longer fits one number
        patch.setattr(counting, "_BITS", bits)
        patch.setattr(counting, "BLOCK", 5 if in_blocks else counting.BLOCK)
        counts = count_shared_ngrams(tokens_of(system), tokens_of(reference), order)
    assert counts.tolist() == [shared_ngram_counts(*pair, order) for pair in pairs]
    lengths = [[max(0, len(row) - n) for n in range(order)] for row in system]
    assert ngram_totals(tokens_of(system).counts, order).tolist() == lengths


def test_shared_ngrams_of_a_large_alphabet_are_exact():
    dice = np.random.default_rng(1)
    reference = dice.integers(0, 30_000, (20, 60))
    system = np.where(dice.random(reference.shape) < 0.2, dice.integers(0, 30_000, reference.shape), reference)
    counts = count_shared_ngrams(tokens_of(system.tolist()), tokens_of(reference.tolist()), 6)
    assert counts.tolist() == [
        shared_ngram_counts(*pair, 6) for pair in zip(system.tolist(), reference.tolist(), strict=True)
    ]
    assert counts[:, 5].sum() > 0


def test_whitespace_is_that_of_str_split():
    every = "".join(chr(code) for code in range(0x110000))
    cut = segment_chars(tokenized_pair([every], [[every]]).system)
    assert "".join(map(chr, cut.codes)) == "".join(every.split())


def test_edge_punctuation_is_a_token_of_its_own():
    assert EdgeWords()(["(hi) 'tis a . ... x", ""]) == [["(hi", ")", "'", "tis", "a", ".", "..", ".", "x"], []]
    assert EdgeWords(lowercase=True)(["AB!"]) == [["ab", "!"]]


def test_columns_shared_columns_and_score_range():
    for metric, columns in zip(chrf_metrics(), (18, 24), strict=True):
        assert len(metric.family.columns) == len(set(metric.family.columns)) == columns
        assert metric.family.shared == tuple(range(1, columns, 3))
        assert (metric.low, metric.high, metric.better) == (0, 100, 1)
    assert [metric.family.shared for metric in chrf_metrics(2)] == [(), ()]
    for metric in chrf_metrics():
        assert corpus_score(metric, tokenized_pair([], [[]])) == 0
        assert segment_score(metric, "the same", "the same") == 100
