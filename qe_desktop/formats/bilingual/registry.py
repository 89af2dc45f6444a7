"""The one list of translators' files: to add a dialect, write its module and add a line here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.bilingual import mqxliff, mxliff, okapi, po, sdlxliff, tables, tmx, xliff1, xliff2, xlsx
from qe_desktop.formats.bilingual.choices import Offer
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import Text, beginning, decoded
from qe_desktop.formats.bilingual.foreign import HEAD, ZIP, is_workbook, kind_of
from qe_desktop.formats.bilingual.recognition import AS_IT_TELLS, Beginning, BilingualFormat, Choice
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.without_collecting import without_collecting
from qe_desktop.formats.bilingual.xml_beginnings import closed
from qe_desktop.formats.bilingual.xml_tree import UnboundPrefixError, root_of
from qe_desktop.formats.regular_files import Watch, beginning_of, bytes_of, nobody, shown_name
from qe_desktop.wording import tr

FORMATS: tuple[BilingualFormat, ...] = (
    sdlxliff.FORMAT,
    mxliff.FORMAT,
    mqxliff.FORMAT,
    okapi.FORMAT,
    xliff1.FORMAT,
    xliff2.FORMAT,
    tmx.FORMAT,
    po.FORMAT,
    tables.FORMAT,
    xlsx.FORMAT,
)
BY_NAME = {format.name: format for format in FORMATS}
OFFERED = 1 << 20
"""Bytes from the beginning of a file that tell its languages and columns."""
LEAST = 0.5
"""How well a file must fit a format to be taken for one of a translator."""


def recognise(path: Path) -> BilingualFormat | None:
    """The dialect of a translator's file, by how it begins; None for any other file, and for what cannot be read."""
    try:
        data = beginning_of(path, HEAD)
        name = shown_name(path)
        return None if kind_of(data) else _recognised(_beginning(data, name))
    except QeError:
        return None


def offered(path: Path, format: BilingualFormat) -> Offer | None:
    """What may be chosen as source and target of a file; None where it tells, and where it cannot be read."""
    try:
        return format.offer(_begun(path, format))
    except QeError:
        return None


def first_rows(path: Path, name: str, choice: Choice, most: int) -> list[tuple[str, ...]]:
    """The names of columns and the first rows of a file whose columns may be chosen; of what is none else, as a table.

    QeError where it cannot be read.
    """
    format = BY_NAME.get(name, tables.FORMAT)
    return format.rows(_begun(path, format), choice, most)


def _begun(path: Path, format: BilingualFormat) -> bytes:
    """What tells the columns of a file."""
    if format.packed:
        return bytes_of(path)
    return _begin(beginning_of(path, OFFERED), shown_name(path)).utf8


def _beginning(data: bytes, name: str) -> Beginning:
    if is_workbook(data):
        return Beginning(data[:HEAD], None)
    head = _begin(data, name).utf8[:HEAD]
    return Beginning(head, root_of(head) if head.lstrip()[:1] == b"<" else None)


def _begin(data: bytes, name: str) -> Text:
    """The text of the beginning of a file, without the line that it ends in where more may follow."""
    declared = po.declared_encoding(data)
    return decoded(data, name, declared) if len(data) < HEAD else beginning(data, name, declared)


def _recognised(begins: Beginning) -> BilingualFormat | None:
    best = max(FORMATS, key=lambda format: format.confidence(begins))
    return best if best.confidence(begins) >= LEAST else None


def read_document(path: Path | str, choice: Choice = AS_IT_TELLS, watch: Watch = nobody) -> Document:
    """A translator's file, by what is in it. QeError for what cannot be read, and for what is none, with what it is."""
    path = Path(path)
    head, name = beginning_of(path, HEAD), shown_name(path)
    if len(head) == HEAD and not head.startswith(ZIP):
        # what is none is refused before all of it is read
        _format_of(head, name, choice)
    return document_of(bytes_of(path, watch), name, choice)


def first_segments(path: Path, choice: Choice, most: int, watch: Watch = nobody) -> Sequence[Segment]:
    """The first segments of a file, at most so many. All of it is read only where its beginning does not tell them."""
    data, name = beginning_of(path, OFFERED), shown_name(path)
    with suppress(QeError, UnboundPrefixError):
        head = _begin(data, name) if len(data) == OFFERED else None
        begun = closed(head.utf8) if head is not None and head.codec == "utf-8" else b""
        found = document_of(begun, name, choice).segments if begun else ()
        # the last unit may have been cut
        kept = [one for one in found if one.line != found[-1].line]
        if len(kept) >= most:
            return kept[:most]
    return read_document(path, choice, watch).segments[:most]


def document_of(data: bytes, name: str, choice: Choice = AS_IT_TELLS) -> Document:
    """The same of bytes that are there; `name` is for messages."""
    place = Place(name)
    if not data:
        raise QeError(tr("the file is empty"), hint=tr("Check that it is the file you meant."), place=place)
    kind = kind_of(data)
    if kind:
        message = tr("this is {kind}, which is not read as a translator’s file", kind=kind)
        raise QeError(message, hint=_exported(), place=place)
    if is_workbook(data[:HEAD]):
        try:
            return xlsx.FORMAT.read(Text(name, data, b""), choice)
        except UnboundPrefixError:
            raise QeError(tr("a part of the workbook is no well-formed XML"), hint=_exported(), place=place) from None
    format = _format_of(data[:HEAD], name, choice)
    text = decoded(data, name, po.declared_encoding(data))
    with without_collecting():
        try:
            return format.read(text, choice)
        except UnboundPrefixError:
            return format.read(replace(text, bound=False), choice)


def _format_of(head: bytes, name: str, choice: Choice) -> BilingualFormat:
    """The dialect of a file that begins like this. QeError that says what it is where it is none of a translator."""
    place = Place(name)
    kind = kind_of(head)
    if kind:
        message = tr("this is {kind}, which is not read as a translator’s file", kind=kind)
        raise QeError(message, hint=_exported(), place=place)
    begins = _beginning(head, name)
    root, format = begins.root, _recognised(begins)
    if format is None and root is None and choice.source and choice.target:
        # columns that a person names are those of a table
        format = tables.FORMAT
    if format is not None:
        return format
    if root is not None:
        message = tr("this is XML that begins with {name}, which is no translator’s file that is read", name=root.name)
        raise QeError(message, hint=_exported(), place=place)
    raise QeError(tr("this is no translator’s file that is read"), hint=_exported(), place=place)


def _exported() -> str:
    return tr("Export it from your translation program as XLIFF, TMX or PO.")
