"""Answer types are found by the field names of events because journals may not name the protocol."""

from __future__ import annotations

import pytest

from qe_desktop.answers.rating_conversion import answer_type_for
from qe_desktop.ratings.protocols import PROTOCOLS


@pytest.mark.parametrize("answer", [answer for protocol in PROTOCOLS.values() for answer in protocol.answers], ids=str)
def test_answer_type_of_a_field_matches_its_protocol(answer):
    assert isinstance(answer, answer_type_for(answer.name))
    assert answer.judges_pairs == (answer.span is None) == (answer.outputs[1] > 1)
    low, high = answer.integer_range
    value = (high,) * answer.outputs[0] if answer.judges_pairs else float(high)
    assert answer.problem(answer.validate(value, answer.outputs[0]), answer.outputs[0]) == ""
    assert answer.is_complete(value)
    assert not answer.is_complete(None)
    assert not answer.judges_pairs or not answer.is_complete((*value[1:], 0))
    assert low < high
