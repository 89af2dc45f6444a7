from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction, RatingEvent
from qe_desktop.corpus import Kind, Layer, LayerKey, NumberColumn, Provenance, offsets_from_lengths
from qe_desktop.i18n import messages
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import AuditRow, EditAction, EditRow, LayerRow, SettingRow
from qe_desktop.project.store import Project
from qe_desktop.project.store.errors import RejectedError, TransientError
from qe_desktop.project.store.spool import Spool, data_folder, recover_spool
from qe_desktop.project.store.tables.cell_codec import row_from_json, row_to_json
from tests.project.store.small_projects import GOLD, full_corpus, make_edit_row
from tests.small_corpora import tags

texts = st.text(max_size=8)
numbers = st.integers(0, 2**31 - 1)
places = st.lists(st.integers(0, 99), max_size=4).map(tuple)
values = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False), texts, places)
rows = st.one_of(
    st.builds(
        EditRow,
        texts,
        st.builds(LayerKey, st.sampled_from(Provenance), texts, st.sampled_from(Kind)),
        numbers,
        places,
        places,
        places,
        st.sampled_from(EditAction),
        texts,
        texts,
        st.just(1.5),
        texts,
        texts,
        numbers,
    ),
    st.builds(SettingRow, texts, st.one_of(st.none(), st.booleans(), texts, st.lists(texts))),
    st.builds(AuditRow, st.just(2.25), texts, texts, st.dictionaries(texts, st.integers())),
    st.builds(
        RatingEvent,
        texts,
        texts,
        texts,
        texts,
        st.just(3.5),
        texts,
        values,
        st.just(1.0),
        st.sampled_from(RatingAction),
        texts,
    ),
    st.builds(LayerRow, st.just(GOLD), st.none(), st.booleans()),
)


@given(row=rows)
def test_rows_are_read_back_from_json(row):
    text = json.dumps(row_to_json(row), ensure_ascii=True)
    assert row_from_json(json.loads(text)) == row


@pytest.mark.parametrize(
    "layer",
    [
        Layer(GOLD, tags("oob", "", "b"), "a", "n", ("x",)),
        Layer(
            LayerKey(Provenance.SYSTEM, "s", Kind.PROBABILITIES),
            NumberColumn(np.array([0.5, 0.25], np.float32), offsets_from_lengths([0, 2])),
        ),
        Layer(LayerKey(Provenance.GOLD, "hter", Kind.SCORES), np.array([0.5, np.nan])),
    ],
)
def test_layers_are_read_back_from_json(layer):
    read = row_from_json(json.loads(json.dumps(row_to_json(LayerRow(layer.key, layer)))))
    assert isinstance(read, LayerRow)
    assert read.layer is not None
    again = read.layer
    assert (again.key, again.origin, again.form, again.notes) == (layer.key, layer.origin, layer.form, layer.notes)
    if isinstance(layer.column, np.ndarray):
        np.testing.assert_array_equal(again.column, layer.column)
    else:
        assert again.column == layer.column


