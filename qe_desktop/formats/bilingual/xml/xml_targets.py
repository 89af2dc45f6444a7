"""Targets in XML: conversion of elements to text and codes, and edits that write new content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import NamedTuple

from qe_desktop.formats.bilingual.encodings import DecodedFile, escape_unencodable
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import QeStates
from qe_desktop.formats.bilingual.xml.xml_tree import (
    Element,
    attribute_span,
    element_end,
    inner_span,
    is_empty,
    tag_end,
)

MAX_LABEL_CHARS = 80
"""Maximum number of characters that the label of a code takes from the content of the code."""


@dataclass(frozen=True, slots=True)
class InlineElement:
    """Properties of an inline element: kind, matching key, and whether its content is text (`holds_text`).

    An element whose content is text becomes an opening and a closing code. Any other element, with all of its content,
    becomes one code. `is_annotation` is as in `Code`.
    """

    kind: CodeKind
    key: str
    holds_text: bool = False
    label: str = ""
    is_annotation: bool = False


GetInlineElement = Callable[[Element], InlineElement]
"""Function that maps an element to its properties in a dialect."""


def opaque_code(element: Element, key: str = "") -> InlineElement:
    """Return the properties of an element that is one standalone code, regardless of its content."""
    return InlineElement(
        CodeKind.STANDALONE, f"{element.name}:{key or element.text()}", label=element.text()[:MAX_LABEL_CHARS]
    )


class ContentBuilder:
    """Converter of elements to text and codes. Codes are cached by markup, since most occur in many segments."""

    def __init__(self, text: DecodedFile, inline_of: GetInlineElement) -> None:
        self.text, self.inline_of = text, inline_of
        self._pairs: dict[bytes, tuple[Code, Code]] = {}
        self._standalone: dict[str, Code] = {}

    def build(self, element: Element) -> Content:
        """Content of a source or target; its codes are not yet numbered."""
        children = element.children
        if len(children) == 1 and children[0].__class__ is str:
            return (children[0],)
        if len(children) == 3:
            # fast path: most contents with codes have one cached element with text around it
            before, inline, after = children
            if before.__class__ is str and inline.__class__ is Element and after.__class__ is str:
                inner = inline.children
                if len(inner) == 1 and inner[0].__class__ is str and (codes := self._cached_codes(inline)) is not None:
                    return (before, codes[0], inner[0], codes[1], after)
        runs: list[str | Code] = []
        self._add(children, runs)
        return _merge_runs(runs)

    def _add(self, children: Iterable[Element | str], runs: list[str | Code]) -> None:
        for child in children:
            if isinstance(child, str):
                runs.append(child)
            else:
                self._code(child, runs)

    def _code(self, element: Element, runs: list[str | Code]) -> None:
        codes = self._cached_codes(element) or self._create_codes(element)
        if isinstance(codes, Code):
            runs.append(codes)
            return
        children = element.children
        if len(children) == 1 and children[0].__class__ is str:
            runs += (codes[0], children[0], codes[1])
            return
        runs.append(codes[0])
        self._add(children, runs)
        runs.append(codes[1])

    def _cached_codes(self, element: Element) -> tuple[Code, Code] | None:
        """Return the opening and closing codes cached for the start tag of an element; None if there are none."""
        utf8, start = self.text.utf8, element.start
        # a cached tag contains no > before its end
        return self._pairs.get(utf8[start : utf8.find(b">", start) + 1])

    def _create_codes(self, element: Element) -> tuple[Code, Code] | Code:
        """Return the opening and closing codes of an element if its content is text; else one code for the element."""
        text = self.text
        if element.name[0] == "#":
            label = element.text()
            return Code(
                CodeKind.STANDALONE,
                f"{element.name} {label}",
                _non_element_code(text, element),
                label[:MAX_LABEL_CHARS],
            )
        inline = self.inline_of(element)
        if inline.holds_text:
            tag = text.text_between(element.start, tag_end(text, element.start))
            codes = self._pairs[tag.encode()] = _pair(tag, inline)
            return codes
        raw = text.text_between(element.start, element_end(text, element))
        code = self._standalone.get(raw)
        if code is None:
            code = self._standalone[raw] = Code(
                inline.kind, inline.key, raw, inline.label, is_annotation=inline.is_annotation
            )
        return code


def _merge_runs(runs: list[str | Code]) -> Content:
    """Merge adjacent text runs, into which the XML parser splits long texts."""
    if not any(run.__class__ is str is next_run.__class__ for run, next_run in pairwise(runs)):
        return tuple(runs)
    joined: list[str | Code] = []
    for is_code, group in groupby(runs, lambda run: isinstance(run, Code)):
        members = list(group)
        joined += members if is_code else ["".join([run for run in members if isinstance(run, str)])]
    return tuple(joined)


def _pair(tag: str, inline: InlineElement) -> tuple[Code, Code]:
    """Return the opening and closing codes of an element; a self-closing tag is split into two."""
    begin = f"{tag[:-2].rstrip()}>" if tag.endswith("/>") else tag
    end = f"</{begin[1:].split(None, 1)[0].rstrip('>')}>"
    return (
        Code(CodeKind.OPEN, inline.key, begin, inline.label, must_nest=True, is_annotation=inline.is_annotation),
        Code(CodeKind.CLOSE, inline.key, end, inline.label, must_nest=True, is_annotation=inline.is_annotation),
    )


def _non_element_code(text: DecodedFile, element: Element) -> str:
    """Markup of a comment or processing instruction, as written."""
    end = b"-->" if element.name == "#comment" else b"?>"
    return text.text_between(element.start, text.utf8.index(end, element.start) + len(end))


def content_markup(text: DecodedFile, content: Content) -> bytes:
    """Serialize content as XML; characters that the encoding lacks become character references."""
    return "".join(run.raw if isinstance(run, Code) else _escape(run, text.codec) for run in content).encode()


def _escape(text: str, codec: str) -> str:
    # a literal CR would be read as LF (XML 1.0, 2.11)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return escape_unencodable(text, codec)


class AttributeEdit(NamedTuple):
    """Attribute to update in the tag at `start` when the target changes; it is removed if `value` is None.

    If the target becomes empty, `empty_value` is written instead of `value`, unless `empty_value` is None. If the tag
    lacks the attribute, `is_added` states whether it is added, which requires a target that is not empty.
    """

    start: int
    name: str
    value: str | None
    empty_value: str | None = None
    is_added: bool = False

    def text_edit(self, text: DecodedFile, *, is_empty: bool) -> TextEdit | None:
        """Edit of the attribute; None if there is nothing to edit. `is_empty` is true if the target becomes empty."""
        span = attribute_span(text, self.start, self.name)
        if span is None:
            if self.value is None or is_empty or not self.is_added:
                return None
            return _added_attribute(text, self.start, self.name, self.value)
        value = self.empty_value if is_empty and self.empty_value is not None else self.value
        if value is None:
            return TextEdit(span[0], span[2], b"")
        return TextEdit(span[1], span[2] - 1, value.encode())


StatusLocation = tuple[int, int]
"""Offsets of the tags with the status of a segment: the tag of the unit or segment, and the tag of the target.

