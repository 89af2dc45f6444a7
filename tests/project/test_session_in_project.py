"""Session of a project: the rows that it stores, and changes by other users."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, Provenance
from qe_desktop.corpus.columns import offsets_from_lengths
from qe_desktop.project import Edit, Session
from qe_desktop.project.events import EditRow, LayerRow, RemoteChanges, SettingRow
from tests.project.small_session import GOLD, make_session
from tests.small_corpora import tags


def stored_rows(current: Session) -> list:
    rows: list = []
    current.set_storage(rows.extend, "Anna", "w")
    return rows


def test_in_a_project_every_change_is_a_row_and_nothing_is_unsaved():
    current = make_session()
    rows = stored_rows(current)
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    current.undo()
    mine = current.add_person("Anna", Kind.WORDS)
    current.remove(mine)
    current.set_threshold("p", 0.3)
    assert current.unsaved_layers() == []
    assert [type(row).__name__ for row in rows] == ["EditRow", "EditRow", "LayerRow", "LayerRow", "SettingRow"]
    assert {(row.person, row.window) for row in rows} == {("Anna", "w")}
    assert [row.added for row in rows[2:4]] == [True, False]
    assert rows[2].layer.key == mine


def test_threshold_of_replaced_probabilities_does_not_return():
    """Opened again, the project had the threshold of the earlier probabilities for the new ones."""
    key = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES)
    lengths = make_session().corpus.layers[GOLD].tags.lengths()
    offsets = offsets_from_lengths(lengths)

    def probabilities(value: float) -> Layer:
        return Layer(key, NumberColumn(np.full(int(lengths.sum()), value, np.float32), offsets))

    for closed_first in (True, False):
        current = make_session()
        current.extend(current.corpus.with_layer(probabilities(0.4)))
        current.set_threshold("p", 0.3)
        rows = stored_rows(current)
        if closed_first:
            current.remove(key)
        current.extend(current.corpus.with_layer(probabilities(0.2)))
        assert current.threshold("p") == 0.5
        settings = [row for row in rows if isinstance(row, SettingRow)]
        assert [(row.name, row.value) for row in settings] == [("threshold/p", None)]


def test_a_replaced_layer_keeps_its_edits():
    current = make_session()
    current.apply(Edit(GOLD, 1, (1, 2), (1, 1)))
    rows = stored_rows(current)
    replacement = Layer(GOLD, tags("bbb", "oooo", "o"), origin="other.tags")
    current.extend(current.corpus.with_layer(replacement))
    assert current.view.tags(GOLD) == tags("bbb", "obbo", "o")
    assert current.view.initial_tags(GOLD)[0].tolist() == [1, 1, 1]
    assert current.edited_tags() == 2
    assert [(type(row).__name__, getattr(row, "added", None)) for row in rows] == [
        ("LayerRow", False),
        ("LayerRow", True),
        ("EditRow", None),
    ]
    assert current.undo_text == "2 words → BAD, segment 2"
    current.undo()
    assert current.view.tags(GOLD) == replacement.tags


def test_remote_edits_name_their_author_and_unknown_layers_are_ignored():
    current = make_session()
    changes = []
    current.subscribe(changes.append)
    words = "word 2 OK → BAD, segment 2"
    row = EditRow(
        "u1", GOLD, 1, (1,), (1,), (0,), text=words, person="Ben", seq=1, layer_uid=current.layer_uids()[GOLD]
    )
    gone = LayerKey(Provenance.PERSON, "gone", Kind.WORDS)
    closed = replace(row, uid="u4", layer_uid="that of a layer that was closed")
    current.apply_remote_changes(
        RemoteChanges(
            (
                row,
                replace(row, uid="u2", layer=gone),
                replace(row, uid="u3", segment=99),
                closed,
            )
        )
    )
    assert [(change.text, change.segments, change.is_remote) for change in changes] == [
        ("Ben: word 2 OK → BAD, segment 2", (1,), True)
    ]
    assert current.undo() is None
    assert current.edited_tags() == 1
    current.apply(Edit(GOLD, 1, (2,), (1,)))
    current.apply_remote_changes(RemoteChanges((replace(row, uid="u5", tags=(0,), before=(1,), seq=2),)))
    assert current.view.segment_tags(GOLD, 1).tolist() == [1, 0, 1, 1]


def test_the_order_of_the_project_decides_which_edit_applies():
    current = make_session()
    rows = stored_rows(current)
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    remote_edit = EditRow("u1", GOLD, 0, (0,), (0,), (1,), person="Ben", seq=1, layer_uid=current.layer_uids()[GOLD])
    current.apply_remote_changes(RemoteChanges((remote_edit,)))
    # edits that are not yet in the project come after all that are
    assert current.view.segment_tags(GOLD, 0).tolist() == [1, 0, 1]
    changes = []
    current.subscribe(changes.append)
    current.apply_remote_changes(
        RemoteChanges(
            (
                replace(rows[0], seq=2),
                replace(remote_edit, uid="u2", seq=3),
            )
        )
    )
    assert current.view.segment_tags(GOLD, 0).tolist() == [0, 0, 1]
    assert [change.segments for change in changes] == [(0,)]
    current.apply_remote_changes(RemoteChanges((replace(rows[0], seq=2),)))
    assert len(changes) == 1
    assert current.edited_tags() == 0


def test_remote_edits_of_an_unedited_segment_are_applied_in_order():
    current = make_session()
    late = EditRow("u1", GOLD, 0, (0,), (0,), (1,), person="Ben", seq=2, layer_uid=current.layer_uids()[GOLD])
    current.apply_remote_changes(
        RemoteChanges(
            (
                late,
                replace(late, uid="u2", tags=(1,), seq=1),
            )
        )
    )
    assert current.view.segment_tags(GOLD, 0).tolist() == [0, 0, 1]


def test_layers_of_other_users_are_added_and_closed():
    current = make_session()
    mine = LayerKey(Provenance.PERSON, "Ben", Kind.WORDS)
    current.apply_remote_changes(
        RemoteChanges(layers=(LayerRow(mine, Layer(mine, tags("ooo", "oooo", "o")), uid="first"),))
    )
    edit = EditRow("u1", mine, 0, (0,), (1,), (0,), person="Ben", seq=1, layer_uid="first")
    current.apply_remote_changes(RemoteChanges((edit,)))
    assert current.view.tags(mine) == tags("boo", "oooo", "o")
    current.apply_remote_changes(RemoteChanges(layers=(LayerRow(mine, None, False, closes="first"),)))
    assert mine not in current.corpus.layers
    current.apply_remote_changes(
        RemoteChanges(layers=(LayerRow(mine, Layer(mine, tags("ooo", "oooo", "b")), uid="second"),))
    )
    current.apply_remote_changes(RemoteChanges(layers=(LayerRow(mine, None, False, closes="first"),)))
    current.apply_remote_changes(RemoteChanges((replace(edit, uid="u2", seq=2),)))
    assert current.view.tags(mine) == tags("ooo", "oooo", "b")
    assert current.edited_tags() == 0


def test_undo_of_an_added_layer_keeps_the_layer_that_another_user_added_under_its_name():
    current = make_session()
    mine = current.add_person("Ben", Kind.WORDS)
    own_uid, theirs = current.layer_uids()[mine], Layer(mine, tags("ooo", "oooo", "b"))
    current.apply_remote_changes(RemoteChanges(layers=(LayerRow(mine, None, False, closes=own_uid),)))
    current.apply_remote_changes(RemoteChanges(layers=(LayerRow(mine, theirs, uid="theirs"),)))
    rows = stored_rows(current)
    change = current.undo()
    assert change is not None
    assert change.had_no_effect
    assert "not undone" in change.text
    assert current.view.tags(mine) == tags("ooo", "oooo", "b")
    assert rows == []


def test_undo_of_a_closed_layer_leaves_the_tags_of_a_layer_that_has_its_name_now():
    current = make_session()
    mine = current.add_person("Ben", Kind.WORDS)
    current.apply(Edit(mine, 0, (0,), (1,)))
    current.remove(mine)
    current.apply_remote_changes(
        RemoteChanges(layers=(LayerRow(mine, Layer(mine, tags("ooo", "oooo", "b")), uid="theirs"),))
    )
    change = current.undo()
    assert change is not None
    assert change.had_no_effect
    assert current.view.tags(mine) == tags("ooo", "oooo", "b")
    assert current.edited_tags() == 0


def test_closing_a_layer_that_another_user_closed_keeps_the_redo_history():
    current = make_session()
    mine = current.add_person("Ben", Kind.WORDS)
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    current.undo()
    current.apply_remote_changes(
        RemoteChanges(layers=(LayerRow(mine, None, False, closes=current.layer_uids()[mine]),))
    )
    redo_text = current.redo_text
    current.remove(mine)
    assert current.redo_text == redo_text != ""
