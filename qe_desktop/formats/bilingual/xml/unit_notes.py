"""Notes of the reviewer as elements of a unit, in dialects whose units have notes or comments by several authors.

A reviewer's note is recognized by an attribute, such as `from` in XLIFF 1.2, or by the beginning of its text, as in
TMX. A new note gets the indentation of a sibling. A note is removed together with the white space before it, so that
adding and removing a note restores the file.

In XLIFF 1.2 and its dialects:

| dialect | element | location of the mark |
|---|---|---|
| XLIFF 1.2, Okapi | `note` | `from` attribute |
| MQXLIFF | `mq:comment` in `mq:comments` | `creatoruser` attribute |
| MXLIFF | `m:comment`, at most one per unit | beginning of the text |

In a unit with several segments, the key of a note is the `mid` of its segment. Notes for memoQ and Phrase are written
without the current time, so that the same review always gives the same file.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from qe_desktop.formats.bilingual.encodings import DecodedFile, escape_unencodable
from qe_desktop.formats.bilingual.reviewer_notes import (
    NO_NOTE_RULE,
    NoteChange,
    NoteMark,
    NoteRule,
    normalize_note,
    parse_mark,
    parse_prefix,
)
from qe_desktop.formats.bilingual.segments import NoteLocation, TextEdit
from qe_desktop.formats.bilingual.xml.xml_targets import blank_before, prefix_of_tag
from qe_desktop.formats.bilingual.xml.xml_tree import PREFIXES, Element, element_end, is_empty, parse_root, tag_end

ElementSpan = tuple[int, int]
"""Offsets `start` and `end` of an element, as defined in `Element`."""
MarkedText = tuple[NoteMark, str] | None
MarkOf = Callable[[Element], MarkedText]
"""Function that returns the mark and the text of a note element, or None for a note by others."""


class NoteContainer(NamedTuple):
    """Element with the notes of a unit: its span, the span of the last note, and the number of child elements."""

    span: ElementSpan
    last_note: ElementSpan | None
    child_count: int


class UnitNote(NamedTuple):
    """Location of a note in a unit: next to a `sibling`, or in a `container`.

    A new note is inserted after the sibling or, with `is_before_sibling`, before the sibling. `elements` are the spans
    of the note's existing elements, usually one. `key` identifies the segment within the unit. `unit_start` is the
    offset of the unit. New elements get the namespace prefix of the unit, because siblings may declare other
    namespaces. `rejected` is true if an existing note marks the segment as rejected.
    """

    sibling: ElementSpan
    unit_start: int
    is_before_sibling: bool = False
    key: str = ""
    container: NoteContainer | None = None
    elements: tuple[ElementSpan, ...] = ()
    rejected: bool = False


class SegmentNote(NamedTuple):
    """Notes of a segment: notes by others, the note of the reviewer, and the location of the reviewer's note."""

    other_notes: tuple[str, ...] = ()
    note: str = ""
    location: NoteLocation | None = None


def note_location(
    unit: Element, sibling: Element, key: str = "", *, before: bool = False, container: NoteContainer | None = None
) -> UnitNote:
    """Location for a new note: in `container`, if any, else next to `sibling` (after it, unless `before` is true)."""
    return UnitNote((sibling.start, sibling.end), unit.start, before, key, container)


def note_container(element: Element, notes: Sequence[Element]) -> NoteContainer:
    """Describe `element`, which contains `notes`, as a container of notes."""
    last = (notes[-1].start, notes[-1].end) if notes else None
    return NoteContainer((element.start, element.end), last, sum(1 for _ in element.elements()))


def segment_notes(notes: Iterable[Element], locations: Sequence[UnitNote], mark_of: MarkOf) -> list[SegmentNote]:
    """Assign the notes of a unit to its segments; notes by others belong to all segments.

    `locations` contains one location per segment; the result has the same order. If the reviewer has several notes on
    a segment, their texts become lines of a single note.
    """
    by_key = {location.key: location for location in locations}
    own_notes: dict[str, list[tuple[Element, NoteMark, str]]] = {}
    other_notes: list[str] = []
    for element in notes:
        marked = mark_of(element)
        if marked is None or marked[0].key not in by_key:
            other_notes.append(element.text())
        else:
            own_notes.setdefault(marked[0].key, []).append((element, *marked))
    shared = tuple(other_notes)
    return [
        _reviewer_note(location, own_notes[location.key], shared)
        if location.key in own_notes
        else SegmentNote(shared, "", location)
        for location in locations
    ]


