"""Projects and folders on the command line, as files of translators by how the name of OUT ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document, read_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.project.events import ReviewField
from qe_desktop.project.store import Project
from tests.commands import refused, run
from tests.formats.bilingual.samples import FOLDER, sample
from tests.patience import PATIENCE
from tests.postgres import address, postgresql
from tests.project.store.reviewed import a_review, reviewed_corpus

__all__ = ["address", "postgresql"]

KINDS = ("xlf", "xliff", "tmx", "po", "csv", "tsv", "xlsx")


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A project of a translator's file, one segment of which was edited and confirmed, and one noted."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "day.qedesk"
    corpus = corpus_from_documents([sample("studio.sdlxliff")], "day")
    with Project.create(place, corpus, person="Ada") as made:
        fill(made)
    return place


def fill(made: Project) -> None:
    made.append(
        [
            a_review(made, 0, "Die Pumpe läuft an."),
            a_review(
                made,
                0,
                fields=(ReviewField.STATUS,),
                values=(int(ReviewStatus.CONFIRMED),),
                befores=(None,),
                text="confirmed",
            ),
            a_review(made, 3, fields=(ReviewField.NOTE,), values=("Warum?",), befores=(None,), text="noted"),
        ]
    )
    assert made.flush(PATIENCE)


@pytest.mark.parametrize("ending", KINDS)
def test_a_project_becomes_a_file_with_what_was_reviewed(project, capsys, ending):
    out = f"out.{ending}"
    code, told, err = run(capsys, "convert", project, out, "--language-pair", "en-de")
    assert (code, told) == (0, "")
    # a memory has confirmed segments only
    segments = 1 if ending == "tmx" else 6
    assert f"{segments} segment" in err
    document = read_document(out)
    assert len(document.segments) == segments
    assert document.segments[0].target_line == "Die Pumpe läuft an."
    if ending not in ("tmx", "po"):
        assert document.status(document.segments[0]) is ReviewStatus.CONFIRMED
    if ending != "tmx":
        assert document.segments[3].note == "Warum?"
    # the project is read, and nothing else
    with Project.open(project, person="Ada") as again:
        assert again.summary()["review"]["rows"] == 3


@pytest.mark.parametrize(("ending", "part"), [("src", "source_line"), ("pe", "target_line")])
def test_texts_of_a_project(project, capsys, ending, part):
    assert run(capsys, "convert", project, f"out.{ending}")[0] == 0
    lines = Path(f"out.{ending}").read_text().split("\n")[:-1]
    expected = [getattr(one, part) for one in sample("studio.sdlxliff").segments]
    assert lines == (["Die Pumpe läuft an.", *expected[1:]] if ending == "pe" else expected)


def test_a_server_is_a_project_like_another(address, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PGPASSWORD", address.password)
    with Project.create(address.url, corpus_from_documents([sample("studio.sdlxliff")], "day"), person="Ada") as made:
        fill(made)
    code, _, err = run(capsys, "convert", address.url, "out.xlf")
    assert (code, err) == (0, f"{address.url} -> out.xlf (XLIFF 1.2): 6 segments\n")
    assert read_document("out.xlf").segments[0].target_line == "Die Pumpe läuft an."


def test_a_project_that_nobody_reviewed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Project.create(tmp_path / "a.qedesk", corpus_from_documents([sample("table.csv")], "a"), person="Ada"):
        pass
    assert run(capsys, "convert", "a.qedesk", "out.csv")[0] == 0
    expected = [one.target_line for one in sample("table.csv").segments]
    assert [one.target_line for one in read_document("out.csv").segments] == expected


def test_half_characters_that_a_project_holds_are_no_traceback(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Project.create(tmp_path / "a.qedesk", reviewed_corpus(), person="Ada"):
        pass
    for ending in (*KINDS, "src", "mt", "pe"):
        code, out, err = run(capsys, "convert", "a.qedesk", f"out.{ending}", "--language-pair", "de-en")
        assert (out, err.count("\n")) == ("", 1)
        assert code == 0 or (code, ending in ("xlf", "xliff", "tmx")) == (2, True)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "corpus"
    (place / "systems").mkdir(parents=True)
    (place / "test.src").write_text("ein Haus\nzwei Katzen\n")
    (place / "test.mt").write_text("a house\ntwo cats\n")
    (place / "test.tags").write_text("OK BAD\nOK OK\n")
    (place / "systems" / "one.tags").write_text("OK OK\nBAD OK\n")
    return place


@pytest.mark.parametrize("ending", KINDS)
def test_a_folder_becomes_a_file(folder, capsys, ending):
    out = f"out.{ending}"
    if ending == "tmx":
        error = refused(capsys, "convert", folder, out, "--language-pair", "de-en")
        assert "there are no confirmed segments, and TMX gets only these" in error
        assert "Specify --unconfirmed" in error
        assert not Path(out).exists()
    assert run(capsys, "convert", folder, out, "--language-pair", "de-en", "--unconfirmed")[0] == 0
    document = parse_document(Path(out).read_bytes(), out)
    assert [(one.source_line, one.target_line) for one in document.segments] == [
        ("ein Haus", "a house"), ("zwei Katzen", "two cats"),
    ]  # fmt: skip
    if ending == "tsv":
        titles, first, *_ = Path(out).read_text().split("\n")
        assert titles.split("\t")[7:] == ["tags gold gold", "tags system one"]
        assert first.split("\t")[7:] == ["OK BAD", "OK OK"]


def test_a_folder_of_translators_files(folder, tmp_path, capsys):
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    for name in ("two.xlf", "studio.sdlxliff"):
        (jobs / name).write_bytes((FOLDER / name).read_bytes())
    assert run(capsys, "convert", jobs, "out.csv")[0] == 0
    assert len(read_document("out.csv").segments) == 10


def test_what_cannot_be_written_is_said(folder, project, tmp_path, capsys):
    assert "the name of OUT does not say which kind" in refused(capsys, "convert", folder, "out")
    assert "the name of OUT does not say which kind" in refused(capsys, "convert", project, "out.tags")
    assert "no such project" in refused(capsys, "convert", "missing.qedesk", "out.csv")
    assert "this file is an input" in refused(capsys, "convert", folder, folder / "test.src")
    assert (folder / "test.src").read_text() == "ein Haus\nzwei Katzen\n"
    assert "TMX requires the source and target languages, which are not set" in refused(
        capsys, "convert", folder, "out.tmx"
    )
    assert not (tmp_path / "out.tmx").exists()
    (tmp_path / "empty").mkdir()
    assert "the folder is empty" in refused(capsys, "convert", "empty", "out.csv")
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "test.src").write_text("a\n")
    (tmp_path / "gold" / "test.source_tags").write_text("OK\n")
    assert "there is no MT" in refused(capsys, "convert", "gold", "out.csv")
    for part in ("train", "dev"):
        (folder / f"{part}.src").write_text("a\n")
        (folder / f"{part}.mt").write_text("b\n")
    assert "there are several corpora" in refused(capsys, "convert", folder, "out.csv")
    (tmp_path / "bad.qedesk").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert "bad.qedesk" in refused(capsys, "convert", "bad.qedesk", "out.csv")


def test_mt_that_does_not_fit_its_source_is_refused(folder, capsys):
    (folder / "test.mt").write_text("a house\n")
    assert "test." in refused(capsys, "convert", folder, "out.csv")
    assert not Path("out.csv").exists()
