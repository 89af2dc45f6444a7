"""Dates in workbooks are read as ISO 8601, and their cells are not changed."""

from __future__ import annotations

import datetime
import io
import zipfile

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.tabular.workbook import DateKind, date_kind, format_date
from tests.formats.bilingual.workbook import HEAD, MAIN, OFFICE, pack_workbook, workbook_parts

STYLES = (
    f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/>'
    '<numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts>'
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/>'
    '<xf numFmtId="21"/><xf numFmtId="46"/></cellXfs></styleSheet>'
)


def workbook(cells: list[str], *, from_1904: bool = False) -> bytes:
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>s{row}</t></is></c>{cell}</row>'
        for row, cell in enumerate(cells, 2)
    )
    names = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    members = workbook_parts(f'<worksheet xmlns="{MAIN}"><sheetData>{names}{rows}</sheetData></worksheet>')
    members["xl/styles.xml"] = (HEAD + STYLES).encode()
    members["xl/_rels/workbook.xml.rels"] = members["xl/_rels/workbook.xml.rels"].replace(
        b"</Relationships>",
        f'<Relationship Id="r4" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>'.encode(),
    )
    if from_1904:
        members["xl/workbook.xml"] = members["xl/workbook.xml"].replace(
            b"<sheets>", b'<workbookPr date1904="1"/><sheets>'
        )
    return pack_workbook(members)


CELLS = [
    ('<c s="1"><v>45413</v></c>', "2024-05-01"),
    ('<c s="2"><v>45413</v></c>', "2024-05-01"),
    ('<c s="2" t="n"><v>1</v></c>', "1900-01-01"),
    ('<c s="1"><v>59</v></c>', "1900-02-28"),
    ('<c s="1"><v>60</v></c>', "60"),
    ('<c s="1"><v>61</v></c>', "1900-03-01"),
    ('<c s="1"><v>45413.25</v></c>', "2024-05-01T06:00:00"),
    ('<c s="4"><v>45413.999999999</v></c>', "2024-05-02T00:00:00"),
    ('<c s="5"><v>0.5</v></c>', "12:00:00"),
    ('<c s="3"><v>45413</v></c>', "45413"),
    ('<c s="6"><v>1.5</v></c>', "1.5"),
    ('<c s="0"><v>45413</v></c>', "45413"),
    ("<c><v>45413</v></c>", "45413"),
    ('<c s="1"><v>-1</v></c>', "-1"),
    ('<c s="1"><v>1E+99</v></c>', "1E+99"),
    ('<c s="1" t="s"><v>3</v></c>', "Stopp drücken."),
    ('<c s="1" t="d"><v>2024-05-01</v></c>', "2024-05-01"),
]


def test_numbers_with_a_date_format_are_read_as_dates():
    document = parse_document(workbook([cell for cell, _ in CELLS]), "x.xlsx")
    assert [segment.target_line for segment in document.segments] == [text for _, text in CELLS]


def test_dates_may_be_counted_from_1904():
    document = parse_document(
        workbook(['<c s="1"><v>0</v></c>', '<c s="1"><v>43951</v></c>'], from_1904=True), "x.xlsx"
    )
    assert [segment.target_line for segment in document.segments] == ["1904-01-01", "2024-05-01"]


def test_date_cells_are_not_changed():
    data = workbook([cell for cell, _ in CELLS])
    document = parse_document(data, "x.xlsx")
    lines = {number: item.target_line for number, item in enumerate(document.segments)}
    assert document.with_targets(lines).data == data
    number = len(CELLS) - 2
    new = document.with_targets({**lines, number: "Halt."}).data
    before, after = (
        zipfile.ZipFile(io.BytesIO(item)).read("xl/worksheets/sheet2.xml").decode() for item in (data, new)
    )
    assert after == before.replace('<c s="1" t="s"><v>3</v></c>', '<c s="1" t="inlineStr"><is><t>Halt.</t></is></c>')


def test_status_of_a_date_is_written_without_changing_its_cell():
    def text(cell: str, value: str) -> str:
        return f'<c r="{cell}" t="inlineStr"><is><t>{value}</t></is></c>'

    date = '<c r="B2" s="1"><v>45413</v></c>'
    head = f'<row r="1">{text("A1", "source")}{text("B1", "target")}{text("C1", "status")}</row>'
    row = f'<row r="2">{text("A2", "1 May 2024")}{date}{text("C2", "open")}</row>'
    members = workbook_parts(f'<worksheet xmlns="{MAIN}"><sheetData>{head}{row}</sheetData></worksheet>')
    with zipfile.ZipFile(io.BytesIO(workbook([]))) as dated:
        for name in ("xl/styles.xml", "xl/_rels/workbook.xml.rels"):
            members[name] = dated.read(name)
    document = parse_document(pack_workbook(members), "x.xlsx")
    assert [segment.target_line for segment in document.segments] == ["2024-05-01"]
    new = document.with_targets({}, {0: ReviewStatus.CONFIRMED}).data
    sheet = zipfile.ZipFile(io.BytesIO(new)).read("xl/worksheets/sheet2.xml").decode()
    assert date in sheet
    assert document.with_targets({0: "2024-05-01"}, {0: ReviewStatus.CONFIRMED}).data == new
    assert sheet == members["xl/worksheets/sheet2.xml"].decode().replace(">open<", ">confirmed<")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("yyyy-mm-dd", DateKind.DATE),
        ("[$-407]d. mmmm yyyy;@", DateKind.DATE),
        ("mmm", DateKind.DATE),
        ("e", DateKind.DATE),
        ("[$-411]ggge", DateKind.DATE),
        ("aaaa", DateKind.DATE),
        ("[$-41E]bbbb", DateKind.DATE),
        ("[$-411]ggge hh:mm", DateKind.BOTH),
        ("hh:mm", DateKind.TIME),
        ("h:mm A/P", DateKind.TIME),
        ("h:mm AM/PM", DateKind.TIME),
        ("yyyy-mm-dd hh:mm:ss.000", DateKind.BOTH),
        ("mm:ss.0", DateKind.TIME),
        ("[h]:mm:ss", None),
        ("General", None),
        ("0.00", None),
        ("0.00E+00", None),
        ('0 "days"', None),
        ("#,##0 [$€-407]", None),
        ("[Red]0", None),
        ("@", None),
        ("", None),
    ],
)
def test_date_kind_of_number_formats(code, kind):
    assert date_kind(164, code) is kind


def test_format_date_agrees_with_datetime():
    for number in range(61, 2_958_466, 997):
        day = datetime.date(1899, 12, 30) + datetime.timedelta(days=number)
        assert format_date(str(number), DateKind.DATE, from_1904=False) == day.isoformat()
    assert format_date("2958465", DateKind.DATE, from_1904=False) == "9999-12-31"
    assert format_date("2958466", DateKind.DATE, from_1904=False) == "2958466"
    assert format_date("2957003", DateKind.DATE, from_1904=True) == "9999-12-31"
    assert format_date("2957004", DateKind.DATE, from_1904=True) == "2957004"


@pytest.mark.parametrize("value", ["1e900000", "-1e900000", "1e999999", "inf", "nan", "x", "1e10"])
def test_values_that_are_no_dates_are_unchanged_at_once(value):
    assert format_date(value, DateKind.DATE, from_1904=False) == value
