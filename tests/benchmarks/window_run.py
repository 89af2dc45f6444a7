"""Opens a folder in the real window and prints what it took as JSON; run in a process of its own.

Opening is measured by the clock and in processor time of all threads, a page and an edit in that of the window's own.

python -m tests.benchmarks.window_run FOLDER
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(place) / "settings.ini")
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        print(json.dumps(measure(folder)))
        sys.stdout.flush()


def measure(folder: str) -> dict[str, Any]:
    import numpy as np

    from qe_desktop.corpus import Kind
    from qe_desktop.project import Edit
    from qe_desktop.ui import app as program
    from qe_desktop.ui.settings import Settings
    from qe_desktop.ui.shell.window import Shell
    from tests.benchmarks.measuring import peak_memory
    from tests.benchmarks.waiting import until

    app = program.application([])
    shell = Shell(Settings())
    joined = program.wired(shell)
    shell.resize(1280, 800)
    shell.show()
    app.processEvents()

    def now() -> np.ndarray:
        return np.array([time.perf_counter(), time.process_time()])

    start = now()
    shell.open_paths([folder])
    until(lambda: joined.workspace.session is not None)
    area = shell.area("inspect")
    until(lambda: area.model.rowCount() > 0)
    app.processEvents()
    rows = now()
    counted_before = joined.scores.state == "ready"
    until(lambda: joined.scores.state == "ready")
    whole = now()
    memory = peak_memory()

    bar = area.view.verticalScrollBar()

    def page(number: int) -> float:
        began = time.thread_time()
        bar.setValue(bar.minimum() + number * bar.pageStep())
        area.view.viewport().repaint()
        return time.thread_time() - began

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
    session.saved(session.unsaved())
    shell.close()
    shell.jobs.close()
    return {
        "first rows": (rows - start).tolist(),
        "whole": (whole - start).tolist(),
        "rows before scores": float(not counted_before),
        "memory MB": memory,
        "page": statistics.median(pages),
        "edit": statistics.median(edits),
        "worst edit": max(edits),
    }


if __name__ == "__main__":
    main(sys.argv[1])
