"""METEOR-2005: the oracle's brute force, the best reference, and what is drilled into."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics.text.meteor import meteor_matching, meteor_metrics
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from tests.metrics.cutting import Blanks, assert_rows_add_up, by_segment, one, texts, whole

lines = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


@pytest.mark.published
def test_segments_of_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/meteor_original.json").read_text())["cases"]
    assert len(cases) == 37
    for fewest, chunks in (("crossings", "chunks_at_min_crossings"), ("chunks", "min_chunks")):
        (metric,) = meteor_metrics(Blanks(lowercase=True), fewest=fewest)
        for case in cases:
            beside = tokenized_pair([case["hyp"]], [[case["ref"]]])
            expected = [case["m"], case["wt"], case["wr"], case.get(chunks, 0)]
            assert metric.family.rows(beside).tolist() == [expected]
            assert whole(metric, beside) == pytest.approx(case[f"score_min_{fewest}"], abs=1e-12)


def test_the_papers_penalty():
    (metric,) = meteor_metrics(Blanks())
    assert one(metric, "a b c", "a b c") == pytest.approx(1 - 0.5 / 27)
    # half of the words, in two chunks
    assert one(metric, "a x b y", "a b z w") == pytest.approx(0.5 * 0.5)
    assert [one(metric, *pair) for pair in (("", ""), ("a", ""), ("", "a"), ("b", "a"))] == [0, 0, 0, 0]
    assert (metric.name, metric.low, metric.high, metric.better) == ("METEOR-2005", 0, 1, 1)


def test_a_corpus_is_scored_by_its_sums():
    (metric,) = meteor_metrics(Blanks())
    beside = tokenized_pair(["a b c", "d x"], [["a b c", "d y z"]])
    assert metric.family.rows(beside).tolist() == [[3, 3, 3, 1], [1, 2, 3, 1]]
    assert whole(metric, beside) == pytest.approx(40 / (9 * 6 + 5) * (1 - 0.5 * (2 / 4) ** 3))


@given(texts(lines), st.sampled_from(["crossings", "chunks"]))
def test_the_best_reference_is_taken(drawn, fewest):
    system, references = drawn
    several = meteor_metrics(Blanks(), len(references), fewest=fewest)
    assert_rows_add_up(several, system, references)
    beside = tokenized_pair(system, references)
    (single,) = meteor_metrics(Blanks(), fewest=fewest)
    each = [by_segment(single, tokenized_pair(system, [reference])) for reference in references]
    found = by_segment(several[0], beside)
    assert found == pytest.approx(np.max(each, axis=0), abs=1e-15)
    for segment, line in enumerate(system):
        drilled = meteor_matching(beside, segment, Blanks(), fewest)
        assert each[drilled.reference][segment] == found[segment]
        there = references[drilled.reference][segment].split()
        assert all(line.split()[i] == there[j] for i, j in drilled.pairs)


def test_what_is_shared_and_signed():
    (single,), (several,) = meteor_metrics(Blanks()), meteor_metrics(Blanks(), 2, fewest="chunks", tokens="tok:blanks")
    assert (single.family.shared, several.family.shared) == ((2,), ())
    assert (single.signature, several.signature) == ("nrefs:1|fewest:crossings", "nrefs:2|fewest:chunks|tok:blanks")
