"""Columns of workbooks to select before opening, and the preview rows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import Role, plan_imports
from qe_desktop.formats.bilingual import ColumnChoice, parse_document
from qe_desktop.formats.bilingual.columns import ChoiceKind
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents, job_column_choice
from qe_desktop.formats.bilingual.tabular.worksheet import first_rows, workbook_column_options
from qe_desktop.formats.importing.bilingual_detection import preview_file
from tests.formats.bilingual.samples import line_pairs
from tests.formats.bilingual.workbook import SHARED, SHEET, default_workbook, pack_workbook, workbook_parts

UNKNOWN_HEADERS = ("English", "German", *SHARED[2:])
TWO_SHEETS = pack_workbook(workbook_parts(other=SHEET))
EMPTY = SHEET[: SHEET.index("<sheetData>")] + "<sheetData/></worksheet>"
ONE_SHEET = pack_workbook(workbook_parts(other=EMPTY))
ONE_SHEET_UNKNOWN_HEADERS = pack_workbook(workbook_parts(other=EMPTY, shared=UNKNOWN_HEADERS))


def test_columns_are_detected_by_header_and_all_are_offered():
    options = workbook_column_options(ONE_SHEET)
    assert (options.kind, options.default) == (ChoiceKind.COLUMNS, ColumnChoice("source", "target"))
    assert options.names == ("source", "target", "notes", "A", "B", "C", "D")


def test_sheet_with_one_column_is_not_offered():
    options = workbook_column_options(default_workbook())
    assert options.default == ColumnChoice("Text!source", "Text!target")
    assert {name.rpartition("!")[0] for name in options.names} == {"Text"}


def test_columns_of_several_sheets_have_the_sheet_name():
    options = workbook_column_options(TWO_SHEETS)
    assert options.default == ColumnChoice()
    assert options.names[:4] == ("Read me!source", "Read me!target", "Read me!notes", "Read me!A")
    assert "Text!D" in options.names
    with pytest.raises(QeError, match="source and target are in different sheets: Read me, Text"):
        parse_document(TWO_SHEETS, "job", ColumnChoice("Read me!source", "Text!target"))


@pytest.mark.parametrize(
    "data",
    [
        TWO_SHEETS,
        ONE_SHEET,
        default_workbook(),
        ONE_SHEET_UNKNOWN_HEADERS,
        pack_workbook(workbook_parts(other=SHEET, shared=UNKNOWN_HEADERS)),
    ],
)
def test_all_offered_columns_can_be_read(data):
    """Named columns start after the header row, columns specified by letter include it."""
    names = workbook_column_options(data).names
    for sheet in {name.rpartition("!")[0] for name in names}:
        columns = [name for name in names if name.rpartition("!")[0] == sheet]
        for source, target in pairwise(columns):
            parse_document(data, "job", ColumnChoice(source, target))


def test_header_row_is_skipped_if_any_column_is_named():
    data = ONE_SHEET_UNKNOWN_HEADERS
    assert line_pairs(parse_document(data, "job", ColumnChoice("English", "B")))[0] == (
        "Press “Stop”.",
        "Stopp drücken.",
    )
    assert line_pairs(parse_document(data, "job", ColumnChoice("A", "B")))[0] == ("English", "German")


def test_columns_with_ambiguous_names_are_offered_by_letter():
    shared = ("same", "same", *SHARED[2:])
    assert workbook_column_options(pack_workbook(workbook_parts(other=EMPTY, shared=shared))).names == (
        "notes",
        "A",
        "B",
        "C",
        "D",
    )
    shared = ("is it!", "B", *SHARED[2:])
    # the column letter B would be ambiguous
    assert workbook_column_options(pack_workbook(workbook_parts(other=EMPTY, shared=shared))).names == (
        "B",
        "notes",
        "A",
        "C",
        "D",
    )


def test_first_rows_are_those_of_the_selected_sheet():
    names, first, second, *more = first_rows(ONE_SHEET_UNKNOWN_HEADERS, ColumnChoice(), 2)
    assert (names, first, second, more) == (
        ("A", "B", "C", "D"), ("English", "German", "", "notes"),
        ("Press “Stop”.", "Stopp drücken.", "", "Chapter 1"), [],
    )  # fmt: skip
    assert first_rows(TWO_SHEETS, ColumnChoice(), 1)[0][0] == "Read me!A"
    assert first_rows(TWO_SHEETS, ColumnChoice("", "Text!target"), 1)[0][0] == "Text!A"
    assert first_rows(TWO_SHEETS, ColumnChoice("'Text'!source"), 1)[0][0] == "Text!A"


@pytest.mark.parametrize(
    "data", [default_workbook()[:-40], pack_workbook(workbook_parts(sheet="<worksheet")), pack_workbook({"xl/x": b""})]
)
def test_damaged_workbook_offers_no_columns(data, tmp_path):
    assert workbook_column_options(data) is None
    (tmp_path / "book.xlsx").write_bytes(data)
    (file,) = plan_imports([tmp_path / "book.xlsx"])[0].files
    assert (file.role, file.column_options) == (Role.JOB, None)
    with pytest.raises(QeError):
        preview_file(file)


def test_selected_columns_are_stored_in_the_job(tmp_path):
    """A project reads the same bytes again when it is saved."""
    document = parse_document(TWO_SHEETS, "job.xlsx", ColumnChoice("Text!A", "Text!B"))
    (file,) = corpus_from_documents([document], document.name).job.files
    assert job_column_choice(file) == ColumnChoice("Text!A", "Text!B")
    assert line_pairs(parse_document(file.data, file.name, job_column_choice(file))) == line_pairs(document)


def test_column_options_read_only_the_first_rows():
    rows = "".join(
        f'<row r="{number}"><c r="A{number}" t="inlineStr"><is><t>a</t></is></c><c r="B{number}"><v>1</v></c></row>'
        for number in range(1, 2000)
    )
    sheet = SHEET[: SHEET.index("<sheetData>")] + f"<sheetData>{rows}<row r='1'/></sheetData></worksheet>"
    # the last row is out of order, but is not read here
    data = pack_workbook(workbook_parts(sheet=sheet, other=EMPTY))
    assert workbook_column_options(data).names == ("a", "1", "A", "B")
    with pytest.raises(QeError, match="the rows are out of order"):
        parse_document(data, "job", ColumnChoice("A", "B"))
