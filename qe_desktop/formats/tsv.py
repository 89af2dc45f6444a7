"""Tab-separated tables, which are read in blocks of rows; fields are converted into numbers and labels."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.text import CR, LF, TAB
from qe_desktop.formats.text_files import ByteArray, TextFile, gather_fields, iter_blocks
from qe_desktop.i18n.messages import tr

TABLE_BLOCK_BYTES = 1 << 20
MAX_LABEL_BYTES = 200
MAX_ABS_NUMBER = 1e100
MAX_NUMBER_BYTES = 40
PARSE_BATCH_FIELDS = 1 << 14
"""Number of fields parsed in one batch, so that an invalid or very long field slows down only its own batch."""
NUMERIC = re.compile(rb"\s*[-+]?\d+(?:\.\d+)?\s*")
_QUOTED_FIELD = rb'"((?:[^"\t\n]|"")*)"'
_QUOTED = re.compile(_QUOTED_FIELD)
_QUOTED_IN_ROWS = re.compile(rb"(?:^|(?<=\t))" + _QUOTED_FIELD + rb"(?=\t|\r?$)", re.MULTILINE)
_IS_DECIMAL_BYTE = np.zeros(256, bool)
_IS_DECIMAL_BYTE[np.frombuffer(b"0123456789+-.eE", np.uint8)] = True


@dataclass(frozen=True, slots=True, eq=False)
class TsvBlock:
    """Block of a table's rows; blank lines are not rows.

    `codes` are the bytes of the block, which begins at byte `offset` of the file. `starts` and `ends` are the offsets
    of the fields in `codes`, shape (rows, columns). `lines` are the 1-based line numbers of the rows, shape (rows,).
    """

    codes: ByteArray
    offset: int
    starts: Ints
    ends: Ints
    lines: Ints

    def text(self, row: int, column: int) -> str:
        """Return a field as text."""
        return self.field(row, column).decode("utf-8", "replace")

    def field(self, row: int, column: int) -> bytes:
        """Return a field's raw bytes."""
        return self.codes[self.starts[row, column] : self.ends[row, column]].tobytes()

    def integers(self, column: int) -> tuple[Ints, NDArray[np.bool_]]:
        """Parse a column as non-negative integers, shape (rows,); also return a mask of valid fields."""
        return parse_integers(self.codes, self.starts[:, column], self.ends[:, column])

    def decimals(self, column: int) -> tuple[Floats, NDArray[np.bool_]]:
        """Parse a column as numbers, shape (rows,); also return a mask of valid fields (see `parse_decimals`)."""
        return parse_decimals(self.codes, self.starts[:, column], self.ends[:, column])

    def equal_mask(self, column: int, word: bytes) -> NDArray[np.bool_]:
        """Mask of the rows whose field in `column` equals `word`, ignoring case; `word` must be in lower case."""
        starts, ends = self.starts[:, column], self.ends[:, column]
        equal: NDArray[np.bool_] = ends - starts == len(word)
        for row in np.flatnonzero(equal).tolist():
            equal[row] = self.field(row, column).lower() == word
        return equal

    def labels(self, column: int | None, names: dict[bytes, int]) -> NDArray[np.int32]:
        """Index in `names` of each label in `column`, shape (rows,), or all 0 if it is None; new labels are added."""
        if column is None:
            return np.zeros(len(self.lines), np.int32)
        return encode_labels(self.codes, self.starts[:, column], self.ends[:, column], names)


