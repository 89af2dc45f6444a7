"""Reports on a review by `convert`: the page and the statistics, of files, of several files, and of a project."""

from __future__ import annotations

import pytest

from qe_desktop.project.store import Project
from tests.command_line import error_line, run_command
from tests.project.store.review_rows import make_review_row, reviewed_corpus
from tests.report.reviewed_job import FIRST, SECOND, file_of
from tests.timeouts import PATIENCE


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.xlf").write_bytes(file_of(FIRST))
    (tmp_path / "b.xlf").write_bytes(file_of(SECOND))
    return tmp_path


def test_the_page_of_a_file(jobs, capsys):
    code, out, err = run_command(capsys, "convert", "a.xlf", "page.html")
    assert (code, out) == (0, "")
    assert err == "a.xlf -> page.html (review with changes, HTML page): 2 segments\n"
    text = (jobs / "page.html").read_text(encoding="utf-8")
    assert "Review of a.xlf" in text
    assert text.count("<section") == 2


def test_the_statistics_of_several_files(jobs, capsys):
    code, _, err = run_command(capsys, "convert", "a.xlf", "b.xlf", "both.statistics.tsv")
    assert code == 0
    assert err == "a.xlf, b.xlf -> both.statistics.tsv (job statistics, TSV): 4 segments\n"
    lines = (jobs / "both.statistics.tsv").read_text().splitlines()
    assert [line.split("\t")[:4] for line in lines] == [
        ["document", "segments", "source words", "repetitions"], ["", "4", "10", "1"], ["a.xlf", "2", "5", "0"],
        ["b.xlf", "2", "5", "1"],
    ]  # fmt: skip


def test_the_reviews_of_a_project(jobs, capsys):
    with Project.create(jobs / "p.qedesk", reviewed_corpus(), person="Ada") as project:
        project.append([make_review_row(project)])
        assert project.flush(PATIENCE)
    code, _, err = run_command(capsys, "convert", "p.qedesk", "p.html")
    assert code == 0, err
    text = (jobs / "p.html").read_text(encoding="utf-8")
    assert 'class="edited"' in text
    assert "<ins>" in text


def test_errors_are_one_line_and_nothing_is_overwritten(jobs, capsys):
    assert "page.html" in error_line(capsys, "convert", "a.xlf", "missing/page.html")
    before = (jobs / "a.xlf").read_bytes()
    (jobs / "c.html").write_bytes(before)
    assert error_line(capsys, "convert", "c.html", "c.html")
    assert (jobs / "c.html").read_bytes() == before
    assert error_line(capsys, "convert", "nothing.xlf", "page.html")


def test_other_conversions_are_as_before(jobs, capsys):
    (jobs / "mt.tags").write_text("OK BAD\n")
    assert run_command(capsys, "convert", "mt.tags", "out.html")[0] == 0
    assert (jobs / "out.html").read_text() == "OK BAD\n"
    assert run_command(capsys, "convert", "a.xlf", "out.tsv")[0] == 0
    assert (jobs / "out.tsv").read_text().startswith("document")
