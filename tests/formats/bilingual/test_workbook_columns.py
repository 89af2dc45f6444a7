"""Columns of workbooks that may be chosen before they are opened, and the rows that are shown then."""

from __future__ import annotations

from itertools import pairwise

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import Role, plan_imports
from qe_desktop.formats.bilingual import ColumnChoice, parse_document
from qe_desktop.formats.bilingual.column_choice import ChoiceKind
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents, job_column_choice
from qe_desktop.formats.bilingual.xlsx.worksheet import first_rows, workbook_column_options
from qe_desktop.formats.importing.bilingual_detection import preview_file
from tests.formats.bilingual.samples import lines_of
from tests.formats.bilingual.workbook import SHARED, SHEET, packed, parts, workbook

OTHERS = ("English", "German", *SHARED[2:])
TWO = packed(parts(other=SHEET))
EMPTY = SHEET[: SHEET.index("<sheetData>")] + "<sheetData/></worksheet>"
ONE = packed(parts(other=EMPTY))
ONE_OF_OTHERS = packed(parts(other=EMPTY, shared=OTHERS))


def test_what_its_names_tell_holds_and_may_be_changed():
    found = workbook_column_options(ONE)
    assert (found.of, found.assumed) == (ChoiceKind.COLUMNS, ColumnChoice("source", "target"))
    assert found.names == ("source", "target", "notes", "A", "B", "C", "D")


def test_a_sheet_with_one_column_is_none_that_could_be_chosen():
    found = workbook_column_options(workbook())
    assert found.assumed == ColumnChoice("Text!source", "Text!target")
    assert {name.rpartition("!")[0] for name in found.names} == {"Text"}


def test_several_sheets_have_their_names_in_front():
    found = workbook_column_options(TWO)
    assert found.assumed == ColumnChoice()
    assert found.names[:4] == ("Read me!source", "Read me!target", "Read me!notes", "Read me!A")
    assert "Text!D" in found.names
    with pytest.raises(QeError, match="source and target are in two sheets: Read me, Text"):
        parse_document(TWO, "job", ColumnChoice("Read me!source", "Text!target"))


@pytest.mark.parametrize("data", [TWO, ONE, workbook(), ONE_OF_OTHERS, packed(parts(other=SHEET, shared=OTHERS))])
def test_every_column_that_is_offered_can_be_read(data):
    """By its name behind the first row, by its letter with it."""
    names = workbook_column_options(data).names
    for sheet in {name.rpartition("!")[0] for name in names}:
        held = [name for name in names if name.rpartition("!")[0] == sheet]
        for one, other in pairwise(held):
            parse_document(data, "job", ColumnChoice(one, other))


def test_a_name_and_a_letter_begin_behind_the_names():
    data = ONE_OF_OTHERS
    assert lines_of(parse_document(data, "job", ColumnChoice("English", "B")))[0] == ("Press “Stop”.", "Stopp drücken.")
    assert lines_of(parse_document(data, "job", ColumnChoice("A", "B")))[0] == ("English", "German")


def test_names_that_do_not_tell_columns_apart_are_letters():
    shared = ("same", "same", *SHARED[2:])
    assert workbook_column_options(packed(parts(other=EMPTY, shared=shared))).names == ("notes", "A", "B", "C", "D")
    shared = ("is it!", "B", *SHARED[2:])
    # the letter would be taken for the name
    assert workbook_column_options(packed(parts(other=EMPTY, shared=shared))).names == ("B", "notes", "A", "C", "D")


def test_first_rows_of_the_sheet_that_was_chosen():
    names, first, second, *more = first_rows(ONE_OF_OTHERS, ColumnChoice(), 2)
    assert (names, first, second, more) == (
        ("A", "B", "C", "D"), ("English", "German", "", "notes"),
        ("Press “Stop”.", "Stopp drücken.", "", "Chapter 1"), [],
    )  # fmt: skip
    assert first_rows(TWO, ColumnChoice(), 1)[0][0] == "Read me!A"
    assert first_rows(TWO, ColumnChoice("", "Text!target"), 1)[0][0] == "Text!A"


@pytest.mark.parametrize("data", [workbook()[:-40], packed(parts(sheet="<worksheet")), packed({"xl/x": b""})])
def test_nothing_is_offered_of_what_is_damaged(data, tmp_path):
    assert workbook_column_options(data) is None
    (tmp_path / "book.xlsx").write_bytes(data)
    (file,) = plan_imports([tmp_path / "book.xlsx"])[0].files
    assert (file.role, file.offer) == (Role.JOB, None)
    with pytest.raises(QeError):
        preview_file(file)


def test_what_was_chosen_is_kept_with_the_job(tmp_path):
    """A project reads the same bytes again when it saves."""
    document = parse_document(TWO, "job.xlsx", ColumnChoice("Text!A", "Text!B"))
    (file,) = corpus_from_documents([document], document.name).job.files
    assert job_column_choice(file) == ColumnChoice("Text!A", "Text!B")
    assert lines_of(parse_document(file.data, file.name, job_column_choice(file))) == lines_of(document)


def test_only_the_first_rows_are_read():
    rows = "".join(
        f'<row r="{number}"><c r="A{number}" t="inlineStr"><is><t>a</t></is></c><c r="B{number}"><v>1</v></c></row>'
        for number in range(1, 2000)
    )
    sheet = SHEET[: SHEET.index("<sheetData>")] + f"<sheetData>{rows}<row r='1'/></sheetData></worksheet>"
    # the last row is in no order, and is not looked at
    data = packed(parts(sheet=sheet, other=EMPTY))
    assert workbook_column_options(data).names == ("a", "1", "A", "B")
    with pytest.raises(QeError, match="the rows are out of order"):
        parse_document(data, "job", ColumnChoice("A", "B"))
