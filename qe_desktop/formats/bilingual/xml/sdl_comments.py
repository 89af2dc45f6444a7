"""Comments of SDLXLIFF: `mrk` elements with an `sdl:cid` in the target, and their texts in `doc-info/cmt-defs`.

The reviewer's note is a comment by the user `qe-desktop` on the whole target. Comment marks around a whole target are
not inline codes: the target is the text inside the marks. A comment with several marks counts as a comment by others,
even if its user is `qe-desktop`. New comments have no date, so that the same review always gives the same file; Studio
treats the date as unspecified. An empty target cannot have a comment.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content, content_codes
from qe_desktop.formats.bilingual.plain_lines import LineCode, join_line, split_line
from qe_desktop.formats.bilingual.reviewer_notes import AUTHOR, NoteChange, NoteRule, normalize_note
from qe_desktop.formats.bilingual.segments import NoteLocation, Segment, TextEdit
from qe_desktop.formats.bilingual.xml.unit_notes import (
    Definitions,
    ElementSpan,
    SegmentNote,
    XliffNotes,
    escape_note,
    prefix_finder,
    span_end,
)
from qe_desktop.formats.bilingual.xml.xml_targets import name_of_tag, prefix_of_tag
from qe_desktop.formats.bilingual.xml.xml_tree import (
    Element,
    element_end,
    inner_span,
    is_empty,
    parse_root,
    parse_xml,
    tag_end,
)

NAMESPACE = "http://sdl.com/FileTypes/SdlXliff/1.0"
_COMMENT_MARK = "x-sdl-comment"
_COUNTS = "marks of comments"
_MARK_ID = re.compile(rb"[\s:]cid\s*=\s*(?:\"([^\"<]*)\"|'([^'<]*)')")
_UUIDS = "ids of any elements"
_UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OPEN_TAG = '<{prefix}mrk mtype="x-sdl-comment" {sdl}cid="{cid}">'


class CommentDefinition:
    """Definition of a comment: its element, the elements of its texts, and whether several marks refer to it."""

    __slots__ = ("comments", "element", "is_shared")

    def __init__(self, element: Element, text: DecodedFile) -> None:
        self.element = element
        self.comments = [item for item in _descendants(element) if item.name.rpartition("}")[2] in _COMMENT_NAMES]
        self.is_shared = _mark_counts(text)[element.get("id")] > 1


def _mark_counts(text: DecodedFile) -> Counter[str]:
    """Number of marks of each comment, by comment id; counted once per file and cached."""
    counts = text.lookup_caches.get(_COUNTS)
    if not isinstance(counts, Counter):
        ids = (match[1] or match[2] or b"" for match in _MARK_ID.finditer(text.utf8))
        counts = text.lookup_caches[_COUNTS] = Counter(comment_id.decode("utf-8", "replace") for comment_id in ids)
    return counts


_COMMENT_NAMES = ("Comment", "sdl:Comment")


def _descendants(element: Element) -> Iterator[Element]:
    for child in element.elements():
        yield child
        yield from _descendants(child)


class OwnComments(NamedTuple):
    """Existing comments of the reviewer in one definition: spans of the mark, of the definition and of the texts.

    `has_only_own` is false if the definition also has comments by others.
    """

    mark: ElementSpan
    definition: ElementSpan
    texts: tuple[ElementSpan, ...]
    has_only_own: bool


class StudioNote(NamedTuple):
    """Location of the reviewer's note on a segment.

    `mark` is the span of the segment's mark in the target or, if the target is missing, the span of the unit, whose
    prefix is used for the new mark. `name` is the text from which the id of a new comment is computed. `comments` are
    the existing comments that form the note, usually one. `wrapper_count` is the number of comment marks around the
    whole target, including marks of comments by others.
    """

    mark: ElementSpan
    name: str
    comments: tuple[OwnComments, ...] = ()
    rejected: bool = False
    wrapper_count: int = 0


def unwrap(mark: Element) -> Element:
    """Innermost comment mark around all content of a segment's `mark`; `mark` itself if there is no comment mark."""
    while len(mark.children) == 1:
        (child,) = mark.children
        if not isinstance(child, Element) or child.name != "mrk" or child.get("mtype") != _COMMENT_MARK:
            break
        mark = child
    return mark


def _read(
    unit: Element, mids: Sequence[str], targets: Sequence[Element | None], definitions: Definitions
) -> Sequence[SegmentNote]:
    return [
        _segment_note(unit, mid, target, definitions) if target is not None else _missing_note(unit, mid)
        for mid, target in zip(mids, targets, strict=True)
    ]


