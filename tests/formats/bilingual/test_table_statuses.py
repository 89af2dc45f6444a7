"""Statuses in tables and workbooks: read as they were written, and written where a person gave another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.corpus.review import Review
from qe_desktop.formats.bilingual import Document, TargetsRejectedError, parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.registry import (
    ExportData,
    ExportSegment,
    export_documents,
    export_view,
    get_export,
)
from tests.formats.bilingual.samples import lines_of, sample

TABLES = ("csv", "tsv", "xlsx")
ORDER = tuple(ReviewStatus)


def table(name: str, statuses: tuple[ReviewStatus, ...] = ORDER) -> Document:
    """A table that this program wrote, with a segment of each status."""
    pairs = tuple(ExportSegment(f"s {one}", f"t {one}", f"t {one}", one) for one in statuses)
    return parse_document(get_export(name).write(ExportData("job", pairs, "en", "de")), "job")


def statuses_of(document: Document) -> list[ReviewStatus]:
    return [document.status(one) for one in document.segments]


@pytest.mark.parametrize("name", TABLES)
@given(st.lists(st.sampled_from(ORDER), min_size=1, max_size=9))
def test_what_is_written_is_read_again(name, statuses):
    document = table(name, tuple(statuses))
    assert statuses_of(document) == statuses
    # and once more, from the corpus that was made of it
    again = export_view(View(corpus_from_documents([document], "job")))
    assert [one.status for one in again.pairs] == statuses
    assert [one.status for one in export_documents([document], "job").pairs] == statuses


@pytest.mark.parametrize("name", TABLES)
@given(st.dictionaries(st.integers(0, 4), st.sampled_from(ORDER)), st.sets(st.integers(0, 4)))
def test_what_a_review_says_is_read_again(name, said, edited):
    """What stands in the table afterwards is what the window showed, and no other cell is another one."""
    document = table(name)
    locked = ORDER.index(ReviewStatus.LOCKED)
    said.pop(locked, None)
    given_targets = {segment: f"neu {segment}" for segment in edited if segment != locked}
    # a person says no more than that: the others follow from what is done
    given_statuses = {
        one: status for one, status in said.items() if status not in (ReviewStatus.EDITED, ReviewStatus.LOCKED)
    }
    view = View(corpus_from_documents([document], "job"), review=Review(given_targets, given_statuses))
    rewritten = document.with_targets(given_targets, given_statuses)
    again = parse_document(rewritten.data, "job")
    assert statuses_of(again) == [view.status(segment) for segment in range(5)]
    assert [target for _, target in lines_of(again)] == [view.target(segment) for segment in range(5)]
    assert rewritten.unsupported == ()
    if not given_targets and not given_statuses:
        assert rewritten.data == document.text.data


@pytest.mark.parametrize("name", TABLES)
def test_a_locked_row_stays(name):
    with pytest.raises(TargetsRejectedError, match="the segment is locked"):
        table(name).with_targets({ORDER.index(ReviewStatus.LOCKED): "x"})


def test_only_the_words_of_the_status_change_and_quotes_stay():
    before = b'source;target;status\na;b;"open"\nc;d;confirmed\ne;f;Done\ng;h;\n'
    document = parse_document(before, "t.csv")
    assert statuses_of(document) == [ReviewStatus.OPEN, ReviewStatus.CONFIRMED, ReviewStatus.OPEN, ReviewStatus.OPEN]
    confirmed = dict.fromkeys(range(4), ReviewStatus.CONFIRMED)
    rewritten = document.with_targets({3: "z"}, confirmed)
    # what this program does not know is left alone, and said to be no place for it
    assert rewritten.data == before.replace(b'"open"', b'"confirmed"').replace(b"g;h;", b"g;z;")
    assert rewritten.unsupported == (2, 3)
    edited = document.with_targets({1: "z"})
    assert edited.data == before.replace(b"c;d;confirmed", b"c;z;edited")
    assert edited.identical == len(before) - len("d") - len("confirmed")


def test_a_column_of_statuses_that_is_there_twice_is_none():
    document = parse_document(b"source;target;status;state\na;b;confirmed;open\n", "t.csv")
    assert statuses_of(document) == [ReviewStatus.OPEN]
    assert document.with_targets({0: "c"}).data == b"source;target;status;state\na;c;confirmed;open\n"


@pytest.mark.parametrize("name", TABLES)
def test_statuses_of_other_dialects_are_in_tables(name):
    """What Studio calls finished and locked, is so in a table that is made of it."""
    found = statuses_of(parse_document(get_export(name).write(export_documents([sample("studio.sdlxliff")], "j")), "j"))
    assert found == statuses_of(sample("studio.sdlxliff"))
    assert ReviewStatus.CONFIRMED in found
    assert ReviewStatus.LOCKED in found
