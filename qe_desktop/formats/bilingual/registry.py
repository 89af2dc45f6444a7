"""Registry of bilingual file formats. To add a dialect, write its module and add the format to `FORMATS`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual import po
from qe_desktop.formats.bilingual.columns import ColumnOptions
from qe_desktop.formats.bilingual.document import AUTO_COLUMNS, BilingualFormat, ColumnChoice, Document, FileHead
from qe_desktop.formats.bilingual.encodings import DecodedFile, decode_file, decode_head, null_width
from qe_desktop.formats.bilingual.file_signatures import SIGNATURE_BYTES, ZIP_SIGNATURE, foreign_kind, is_workbook
from qe_desktop.formats.bilingual.segments import Segment, gc_paused
from qe_desktop.formats.bilingual.tabular import delimited_tables, xlsx_document
from qe_desktop.formats.bilingual.tabular.zip_patch import MAX_END_RECORD_BYTES, check_end_record
from qe_desktop.formats.bilingual.xml import mqxliff, mxliff, okapi, sdlxliff, tmx, xliff2, xliff12
from qe_desktop.formats.bilingual.xml.xml_scopes import close_head
from qe_desktop.formats.bilingual.xml.xml_tree import UnboundPrefixError, parse_root
from qe_desktop.formats.files import display_name, has_signature, never_cancelled, read_bytes, read_head, read_tail
from qe_desktop.i18n.messages import tr

FORMATS: tuple[BilingualFormat, ...] = (
    sdlxliff.FORMAT,
    mxliff.FORMAT,
    mqxliff.FORMAT,
    okapi.FORMAT,
    xliff12.FORMAT,
    xliff2.FORMAT,
    tmx.FORMAT,
    po.FORMAT,
    delimited_tables.FORMAT,
    xlsx_document.FORMAT,
)
BY_NAME = {format.name: format for format in FORMATS}
MAX_OPTIONS_BYTES = 1 << 20
"""Number of bytes from the beginning of a file that are searched for its languages and columns."""
MIN_DIALECT_CONFIDENCE = 0.5
"""Minimum confidence at which a file is accepted as bilingual."""
_EXPORT_HINT = tr("Export the translation from your CAT tool as XLIFF, TMX or PO.")


def detect_dialect(path: Path) -> BilingualFormat | None:
    """Detect the dialect of a bilingual file by its beginning; None if it is not bilingual or not readable."""
    try:
        data = read_head(path, SIGNATURE_BYTES)
        name = display_name(path)
        return None if foreign_kind(data) else _detect(_parse_head(data, name))
    except QeError:
        return None


def column_options(path: Path, format: BilingualFormat) -> ColumnOptions | None:
    """Options for source and target of a file; None if there is nothing to select or the file cannot be read."""
    try:
        return format.column_options(_file_head(path, format))
    except QeError:
        return None


def first_rows(path: Path, name: str, choice: ColumnChoice, count: int) -> list[tuple[str, ...]]:
    """Column names and up to `count` rows of a file in the format `name`; unknown formats are read as tables.

    Returns one empty row for a file without columns. Raises QeError if the file cannot be read.
    """
    format = BY_NAME.get(name, delimited_tables.FORMAT)
    return format.preview_rows(_file_head(path, format), choice, count)


def _file_head(path: Path, format: BilingualFormat) -> bytes:
    """Bytes from which a format determines columns: the whole file for packed formats, else its beginning as UTF-8."""
    if format.is_packed:
        return _read_file(path)
    data = read_head(path, MAX_OPTIONS_BYTES)
    utf8 = _decode_beginning(data, display_name(path)).utf8
    # the last line of a whole file is complete, even without a line end
    return utf8 + b"\n" if len(data) < SIGNATURE_BYTES else utf8


def _parse_head(data: bytes, name: str) -> FileHead:
    if is_workbook(data):
        return FileHead(data[:SIGNATURE_BYTES], None)
    head = _decode_beginning(data, name).utf8[:SIGNATURE_BYTES]
    return FileHead(head, parse_root(head) if head.lstrip()[:1] == b"<" else None)


def _decode_beginning(data: bytes, name: str) -> DecodedFile:
    """Decode the beginning of a file; drop an incomplete last line or tag if `data` might not be the whole file."""
    declared = po.declared_encoding(data)
    return decode_file(data, name, declared) if len(data) < SIGNATURE_BYTES else decode_head(data, name, declared)


def _detect(file_head: FileHead) -> BilingualFormat | None:
    best = max(FORMATS, key=lambda format: format.confidence(file_head))
    return best if best.confidence(file_head) >= MIN_DIALECT_CONFIDENCE else None


def read_document(
    path: Path | str, choice: ColumnChoice = AUTO_COLUMNS, check_cancelled: CheckCancelled = never_cancelled
) -> Document:
    """Read a bilingual file of any dialect. Raises QeError if it cannot be read or parsed (see `parse_document`)."""
    path = Path(path)
    head, name = read_head(path, SIGNATURE_BYTES), display_name(path)
    if len(head) == SIGNATURE_BYTES and not head.startswith(ZIP_SIGNATURE):
        # reject other files before all of the file is read
        _detect_format(head, name, choice)
    return parse_document(_read_file(path, check_cancelled), name, choice)


def _read_file(path: Path, check_cancelled: CheckCancelled = never_cancelled) -> bytes:
    """Read a file. Raises QeError if it cannot be read, or is a truncated zip archive.

    If the file is not a zip archive, reading stops after the first block with a NUL character, because a text with such
    a character cannot be decoded.
    """
    if not has_signature(path, ZIP_SIGNATURE):
        return read_bytes(path, check_cancelled, null_width)
    check_end_record(read_tail(path, MAX_END_RECORD_BYTES), display_name(path))
    return read_bytes(path, check_cancelled)


def first_segments(
    path: Path, choice: ColumnChoice, count: int, check_cancelled: CheckCancelled = never_cancelled
) -> Sequence[Segment]:
    """First `count` segments of a file, or all if it has fewer. Raises QeError as `read_document` does.

    The whole file is read unless its beginning is XML in UTF-8 and has at least `count` complete segments.
    """
    data, name = read_head(path, MAX_OPTIONS_BYTES), display_name(path)
    with suppress(QeError, UnboundPrefixError):
        head = _decode_beginning(data, name) if len(data) == MAX_OPTIONS_BYTES else None
        closed = close_head(head.utf8) if head is not None and head.codec == "utf-8" else b""
        segments = parse_document(closed, name, choice).segments if closed else ()
        # the last unit may be truncated
        complete = [segment for segment in segments if segment.line != segments[-1].line]
        if len(complete) >= count:
            return complete[:count]
    return read_document(path, choice, check_cancelled).segments[:count]


def parse_document(data: bytes, name: str, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """Parse the bytes of a bilingual file.

    Raises QeError, with the file `name` as its location, if the file is invalid, if `choice` does not match the file,
    or if source and target cannot be detected and `choice` does not select them.
    """
    location = SourceLocation(name)
    if not data:
        raise QeError(tr("the file is empty"), hint=tr("Check that it is the right file."), place=location)
    _refuse_foreign_kind(data, location)
    if is_workbook(data[:SIGNATURE_BYTES]):
        try:
            return xlsx_document.FORMAT.read(DecodedFile(name, data, b""), choice)
        except UnboundPrefixError:
            hint = tr("Save the workbook again in the program that created it.")
            raise QeError(tr("a part of the workbook is not well-formed XML"), hint=hint, place=location) from None
    format = _detect_format(data[:SIGNATURE_BYTES], name, choice)
    text = decode_file(data, name, po.declared_encoding(data))
    with gc_paused():
        try:
            return format.read(text, choice)
        except UnboundPrefixError:
            return format.read(replace(text, has_bound_prefixes=False), choice)


def _refuse_foreign_kind(head: bytes, place: SourceLocation) -> None:
    """Raise QeError if a file that begins with `head` is of a known type that is not bilingual."""
    kind = foreign_kind(head)
    if kind:
        message = tr("this is {kind}, not a supported bilingual file", kind=kind)
        raise QeError(message, hint=_EXPORT_HINT, place=place)


def _detect_format(head: bytes, name: str, choice: ColumnChoice) -> BilingualFormat:
    """Detect the dialect of a file that begins with `head`.

    If no dialect fits and the file is not XML, it is treated as a table, provided that `choice` has both columns.
    Raises QeError, with the file type if known, if the file is not bilingual.
    """
    location = SourceLocation(name)
    _refuse_foreign_kind(head, location)
    file_head = _parse_head(head, name)
    root, format = file_head.root, _detect(file_head)
    if format is None and root is None and choice.source and choice.target:
        # columns named by the user imply a table
        format = delimited_tables.FORMAT
    if format is not None:
        return format
    if root is not None:
        message = tr("this is XML with the root element {name}, not a supported bilingual file", name=root.name)
        raise QeError(message, hint=_EXPORT_HINT, place=location)
    raise QeError(tr("this is not a supported bilingual file"), hint=_EXPORT_HINT, place=location)
