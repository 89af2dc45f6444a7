"""Hint about missing word tags: shown for texts without tags, hidden as soon as there are some."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.tag_threshold_toolbar import NoTagsHint, is_untagged
from qe_desktop.ui.shell.commands import ACTIONS
from tests.small_corpora import tags

WORDS = LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS)


def bare(**more) -> Corpus:
    texts = {TextRole.SOURCE: TextColumn.of(["a b"]), TextRole.MT: TextColumn.of(["c d"])}
    return Corpus("made", 1, texts, **more)


@pytest.fixture
def no_tags_hint(qtbot, workspace):
    holder = QWidget()
    qtbot.addWidget(holder)
    table = ActionRegistry(holder, workspace.settings)
    table.add_all(action for action in ACTIONS if action.id.startswith("edit.qe"))
    hint = NoTagsHint(workspace, holder)
    hint.connect_actions(table)
    hint.table = table
    return hint


def test_hint_is_shown_until_words_are_tagged(no_tags_hint, workspace):
    assert no_tags_hint.isHidden()
    workspace.open(bare())
    assert not no_tags_hint.isHidden()
    corpus = workspace.corpus
    workspace.session.extend(replace(corpus, layers={WORDS: Layer(WORDS, tags("ob"), "qe")}))
    assert no_tags_hint.isHidden()
    workspace.session.remove(WORDS)
    assert not no_tags_hint.isHidden()
    workspace.close()
    assert no_tags_hint.isHidden()


def test_hint_buttons_trigger_their_commands(no_tags_hint, workspace, qtbot):
    done = []
    for id in no_tags_hint.buttons:
        no_tags_hint.table.connect_to(id, lambda id=id: done.append(id))
        no_tags_hint.buttons[id].click()
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
def test_is_untagged_for_texts_without_tags(corpus, expected):
    assert is_untagged(View(corpus)) is expected
