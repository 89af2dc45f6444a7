"""The one list of translators' files: to add a dialect, write its module and add a line here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual import po
from qe_desktop.formats.bilingual.bilingual_format import AUTO_COLUMNS, BilingualFormat, ColumnChoice, FileHead
from qe_desktop.formats.bilingual.column_choice import ColumnOptions
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import DecodedFile, decode_file, decode_head
from qe_desktop.formats.bilingual.file_signatures import SIGNATURE_BYTES, ZIP_SIGNATURE, foreign_kind, is_workbook
from qe_desktop.formats.bilingual.gc_pause import gc_paused
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.tabular import delimited_tables
from qe_desktop.formats.bilingual.xlsx import xlsx_document
from qe_desktop.formats.bilingual.xml import mqxliff, mxliff, okapi, sdlxliff, tmx, xliff2, xliff12
from qe_desktop.formats.bilingual.xml.truncated_xml import close_head
from qe_desktop.formats.bilingual.xml.xml_tree import UnboundPrefixError, parse_root
from qe_desktop.formats.io.files import CheckCancelled, display_name, never_cancelled, read_bytes, read_head
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
MAX_OFFER_BYTES = 1 << 20
"""Bytes from the beginning of a file that tell its languages and columns."""
MIN_DIALECT_CONFIDENCE = 0.5
"""How well a file must fit a format to be taken for one of a translator."""


def detect_dialect(path: Path) -> BilingualFormat | None:
    """The dialect of a translator's file, by how it begins; None for any other file, and for what cannot be read."""
    try:
        data = read_head(path, SIGNATURE_BYTES)
        name = display_name(path)
        return None if foreign_kind(data) else _detect(_beginning(data, name))
    except QeError:
        return None


def column_options(path: Path, format: BilingualFormat) -> ColumnOptions | None:
    """What may be chosen as source and target of a file; None where it tells, and where it cannot be read."""
    try:
        return format.offer(_file_head(path, format))
    except QeError:
        return None


def first_rows(path: Path, name: str, choice: ColumnChoice, most: int) -> list[tuple[str, ...]]:
    """The names of columns and the first rows of a file whose columns may be chosen; of what is none else, as a table.

    QeError where it cannot be read.
    """
    format = BY_NAME.get(name, delimited_tables.FORMAT)
    return format.rows(_file_head(path, format), choice, most)


def _file_head(path: Path, format: BilingualFormat) -> bytes:
    """What tells the columns of a file."""
    if format.packed:
        return read_bytes(path)
    return _begin(read_head(path, MAX_OFFER_BYTES), display_name(path)).utf8


def _beginning(data: bytes, name: str) -> FileHead:
    if is_workbook(data):
        return FileHead(data[:SIGNATURE_BYTES], None)
    head = _begin(data, name).utf8[:SIGNATURE_BYTES]
    return FileHead(head, parse_root(head) if head.lstrip()[:1] == b"<" else None)


def _begin(data: bytes, name: str) -> DecodedFile:
    """The text of the beginning of a file, without the line that it ends in where more may follow."""
    declared = po.declared_encoding(data)
    return decode_file(data, name, declared) if len(data) < SIGNATURE_BYTES else decode_head(data, name, declared)


def _detect(begins: FileHead) -> BilingualFormat | None:
    best = max(FORMATS, key=lambda format: format.confidence(begins))
    return best if best.confidence(begins) >= MIN_DIALECT_CONFIDENCE else None


def read_document(
    path: Path | str, choice: ColumnChoice = AUTO_COLUMNS, watch: CheckCancelled = never_cancelled
) -> Document:
    """A translator's file, by what is in it. QeError for what cannot be read, and for what is none, with what it is."""
    path = Path(path)
    head, name = read_head(path, SIGNATURE_BYTES), display_name(path)
    if len(head) == SIGNATURE_BYTES and not head.startswith(ZIP_SIGNATURE):
        # what is none is refused before all of it is read
        _format_of(head, name, choice)
    return parse_document(read_bytes(path, watch), name, choice)


def first_segments(
    path: Path, choice: ColumnChoice, most: int, watch: CheckCancelled = never_cancelled
) -> Sequence[Segment]:
    """The first segments of a file, at most so many. All of it is read only where its beginning does not tell them."""
    data, name = read_head(path, MAX_OFFER_BYTES), display_name(path)
    with suppress(QeError, UnboundPrefixError):
        head = _begin(data, name) if len(data) == MAX_OFFER_BYTES else None
        begun = close_head(head.utf8) if head is not None and head.codec == "utf-8" else b""
        found = parse_document(begun, name, choice).segments if begun else ()
        # the last unit may have been cut
        kept = [one for one in found if one.line != found[-1].line]
        if len(kept) >= most:
            return kept[:most]
    return read_document(path, choice, watch).segments[:most]


def parse_document(data: bytes, name: str, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """The same of bytes that are there; `name` is for messages."""
    place = SourceLocation(name)
    if not data:
        raise QeError(tr("the file is empty"), hint=tr("Check that it is the file you meant."), place=place)
    kind = foreign_kind(data)
    if kind:
        message = tr("this is {kind}, which is not read as a translator’s file", kind=kind)
        raise QeError(message, hint=_exported(), place=place)
    if is_workbook(data[:SIGNATURE_BYTES]):
        try:
            return xlsx_document.FORMAT.read(DecodedFile(name, data, b""), choice)
        except UnboundPrefixError:
            raise QeError(tr("a part of the workbook is no well-formed XML"), hint=_exported(), place=place) from None
    format = _format_of(data[:SIGNATURE_BYTES], name, choice)
    text = decode_file(data, name, po.declared_encoding(data))
    with gc_paused():
        try:
            return format.read(text, choice)
        except UnboundPrefixError:
            return format.read(replace(text, bound=False), choice)


def _format_of(head: bytes, name: str, choice: ColumnChoice) -> BilingualFormat:
    """The dialect of a file that begins like this. QeError that says what it is where it is none of a translator."""
    place = SourceLocation(name)
    kind = foreign_kind(head)
    if kind:
        message = tr("this is {kind}, which is not read as a translator’s file", kind=kind)
        raise QeError(message, hint=_exported(), place=place)
    begins = _beginning(head, name)
    root, format = begins.root, _detect(begins)
    if format is None and root is None and choice.source and choice.target:
        # columns that a person names are those of a table
        format = delimited_tables.FORMAT
    if format is not None:
        return format
    if root is not None:
        message = tr("this is XML that begins with {name}, which is no translator’s file that is read", name=root.name)
        raise QeError(message, hint=_exported(), place=place)
    raise QeError(tr("this is no translator’s file that is read"), hint=_exported(), place=place)


def _exported() -> str:
    return tr("Export it from your translation program as XLIFF, TMX or PO.")
