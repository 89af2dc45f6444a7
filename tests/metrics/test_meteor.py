"""METEOR-2005: the brute-force oracle, the best reference, and the matching of a segment."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics.text.meteor import meteor_matching, meteor_metrics
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from tests.metrics.whitespace_tokenizer import (
    WhitespaceTokenizer,
    assert_rows_add_up,
    corpus_score,
    segment_score,
    segment_scores,
    text_pairs,
)

lines = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


@pytest.mark.published
def test_rows_and_scores_equal_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/meteor_original.json").read_text())["cases"]
    assert len(cases) == 37
    for fewest, chunks in (("crossings", "chunks_at_min_crossings"), ("chunks", "min_chunks")):
        (metric,) = meteor_metrics(WhitespaceTokenizer(lowercase=True), fewest=fewest)
        for case in cases:
            tokenized = tokenized_pair([case["hyp"]], [[case["ref"]]])
            expected = [case["m"], case["wt"], case["wr"], case.get(chunks, 0)]
            assert metric.family.rows(tokenized).tolist() == [expected]
            assert corpus_score(metric, tokenized) == pytest.approx(case[f"score_min_{fewest}"], abs=1e-12)


def test_fragmentation_penalty_of_the_paper():
    (metric,) = meteor_metrics(WhitespaceTokenizer())
    assert segment_score(metric, "a b c", "a b c") == pytest.approx(1 - 0.5 / 27)
    # half of the words match, in two chunks
    assert segment_score(metric, "a x b y", "a b z w") == pytest.approx(0.5 * 0.5)
    assert [segment_score(metric, *pair) for pair in (("", ""), ("a", ""), ("", "a"), ("b", "a"))] == [0, 0, 0, 0]
    assert (metric.name, metric.low, metric.high, metric.better) == ("METEOR-2005", 0, 1, 1)


def test_corpus_score_is_computed_from_summed_rows():
    (metric,) = meteor_metrics(WhitespaceTokenizer())
    tokenized = tokenized_pair(["a b c", "d x"], [["a b c", "d y z"]])
    assert metric.family.rows(tokenized).tolist() == [[3, 3, 3, 1], [1, 2, 3, 1]]
    assert corpus_score(metric, tokenized) == pytest.approx(40 / (9 * 6 + 5) * (1 - 0.5 * (2 / 4) ** 3))


@given(text_pairs(lines), st.sampled_from(["crossings", "chunks"]))
def test_best_reference_is_used(drawn, fewest):
    system, references = drawn
    several = meteor_metrics(WhitespaceTokenizer(), len(references), fewest=fewest)
    assert_rows_add_up(several, system, references)
    tokenized = tokenized_pair(system, references)
    (single,) = meteor_metrics(WhitespaceTokenizer(), fewest=fewest)
    each = [segment_scores(single, tokenized_pair(system, [reference])) for reference in references]
    score = segment_scores(several[0], tokenized)
    assert score == pytest.approx(np.max(each, axis=0), abs=1e-15)
    for segment, line in enumerate(system):
        matching = meteor_matching(tokenized, segment, WhitespaceTokenizer(), fewest)
        assert each[matching.reference][segment] == score[segment]
        reference_tokens = references[matching.reference][segment].split()
        assert all(line.split()[i] == reference_tokens[j] for i, j in matching.pairs)


def test_shared_columns_and_signatures():
    (single,), (several,) = (
        meteor_metrics(WhitespaceTokenizer()),
        meteor_metrics(WhitespaceTokenizer(), 2, fewest="chunks", tokens="tok:blanks"),
    )
    assert (single.family.shared, several.family.shared) == ((2,), ())
    assert (single.signature, several.signature) == ("nrefs:1|fewest:crossings", "nrefs:2|fewest:chunks|tok:blanks")
