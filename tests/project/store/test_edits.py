from __future__ import annotations

import sqlite3
import threading
from contextlib import closing as closed
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, TagColumn, offsets_from_lengths
from qe_desktop.project.events import EditAction, EditRow, LayerRow, new_uid
from qe_desktop.project.store import Project
from tests.project.store.small_projects import (
    GOLD,
    full_corpus,
    make_edit_row,
    make_layer_row,
    make_setting_row,
    select_rows,
    tags_project,
)
from tests.timeouts import PATIENCE

MINE = LayerKey(Provenance.PERSON, "ann", Kind.WORDS)
SIZES = (3, 0, 5, 1)


def two_layers() -> Corpus:
    column = TagColumn(np.zeros(sum(SIZES), np.uint8), offsets_from_lengths(SIZES))
    return Corpus("two", len(SIZES), {}, {key: Layer(key, column) for key in (GOLD, MINE)})


@st.composite
def edit_rows(draw: st.DrawFn) -> EditRow:
    """Edits of some positions of a segment, sometimes of none."""
    segment = draw(st.sampled_from([0, 2, 3]))
    places = tuple(draw(st.lists(st.integers(0, SIZES[segment] - 1), unique=True, max_size=SIZES[segment])))
    tags = tuple(draw(st.integers(0, 1)) for _ in places)
    before = tuple(draw(st.integers(0, 1)) for _ in places)
    layer = draw(st.sampled_from([GOLD, MINE]))
    return EditRow(new_uid(), layer, segment, places, tags, before, text=draw(st.text(max_size=5)), window="w")


def apply_one_by_one(rows: list[EditRow], key: LayerKey) -> list[int]:
    """Tags of a layer after all edits, applied one by one."""
    offsets = offsets_from_lengths(SIZES)
    values = [0] * sum(SIZES)
    for row in rows:
        for word, tag in zip(row.places, row.tags, strict=True):
            if row.layer == key:
                values[int(offsets[row.segment]) + word] = tag
    return values


@given(rows=st.lists(edit_rows(), max_size=25), cut=st.integers(0, 25))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_replaying_equals_setting_tags_one_by_one(rows, cut, tmp_path):
    corpus = two_layers()
    with Project.create(tmp_path / "a.qedesk", corpus, person="ann", replace=True) as project:
        for part in (rows[:cut], rows[cut:]):
            project.append(part)
            assert project.flush(PATIENCE)
        history = project.history()
        again = project.edit_rows(history.seq.tolist())
    assert [row.uid for row in again] == [row.uid for row in rows]
    assert [(row.places, row.tags, row.before) for row in again] == [(row.places, row.tags, row.before) for row in rows]
    for number, row in enumerate(rows):
        places, tags, before = history.of_row(number)
        assert (tuple(places), tuple(tags), tuple(before)) == (row.places, row.tags, row.before)
    for key in (GOLD, MINE):
        assert history.replay(key, corpus.layers[key].tags).values.tolist() == apply_one_by_one(rows, key)
        segments = {row.segment for row in rows if row.layer == key and row.places}
        assert np.unique(history.effects(key)[0]).tolist() == sorted(segments)


def test_rows_are_read_back_unchanged(location):
    project = location.create(full_corpus(), person="ann")
    row = make_edit_row(project, 0, 1, 1, text="word 2 OK → BAD \udcff \0 ✓")
    undo_row = replace(make_edit_row(project, 0, 1, 0), action=EditAction.UNDO, refers=row.uid)
    redo_row = replace(make_edit_row(project, 0, 1, 1), action=EditAction.REDO, refers=row.uid)
    several = replace(make_edit_row(project, 3), places=(0, 1, 2), tags=(1, 1, 1), before=(0, 1, 0))
    project.append([row, undo_row, redo_row, several])
    assert project.flush(PATIENCE)
    history = project.history()
    assert history.action.tolist() == [0, 1, 2, 0]
    assert history.refers.tolist() == [-1, 0, 0, -1]
    assert history.position.tolist() == [1, 1, 1, -1]
    assert history.authors == ("ann",)
    assert history.clients[history.client[0]] == project.window
    rows = project.edit_rows(history.seq.tolist())
    assert [edit_row.uid for edit_row in rows] == [row.uid, undo_row.uid, redo_row.uid, several.uid]
    assert [edit_row.refers for edit_row in rows] == ["", row.uid, row.uid, ""]
    assert rows[0].text == "word 2 OK → BAD \\udcff \\x00 ✓"
    assert (rows[0].person, rows[0].window) == ("ann", project.window)
    assert rows[0].at == pytest.approx(row.at)
    assert rows[3].before == (0, 1, 0)
    assert {edit_row.layer_uid for edit_row in rows} == {project.corpus_and_uids()[1][GOLD]}


def test_duplicate_rows_are_stored_once(location):
    project = location.create(full_corpus())
    row = make_edit_row(project)
    project.append([row, row])
    project.append([row])
    assert project.flush(PATIENCE)
    assert len(project.history()) == 1


def test_edits_of_a_closed_layer_do_not_apply_to_its_successor(location):
    project = location.create(full_corpus())
    column = project.corpus().layers[GOLD].tags
    project.append([make_edit_row(project, 0, 1, 1)])
    project.append([LayerRow(GOLD, None, added=False), make_layer_row(project, Layer(GOLD, column))])
    project.append([make_edit_row(project, 0, 0, 1)])
    assert project.flush(PATIENCE)
    assert project.writer.error is None
    history = location.open().history()
    assert len(history) == 1
    assert history.position.tolist() == [0]