def audit(number: int) -> AuditRow:
    return AuditRow(0.0, "ann", "what", {}, f"uid {number}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "spool"


def make_spool(folder: Path, window: str, project_url: str = "postgresql://here/place") -> Spool:
    return Spool(project_url, "project", window, folder)


def test_rows_of_an_earlier_session_are_recovered_once(folder):
    before = make_spool(folder, "before")
    before.append([audit(0), audit(1)])
    before.append([audit(2)])
    before.close()
    recovered: list[AuditRow] = []
    assert recover_spool(make_spool(folder, "after"), recovered.extend) == 3
    assert [row.uid for row in recovered] == ["uid 0", "uid 1", "uid 2"]
    assert not before.path.exists()
    assert recover_spool(make_spool(folder, "later"), recovered.extend) == 0


def test_rows_of_other_projects_and_running_sessions_are_not_recovered(folder):
    elsewhere = make_spool(folder, "before", "postgresql://another/place")
    elsewhere.append([audit(0)])
    elsewhere.close()
    running = make_spool(folder, "running")
    running.append([audit(1)])
    recovered: list[AuditRow] = []
    assert recover_spool(make_spool(folder, "after"), recovered.extend) == 0
    assert elsewhere.path.exists()
    assert running.path.exists()
    running.clear()


def test_rows_are_recovered_by_a_moved_project_but_not_by_a_copy(folder, tmp_path):
    original, moved = tmp_path / "here.qedesk", tmp_path / "there.qedesk"
    original.touch()
    spool = make_spool(folder, "before", str(original))
    spool.append([audit(0)])
    spool.close()
    recovered: list[AuditRow] = []
    assert recover_spool(make_spool(folder, "copy", str(moved)), recovered.extend) == 0
    original.rename(moved)
    assert recover_spool(make_spool(folder, "moved", str(moved)), recovered.extend) == 1


def test_a_line_truncated_by_a_crash_is_skipped(folder):
    before = make_spool(folder, "before")
    before.append([audit(0), audit(1)])
    before.close()
    data = before.path.read_bytes()
    before.path.write_bytes(data[:-20])
    recovered: list[AuditRow] = []
    assert recover_spool(make_spool(folder, "after"), recovered.extend) == 1
    assert [row.uid for row in recovered] == ["uid 0"]


def test_a_line_truncated_by_a_full_disk_does_not_affect_others(folder):
    before = make_spool(folder, "before")
    before.append([audit(0)])
    with before.path.open("ab") as file:
        file.write(b'\n{"row":"AuditRow","at":')
    before.append([audit(1)])
    before.close()
    recovered: list[AuditRow] = []
    recover_spool(make_spool(folder, "after"), recovered.extend)
    assert [row.uid for row in recovered] == ["uid 0", "uid 1"]


def test_unreadable_lines_are_set_aside_and_reported(folder):
    before = make_spool(folder, "before")
    before.append([audit(0)])
    unreadable = [b'{"row":"RowOfTomorrow","uid":"t"}', b'{"row":"AuditRow","at":1}', b"[1]", b"not JSON}", b'{"cut":']
    with before.path.open("ab") as file:
        file.write(b"".join(b"\n" + line for line in unreadable) + b"\n")
    before.append([audit(1)])
    before.close()
    recovered: list[AuditRow] = []
    after = make_spool(folder, "after")
    assert recover_spool(after, recovered.extend) == 2
    assert [row.uid for row in recovered] == ["uid 0", "uid 1"]
    assert not before.path.exists()
    unread = before.path.with_suffix(".unread")
    assert {line for line in unread.read_bytes().split(b"\n") if line} == set(unreadable)
    [error] = after.recovery_errors
    assert "3 unsaved changes" in error.message
    assert str(unread) in error.hint
    again = make_spool(folder, "again")
    recover_spool(again, recovered.extend)
    assert unread.exists()
    assert again.recovery_errors == []


def test_lines_that_cannot_be_set_aside_stay_in_the_file(folder, monkeypatch):
    before = make_spool(folder, "before")
    before.append([audit(0)])
    with before.path.open("ab") as file:
        file.write(b'{"row":"RowOfTomorrow"}\n')
    before.close()
    before.path.with_suffix(".unread").mkdir()
    assert recover_spool(make_spool(folder, "after"), lambda batch: None) == 0
    assert b"RowOfTomorrow" in before.path.read_bytes()


def test_a_transient_error_of_the_database_preserves_the_file(folder):
    before = make_spool(folder, "before")
    before.append([audit(0)])
    before.close()

    def fail_transiently(batch: object) -> None:
        raise TransientError("away")

    assert recover_spool(make_spool(folder, "after"), fail_transiently) == 0
    assert before.path.exists()


def test_a_file_that_cannot_be_committed_does_not_delay_the_next(folder):
    for number, window in enumerate(("a" * 12, "b" * 12)):
        before = make_spool(folder, window)
        before.append([audit(number)])
        before.close()
    recovered: list[AuditRow] = []

    def commit(batch) -> None:
        if batch[0].uid == "uid 0":
            raise TransientError("not now")
        recovered.extend(batch)

    assert recover_spool(make_spool(folder, "after"), commit) == 1
    assert [row.uid for row in recovered] == ["uid 1"]
    assert [path.name[-18:-6] for path in folder.rglob("*.jsonl")] == ["a" * 12]


def test_rejected_rows_are_set_aside(folder):
    before = make_spool(folder, "before")
    before.append([audit(number) for number in range(5)])
    before.close()
    recovered: list[AuditRow] = []

    def commit(batch) -> None:
        if any(row.uid == "uid 3" for row in batch):
            raise RejectedError("not this")
        recovered.extend(batch)

    after = make_spool(folder, "after")
    recover_spool(after, commit)
    assert [row.uid for row in recovered] == ["uid 0", "uid 1", "uid 2", "uid 4"]
    assert "uid 3" in after.path.with_suffix(".refused").read_text()
    assert "not this" in after.recovery_errors[0].message


def test_the_reason_of_a_rejection_is_stored_in_english(folder):
    german = {("no layer {layer}", ""): ("keine Ebene {layer}",), ("gold", ""): ("Gold",)}
    messages.set_language(messages.Language("de", german, lambda number: 0))
    try:
        refused = RejectedError(tr("no layer {layer}", layer=tr("gold")), hint=tr("Try again."))
        path = make_spool(folder, "window").set_aside(audit(1), refused)
    finally:
        messages.set_language(messages.ENGLISH)
    assert refused.message == "keine Ebene Gold"
    assert json.loads(path.read_text())["refused"] == "no layer gold. Try again."


def test_unsaved_rows_are_recovered_at_the_next_opening(tmp_path, monkeypatch):
    path = tmp_path / "a.qedesk"
    project = Project.create(path, full_corpus(), person="ann")
    monkeypatch.setattr(project.writer, "_commit", _fail_transiently)
    row = make_edit_row(project, 0, 1)
    project.append([row])
    assert project.close(0.2) == 1
    assert list((data_folder() / "unsaved").glob("*.jsonl"))
    with Project.open(path, person="bob") as again:
        history = again.history()
        [recovered] = again.edit_rows(history.seq.tolist())
    assert (recovered.uid, recovered.person, recovered.window) == (row.uid, "ann", row.window)
    assert not list((data_folder() / "unsaved").glob("*"))


def _fail_transiently(batch: object) -> None:
    raise TransientError("the disk is full")


@pytest.mark.process
def test_a_kill_while_the_database_is_unavailable_loses_nothing(tmp_path):
    path = tmp_path / "a.qedesk"
    Project.create(path, full_corpus(), person="ann").close()
    program = f"""
import sys, time
from qe_desktop.project.store import Project
from qe_desktop.project.store.errors import TransientError
from tests.project.store.small_projects import make_edit_row
project = Project.open({str(path)!r}, person="ann")
def away(batch): raise TransientError("away")
project.writer._commit = away
for word in range(3):
    project.append([make_edit_row(project, 0, word)])
while project.writer._spool_writer._stored_rows < 3:
    time.sleep(0.01)
print("kept", flush=True)
time.sleep(60)
"""
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])
    assert running.stdout is not None
    assert running.stdout.readline() == b"kept\n"
    running.kill()
    running.wait()
    running.stdout.close()
    with Project.open(path, person="ann") as project:
        assert project.history().position.tolist() == [0, 1, 2]


def test_the_data_folder_follows_xdg_data_home(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "here"))
    if os.name == "posix" and sys.platform != "darwin":
        assert data_folder() == tmp_path / "here" / "qe-desktop"
