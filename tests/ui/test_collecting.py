"""Widgets that hold each other are destroyed on the window's thread, whatever other threads do."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.startup.garbage_collection import (
    MAX_FROZEN_OBJECTS,
    GarbageCollectionTimer,
    collect_due_generation,
    freeze,
    unfreeze,
)


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
    jobs = JobRunner()
    collector = GarbageCollectionTimer()
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
    collect_due_generation()
    assert not gone, "a handful of objects is not worth a look"
    made = [[] for _ in range(2 * gc.get_threshold()[0])]
    collect_due_generation()
    assert gone
    assert made


def test_what_comes_in_great_numbers_is_not_looked_through_again():
    """It goes all the same when nobody holds it."""
    gc.collect()
    held = [[number] for number in range(MAX_FROZEN_OBJECTS + 1)]
    gc.collect(0)
    for _ in range(gc.get_threshold()[1] + 1):
        gc.collect(0)
    assert gc.get_count()[1] > gc.get_threshold()[1]
    collect_due_generation()
    left_alone = gc.get_freeze_count()
    assert left_alone > MAX_FROZEN_OBJECTS
    assert gc.get_count()[1] == 0
    held.clear()
    assert gc.get_freeze_count() <= left_alone - MAX_FROZEN_OBJECTS
    unfreeze()


def test_a_dialog_that_was_frozen_is_destroyed_once_it_is_closed(qtbot, monkeypatch):
    monkeypatch.setattr("qe_desktop.ui.startup.garbage_collection.can_collect_frozen", lambda: True)
    collector = GarbageCollectionTimer()
    dialog = QDialog()
    dialog.itself = dialog
    dialog.child = QWidget(dialog)
    dialog.child.above = dialog
    dialog.show()
    collector.look()
    gone: list[bool] = []
    weakref.finalize(dialog, gone.append, True)
    freeze(len(gc.get_objects()))
    try:
        collector.look()
        assert not gone
        dialog.close()
        dialog.deleteLater()
        del dialog
        QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
        assert not gone
        collector.look()
        assert gone
        assert gc.get_freeze_count()
    finally:
        unfreeze()
        collector.deleteLater()


def test_a_dialog_that_nobody_deletes_is_destroyed_as_well_when_there_is_time(qtbot, monkeypatch):
    times = [False, True]
    monkeypatch.setattr("qe_desktop.ui.startup.garbage_collection.can_collect_frozen", lambda: times.pop(0))
    collector = GarbageCollectionTimer()
    dialog = QDialog()
    dialog.itself = dialog
    gone: list[bool] = []
    weakref.finalize(dialog, gone.append, True)
    dialog.show()
    collector.look()
    freeze(len(gc.get_objects()))
    try:
        dialog.hide()
        del dialog
        collector.look()
        assert not gone
        collector.look()
        assert gone
    finally:
        unfreeze()
        collector.deleteLater()


def test_frozen_objects_are_not_visited_at_each_check(qtbot, monkeypatch):
    """Counting a million of them takes more than ten milliseconds on the GUI thread, twice a second."""
    monkeypatch.setattr(gc, "get_freeze_count", lambda: pytest.fail("visits every frozen object"))
    collector = GarbageCollectionTimer()
    freeze(MAX_FROZEN_OBJECTS + 1)
    try:
        collector.look()
        collector.collect_frozen_later()
        collector.look()
        dialog = QDialog()
        qtbot.addWidget(dialog)
        dialog.show()
        collector.look()
        dialog.close()
        collector.look()
    finally:
        unfreeze()
        collector.deleteLater()
