"""One line says what to do where nobody marked a word, and goes when that was done."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.tag_threshold_toolbar import NoTagsHint, is_untagged
from qe_desktop.ui.shell.commands import ACTIONS
from tests.building import tags

WORDS = LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS)


def bare(**more) -> Corpus:
    texts = {TextRole.SOURCE: TextColumn.of(["a b"]), TextRole.MT: TextColumn.of(["c d"])}
    return Corpus("made", 1, texts, **more)


@pytest.fixture
def line(qtbot, workspace):
    holder = QWidget()
    qtbot.addWidget(holder)
    table = ActionRegistry(holder, workspace.settings)
    table.add_all(action for action in ACTIONS if action.id.startswith("edit.qe"))
    found = NoTagsHint(workspace, holder)
    found.connect_actions(table)
    found.table = table
    return found


def test_it_stands_until_something_marks_words(line, workspace):
    assert line.isHidden()
    workspace.open(bare())
    assert not line.isHidden()
    corpus = workspace.corpus
    workspace.session.extend(replace(corpus, layers={WORDS: Layer(WORDS, tags("ob"), "qe")}))
    assert line.isHidden()
    workspace.session.remove(WORDS)
    assert not line.isHidden()
    workspace.close()
    assert line.isHidden()


def test_its_buttons_are_the_commands(line, workspace, qtbot):
    done = []
    for id in line.buttons:
        line.table.connect_to(id, lambda id=id: done.append(id))
        line.buttons[id].click()
    assert done == ["edit.qe-checks", "edit.qe-run"]


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        (bare(), True),
        (bare(layers={WORDS: Layer(WORDS, tags("oo"), "qe")}), False),
        (Corpus("made", 1, {TextRole.MT: TextColumn.of(["c d"])}), False),
        (Corpus("made", 1), False),
    ],
)
def test_it_is_for_texts_without_tags(corpus, expected):
    assert is_untagged(View(corpus)) is expected