def _missing_note(unit: Element, mid: str) -> SegmentNote:
    """Return an empty note for a segment without a target; a note can be written only together with the target."""
    return SegmentNote((), "", StudioNote(_span(unit), _name(unit, mid)))


def _name(unit: Element, mid: str) -> str:
    return f"{unit.start}/{unit.get('id')}/{mid}"


def _segment_note(unit: Element, mid: str, target: Element, definitions: Definitions) -> SegmentNote:
    location = StudioNote(_span(target), _name(unit, mid))
    if not any(isinstance(child, Element) for child in target.children):
        return SegmentNote((), "", location)
    innermost = unwrap(target)
    wrapper_starts: set[int] = set()
    wrapper = target
    while wrapper is not innermost:
        (child,) = wrapper.elements()
        wrapper = child
        wrapper_starts.add(wrapper.start)
    other_notes: list[str] = []
    note: list[str] = []
    own_comments: list[OwnComments] = []
    for mark in target.all("mrk"):
        definition = definitions.get(mark.get("sdl:cid")) if mark.get("mtype") == _COMMENT_MARK else None
        if not isinstance(definition, CommentDefinition):
            continue
        # changing a comment on several segments would change the notes on the others
        may_be_own = mark.start in wrapper_starts and not definition.is_shared
        texts = [comment for comment in definition.comments if may_be_own and comment.get("user") == AUTHOR]
        note += [comment.text() for comment in texts]
        other_notes += [comment.text() for comment in definition.comments if comment not in texts]
        if texts:
            are_all = len(texts) == len(definition.comments)
            own_comments.append(OwnComments(_span(mark), _span(definition.element), tuple(map(_span, texts)), are_all))
    return SegmentNote(
        tuple(other_notes),
        normalize_note("\n".join(note)),
        location._replace(comments=tuple(own_comments), wrapper_count=len(wrapper_starts)),
    )


def _span(element: Element) -> ElementSpan:
    return element.start, element.end


def without_comment_codes(segment: Segment, line: str) -> str:
    """Line of a segment without codes for comments around the whole target; older projects store such codes."""
    location = segment.note_location
    if not isinstance(location, StudioNote) or not location.wrapper_count:
        return line
    shown_codes = {code.display_text for code in content_codes((*segment.source, *(segment.target or ())))}
    for _ in range(location.wrapper_count):
        pieces = list(split_line(line))
        first, last = (pieces[0], pieces[-1]) if len(pieces) > 1 else ("", "")
        if not isinstance(first, LineCode) or first.display_text in shown_codes or first.kind is not CodeKind.OPEN:
            break
        if last != LineCode(CodeKind.CLOSE, first.number):
            break
        line = join_line(pieces[1:-1])
    return line


def _comment_id(text: DecodedFile, location: StudioNote) -> str:
    """Id for a new comment: unused in the file, and always the same for the same file and segment."""
    existing = text.lookup_caches.get(_UUIDS)
    if not isinstance(existing, frozenset):
        existing = text.lookup_caches[_UUIDS] = frozenset(_UUID.findall(text.utf8))
    number = 0
    while True:
        cid = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{AUTHOR}:{location.name}#{number}"))
        if cid.encode() not in existing:
            return cid
        number += 1


def _open_tag(text: DecodedFile, location: StudioNote) -> str:
    start = location.mark[0]
    return _OPEN_TAG.format(
        prefix=prefix_of_tag(text, start), sdl=prefix_finder("sdl")(text, start), cid=_comment_id(text, location)
    )


def _wrap(text: DecodedFile, location: NoteLocation, content: Content) -> Content:
    """Wrap the content of a new target in the mark of a new comment."""
    assert isinstance(location, StudioNote)
    tag = _open_tag(text, location)
    end = f"</{prefix_of_tag(text, location.mark[0])}mrk>"
    return Code(CodeKind.OPEN, "comment", tag), *content, Code(CodeKind.CLOSE, "comment", end)


