"""Type into a target in the real window, and print the time of each key as JSON; run in a separate process.

A key is measured until the target is painted with it, and HTER, tags, marks, changes and QA findings are shown, as
processor time of the GUI thread. The pauses in which the session receives the typed text are measured separately.

With JOURNAL, the segments are those of an opened bilingual file whose edits are stored in a journal.

python -m tests.benchmarks.typing_run SEGMENTS WORDS [JOURNAL]
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
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
from qe_desktop.ui.workspace import Workspace
from tests.benchmarks.event_loop import run_event_loop_until
from tests.benchmarks.measured_window import print_measurements
from tests.benchmarks.repeated_sources import HEAD
from tests.small_corpora import random_tags

SYSTEMS = 5
REVIEWED = 20_000
"""Number of segments that were edited before."""
TYPED = "und so weiter, wie man es beim Verbessern schreibt "


JOURNAL = "journal"


def lines_of(segments: int, words: int) -> list[str]:
    rng = np.random.default_rng(1)
    vocabulary = np.array([f"Wort{number:x}" for number in range(3000)])
    return [" ".join(row) for row in vocabulary[rng.integers(0, len(vocabulary), (segments, words))]]


def corpus_of(segments: int, words: int) -> Corpus:
    lines = lines_of(segments, words)
    texts = {role: TextColumn.of(lines) for role in (TextRole.SOURCE, TextRole.MT, TextRole.RAW_MT)}
    return Corpus("made", segments, texts, {layer.key: layer for layer in layers_of(np.full(segments, words))})


def layers_of(lengths: np.ndarray) -> list[Layer]:
    layers = []
    for index in range(SYSTEMS):
        key = LayerKey(Provenance.SYSTEM, f"s{index}", Kind.WORDS)
        layers.append(Layer(key, random_tags(lengths, 0.15, index), origin="made", form="n"))
    return layers


def open_with_journal(shell: Shell, workspace: Workspace, segments: int, words: int) -> None:
    """Open a bilingual file with tags of systems, whose edits are stored in a journal."""
    path = Path(os.environ["XDG_DATA_HOME"]) / "job.xlf"
    units = (
        f'<trans-unit id="{number}"><source>{line}</source><target>{line}</target></trans-unit>\n'
        for number, line in enumerate(lines_of(segments, words))
    )
    path.write_text(f"{HEAD}{''.join(units)}</body></file></xliff>\n", encoding="utf-8")
    shell.open_paths([str(path)])
    run_event_loop_until(lambda: workspace.corpus is not None and not shell.jobs.running_jobs())
    assert workspace.journal is not None
    session = workspace.session
    assert session is not None
    corpus = session.corpus
    offsets = corpus.offsets(Kind.WORDS)
    assert offsets is not None
    for layer in layers_of(np.diff(offsets)):
        corpus = corpus.with_layer(layer)
    session.extend(corpus)


def measure(
    app: QApplication, shell: Shell, joined: MainController, segments: str, words: str, stored: str = ""
) -> dict[str, Any]:
    workspace = joined.workspace
    if stored == JOURNAL:
        open_with_journal(shell, workspace, int(segments), int(words))
    else:
        workspace.open(corpus_of(int(segments), int(words)))
    session = workspace.session
    assert session is not None
    area = shell.area("inspect")
    run_event_loop_until(lambda: area.model.rowCount() > 0 and not shell.jobs.running_jobs())
    session.reviewing.set(
        {segment: {ReviewField.TARGET: f"{session.view.target(segment)} neu"} for segment in range(REVIEWED)}
    )
    run_event_loop_until(lambda: not shell.jobs.running_jobs())
    controller = area.review.controller
    edit = controller.panel.edit
    workspace.go_to(int(segments) // 2)
    controller.open()
    checks = area.review.live_checks
    run_event_loop_until(lambda: checks.is_ready and not shell.jobs.running_jobs())
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
    # the view of a translator shows the changed words without HTER
    assert " words " in controller.panel.statistics_label.text()
    session.reviewing.mark_saved()
    return {"keys": keys, "pauses": pauses, "statistics": controller.panel.statistics_label.text()}


if __name__ == "__main__":
    print_measurements(measure, *sys.argv[1:])
