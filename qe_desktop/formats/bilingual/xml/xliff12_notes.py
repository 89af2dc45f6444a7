"""Notes of units in XLIFF 1.2 and its dialects.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.reviewer_notes import NO_NOTE_RULE, NoteMark, NoteRule, parse_mark, parse_prefix
from qe_desktop.formats.bilingual.xml.unit_notes import (
    MarkedText,
    SegmentNote,
    UnitNote,
    UnitNoteEdits,
    escape_note,
    note_container,
    note_location,
    segment_notes,
)
from qe_desktop.formats.bilingual.xml.xml_tree import PREFIXES, Element, parse_root

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
    if not notes and len(mids) == 1:
        # fast path for nearly all units: built without argument handling
        location = tuple.__new__(UnitNote, ((sibling.start, sibling.end), unit.start, False, "", None, (), False))
        return (tuple.__new__(SegmentNote, ((), "", location)),)
    if notes:
        sibling = notes[-1]
    keys = [""] if len(mids) == 1 else mids
    return segment_notes(notes, [note_location(unit, sibling, key) for key in keys], _mark_in("from"))


def _mark_in(attribute: str) -> Callable[[Element], MarkedText]:
    def mark_of(note: Element) -> MarkedText:
        mark = parse_mark(note.get(attribute))
        return None if mark is None else (mark, note.text())

    return mark_of


def _write_note(text: DecodedFile, prefix: str, mark: NoteMark, note: str) -> str:
    return f'<{prefix}note from="{mark.file_text}">{escape_note(text, note)}</{prefix}note>'


NOTES = XliffNotes(_read_notes, NoteRule(UnitNoteEdits(_write_note), marks_rejected=True))
"""Notes of XLIFF 1.2."""


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
    keys = [""] if len(mids) == 1 else mids
    current = [element for element in elements if element.get("deleted").lower() != "true"]
    # memoQ repeats comments in `note`; a copy of the reviewer's comment is kept, because others may have written it
    texts = {element.text() for element in current if parse_mark(element.get("creatoruser")) is None}
    notes = [note for note in _children_named(unit, "note") if note.text() not in texts]
    locations = [note_location(unit, sibling, key, container=container) for key in keys]
    return segment_notes([*notes, *current], locations, _mark_in("creatoruser"))


def _write_memoq(text: DecodedFile, prefix: str, mark: NoteMark, note: str) -> str:
    # the id depends on the note, so that the same review gives the same file
    number = uuid.uuid5(uuid.NAMESPACE_URL, mark.prepend_to(note))
    return (
        f'<{prefix}comment id="{number}" creatoruser="{mark.file_text}" time="0001-01-01T00:00:00Z" deleted="false" '
        f'category="0" appliesto="Target" origin="User">{escape_note(text, note)}</{prefix}comment>'
    )


MEMOQ_NOTES = XliffNotes(_read_memoq, NoteRule(UnitNoteEdits(_write_memoq, "comments", prefix_finder("mq"))))
"""Notes in MQXLIFF: comments of memoQ."""


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
"""Notes in MXLIFF, which are comments (`m:comment`) as Phrase writes them."""