An offset is -1 if the tag is missing or applies to other segments too.
"""
NO_STATUS_LOCATION: StatusLocation = (-1, -1)


def set_attribute(text: DecodedFile, start: int, name: str, value: str | None, *, added: str = "") -> list[TextEdit]:
    """Edits that set an attribute of the tag at `start` or, if `value` is None, remove the attribute.

    There is an edit even if the attribute already has the value. A missing attribute is added under the name `added`,
    unless `added` is empty. If there is no tag (`start` is -1), there are no edits.
    """
    span = attribute_span(text, start, name) if start >= 0 else None
    if span is not None:
        edit = AttributeEdit(start, name, value).text_edit(text, is_empty=False)
        return [edit] if edit is not None else []
    if start < 0 or not added or value is None:
        return []
    return [_added_attribute(text, start, added, value)]


def _added_attribute(text: DecodedFile, start: int, name: str, value: str) -> TextEdit:
    """Edit that adds an attribute after the others of the tag at `start`."""
    end = _attributes_end(text, start)
    return TextEdit(end, end, f' {name}="{value}"'.encode())


def has_own_state(text: DecodedFile, start: int, states: QeStates) -> bool:
    """Whether the tag at `start` has a state that this program wrote; false if there is no tag (`start` is -1)."""
    span = attribute_span(text, start, states.attribute) if start >= 0 else None
    return span is not None and states.is_own_value(text.text_between(span[1], span[2]))


def _attributes_end(text: DecodedFile, start: int) -> int:
    """Offset after the attributes of a tag, before white space and `>` or `/>`."""
    offset = tag_end(text, start) - 1
    offset -= text.utf8[offset - 1 : offset] == b"/"
    while text.utf8[offset - 1 : offset].isspace():
        offset -= 1
    return offset


def content_span(text: DecodedFile, element: Element) -> tuple[int, int]:
    """Span of an element's content; for a self-closing tag, the span of its end (`/>`), which new content replaces."""
    if is_empty(text, element):
        return _attributes_end(text, element.start), tag_end(text, element.start)
    return tag_end(text, element.start), element.end


def name_of_tag(text: DecodedFile, start: int) -> str:
    """Qualified name of the tag at `start`, as written."""
    return text.text_between(start + 1, tag_end(text, start)).split(None, 1)[0].rstrip("/>")


def prefix_of_tag(text: DecodedFile, start: int) -> str:
    """Namespace prefix of the tag at `start`, with its colon, as written; empty if the tag has no prefix."""
    prefix, colon, _ = name_of_tag(text, start).rpartition(":")
    return prefix + colon


