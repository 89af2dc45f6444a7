"""Edits of worksheet cells: new text in an existing cell, whose style is kept, or a new cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.reviewer_notes import CellText, NoteChange, NoteRule, check_xml_note
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import StatusRule, table_status
from qe_desktop.formats.bilingual.tabular.table_columns import cell_text
from qe_desktop.formats.bilingual.xlsx.workbook import MAX_CELL_CHARS, count_cell_chars, escape_cell_text
from qe_desktop.formats.bilingual.xlsx.worksheet import column_index
from qe_desktop.formats.bilingual.xml.xml_tree import attribute_span, tag_end
from qe_desktop.i18n.messages import tr


class CellLocation(NamedTuple):
    """Location of a cell: its span, including its tags; for a missing cell, an empty span where it is inserted.

    `name` is the name of the cell, such as B7. `prefix` is the namespace prefix of elements in the sheet, with its
    colon.
    """

    start: int
    end: int
    name: str
    prefix: str = ""

    def text_edit(self, text: DecodedFile, content: str) -> TextEdit:
        """Edit that writes a text into the cell."""
        if self.start < self.end:
            return _rewrite_cell(text, self.start, self.end, content)
        element = f"{self.prefix}c"
        new = _cell(f'<{element} r="{self.name}"'.encode(), element.encode(), content)
        # several missing cells of a row may be inserted at the same offset
        rank = column_index(self.name.rstrip("0123456789"))
        return TextEdit(self.start, self.start, new, rank)


class StateCell(NamedTuple):
    """Status cell of a row; `has_status` is false if the cell is empty or missing."""

    cell: CellLocation
    has_status: bool = True


class ExistingCell(NamedTuple):
    """Existing target cell: its span, including its tags.

    `status_cell` is the status cell of the same row; None if no status can be written, for example if the cell is
    computed or contains a text that is not a status of this program. `is_own_table` is true for sheets written by this
    program.
    """

    start: int
    end: int
    status_cell: StateCell | None = None
    is_own_table: bool = False

    @property
    def group(self) -> object:
        """The cell itself, because cells are written independently."""
        return self

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that write the target as an inline string, and set the status to edited if the row has one."""
        new = _rewrite_cell(text, self.start, self.end, cell_text(contents[self], is_own_table=self.is_own_table))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


class NewCell(NamedTuple):
    """Missing target cell, which is inserted at `offset`; `name` is the name of the cell, such as B7.

    `prefix` is the namespace prefix of elements in the sheet, with its colon. `status_cell` and `is_own_table` are as
    in `ExistingCell`.
    """

    offset: int
    name: str
    prefix: str
    status_cell: StateCell | None = None
    is_own_table: bool = False

    @property
    def group(self) -> object:
        """The cell itself, because cells are written independently."""
        return self

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that insert the cell, and set the status to edited if the row has one."""
        cell = CellLocation(self.offset, self.offset, self.name, self.prefix)
        new = cell.text_edit(text, cell_text(contents[self], is_own_table=self.is_own_table))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    assert isinstance(location, ExistingCell | NewCell)
    if location.status_cell is None or not (location.status_cell.has_status or add):
        return []
    return [location.status_cell.cell.text_edit(text, status.name.lower())]


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    assert isinstance(location, ExistingCell | NewCell)
    return location.status_cell is not None and (location.status_cell.has_status or add)


STATUSES = StatusRule(table_status, _write_status, _can_store)


class SheetNote(NamedTuple):
    """Location of the reviewer's note: the note cell, and the lines by other authors in it (`text`)."""

    cell: CellLocation
    text: CellText = CellText()
    rejected: bool = False


def _note_edits(text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
    return [
        change.location.cell.text_edit(text, _note_text(change))
        for change in changes
        if isinstance(change.location, SheetNote)
    ]


def _note_text(change: NoteChange) -> str:
    assert isinstance(change.location, SheetNote)
    return change.location.text.with_note(change.note)


def _check_note(text: DecodedFile, change: NoteChange) -> None:
    check_xml_note(text, change)
    check_cell_length(_note_text(change))


NOTE_RULE = NoteRule(_note_edits, _check_note)


def _rewrite_cell(text: DecodedFile, start: int, end: int, content: str) -> TextEdit:
    """Edit that replaces the text of a cell with an inline string; the style of the cell is kept."""
    tag = text.utf8[start : tag_end(text, start)]
    type_span = attribute_span(text, start, "t")
    if type_span is not None:
        tag = tag[: type_span[0] - start] + tag[type_span[2] - start :]
    head = tag.rstrip(b">").rstrip(b"/").rstrip()
    return TextEdit(start, end, _cell(head, head[1:].split(None, 1)[0], content))


def check_cell_length(content: str) -> None:
    """Raise QeError without a location if a text is too long for a cell."""
    if count_cell_chars(content) > MAX_CELL_CHARS:
        message = tr("a cell can have at most {n:,} characters", "", MAX_CELL_CHARS)
        raise QeError(message, hint=tr("Shorten the text."))


def _cell(head: bytes, name: bytes, content: str) -> bytes:
    """Format a cell; `head` is the beginning of its start tag, and `name` the name of its element."""
    if not content:
        return head + b"/>"
    prefix = name.removesuffix(b"c").decode()
    inline = f"<{prefix}is>{escape_cell_text(content, prefix)}</{prefix}is>".encode()
    return head + b' t="inlineStr">' + inline + b"</" + name + b">"
