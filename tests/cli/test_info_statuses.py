"""Review statuses in `info`: of bilingual files in every dialect, and of projects."""

from __future__ import annotations

import re

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.registry import ExportData, ExportSegment, get_export
from qe_desktop.project.events import ReviewField
from qe_desktop.project.store import Project
from tests.command_line import json_output, run_command
from tests.formats.bilingual.samples import FOLDER, NAMES, parse_sample
from tests.postgres import address, postgresql
from tests.project.store.review_rows import make_review_row
from tests.timeouts import PATIENCE

__all__ = ["address", "postgresql"]

# open, edited, confirmed, rejected, locked
EXPECTED = {
    "plain.xlf": (7, 0, 1, 0, 1), "studio.sdlxliff": (4, 0, 1, 0, 1), "phrase.mxliff": (1, 0, 1, 0, 1),
    "memoq.mqxliff": (1, 0, 1, 0, 1), "okapi.xlf": (2, 0, 0, 0, 0), "two.xlf": (2, 0, 1, 0, 1),
    "memory.tmx": (2, 0, 0, 0, 0), "catalogue.po": (4, 0, 1, 0, 0), "table.csv": (4, 0, 0, 0, 0),
    "table.tsv": (2, 0, 0, 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_statuses_are_counted_in_every_dialect(capsys, name):
    (document,) = json_output(capsys, "info", FOLDER / name)["documents"]
    assert tuple(document["statuses"].values()) == EXPECTED[name]
    assert list(document["statuses"]) == ["open", "edited", "confirmed", "rejected", "locked"]
    assert sum(document["statuses"].values()) == document["segments"]
    assert document["statuses"]["locked"] == document["locked"]


@pytest.mark.parametrize("name", ["csv", "tsv", "xlsx"])
def test_tables_keep_every_status(tmp_path, capsys, name):
    statuses = [
        ReviewStatus.OPEN,
        ReviewStatus.EDITED,
        ReviewStatus.CONFIRMED,
        ReviewStatus.CONFIRMED,
        ReviewStatus.REJECTED,
        ReviewStatus.LOCKED,
    ]
    pairs = tuple(ExportSegment("a", "b", "b", status) for status in statuses)
    (tmp_path / f"t.{name}").write_bytes(get_export(name).write(ExportData("t", pairs)))
    (document,) = json_output(capsys, "info", tmp_path / f"t.{name}")["documents"]
    assert document["statuses"] == {"open": 1, "edited": 1, "confirmed": 2, "rejected": 1, "locked": 1}
    out = run_command(capsys, "info", tmp_path / f"t.{name}")[1]
    assert [line.split()[-1] for line in out.split("\n") if "confirmed" in line] == ["2", "2"]


def add_reviews(created: Project) -> None:
    created.append([
        make_review_row(created, 0, "Die Pumpe läuft an."),
        *(
            make_review_row(created, segment, fields=(ReviewField.STATUS,), values=(int(status),), befores=(None,))
            for segment, status in ((0, ReviewStatus.CONFIRMED), (3, ReviewStatus.REJECTED), (4, ReviewStatus.REJECTED))
        ),
        make_review_row(created, 4, fields=(ReviewField.NOTE,), values=("Warum?",), befores=(None,)),
    ])  # fmt: skip
    assert created.flush(PATIENCE)


def test_reviews_of_a_project_are_counted(tmp_path, capsys):
    path = tmp_path / "day.qedesk"
    with Project.create(
        path, corpus_from_documents([parse_sample("studio.sdlxliff")], "day"), person="Ada", title="Day"
    ) as created:
        add_reviews(created)
    result = json_output(capsys, "info", path, FOLDER / "two.xlf")
    assert [document["format"] for document in result["documents"]] == ["xliff-2"]
    (project,) = result["projects"]
    assert project == json_output(capsys, "project", "info", path)
    counts = {name: project["review"][name] for name in ("edited", "confirmed", "rejected", "noted")}
    assert counts == {"edited": 1, "confirmed": 1, "rejected": 2, "noted": 1}
    code, out, _ = run_command(capsys, "info", path)
    assert code == 0
    for pattern in ("edited translations +1", "confirmed segments +1", "rejected segments +2", "with notes +1"):
        assert re.search(pattern, out)


def test_reviews_of_a_project_on_a_server_are_counted(address, capsys, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", address.password)
    with Project.create(
        address.url, corpus_from_documents([parse_sample("studio.sdlxliff")], "day"), person="Ada"
    ) as created:
        add_reviews(created)
    (project,) = json_output(capsys, "info", address.url)["projects"]
    assert (project["place"], project["review"]["rejected"]) == (address.url, 2)


def test_columns_option_names_the_columns_of_a_table(tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text('key;english text;german text\n1;"Hello; world";Hallo Welt\n2;Stop;\n')
    (document,) = json_output(capsys, "info", table, "--columns", "english text", "german text")["documents"]
    assert (document["segments"], document["with target"]) == (2, 1)