def table_rows(opened: TextFile, columns: int, skip: int, errors: Faults) -> Iterator[TsvBlock]:
    """Yield the rows of a table in blocks; the first `skip` lines are a header.

    Rows that do not have `columns` fields are left out, and an error for each is added to `errors`.
    """

    def error(line: int) -> Fault:
        return Fault(opened.location(line), tr("the row does not have {n} {n:column|columns}", "", columns))

    lines_read = 0
    for offset, block in iter_blocks(opened, TABLE_BLOCK_BYTES):
        codes = np.frombuffer(block, np.uint8)
        feeds = np.flatnonzero(codes == LF)
        tabs = np.flatnonzero(codes == TAB)
        line_starts = np.concatenate(([0], feeds[:-1] + 1))
        finish = feeds - ((feeds > line_starts) & (codes[np.maximum(feeds - 1, 0)] == CR))
        counts = np.diff(np.searchsorted(tabs, feeds), prepend=0)
        is_row = finish > line_starts
        if offset == opened.start:
            is_row[:skip] = False
        fit = is_row & (counts == columns - 1)
        inner = tabs[np.repeat(fit, counts)].reshape(-1, columns - 1)
        starts = np.concatenate((line_starts[fit, None], inner + 1), axis=1)
        ends = np.concatenate((inner, finish[fit, None]), axis=1)
        errors.add(np.flatnonzero(is_row & ~fit) + lines_read + 1, error)
        yield TsvBlock(codes, offset, starts, ends, np.flatnonzero(fit) + lines_read + 1)
        lines_read += len(feeds)


def first_row(head: bytes) -> tuple[list[bytes], int]:
    """Fields of a table's first row, and the number of lines before it, each of which contains a single number."""
    lines = head.split(b"\n")
    header = 0
    for line in lines[:8]:
        if b"\t" in line or not NUMERIC.fullmatch(line):
            break
        header += 1
    row = next((line for line in lines[header:] if line.strip()), b"")
    return row.rstrip(b"\r").split(b"\t"), header


def unquote_field(field: bytes) -> bytes:
    """Remove CSV quoting from a field, including doubled quotation marks; other fields are unchanged.

    Suitable for names and numbers. Texts may contain literal quotation marks: see `unquote_texts`.
    """
    match = _QUOTED.fullmatch(field)
    return field if match is None else _unquote_match(match)


def unquote_texts(texts: Sequence[bytes]) -> Sequence[bytes]:
    """Remove CSV quoting from text fields; all are unchanged if any has a quotation mark that is invalid in CSV.

    Quotation marks in plain text rarely happen to be valid CSV quoting, so one invalid field shows that the quotation
    marks in the other fields are literal too.
    """
    marked = [text for text in texts if b'"' in text]
    if not marked or not all(map(_QUOTED.fullmatch, marked)):
        return texts
    return [unquote_field(text) for text in texts]


def unquote_file(opened: TextFile) -> TextFile:
    """Remove CSV quoting from all fields; a table with a quotation mark that is invalid in CSV is unchanged."""
    quoted = sum(match.group().count(b'"') for match in _QUOTED_IN_ROWS.finditer(opened.data, opened.start))
    if not quoted or quoted != opened.data.count(b'"'):
        return opened
    return replace(opened, data=_QUOTED_IN_ROWS.sub(_unquote_match, opened.data))


def _unquote_match(quoted: re.Match[bytes]) -> bytes:
    return quoted[1].replace(b'""', b'"')


def decode_labels(names: Iterable[bytes]) -> tuple[str, ...]:
    """Decode labels to text."""
    return tuple(name.decode("utf-8", "replace") for name in names)


