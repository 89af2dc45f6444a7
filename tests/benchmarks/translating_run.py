"""Works on a translator's file in the real window and prints the longest turn of its thread in each step, as JSON.

python -m tests.benchmarks.translating_run JOB
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance
from qe_desktop.project import Session
from qe_desktop.project.events import ReviewField
from qe_desktop.project.review.review_edits import check_all_fields
from qe_desktop.ui.inspect.postedit.review_filter_bar import FLAGGED
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.blocking_run import Window
from tests.benchmarks.whole_window import print_measured
from tests.building import random_tags

SYSTEMS = 2
REPLACED = 500
WORDS = ("zwei", "drei", "vier")
TIMES = 3
"""How often what can be done more than once is done; the least of the longest turns counts."""


def measure(app: QApplication, shell: Shell, joined: MainController, job: str) -> dict[str, float]:
    return Work(Window(app, shell, joined)).measured(job)


class Work:
    """What a translator does, step by step."""

    def __init__(self, window: Window) -> None:
        self.window, self.shell, self.joined = window, window.shell, window.joined
        self.workspace = window.joined.workspace

    @property
    def area(self) -> Any:
        return self.shell.area("inspect")

    def measured(self, job: str) -> dict[str, float]:
        window, controller = self.window, self.area.correcting.controller
        found = {"open": self.opened(job)}
        made = self.with_systems()
        found["systems"] = window.longest(lambda: self.session.extend(made))
        found["typing"] = window.longest(controller.open)
        found["first edit"] = self.edited("Erstes")
        found["edit"] = min(self.edited(word) for word in WORDS)
        found["confirm"] = window.least(*[controller.confirm] * TIMES)
        doubtful = self.area.correcting.status.buttons[FLAGGED]
        found["filter"] = window.least(*[doubtful.toggle] * 2 * TIMES)
        found["undo"] = window.least(*[self.workspace.undo] * TIMES)
        found["scores"] = window.longest(lambda: self.shell.show_area("scores"))
        self.shell.show_area("inspect")
        found["replace"] = window.longest(self.replace)
        found["edit of many"] = min(self.edited(word) for word in WORDS)
        found["save"] = self.saved(Path(job))
        controller.leave()
        return found

    def opened(self, job: str) -> float:
        window = self.window
        window.settle()
        window.turns.since()
        self.shell.open_paths([job])
        window.turns.until(lambda: self.workspace.corpus is not None and self.shell.areas.current == "inspect")
        window.settle()
        corpus = self.workspace.corpus
        assert corpus is not None
        assert self.area.model.rowCount() == corpus.size
        return window.turns.since()

    @property
    def session(self) -> Session:
        session = self.workspace.session
        assert session is not None
        return session

    def with_systems(self) -> Corpus:
        """What is open with tags of two systems, as a command of one's own would bring them."""
        corpus = self.session.corpus
        offsets = corpus.offsets(Kind.WORDS)
        assert offsets is not None
        for place in range(SYSTEMS):
            key = LayerKey(Provenance.SYSTEM, f"s{place}", Kind.WORDS)
            corpus = corpus.with_layer(Layer(key, random_tags(np.diff(offsets), 0.03, place), origin="made", form="n"))
        return corpus

    def edited(self, word: str) -> float:
        """The longest turn after what was typed in a target is handed over."""
        controller = self.area.correcting.controller
        if controller.segment is None:
            controller.open()
        QTest.keyClicks(controller.panel.edit, word)
        return self.window.longest(controller.flush)

    def replace(self) -> None:
        """Change many targets at once."""
        view, first = self.session.view, self.workspace.segment + 1
        controller = self.area.correcting.controller
        lines = {one: f"{view.target(one)} neu" for one in range(first, first + REPLACED)}
        targets = {segment: {ReviewField.TARGET: line} for segment, line in lines.items()}
        assert controller.set_checked(check_all_fields(view, targets))

    def saved(self, path: Path) -> float:
        window, session = self.window, self.session
        self.edited("neu")
        before = path.read_bytes()
        window.settle()
        window.turns.since()
        self.joined.job_saver.save()
        window.turns.until(lambda: not session.reviewing.unsaved())
        window.settle()
        assert path.read_bytes() != before
        return window.turns.since()


if __name__ == "__main__":
    print_measured(measure, *sys.argv[1:])
