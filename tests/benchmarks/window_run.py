"""Open a folder in the real window, and print the times as JSON; run in a separate process.

Opening is measured as wall-clock time and as processor time of all threads; pages and edits as processor time of the
GUI thread.

python -m tests.benchmarks.window_run FOLDER
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import Kind
from qe_desktop.project import Edit
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.event_loop import run_event_loop_until
from tests.benchmarks.measured_window import print_measurements
from tests.benchmarks.measurement import peak_memory


def measure(app: QApplication, shell: Shell, joined: MainController, folder: str) -> dict[str, Any]:
    app.processEvents()

    def now() -> np.ndarray:
        return np.array([time.perf_counter(), time.process_time()])

    start = now()
    shell.open_paths([folder])
    run_event_loop_until(lambda: joined.workspace.session is not None)
    area = shell.area("inspect")
    run_event_loop_until(lambda: area.model.rowCount() > 0)
    app.processEvents()
    rows = now()
    scores_came_first = joined.scores.state == "ready"
    run_event_loop_until(lambda: joined.scores.state == "ready")
    whole = now()
    memory = peak_memory()

    bar = area.view.verticalScrollBar()

    def page(number: int) -> float:
        start_time = time.thread_time()
        bar.setValue(bar.minimum() + number * bar.pageStep())
        area.view.viewport().repaint()
        return time.thread_time() - start_time

    for number in range(5):
        page(number)
    pages = [page(number) for number in range(5, 45)]

    session, reference = joined.workspace.session, joined.scores.reference
    edits = []
    for segment in range(20):
        joined.workspace.go_to(segment)
        app.processEvents()
        tag = 1 - int(session.view.segment_tags(reference, segment)[3])
        began = time.thread_time()
        joined.workspace.edit(Edit(reference, segment, (3,), (tag,)))
        area.reader.repaint()
        area.panel.repaint()
        edits.append(time.thread_time() - began)
    assert joined.workspace.kind is Kind.WORDS
    session.mark_saved(session.unsaved_layers())
    return {
        "first rows": (rows - start).tolist(),
        "whole": (whole - start).tolist(),
        "rows before scores": float(not scores_came_first),
        "memory MB": memory,
        "page": statistics.median(pages),
        "edit": statistics.median(edits),
        "worst edit": max(edits),
    }


if __name__ == "__main__":
    print_measurements(measure, *sys.argv[1:])
