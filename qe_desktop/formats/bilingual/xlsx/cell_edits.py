"""How a text comes into a cell of a sheet: into one that is there, whose style stays, or into a new one."""

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
"""Where the cell of a row stands that holds a status, from its start tag to behind it."""


class ExistingCell(NamedTuple):
    """A cell from its start tag to behind it; `state` is that of its row, if one holds a status, and `own` tells that
    the sheet is one of this program.
    """

    start: int
    end: int
    state: StateSpan | None = None
    own: bool = False

    @property
    def group(self) -> object:
        """The target alone."""
        return self

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """The cell with a text of its own, and that it was edited."""
        new = _rewrite_cell(text, self.start, self.end, segment.name, cell_text(contents[self], own=self.own))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


class NewCell(NamedTuple):
    """A cell that is to stand at a place, by its name, such as B7; `prefix` is that of elements here."""

    at: int
    name: str
    prefix: str
    state: StateSpan | None = None
    own: bool = False

    @property
    def group(self) -> object:
        """The target alone."""
        return self

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """The cell with its text, and that it was edited."""
        element = f"{self.prefix}c"
        head = f'<{element} r="{self.name}"'.encode()
        held = cell_text(contents[self], own=self.own)
        new = TextEdit(self.at, self.at, _cell(head, element.encode(), segment.name, held))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


def _write_status(text: DecodedFile, place: TargetLocation, status: ReviewStatus) -> list[TextEdit]:
    assert isinstance(place, ExistingCell | NewCell)
    if place.state is None:
        return []
    return [_rewrite_cell(text, *place.state, "", status.name.lower())]


STATUSES = StatusRule(
    lambda segment: STATUS_BY_NAME.get(segment.state, ReviewStatus.OPEN), _write_status, frozenset(ReviewStatus)
)


def _rewrite_cell(text: DecodedFile, start: int, end: int, called: str, content: str) -> TextEdit:
    """A cell that is there with a text of its own; its style stays. `called` is what errors call it."""
    tag = text.utf8[start : tag_end(text, start)]
    kind = attribute_span(text, start, "t")
    if kind is not None:
        tag = tag[: kind[0] - start] + tag[kind[2] - start :]
    head = tag.rstrip(b">").rstrip(b"/").rstrip()
    return TextEdit(start, end, _cell(head, head[1:].split(None, 1)[0], called, content))


def _cell(head: bytes, name: bytes, called: str, content: str) -> bytes:
    """A cell whose tag begins with `head`. QeError for a text that is too long."""
    # Excel counts as UTF-16 does
    if len(content.encode("utf-16-le", "surrogatepass")) // 2 > MAX_CELL_CHARS:
        message = tr("{cell}: a cell has {n:,} characters at most", "", MAX_CELL_CHARS, cell=called)
        raise QeError(message, hint=tr("Make the text shorter."))
    if not content:
        return head + b"/>"
    prefix = name.removesuffix(b"c").decode()
    inline = f"<{prefix}is>{escape_cell_text(content, prefix)}</{prefix}is>".encode()
    return head + b' t="inlineStr">' + inline + b"</" + name + b">"