def _reviewer_note(
    location: UnitNote, elements: Sequence[tuple[Element, NoteMark, str]], other_notes: tuple[str, ...]
) -> SegmentNote:
    spans = tuple([(element.start, element.end) for element, _, _ in elements])
    text = "\n".join([text for _, _, text in elements])
    location = location._replace(elements=spans, rejected=any(mark.rejected for _, mark, _ in elements))
    return SegmentNote(other_notes, normalize_note(text), location)


def escape_note(text: DecodedFile, note: str) -> str:
    """Escape a note for XML content; characters that the encoding lacks become character references."""
    escaped = note.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escape_unencodable(escaped, text.codec)


WriteNote = Callable[[DecodedFile, str, NoteMark, str], str]
"""Function that serializes a note. Arguments: file, namespace prefix of the note element, mark and text of the note."""


@dataclass(slots=True)
class _NewNotes:
    """New notes at one location, and the edits that remove notes there."""

    location: UnitNote
    markup: list[str] = field(default_factory=list)
    removed: list[TextEdit] = field(default_factory=list)


class UnitNoteEdits:
    """Function object that returns the edits for changed notes of units.

    `write` serializes a note. `container` is the name of the element that contains the notes of a unit; empty if the
    dialect has no such element. `prefix_at` returns the namespace prefix, with a colon, for new elements in the unit at
    an offset.
    """

    def __init__(
        self, write: WriteNote, container: str = "", prefix_at: Callable[[DecodedFile, int], str] = prefix_of_tag
    ) -> None:
        self._write = write
        self._container = container
        self._prefix_at = prefix_at

    def __call__(self, text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
        """Edits for all changed notes."""
        edits: list[TextEdit] = []
        new_notes_by_span: dict[tuple[ElementSpan, ElementSpan | None], _NewNotes] = {}
        for change in changes:
            location = change.location
            assert isinstance(location, UnitNote)
            container_span = None if location.container is None else location.container.span
            new_notes = new_notes_by_span.setdefault((location.sibling, container_span), _NewNotes(location))
            mark = NoteMark(location.key, change.rejected)
            if not location.elements:
                if not change.is_removal:
                    prefix = self._prefix_at(text, location.unit_start)
                    new_notes.markup.append(self._write(text, prefix, mark, change.note))
            elif change.is_removal:
                new_notes.removed += [_removal(text, span) for span in location.elements]
            else:
                first, *rest = location.elements
                new = self._write(text, prefix_of_tag(text, first[0]), mark, change.note)
                edits.append(TextEdit(first[0], span_end(text, first), new.encode()))
                new_notes.removed += [_removal(text, span) for span in rest]
        for new_notes in new_notes_by_span.values():
            edits += self._location_edits(text, new_notes)
        return edits

    def _location_edits(self, text: DecodedFile, new_notes: _NewNotes) -> list[TextEdit]:
        location, markup = new_notes.location, new_notes.markup
        container = location.container
        if container is None:
            if not markup:
                return new_notes.removed
            prefix = self._prefix_at(text, location.unit_start)
            notes = [f"<{prefix}{self._container}>{''.join(markup)}</{prefix}{self._container}>"]
            return [*new_notes.removed, _insertion(text, location, notes if self._container else markup)]
        if not markup:
            emptied = len(new_notes.removed) == container.child_count
            return [_removal(text, container.span)] if emptied else new_notes.removed
        return [*new_notes.removed, _append(text, container, markup)]


def _append(text: DecodedFile, container: NoteContainer, markup: Sequence[str]) -> TextEdit:
    """Edit that inserts notes after the last note of a container, or at its end if it contains no notes."""
    if container.last_note is not None:
        offset = span_end(text, container.last_note)
        blank = blank_before(text, container.last_note[0])
        return TextEdit(offset, offset, "".join([f"{blank}{note}" for note in markup]).encode(), 1)
    start, end = container.span
    content = "".join(markup).encode()
    if is_empty(text, Element("", {}, start, None)):
        tag = text.utf8[start : tag_end(text, start)]
        name = tag[1:].split(None, 1)[0].rstrip(b"/>")
        return TextEdit(start, len(tag) + start, tag[:-2].rstrip() + b">" + content + b"</" + name + b">")
    return TextEdit(end, end, content, 1)


def _insertion(text: DecodedFile, location: UnitNote, markup: Sequence[str]) -> TextEdit:
    start = location.sibling[0]
    blank = blank_before(text, start)
    if location.is_before_sibling:
        return TextEdit(start, start, "".join([f"{note}{blank}" for note in markup]).encode(), 1)
    offset = span_end(text, location.sibling)
    # rank 1: after a target that is inserted at the same offset
    return TextEdit(offset, offset, "".join([f"{blank}{note}" for note in markup]).encode(), 1)


def _removal(text: DecodedFile, span: ElementSpan) -> TextEdit:
    """Edit that removes an element and the white space before it."""
    start = span[0] - len(blank_before(text, span[0]).encode())
    return TextEdit(start, span_end(text, span), b"")


def span_end(text: DecodedFile, span: ElementSpan) -> int:
    """Offset of the first byte after the element with this span."""
    element = Element("", {}, span[0], None)
    element.end = span[1]
    return element_end(text, element)


Definitions = dict[str, object]
"""Definitions from the header of a file, by id; notes refer to them."""
ReadNotes = Callable[[Element, Sequence[str], Sequence[Element | None], Definitions], Sequence[SegmentNote]]
"""Function that returns the notes of segments. Arguments: unit, segment ids, targets and definitions."""


@dataclass(frozen=True, slots=True)
class XliffNotes:
    """Functions that read and write the notes of a dialect.

    `definition` contains the name of the header elements to which notes refer, and the function that reads such an
    element; None if notes refer to no element. `unwrap` returns the element that contains the text of a target, which
    may be within comment marks.
    """

    read: ReadNotes
    rule: NoteRule = NO_NOTE_RULE
    definition: tuple[str, Callable[[Element, DecodedFile], object]] | None = None
    unwrap: Callable[[Element], Element] = lambda mark: mark


def _children_named(unit: Element, *names: str) -> list[Element]:
    return [child for child in unit.children if child.__class__ is Element and child.name in names]


def _read_notes(
    unit: Element, mids: Sequence[str], targets: Sequence[Element | None], definitions: Definitions
) -> Sequence[SegmentNote]:
    sibling = unit
    notes: list[Element] = []
    for child in unit.children:
        if child.__class__ is Element:
            name = child.name
            if name == "note":
                notes.append(child)
            elif name == "target" or (name in ("source", "seg-source") and sibling.name != "target"):
                sibling = child
    if notes:
        sibling = notes[-1]
    if len(mids) == 1 and not (notes and any([_mark_in_from(note) for note in notes])):
        # fast path for nearly all units: built without argument handling
        location = tuple.__new__(UnitNote, ((sibling.start, sibling.end), unit.start, False, "", None, (), False))
        texts = tuple([note.text() for note in notes]) if notes else ()
        return (tuple.__new__(SegmentNote, (texts, "", location)),)
    keys = ("",) if len(mids) == 1 else mids
    return segment_notes(notes, [note_location(unit, sibling, key) for key in keys], _mark_in_from)


def _mark_in_from(note: Element) -> MarkedText:
    return _mark_in("from", note) if note.attributes else None


def _mark_in(attribute: str, note: Element) -> MarkedText:
    mark = parse_mark(note.get(attribute))
    return None if mark is None else (mark, note.text())


def _write_note(text: DecodedFile, prefix: str, mark: NoteMark, note: str) -> str:
    return f'<{prefix}note from="{mark.file_text}">{escape_note(text, note)}</{prefix}note>'


NOTES = XliffNotes(_read_notes, NoteRule(UnitNoteEdits(_write_note), marks_rejected=True))
"""Notes of XLIFF 1.2 and Okapi: `note` elements with the mark in `from`; the key is the `mid` of the segment."""


_ROOT_PREFIXES = "prefixes of the root"


def prefix_finder(prefix: str) -> Callable[[DecodedFile, int], str]:
    """Return a function that finds the prefix of a namespace in a file, including the colon.

    `prefix` is the prefix that this program uses for the namespace. It is also used if the root of the file declares no
    prefix for the namespace.
    """

    def prefix_at(text: DecodedFile, at: int) -> str:
        declared = text.lookup_caches.get(_ROOT_PREFIXES)
        if not isinstance(declared, dict):
            # read once, not for each note
            root = parse_root(text.utf8)
            declared = {} if root is None else {PREFIXES.get(uri): name for name, uri in root.prefixes.items()}
            text.lookup_caches[_ROOT_PREFIXES] = declared
        return f"{declared.get(prefix) or prefix}:"

    return prefix_at


def _read_memoq(
    unit: Element, mids: Sequence[str], targets: Sequence[Element | None], definitions: Definitions
) -> Sequence[SegmentNote]:
    comments = unit.child("mq:comments")
    elements = [] if comments is None else [item for item in comments.elements() if item.name == "mq:comment"]
    container = None if comments is None else note_container(comments, elements)
    sibling = [child for child in unit.elements() if child.name[0] != "#"][-1]
    keys = ("",) if len(mids) == 1 else mids
    current = [element for element in elements if element.get("deleted").lower() != "true"]
    # memoQ repeats comments in `note`; a copy of the reviewer's comment is kept, because others may have written it
    texts = {element.text() for element in current if parse_mark(element.get("creatoruser")) is None}
    notes = [note for note in _children_named(unit, "note") if note.text() not in texts]
    locations = [note_location(unit, sibling, key, container=container) for key in keys]
    return segment_notes([*notes, *current], locations, partial(_mark_in, "creatoruser"))


def _write_memoq(text: DecodedFile, prefix: str, mark: NoteMark, note: str) -> str:
    # the id depends on the note, so that the same review gives the same file
    number = uuid.uuid5(uuid.NAMESPACE_URL, mark.prepend_to(note))
    return (
        f'<{prefix}comment id="{number}" creatoruser="{mark.file_text}" time="0001-01-01T00:00:00Z" deleted="false" '
        f'category="0" appliesto="Target" origin="User">{escape_note(text, note)}</{prefix}comment>'
    )


MEMOQ_NOTES = XliffNotes(_read_memoq, NoteRule(UnitNoteEdits(_write_memoq, "comments", prefix_finder("mq"))))
"""Notes in MQXLIFF: comments without time (the same review gives the same file), with the mark in `creatoruser`."""


_UNIT_CHILDREN = (
    "source", "seg-source", "target", "context-group", "count-group", "prop-group", "note", "alt-trans",
)  # fmt: skip
"""Children of a unit in XLIFF 1.2 (section 2.6); children from other namespaces must follow them."""


def _read_phrase(
    unit: Element, mids: Sequence[str], targets: Sequence[Element | None], definitions: Definitions
) -> Sequence[SegmentNote]:
    comments = _children_named(unit, "m:comment")
    location = note_location(unit, _children_named(unit, *_UNIT_CHILDREN)[-1])
    (notes,) = segment_notes([*_children_named(unit, "note"), *comments], [location], _mark_in_text)
    if comments and isinstance(notes.location, UnitNote) and not notes.location.elements:
        # a unit has one comment only, and this one belongs to others
        notes = notes._replace(location=None)
    return [notes] if len(mids) == 1 else [SegmentNote(notes.other_notes)] * len(mids)


def _mark_in_text(note: Element) -> MarkedText:
    return parse_prefix(note.text()) if note.name == "m:comment" else None


def _write_phrase(text: DecodedFile, prefix: str, mark: NoteMark, note: str) -> str:
    return (
        f'<{prefix}comment created-at="0" created-by="" modified-at="0" modified-by="" resolved="false">'
        f"{escape_note(text, mark.prepend_to(note))}</{prefix}comment>"
    )


PHRASE_NOTES = XliffNotes(_read_phrase, NoteRule(UnitNoteEdits(_write_phrase, prefix_at=prefix_finder("m"))))
"""Notes in MXLIFF: at most one `m:comment` per unit, without time, with the mark at the beginning of its text."""
