"""Widgets that hold each other are destroyed on the window's thread, whatever other threads do."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.collecting import MANY, Collector, collect_what_is_due
from qe_desktop.ui.jobs import Jobs


@pytest.fixture
def collecting():
    """Python collects by itself, as where nobody took that over."""
    gc.enable()
    yield
    gc.disable()


def let_go_of_a_widget(ended: list[threading.Thread]) -> None:
    widget = QWidget()
    widget.itself = widget
    weakref.finalize(widget, lambda: ended.append(threading.current_thread()))


def much_garbage(progress) -> None:
    for _ in range(200_000):
        held: list[object] = []
        held.append(held)


def test_a_job_destroys_no_widget(qtbot, collecting):
    ended: list[threading.Thread] = []
    jobs = Jobs()
    collector = Collector()
    gc.collect()
    let_go_of_a_widget(ended)
    jobs.submit("garbage", much_garbage)
    qtbot.waitUntil(jobs.idle)
    qtbot.waitUntil(lambda: bool(ended))
    assert ended == [threading.main_thread()]
    assert not gc.isenabled()
    collector.deleteLater()


def test_what_is_due_is_collected_and_no_more():
    gc.collect()
    held: list[object] = []
    held.append(held)
    gone: list[bool] = []
    young = type("Young", (), {})()
    young.itself = young
    weakref.finalize(young, gone.append, True)
    del young
    collect_what_is_due()
    assert not gone, "a handful of objects is not worth a look"
    made = [[] for _ in range(2 * gc.get_threshold()[0])]
    collect_what_is_due()
    assert gone
    assert made


def test_what_comes_in_great_numbers_is_not_looked_through_again():
    """It goes all the same when nobody holds it."""
    gc.collect()
    held = [[number] for number in range(MANY + 1)]
    gc.collect(0)
    for _ in range(gc.get_threshold()[1] + 1):
        gc.collect(0)
    assert gc.get_count()[1] > gc.get_threshold()[1]
    collect_what_is_due()
    left_alone = gc.get_freeze_count()
    assert left_alone > MANY
    assert gc.get_count()[1] == 0
    held.clear()
    assert gc.get_freeze_count() <= left_alone - MANY
    gc.unfreeze()
