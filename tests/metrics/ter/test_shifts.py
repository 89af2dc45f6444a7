"""Shifts equal tercom's as implemented in sacreBLEU."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sacrebleu.metrics.lib_ter import _find_shifted_pairs, _perform_shift, translation_edit_rate

from qe_desktop.metrics.ter.edit_distance import trace_edits
from qe_desktop.metrics.ter.shifts import MAX_SHIFT_CANDIDATES, Shift, _ShiftCandidates, shift_tokens
from tests.metrics.ter.sequences import long_pairs, short_pairs
from tests.metrics.ter.test_edit_distance import characters


@given(short_pairs)
@settings(max_examples=150)
def test_edits_equal_sacrebleu(pair):
    mt, reference = characters(*pair)
    assert shift_tokens(mt, reference).edits == translation_edit_rate(list(mt), list(reference))[0]


@given(long_pairs)
@settings(max_examples=5)
def test_edits_of_long_segments_equal_sacrebleu(pair):
    mt, reference = characters(*pair)
    assert shift_tokens(mt, reference).edits == translation_edit_rate(list(mt), list(reference))[0]


def test_iteration_with_too_many_shift_candidates_is_discarded():
    mt, reference = "abcab" * 12, "bacba" * 12
    assert _ShiftCandidates(mt, reference, trace_edits(mt, reference)).count >= MAX_SHIFT_CANDIDATES
    result = shift_tokens(mt, reference)
    assert result.shifts == ()
    assert result.edits == translation_edit_rate(list(mt), list(reference))[0]


@pytest.mark.parametrize("start", range(6))
@pytest.mark.parametrize("length", range(1, 4))
@pytest.mark.parametrize("target", range(9))
def test_applied_shift_equals_tercom(start, length, target):
    mt = "abcdefghi"
    shift = Shift(start, length, target)
    moved = shift.apply(mt)
    assert moved == "".join(_perform_shift(list(mt), start, length, target))
    assert "".join(mt[index] for index in shift.order(len(mt))) == moved
    # the edits that a shift can save are bounded by its reach
    assert trace_edits(moved, mt).edits <= 2 * shift.min_moved_tokens


@given(short_pairs)
def test_shift_candidates_occur_in_mt_and_reference(pair):
    mt, reference = characters(*pair)
    moves = _ShiftCandidates(mt, reference, trace_edits(mt, reference))
    both = {(start, length) for start, _, length in _find_shifted_pairs(list(mt), list(reference))}
    assert {(shift.start, shift.length) for shift in moves.sorted_shifts()} <= both


@given(short_pairs)
def test_lower_bound_of_edits_does_not_change_the_shifts(pair):
    mt, reference = characters(*pair)
    common = sum(min(mt.count(token), reference.count(token)) for token in set(mt))
    known = shift_tokens(mt, reference, max(len(mt), len(reference)) - common)
    assert known == shift_tokens(mt, reference)
