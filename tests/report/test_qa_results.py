"""Reports of QA results: every text from a file is text in the output."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.local_qe.qa_checks.check_results import QaResult
from qe_desktop.report.qa_results import qa_results_html, qa_results_tsv
from tests.report.reviewed_job import FIRST, file_of

ROW = QaResult(0, "a.po:1", "numbers", "Numbers", "wrong", "<b>1</b>\u2028&", "=2</td><script>", (1, 2), ((3, 4),))


def test_page():
    page = qa_results_html([ROW], "My <report>")
    assert "<script>" not in page
    assert '<h1 dir="auto">My &lt;report&gt;</h1>' in page
    assert "&lt;b&gt;<mark>1</mark>&lt;/b&gt;<br>&amp;" in page
    assert "=<mark>2</mark>&lt;/td&gt;&lt;script&gt;" in page
    assert "<li>Numbers: 1</li>" in page
    assert "Content-Security-Policy" in page
    assert "No check found a problem." in qa_results_html([], "Report")


def test_texts_have_the_languages_of_their_segments():
    files = [parse_document(file_of(FIRST, "en", language), f"{language}.xlf") for language in ("de", "ar")]
    corpus = corpus_from_documents(files, "job")
    page = qa_results_html([ROW, ROW._replace(segment=2)], "R", corpus=corpus)
    assert page.count('<td class="text" lang="en" dir="ltr">') == 2
    assert page.count('<td class="text" lang="de" dir="ltr">=<mark>') == 1
    assert page.count('<td class="text" lang="ar" dir="rtl">=<mark>') == 1


def test_table():
    head, line = qa_results_tsv([ROW]).splitlines()
    assert head.split("\t") == ["segment", "id", "check", "message", "source", "target"]
    assert line.split("\t") == ["1", "a.po:1", "numbers", "wrong", "<b>1</b>\\n&", "'=2</td><script>"]


@given(st.text(), st.text(), st.integers(0, 20), st.integers(0, 20))
def test_any_text_is_one_line_and_no_markup(source, target, start, length):
    row = ROW._replace(source=source, target=target, span=(start, start + length), source_spans=((0, 3), (2, 9)))
    assert len(qa_results_tsv([row]).rstrip("\n").split("\n")) == 2
    page = qa_results_html([row], "R")
    assert page.count("<td") == 5
    assert page.count("</td>") == 5
