"""CSV tables of ratings: fast reading of large tables into numbers and name indices, and writing."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, QeError, Ratings, ScoreRatings, SourceLocation
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.corpus.text import LF
from qe_desktop.escaping import encode_utf8, escape_csv_cell
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.formats.parsed_tables import select_pair
from qe_desktop.formats.ratings.cell_parsing import format_range, skipped_ratings, skipped_times
from qe_desktop.formats.ratings.column_builders import BadCellError, ColumnBuilder, NumericColumn, join_name_columns
from qe_desktop.formats.ratings.rating_format import rename_codes, unread_note
from qe_desktop.formats.text_files import TextFile, display_name, iter_blocks
from qe_desktop.i18n.messages import tr

ROWS_PER_CHUNK = 1 << 15
"""Maximum number of rows that are parsed or written in one step."""
CSV_BLOCK_BYTES = 1 << 20
CsvCells = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """Syntax of the rows of a CSV or TSV file: the delimiter, and whether cells may be quoted."""

    delimiter: str
    has_quotes: bool = True

    def reader(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """Return an iterator over the rows that `lines` contain. The iterator raises csv.Error if a row is invalid."""
        if not self.has_quotes:
            return csv.reader(lines, delimiter=self.delimiter, quoting=csv.QUOTE_NONE)
        return csv.reader(lines, delimiter=self.delimiter, strict=True)


COMMAS, TABS = CsvDialect(","), CsvDialect("\t", has_quotes=False)


def detect_dialect(head: bytes) -> CsvDialect:
    """Detect the dialect: the delimiter is the most frequent of comma (default), tab and semicolon in the first row."""
    line = first_line(head)
    best = max((",", "\t", ";"), key=line.count)
    return CsvDialect(best if best in line else ",", has_quotes=best != "\t" or '"' in line)


def first_line(head: bytes) -> str:
    """First non-blank line of a file; empty if there is none."""
    lines = (line for line in head.decode("utf-8", "replace").split("\n") if line.strip())
    return next(lines, "").strip("\r")


def first_row(head: bytes, dialect: CsvDialect | None = None) -> list[str]:
    """Cells of a file's first row; empty if the row cannot be parsed. By default, the dialect is detected."""
    dialect = dialect or detect_dialect(head)
    try:
        return next(dialect.reader(iter([first_line(head)])), [])
    except csv.Error:
        return []


def first_rows(head: bytes, dialect: CsvDialect, count: int = 20) -> list[list[str]]:
    """First `count` non-blank rows; fewer if a row cannot be parsed, for example because a quote is not closed."""
    rows = []
    try:
        for row in dialect.reader(io.StringIO(head.decode("utf-8", "replace"), newline="\n")):
            if row and (len(row) > 1 or row[0].strip()):
                rows.append(row)
            if len(rows) == count:
                break
    except csv.Error:
        pass
    return rows