class ElementTarget(NamedTuple):
    """Existing target element: `start` and `end` are as in `Element`, the other fields as in `UnitMetadata`."""

    start: int
    end: int
    stale_edits: tuple[AttributeEdit, ...] = ()
    status_location: StatusLocation = NO_STATUS_LOCATION

    @property
    def group(self) -> object:
        """The target itself, because elements are written independently."""
        return self

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that write the new content and update outdated attributes."""
        new = content_markup(text, contents[self])
        content_start = tag_end(text, self.start)
        if text.utf8[content_start - 2 : content_start] == b"/>":
            tag = text.utf8[self.start : content_start]
            name = tag[1:].split(None, 1)[0].rstrip(b"/>")
            # a self-closing tag is split into two, without the white space before its end
            content = TextEdit(_attributes_end(text, self.start), content_start, b">" + new + b"</" + name + b">")
        else:
            content = TextEdit(
                content_start, self.end, _match_line_breaks(text, text.utf8[content_start : self.end], new)
            )
        return [content, *_attribute_edits(text, self.stale_edits, is_empty=not new.strip())]


def _match_line_breaks(text: DecodedFile, old: bytes, new: bytes) -> bytes:
    """Convert line breaks to CRLF if the old text has CRLF; XML treats LF and CRLF in the same way."""
    return new.replace(b"\n", b"\r\n") if b"\r\n" in old else new


@dataclass(frozen=True, slots=True)
class ElementFrame:
    """Markup that replaces the text from `start` to `end`: `pieces`, between which target contents are inserted.

    `attributes_offset` is the offset in the first piece at which attributes of a new target element are inserted; -1 if
    the target element already exists.
    """

    start: int
    end: int
    pieces: tuple[str, ...]
    attributes_offset: int = -1

    def __hash__(self) -> int:
        # pieces are not hashed, because the hash is computed for each of the many targets in a frame
        return hash((self.start, self.end))


@dataclass(frozen=True, slots=True)
class FrameTarget:
    """Missing target element; its content is inserted after `frame.pieces[piece_index]`.

    `attributes` are written into the start tag of a new target element.
    """

    frame: ElementFrame
    piece_index: int
    stale_edits: tuple[AttributeEdit, ...] = ()
    status_location: StatusLocation = NO_STATUS_LOCATION
    attributes: str = ""

    @property
    def group(self) -> object:
        """The frame, because all targets of a frame are written together."""
        return self.frame

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that write the frame with all new targets and update outdated attributes."""
        markup = {
            location.piece_index: content_markup(text, content)
            for location, content in contents.items()
            if isinstance(location, FrameTarget)
        }
        first, *rest = self.frame.pieces
        if self.attributes:
            at = self.frame.attributes_offset
            first = f"{first[:at]} {self.attributes}{first[at:]}"
        pieces = (piece.encode() + markup.get(number, b"") for number, piece in enumerate((first, *rest)))
        stale_edits = dict.fromkeys(
            attribute_edit
            for location in contents
            if isinstance(location, FrameTarget)
            for attribute_edit in location.stale_edits
        )
        return [TextEdit(self.frame.start, self.frame.end, b"".join(pieces)), *_attribute_edits(text, stale_edits)]


def _attribute_edits(
    text: DecodedFile, attribute_edits: Iterable[AttributeEdit], *, is_empty: bool = False
) -> list[TextEdit]:
    edits = (attribute_edit.text_edit(text, is_empty=is_empty) for attribute_edit in attribute_edits)
    return [edit for edit in edits if edit is not None]


def blank_before(text: DecodedFile, offset: int) -> str:
    """White space before an offset."""
    start = offset
    while text.utf8[start - 1 : start].isspace():
        start -= 1
    return text.text_between(start, offset)


def missing_element(text: DecodedFile, sibling: Element, name: str, offset: int, attributes: str = "") -> ElementFrame:
    """Build a frame for a missing element at an offset, with the prefix and indentation of a sibling."""
    prefix = prefix_of_tag(text, sibling.start)
    tag = f"{blank_before(text, sibling.start)}<{prefix}{name}{attributes}"
    return ElementFrame(offset, offset, (f"{tag}>", f"</{prefix}{name}>"), len(tag))


def split_around_content(text: DecodedFile, element: Element, inner_elements: Sequence[Element]) -> list[str]:
    """Markup inside an element, split into the pieces before, between and after the contents of `inner_elements`."""
    position, end = inner_span(text, element)
    pieces, piece = [], ""
    for inner in inner_elements:
        begin, close = inner_span(text, inner)
        if is_empty(text, inner):
            # a self-closing tag is split into two
            tag = text.text_between(inner.start, inner.end)
            pieces.append(f"{piece}{text.text_between(position, inner.start)}{tag[:-2].rstrip()}>")
            piece = f"</{tag[1:].split(None, 1)[0].rstrip('/>')}>"
        else:
            pieces.append(piece + text.text_between(position, begin))
            piece = ""
        position = close
    return [*pieces, piece + text.text_between(position, end)]
