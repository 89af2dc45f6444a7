"""Edits of worksheet cells: new text in an existing cell, whose style is kept, or a new cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import STATUS_BY_NAME, StatusRule
from qe_desktop.formats.bilingual.tabular.table_columns import cell_text
from qe_desktop.formats.bilingual.xlsx.workbook import MAX_CELL_CHARS, escape_cell_text
from qe_desktop.formats.bilingual.xml.xml_tree import attribute_span, tag_end
from qe_desktop.i18n.messages import tr

StateSpan = tuple[int, int]
"""Span of the status cell of a row, including its tags."""


class ExistingCell(NamedTuple):
    """Existing cell: its span, including its tags.

    `state` is the status cell of its row; None if it is computed or does not have a status of this program. `own` is
    true for sheets written by this program.
    """

    start: int
    end: int
    state: StateSpan | None = None
    own: bool = False

    @property
    def group(self) -> object:
        """The target itself, because cells are written independently."""
        return self

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """Edits that rewrite the cell as an inline string and set its status."""
        new = _rewrite_cell(text, self.start, self.end, cell_text(contents[self], own=self.own))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


class NewCell(NamedTuple):
    """Missing cell to insert at the offset `at`, with a name such as B7.

    `prefix` is the element prefix of the sheet; `state` and `own` are as in `ExistingCell`.
    """

    at: int
    name: str
    prefix: str
    state: StateSpan | None = None
    own: bool = False

    @property
    def group(self) -> object:
        """The target itself, because cells are written independently."""
        return self

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """Edits that insert the cell and set its status."""
        element = f"{self.prefix}c"
        head = f'<{element} r="{self.name}"'.encode()
        content = cell_text(contents[self], own=self.own)
        new = TextEdit(self.at, self.at, _cell(head, element.encode(), content))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


def _write_status(text: DecodedFile, location: TargetLocation, status: ReviewStatus) -> list[TextEdit]:
    assert isinstance(location, ExistingCell | NewCell)
    if location.state is None:
        return []
    return [_rewrite_cell(text, *location.state, status.name.lower())]


STATUSES = StatusRule(
    lambda segment: STATUS_BY_NAME.get(segment.state, ReviewStatus.OPEN), _write_status, frozenset(ReviewStatus)
)


def _rewrite_cell(text: DecodedFile, start: int, end: int, content: str) -> TextEdit:
    """Replace the text of a cell by an inline string; its style is kept."""
    tag = text.utf8[start : tag_end(text, start)]
    type_span = attribute_span(text, start, "t")
    if type_span is not None:
        tag = tag[: type_span[0] - start] + tag[type_span[2] - start :]
    head = tag.rstrip(b">").rstrip(b"/").rstrip()
    return TextEdit(start, end, _cell(head, head[1:].split(None, 1)[0], content))


def check_cell_length(content: str) -> None:
    """Raise QeError without a location if a text is too long for a cell."""
    # Excel counts UTF-16 code units
    if len(content.encode("utf-16-le", "surrogatepass")) // 2 > MAX_CELL_CHARS:
        message = tr("a cell can have at most {n:,} characters", "", MAX_CELL_CHARS)
        raise QeError(message, hint=tr("Shorten the text."))


def _cell(head: bytes, name: bytes, content: str) -> bytes:
    """Format a cell whose tag begins with `head`."""
    if not content:
        return head + b"/>"
    prefix = name.removesuffix(b"c").decode()
    inline = f"<{prefix}is>{escape_cell_text(content, prefix)}</{prefix}is>".encode()
    return head + b' t="inlineStr">' + inline + b"</" + name + b">"