class CsvColumns:
    """Columns read from a table, each with a builder.

    `column_indices` maps the key of a column to its index in the table, and `builders` maps the key to the builder. A
    column that the table does not have contains a default value in all rows. Raises QeError with the line if a row
    does not have `width` cells or a cell is invalid, and without a line if the table ends after the first `skip` rows.
    """

    def __init__(
        self,
        opened: TextFile,
        dialect: CsvDialect,
        width: int,
        column_indices: Mapping[Any, int],
        builders: Mapping[Any, ColumnBuilder],
        *,
        skip: int = 1,
    ) -> None:
        self._opened = opened
        self._dialect = dialect
        self._skip = skip
        self._builders: dict[Any, Any] = {name: builder for name, builder in builders.items() if name in column_indices}
        self._builder_by_index = {column_indices[name]: builder for name, builder in self._builders.items()}
        self.rows = 0
        for columns in _column_blocks(opened, dialect, width, skip):
            self._add(columns)
        if not self.rows:
            hint = tr("Use a file with ratings.")
            raise QeError(tr("the file has a header but no rows"), hint=hint, place=opened.location())

    def __contains__(self, name: object) -> bool:
        return name in self._builders

    def _add(self, columns: CsvCells) -> None:
        for index, builder in self._builder_by_index.items():
            try:
                builder.add(columns[index])
            except BadCellError as bad:
                line = line_of_row(self._opened, self._dialect, self._skip + self.rows + bad.row)
                hint = tr("Correct this line.")
                raise QeError(bad.message, hint=hint, place=self._opened.location(line)) from None
        self.rows += len(columns[0])

    def names(self, name: object, default: str = "") -> tuple[tuple[str, ...], NameCodes]:
        """Distinct names in a column, and each row's index into them; empty and missing cells are named `default`."""
        if name not in self:
            return (default,), np.zeros(self.rows, np.int32)
        column = self._builders[name]
        if not default or "" not in column.index_by_name:
            return column.names, column.codes
        return rename_codes(column.names, column.codes, [label or default for label in column.names])

    def codes(self, name: str) -> NameCodes:
        """Indices of the rows' names in a column (see `names`), shape (rows,); all are 0 if the column is missing."""
        return self.names(name)[1]

    def names_or_row_numbers(self, name: str) -> tuple[tuple[str, ...], NameCodes]:
        """Distinct names in a column, and each row's index into them; a missing column is filled with row numbers."""
        if name in self:
            return self.names(name)
        return tuple(str(row + 1) for row in range(self.rows)), np.arange(self.rows, dtype=np.int32)

    def segments(self) -> tuple[tuple[str, ...], NameCodes]:
        """Distinct segment names, and each row's index into them; without a segment column, these are row numbers.

        If the table has a document column, each segment name is prefixed with the name of its document, because
        segments are numbered within documents.
        """
        if "segment" in self and "document" in self:
            return join_name_columns(self._builders["document"], self._builders["segment"], ":")
        return self.names_or_row_numbers("segment")

    def values(self, name: object, default: float = np.nan) -> Floats:
        """Numbers in a column, shape (rows,); all are `default` if the column is missing."""
        values: Floats = self._builders[name].values if name in self else np.full(self.rows, default)
        return values

    def rows_of_pair(self, language_pair: str, *columns: str) -> NDArray[np.bool_]:
        """Mask of the rows to read for a language pair, shape (rows,).

        `columns` is the name of the column with the pair, or the names of the columns with the two languages.
        If any of these columns is missing, the mask selects all rows. Raises QeError if the file does not contain the
        pair, or if it contains several pairs and `language_pair` is empty.
        """
        if not all(name in self for name in columns):
            return np.ones(self.rows, bool)
        builders = [self._builders[name] for name in columns]
        names, codes = self.names(*columns) if len(builders) == 1 else join_name_columns(builders[0], builders[1], "-")
        return np.isin(codes, select_pair(self._opened, names, language_pair))

    def notes(self, header: Sequence[str] = ()) -> tuple[str, ...]:
        """Notes on values left out, with line numbers, and on columns that were not read."""
        values, times = skipped_ratings(), skipped_times()
        for numbers in self._builders.values():
            if isinstance(numbers, NumericColumn) and numbers.skipped_count:
                into = times if numbers.is_time else values
                for row, cell in numbers.skipped_cells:
                    into.add(cell, line_of_row(self._opened, self._dialect, self._skip + row))
                into.count(numbers.skipped_count - len(numbers.skipped_cells))
        return (*values.notes(), *times.notes(), *unread_note(header, self._builder_by_index))


_HINT = tr("Check that no cell is missing and that cells with commas or line breaks are in double quotes.")


def _column_blocks(opened: TextFile, dialect: CsvDialect, width: int, skip: int) -> Iterator[CsvCells]:
    """Iterate over blocks of the rows after the first `skip` ones; each block is split into columns."""
    begin, rows = _offset_after_rows(opened, dialect, skip), skip
    if begin >= len(opened.data):
        return
    next_offset = begin
    for offset, block in iter_blocks(replace(opened, start=begin), CSV_BLOCK_BYTES):
        columns = _plain_columns(block, dialect, width)
        if columns is None:
            yield from _split_columns(opened, dialect, width, next_offset, rows)
            return
        rows += len(columns[0])
        next_offset = offset + len(block)
        yield columns