def _edits(text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
    edits: list[TextEdit] = []
    new: list[str] = []
    removed: list[TextEdit] = []
    for change in changes:
        location = change.location
        assert isinstance(location, StudioNote)
        if location.comments:
            first, *rest = location.comments
            if not change.is_removal:
                edits.append(_replacement(text, first.texts[0], change.note))
                # the first text now contains the whole note, so the other texts are removed
                removed += [_removal(text, span) for span in first.texts[1:]]
            for comments in rest if not change.is_removal else location.comments:
                edits += _mark_removal(text, comments)
                spans = [comments.definition] if comments.has_only_own else comments.texts
                removed += [_removal(text, span) for span in spans]
        elif not change.is_removal:
            comment = f'<Comment severity="Medium" user="{AUTHOR}" version="1.0">{escape_note(text, change.note)}'
            cid = _comment_id(text, location)
            new.append(f'<cmt-def id="{cid}"><Comments>{comment}</Comment></Comments></cmt-def>')
            if not change.is_wrapped:
                edits += _wrap_edits(text, location)
    if new:
        return [*edits, *removed, _definitions_edit(text, _DefinitionList(text), new)]
    return [*edits, *(_DefinitionList(text).removal_edits(text, removed) if removed else ())]


def _wrap_edits(text: DecodedFile, location: StudioNote) -> list[TextEdit]:
    """Return edits that put the mark of a new comment around an existing target."""
    start, end = tag_end(text, location.mark[0]), location.mark[1]
    close = f"</{prefix_of_tag(text, location.mark[0])}mrk>"
    return [TextEdit(start, start, _open_tag(text, location).encode(), -1), TextEdit(end, end, close.encode(), 1)]


def _replacement(text: DecodedFile, comment: ElementSpan, note: str) -> TextEdit:
    start, end = comment
    content = escape_note(text, note)
    if span_end(text, comment) == tag_end(text, start):
        # a self-closing tag
        return TextEdit(
            start, end, f"{text.text_between(start, end)[:-2].rstrip()}>{content}</{name_of_tag(text, start)}>".encode()
        )
    return TextEdit(tag_end(text, start), end, content.encode())


def _mark_removal(text: DecodedFile, comments: OwnComments) -> list[TextEdit]:
    if not comments.has_only_own:
        # the comments by others need the mark
        return []
    start, end = comments.mark
    if span_end(text, comments.mark) == tag_end(text, start):
        return [TextEdit(start, end, b"")]
    return [TextEdit(at, tag_end(text, at), b"") for at in (start, end)]


def _removal(text: DecodedFile, span: ElementSpan) -> TextEdit:
    return TextEdit(span[0], span_end(text, span), b"")


class _DefinitionList:
    """List of the comment definitions of a file (`cmt-defs`), and its parent `doc-info`; each is None if missing."""

    def __init__(self, text: DecodedFile) -> None:
        self.starts: set[int] = set()
        ignored = dict.fromkeys(("trans-unit", "sdl:rep-def", "sdl:rev-def"), lambda element: None)
        self.root = parse_xml(text, {**ignored, "sdl:cmt-def": lambda element: self.starts.add(element.start)})
        self.info = self.root.child("sdl:doc-info")
        self.list = None if self.info is None else self.info.child("sdl:cmt-defs")

    def removal_edits(self, text: DecodedFile, removed: list[TextEdit]) -> list[TextEdit]:
        """Return `removed` or, if no definition would remain, an edit that removes the whole list.

        If the list is all that its parent `doc-info` contains, the edit removes the parent.
        """
        if self.info is None or self.list is None or not self.starts <= {edit.start for edit in removed}:
            return removed
        list_span = (self.list.start, element_end(text, self.list))
        removed_span = (
            (self.info.start, element_end(text, self.info)) if inner_span(text, self.info) == list_span else list_span
        )
        return [TextEdit(*removed_span, b"")]


def _definitions_edit(text: DecodedFile, existing: _DefinitionList, definitions: Sequence[str]) -> TextEdit:
    """Return the edit that inserts definitions into the file's list; the list is created if it is missing."""
    element = existing.list or existing.info
    prefix = "" if element is None else prefix_of_tag(text, element.start)
    markup = "".join(definitions)
    if prefix:
        for name in ("cmt-def", "Comments", "Comment"):
            markup = markup.replace(f"<{name} ", f"<{prefix}{name} ").replace(f"<{name}>", f"<{prefix}{name}>")
            markup = markup.replace(f"</{name}>", f"</{prefix}{name}>")
    if existing.list is None:
        markup = f"<{prefix}cmt-defs>{markup}</{prefix}cmt-defs>"
    if element is None:
        root = parse_root(text.utf8)
        at = tag_end(text, existing.root.start if root is None else root.start)
        return TextEdit(at, at, f'<doc-info xmlns="{NAMESPACE}">{markup}</doc-info>'.encode())
    if is_empty(text, element):
        tag = text.text_between(element.start, element_end(text, element))
        name = name_of_tag(text, element.start)
        return TextEdit(element.start, element.end, f"{tag[:-2].rstrip()}>{markup}</{name}>".encode())
    end = inner_span(text, element)[1]
    return TextEdit(end, end, markup.encode())


COMMENTS = XliffNotes(_read, NoteRule(_edits, wrap=_wrap), ("sdl:cmt-def", CommentDefinition), unwrap)
