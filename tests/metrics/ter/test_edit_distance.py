"""Traced edit operations equal sacreBLEU's, with and without an effect of its beam."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from rapidfuzz.distance.Levenshtein import distance
from sacrebleu.metrics.lib_ter import BeamEditDistance

from qe_desktop.metrics.ter.edit_distance import EditBeam, beam_operations, bounded_edits, is_within_beam, trace_edits
from tests.metrics.ter.sequences import long_pairs, short_pairs


def characters(*texts):
    known = {}
    return ["".join(known.setdefault(token, chr(97 + len(known))) for token in text) for text in texts]


def sacrebleu_trace(mt, reference):
    edits, operations = BeamEditDistance(list(reference))(list(mt))
    return edits, operations.replace(" ", "=")


@given(short_pairs)
def test_operations_equal_sacrebleu(pair):
    mt, reference = characters(*pair)
    trace = trace_edits(mt, reference)
    assert (trace.edits, trace.operations) == sacrebleu_trace(mt, reference)
    assert beam_operations(mt, reference) == trace.operations


@given(long_pairs)
@settings(max_examples=12)
def test_operations_of_long_segments_equal_sacrebleu(pair):
    mt, reference = characters(*pair)
    trace = trace_edits(mt, reference)
    assert (trace.edits, trace.operations) == sacrebleu_trace(mt, reference)
    assert bounded_edits(mt, reference, trace.edits) == trace.edits
    assert trace.edits == 0 or bounded_edits(mt, reference, trace.edits - 1) >= trace.edits


def texts_outside_the_beam():
    """Return texts with 40 common tokens that only an alignment far from the diagonal matches."""
    same = "".join(chr(200 + index) for index in range(40))
    return same + "x" * 60, "y" * 60 + same


def test_matches_outside_the_beam_are_not_found():
    mt, reference = texts_outside_the_beam()
    assert not is_within_beam(100, len(mt), len(reference))
    assert trace_edits(mt, reference).edits == sacrebleu_trace(mt, reference)[0] == 100
    # without a beam the 40 tokens are matched, for 30 deletions and 30 insertions
    mt, reference = mt[:70], reference[30:]
    assert distance(mt, reference) == 60
    assert trace_edits(mt, reference).edits == sacrebleu_trace(mt, reference)[0] == 70


@pytest.mark.parametrize(("mt", "reference"), [(1, 200), (3, 200), (200, 3), (0, 5), (5, 0), (60, 60), (60, 200)])
def test_operations_of_texts_of_unequal_lengths_equal_sacrebleu(mt, reference):
    ours, other = "ab" * mt, "bbc" * reference
    trace = trace_edits(ours[:mt], other[:reference])
    assert (trace.edits, trace.operations) == sacrebleu_trace(ours[:mt], other[:reference])


def test_is_within_beam_implies_that_the_beam_contains_all_cells():
    for mt, reference in [(30, 24), (50, 20), (1, 24), (24, 24), (200, 24)]:
        beam = EditBeam(mt, reference)
        assert is_within_beam(1000, mt, reference)
        assert all(beam.contains(row, column) for row in range(1, mt + 1) for column in range(reference + 1))
