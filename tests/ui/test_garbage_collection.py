"""Garbage collection: widgets in reference cycles are destroyed on the GUI thread only."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from qe_desktop.ui.garbage_collection import (
    MAX_FROZEN_OBJECTS,
    MAX_VISITED_OBJECTS,
    GarbageCollectionTimer,
    collect_due_generation,
    collect_frozen,
    freeze,
    unfreeze,
)
from qe_desktop.ui.jobs import JobRunner


@pytest.fixture
def automatic_collection():
    """Automatic garbage collection, as before `GarbageCollectionTimer` takes over."""
    gc.enable()
    yield
    gc.disable()


def drop_cyclic_widget(ended: list[threading.Thread]) -> None:
    widget = QWidget()
    widget.itself = widget
    weakref.finalize(widget, lambda: ended.append(threading.current_thread()))


def create_garbage(progress) -> None:
    for _ in range(MAX_VISITED_OBJECTS // 2):
        cycle: list[object] = []
        cycle.append(cycle)


def test_job_thread_destroys_no_widget(qtbot, automatic_collection):
    ended: list[threading.Thread] = []
    jobs = JobRunner()
    collector = GarbageCollectionTimer()
    gc.collect()
    drop_cyclic_widget(ended)
    jobs.submit("garbage", create_garbage)
    qtbot.waitUntil(jobs.is_idle)
    qtbot.waitUntil(lambda: bool(ended))
    assert ended == [threading.main_thread()]
    assert not gc.isenabled()
    collector.deleteLater()


def test_only_a_due_generation_is_collected():
    gc.collect()
    cycle: list[object] = []
    cycle.append(cycle)
    destroyed: list[bool] = []
    young = type("Young", (), {})()
    young.itself = young
    weakref.finalize(young, destroyed.append, True)
    del young
    collect_due_generation()
    assert not destroyed, "a handful of objects is not worth a look"
    lists = [[] for _ in range(2 * gc.get_threshold()[0])]
    collect_due_generation()
    assert destroyed
    assert lists


def test_large_numbers_of_objects_are_frozen():
    """Frozen objects are still freed when their last reference is gone."""
    gc.collect()
    objects = [[number] for number in range(MAX_VISITED_OBJECTS + 1)]
    collect_due_generation()
    for _ in range(gc.get_threshold()[1] + 1):
        gc.collect(0)
    assert gc.get_count()[1] > gc.get_threshold()[1]
    collect_due_generation()
    frozen = gc.get_freeze_count()
    assert frozen > MAX_VISITED_OBJECTS
    assert gc.get_count()[1] == 0
    objects.clear()
    assert gc.get_freeze_count() <= frozen - MAX_VISITED_OBJECTS
    unfreeze()


def test_objects_that_a_job_has_just_created_are_not_visited():
    gc.collect()
    objects = [[number] for number in range(MAX_VISITED_OBJECTS + 1)]
    assert gc.get_count()[1] <= gc.get_threshold()[1]
    collect_due_generation()
    assert gc.get_freeze_count() > len(objects)
    unfreeze()


def test_frozen_dialog_is_destroyed_after_it_is_closed(qtbot, monkeypatch):
    monkeypatch.setattr("qe_desktop.ui.garbage_collection.can_collect_frozen", lambda: True)
    timer = GarbageCollectionTimer()
    dialog = QDialog()
    dialog.itself = dialog
    dialog.child = QWidget(dialog)
    dialog.child.above = dialog
    dialog.show()
    timer.collect_if_due()
    destroyed: list[bool] = []
    weakref.finalize(dialog, destroyed.append, True)
    freeze()
    try:
        timer.collect_if_due()
        assert not destroyed
        dialog.close()
        dialog.deleteLater()
        del dialog
        QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
        assert not destroyed
        timer.collect_if_due()
        assert destroyed
        assert gc.get_freeze_count()
    finally:
        unfreeze()
        timer.deleteLater()


def test_hidden_dialog_is_destroyed_once_collection_is_possible(qtbot, monkeypatch):
    answers = [False, True]
    monkeypatch.setattr("qe_desktop.ui.garbage_collection.can_collect_frozen", lambda: answers.pop(0))
    timer = GarbageCollectionTimer()
    dialog = QDialog()
    dialog.itself = dialog
    destroyed: list[bool] = []
    weakref.finalize(dialog, destroyed.append, True)
    dialog.show()
    timer.collect_if_due()
    freeze()
    try:
        dialog.hide()
        del dialog
        timer.collect_if_due()
        assert not destroyed
        timer.collect_if_due()
        assert destroyed
    finally:
        unfreeze()
        timer.deleteLater()


def test_frozen_objects_are_not_visited_at_each_check(qtbot, monkeypatch):
    """Counting a million of them blocks the GUI thread for more than ten milliseconds, twice a second."""
    monkeypatch.setattr(gc, "get_freeze_count", lambda: pytest.fail("visits every frozen object"))
    monkeypatch.setattr("qe_desktop.ui.garbage_collection.can_collect_frozen", lambda: False)
    timer = GarbageCollectionTimer()
    freeze(MAX_FROZEN_OBJECTS + 1)
    try:
        timer.collect_if_due()
        timer.collect_frozen_later()
        timer.collect_if_due()
        dialog = QDialog()
        qtbot.addWidget(dialog)
        dialog.show()
        timer.collect_if_due()
        dialog.close()
        timer.collect_if_due()
    finally:
        unfreeze()
        timer.deleteLater()


def collect_while_another_thread_creates_tuples() -> list[SystemError]:
    """Return the errors of a thread that creates tuples during many collections."""
    many = [[number] for number in range(100_000)]
    errors: list[SystemError] = []
    is_over = threading.Event()

    def create_tuples() -> None:
        try:
            while not is_over.is_set():
                tuple(str(number) for number in range(40))
        except SystemError as error:
            errors.append(error)

    other = threading.Thread(target=create_tuples)
    sys.setswitchinterval(1e-4)
    other.start()
    try:
        for _ in range(40):
            for _ in range(gc.get_threshold()[1] + 1):
                gc.collect(0)
            collect_due_generation()
            freeze()
            unfreeze()
            collect_frozen()
    finally:
        is_over.set()
        other.join()
    assert many
    return errors


@pytest.mark.process
def test_tuples_that_another_thread_creates_are_not_referenced():
    """CPython raises SystemError in the other thread if anything refers to a tuple whose creation is not finished.

    In a process of its own, because collections take long after thousands of tests.
    """
    code = f"from {__name__} import *; print(collect_while_another_thread_creates_tuples())"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
