"""Workspace with a bilingual file of segments with codes, a lock and notes, and an Inspect area that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QWidget

from qe_desktop.corpus import (
    Corpus,
    JobFile,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    ReviewStatus,
    TextColumn,
    TextRole,
    TranslationJob,
)
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import token_spans, word_spans
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.shell.commands import ACTIONS as SHELL_ACTIONS
from qe_desktop.ui.workspace import Workspace
from tests.small_corpora import tags

SOURCES = ["Press ⟨1⟩OK⟨/1⟩ now ⟨2/⟩.", "The green apple.", "A locked one.", "Good bye 😀 then."]
TARGETS = ["Drücken Sie ⟨1⟩OK⟨/1⟩ jetzt ⟨2/⟩.", "Der grüne Apfel.", "Ein gesperrter.", "Dann 😀 auf Wiedersehen."]
SYSTEM = LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS)
OTHER = LayerKey(Provenance.SYSTEM, "other", Kind.WORDS)
GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
GOLD_SCORES = LayerKey(Provenance.GOLD, "hter", Kind.SCORES)
QUALITY = LayerKey(Provenance.SYSTEM, "quality_estimation", Kind.SCORES)


def job_corpus() -> Corpus:
    """Return the corpus of a bilingual file with four segments."""
    sources, targets = ([strip_codes(line) for line in lines] for lines in (SOURCES, TARGETS))
    words = [
        [" ".join(text[start:stop] for start, stop in word_spans(text)) for text in texts]
        for texts in (sources, targets)
    ]
    texts = {
        TextRole.SOURCE: TextColumn.of(words[0]),
        TextRole.MT: TextColumn.of(words[1]),
        TextRole.RAW_SOURCE: TextColumn.of(sources),
        TextRole.RAW_MT: TextColumn.of(targets),
    }
    marked = tags("oboob", "obo" + "o", "bbo", "oobbo")
    assert marked.lengths().tolist() == [len(token_spans(line)) for line in words[1]]
    job = TranslationJob(
        (JobFile("job.xlf", "/job.xlf", "xliff", b"", 0, 4),),
        TextColumn.of(SOURCES),
        TextColumn.of(TARGETS),
        np.array([0, 0, ReviewStatus.LOCKED, 0], np.uint8),
        np.zeros(4, bool),
        notes={0: ("keep the name of the button",)},
        labels={0: {1: "<b>", 2: "<br/>"}},
    )
    return Corpus("job.xlf", 4, texts, {SYSTEM: Layer(SYSTEM, marked, origin="qe.tags", form="n")}, job=job)


def evaluated_corpus() -> Corpus:
    """Return the bilingual file with a second system, gold, scores, a post-edit and a reference."""
    corpus = job_corpus()
    columns = {OTHER: tags("ooooo", "obbo", "ooo", "ooooo"), GOLD: tags("bbbbb", "oooo", "ooo", "bbbbb")}
    layers = {key: Layer(key, column) for key, column in columns.items()}
    scores = {key: Layer(key, np.array([1.0, 2.0, 3.0, 2.0])) for key in (GOLD_SCORES, QUALITY)}
    mt = corpus.texts[TextRole.MT]
    return replace(
        corpus,
        texts={**corpus.texts, TextRole.POST_EDIT: mt},
        references={"reference": mt},
        layers={**corpus.layers, **layers, **scores},
    )


@pytest.fixture
def job_workspace(workspace: Workspace) -> Workspace:
    """Workspace with the bilingual file open."""
    workspace.open(job_corpus())
    return workspace


@pytest.fixture
def area(qtbot, job_workspace) -> InspectArea:
    widget = InspectArea(job_workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1200, 760)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


@pytest.fixture
def commands(qtbot, workspace) -> Iterator[ActionRegistry]:
    """Commands of a window that shows the evaluated corpus in the translator's view."""
    window = QMainWindow()
    qtbot.addWidget(window)
    workspace.open(evaluated_corpus())
    table = ActionRegistry(window, workspace.settings)
    table.add_all((*SHELL_ACTIONS, *ACTIONS))
    widget = InspectArea(workspace, QWidget())
    window.setCentralWidget(widget)
    table.set_area_widget("inspect", widget)
    widget.connect_actions(table)
    widget.inspect_view.connect_actions(table)
    window.resize(1200, 800)
    window.show()
    qtbot.waitExposed(window)
    return table


@pytest.fixture
def evaluated_area(commands) -> InspectArea:
    """Inspect area of this window."""
    return commands.parent().centralWidget()


def post_edit_controller(area):
    """Return the controller of the target editor."""
    return area.review.controller


def type_at_end(area, text):
    """Type a text at the end of the target."""
    edit = post_edit_controller(area).panel.edit
    edit.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(edit, text)
