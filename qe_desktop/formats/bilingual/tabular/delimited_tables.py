"""Tables with a source and a target column: CSV with commas or semicolons, and TSV, below a row of names.

A cell may stand in quotes, in which a quote is doubled (RFC 4180). Columns are known by their names, or named by a
person. An edited cell is quoted where it was, or where its text asks for it. Columns of notes and of a status are read
too, where there is one of each. A status is one of those that this program writes (`open`, `edited`, `confirmed`,
`rejected`, `locked`), and becomes another of them; whatever else stands there is left alone. An apostrophe that keeps
spreadsheets from taking a text for a formula is no part of it. What exports write (`column_names`) comes back: the MT
as it was loaded, documents, tags and scores, none of which saving changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from qe_desktop.corpus import QeError, ReviewStatus, SourceLocation
from qe_desktop.escaping import escape_csv_cell, unescape_csv_cell
from qe_desktop.formats.bilingual.bilingual_format import AUTO_COLUMNS, BilingualFormat, ColumnChoice, FileHead
from qe_desktop.formats.bilingual.column_choice import ChoiceKind, ColumnOptions
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.segment_collector import SegmentCollector
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import STATUS_BY_NAME, StatusRule
from qe_desktop.formats.bilingual.tabular.column_names import SOURCES, TARGETS, find_columns, normalize_header
from qe_desktop.formats.bilingual.tabular.table_columns import SideColumnCollector, TableColumns, cell_text
from qe_desktop.i18n.messages import join_localized, tr

NAME, DISPLAY_NAME = "bilingual-table", tr("table with source and target")
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')
_ENDS = {delimiter: re.compile(rb"[^%b\r\n]*" % delimiter) for delimiter in (b"\t", b";", b",")}
_HINT = tr("Say which columns are source and target.")
_COMMAND_HINT = tr("Name the columns with --columns SOURCE TARGET.")


class DelimitedCell(NamedTuple):
    """A cell from `start` to `end`, with its quotes, in a table whose cells stand apart by `delimiter`.

    `state` is where the cell of its row stands that holds a status, if one does. `own` tells that the table is one of
    this program.
    """

    start: int
    end: int
    delimiter: bytes
    state: tuple[int, int] | None = None
    own: bool = False

    @property
    def group(self) -> object:
        """The target alone."""
        return self

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """The new text, in quotes where it needs them, and that it was edited."""
        held, text_now = _raw_cell(text, self.start, self.end), cell_text(contents[self], own=self.own)
        if unescape_csv_cell(held) != held or unescape_csv_cell(text_now) != text_now:
            # with an apostrophe in front as before, or because the text would be read without its own
            text_now = escape_csv_cell(text_now)
        new = text_now.encode()
        quoted = text.utf8[self.start : self.start + 1] == b'"'
        if quoted or any(sign in new for sign in (b'"', b"\r", b"\n", self.delimiter)):
            new = b'"' + new.replace(b'"', b'""') + b'"'
        return [TextEdit(self.start, self.end, new), *_write_status(text, self, ReviewStatus.EDITED)]


def _write_status(text: DecodedFile, place: TargetLocation, status: ReviewStatus) -> list[TextEdit]:
    assert isinstance(place, DelimitedCell)
    if place.state is None:
        return []
    start, end = place.state
    name = status.name.lower().encode()
    return [TextEdit(start, end, b'"' + name + b'"' if text.utf8[start : start + 1] == b'"' else name)]


STATUSES = StatusRule(
    lambda segment: STATUS_BY_NAME.get(segment.state, ReviewStatus.OPEN), _write_status, frozenset(ReviewStatus)
)


def detect_delimiter(head: bytes) -> bytes:
    """What stands between the cells of the first row; empty where nothing does."""
    row = head.partition(b"\n")[0]
    return max(_ENDS, key=row.count) if any(sign in row for sign in _ENDS) else b""


def named_columns(head: bytes) -> tuple[int, int] | None:
    """Where source and target stand by the names in the first row; None where it does not tell."""
    delimiter = detect_delimiter(head)
    if not delimiter:
        return None
    names = [
        normalize_header(name.strip(b'\r" ').decode("utf-8", "replace"))
        for name in head.partition(b"\n")[0].split(delimiter)
    ]
    sources, targets = find_columns(names, "", SOURCES), find_columns(names, "", TARGETS)
    return (sources[0], targets[0]) if len(sources) == len(targets) == 1 else None


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """All rows of a table. QeError with the line for a quote without its end, or a row without a source."""
    delimiter = detect_delimiter(text.utf8[: 1 << 16])
    rows = _rows(text, delimiter or b",")
    header = [_cell(text, *span) for span in next(rows, (0, []))[1]]
    source, target = _columns(text, header, choice)
    columns = TableColumns.named(header, source, target)
    gathered, gathering = SegmentCollector(text, numbered=columns.own), SideColumnCollector(columns)
    for line, spans in rows:
        if len(spans) <= source:
            message = tr("the row has {n:,} {n:cell|cells}, and no source", "", len(spans))
            raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(text.name, line))

        def cell_at(place: int, spans: list[tuple[int, int]] = spans) -> str:
            return _cell(text, *spans[place]) if -1 < place < len(spans) else ""

        notes, state, held = cell_at(columns.notes), cell_at(columns.state), cell_at(target)
        known = spans[columns.state] if state in STATUS_BY_NAME else None
        place = DelimitedCell(*spans[target], delimiter, known, columns.own) if target < len(spans) else None
        written, translated = columns.content(cell_at(source)), columns.content(held) if held else ()
        loaded = columns.content(cell_at(columns.loaded)) if columns.own else None
        gathering.add(cell_at, written, translated if loaded is None else loaded)
        gathered.add(
            str(len(gathered.segments) + 1), line, written, translated, place, state,
            STATUS_BY_NAME.get(state) is ReviewStatus.LOCKED, notes=(notes,) if notes else (), loaded=loaded,
        )  # fmt: skip
    chosen = ColumnChoice(header[source], header[target])
    beside, said = gathering.beside(header)
    return Document(
        text,
        NAME,
        DISPLAY_NAME,
        tuple(gathered.segments),
        lambda other: read(other, chosen),
        notes=said,
        choice=chosen,
        statuses=STATUSES,
        beside=beside,
    )


def _columns(text: DecodedFile, header: list[str], choice: ColumnChoice) -> tuple[int, int]:
    """The columns of source and target: those that were named, or those whose names tell."""
    found: list[int] = []
    for wanted, known in ((choice.source, SOURCES), (choice.target, TARGETS)):
        fits = find_columns(header, wanted, known)
        if len(fits) != 1:
            raise unknown_columns_error(text.name, header)
        found += fits
    return found[0], found[1]


def unknown_columns_error(name: str, header: Sequence[str]) -> QeError:
    """What is said of a table whose columns, by the names in its first row, do not tell source and target."""
    names = join_localized(", ", list(header))
    message = tr("of the columns {names} it is not told which are source and target", names=names)
    return QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(name, 1))


def _rows(text: DecodedFile, delimiter: bytes) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The line of each row that is not empty, and where its cells stand."""
    data, at, line = text.utf8, 0, 1
    while at < len(data):
        begun, spans = line, []
        while True:
            span = _span(text, at, delimiter, line)
            line += data.count(b"\n", *span)
            spans.append(span)
            at = span[1] + 1
            if data[span[1] : at] != delimiter:
                break
        if data[at - 1 : at + 1] == b"\r\n":
            at += 1
        line += 1
        if len(spans) > 1 or spans[0][0] < spans[0][1]:
            yield begun, spans


