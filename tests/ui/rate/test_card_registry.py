"""The card of a protocol follows from the kinds of its answers."""

from __future__ import annotations

from PySide6.QtCore import Qt

from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.ui.rate.cards import CARD_CLASSES, card_class
from tests.ratings.test_new_protocol import SQM

from .conftest import make_project


def test_each_answer_type_has_a_card() -> None:
    assert set(CARD_CLASSES) == {type(answer) for protocol in PROTOCOLS.values() for answer in protocol.answers}
    assert len({card_class(protocol) for protocol in PROTOCOLS.values()}) == len(CARD_CLASSES)


def test_new_protocol_is_rated_with_digit_keys(driver, monkeypatch) -> None:
    monkeypatch.setitem(PROTOCOLS, SQM.id, SQM)
    project = driver.begin(make_project(SQM.id, items=2))
    assert "0 to 6 select" in driver.card.keys(driver.session.work)
    driver.press(Qt.Key.Key_6)
    assert project.recorded_values("quality") == [6.0]
