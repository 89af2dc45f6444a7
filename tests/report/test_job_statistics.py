"""Statistics of a job: counts by hand, and HTER as in the post-editing study."""

from __future__ import annotations

import math

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.project import ReviewField, Session
from qe_desktop.report.reviewed_job import job_statistics, statistics_table
from qe_desktop.studies.post_editing.post_editing_study import study_post_editing
from qe_desktop.studies.post_editing.reviewed_segments import count_words, select_reviewed
from tests.report.reviewed_job import FIRST, file_of, reviewed_session, session_of


def test_counts_of_the_job_and_of_its_files():
    total, first, second = job_statistics(reviewed_session().view)
    assert (total.segments, total.source_words, total.repetitions, total.repeated_words) == (4, 10, 1, 3)
    assert (first.document, first.segments, first.repetitions) == ("1.xlf", 2, 0)
    assert (second.document, second.segments, second.repetitions, second.repeated_words) == ("2.xlf", 2, 1, 3)
    assert total.statuses == {
        ReviewStatus.OPEN: 2, ReviewStatus.EDITED: 0, ReviewStatus.CONFIRMED: 1, ReviewStatus.REJECTED: 1,
        ReviewStatus.LOCKED: 0,
    }  # fmt: skip
    assert (total.edited, total.notes, total.reviewed) == (1, 1, 1)
    assert total.hter == total.pooled_hter == pytest.approx(1 / 4)
    assert math.isnan(second.hter)


def test_hter_is_that_of_the_post_editing_study():
    session = session_of([(f"u{i}", "a b c d", f"eins zwei drei vier {i}") for i in range(20)])
    session.reviewing.set({
        i: {ReviewField.TARGET: " ".join(["neu"] * (i % 4) + ["drei", "vier", "eins"]), ReviewField.STATUS: 2}
        for i in range(15)
    })  # fmt: skip
    (total,) = job_statistics(session.view)
    expected = study_post_editing(select_reviewed(session.view)).totals[-1]
    assert (total.reviewed, total.source_words) == (expected.segments, 80)
    assert total.hter == pytest.approx(expected.hter)
    assert total.pooled_hter == pytest.approx(expected.edit_rate)


def test_the_table_has_one_row_per_file_and_empty_cells_where_nothing_was_reviewed():
    header, total, first, second = statistics_table(job_statistics(reviewed_session().view)).tsv().splitlines()
    names = header.split("\t")
    assert names[:6] == ["document", "segments", "source words", "repetitions", "repeated words", "status open"]
    assert dict(zip(names, total.split("\t"), strict=True))["mean HTER"] == "0.25"
    assert total.startswith("\t4\t10\t")
    assert first.split("\t")[0] == "1.xlf"
    assert second.split("\t")[-2:] == ["", ""]


def test_plural_forms_are_no_repetitions_and_their_source_counts_once():
    entry = 'msgid "{0} file"\nmsgid_plural "{0} open files"\nmsgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n\n'
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    text = header + entry.format("%d") + entry.format("no")
    second = header + entry.format("%d")
    documents = [parse_document(data.encode(), name) for data, name in ((text, "a.po"), (second, "b.po"))]
    total, first, _ = job_statistics(Session(corpus_from_documents(documents, "j")).view)
    assert (first.segments, first.source_words, first.repetitions) == (6, 10, 0)
    assert (total.segments, total.source_words, total.repetitions, total.repeated_words) == (9, 15, 3, 5)


def test_an_unreviewed_job_has_no_hter():
    (total,) = job_statistics(session_of(FIRST).view)
    assert (total.reviewed, total.edited) == (0, 0)
    assert math.isnan(total.hter)


def test_a_file_name_cannot_be_a_formula():
    documents = [parse_document(file_of(FIRST), name) for name in ("=1+1.xlf", "b.xlf")]
    text = statistics_table(job_statistics(Session(corpus_from_documents(documents, "j")).view)).tsv()
    assert "\n'=1+1.xlf\t" in text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("10:30 a.m. on 5/6/2024", 4),
        ("don't stop – go on…", 4),
        ("e-mail or www.example.org (see it)", 5),
        ("( ) – 1", 1),
        ("", 0),
        ("日本語のテスト。", 7),
        ("Windows 11版を3回", 6),
        ("한국어 문장", 2),
        ("𠮷野家", 3),
    ],
)
def test_words_are_counted_as_in_cat_tools(text, count):
    assert count_words(text) == count