def _span(text: DecodedFile, at: int, delimiter: bytes, line: int) -> tuple[int, int]:
    data = text.utf8
    if data[at : at + 1] == b'"':
        quoted = _QUOTED.match(data, at)
        if quoted is None and delimiter != b"\t":
            raise QeError(
                tr("the quote has no end"),
                hint=tr("Double a quote that is text."),
                place=SourceLocation(text.name, line),
            )
        if quoted is not None and data[quoted.end() : quoted.end() + 1] in (delimiter, b"\r", b"\n", b""):
            return quoted.span()
    found = _ENDS[delimiter].match(data, at)
    return found.span() if found else (at, at)


def _cell(text: DecodedFile, start: int, end: int) -> str:
    return unescape_csv_cell(_raw_cell(text, start, end))


def _raw_cell(text: DecodedFile, start: int, end: int) -> str:
    raw = text.cut(start, end)
    return raw[1:-1].replace('""', '"') if len(raw) > 1 and raw[0] == raw[-1] == '"' else raw


def _confidence(begins: FileHead) -> float:
    return 0.6 if begins.root is None and named_columns(begins.head) is not None else 0.0


def first_rows(head: bytes, choice: ColumnChoice, most: int) -> list[tuple[str, ...]]:
    """The names of columns, and the cells of the first rows, by how a table begins; a row that is cut off is left out.

    All columns are there, whatever was chosen.
    """
    whole = head[: head.rfind(b"\n") + 1] or head
    text = DecodedFile("", whole, whole)
    found: list[tuple[str, ...]] = []
    with suppress(QeError):
        for _, spans in _rows(text, detect_delimiter(whole) or b","):
            found.append(tuple(_cell(text, *span) for span in spans))
            if len(found) == most + 1:
                break
    return found or [()]


def table_column_options(head: bytes) -> ColumnOptions | None:
    """The columns of a table, and those whose names tell; None where there are not two."""
    delimiter = detect_delimiter(head)
    row = head.partition(b"\n")[0]
    text = DecodedFile("", row, row)
    first = next(_rows(text, delimiter), (0, []))[1] if delimiter and row.count(b'"') % 2 == 0 else []
    names = tuple(dict.fromkeys(name for span in first if (name := _cell(text, *span).strip())))
    if len(names) < 2:
        return None
    told = named_columns(head)
    held = ColumnChoice(*(_cell(text, *first[place]) for place in told)) if told is not None else AUTO_COLUMNS
    return ColumnOptions(ChoiceKind.COLUMNS, names, held)


FORMAT = BilingualFormat(NAME, DISPLAY_NAME, _confidence, read, table_column_options, first_rows)
