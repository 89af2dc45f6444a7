"""Rows with values that readers reject are not written, wherever they come from."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.project.events import AuditRow, EditAction, LayerRow, ReviewField, ReviewRow, Row, VisitRow, new_uid
from qe_desktop.project.review.visits import Visit
from qe_desktop.project.store import Project
from qe_desktop.project.store.committer import validate_row
from qe_desktop.project.store.spool import Spool, data_folder
from qe_desktop.project.store.tables.cell_codec import row_to_json
from tests.project.store.small_projects import make_edit_row, make_layer_row, make_setting_row, tags_project
from tests.small_corpora import tags
from tests.timeouts import PATIENCE

INFINITE = float("inf")
OF_ANY_FIELD: list[Any] = [INFINITE, 10**30, 2**63, None, [], {}, "x\ud800", "\0", True]
OF_EDITS = [
    ("segment", -5),
    ("segment", 200),
    ("segment", 10**9),
    ("segment", "x"),
    ("segment", INFINITE),
    ("step", 2**62),
    ("step", INFINITE),
    ("tags", [7]),
    ("tags", []),
    ("places", [2**24]),
    ("window", []),
    ("layer_uid", []),
    ("layer", ["gold", [], "words"]),
    ("text", INFINITE),
    ("person", []),
    ("uid", "\ud800"),
]


@pytest.fixture
def project_path(tmp_path: Path) -> Path:
    path = tmp_path / "a.qedesk"
    tags_project(path).close()
    return path


def write_spool(project: Project, window: str, *records: dict[str, Any]) -> Path:
    """Write the spool file of a session that has ended."""
    path = Spool(project.place, project.uid, window).path
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [{"place": project.place}, *records]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def are_set_aside(path: Path, lines: int) -> bool:
    """Whether invalid rows are in files next to the spool file, which was removed."""
    texts = [file.read_text() for file in path.parent.iterdir() if file.suffix in (".unread", ".refused")]
    return not path.exists() and sum(text.count('"row":') for text in texts) == lines


def test_invalid_rows_of_a_spool_file_are_set_aside_and_the_project_opens(project_path):
    with Project.open(project_path, person="ann") as project:
        good = [make_edit_row(project, 3), make_edit_row(project, 4)]
        bad = [row_to_json(make_edit_row(project)) | {name: value} for name, value in OF_EDITS]
        first = write_spool(project, "a" * 12, row_to_json(good[0]), *bad)
        second = write_spool(project, "b" * 12, row_to_json(good[1]))
    with Project.open(project_path, person="ann") as again:
        assert len(again.recovery_errors) >= 1
        assert again.history().segment.tolist() == [3, 4]
        assert {row.uid for row in again.edit_rows([1, 2])} == {row.uid for row in good}
    assert are_set_aside(first, len(bad))
    assert not second.exists()


def rows_of_every_kind(project: Project) -> list[Row]:
    layer = Layer(LayerKey(Provenance.SYSTEM, "b", Kind.WORDS), tags(*["o" * 8] * 200))
    fields = (ReviewField.NOTE,)
    return [
        make_edit_row(project),
        ReviewRow(new_uid(), 1, fields, ("x",), (None,), at=1.7e9, person="ann", window=project.window),
        VisitRow(1, Visit(1.0, 2.0, 1.0), 1.7e9, "ann", project.window),
        make_setting_row(project, "a", 1),
        make_layer_row(project, layer),
        LayerRow(layer.key, None, True, 1.7e9, "ann", project.window),
        AuditRow(1.7e9, "ann", "what", {}),
    ]


def test_invalid_field_values_do_not_prevent_opening(project_path):
    with Project.open(project_path, person="ann") as project:
        rows = rows_of_every_kind(project)
        assert [validate_row(row) for row in rows] == rows
        records = []
        for record in map(row_to_json, rows):
            # a setting and the details of an audit entry may have any value
            for name in record.keys() - {"row", "value", "details", "uid"}:
                records += [record | {"uid": new_uid(), name: value} for value in OF_ANY_FIELD]
            records += [record | {"uid": value} for value in OF_ANY_FIELD]
        path = write_spool(project, "a" * 12, *records, row_to_json(make_edit_row(project, 5)))
    with Project.open(project_path, person="ann") as again:
        assert 5 in again.history().segment.tolist()
        again.edit_rows(again.history().seq.tolist())
        again.review()
        again.settings()
        again.audit()
        assert again.corpus() is not None
    assert not path.exists()


def test_a_layer_that_does_not_fit_the_corpus_is_not_added(project_path):
    with Project.open(project_path, person="ann") as project:
        short = Layer(LayerKey(Provenance.SYSTEM, "short", Kind.WORDS), tags(*["o" * 8] * 199))
        uneven = Layer(LayerKey(Provenance.SYSTEM, "uneven", Kind.WORDS), tags(*["o" * 7] * 200))
        fits = Layer(LayerKey(Provenance.SYSTEM, "fits", Kind.WORDS), tags(*["o" * 8] * 200))
        cut = row_to_json(make_layer_row(project, fits)) | {"uid": new_uid()}
        cut["layer"] |= {"values": base64.b64encode(b"\0").decode()}
        records = [row_to_json(make_layer_row(project, layer)) for layer in (short, uneven, fits)]
        path = write_spool(project, "a" * 12, *records, cut)
    with Project.open(project_path, person="ann") as again:
        corpus = again.corpus()
        assert corpus is not None
        assert [key.name for key in corpus.layers] == ["gold", "fits"]
    assert are_set_aside(path, 3)


@pytest.mark.parametrize(
    "invalid",
    [
        lambda project: make_edit_row(project, 200),
        lambda project: make_edit_row(project, 0, tag=2),
        lambda project: make_edit_row(project, 0, step=2**62),
        lambda project: ReviewRow(new_uid(), 200, (ReviewField.NOTE,), ("x",), (None,), EditAction.EDIT),
        lambda project: VisitRow(200, Visit(1.0, 2.0, 1.0)),
        lambda project: make_setting_row(project, ["a"], 1),
        lambda project: AuditRow(1.7e9, "ann", "what", ["details"]),
    ],
)
def test_an_invalid_row_of_the_session_is_rejected(project_path, invalid):
    with Project.open(project_path, person="ann") as project:
        project.append([make_edit_row(project, 1), invalid(project), make_edit_row(project, 2)])
        assert project.flush(PATIENCE)
        assert len(project.writer.rejected_rows) == 1
        assert project.history().segment.tolist() == [1, 2]
    assert list((data_folder() / "unsaved").glob("*.refused"))


def test_a_row_that_cannot_be_encoded_does_not_stop_the_writer(project_path):
    with Project.open(project_path, person="ann") as project:
        project.append([make_setting_row(project, "a", {1, 2}), make_edit_row(project, 1)])
        assert project.flush(PATIENCE)
        assert len(project.writer.rejected_rows) == 1
        assert project.history().segment.tolist() == [1]


def test_an_edit_with_an_invalid_time_is_stored(project_path):
    with Project.open(project_path, person="ann") as project:
        record = row_to_json(make_edit_row(project, 7)) | {"at": INFINITE}
        write_spool(project, "a" * 12, record)
    with Project.open(project_path, person="ann") as again:
        assert [(row.segment, row.at) for row in again.edit_rows([1])] == [(7, 0.0)]
        assert again.recovery_errors == ()
