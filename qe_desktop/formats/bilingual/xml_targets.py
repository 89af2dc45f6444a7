"""Where targets stand in XML, and how other content comes there: in an element, or with one that is still missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from qe_desktop.formats.bilingual.codes import Content
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.bilingual.splices import Splice
from qe_desktop.formats.bilingual.xml_contents import markup
from qe_desktop.formats.bilingual.xml_tree import Element, attribute_span, behind_tag, inside, is_empty


@dataclass(frozen=True, slots=True)
class Restated:
    """An attribute that is no longer true when the target changes: of the tag at `start`, and what it becomes.

    None where the attribute goes.
    """

    start: int
    name: str
    value: str | None

    def splice(self, text: Text) -> Splice | None:
        """What changes; None where there is no such attribute."""
        span = attribute_span(text, self.start, self.name)
        if span is None:
            return None
        if self.value is None:
            return Splice(span[0], span[2], b"")
        return Splice(span[1], span[2] - 1, self.value.encode())


class InElement(NamedTuple):
    """A target that has its element: `start` and `end` as an `Element` has them."""

    start: int
    end: int
    restated: tuple[Restated, ...] = ()

    def splices(self, text: Text, segment: Segment, contents: Mapping[Target, Content]) -> list[Splice]:
        """The new content, and what is said of it."""
        new = markup(text, contents[self])
        within = behind_tag(text, self.start)
        if text.utf8[within - 2 : within] == b"/>":
            tag = text.utf8[self.start : within]
            name = tag[1:].split(None, 1)[0].rstrip(b"/>")
            # what was one tag becomes two, and the blank before its end goes
            slash = within - 2
            while text.utf8[slash - 1 : slash].isspace():
                slash -= 1
            content = Splice(slash, within, b">" + new + b"</" + name + b">")
        else:
            content = Splice(within, self.end, _with_breaks_of(text, text.utf8[within : self.end], new))
        return [content, *_restated(text, self.restated)]


def _with_breaks_of(text: Text, old: bytes, new: bytes) -> bytes:
    """Line breaks as CRLF where those before were: to XML they are the same."""
    return new.replace(b"\n", b"\r\n") if b"\r\n" in old else new


@dataclass(frozen=True, slots=True)
class Frame:
    """Markup that takes the place of what stands from `start` to `end`: pieces between which targets stand."""

    start: int
    end: int
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InFrame:
    """A target whose element is still missing; it stands behind the piece of this number, from 0, of a frame."""

    frame: Frame
    number: int
    restated: tuple[Restated, ...] = ()

    def splices(self, text: Text, segment: Segment, contents: Mapping[Target, Content]) -> list[Splice]:
        """The whole frame, with all new targets that stand in it, and what is said of this one."""
        given = {
            place.number: markup(text, content)
            for place, content in contents.items()
            if isinstance(place, InFrame) and place.frame == self.frame
        }
        pieces = (piece.encode() + given.get(number, b"") for number, piece in enumerate(self.frame.pieces))
        return [Splice(self.frame.start, self.frame.end, b"".join(pieces)), *_restated(text, self.restated)]


def _restated(text: Text, restated: tuple[Restated, ...]) -> list[Splice]:
    return [splice for one in restated if (splice := one.splice(text)) is not None]


def missing_element(text: Text, beside: Element, name: str, at: int, attributes: str = "") -> Frame:
    """A frame for an element that is to stand at a place, written and indented as one that stands `beside` it."""
    tag = text.cut(beside.start, behind_tag(text, beside.start))
    written = tag[1:].split(None, 1)[0].rstrip("/>")
    prefix = f"{written.rpartition(':')[0]}:" if ":" in written else ""
    low = beside.start
    while text.utf8[low - 1 : low].isspace():
        low -= 1
    blank = text.cut(low, beside.start)
    return Frame(at, at, (f"{blank}<{prefix}{name}{attributes}>", f"</{prefix}{name}>"))


def without_content(text: Text, element: Element, holds: list[Element]) -> list[str]:
    """The content of an element in pieces, between which the content of some elements in it was."""
    low, end = inside(text, element)
    pieces, piece = [], ""
    for held in holds:
        begin, close = inside(text, held)
        if is_empty(text, held):
            # one tag becomes two
            tag = text.cut(held.start, held.end)
            pieces.append(f"{piece}{text.cut(low, held.start)}{tag[:-2].rstrip()}>")
            piece = f"</{tag[1:].split(None, 1)[0].rstrip('/>')}>"
        else:
            pieces.append(piece + text.cut(low, begin))
            piece = ""
        low = close
    return [*pieces, piece + text.cut(low, end)]
