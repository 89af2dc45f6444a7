"""Two windows on one project file: exchange of edits, undo, and convergence."""

from __future__ import annotations

import random

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.project import Edit
from qe_desktop.project.store import Project
from tests.ui.projects.conftest import GOLD


def open_two(windows, project_path, names=("Anna", "Ben")):
    left, right = windows(names[0]), windows(names[1])
    left.open(project_path)
    right.open(project_path)
    return left, right


def test_edits_appear_in_the_other_window(windows, project_path):
    anna, ben = open_two(windows, project_path)
    ben.wait_until(lambda: ben.wiring.scores.state == "ready")
    before = ben.wiring.scores.values["F1-mult"].copy()
    anna.edit(1, 1)
    ben.wait_until(lambda: ben.tags(1) == [1, 1, 0, 1])
    assert not (ben.wiring.scores.values["F1-mult"] == before).all()
    assert ben.session.undo_text == ""
    assert ben.session.edited_tags() == 1
    ben.edit(1, 2)
    anna.wait_until(lambda: anna.tags(1) == [1, 1, 1, 1])
    anna.workspace.undo()
    ben.wait_until(lambda: ben.tags(1) == [1, 0, 1, 1])
    anna.workspace.redo()
    ben.wait_until(lambda: ben.tags(1) == [1, 1, 1, 1])


def test_undo_keeps_later_edits_of_another_user(windows, project_path):
    anna, ben = open_two(windows, project_path)
    anna.edit(1, 1, 1)
    ben.wait_until(lambda: ben.tags(1)[1] == 1)
    ben.edit(1, 1, 0)
    ben.edit(1, 1, 1)
    anna.wait_until(lambda: len(anna.session.rows()) == 3)
    anna.workspace.undo()
    assert anna.tags(1) == [1, 1, 0, 1]
    assert "changed in the meantime by another user or in another window" in anna.notice_texts()[0]
    assert anna.session.undo_text == ""
    # the state is the same after reopening
    anna.close()
    ben.close()
    again = windows("Anna")
    again.open(project_path)
    assert again.tags(1) == [1, 1, 0, 1]
    assert again.session.undo_text == ""


def test_undo_reverts_only_words_that_are_unchanged_since(windows, project_path):
    anna, ben = open_two(windows, project_path)
    anna.workspace.edit(Edit(GOLD, 1, (1, 2), (1, 1)))
    ben.wait_until(lambda: ben.tags(1) == [1, 1, 1, 1])
    ben.edit(1, 2, 0)
    anna.wait_until(lambda: anna.tags(1) == [1, 1, 0, 1])
    anna.workspace.undo()
    assert anna.tags(1) == [1, 0, 0, 1]
    anna.workspace.redo()
    assert anna.tags(1) == [1, 1, 0, 1]


def test_layers_are_added_and_removed_in_both_windows(windows, project_path):
    anna, ben = open_two(windows, project_path)
    own_layer = LayerKey(Provenance.PERSON, "Anna", Kind.WORDS)
    anna.workspace.add_own_layer(GOLD)
    anna.edit(0, 0, layer=own_layer)
    ben.wait_until(lambda: own_layer in ben.session.corpus.layers and ben.tags(0, own_layer) == [1, 0, 1])
    anna.session.remove(own_layer)
    ben.wait_until(lambda: own_layer not in ben.session.corpus.layers)
    anna.workspace.add_own_layer()
    ben.wait_until(lambda: own_layer in ben.session.corpus.layers)
    assert ben.tags(0, own_layer) == [0, 0, 0]


def test_two_windows_of_one_user_undo_their_own_edits(windows, project_path):
    left, right = open_two(windows, project_path, ("Anna", "Anna"))
    left.edit(0, 0)
    right.edit(2, 0)
    left.wait_until(lambda: left.tags(2) == [1])
    right.wait_until(lambda: right.tags(0) == [1, 0, 1])
    left.workspace.undo()
    right.workspace.undo()
    left.wait_until(lambda: left.session.edited_tags() == 0)
    right.wait_until(lambda: right.session.edited_tags() == 0)
    left.wait_until_saved()
    right.wait_until_saved()


def test_concurrent_edits_of_the_same_words_converge(windows, project_path):
    anna, ben = open_two(windows, project_path)
    rng = random.Random(3)

    def act(window):
        choice = rng.random()
        if choice < 0.15:
            window.workspace.undo()
        elif choice < 0.25:
            window.workspace.redo()
        else:
            window.edit(rng.choice((0, 1)), rng.randrange(3))

    for _ in range(40):
        for _ in range(rng.randrange(1, 6)):
            act(rng.choice((anna, ben)))
        anna.qtbot.wait(rng.choice((0, 5, 20)))
    anna.wait_until_saved()
    ben.wait_until_saved()
    with Project.open(project_path, person="Cleo") as project:
        total = len(project.history())
    for window in (anna, ben):
        window.wait_until(lambda window=window: len(window.session.rows()) == total)
    stored = None

    def are_equal():
        nonlocal stored
        stored = [anna.tags(segment) for segment in range(3)]
        return stored == [ben.tags(segment) for segment in range(3)]

    anna.wait_until(are_equal)
    third = windows("Cleo")
    third.open(project_path)
    assert [third.tags(segment) for segment in range(3)] == stored
