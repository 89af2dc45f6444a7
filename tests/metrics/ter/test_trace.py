"""The traced edit distance is sacreBLEU's, operation by operation, within its beam and where it does not matter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from rapidfuzz.distance.Levenshtein import distance
from sacrebleu.metrics.lib_ter import BeamEditDistance

from qe_desktop.metrics.ter.edit_distance import EditBeam, beam_operations, bounded_edits, is_within_beam, trace_edits
from tests.metrics.ter.sequences import long_pairs, pairs


def characters(*texts):
    known = {}
    return ["".join(known.setdefault(token, chr(97 + len(known))) for token in text) for text in texts]


def theirs(mt, reference):
    edits, operations = BeamEditDistance(list(reference))(list(mt))
    return edits, operations.replace(" ", "=")


@given(pairs)
def test_operations_are_sacrebleus(pair):
    mt, reference = characters(*pair)
    found = trace_edits(mt, reference)
    assert (found.edits, found.operations) == theirs(mt, reference)
    assert beam_operations(mt, reference) == found.operations


@given(long_pairs)
@settings(max_examples=12)
def test_operations_of_long_segments_are_sacrebleus(pair):
    mt, reference = characters(*pair)
    found = trace_edits(mt, reference)
    assert (found.edits, found.operations) == theirs(mt, reference)
    assert bounded_edits(mt, reference, found.edits) == found.edits
    assert found.edits == 0 or bounded_edits(mt, reference, found.edits - 1) >= found.edits


def beside_the_beam():
    """40 tokens that only a way far from the diagonal finds again."""
    same = "".join(chr(200 + place) for place in range(40))
    return same + "x" * 60, "y" * 60 + same


def test_what_lies_beside_the_beam_is_not_found():
    mt, reference = beside_the_beam()
    assert not is_within_beam(100, len(mt), len(reference))
    assert trace_edits(mt, reference).edits == theirs(mt, reference)[0] == 100
    # without a beam the 40 tokens are matched, for 30 deletions and 30 insertions
    mt, reference = mt[:70], reference[30:]
    assert distance(mt, reference) == 60
    assert trace_edits(mt, reference).edits == theirs(mt, reference)[0] == 70


@pytest.mark.parametrize(("mt", "reference"), [(1, 200), (3, 200), (200, 3), (0, 5), (5, 0), (60, 60), (60, 200)])
def test_texts_of_unlike_lengths(mt, reference):
    ours, other = "ab" * mt, "bbc" * reference
    found = trace_edits(ours[:mt], other[:reference])
    assert (found.edits, found.operations) == theirs(ours[:mt], other[:reference])


def test_the_beam_holds_all_where_it_is_said_to():
    for mt, reference in [(30, 24), (50, 20), (1, 24), (24, 24), (200, 24)]:
        beam = EditBeam(mt, reference)
        assert is_within_beam(1000, mt, reference)
        assert all(beam.holds(row, column) for row in range(1, mt + 1) for column in range(reference + 1))
