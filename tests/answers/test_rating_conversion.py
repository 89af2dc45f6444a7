"""Answer types are found by the field names of events because journals may not name the protocol."""

from __future__ import annotations

import pytest

from qe_desktop.answers.answer_type import RatingContext
from qe_desktop.answers.event_history import COMMENT, SKIP, EventHistory, RatingEvent
from qe_desktop.answers.rating_conversion import RatingRows, answer_type_for
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


def test_skip_and_comment_have_the_time_at_which_they_were_written():
    events = [
        RatingEvent("1", "c", "s", "Ann", 1000.0, COMMENT, "odd", 20.0),
        RatingEvent("2", "c", "s", "Ann", 1090.0, SKIP, "unreadable", 90.0),
    ]
    rows = RatingRows()
    rows.add_screen(RatingContext("c", "s", "Ann", "1", (("MT",),)), EventHistory(events).screens["s"])
    assert [(comment.text, comment.started) for comment in rows.ratings(origin="test").comments] == [
        ("unreadable", 1090.0),
        ("odd", 1000.0),
    ]
