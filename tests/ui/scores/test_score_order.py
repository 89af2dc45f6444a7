"""Order of the systems in Inspect: by score, set when the scores are first ready, and kept while the user edits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind, Provenance
from qe_desktop.project import Edit
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.scores.score_order import ScoreOrder
from tests.ui.scores.conftest import GOLD, make_corpus, system_key


@pytest.fixture
def reader(environment: Any, qtbot: QtBot) -> SegmentTagEditor:
    ScoreOrder(environment.scores, environment.comparison)
    widget = SegmentTagEditor(environment.workspace)
    qtbot.addWidget(widget)
    return widget


def worst_first(systems: int = 3) -> Any:
    """Return a corpus whose best system has the last name and comes last."""
    corpus = make_corpus(systems)
    layers = {GOLD: corpus.layers[GOLD]}
    for number in reversed(range(systems)):
        key = system_key(f"system {number}")
        layers[key] = corpus.layers[key]
    return replace(corpus, layers=layers)


def rows(reader: SegmentTagEditor) -> list[str]:
    block = reader.page.block(Kind.WORDS)
    return [row.name for row in block.tag_rows if row.provenance is Provenance.SYSTEM]


def test_rows_of_systems_are_in_the_order_of_their_scores(environment: Any, reader: SegmentTagEditor) -> None:
    environment.open(worst_first())
    assert rows(reader) == ["system 0", "system 1", "system 2"]
    described = reader.describe((Kind.WORDS, 0))
    assert described.index("gold:") < described.index("system 0") < described.index("system 2")


def test_description_of_the_word_follows_the_order(environment: Any, reader: SegmentTagEditor) -> None:
    """Regression: the status bar kept the order of the files until the cursor moved."""
    descriptions: list[str] = []
    reader.word_described.connect(descriptions.append)
    reader.show()
    environment.open(worst_first())
    names = ["system 0", "system 1", "system 2"]
    assert sorted(names, key=descriptions[-1].index) == names


def test_edits_do_not_change_the_order(environment: Any, reader: SegmentTagEditor) -> None:
    environment.open(worst_first())
    workspace = environment.workspace
    # the tags of the worst system become the gold
    for segment in range(workspace.corpus.size):
        tags = workspace.view.segment_tags(system_key("system 2"), segment).tolist()
        workspace.edit(Edit(GOLD, segment, tuple(range(len(tags))), tuple(tags)))
    environment.wait()
    assert environment.scores.values["F1-mult"].argmax() == environment.scores.layers.index(system_key("system 2"))
    workspace.add_own_layer(GOLD)
    environment.wait()
    workspace.go_to(1)
    assert rows(reader)[0] == "system 0"


def test_order_does_not_change_if_the_user_edits_before_the_scores_are_ready(
    environment: Any, reader: SegmentTagEditor
) -> None:
    workspace = environment.workspace
    workspace.open(worst_first())
    workspace.edit(Edit(GOLD, 0, (0,), (1 - int(workspace.view.segment_tags(GOLD, 0)[0]),)))
    environment.wait()
    assert rows(reader) == ["system 2", "system 1", "system 0"]


def test_compared_systems_come_before_the_others(environment: Any, reader: SegmentTagEditor) -> None:
    environment.open(worst_first())
    workspace = environment.workspace
    workspace.system_order = ("system 1", "system 2")
    left, right = system_key("system 1"), system_key("system 2")
    workspace.segments_requested.emit(left, right, "F1-mult", workspace.level, GOLD)
    assert rows(reader) == ["system 1", "system 2", "system 0"]
