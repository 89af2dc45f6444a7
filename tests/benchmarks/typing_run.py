"""Type into a target in the real window, and print the time of each key as JSON; run in a separate process.

A key is measured until the target is painted with it, and HTER, tags, marks, changes and QA findings are shown, as
processor time of the GUI thread. The pauses in which the session receives the typed text are measured separately.

python -m tests.benchmarks.typing_run SEGMENTS WORDS
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.project import ReviewField
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.event_loop import run_event_loop_until
from tests.benchmarks.measured_window import print_measurements
from tests.small_corpora import random_tags

SYSTEMS = 5
REVIEWED = 20_000
"""Number of segments that were edited before."""
TYPED = "und so weiter, wie man es beim Verbessern schreibt "


def corpus_of(segments: int, words: int) -> Corpus:
    rng = np.random.default_rng(1)
    vocabulary = np.array([f"Wort{number:x}" for number in range(3000)])
    lines = [" ".join(row) for row in vocabulary[rng.integers(0, len(vocabulary), (segments, words))]]
    texts = {role: TextColumn.of(lines) for role in (TextRole.SOURCE, TextRole.MT, TextRole.RAW_MT)}
    layers = {}
    for index in range(SYSTEMS):
        key = LayerKey(Provenance.SYSTEM, f"s{index}", Kind.WORDS)
        layers[key] = Layer(key, random_tags(np.full(segments, words), 0.15, index), origin="made", form="n")
    return Corpus("made", segments, texts, layers)


def measure(app: QApplication, shell: Shell, joined: MainController, segments: str, words: str) -> dict[str, Any]:
    workspace = joined.workspace
    workspace.open(corpus_of(int(segments), int(words)))
    session = workspace.session
    assert session is not None
    area = shell.area("inspect")
    run_event_loop_until(lambda: area.model.rowCount() > 0 and not shell.jobs.running())
    session.reviewing.set(
        {segment: {ReviewField.TARGET: f"{session.view.target(segment)} neu"} for segment in range(REVIEWED)}
    )
    run_event_loop_until(lambda: not shell.jobs.running())
    controller = area.correcting.controller
    edit = controller.panel.edit
    workspace.go_to(int(segments) // 2)
    controller.open()
    checking = area.correcting.checking
    run_event_loop_until(lambda: checking.is_ready and not shell.jobs.running())
    for _ in range(5):
        app.processEvents()
    cursor = edit.textCursor()
    cursor.setPosition(len(edit.line) // 2)
    edit.setTextCursor(cursor)

    def key(letter: str) -> float:
        start = time.thread_time()
        QTest.keyClick(edit, letter)
        # process pending events: painting, and the values of the target
        while controller._update_timer.isActive():
            app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        edit.viewport().repaint()
        return time.thread_time() - start

    keys = []
    for number, letter in enumerate(TYPED * 3):
        keys.append(key(letter))
        if number % 40 == 39:
            # delete a word now and then
            edit.moveCursor(QTextCursor.MoveOperation.NextWord)
            edit.moveCursor(QTextCursor.MoveOperation.EndOfWord, QTextCursor.MoveMode.KeepAnchor)
            began = time.thread_time()
            QTest.keyClick(edit, Qt.Key.Key_Delete)
            while controller._update_timer.isActive():
                app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            edit.viewport().repaint()
            keys.append(time.thread_time() - began)
    controller.flush()
    pauses = []
    for letter in TYPED[:12]:
        key(letter)
        began = time.thread_time()
        controller.flush()
        app.processEvents()
        pauses.append(time.thread_time() - began)
    assert controller.panel.figures.text().startswith("HTER")
    session.reviewing.saved()
    return {"keys": keys, "pauses": pauses, "figures": controller.panel.figures.text()}


if __name__ == "__main__":
    print_measurements(measure, *sys.argv[1:])
