"""XLIFF 2.0, 2.1 and 2.2: units with segments, proposals in `mtc:matches`, issues between `sm` and `em`.

When a target changes, a `state` of `initial`, `reviewed` or `final` becomes `translated`, and `subState` is removed, as
the specification requires (4.3.1.32).

A segment without a `state` is `initial`; a segment is finished if its `state` is `reviewed` or `final`. Confirming a
segment sets or adds `reviewed`, and writes a missing target as an empty one, because `reviewed` requires a target;
reopening sets `translated`. Both operations remove `subState`. Rejecting a segment sets `initial`, with a `subState` of
this program (`QeStates`). A segment with such a `subState` can store every status. A match that this program marked as
loaded contains the MT from which the target was made.

The reviewer's note is a `note` of the unit with a `category` of this program. In a unit with several segments, the key
of the note is the segment's id, or else its 1-based number in the unit, such as `@2`.

The `slr:sizeRestriction` of a unit is a maximum length if the size profile of the `file` element counts code points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from qe_desktop.corpus import ReviewStatus, SourceLocation
from qe_desktop.corpus.translation_job import TargetRules
from qe_desktop.formats.bilingual.document import AUTO_COLUMNS, BilingualFormat, ColumnChoice, Document
from qe_desktop.formats.bilingual.document_rewrite import FINAL_STATUSES
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.reviewer_notes import NoteMark, NoteRule, parse_mark
from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment, SegmentCollector, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import LOADED_STATE, XLIFF_2, StatusRule, finished_status, state_name
from qe_desktop.formats.bilingual.xml.its_reader import (
    NAMESPACE,
    StandoffIssues,
    inline_issues,
    nearest_qualities,
    parse_xml_number,
    standoff_issues,
)
from qe_desktop.formats.bilingual.xml.unit_metadata import file_offset, is_locked, max_length_rules
from qe_desktop.formats.bilingual.xml.unit_notes import (
    MarkedText,
    SegmentNote,
    UnitNoteEdits,
    escape_note,
    note_container,
    note_location,
    segment_notes,
)
from qe_desktop.formats.bilingual.xml.xliff12_status import status_location
from qe_desktop.formats.bilingual.xml.xml_targets import (
    AttributeEdit,
    ContentBuilder,
    ElementTarget,
    FrameTarget,
    InlineElement,
    has_own_state,
    missing_element,
    opaque_code,
    set_attribute,
)
from qe_desktop.formats.bilingual.xml.xml_tree import Element, element_end, parse_xml
from qe_desktop.i18n.messages import tr

NAME, DISPLAY_NAME = "xliff-2", tr("XLIFF 2")


def inline_of(element: Element) -> InlineElement:
    """Properties of an inline element (XLIFF 2, 4.2.3); `pc`, `sc` and `ph` with the same id count as the same code."""
    name, code_id = element.name, element.get("id")
    label = element.get("disp") or element.get("equiv") or element.get("type")
    if name == "pc":
        return InlineElement(
            CodeKind.OPEN, f"code:{code_id}", True, element.get("dispStart") or element.get("equivStart") or label
        )
    if name in ("sc", "ec"):
        kind = CodeKind.OPEN if name == "sc" else CodeKind.CLOSE
        return InlineElement(kind, f"code:{element.get('startRef') or code_id}", label=label)
    if name == "mrk":
        return InlineElement(CodeKind.OPEN, f"mark:{code_id}", True, element.get("value") or label, is_annotation=True)
    if name in ("sm", "em"):
        kind = CodeKind.OPEN if name == "sm" else CodeKind.CLOSE
        key = f"mark:{element.get('startRef') or code_id}"
        return InlineElement(kind, key, label=element.get("value") or label, is_annotation=True)
    if name == "cp":
        return InlineElement(CodeKind.STANDALONE, f"cp:{element.get('hex')}", label=f"U+{element.get('hex')}")
    if name == "ph":
        return InlineElement(CodeKind.STANDALONE, f"code:{code_id}", label=label)
    return opaque_code(element, code_id)


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """Parse an XLIFF 2 document; `choice` is ignored.

    Raises QeError with the line number if the document is invalid, and UnboundPrefixError as `parse_xml` does.
    """
    return _Xliff2Reader(text).document()


class _Xliff2Reader:
    def __init__(self, text: DecodedFile) -> None:
        self.text = text
        self.collector = SegmentCollector(text)
        self.contents = ContentBuilder(text, inline_of)
        self.has_its = text.contains(NAMESPACE)
        self.standoff: StandoffIssues = standoff_issues(text)
        self.code_point_files: set[int] = set()
        """Offsets of the `file` elements in which size restrictions are numbers of code points."""

    def document(self) -> Document:
        root = parse_xml(self.text, {"unit": self._unit, "slr:profiles": self._profiles})
        # required if and only if there are targets (XLIFF 2.1, trgLang)
        lacks_language = not root.get("trgLang")
        language_edits = partial(set_attribute, self.text, root.start, "trgLang", added="trgLang")
        return Document(
            self.text,
            NAME,
            DISPLAY_NAME,
            tuple(self.collector.segments),
            read,
            root.get("srcLang"),
            root.get("trgLang"),
            status_rule=STATUSES,
            note_rule=NOTE_RULE,
            language_edits=language_edits if lacks_language else None,
            faults=self._faults(root) if lacks_language else (),
        )

    def _faults(self, root: Element) -> tuple[str, ...]:
        """Faults of a file without a target language: one message, or none if there are no targets."""
        if all(segment.target is None for segment in self.collector.segments):
            return ()
        note = tr(
            "line {line:,}: the targets have no language (trgLang), which XLIFF 2 requires. You will be asked for the "
            "language when you save.",
            line=self.text.line(root.start),
        )
        return (note,)

    def _profiles(self, profiles: Element) -> None:
        if profiles.get("generalProfile") == "xliff:codepoints":
            self.code_point_files.add(file_offset(profiles))

    def _unit(self, unit: Element) -> None:
        name, file = unit.get("id"), file_offset(unit)
        self.collector.register(file, name, name, unit.line)
        matches = _UnitMatches(unit.child("mtc:matches"))
        size = unit.get("slr:sizeRestriction") if file in self.code_point_files else ""
        # one number is the maximum, two are minimum and maximum
        rules = max_length_rules(size.rpartition(",")[2])
        segments = [child for child in unit.elements() if child.name == "segment"]
        notes = _unit_notes(unit, segments) if segments else []
        for index, segment in enumerate(segments):
            source = segment.child("source")
            if source is None:
                continue
            segment_id = segment.get("id")
            if segment_id:
                self.collector.register(file, (name, segment_id), f"{name}/{segment_id}", unit.line)
            segment_name = f"{name}/{segment_id or index + 1}" if segment_id or len(segments) > 1 else name
            self._segment(segment_name, unit, segment, source, notes[index], matches, rules)

    def _segment(
        self, name: str, unit: Element, segment: Element, source: Element, note: SegmentNote,
        matches: _UnitMatches, rules: TargetRules,
    ) -> None:  # fmt: skip
        text, target, state = self.text, segment.child("target"), segment.get("state")
        stale_edits, at = tuple(_stale_attributes(segment)), (segment.start, -1)
        own_status = XLIFF_2.status(state, segment.get(XLIFF_2.attribute))
        state = state if own_status is None else state_name(own_status)
        location: TargetLocation
        if target is None:
            location = FrameTarget(
                missing_element(text, source, "target", element_end(text, source)), 0, stale_edits, at
            )
        else:
            location = ElementTarget(target.start, target.end, stale_edits, at)
        origin, qualities = matches.origin_and_scores(segment, target)
        issues: tuple[Issue, ...] = ()
        if self.has_its:
            qualities = (*qualities, *nearest_qualities(target, segment, unit))
            at_line = SourceLocation(text.name, unit.line)
            issues = tuple(inline_issues(source, inline_of, self.standoff, at_line, of_source=True))
            if target is not None:
                issues = (*issues, *inline_issues(target, inline_of, self.standoff, at_line, of_source=False))
        content = None if target is None else self.contents.build(target)
        loaded = None if matches.loaded is None else self.contents.build(matches.loaded)
        self.collector.add(
            Segment(
                name,
                unit.line,
                self.contents.build(source),
                content,
                location,
                state,
                is_locked(unit),
                origin,
                note.other_notes,
                qualities,
                issues,
                loaded,
                rules,
                note.note,
                note.location,
            )
        )


def _stale_attributes(segment: Element) -> list[AttributeEdit]:
    state = segment.get("state")
    if XLIFF_2.status(state, segment.get(XLIFF_2.attribute)) is not None:
        return [
            AttributeEdit(segment.start, "state", XLIFF_2.states[ReviewStatus.EDITED]),
            AttributeEdit(segment.start, XLIFF_2.attribute, XLIFF_2.attribute_value(ReviewStatus.EDITED)),
        ]
    if state not in ("initial", "reviewed", "final"):
        return []
    edits = [AttributeEdit(segment.start, "state", "translated")]
    return [*edits, AttributeEdit(segment.start, "subState", None)] if segment.get("subState") else edits


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    start = status_location(location)[0]
    if status is ReviewStatus.REJECTED or has_own_state(text, start, XLIFF_2):
        return [
            *set_attribute(text, start, "state", XLIFF_2.states[status], added="state"),
            *set_attribute(text, start, XLIFF_2.attribute, XLIFF_2.attribute_value(status), added=XLIFF_2.attribute),
        ]
    state = "reviewed" if status is ReviewStatus.CONFIRMED else "translated"
    return [*set_attribute(text, start, "state", state, added="state"), *set_attribute(text, start, "subState", None)]


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    start = status_location(location)[0]
    return start >= 0 and (status in FINAL_STATUSES or has_own_state(text, start, XLIFF_2))


STATUSES = StatusRule(
    finished_status(lambda segment: segment.state in ("reviewed", "final")),
    _write_status,
    _can_store,
    needs_target=frozenset((ReviewStatus.CONFIRMED,)),
)


def _unit_notes(unit: Element, segments: Sequence[Element]) -> list[SegmentNote]:
    notes = unit.child("notes")
    elements = [] if notes is None else [note for note in notes.elements() if note.name == "note"]
    container = None if notes is None else note_container(notes, elements)
    sibling = next(child for child in unit.elements() if child.name in _AFTER_NOTES)
    keys = [""] if len(segments) == 1 else [item.get("id") or f"@{index}" for index, item in enumerate(segments, 1)]
    locations = [note_location(unit, sibling, key, before=True, container=container) for key in keys]
    return segment_notes(elements, locations, _mark_of)


_AFTER_NOTES = ("originalData", "segment", "ignorable")


def _mark_of(note: Element) -> MarkedText:
    mark = parse_mark(note.get("category"))
    return None if mark is None else (mark, note.text())


def _write_note(text: DecodedFile, prefix: str, mark: NoteMark, note: str) -> str:
    return f'<{prefix}note appliesTo="target" category="{mark.file_text}">{escape_note(text, note)}</{prefix}note>'


NOTE_RULE = NoteRule(UnitNoteEdits(_write_note, "notes"))


class _UnitMatches:
    """Proposals of a unit, by the id of the segment or mark to which they refer."""

    def __init__(self, matches: Element | None) -> None:
        proposals = [] if matches is None else [*matches.elements()]
        loaded_targets = (match.child("target") for match in proposals if match.get("subType") == LOADED_STATE)
        self.loaded = next((target for target in loaded_targets if target is not None), None)
        """MT from which the target was made, if this program exported it with the unit; otherwise None."""
        self._by_name: dict[str, dict[str, tuple[int, Element]]] = {}
        for index, match in enumerate(proposals):
            target = match.child("target")
            if match.name == "mtc:match" and target is not None:
                name = match.get("ref").removeprefix("#").rpartition("=")[2]
                self._by_name.setdefault(name, {}).setdefault(target.text(), (index, match))

    def origin_and_scores(self, segment: Element, target: Element | None) -> tuple[str, tuple[Quality, ...]]:
        """Origin and scores of a segment's first proposal with the text of the target; empty if there is none."""
        if target is None or not self._by_name:
            return "", ()
        text = target.text()
        names = {"", segment.get("id"), *(item.get("id") for item in segment.all("mrk"))}
        candidates = [self._by_name[name][text] for name in names if text in self._by_name.get(name, {})]
        if not candidates:
            return "", ()
        proposal = min(candidates, key=lambda item: item[0])[1]
        scores = (
            (name, parse_xml_number(proposal.get(name))) for name in ("matchQuality", "matchSuitability", "similarity")
        )
        system = proposal.get("origin")
        return proposal.get("type"), tuple(Quality(name, value, system) for name, value in scores if value is not None)


FORMAT = BilingualFormat(NAME, DISPLAY_NAME, lambda begins: 0.9 if begins.is_xliff("2.") else 0.0, read)