def _offset_after_rows(opened: TextFile, dialect: CsvDialect, skip: int) -> int:
    """Byte offset of the row that follows the first `skip` non-blank rows; quoted cells may contain line breaks."""
    start = opened.start
    while skip and start < len(opened.data):
        end = start
        while True:
            position = opened.data.find(b"\n", end)
            end = len(opened.data) if position < 0 else position + 1
            row = bytes(opened.data[start:end])
            if position < 0 or not dialect.has_quotes or row.count(b'"') % 2 == 0:
                break
        skip -= bool(row.strip())
        start = end
    return start


def _plain_columns(block: bytes, dialect: CsvDialect, width: int) -> CsvCells | None:
    """Split a block into columns without a CSV parser; None for quotes, blank lines or rows of the wrong width."""
    if (dialect.has_quotes and b'"' in block) or b"\n\n" in block or block.startswith(b"\n"):
        return None
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
        if b"\r" in block or b"\n\n" in block or block.startswith(b"\n"):
            return None
    codes = np.frombuffer(block, np.uint8)
    marks = np.flatnonzero(codes == ord(dialect.delimiter))
    counts = np.diff(np.searchsorted(marks, np.flatnonzero(codes == LF)), prepend=0)
    if not (counts == width - 1).all():
        return None
    cells = block[:-1].decode("utf-8").replace("\n", dialect.delimiter).split(dialect.delimiter)
    return [cells[index::width] for index in range(width)]


def _split_columns(
    opened: TextFile, dialect: CsvDialect, width: int, offset: int, preceding_rows: int
) -> Iterator[CsvCells]:
    """Parse the rows from the byte `offset` on with a CSV parser, and iterate over blocks of columns.

    `preceding_rows` is the number of rows before `offset`. Raises QeError with the line if a row cannot be parsed, or
    does not have `width` cells.
    """
    reader = dialect.reader(_lines(replace(opened, start=offset)))
    while True:
        try:
            rows = list(islice(reader, ROWS_PER_CHUNK))
        except csv.Error as error:
            position = opened.location(_faulty_line(opened, dialect, offset))
            if "new-line character" in str(error):
                message = tr("the row cannot be read: carriage return outside of quotes")
            else:
                message = tr("the row cannot be read: {reason}", reason=error)
            raise QeError(message, hint=_HINT, place=position) from None
        if not rows:
            return
        if set(map(len, rows)) != {width}:
            rows = [row for row in rows if not _is_blank(row)]
            wrong = next((position for position, row in enumerate(rows) if len(row) != width), None)
            if wrong is not None:
                message = tr("the row has {n} {n:cell|cells} instead of {width}", "", len(rows[wrong]), width=width)
                line = line_of_row(opened, dialect, preceding_rows + wrong)
                raise QeError(message, hint=_HINT, place=opened.location(line))
            if not rows:
                continue
        preceding_rows += len(rows)
        yield list(zip(*rows, strict=True))


def _faulty_line(opened: TextFile, dialect: CsvDialect, offset: int) -> int:
    """1-based line on which the first invalid row begins; all rows before the byte `offset` must be valid."""
    line = 1 + bytes(opened.data[opened.start : offset]).count(b"\n")
    reader = dialect.reader(_lines(replace(opened, start=offset)))
    lines_read = 0
    try:
        for _ in reader:
            lines_read = int(getattr(reader, "line_num", 0))
    except csv.Error:
        pass
    return line + lines_read


def _is_blank(row: Sequence[str]) -> bool:
    return not row or (len(row) == 1 and not row[0].strip())


