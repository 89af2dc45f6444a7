"""How a text comes into a cell of a sheet: into one that is there, whose style stays, or into a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qe_desktop.corpus import QeError, Status
from qe_desktop.formats.bilingual.codes import Content
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.bilingual.sheet_texts import MOST_CHARACTERS, written
from qe_desktop.formats.bilingual.splices import Splice
from qe_desktop.formats.bilingual.statuses import NAMED, StatusRule
from qe_desktop.formats.bilingual.table_columns import cell_text
from qe_desktop.formats.bilingual.xml_tree import attribute_span, behind_tag
from qe_desktop.wording import tr

State = tuple[int, int]
"""Where the cell of a row stands that holds a status, from its start tag to behind it."""


class OldCell(NamedTuple):
    """A cell from its start tag to behind it; `state` is that of its row, if one holds a status, and `own` tells that
    the sheet is one of this program.
    """

    start: int
    end: int
    state: State | None = None
    own: bool = False

    @property
    def group(self) -> object:
        """The target alone."""
        return self

    def splices(self, text: Text, segment: Segment, contents: Mapping[Target, Content]) -> list[Splice]:
        """The cell with a text of its own, and that it was edited."""
        new = _rewritten(text, self.start, self.end, segment.name, cell_text(contents[self], own=self.own))
        return [new, *_say(text, self, Status.EDITED)]


class NewCell(NamedTuple):
    """A cell that is to stand at a place, by its name, such as B7; `prefix` is that of elements here."""

    at: int
    name: str
    prefix: str
    state: State | None = None
    own: bool = False

    @property
    def group(self) -> object:
        """The target alone."""
        return self

    def splices(self, text: Text, segment: Segment, contents: Mapping[Target, Content]) -> list[Splice]:
        """The cell with its text, and that it was edited."""
        element = f"{self.prefix}c"
        head = f'<{element} r="{self.name}"'.encode()
        held = cell_text(contents[self], own=self.own)
        new = Splice(self.at, self.at, _cell(head, element.encode(), segment.name, held))
        return [new, *_say(text, self, Status.EDITED)]


def _say(text: Text, place: Target, status: Status) -> list[Splice]:
    assert isinstance(place, OldCell | NewCell)
    if place.state is None:
        return []
    return [_rewritten(text, *place.state, "", status.name.lower())]


STATUSES = StatusRule(lambda segment: NAMED.get(segment.state, Status.OPEN), _say, frozenset(Status))


def _rewritten(text: Text, start: int, end: int, called: str, content: str) -> Splice:
    """A cell that is there with a text of its own; its style stays. `called` is what errors call it."""
    tag = text.utf8[start : behind_tag(text, start)]
    kind = attribute_span(text, start, "t")
    if kind is not None:
        tag = tag[: kind[0] - start] + tag[kind[2] - start :]
    head = tag.rstrip(b">").rstrip(b"/").rstrip()
    return Splice(start, end, _cell(head, head[1:].split(None, 1)[0], called, content))


def _cell(head: bytes, name: bytes, called: str, content: str) -> bytes:
    """A cell whose tag begins with `head`. QeError for a text that is too long."""
    # Excel counts as UTF-16 does
    if len(content.encode("utf-16-le", "surrogatepass")) // 2 > MOST_CHARACTERS:
        message = tr("{cell}: a cell has {n:,} characters at most", "", MOST_CHARACTERS, cell=called)
        raise QeError(message, hint=tr("Make the text shorter."))
    if not content:
        return head + b"/>"
    prefix = name.removesuffix(b"c").decode()
    inline = f"<{prefix}is>{written(content, prefix)}</{prefix}is>".encode()
    return head + b' t="inlineStr">' + inline + b"</" + name + b">"