def parse_integers(codes: ByteArray, starts: Ints, ends: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Parse fields as non-negative integers of at most 15 digits; also return a mask of valid fields."""
    lengths = ends - starts
    width = min(int(lengths.max(initial=0)), 15)
    digits = gather_fields(codes, starts, ends, width).astype(np.int64) - ord("0")
    inside = np.arange(width) < lengths[:, None]
    valid = (lengths > 0) & (lengths <= 15) & (((digits >= 0) & (digits <= 9)) | ~inside).all(axis=1)
    values = np.zeros(len(starts), np.int64)
    for index in range(width):
        values = np.where(inside[:, index], values * 10 + digits[:, index], values)
    return np.where(valid, values, 0), valid


def parse_decimals(codes: ByteArray, starts: Ints, ends: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """Parse fields as numbers; also return a mask of valid fields.

    Fields of more than `MAX_NUMBER_BYTES` bytes are invalid, and so are numbers whose absolute value is
    `MAX_ABS_NUMBER` or more.
    """
    values, valid = np.empty(len(starts)), np.empty(len(starts), bool)
    for start in range(0, len(starts), PARSE_BATCH_FIELDS):
        part = slice(start, start + PARSE_BATCH_FIELDS)
        values[part], valid[part] = _parse_decimal_batch(codes, starts[part], ends[part])
    return values, valid


def _parse_decimal_batch(codes: ByteArray, starts: Ints, ends: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    if not _IS_DECIMAL_BYTE[codes[np.minimum(starts, len(codes) - 1)]].any():
        # no field begins like a number, as in a file of tags
        return np.zeros(len(starts)), np.zeros(len(starts), bool)
    lengths = ends - starts
    width = min(max(int(lengths.max(initial=0)), 1), MAX_NUMBER_BYTES)
    digits = gather_fields(codes, starts, ends, width)
    inside = np.arange(width) < lengths[:, None]
    valid = (lengths > 0) & (lengths <= MAX_NUMBER_BYTES) & (_IS_DECIMAL_BYTE[digits] | ~inside).all(axis=1)
    values = np.zeros(len(starts))
    fields = digits.view(f"S{width}")[valid, 0]
    try:
        values[valid] = fields.astype(np.float64)
    except ValueError:
        values[valid] = [_decimal(field) for field in fields]
    # larger values are not measurements, and their squares overflow
    valid &= np.abs(values) < MAX_ABS_NUMBER
    return values, valid


def _decimal(field: bytes) -> float:
    try:
        return float(field)
    except ValueError:
        return float("nan")


def encode_labels(codes: ByteArray, starts: Ints, ends: Ints, names: dict[bytes, int]) -> NDArray[np.int32]:
    """Index of each field in `names`, shape (fields,); fields that `names` lacks are added to it.

    Fields are truncated to `MAX_LABEL_BYTES` bytes.
    """
    if not len(starts):
        return np.zeros(0, np.int32)
    width = min(max(int((ends - starts).max()), 1), MAX_LABEL_BYTES)
    fields = gather_fields(codes, starts, ends, width)
    is_new = np.ones(len(fields), bool)
    is_new[1:] = (fields[1:] != fields[:-1]).any(axis=1)
    # most fields equal the previous one, so only the others are looked up
    distinct, first, inverse = np.unique(fields[is_new].view(f"S{width}")[:, 0], return_index=True, return_inverse=True)
    numbers = np.zeros(len(distinct), np.int32)
    for index in np.argsort(first):
        numbers[index] = names.setdefault(bytes(distinct[index]), len(names))
    of_rows: NDArray[np.int32] = numbers[inverse][np.cumsum(is_new) - 1]
    return of_rows


def csv_to_tsv(opened: TextFile) -> TextFile:
    """Convert a CSV table to tab-separated fields, line by line; other files are unchanged.

    A row with the wrong number of fields remains a row, so that readers can report its line.
    """
    if csv_head_to_tsv(opened.head()) is None:
        return opened
    return replace(opened, data=_tsv_lines(map(_fields, _lines(opened.data[opened.start :]))), start=0)


def csv_head_to_tsv(head: bytes) -> bytes | None:
    """Convert the first lines of a CSV file to tab-separated fields; return None for other files.

    A CSV file has several comma-separated names in its first row, and the same number of fields in all rows. Each row
    is one line, without tabs. These rules exclude text with commas, and numbers with decimal commas. Fields that
    contain a comma must be quoted. In the result, fields that contain a quotation mark are quoted.
    """
    if b"," not in head.partition(b"\n")[0] or b"\t" in head:
        return None
    rows = []
    for line in _lines(head):
        rows.append(_fields(line))
        if rows[-1] and len(rows[-1]) != len(rows[0]):
            return None
    return _tsv_lines(rows)


def _lines(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n")


def _fields(line: bytes) -> list[str]:
    """Fields of a line; one empty field if the line is not a valid row, for example because a quote is not closed."""
    try:
        return next(csv.reader([line.decode("utf-8", "replace").removesuffix("\r")], strict=True), [])
    except csv.Error:
        return [""]


def _tsv_lines(rows: Iterable[list[str]]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter="\t", lineterminator="\n").writerows(rows)
    return buffer.getvalue().encode()
