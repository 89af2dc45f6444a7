"""Statuses in tables and workbooks are read as written, and written only where the review changed them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.corpus.translation_job import Review
from qe_desktop.formats.bilingual import Document, TargetsRejectedError, parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.registry import (
    ExportData,
    ExportSegment,
    export_documents,
    export_view,
    get_export,
)
from tests.formats.bilingual.samples import line_pairs, parse_sample

TABLES = ("csv", "tsv", "xlsx")
ORDER = tuple(ReviewStatus)


def table(name: str, statuses: tuple[ReviewStatus, ...] = ORDER) -> Document:
    """Return a table as this program exports it, with one segment per status."""
    pairs = tuple(ExportSegment(f"s {status}", f"t {status}", f"t {status}", status) for status in statuses)
    return parse_document(get_export(name).write(ExportData("job", pairs, "en", "de")), "job")


def statuses_of(document: Document) -> list[ReviewStatus]:
    return [document.status(segment) for segment in document.segments]


@pytest.mark.parametrize("name", TABLES)
@given(st.lists(st.sampled_from(ORDER), min_size=1, max_size=9))
def test_exported_statuses_are_read_back(name, statuses):
    document = table(name, tuple(statuses))
    assert statuses_of(document) == statuses
    # the statuses are preserved when the corpus is exported again
    exported = export_view(View(corpus_from_documents([document], "job")))
    assert [segment.status for segment in exported.segments] == statuses
    assert [segment.status for segment in export_documents([document], "job").segments] == statuses


@pytest.mark.parametrize("name", TABLES)
@given(st.dictionaries(st.integers(0, 4), st.sampled_from(ORDER)), st.sets(st.integers(0, 4)))
def test_review_statuses_are_written_and_read_back(name, drawn_statuses, edited):
    """The written statuses are those of the view, and no other cell changes."""
    document = table(name)
    locked = ORDER.index(ReviewStatus.LOCKED)
    drawn_statuses.pop(locked, None)
    given_targets = {segment: f"neu {segment}" for segment in edited if segment != locked}
    # edited and locked cannot be set by a reviewer
    given_statuses = {
        row: status
        for row, status in drawn_statuses.items()
        if status not in (ReviewStatus.EDITED, ReviewStatus.LOCKED)
    }
    view = View(corpus_from_documents([document], "job"), review=Review(given_targets, given_statuses))
    rewritten = document.with_targets(given_targets, given_statuses)
    reparsed = parse_document(rewritten.data, "job")
    assert statuses_of(reparsed) == [view.status(segment) for segment in range(5)]
    assert [target for _, target in line_pairs(reparsed)] == [view.target(segment) for segment in range(5)]
    assert rewritten.unsupported_statuses == ()
    if not given_targets and not given_statuses:
        assert rewritten.data == document.text.data


@pytest.mark.parametrize("name", TABLES)
def test_locked_row_cannot_be_edited(name):
    with pytest.raises(TargetsRejectedError, match="the segment is locked"):
        table(name).with_targets({ORDER.index(ReviewStatus.LOCKED): "x"})


def test_only_known_status_cells_change():
    before = b'source;target;status\na;b;"open"\nc;d;confirmed\ne;f;Done\ng;h;\n'
    document = parse_document(before, "t.csv")
    assert statuses_of(document) == [ReviewStatus.OPEN, ReviewStatus.CONFIRMED, ReviewStatus.OPEN, ReviewStatus.OPEN]
    confirmed = dict.fromkeys(range(4), ReviewStatus.CONFIRMED)
    rewritten = document.with_targets({3: "z"}, confirmed)
    # unknown or empty cells are not changed, and their segments are reported as unsupported
    assert rewritten.data == before.replace(b'"open"', b'"confirmed"').replace(b"g;h;", b"g;z;")
    assert rewritten.unsupported_statuses == (2, 3)
    edited = document.with_targets({1: "z"})
    assert edited.data == before.replace(b"c;d;confirmed", b"c;z;edited")
    assert edited.unchanged_bytes == len(before) - len("d") - len("confirmed")


def test_two_status_columns_are_ignored():
    document = parse_document(b"source;target;status;state\na;b;confirmed;open\n", "t.csv")
    assert statuses_of(document) == [ReviewStatus.OPEN]
    assert document.with_targets({0: "c"}).data == b"source;target;status;state\na;c;confirmed;open\n"


@pytest.mark.parametrize("name", TABLES)
def test_statuses_of_sdlxliff_are_exported_to_tables(name):
    """Confirmed and locked segments of Studio have the same statuses in an exported table."""
    statuses = statuses_of(
        parse_document(get_export(name).write(export_documents([parse_sample("studio.sdlxliff")], "j")), "j")
    )
    assert statuses == statuses_of(parse_sample("studio.sdlxliff"))
    assert ReviewStatus.CONFIRMED in statuses
    assert ReviewStatus.LOCKED in statuses
