"""Opens a folder in the real window and prints what it took as JSON; run in a process of its own.

python -m tests.benchmarks.window_run FOLDER
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(place) / "settings.ini")
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        print(json.dumps(measure(folder)))
        sys.stdout.flush()


def measure(folder: str) -> dict[str, float]:
    from PySide6.QtCore import QDeadlineTimer, QEventLoop

    from qe_desktop.corpus import Kind
    from qe_desktop.project import Edit
    from qe_desktop.ui import app as program
    from qe_desktop.ui import wiring
    from qe_desktop.ui.settings import Settings
    from qe_desktop.ui.shell.window import Shell

    app = program.application([])
    shell = Shell(Settings())
    joined = wiring.wire(shell)
    shell.resize(1280, 800)
    shell.show()
    app.processEvents()

    def until(holds: Callable[[], bool]) -> float:
        deadline = QDeadlineTimer(300_000)
        while not holds():
            assert not deadline.hasExpired()
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)
        return time.perf_counter()

    start = time.perf_counter()
    shell.open_paths([folder])
    until(lambda: joined.workspace.session is not None)
    area = shell.area("inspect")
    until(lambda: area.model.rowCount() > 0)
    app.processEvents()
    rows = time.perf_counter()
    counted_before = joined.scores.state == "ready"
    whole = until(lambda: joined.scores.state == "ready")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    bar = area.view.verticalScrollBar()

    def page(number: int) -> float:
        began = time.perf_counter()
        bar.setValue(bar.minimum() + number * bar.pageStep())
        area.view.viewport().repaint()
        return time.perf_counter() - began

    for number in range(5):
        page(number)
    pages = [page(number) for number in range(5, 45)]

    session, reference = joined.workspace.session, joined.scores.reference
    edits = []
    for segment in range(20):
        joined.workspace.go_to(segment)
        app.processEvents()
        tag = 1 - int(session.segment_tags(reference, segment)[3])
        began = time.perf_counter()
        joined.workspace.edit(Edit(reference, segment, (3,), (tag,)))
        area.reader.repaint()
        area.panel.repaint()
        edits.append(time.perf_counter() - began)
    assert joined.workspace.kind is Kind.WORDS
    session.saved(session.unsaved())
    shell.close()
    return {
        "first rows": rows - start,
        "whole": whole - start,
        "rows before scores": float(not counted_before),
        "memory MB": memory,
        "page": statistics.median(pages),
        "edit": statistics.median(edits),
        "worst edit": max(edits),
    }


if __name__ == "__main__":
    main(sys.argv[1])
