"""Whatever keys are pressed in whatever order: nothing breaks, and the events alone give the same state again."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT
from qe_desktop.ui.rate.rating_session import RatingSession
from tests.ui.rate.conftest import make

Key = Qt.Key
DIGITS = [Key.Key_0, Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_4, Key.Key_5, Key.Key_9]
WALKING = [Key.Key_Right, Key.Key_Left, Key.Key_Return, Key.Key_Backspace, Key.Key_Home, Key.Key_End, Key.Key_U]
OTHERS = [
    Key.Key_Up, Key.Key_Down, Key.Key_PageUp, Key.Key_PageDown, Key.Key_A, Key.Key_B, Key.Key_D, Key.Key_E, Key.Key_R,
    Key.Key_W, Key.Key_I, Key.Key_Space, Key.Key_Tab,
]  # fmt: skip


def state(session: RatingSession) -> object:
    work = session.work
    screens = [(work.values(one.uid), work.status(one.uid), work.revealed(one.uid)) for one in work.screens]
    return screens, work.progress(), work.undo_text, work.redo_text


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("protocol", "outputs"),
    [("adequacy-fluency", 1), ("fluency", 1), ("rank", 3), ("rank", 5), ("pairwise", 2), ("direct-assessment", 1)],
)
def test_any_keys(controller, protocol, outputs, seed):
    made = controller.begin(make(protocol, outputs=outputs, training=1, context=WHOLE_DOCUMENT, by_document=True))
    draw = random.Random(f"{protocol} {outputs} {seed}")
    for _ in range(90):
        act = draw.random()
        if act < 0.08:
            controller.area.undo()
        elif act < 0.12:
            controller.area.redo()
        else:
            keys = DIGITS if act < 0.65 else WALKING if act < 0.85 else OTHERS
            controller.press(draw.choice(keys))
        if draw.random() < 0.5:
            # what follows by itself, follows
            QApplication.processEvents()
        session = controller.session
        assert controller.rater.page is not controller.rater.items or session.screen is not None
    if controller.rater.items is not None:
        controller.items.settle()
    held = state(controller.session)
    again = RatingSession(made.work("c1", "ann"), made.rate, controller.session.settings)
    assert state(again) == held
    assert again.account.counts == controller.session.account.counts
    assert len({event.uid for event in made.events}) == len(made.events)
    again.deleteLater()
