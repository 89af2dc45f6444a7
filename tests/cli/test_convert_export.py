"""`qe-desktop convert` of projects and folders: the extension of OUT selects the format."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document, read_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.project.events import ReviewField
from qe_desktop.project.store import Project
from tests.command_line import error_line, run_command
from tests.formats.bilingual.samples import FOLDER, parse_sample
from tests.postgres import address, postgresql
from tests.project.store.review_rows import make_review_row, reviewed_corpus
from tests.timeouts import PATIENCE

__all__ = ["address", "postgresql"]

KINDS = ("xlf", "xliff", "tmx", "po", "csv", "tsv", "xlsx")


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A project of a bilingual file with one segment edited and confirmed and a note on another."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "day.qedesk"
    corpus = corpus_from_documents([parse_sample("studio.sdlxliff")], "day")
    with Project.create(path, corpus, person="Ada") as created:
        add_reviews(created)
    return path


def add_reviews(created: Project) -> None:
    created.append(
        [
            make_review_row(created, 0, "Die Pumpe läuft an."),
            make_review_row(
                created,
                0,
                fields=(ReviewField.STATUS,),
                values=(int(ReviewStatus.CONFIRMED),),
                befores=(None,),
                text="confirmed",
            ),
            make_review_row(created, 3, fields=(ReviewField.NOTE,), values=("Warum?",), befores=(None,), text="noted"),
        ]
    )
    assert created.flush(PATIENCE)


@pytest.mark.parametrize("ending", KINDS)
def test_converted_project_contains_edits_statuses_and_notes(project, capsys, ending):
    out = f"out.{ending}"
    code, out_text, err = run_command(capsys, "convert", project, out, "--language-pair", "en-de")
    assert (code, out_text) == (0, "")
    # TMX has confirmed segments only
    segments = 1 if ending == "tmx" else 6
    assert f"{segments} segment" in err
    document = read_document(out)
    assert len(document.segments) == segments
    assert document.segments[0].target_line == "Die Pumpe läuft an."
    if ending not in ("tmx", "po"):
        assert document.status(document.segments[0]) is ReviewStatus.CONFIRMED
    if ending != "tmx":
        assert document.segments[3].note == "Warum?"
    # the conversion does not change the project
    with Project.open(project, person="Ada") as again:
        assert again.summary()["review"]["rows"] == 3


@pytest.mark.parametrize(("ending", "part"), [("src", "source_line"), ("pe", "target_line")])
def test_source_and_post_edit_of_a_project(project, capsys, ending, part):
    assert run_command(capsys, "convert", project, f"out.{ending}")[0] == 0
    lines = Path(f"out.{ending}").read_text().split("\n")[:-1]
    expected = [getattr(segment, part) for segment in parse_sample("studio.sdlxliff").segments]
    assert lines == (["Die Pumpe läuft an.", *expected[1:]] if ending == "pe" else expected)


def test_project_on_a_server_is_converted(address, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGPASSWORD", address.password)
    with Project.create(
        address.url, corpus_from_documents([parse_sample("studio.sdlxliff")], "day"), person="Ada"
    ) as created:
        add_reviews(created)
    code, _, err = run_command(capsys, "convert", address.url, "out.xlf")
    assert (code, err) == (0, f"{address.url} -> out.xlf (XLIFF 1.2): 6 segments\n")
    assert read_document("out.xlf").segments[0].target_line == "Die Pumpe läuft an."


def test_project_without_reviews_is_converted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Project.create(tmp_path / "a.qedesk", corpus_from_documents([parse_sample("table.csv")], "a"), person="Ada"):
        pass
    assert run_command(capsys, "convert", "a.qedesk", "out.csv")[0] == 0
    expected = [segment.target_line for segment in parse_sample("table.csv").segments]
    assert [segment.target_line for segment in read_document("out.csv").segments] == expected


def test_lone_surrogates_in_a_project_give_no_traceback(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Project.create(tmp_path / "a.qedesk", reviewed_corpus(), person="Ada"):
        pass
    for ending in (*KINDS, "src", "mt", "pe"):
        code, out, err = run_command(capsys, "convert", "a.qedesk", f"out.{ending}", "--language-pair", "de-en")
        assert (out, err.count("\n")) == ("", 1)
        assert code == 0 or (code, ending in ("xlf", "xliff", "tmx")) == (2, True)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "corpus"
    (path / "systems").mkdir(parents=True)
    (path / "test.src").write_text("ein Haus\nzwei Katzen\n")
    (path / "test.mt").write_text("a house\ntwo cats\n")
    (path / "test.tags").write_text("OK BAD\nOK OK\n")
    (path / "systems" / "one.tags").write_text("OK OK\nBAD OK\n")
    return path


@pytest.mark.parametrize("ending", KINDS)
def test_folder_is_converted_to_every_format(folder, capsys, ending):
    out = f"out.{ending}"
    if ending == "tmx":
        error = error_line(capsys, "convert", folder, out, "--language-pair", "de-en")
        assert "no segment is confirmed, but only confirmed segments are exported as TMX" in error
        assert "Specify --unconfirmed" in error
        assert not Path(out).exists()
    assert run_command(capsys, "convert", folder, out, "--language-pair", "de-en", "--unconfirmed")[0] == 0
    document = parse_document(Path(out).read_bytes(), out)
    assert [(segment.source_line, segment.target_line) for segment in document.segments] == [
        ("ein Haus", "a house"), ("zwei Katzen", "two cats"),
    ]  # fmt: skip
    if ending == "tsv":
        titles, first, *_ = Path(out).read_text().split("\n")
        assert titles.split("\t")[7:] == ["tags gold gold", "tags system one"]
        assert first.split("\t")[7:] == ["OK BAD", "OK OK"]


def test_folder_of_bilingual_files_is_converted(folder, tmp_path, capsys):
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    for name in ("two.xlf", "studio.sdlxliff"):
        (jobs / name).write_bytes((FOLDER / name).read_bytes())
    assert run_command(capsys, "convert", jobs, "out.csv")[0] == 0
    assert len(read_document("out.csv").segments) == 10


def test_impossible_conversions_are_refused(folder, project, tmp_path, capsys):
    assert "the suffix of OUT is not supported" in error_line(capsys, "convert", folder, "out")
    assert "the suffix of OUT is not supported" in error_line(capsys, "convert", project, "out.tags")
    assert "no such project" in error_line(capsys, "convert", "missing.qedesk", "out.csv")
    assert "this file is an input" in error_line(capsys, "convert", folder, folder / "test.src")
    assert (folder / "test.src").read_text() == "ein Haus\nzwei Katzen\n"
    assert "TMX requires different source and target languages, but at least one is not set" in error_line(
        capsys, "convert", folder, "out.tmx", "--unconfirmed"
    )
    assert not (tmp_path / "out.tmx").exists()
    (tmp_path / "empty").mkdir()
    assert "the folder is empty" in error_line(capsys, "convert", "empty", "out.csv")
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "test.src").write_text("a\n")
    (tmp_path / "gold" / "test.source_tags").write_text("OK\n")
    assert "there is no MT" in error_line(capsys, "convert", "gold", "out.csv")
    for part in ("train", "dev"):
        (folder / f"{part}.src").write_text("a\n")
        (folder / f"{part}.mt").write_text("b\n")
    assert "there are several corpora" in error_line(capsys, "convert", folder, "out.csv")
    (tmp_path / "bad.qedesk").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert "bad.qedesk" in error_line(capsys, "convert", "bad.qedesk", "out.csv")


def test_mt_of_another_length_than_its_source_is_refused(folder, capsys):
    (folder / "test.mt").write_text("a house\n")
    assert "test." in error_line(capsys, "convert", folder, "out.csv")
    assert not Path("out.csv").exists()
