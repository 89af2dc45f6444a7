"""A translator's day by keys: 500 segments with repetitions, without a project, in two runs of the program."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import read_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.ui.inspect.postedit.target_editor import TargetEditor
from tests.ui.program.bilingual_saving import notice_titles, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script

KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
DISTINCT = 100
"""Number of segments whose source occurs once."""
SOURCES = [
    *(f"Page {number} describes the pump." for number in range(DISTINCT)),
    *(f"Press button {number % 20}." for number in range(400)),
]
MT_MARK, NOTE = "MT: ", "Unclear"
UNIT = (
    '<trans-unit id="{}" approved="no"><source>{}</source>'
    '<target state="needs-review-translation">{}</target></trans-unit>'
)


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """XLIFF file of 500 segments, 400 of which have 20 different sources, in an arbitrary but fixed order."""
    rows = np.random.default_rng(1).permutation(len(SOURCES))
    units = "\n".join(UNIT.format(number, SOURCES[row], MT_MARK + SOURCES[row]) for number, row in enumerate(rows))
    path = tmp_path / "job.xlf"
    path.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" '
        f'target-language="de" datatype="plaintext"><body>\n{units}\n</body></file></xliff>\n'
    )
    return path


class Translator:
    """Keys of a translator in one run of the program, and what they did."""

    def __init__(self, driver: ProgramDriver) -> None:
        self.driver = driver
        self.decided: list[ReviewStatus] = []
        """Statuses of the segments that were decided by a key of their own."""
        self.noted = 0

    @property
    def editor(self) -> TargetEditor:
        return self.driver.shell.area("inspect").review.controller.panel.edit

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(QApplication.focusWidget(), key, modifiers)

    def decide(self) -> None:
        """Correct and confirm the current segment and its identical segments; note every 25th, reject every 50th."""
        view, segment = self.driver.workspace.view, self.driver.workspace.segment
        assert view.status(segment) is ReviewStatus.OPEN
        assert self.editor.hasFocus()
        self.press(KEY.Key_Home)
        for _ in MT_MARK:
            self.press(KEY.Key_Delete)
        if len(self.decided) % 25 == 24:
            self.press(KEY.Key_F6)
            QTest.keyClicks(QApplication.focusWidget(), NOTE)
            self.press(KEY.Key_Return)
            self.noted += 1
            assert self.editor.hasFocus()
        rejects = len(self.decided) % 50 == 49
        self.press(KEY.Key_Return, CTRL | SHIFT if rejects else CTRL)
        self.decided.append(self.driver.workspace.view.status(segment))
        assert self.decided[-1] is (ReviewStatus.REJECTED if rejects else ReviewStatus.CONFIRMED)
        if any(title.startswith(f"Segment {segment + 1} is confirmed. Apply") for title in notice_titles(self.driver)):
            self.press(KEY.Key_R, CTRL)


def statuses(driver: ProgramDriver) -> list[ReviewStatus]:
    return [driver.workspace.view.status(segment) for segment in range(len(SOURCES))]


def test_a_file_is_translated_in_two_runs_without_a_project(qtbot, job):
    before = job.read_bytes()
    left: list[ReviewStatus] = []
    translators: list[Translator] = []

    def morning(driver: ProgramDriver):
        yield driver.is_open
        translator = Translator(driver)
        translators.append(translator)
        translator.press(KEY.Key_F2)
        while len(translator.decided) < 60:
            translator.decide()
        translator.press(KEY.Key_Escape)
        left[:] = statuses(driver)
        assert driver.workspace.project is None

    assert run_script([str(job)], morning) == 0
    assert job.read_bytes() == before
    assert left.count(ReviewStatus.CONFIRMED) > 300

    def afternoon(driver: ProgramDriver):
        yield driver.is_open
        assert statuses(driver) == left
        session = driver.workspace.session
        assert all(session.corpus.mt_line(segment).startswith(MT_MARK) for segment in range(len(SOURCES)))
        translator = Translator(driver)
        translators.append(translator)
        translator.press(KEY.Key_F8)
        translator.press(KEY.Key_F2)
        while ReviewStatus.OPEN in statuses(driver):
            translator.decide()
        translator.press(KEY.Key_Escape)
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert session.reviewing.unsaved_segments() == []
        assert not driver.shell.isWindowModified()

    assert run_script([str(job)], afternoon) == 0
    decided = [status for translator in translators for status in translator.decided]
    # each source was translated once, and again only after it was rejected
    rejected = decided.count(ReviewStatus.REJECTED)
    assert len(set(SOURCES)) <= len(decided) <= len(set(SOURCES)) + rejected
    document = read_document(job)
    saved = corpus_from_documents([document], "job").job
    assert saved is not None
    assert list(saved.targets) == [segment.source_line for segment in document.segments]
    counts = Counter(ReviewStatus(status) for status in saved.statuses)
    assert counts == {ReviewStatus.CONFIRMED: len(SOURCES) - rejected, ReviewStatus.REJECTED: rejected}
    assert [*saved.reviewer_notes.values()] == [NOTE] * sum(translator.noted for translator in translators)
    # sources and the number of units are as before
    assert re.findall(b"<source>.*?</source>", job.read_bytes()) == re.findall(b"<source>.*?</source>", before)