def line_of_row(opened: TextFile, dialect: CsvDialect, row: int) -> int:
    """1-based line on which a row begins; `row` is its 0-based index, not counting blank rows."""
    reader = dialect.reader(_lines(opened))
    row_index, line = -1, 1
    try:
        for cells in reader:
            row_index += not _is_blank(cells)
            if row_index == row:
                break
            line = int(getattr(reader, "line_num", line)) + 1
    except csv.Error:
        # assume one row per line if earlier text cannot be parsed, such as a header with a carriage return
        return row + 1
    return line


def _lines(opened: TextFile) -> Iterator[str]:
    # only line feeds end a line: cells may contain other characters that Python treats as line ends
    return chain.from_iterable(
        io.StringIO(block.decode("utf-8"), newline="\n") for _, block in iter_blocks(opened, CSV_BLOCK_BYTES)
    )


_SIGN = re.compile("(?:^|[,;\t\"])'*[=+\\-@\t\r＝＋－＠]", re.MULTILINE)
"""Pattern that matches the beginning of each cell that a spreadsheet may interpret as a formula."""


def write_table(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write named columns of equal length as a table; cells are quoted if necessary.

    Cells that a spreadsheet would interpret as formulas are escaped: see `escape_csv_cell`. Raises QeError as
    `atomic_write` does.
    """
    rows = chain([tuple(columns)], zip(*columns.values(), strict=True))
    with atomic_write(path) as file:
        while some := list(islice(rows, ROWS_PER_CHUNK)):
            file.write(encode_utf8(_cells_text(some)))


def _cells_text(rows: Sequence[Sequence[Any]]) -> str:
    text = _rows_text(rows)
    if _SIGN.search(text):
        # few tables have such a cell, and checking each of a million cells takes longer than writing them
        rows = [[escape_csv_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
        text = _rows_text(rows)
    # the csv writer does not quote a carriage return, and no reader accepts an unquoted one
    return _rows_text(rows, quoted=True) if "\r" in text else text


def _rows_text(rows: Sequence[Sequence[Any]], *, quoted: bool = False) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL).writerows(rows)
    return text.getvalue()


def campaign_columns(*tables: ScoreRatings | PairRatings) -> dict[str, list[str]]:
    """Map headers to columns with the campaigns and rating ids of all rows in `tables`; empty columns are omitted."""
    columns = {}
    for header, column in (("campaign", "campaign"), ("rating id", "uid")):
        cells = [cell for table in tables for cell in table.texts(column)]
        if any(cells):
            columns[header] = cells
    return columns


def ranges_column(ratings: Ratings, scores: ScoreRatings) -> list[str]:
    """Range of each score's scale, as text; empty if the range is unknown."""
    range_texts = {scale: format_range(minimum, maximum) for scale, minimum, maximum in ratings.ranges}
    return [range_texts.get(scale, "") for scale in scores.texts("scale")]


def check_not_empty(count: int, path: Path, message: str, hint: str) -> None:
    """Raise QeError with `message` and `hint` if `count`, the number of ratings to be written to `path`, is 0."""
    if not count:
        raise QeError(message, hint=hint, place=SourceLocation(display_name(path)))


def check_names_round_trip(table: ScoreRatings | PairRatings, columns: Sequence[str], path: Path) -> None:
    """Raise QeError if a name in `columns` is empty, or has leading or trailing spaces, which are lost on reading."""
    for column in columns:
        for index in np.unique(getattr(table, column)).tolist():
            name = getattr(table, table.NAMES[column])[index]
            if not name or name != name.strip():
                message = tr(
                    "the name “{name}” would not be read back unchanged: it is empty or has leading or trailing spaces",
                    name=name,
                )
                raise QeError(
                    message, hint=tr("Use the JSON Lines format (jsonl)."), place=SourceLocation(display_name(path))
                )


def format_numbers(values: Floats) -> list[str]:
    """Format numbers with all their digits, and integers without a decimal point; NaN becomes an empty string."""
    return ["" if value != value else repr(value).removesuffix(".0") for value in values.tolist()]
