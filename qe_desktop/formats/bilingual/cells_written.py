"""How a text comes into a cell of a sheet: into one that is there, whose style stays, or into a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.codes import Content, text_of
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.bilingual.sheet_texts import MOST_CHARACTERS, written
from qe_desktop.formats.bilingual.splices import Splice
from qe_desktop.formats.bilingual.xml_tree import attribute_span, behind_tag
from qe_desktop.wording import tr


class OldCell(NamedTuple):
    """A cell from its start tag to behind it."""

    start: int
    end: int

    def splices(self, text: Text, segment: Segment, contents: Mapping[Target, Content]) -> list[Splice]:
        """The cell with a text of its own."""
        within = behind_tag(text, self.start)
        tag = text.utf8[self.start : within]
        kind = attribute_span(text, self.start, "t")
        if kind is not None:
            tag = tag[: kind[0] - self.start] + tag[kind[2] - self.start :]
        head = tag.rstrip(b">").rstrip(b"/").rstrip()
        name = head[1:].split(None, 1)[0]
        return [Splice(self.start, self.end, _cell(head, name, segment, text_of(contents[self])))]


class NewCell(NamedTuple):
    """A cell that is to stand at a place, by its name, such as B7; `prefix` is that of elements here."""

    at: int
    name: str
    prefix: str

    def splices(self, text: Text, segment: Segment, contents: Mapping[Target, Content]) -> list[Splice]:
        """The cell with its text."""
        element = f"{self.prefix}c"
        head = f'<{element} r="{self.name}"'.encode()
        return [Splice(self.at, self.at, _cell(head, element.encode(), segment, text_of(contents[self])))]


def _cell(head: bytes, name: bytes, segment: Segment, content: str) -> bytes:
    """A cell whose tag begins with `head`. QeError for a text that is too long."""
    # Excel counts as UTF-16 does
    if len(content.encode("utf-16-le", "surrogatepass")) // 2 > MOST_CHARACTERS:
        message = tr("{cell}: a cell has {n:,} characters at most", "", MOST_CHARACTERS, cell=segment.name)
        raise QeError(message, hint=tr("Make the text shorter."))
    if not content:
        return head + b"/>"
    prefix = name.removesuffix(b"c").decode()
    inline = f"<{prefix}is>{written(content, prefix)}</{prefix}is>".encode()
    return head + b' t="inlineStr">' + inline + b"</" + name + b">"
