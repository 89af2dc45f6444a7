"""Process with all modules imported that forks the real program repeatedly, so that a test can kill the children.

Run `python -m tests.ui.fork_server`, then write one line of JSON per start to stdin: {"project": PATH, "report": PATH,
"seed": N}. The reply is the pid of a child that runs `main([PROJECT])` and presses keys continuously.

- "presses": the number of key presses, unlimited by default.
- "go": a file that must exist before the first key press.
- "edits_reviews": between keys, translations are edited, confirmed and annotated, and the work is recorded.
- "types": translations are typed in the editor key by key, with inline codes, and confirmed with Ctrl+Enter.

"project" may also be a bilingual file, whose journal is then used. With "types", each key is reported as
{"typed": TARGET, "segment": N, "at": TIME}.

The child appends a line to its report for each row as soon as it is reported as saved, {"ready": TIME} once the project
is open, and {"seen": UID, "at": TIME} for each edit from another window.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import deque

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import qe_desktop.project.session_restore
import qe_desktop.project.store.committer
import qe_desktop.project.store.project_opening
import qe_desktop.ui.campaigns.campaign_controller
import qe_desktop.ui.main_controller  # noqa: F401
from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import ReviewStatus
from qe_desktop.project.events import EditRow, RemoteChanges, ReviewField, ReviewRow, SettingRow, VisitRow
from qe_desktop.project.review.visits import KeyKind, TypedChange, Visit
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.cell_codec import row_to_json
from qe_desktop.ui import app as program
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell

DIGITS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5)
KEY_INTERVAL_MS = 3
"""Milliseconds between two key presses, less than between those of any typist."""


SAVED_ROWS = EditRow | RatingEvent | ReviewRow | SettingRow | VisitRow


class SaveReporter:
    """Records the rows that are appended to the project and reports those that the project reports as saved."""

    def __init__(self, report: int) -> None:
        self._report = report
        self._queued: deque[object] = deque()

    def watch(self, project: Project) -> None:
        """Record the rows that are appended to a project from now on."""
        append = project.append

        def append_and_record(rows) -> None:
            self._queued.extend(rows)
            append(rows)

        project.append = append_and_record
        project.writer.on_saved.append(self._saved)

    def write(self, objects: list[dict]) -> None:
        os.write(self._report, "".join(f"{json.dumps(entry)}\n" for entry in objects).encode())

    def on_remote_changes(self, changes: RemoteChanges) -> None:
        self.write([{"seen": row.uid, "at": time.time()} for row in changes.edits])

    def _saved(self, count: int, at: float) -> None:
        rows = [self._queued.popleft() for _ in range(count)]
        self.write([row_to_json(row) for row in rows if isinstance(row, SAVED_ROWS)])


class Typist:
    """Presses keys in the window as soon as it is open: moves, edits and undoes, and rates in the Rate area.

    All of this is done by keys, except on the first pages of a rater.
    """

    def __init__(self, reporter: SaveReporter, order: dict) -> None:
        self._reporter = reporter
        self._rng = random.Random(order["seed"])
        self._presses = order.get("presses", -1)
        self._go = order.get("go")
        self._rates = order.get("rates", True)
        self._edits_reviews = order.get("edits_reviews", False)
        self._types = order.get("types", False)
        self._shell: Shell | None = None
        self._steps = 0
        self._parent_pid = os.getppid()
        self._timer = QTimer()
        self._timer.timeout.connect(self._on_timer)
        self._timer.start(KEY_INTERVAL_MS)

    def _on_timer(self) -> None:
        if os.getppid() != self._parent_pid:
            # the test process ended, so nothing else would end this one
            os._exit(1)
        if self._shell is None:
            self._find()
            return
        if self._go is not None and not os.path.exists(self._go):
            return
        if self._presses == 0:
            self._timer.stop()
            return
        self._presses -= 1
        self._steps += 1
        if self._rates and self._steps % 12 == 0:
            self._shell.show_area("rate" if self._shell.areas.current == "inspect" else "inspect")
        if self._types:
            self._type()
        elif self._edits_reviews and self._steps % 2:
            self._edit_review()
        elif self._shell.areas.current == "rate":
            self._rate()
        else:
            self._edit()

    def _edit(self) -> None:
        rng = self._rng
        for key in rng.choices((Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right), k=2):
            self._press(key)
        if rng.random() < 0.2:
            self._press(Qt.Key.Key_Z if rng.random() < 0.6 else Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
        else:
            self._shell.area("inspect").reader.set_locked(False)
            self._press(Qt.Key.Key_Space)

    def _edit_review(self) -> None:
        """Edit translations, confirm or annotate one, or record the work; keys undo some of it."""
        session, rng = self._shell.findChild(MainController).workspace.session, self._rng
        segment = rng.randrange(session.corpus.size)
        target = f"{rng.randrange(1000)} ⟨⟨ \u2028 ü𝄞 " * rng.randrange(1, 20)
        what = rng.random()
        if what < 0.5:
            session.reviewing.set({segment: {ReviewField.TARGET: target}, rng.randrange(9): {ReviewField.NOTE: target}})
        elif what < 0.8:
            status = rng.choice((ReviewStatus.CONFIRMED, ReviewStatus.REJECTED, ReviewStatus.OPEN))
            session.reviewing.set({segment: {ReviewField.TARGET: target, ReviewField.STATUS: status}})
        else:
            now = time.time()
            typed = (TypedChange(0.5, 0, "", target),)
            visit = Visit(now - 1, now, 1.0, keys=((KeyKind.LETTER, 3),), typed=typed, after=target)
            session.reviewing.add_visit(segment, visit)

    def _type(self) -> None:
        """Type in the target of the current segment, confirm or leave it, or go to another segment."""
        rng, controller = self._rng, self._shell.area("inspect").review.controller
        if controller.segment is None:
            # a locked segment is not opened, so move to another segment
            self._press(rng.choice((Qt.Key.Key_F2, Qt.Key.Key_Down, Qt.Key.Key_Up)))
            return
        edit, what, control = controller.panel.edit, rng.random(), Qt.KeyboardModifier.ControlModifier
        if what < 0.7:
            QTest.keyClicks(edit, rng.choice(("ab ", "x", "Haus, ", "<1>", "12")))
        elif what < 0.9:
            keys = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End)
            QTest.keyClick(edit, rng.choice(keys))
        elif what < 0.93:
            QTest.keyClick(edit, rng.choice((Qt.Key.Key_T, Qt.Key.Key_Z)), control)
        elif what < 0.98:
            QTest.keyClick(edit, Qt.Key.Key_Return, control)
        else:
            QTest.keyClick(edit, Qt.Key.Key_Escape)
        if controller.segment is not None:
            self._reporter.write([{"typed": edit.line, "segment": controller.segment, "at": time.time()}])

    def _rate(self) -> None:
        rater = self._shell.area("rate").rater
        for page in (rater.profile, rater.instructions):
            if rater.page is page:
                page.press_first()
                return
        if self._rng.random() < 0.1:
            self._press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        else:
            self._press(self._rng.choice((*DIGITS, Qt.Key.Key_Right)))

    def _press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self._shell.focusWidget() or self._shell, key, modifier)

    def _find(self) -> None:
        for widget in QApplication.topLevelWidgets():
            wiring = widget.findChild(MainController) if isinstance(widget, Shell) else None
            project = None if wiring is None else wiring.projects.service.project
            if wiring is not None and project is not None and widget.isVisible():
                self._reporter.watch(project)
                wiring.projects.service.remote_changes_received.connect(self._reporter.on_remote_changes)
                self._shell = widget
                widget.activateWindow()
                widget.show_area("rate" if self._rates and self._rng.random() < 0.5 else "inspect")
                self._reporter.write([{"ready": time.time()}])


def child(order: dict) -> None:
    """Run the program until it is killed."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    report = os.open(order["report"], os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    program.create_application()
    typist = Typist(SaveReporter(report), order)
    os._exit(program.main([order["project"]]) if typist else 1)


def main() -> None:
    """Fork a child for each line on stdin."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            child(json.loads(line))
        print(pid, flush=True)


if __name__ == "__main__":
    main()
