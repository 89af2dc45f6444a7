"""Any keys in any order raise no error, and the recorded events restore the same state."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT
from qe_desktop.ui.rate.rating_session import RatingSession
from tests.ui.rate.conftest import make_project

Key = Qt.Key
DIGITS = [Key.Key_0, Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_4, Key.Key_5, Key.Key_9]
NAVIGATION = [Key.Key_Right, Key.Key_Left, Key.Key_Return, Key.Key_Backspace, Key.Key_Home, Key.Key_End, Key.Key_U]
OTHERS = [
    Key.Key_Up, Key.Key_Down, Key.Key_PageUp, Key.Key_PageDown, Key.Key_A, Key.Key_B, Key.Key_D, Key.Key_E, Key.Key_R,
    Key.Key_W, Key.Key_I, Key.Key_Space, Key.Key_Tab,
]  # fmt: skip


def state(session: RatingSession) -> object:
    work = session.work
    screens = [
        (work.values(screen.uid), work.status(screen.uid), work.is_revealed(screen.uid)) for screen in work.screens
    ]
    return screens, work.progress(), work.undo_text, work.redo_text


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("protocol", "outputs"),
    [("adequacy-fluency", 1), ("fluency", 1), ("rank", 3), ("rank", 5), ("pairwise", 2), ("direct-assessment", 1)],
)
def test_random_keys_raise_no_error_and_events_restore_the_state(driver, protocol, outputs, seed):
    project = driver.begin(
        make_project(protocol, outputs=outputs, training=1, context=WHOLE_DOCUMENT, by_document=True)
    )
    rng = random.Random(f"{protocol} {outputs} {seed}")
    for _ in range(90):
        action = rng.random()
        if action < 0.08:
            driver.area.undo()
        elif action < 0.12:
            driver.area.redo()
        else:
            keys = DIGITS if action < 0.65 else NAVIGATION if action < 0.85 else OTHERS
            driver.press(rng.choice(keys))
        if rng.random() < 0.5:
            # run delayed actions
            QApplication.processEvents()
        session = driver.session
        assert driver.rater.page is not driver.rater.items or session.screen is not None
    if driver.rater.items is not None:
        driver.items.commit_input()
    expected = state(driver.session)
    restored = RatingSession(project.rater_session("c1", "ann"), project.rate, driver.session.settings)
    assert state(restored) == expected
    assert restored.stats.counts == driver.session.stats.counts
    assert len({event.uid for event in project.events}) == len(project.events)
    restored.deleteLater()
