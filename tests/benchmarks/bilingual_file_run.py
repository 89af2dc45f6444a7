"""Work on a bilingual file in the real window, and print the longest event-loop iteration of each step as JSON.

python -m tests.benchmarks.bilingual_file_run JOB
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
from qe_desktop.ui.inspect.postedit.review_queue import FLAGGED
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.blocking_run import MeasuredWindow
from tests.benchmarks.measured_window import print_measurements
from tests.small_corpora import random_tags

SYSTEMS = 2
REPLACED = 500
WORDS = ("zwei", "drei", "vier")
TIMES = 3
"""Number of repetitions of steps that can be repeated; the smallest of the longest iterations counts."""


def measure(app: QApplication, shell: Shell, joined: MainController, job: str) -> dict[str, float]:
    return TranslatorSteps(MeasuredWindow(app, shell, joined)).measure(job)


class TranslatorSteps:
    """The steps of a translator."""

    def __init__(self, window: MeasuredWindow) -> None:
        self.window, self.shell, self.joined = window, window.shell, window.joined
        self.workspace = window.joined.workspace

    @property
    def area(self) -> Any:
        return self.shell.area("inspect")

    def measure(self, job: str) -> dict[str, float]:
        window, controller = self.window, self.area.review.controller
        times = {"open": self.open(job)}
        extended = self.with_systems()
        times["systems"] = window.longest(lambda: self.session.extend(extended))
        times["typing"] = window.longest(controller.open)
        times["first edit"] = self.edit("Erstes")
        times["edit"] = min(self.edit(word) for word in WORDS)
        times["confirm"] = window.smallest(*[controller.confirm] * TIMES)
        flagged_button = self.area.review.filter_bar.buttons[FLAGGED]
        times["filter"] = window.smallest(*[flagged_button.toggle] * 2 * TIMES)
        times["undo"] = window.smallest(*[self.workspace.undo] * TIMES)
        times["scores"] = window.longest(lambda: self.shell.show_area("scores"))
        self.shell.show_area("inspect")
        times["replace"] = window.longest(self.replace)
        times["edit of many"] = min(self.edit(word) for word in WORDS)
        times["save"] = self.save(Path(job))
        controller.stop_editing()
        return times

    def open(self, job: str) -> float:
        window = self.window
        window.settle()
        window.iterations.take_longest()
        self.shell.open_paths([job])
        window.iterations.until(lambda: self.workspace.corpus is not None and self.shell.areas.current == "inspect")
        window.settle()
        corpus = self.workspace.corpus
        assert corpus is not None
        assert self.area.model.rowCount() == corpus.size
        return window.iterations.take_longest()

    @property
    def session(self) -> Session:
        session = self.workspace.session
        assert session is not None
        return session

    def with_systems(self) -> Corpus:
        """Return the open corpus with tags of two systems, as a local QE command would add them."""
        corpus = self.session.corpus
        offsets = corpus.offsets(Kind.WORDS)
        assert offsets is not None
        for index in range(SYSTEMS):
            key = LayerKey(Provenance.SYSTEM, f"s{index}", Kind.WORDS)
            corpus = corpus.with_layer(Layer(key, random_tags(np.diff(offsets), 0.03, index), origin="made", form="n"))
        return corpus

    def edit(self, word: str) -> float:
        """Return the longest iteration after a typed text is passed to the session."""
        controller = self.area.review.controller
        if controller.segment is None:
            controller.open()
        QTest.keyClicks(controller.panel.edit, word)
        return self.window.longest(controller.flush)

    def replace(self) -> None:
        """Change many targets at once."""
        view, first = self.session.view, self.workspace.segment + 1
        controller = self.area.review.controller
        lines = {index: f"{view.target(index)} neu" for index in range(first, first + REPLACED)}
        targets = {segment: {ReviewField.TARGET: line} for segment, line in lines.items()}
        assert controller.set_checked(check_all_fields(view, targets))

    def save(self, path: Path) -> float:
        window, session = self.window, self.session
        self.edit("neu")
        before = path.read_bytes()
        window.settle()
        window.iterations.take_longest()
        self.joined.job_saver.save()
        window.iterations.until(lambda: not session.reviewing.unsaved_segments())
        window.settle()
        assert path.read_bytes() != before
        return window.iterations.take_longest()


if __name__ == "__main__":
    print_measurements(measure, *sys.argv[1:])
