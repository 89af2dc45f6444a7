"""Kinds of answers are found by the fields of their events, as journals need it that name no protocol."""

from __future__ import annotations

import pytest

from qe_desktop.answers.rating_conversion import answer_type_for
from qe_desktop.ratings.protocols import PROTOCOLS


@pytest.mark.parametrize("answer", [answer for protocol in PROTOCOLS.values() for answer in protocol.answers], ids=str)
def test_the_kind_of_a_field_is_that_of_its_answers(answer):
    assert isinstance(answer, answer_type_for(answer.name))
    assert answer.judges_pairs == (answer.span is None) == (answer.outputs[1] > 1)
    low, high = answer.takes
    value = (high,) * answer.outputs[0] if answer.judges_pairs else float(high)
    assert answer.problem(answer.checked(value, answer.outputs[0]), answer.outputs[0]) == ""
    assert answer.is_whole(value)
    assert not answer.is_whole(None)
    assert not answer.judges_pairs or not answer.is_whole((*value[1:], 0))
    assert low < high
