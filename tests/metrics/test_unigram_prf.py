"""Unigram precision, recall and F-means: the oracle, plain counts, and the best reference."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics.text.tokenized_pairs import (
    count_matches,
    overlap_rows,
    rows_by_reference,
    select_best_references,
    single_segment,
    tokenized_pair,
)
from qe_desktop.metrics.text.unigram_prf import RECALL_WEIGHTS, f_mean, unigram_matching, unigram_metrics
from tests.metrics.whitespace_tokenizer import (
    WhitespaceTokenizer,
    assert_rows_add_up,
    corpus_score,
    segment_score,
    segment_scores,
    text_pairs,
)

STEMMERS = {"none": "", "nltk-orig": "porter", "snowball-english": "english"}
lines = st.lists(st.sampled_from("abcde"), max_size=8).map(" ".join)


@pytest.fixture
def oracle(data_folder):
    return data_folder.parent / "oracles/translations"


@pytest.mark.published
def test_segment_scores_and_matches_equal_the_oracle(oracle):
    cases = json.loads((oracle / "unigram_prf.json").read_text())["small"]
    assert len(cases) == 30
    for case in cases:
        tokenized = tokenized_pair([case["hyp"]], [[reference] for reference in case["refs"]])
        for name, stemmer in STEMMERS.items():
            cutting = WhitespaceTokenizer(lowercase=True, stemmer=stemmer)
            rows = rows_by_reference(tokenized, cutting, overlap_rows)
            expected = [[each["m"], each["wt"], each["wr"]] for each in case[name]["per_ref"]]
            assert [list(row[0]) for row in rows] == expected
            for metric in unigram_metrics(cutting, len(case["refs"])):
                short = metric.name.removeprefix("unigram-")
                assert corpus_score(metric, tokenized) == pytest.approx(case[name]["best"][short], abs=1e-12)
                matching = unigram_matching(tokenized, 0, cutting, RECALL_WEIGHTS[metric.name])
                assert matching.reference == case[name]["best_ref"][short]
                assert len(matching.pairs) == case[name]["per_ref"][matching.reference]["m"]
            for row, each in zip(rows, case[name]["per_ref"], strict=True):
                alike = [float(metric.score(row[0])) for metric in unigram_metrics(cutting)]
                assert alike == pytest.approx([each[short] for short in ("P", "R", "F1", "Fmean")], abs=1e-12)


@pytest.mark.published
def test_micro_and_macro_corpus_scores_equal_the_oracle(oracle):
    texts = json.loads((oracle / "medium_texts.json").read_text())
    cases = json.loads((oracle / "unigram_prf.json").read_text())["medium"]
    assert len(cases) == 24
    for case, expected in cases.items():
        name, references, stemming = case.split("|")
        count, cutting = int(references[0]), WhitespaceTokenizer(lowercase=True, stemmer=STEMMERS[stemming])
        tokenized = tokenized_pair(texts["systems"][name], texts["refs"][:count])
        for micro, macro in zip(
            unigram_metrics(cutting, count), unigram_metrics(cutting, count, corpus="macro"), strict=True
        ):
            expected_metric = expected[micro.name.removeprefix("unigram-")]
            sums = micro.family.rows(tokenized).sum(axis=0)
            assert sums.tolist() == [expected_metric["sum_m"], expected_metric["sum_wt"], expected_metric["sum_wr"]]
            assert float(micro.score(sums)) == pytest.approx(expected_metric["micro_from_best_ref_sums"], abs=1e-12)
            assert corpus_score(macro, tokenized) == pytest.approx(expected_metric["macro_mean_of_segments"], abs=1e-12)


@given(text_pairs(lines))
def test_matches_equal_a_plain_count(drawn):
    system, references = drawn
    tokenized = tokenized_pair(system, references)
    system_tokens, reference_tokens = (
        tokenized.system.tokens(WhitespaceTokenizer()),
        tokenized.references[0].tokens(WhitespaceTokenizer()),
    )
    expected = [
        (Counter(first.split()) & Counter(second.split())).total()
        for first, second in zip(system, references[0], strict=True)
    ]
    assert count_matches(system_tokens, reference_tokens).tolist() == expected
    assert count_matches(reference_tokens, system_tokens).tolist() == expected
    assert [
        int(count_matches(single_segment(system_tokens, n), single_segment(reference_tokens, n))[0])
        for n in range(len(system))
    ] == expected


@given(text_pairs(lines), st.sampled_from(["micro", "macro"]))
def test_each_metric_uses_its_best_reference(drawn, corpus):
    system, references = drawn
    several = unigram_metrics(WhitespaceTokenizer(), len(references), corpus=corpus)
    assert_rows_add_up(several, system, references)
    tokenized = tokenized_pair(system, references)
    for metric, single in zip(several, unigram_metrics(WhitespaceTokenizer()), strict=True):
        each = [segment_scores(single, tokenized_pair(system, [reference])) for reference in references]
        assert segment_scores(metric, tokenized) == pytest.approx(np.max(each, axis=0), abs=1e-15)


@given(lines, lines, st.floats(0, 1))
def test_f_mean_of_precision_and_recall(system, reference, alpha):
    p, r, f1, fmean = (segment_score(metric, system, reference) for metric in unigram_metrics(WhitespaceTokenizer()))
    assert f_mean(p, r, 0.9) == pytest.approx(fmean)
    assert f_mean(p, r, 0.5) == pytest.approx(f1)
    assert f_mean(p, r, 1.0) == pytest.approx(r)
    assert f_mean(p, r, 0.0) == pytest.approx(p)
    assert min(p, r) - 1e-12 <= f_mean(p, r, alpha) <= max(p, r) + 1e-12
    assert f_mean(np.full((2, 3), p), r, alpha).shape == (2, 3)
    assert f_mean(0.5, 1.0, 0.9) == pytest.approx(10 * 0.5 / (9 * 0.5 + 1))


def test_texts_without_matches_score_zero():
    for metric in unigram_metrics(WhitespaceTokenizer()):
        assert [segment_score(metric, *pair) for pair in (("", ""), ("a", ""), ("", "a"), ("b", "a"))] == [0, 0, 0, 0]
        assert corpus_score(metric, tokenized_pair([], [[]])) == 0


def test_first_of_equally_good_references_is_used():
    rows = [np.array([[2.0, 4, 4], [1, 1, 2]]), np.array([[1.0, 2, 2], [1, 1, 1]])]
    assert select_best_references(rows, lambda row: row[:, 0] / row[:, 2]).tolist() == [0, 1]


def test_metrics_share_a_family_if_they_need_the_same_rows():
    names = [metric.family.name for metric in unigram_metrics(WhitespaceTokenizer(), tokens="tok:blanks")]
    assert len(set(names)) == 1
    assert [metric.family.shared for metric in unigram_metrics(WhitespaceTokenizer())] == [(2,)] * 4
    assert len({metric.family.name for metric in unigram_metrics(WhitespaceTokenizer(), 2)}) == 4
    assert {metric.family.shared for metric in unigram_metrics(WhitespaceTokenizer(), 2)} == {()}
    assert (
        unigram_metrics(WhitespaceTokenizer(), 2, tokens="tok:blanks")[0].signature == "nrefs:2|corpus:micro|tok:blanks"
    )


def test_matching_pairs_the_first_occurrence_of_each_word():
    matching = unigram_matching(
        tokenized_pair(["x", "the a the b"], [["x", "b the"], ["y", "the c the"]]),
        1,
        WhitespaceTokenizer(),
        Fraction(1),
    )
    assert (matching.reference, matching.pairs) == (0, ((0, 1), (3, 0)))
    assert hash(matching) == hash(matching)
