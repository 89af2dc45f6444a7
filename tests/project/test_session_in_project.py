"""A session on a project: the rows that it gives, and what it hears of others."""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.project import Edit, Session
from qe_desktop.project.events import EditRow, LayerRow, RemoteChanges
from tests.building import tags
from tests.project.made import GOLD, session


def kept(one: Session) -> list:
    rows: list = []
    one.keep_in(rows.extend, "Anna", "w")
    return rows


def test_in_a_project_every_change_is_a_row_and_nothing_is_unsaved():
    one = session()
    rows = kept(one)
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.undo()
    mine = one.add_person("Anna", Kind.WORDS)
    one.remove(mine)
    one.set_threshold("p", 0.3)
    assert one.unsaved() == []
    assert [type(row).__name__ for row in rows] == ["EditRow", "EditRow", "LayerRow", "LayerRow", "SettingRow"]
    assert {(row.person, row.window) for row in rows} == {("Anna", "w")}
    assert [row.added for row in rows[2:4]] == [True, False]
    assert rows[2].layer.key == mine


def test_a_layer_that_is_replaced_keeps_what_a_person_changed():
    one = session()
    one.apply(Edit(GOLD, 1, (1, 2), (1, 1)))
    rows = kept(one)
    other = Layer(GOLD, tags("bbb", "oooo", "o"), origin="other.tags")
    one.extend(one.corpus.with_layer(other))
    assert one.view.tags(GOLD) == tags("bbb", "obbo", "o")
    assert one.view.loaded(GOLD)[0].tolist() == [1, 1, 1]
    assert one.edited_tags() == 2
    assert [(type(row).__name__, getattr(row, "added", None)) for row in rows] == [
        ("LayerRow", False),
        ("LayerRow", True),
        ("EditRow", None),
    ]
    assert one.undo_text == "2 words → BAD, segment 2"
    one.undo()
    assert one.view.tags(GOLD) == other.tags


def test_what_others_did_is_told_as_theirs_and_unknown_layers_are_left_out():
    one = session()
    changes = []
    one.subscribe(changes.append)
    words = "word 2 OK → BAD, segment 2"
    row = EditRow("u1", GOLD, 1, (1,), (1,), (0,), text=words, person="Ben", seq=1, layer_uid=one.layer_uids()[GOLD])
    gone = LayerKey(Provenance.PERSON, "gone", Kind.WORDS)
    closed = replace(row, uid="u4", layer_uid="that of a layer that was closed")
    one.hear(
        RemoteChanges(
            (
                row,
                replace(row, uid="u2", layer=gone),
                replace(row, uid="u3", segment=99),
                closed,
            )
        )
    )
    assert [(change.text, change.segments, change.remote) for change in changes] == [
        ("Ben: word 2 OK → BAD, segment 2", (1,), True)
    ]
    assert one.undo() is None
    assert one.edited_tags() == 1
    one.apply(Edit(GOLD, 1, (2,), (1,)))
    one.hear(RemoteChanges((replace(row, uid="u5", tags=(0,), before=(1,), seq=2),)))
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 0, 1, 1]


def test_the_order_of_the_project_decides_who_was_last():
    one = session()
    rows = kept(one)
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    theirs = EditRow("u1", GOLD, 0, (0,), (0,), (1,), person="Ben", seq=1, layer_uid=one.layer_uids()[GOLD])
    one.hear(RemoteChanges((theirs,)))
    # what the project does not have yet comes after all that it has
    assert one.view.segment_tags(GOLD, 0).tolist() == [1, 0, 1]
    changes = []
    one.subscribe(changes.append)
    one.hear(
        RemoteChanges(
            (
                replace(rows[0], seq=2),
                replace(theirs, uid="u2", seq=3),
            )
        )
    )
    assert one.view.segment_tags(GOLD, 0).tolist() == [0, 0, 1]
    assert [change.segments for change in changes] == [(0,)]
    one.hear(RemoteChanges((replace(rows[0], seq=2),)))
    assert len(changes) == 1
    assert one.edited_tags() == 0


def test_edits_come_into_their_order_where_nobody_had_edited_before():
    one = session()
    late = EditRow("u1", GOLD, 0, (0,), (0,), (1,), person="Ben", seq=2, layer_uid=one.layer_uids()[GOLD])
    one.hear(
        RemoteChanges(
            (
                late,
                replace(late, uid="u2", tags=(1,), seq=1),
            )
        )
    )
    assert one.view.segment_tags(GOLD, 0).tolist() == [0, 0, 1]


def test_layers_of_others_come_and_go():
    one = session()
    mine = LayerKey(Provenance.PERSON, "Ben", Kind.WORDS)
    one.hear(RemoteChanges(layers=(LayerRow(mine, Layer(mine, tags("ooo", "oooo", "o")), uid="first"),)))
    edit = EditRow("u1", mine, 0, (0,), (1,), (0,), person="Ben", seq=1, layer_uid="first")
    one.hear(RemoteChanges((edit,)))
    assert one.view.tags(mine) == tags("boo", "oooo", "o")
    one.hear(RemoteChanges(layers=(LayerRow(mine, None, False, closes="first"),)))
    assert mine not in one.corpus.layers
    one.hear(RemoteChanges(layers=(LayerRow(mine, Layer(mine, tags("ooo", "oooo", "b")), uid="second"),)))
    one.hear(RemoteChanges(layers=(LayerRow(mine, None, False, closes="first"),)))
    one.hear(RemoteChanges((replace(edit, uid="u2", seq=2),)))
    assert one.view.tags(mine) == tags("ooo", "oooo", "b")
    assert one.edited_tags() == 0