def test_an_edit_of_a_missing_layer_is_set_aside_and_the_rest_is_saved(location):
    project = location.create(full_corpus())
    troubles = []
    project.writer.on_error.append(troubles.append)
    rows = [make_edit_row(project, 0, index) for index in range(3)]
    invalid = EditRow(new_uid(), LayerKey(Provenance.GOLD, "no such", Kind.WORDS), 0, (0,), (1,), (0,), window="w")
    project.append([rows[0], invalid, *rows[1:]])
    assert project.flush(PATIENCE)
    assert "does not exist in the project" in troubles[0].message
    assert len(project.history()) == 3
    assert [row for row, _ in project.writer.rejected_rows] == [invalid]


def test_new_changes_contain_changes_of_others_and_the_order_of_own_edits(location):
    own_project, other_project = location.create(full_corpus(), person="ann"), location.open("bob")
    own_project.history(), other_project.history()
    assert not own_project.new_changes()
    own_project.append([make_edit_row(own_project, 0, 0), make_edit_row(own_project, 2, 1)])
    own_project.append(
        [
            make_setting_row(own_project, "threshold/system A", 0.25),
            make_setting_row(own_project, "segment", 3, own=True),
        ]
    )
    assert own_project.flush(PATIENCE)
    changes = other_project.new_changes()
    assert [(row.segment, row.person, row.window) for row in changes.edits] == [
        (0, "ann", own_project.window),
        (2, "ann", own_project.window),
    ]
    assert [(row.name, row.value, row.scope) for row in changes.settings] == [
        ("threshold/system A", 0.25, ""),
        ("segment", 3, "ann"),
    ]
    assert not other_project.new_changes()
    mine = own_project.new_changes()
    assert mine.edits == changes.edits
    assert mine.settings == ()
    assert not own_project.new_changes()


def test_a_history_and_later_changes_together_are_complete(location):
    own_project, other_project = location.create(full_corpus()), location.open("bob")
    own_project.append([make_edit_row(own_project, 0, 0)])
    assert own_project.flush(PATIENCE)
    history = other_project.history()
    own_project.append([make_edit_row(own_project, 0, 1)])
    assert own_project.flush(PATIENCE)
    assert (len(history), len(other_project.new_changes().edits)) == (1, 1)
    assert len(other_project.history(after=int(history.seq[-1]))) == 1


def test_two_windows_that_write_concurrently_lose_nothing(location):
    own_project, other_project = location.create(full_corpus(), person="ann"), location.open("bob")

    def work(project: Project, segment: int) -> None:
        for number in range(150):
            project.append([make_edit_row(project, segment, number % 3, number % 2)])

    threads = [threading.Thread(target=work, args=pair) for pair in ((own_project, 0), (other_project, 3))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert own_project.flush(PATIENCE)
    assert other_project.flush(PATIENCE)
    history = own_project.history()
    assert len(history) == 300
    assert {name: int(np.count_nonzero(history.author == code)) for code, name in enumerate(history.authors)} == {
        "ann": 150, "bob": 150, **({"owner": 0} if "owner" in history.authors else {}),
    }  # fmt: skip
    # rows of each user are in the order in which they were made
    mine = [row for row in own_project.edit_rows(history.seq.tolist()) if row.person == "ann"]
    assert [row.places[0] for row in mine] == [number % 3 for number in range(150)]


def test_the_last_value_of_a_setting_applies(location):
    project = location.create(full_corpus(), person="ann")
    for value in (0.1, 0.2, {"any": ["json", None, 1.5, "\udcff"]}):
        project.append([make_setting_row(project, "threshold", value)])
        assert project.flush(PATIENCE)
    project.append([make_setting_row(project, "segment", 7, own=True)])
    project.append([make_setting_row(project, "gone", 1), make_setting_row(project, "gone", None)])
    assert project.flush(PATIENCE)
    again = location.open("ann")
    assert again.settings() == {"threshold": {"any": ["json", None, 1.5, "\udcff"]}}
    assert again.settings(own_only=True) == {"segment": 7}
    assert location.open("bob").settings(own_only=True) == {}


def test_queued_values_of_a_setting_are_merged(tmp_path):
    project = tags_project(tmp_path / "a.qedesk")
    saved = []
    project.writer.on_saved.append(lambda count, at: saved.append(count))
    with closed(sqlite3.connect(tmp_path / "a.qedesk", isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        for segment in range(50):
            project.append([make_setting_row(project, "segment", segment, own=True)])
        holder.execute("COMMIT")
    assert project.flush(PATIENCE)
    assert project.settings(own_only=True) == {"segment": 49}
    assert sum(saved) == 50
    project.close()
    assert len(select_rows(tmp_path / "a.qedesk", "SELECT * FROM settings")) < 10


def test_audit_entries_state_who_did_what_and_when(location):
    project = location.create(full_corpus(), person="ann")
    project.log("unblinded", {"campaign": "c", "why": "it is over"})
    assert project.flush(PATIENCE)
    [row] = location.open("bob").audit()
    assert (row.who, row.what, row.details) == ("ann", "unblinded", {"campaign": "c", "why": "it is over"})
    assert row.at > 1.6e9


def test_a_closed_project_rejects_rows(tmp_path):
    project = tags_project(tmp_path / "a.qedesk")
    assert project.close() == 0
    with pytest.raises(QeError, match="closed"):
        project.append([make_edit_row(project)])
