"""Edit operations and shifts of each token equal tercom's output."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from qe_desktop.metrics.ter.shifts import Shift
from qe_desktop.metrics.ter.ter_edits import EditStep, align_edits
from tests.metrics.ter.sequences import short_pairs

TERCOM_LETTERS = {"match": "C", "substitution": "S", "insertion": "D", "deletion": "I"}
"""tercom's letters for our operations."""
ALIGNMENT_OPTIONS = {
    "default": {},
    "case": {"case_sensitive": True},
    "noshift": {"shifts": False},
    "noshift_case": {"shifts": False, "case_sensitive": True},
}


@pytest.mark.published
@pytest.mark.parametrize("way", ALIGNMENT_OPTIONS)
def test_operations_equal_tercom(data_folder, way):
    cases = json.loads((data_folder.parent / "oracles/translations/ter_tercom.json").read_text())["cases"]
    assert len(cases) == 152
    for case in cases:
        mt, post_edit = case["hyp"].split(), case["ref"].split()
        alignment = align_edits(mt, post_edit, **ALIGNMENT_OPTIONS[way])
        known = case[way]
        assert alignment.edits == known["edits"], case
        # tercom prints no operations for an empty reference
        if post_edit:
            assert [TERCOM_LETTERS[step.operation] for step in alignment.steps] == [
                operation[2] for operation in known["ops[ref,hyp,op,shift]"]
            ]


def test_steps_and_shifts_of_small_cases():
    alignment = align_edits(["on", "the", "mat", "sat", "THE", "cat"], ["the", "cat", "sat", "on", "the", "mat"])
    assert alignment.edits == len(alignment.shifts) == 2
    assert {step.operation for step in alignment.steps} == {"match"}
    assert alignment.pairs == ((4, 0), (5, 1), (3, 2), (0, 3), (1, 4), (2, 5))
    assert align_edits(["a", "b"], ["b", "c"], shifts=False).steps == (
        EditStep("substitution", 0, 0, False), EditStep("substitution", 1, 1, False),
    )  # fmt: skip
    assert align_edits(["A"], ["a"], case_sensitive=True).edits == 1
    assert align_edits(["a", "b"], ["b"]).steps == (
        EditStep("deletion", 0, None, False),
        EditStep("match", 1, 0, False),
    )
    assert align_edits(["b"], ["a", "b"]).steps == (
        EditStep("insertion", None, 0, False),
        EditStep("match", 0, 1, False),
    )
    assert align_edits(["a"], []).edits == 1
    assert align_edits([], []).steps == ()


@given(short_pairs)
def test_every_token_has_one_step_in_shifted_order(pair):
    mt, post_edit = pair
    alignment = align_edits(mt, post_edit)
    assert sorted(step.mt for step in alignment.steps if step.mt is not None) == list(range(len(mt)))
    assert [step.post_edit for step in alignment.steps if step.post_edit is not None] == list(range(len(post_edit)))
    for step in alignment.steps:
        if step.mt is not None and step.post_edit is not None:
            assert (mt[step.mt] == post_edit[step.post_edit]) == (step.operation == "match")
    order = list(range(len(mt)))
    for shift in alignment.shifts:
        assert isinstance(shift, Shift)
        order = [order[index] for index in shift.order(len(mt))]
    assert [step.mt for step in alignment.steps if step.mt is not None] == order
