"""Where targets stand in XML, and how other content comes there: in an element, or with one that is still missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.xml.xml_contents import content_markup
from qe_desktop.formats.bilingual.xml.xml_tree import Element, attribute_span, inner_span, is_empty, tag_end


@dataclass(frozen=True, slots=True)
class AttributeEdit:
    """An attribute that is no longer true when the target changes: of the tag at `start`, and what it becomes.

    None where the attribute goes.
    """

    start: int
    name: str
    value: str | None

    def splice(self, text: DecodedFile) -> TextEdit | None:
        """What changes; None where there is no such attribute."""
        span = attribute_span(text, self.start, self.name)
        if span is None:
            return None
        if self.value is None:
            return TextEdit(span[0], span[2], b"")
        return TextEdit(span[1], span[2] - 1, self.value.encode())


StatusLocation = tuple[int, int]
"""Where the tags begin that say the status of a segment: one of its unit or segment, and that of its target; -1 for
one that is not there, or that says it of other segments too."""
NO_STATUS_LOCATION: StatusLocation = (-1, -1)


def set_attribute(text: DecodedFile, start: int, name: str, value: str | None, *, added: str = "") -> list[TextEdit]:
    """What states an attribute of the tag at `start`: its value, which it may have already, or that it goes (None).

    One that is missing comes by the name `added`, or not at all where that is empty.
    """
    span = attribute_span(text, start, name) if start >= 0 else None
    if span is not None:
        splice = AttributeEdit(start, name, value).splice(text)
        return [splice] if splice is not None else []
    if start < 0 or not added or value is None:
        return []
    end = _before_end(text, start)
    return [TextEdit(end, end, f' {added}="{value}"'.encode())]


def _before_end(text: DecodedFile, start: int) -> int:
    """Where a tag's attributes end, before the blank that may stand there."""
    at = tag_end(text, start) - 1
    at -= text.utf8[at - 1 : at] == b"/"
    while text.utf8[at - 1 : at].isspace():
        at -= 1
    return at


def content_span(text: DecodedFile, element: Element) -> tuple[int, int]:
    """Where an element's content begins and ends; of one that is written as one tag, where it would."""
    if is_empty(text, element):
        return _before_end(text, element.start), tag_end(text, element.start)
    return tag_end(text, element.start), element.end


def name_of_tag(text: DecodedFile, element: Element) -> str:
    """An element's name as it is written, with its prefix."""
    tag = text.cut(element.start, tag_end(text, element.start))
    return tag[1:].split(None, 1)[0].rstrip("/>")


class ElementTarget(NamedTuple):
    """A target that has its element: `start` and `end` as an `Element` has them."""

    start: int
    end: int
    restated: tuple[AttributeEdit, ...] = ()
    at: StatusLocation = NO_STATUS_LOCATION

    @property
    def group(self) -> object:
        """The target alone."""
        return self

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """The new content, and what is said of it."""
        new = content_markup(text, contents[self])
        within = tag_end(text, self.start)
        if text.utf8[within - 2 : within] == b"/>":
            tag = text.utf8[self.start : within]
            name = tag[1:].split(None, 1)[0].rstrip(b"/>")
            # what was one tag becomes two, and the blank before its end goes
            content = TextEdit(_before_end(text, self.start), within, b">" + new + b"</" + name + b">")
        else:
            content = TextEdit(within, self.end, _with_breaks_of(text, text.utf8[within : self.end], new))
        return [content, *_attribute_edits(text, self.restated)]


def _with_breaks_of(text: DecodedFile, old: bytes, new: bytes) -> bytes:
    """Line breaks as CRLF where those before were: to XML they are the same."""
    return new.replace(b"\n", b"\r\n") if b"\r\n" in old else new


@dataclass(frozen=True, slots=True)
class ElementFrame:
    """Markup that takes the place of what stands from `start` to `end`: pieces between which targets stand."""

    start: int
    end: int
    pieces: tuple[str, ...]

    def __hash__(self) -> int:
        # each of the many targets in a frame is looked up by it
        return hash((self.start, self.end))


@dataclass(frozen=True, slots=True)
class FrameTarget:
    """A target whose element is still missing; it stands behind the piece of this number, from 0, of a frame."""

    frame: ElementFrame
    number: int
    restated: tuple[AttributeEdit, ...] = ()
    at: StatusLocation = NO_STATUS_LOCATION

    @property
    def group(self) -> object:
        """The frame, in which all its targets are written at once."""
        return self.frame

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """The whole frame, with all new targets that stand in it, and what is said of these."""
        given = {
            place.number: content_markup(text, content)
            for place, content in contents.items()
            if isinstance(place, FrameTarget)
        }
        pieces = (piece.encode() + given.get(number, b"") for number, piece in enumerate(self.frame.pieces))
        restated = dict.fromkeys(one for place in contents if isinstance(place, FrameTarget) for one in place.restated)
        return [TextEdit(self.frame.start, self.frame.end, b"".join(pieces)), *_attribute_edits(text, restated)]


def _attribute_edits(text: DecodedFile, restated: Iterable[AttributeEdit]) -> list[TextEdit]:
    return [splice for one in restated if (splice := one.splice(text)) is not None]


def missing_element(text: DecodedFile, beside: Element, name: str, at: int, attributes: str = "") -> ElementFrame:
    """A frame for an element that is to stand at a place, written and indented as one that stands `beside` it."""
    tag = text.cut(beside.start, tag_end(text, beside.start))
    written = tag[1:].split(None, 1)[0].rstrip("/>")
    prefix = f"{written.rpartition(':')[0]}:" if ":" in written else ""
    low = beside.start
    while text.utf8[low - 1 : low].isspace():
        low -= 1
    blank = text.cut(low, beside.start)
    return ElementFrame(at, at, (f"{blank}<{prefix}{name}{attributes}>", f"</{prefix}{name}>"))


def split_around_content(text: DecodedFile, element: Element, holds: Sequence[Element]) -> list[str]:
    """The content of an element in pieces, between which the content of some elements in it was."""
    low, end = inner_span(text, element)
    pieces, piece = [], ""
    for held in holds:
        begin, close = inner_span(text, held)
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
