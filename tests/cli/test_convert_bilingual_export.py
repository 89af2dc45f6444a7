"""`qe-desktop convert` between bilingual formats: the extension of the last file selects the format."""

from __future__ import annotations

import pytest

from qe_desktop.formats.bilingual import read_document
from tests.command_line import error_line, json_output, run_command
from tests.formats.bilingual.samples import line_pairs, parse_sample, read_sample
from tests.formats.bilingual.workbook import default_workbook


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    """The working folder, with three bilingual files and a workbook."""
    monkeypatch.chdir(tmp_path)
    for name in ("studio.sdlxliff", "okapi.xlf", "table.csv"):
        (tmp_path / name).write_bytes(read_sample(name))
    (tmp_path / "book.xlsx").write_bytes(default_workbook())
    return tmp_path


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("out.xlf", "XLIFF 1.2"), ("out.xliff", "XLIFF 2.1"), ("out.tmx", "TMX"), ("out.po", "PO (gettext)"),
        ("out.csv", "CSV"), ("out.tsv", "TSV"), ("out.xlsx", "Excel workbook"),
    ],
)  # fmt: skip
def test_bilingual_file_is_converted_to_every_format(jobs, capsys, name, format_name):
    code, out, err = run_command(
        capsys, "convert", "studio.sdlxliff", name, "--language-pair", "en-de", "--unconfirmed"
    )
    assert (code, out) == (0, "")
    assert err == f"studio.sdlxliff -> {name} ({format_name}): 6 segments\n"
    lines = line_pairs(read_document(jobs / name))
    expected = line_pairs(parse_sample("studio.sdlxliff"))
    if name.endswith(".po"):
        expected = [(source.replace("⟨", "⟨⟨"), target.replace("⟨", "⟨⟨")) for source, target in expected]
    assert lines == expected


def test_tmx_has_confirmed_segments_unless_all_are_requested(jobs, capsys):
    assert run_command(capsys, "convert", "studio.sdlxliff", "out.tmx", "--language-pair", "en-de")[0] == 0
    assert line_pairs(read_document(jobs / "out.tmx")) == [line_pairs(parse_sample("studio.sdlxliff"))[0]]


def test_source_mt_and_post_edit_are_written_as_texts(jobs, capsys):
    for name, part in (("out.src", 0), ("out.mt", 1), ("out.pe", 1)):
        assert run_command(capsys, "convert", "okapi.xlf", name)[0] == 0
        assert (jobs / name).read_text().split("\n")[:-1] == [
            line[part] for line in line_pairs(parse_sample("okapi.xlf"))
        ]


def test_several_files_are_converted_to_one(jobs, capsys):
    code, _, err = run_command(capsys, "convert", "okapi.xlf", "table.csv", "book.xlsx", "out.tsv")
    assert (code, err.split(";")[0]) == (
        0, "okapi.xlf, table.csv, book.xlsx -> out.tsv (TSV): 12 segments",
    )  # fmt: skip
    titles, first, *_ = (jobs / "out.tsv").read_text().split("\n")
    assert titles.split("\t")[7:] == [
        "tags system issues", "score system match-quality", "score system mtConfidence",
        "score system locQualityRatingScore",
    ]  # fmt: skip
    assert first.split("\t")[0] == "okapi.xlf"
    assert first.split("\t")[7:] == ["OK BAD OK OK", "75", "0.75", ""]
    assert "several inputs can only be combined into a single" in error_line(
        capsys, "convert", "okapi.xlf", "table.csv", "folder"
    )
    (jobs / "text").write_text("a\n")
    assert "text: this is not a bilingual file" in error_line(capsys, "convert", "okapi.xlf", "text", "out.xlf")
    assert "file not found" in error_line(capsys, "convert", "okapi.xlf", "missing", "out.xlf")
    assert "this file is an input" in error_line(capsys, "convert", "okapi.xlf", "table.csv", "okapi.xlf")


def test_columns_option_selects_the_columns_of_a_workbook(jobs, capsys):
    code, _, _ = run_command(capsys, "convert", "book.xlsx", "out.xlf", "--columns", "Text!target", "source")
    assert code == 0
    assert line_pairs(read_document(jobs / "out.xlf"))[0] == ("Stopp drücken.", "Press “Stop”.")
    error = error_line(capsys, "convert", "book.xlsx", "out.xlf", "--columns", "Texts!A", "B")
    assert error.startswith("qe-desktop: error: book.xlsx: there is no sheet Texts, only Read me, Text.")


def test_workbook_round_trip(jobs, capsys):
    assert run_command(capsys, "convert", "book.xlsx", "texts")[0] == 0
    text = jobs / "texts" / "book.mt"
    assert run_command(capsys, "convert", text, "--into", "book.xlsx", "-o", "same.xlsx")[0] == 0
    assert (jobs / "same.xlsx").read_bytes() == default_workbook()
    text.write_text(text.read_text().replace("Stopp drücken.", "Halt."))
    assert "1 segment changed" in run_command(capsys, "convert", text, "--into", "book.xlsx", "-o", "new.xlsx")[2]
    assert line_pairs(read_document(jobs / "new.xlsx"))[0] == ("Press “Stop”.", "Halt.")


def test_info_of_a_workbook(jobs, capsys):
    (document,) = json_output(capsys, "info", "book.xlsx")["documents"]
    assert (document["format"], document["segments"], document["with target"]) == ("xlsx", 6, 5)


def test_tmx_needs_languages(jobs, capsys):
    assert "TMX requires different source and target languages, but at least one is not set" in error_line(
        capsys, "convert", "table.csv", "out.tmx", "--unconfirmed"
    )
    assert not (jobs / "out.tmx").exists()
