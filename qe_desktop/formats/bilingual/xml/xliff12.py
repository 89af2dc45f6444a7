"""XLIFF 1.1 and 1.2: units with a source and a target, segmented if there is a `seg-source`.

Extensions are implemented in the modules of the dialects (see `XliffDialect`), statuses in `xliff12_status`, and notes
in `unit_notes`. When a target changes, existing attributes are updated, but none are added: `approved` becomes `no`,
and a `state` of untouched or finished segments becomes `needs-review-translation`. If a target that belongs to only one
segment becomes empty, any `state` becomes `needs-translation`. A `state` of this program (`QeStates`) becomes the
state of edited segments instead. `maxwidth` in characters (`size-unit="char"`) and `maxbytes` limit the target length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from qe_desktop.corpus import ReviewStatus, SourceLocation
from qe_desktop.formats.bilingual.document import BilingualFormat, ColumnChoice, Document, FileHead, accept_content
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeKind, Content
from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment, SegmentCollector, TargetLocation
from qe_desktop.formats.bilingual.status_rules import LOADED_STATE, MACHINE_ORIGINS, XLIFF_1, StatusRule, state_name
from qe_desktop.formats.bilingual.xml.its_reader import (
    NAMESPACE,
    StandoffIssues,
    inline_issues,
    nearest_qualities,
    parse_xml_number,
    standoff_issues,
)
from qe_desktop.formats.bilingual.xml.unit_metadata import UnitMetadata, file_of, is_locked, unit_rules
from qe_desktop.formats.bilingual.xml.unit_notes import NOTES, Definitions, SegmentNote, XliffNotes
from qe_desktop.formats.bilingual.xml.xliff12_status import FINISHED, REJECTED_STATE, STATUSES
from qe_desktop.formats.bilingual.xml.xml_targets import (
    NO_STATUS_LOCATION,
    AttributeEdit,
    ContentBuilder,
    ElementFrame,
    ElementTarget,
    FrameTarget,
    InlineElement,
    content_span,
    missing_element,
    name_of_tag,
    opaque_code,
    split_around_content,
)
from qe_desktop.formats.bilingual.xml.xml_tree import Element, element_end, is_empty, parse_xml
from qe_desktop.i18n.messages import tr

REJECTED_NAME = state_name(ReviewStatus.REJECTED)
_UNSEGMENTED_IDS = ("",)
"""Segment ids of an unsegmented unit: a single empty id."""
_UNTOUCHED_OR_FINAL = frozenset(("new", "needs-translation", "needs-l10n", "needs-adaptation", "final", "signed-off"))

STUDIO_LOCATION = "x-sdl-location"
"""`mtype` of a `mrk` of Trados Studio that refers to a location in the original file; such a `mrk` is formatting."""


def inline_of(element: Element) -> InlineElement:
    """Properties of an inline element (XLIFF 1.2, section 2.4)."""
    name, code_id = element.name, element.get("id")
    if name == "g":
        return InlineElement(CodeKind.OPEN, f"g:{code_id}", holds_text=True, label=element.get("ctype"))
    if name == "mrk":
        mark_type = element.get("mtype")
        key, label = element.get("mid") or mark_type, element.get("comment") or mark_type
        return InlineElement(
            CodeKind.OPEN, f"mrk:{key}", holds_text=True, label=label, is_annotation=mark_type != STUDIO_LOCATION
        )
    if name in ("bpt", "ept"):
        kind = CodeKind.OPEN if name == "bpt" else CodeKind.CLOSE
        return InlineElement(kind, f"bpt:{element.get('rid') or code_id}", label=element.text())
    if name in ("bx", "ex"):
        kind = CodeKind.OPEN if name == "bx" else CodeKind.CLOSE
        return InlineElement(kind, f"bx:{element.get('rid') or code_id}", label=element.get("equiv-text"))
    if name == "x":
        return InlineElement(
            CodeKind.STANDALONE, f"x:{code_id}", label=element.get("equiv-text") or element.get("ctype")
        )
    return opaque_code(element, code_id)


def xliff12_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """Return the XLIFF 1.2 metadata of a unit, once for each of its segments."""
    return (xliff12_unit_metadata(unit, target, is_shared=len(mids) > 1),) * len(mids)


def xliff12_unit_metadata(unit: Element, target: Element | None, *, is_shared: bool) -> UnitMetadata:
    """XLIFF 1.2 metadata of a unit; `is_shared` is true if the target belongs to several segments."""
    stale_edits: tuple[AttributeEdit, ...] = ()
    state = origin = ""
    status_location = (unit.start, -1)
    if target is not None:
        status_location = (unit.start, target.start)
        # `Element.get` is not needed: the parser does not change names without a prefix
        attributes = target.attributes
        if attributes:
            state, origin = attributes.get("state", ""), attributes.get("state-qualifier", "")
            own_status = XLIFF_1.status(state, origin) if origin else None
            if own_status is not None and (
                own_status is ReviewStatus.CONFIRMED or unit.attributes.get("approved") != "yes"
            ):
                return _qe_status(unit, target, own_status)
            is_stale = state in _UNTOUCHED_OR_FINAL or (state == "translated" and origin not in MACHINE_ORIGINS)
            edited_state = "needs-review-translation" if is_stale else state
            # other segments of the target may have a translation
            empty_state = edited_state if is_shared else "needs-translation"
            stale_edits = (AttributeEdit(target.start, "state", edited_state, empty_state),)
    if unit.attributes.get("approved") == "yes":
        stale_edits = (*stale_edits, AttributeEdit(unit.start, "approved", "no"))
        state = state if state in FINISHED else "approved"
    qualities: tuple[Quality, ...] = ()
    if len(unit.children) > (1 if target is None else 2):
        qualities = _matches(unit, target)
    return tuple.__new__(UnitMetadata, (state, is_locked(unit), origin, qualities, stale_edits, status_location))


def _qe_status(unit: Element, target: Element, status: ReviewStatus) -> UnitMetadata:
    """Metadata of a segment whose `status` was written by this program."""
    stale_edits = (
        AttributeEdit(unit.start, "approved", "no"),
        AttributeEdit(target.start, "state", XLIFF_1.states[ReviewStatus.EDITED]),
        AttributeEdit(target.start, XLIFF_1.attribute, XLIFF_1.attribute_value(ReviewStatus.EDITED)),
    )
    at = (unit.start, target.start)
    return UnitMetadata(state_name(status), is_locked(unit), "", _matches(unit, target), stale_edits, at)


def _matches(unit: Element, target: Element | None) -> tuple[Quality, ...]:
    """Return the numeric match qualities of proposals with the same text as the target; empty if there are none."""
    proposals = [child for child in unit.children if child.__class__ is Element and child.name == "alt-trans"]
    if target is None or not proposals:
        return ()
    qualities = []
    text = target.text()
    for proposal in proposals:
        value = parse_xml_number(proposal.get("match-quality").strip().removesuffix("%"))
        proposed = proposal.child("target")
        if value is not None and proposed is not None and proposed.text() == text:
            qualities.append(Quality("match-quality", value, proposal.get("origin")))
    return tuple(qualities)


def _loaded_mt(unit: Element) -> Element | None:
    """Return the MT from which the target was made, if this program exported it with the unit; otherwise None."""
    for element in unit.elements():
        if element.name == "alt-trans" and element.get("extradata") == LOADED_STATE and (mt := element.child("target")):
            return mt
    return None


def identity_content(content: Content) -> Content:
    """Return the content unchanged, for dialects in which all codes are elements."""
    return content


LabelsOf = Callable[[Element], Mapping[str, str]]
"""Function that returns the labels of codes by id, from the header element that defines them."""


@dataclass(frozen=True, slots=True)
class XliffDialect:
    """Dialect of XLIFF 1.2: `read_metadata` returns the metadata of a unit's segments.

    `split_codes` converts codes that are written as text. With `has_unsegmented_units`, an unsegmented unit is read as
    one segment; otherwise, it is skipped. With `has_segment_statuses`, each segment of a unit has its own status.
    """

    name: str
    display_name: str
    read_metadata: Callable[[Element, Element | None, Sequence[str]], Sequence[UnitMetadata]] = xliff12_metadata
    split_codes: Callable[[Content], Content] = identity_content
    has_unsegmented_units: bool = True
    status_rule: StatusRule = STATUSES
    has_segment_statuses: bool = False
    label_definitions: tuple[str, LabelsOf] | None = None
    """Name of the header element that defines labels, and the function that reads it; None without such an element."""
    notes: XliffNotes = NOTES
    check_content: Callable[[DecodedFile, Content], None] = accept_content
    """Function that checks new targets, as in `Document`."""


def dialect_format(dialect: XliffDialect, confidence: float, namespace: str = "") -> BilingualFormat:
    """Create the format of a dialect; `confidence` is for XLIFF 1 files that declare `namespace` (empty: for all)."""

    def is_dialect(head: FileHead) -> bool:
        return head.is_xliff("1.") and (not namespace or head.declares_namespace(namespace))

    def read(text: DecodedFile, choice: ColumnChoice) -> Document:
        return _Xliff12Reader(text, dialect).document(lambda new_text: read(new_text, choice))

    return BilingualFormat(
        dialect.name, dialect.display_name, lambda head: confidence if is_dialect(head) else 0.0, read
    )


class _Xliff12Reader:
    def __init__(self, text: DecodedFile, dialect: XliffDialect) -> None:
        self.text, self.dialect = text, dialect
        self.collector = SegmentCollector(text)
        self.contents = ContentBuilder(text, inline_of)
        self.labels: dict[str, str] = {}
        self.definitions: Definitions = {}
        self.header: Element | None = None
        self.has_its = text.contains(NAMESPACE)
        self.has_loaded_mt = text.contains(LOADED_STATE.encode())
        self.standoff: StandoffIssues = standoff_issues(text) if self.has_its else {}
        self.unwritable_count = self.file_offset = 0
        self.languages: list[tuple[int, tuple[str, str]]] = []
        """For each parent of units: number of segments before it, and source and target language of its file."""
        self.parent: Element | None = None

    def document(self, reread: Callable[[DecodedFile], Document]) -> Document:
        more = {} if self.dialect.label_definitions is None else {self.dialect.label_definitions[0]: self._define}
        if self.dialect.notes.definition is not None:
            more[self.dialect.notes.definition[0]] = self._define_note
        root = parse_xml(self.text, {"trans-unit": self._unit, **more})
        file = next(root.all("file"), root)
        self._set_languages()
        notes = self.collector.notes()
        if self.unwritable_count:
            note = tr(
                "no target can be saved for {n:,} {n:segment|segments}, because the source and the target are "
                "segmented differently",
                "", self.unwritable_count,
            )  # fmt: skip
            notes = (*notes, note)
        return Document(
            self.text, self.dialect.name, self.dialect.display_name, tuple(self.collector.segments), reread,
            file.get("source-language"), file.get("target-language"), notes, status_rule=self.dialect.status_rule,
            note_rule=self.dialect.notes.rule, check_content=self.dialect.check_content,
        )  # fmt: skip

    def _set_languages(self) -> None:
        """Set the languages of segments if the `file` elements have different languages."""
        differ = [len({languages[side] for _, languages in self.languages}) > 1 for side in (0, 1)]
        if not any(differ):
            return
        segments = self.collector.segments
        ends = [first for first, _ in self.languages[1:]]
        for (first, languages), end in zip(self.languages, [*ends, len(segments)], strict=True):
            source, target = (language if differs else "" for language, differs in zip(languages, differ, strict=True))
            for number in range(first, end):
                rules = replace(segments[number].rules, language=target, source_language=source)
                segments[number] = segments[number]._replace(rules=rules)

    def _define(self, element: Element) -> None:
        """Read code definitions; each header replaces those of the previous header, because ids may be reused."""
        assert self.dialect.label_definitions is not None
        if element.parent is not self.header:
            self.labels, self.header = {}, element.parent
        self.labels.update(self.dialect.label_definitions[1](element))
        self.contents = ContentBuilder(self.text, self._inline_with_label)

    def _define_note(self, element: Element) -> None:
        assert self.dialect.notes.definition is not None
        self.definitions.setdefault(element.get("id"), self.dialect.notes.definition[1](element, self.text))

    def _inline_with_label(self, element: Element) -> InlineElement:
        inline = inline_of(element)
        label = inline.label or self.labels.get(element.get("id"), "")
        return replace(inline, label=label) if label and element.name in ("g", "x") else inline

    def _unit(self, unit: Element) -> None:
        source = seg_source = target = None
        for child in unit.children:
            if child.__class__ is Element:
                name = child.name
                if name == "source":
                    source = source or child
                elif name == "target":
                    target = target or child
                elif name == "seg-source":
                    seg_source = seg_source or child
        if source is None:
            return
        name = unit.attributes.get("id", "")
        # some programs write duplicate names, and no target is identified by its name
        if unit.parent is not self.parent:
            # cached, because many units share a parent element
            self.parent, element = unit.parent, file_of(unit)
            self.file_offset = 0 if element is None else element.start
            names = "source-language", "target-language"
            source_language, language = ("" if element is None else element.get(name) for name in names)
            self.languages.append((len(self.collector.segments), (source_language, language)))
        self.collector.register(self.file_offset, name, name, unit.line, unique=False)
        marks = () if seg_source is None else segments_in(seg_source)
        if seg_source is not None and marks:
            self._segments(unit, seg_source, marks, target)
        elif self.dialect.has_unsegmented_units:
            location: TargetLocation
            (metadata,) = self.dialect.read_metadata(unit, target, _UNSEGMENTED_IDS)
            if target is None:
                after = element_end(self.text, seg_source if seg_source is not None else source)
                frame = missing_element(self.text, source, "target", after)
                location = FrameTarget(frame, 0, metadata.stale_edits, metadata.status_location)
            else:
                location = tuple.__new__(
                    ElementTarget, (target.start, target.end, metadata.stale_edits, metadata.status_location)
                )
            (note,) = self.dialect.notes.read(unit, _UNSEGMENTED_IDS, (target,), self.definitions)
            self._add(name, unit, source, target, target, location, metadata, self._loaded_content(unit), note)

    def _segments(self, unit: Element, seg_source: Element, marks: Sequence[Element], target: Element | None) -> None:
        target_marks = {mark.get("mid"): mark for mark in segments_in(target)} if target is not None else {}
        frame = None
        if target is None or (not target_marks and not target.text().strip() and not any(target.elements())):
            frame = self._frame(seg_source, marks, target)
        mids = [mark.get("mid") for mark in marks]
        if target is not None and frame is None and not target_marks and len(marks) == 1:
            # the target of a single segment needs no mark
            target_marks = {mids[0]: target}
        metadata_list = self.dialect.read_metadata(unit, target, mids)
        loaded = self._loaded_content(unit)
        notes = self.dialect.notes.read(unit, mids, [target_marks.get(mid) for mid in mids], self.definitions)
        for index, (mark, mid, metadata) in enumerate(zip(marks, mids, metadata_list, strict=True)):
            name = f"{unit.get('id')}/{mid}"
            self.collector.register(self.file_offset, (unit.start, mid), name, unit.line)
            target_mark = target_marks.get(mid)
            target_mark = None if target_mark is None else self.dialect.notes.unwrap(target_mark)
            status_location = (
                metadata.status_location if self.dialect.has_segment_statuses or len(marks) == 1 else NO_STATUS_LOCATION
            )
            location: TargetLocation | None = None
            if frame is not None:
                location = FrameTarget(frame, index, metadata.stale_edits, status_location)
            elif target_mark is not None:
                location = ElementTarget(target_mark.start, target_mark.end, metadata.stale_edits, status_location)
            else:
                self.unwritable_count += 1
            self._add(name, unit, mark, target_mark, target, location, metadata, loaded, notes[index])

    def _frame(self, seg_source: Element, marks: Sequence[Element], target: Element | None) -> ElementFrame:
        """Return the frame for a missing or empty target: the markup around its segments, copied from the source."""
        first, *rest = split_around_content(self.text, seg_source, marks)
        attributes_at = -1
        if target is None:
            frame = missing_element(self.text, seg_source, "target", element_end(self.text, seg_source))
            begin, end = frame.pieces
            start = stop = frame.start
            attributes_at = frame.attributes_offset
        else:
            # its tag is kept, because its status attributes may change
            start, stop = content_span(self.text, target)
            begin = end = ""
            if is_empty(self.text, target):
                begin, end = ">", f"</{name_of_tag(self.text, target.start)}>"
        return ElementFrame(start, stop, (begin + first, *rest[:-1], rest[-1] + end), attributes_at)

    def _add(
        self, name: str, unit: Element, source: Element, target_mark: Element | None, target: Element | None,
        location: TargetLocation | None, metadata: UnitMetadata, loaded: Content | None, note: SegmentNote,
    ) -> None:  # fmt: skip
        split, content_of = self.dialect.split_codes, self.contents.build
        source_content = content_of(source)
        target_content = None if target_mark is None else content_of(target_mark)
        if split is not identity_content:
            source_content = split(source_content)
            target_content = None if target_content is None else split(target_content)
        state, locked, origin, qualities, _, _ = metadata
        other_notes, own_note, note_place = note
        if note_place is not None and note_place.rejected and state == REJECTED_STATE:
            state = REJECTED_NAME
        issues: tuple[Issue, ...] = ()
        if self.has_its:
            qualities = (*qualities, *nearest_qualities(target_mark, target, unit))
            issues = self._issues(unit, source, target_mark)
        self.collector.add(
            Segment(
                name, unit.line, source_content, target_content, location, state, locked, origin, other_notes,
                qualities, issues, loaded, unit_rules(unit), own_note, note_place,
            )
        )  # fmt: skip

    def _loaded_content(self, unit: Element) -> Content | None:
        """MT that the target of a unit was made from; None if the file does not contain it."""
        loaded = _loaded_mt(unit) if self.has_loaded_mt else None
        return None if loaded is None else self.contents.build(loaded)

    def _issues(self, unit: Element, source: Element, target_mark: Element | None) -> tuple[Issue, ...]:
        location = SourceLocation(self.text.name, unit.line)
        issues = list(inline_issues(source, inline_of, self.standoff, location, of_source=True))
        if target_mark is not None:
            issues += inline_issues(target_mark, inline_of, self.standoff, location, of_source=False)
        reference = unit.get("its:locQualityIssuesRef")
        if reference.startswith("#"):
            end = len(target_mark.text()) if target_mark is not None else 0
            issues += [
                Issue(0, end, issue.type, issue.severity, issue.comment)
                for issue in self.standoff.get(reference[1:], ())
            ]
        return tuple(issues)


def segments_in(element: Element) -> list[Element]:
    """`mrk` elements of the segments in a source or target."""
    return [mark for mark in element.all("mrk") if mark.get("mtype") == "seg"]


FORMAT = dialect_format(XliffDialect("xliff-1", tr("XLIFF 1.2")), 0.9)
