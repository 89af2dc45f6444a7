"""WER and PER: the oracle, Wagner–Fischer edit distances, and references without words."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from qe_desktop.metrics.text.wer_per import count_word_edits, word_error_metrics
from tests.metrics.whitespace_tokenizer import (
    WhitespaceTokenizer,
    assert_rows_add_up,
    corpus_score,
    segment_score,
    segment_scores,
    text_pairs,
)

lines = st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join)


@pytest.mark.published
def test_segment_scores_equal_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/wer_per.json").read_text())["cases"]
    assert len(cases) == 37
    (wer, per), (_, other) = (
        word_error_metrics(WhitespaceTokenizer()),
        word_error_metrics(WhitespaceTokenizer(), counts_extra_words=False),
    )
    for case in cases:
        tokenized = tokenized_pair([case["hyp"]], [[case["ref"]]])
        assert wer.family.rows(tokenized)[0, 0] == case["lev"]
        for metric, key in ((wer, "WER"), (per, "PER_max"), (other, "PER_tillmann_no_ins")):
            expected = np.nan if case[key] is None else case[key]
            assert corpus_score(metric, tokenized) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def distance(first: list[str], second: list[str]) -> int:
    """Return the edit distance by Wagner and Fischer's table."""
    row = list(range(len(second) + 1))
    for i, token in enumerate(first, start=1):
        left, row = row, [i]
        for j, reference_token in enumerate(second, start=1):
            row.append(min(left[j] + 1, row[-1] + 1, left[j - 1] + (token != reference_token)))
    return row[-1]


@given(text_pairs(lines))
def test_word_edits_equal_wagner_fischer(drawn):
    system, references = drawn
    tokenized = tokenized_pair(system, references)
    system_tokens, reference_tokens = (
        tokenized.system.tokens(WhitespaceTokenizer()),
        tokenized.references[0].tokens(WhitespaceTokenizer()),
    )
    expected = [distance(first.split(), second.split()) for first, second in zip(system, references[0], strict=True)]
    assert count_word_edits(system_tokens, reference_tokens).tolist() == expected


@given(text_pairs(lines), st.booleans(), st.booleans())
def test_best_reference_with_words_is_used(drawn, words_too_many, empty_is_wrong):
    system, references = drawn
    chosen = {"counts_extra_words": words_too_many, "counts_empty_references": empty_is_wrong}
    several = word_error_metrics(WhitespaceTokenizer(), len(references), **chosen)
    assert_rows_add_up(several, system, references)
    for metric, single in zip(
        several, word_error_metrics(WhitespaceTokenizer(), counts_extra_words=words_too_many), strict=True
    ):
        each = [segment_scores(single, tokenized_pair(system, [reference])) for reference in references]
        best = np.fmin.reduce(each)
        if empty_is_wrong:
            best = np.where(np.isnan(best), [bool(line) and (metric.name, words_too_many) != ("PER", False)
                                             for line in system], best)  # fmt: skip
        assert segment_scores(metric, tokenized_pair(system, references)) == pytest.approx(best, abs=1e-15, nan_ok=True)


def test_rates_without_reference_words_are_undefined_or_one():
    for metric in word_error_metrics(WhitespaceTokenizer()):
        assert np.isnan(segment_score(metric, "a b", ""))
        assert np.isnan(segment_score(metric, "", ""))
        assert metric.finite_scores(np.array([2.0, 0.0])) == 0
        # in a corpus with other segments, its words count as errors
        assert corpus_score(metric, tokenized_pair(["a b", "c d"], [["", "c x"]])) == pytest.approx(3 / 2)
        assert "no words" in metric.reason
    for metric in word_error_metrics(WhitespaceTokenizer(), counts_empty_references=True):
        assert segment_score(metric, "a b", "") == 1
        assert segment_score(metric, "", "") == 0


def test_names_direction_signatures_and_shared_columns():
    wer, per = word_error_metrics(WhitespaceTokenizer(), 2, tokens="tok:blanks")
    assert (wer.name, per.name) == ("WER", "PER")
    assert {(metric.better, metric.usual_max) for metric in (wer, per)} == {(-1, 1)}
    assert (wer.signature, per.signature) == ("nrefs:2|tok:blanks", "nrefs:2|extra:yes|tok:blanks")
    assert [metric.family.shared for metric in (*word_error_metrics(WhitespaceTokenizer()), wer, per)] == [
        (1,),
        (1,),
        (),
        (),
    ]
    assert segment_score(wer, "a b c d", "a") == segment_score(per, "a b c d", "a") == 3
