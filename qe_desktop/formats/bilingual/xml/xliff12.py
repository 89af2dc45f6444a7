"""XLIFF 1.1 and 1.2: units with a source and a target, cut into segments where `seg-source` says so.

What programs add to it is a dialect's own module, which says of each segment what its file does (`Dialect`). When a
target changes, `approved` becomes `no`, and a `state` that says that nothing was done, or that a person finished it,
becomes `needs-review-translation`; nothing is said that was not said before.

A segment is finished where its unit is `approved`, or its target's `state` is `final`, `signed-off`, or `translated`
by no machine. Whoever confirms one makes an `approved` that is there `yes`, and a `state` that is there `signed-off`;
whoever opens it again makes them `no` and `needs-review-translation`. Where neither is there, or where they are of a
unit with several segments, the file says nothing of it. In a segment whose `state-qualifier` this program wrote
(`own_states`) all statuses are told, and a proposal of the kind that it writes is the MT that the target was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from qe_desktop.corpus import ReviewStatus, SourceLocation
from qe_desktop.formats.bilingual.bilingual_format import BilingualFormat, ColumnChoice
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeKind, Content
from qe_desktop.formats.bilingual.segment_collector import SegmentCollector
from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import (
    LOADED_STATE,
    MACHINE_ORIGINS,
    XLIFF_1,
    StatusRule,
    confirmed_rule,
    state_name,
)
from qe_desktop.formats.bilingual.xml.its_reader import (
    NAMESPACE,
    StandoffIssues,
    inline_issues,
    nearest_qualities,
    parse_xml_number,
    standoff_issues,
)
from qe_desktop.formats.bilingual.xml.target_edits import (
    NO_STATUS_LOCATION,
    AttributeEdit,
    ElementFrame,
    ElementTarget,
    FrameTarget,
    StatusLocation,
    content_span,
    missing_element,
    name_of_tag,
    set_attribute,
    split_around_content,
)
from qe_desktop.formats.bilingual.xml.unit_metadata import UnitMetadata, file_index, is_locked
from qe_desktop.formats.bilingual.xml.xml_contents import ContentBuilder, InlineElement, opaque_code
from qe_desktop.formats.bilingual.xml.xml_tree import Element, attribute_span, element_end, is_empty, parse_xml
from qe_desktop.i18n.messages import tr

_FINISHED = frozenset(("approved", "final", "signed-off"))
_WHOLE = ("",)
"""The one segment of a unit that is not cut into several."""
_UNTOUCHED_OR_FINAL = frozenset(("new", "needs-translation", "needs-l10n", "needs-adaptation", "final", "signed-off"))


def inline_of(element: Element) -> InlineElement:
    """The inline elements of XLIFF 1.2 (2.4)."""
    name, known = element.name, element.get("id")
    if name == "g":
        return InlineElement(CodeKind.OPEN, f"g:{known}", holds_text=True, label=element.get("ctype"))
    if name == "mrk":
        key = element.get("mid") or element.get("mtype")
        return InlineElement(
            CodeKind.OPEN, f"mrk:{key}", holds_text=True, label=element.get("comment") or element.get("mtype")
        )
    if name in ("bpt", "ept"):
        kind = CodeKind.OPEN if name == "bpt" else CodeKind.CLOSE
        return InlineElement(kind, f"bpt:{element.get('rid') or known}", label=element.text())
    if name in ("bx", "ex"):
        kind = CodeKind.OPEN if name == "bx" else CodeKind.CLOSE
        return InlineElement(kind, f"bx:{element.get('rid') or known}", label=element.get("equiv-text"))
    if name == "x":
        return InlineElement(CodeKind.ALONE, f"x:{known}", label=element.get("equiv-text") or element.get("ctype"))
    return opaque_code(element, known)


def xliff12_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """What XLIFF 1.2 itself says of the segments of a unit: the same of all."""
    said = xliff12_unit_metadata(unit, target)
    return (said,) if len(mids) == 1 else (said,) * len(mids)


def xliff12_unit_metadata(unit: Element, target: Element | None) -> UnitMetadata:
    """What XLIFF 1.2 itself says of a unit."""
    restated: tuple[AttributeEdit, ...] = ()
    state = origin = ""
    at = (unit.start, -1)
    if target is not None:
        at = (unit.start, target.start)
        # names without a prefix are those of the parser
        said = target.attributes
        if said:
            state, origin = said.get("state", ""), said.get("state-qualifier", "")
            own = XLIFF_1.status(state, origin)
            if own is not None and (own is ReviewStatus.CONFIRMED or unit.attributes.get("approved") != "yes"):
                return _qe_status(unit, target, own)
            if state in _UNTOUCHED_OR_FINAL or (state == "translated" and origin not in MACHINE_ORIGINS):
                restated = (AttributeEdit(target.start, "state", "needs-review-translation"),)
    if unit.attributes.get("approved") == "yes":
        restated = (*restated, AttributeEdit(unit.start, "approved", "no"))
        state = state if state in _FINISHED else "approved"
    notes: tuple[str, ...] = ()
    qualities: tuple[Quality, ...] = ()
    if len(unit.children) > (1 if target is None else 2):
        notes = notes_of(unit)
        qualities = _matches(unit, target)
    return tuple.__new__(UnitMetadata, (state, is_locked(unit), origin, notes, qualities, restated, at))


def _qe_status(unit: Element, target: Element, status: ReviewStatus) -> UnitMetadata:
    """What an export of this program says of a segment."""
    restated = (
        AttributeEdit(unit.start, "approved", "no"),
        AttributeEdit(target.start, "state", XLIFF_1.states[ReviewStatus.EDITED]),
        AttributeEdit(target.start, XLIFF_1.attribute, XLIFF_1.word(ReviewStatus.EDITED)),
    )
    at = (unit.start, target.start)
    return UnitMetadata(state_name(status), is_locked(unit), "", notes_of(unit), _matches(unit, target), restated, at)


def is_finished(segment: Segment) -> bool:
    """Whether the file says that a person finished the segment."""
    return segment.state in _FINISHED or (segment.state == "translated" and segment.origin not in MACHINE_ORIGINS)


def _write_status(text: DecodedFile, place: TargetLocation, confirmed: bool) -> list[TextEdit]:
    unit, target = status_location(place)
    approved, state = ("yes", "signed-off") if confirmed else ("no", "needs-review-translation")
    return [*set_attribute(text, unit, "approved", approved), *set_attribute(text, target, "state", state)]


def _write_qe_status(text: DecodedFile, place: TargetLocation, status: ReviewStatus) -> list[TextEdit]:
    """What states a status where the target has one in our own words; nothing elsewhere."""
    unit, target = status_location(place)
    span = attribute_span(text, target, XLIFF_1.attribute) if target >= 0 else None
    if span is None or not XLIFF_1.is_ours(text.cut(span[1], span[2])):
        return []
    return [
        *set_attribute(text, unit, "approved", "yes" if status is ReviewStatus.CONFIRMED else "no"),
        *set_attribute(text, target, "state", XLIFF_1.states[status]),
        *set_attribute(text, target, XLIFF_1.attribute, XLIFF_1.word(status)),
    ]


def status_location(place: TargetLocation) -> StatusLocation:
    """Where the status of a segment is said, by the place of its target."""
    return place.at if isinstance(place, ElementTarget | FrameTarget) else NO_STATUS_LOCATION


STATUSES = confirmed_rule(is_finished, _write_status, _write_qe_status)


def notes_of(unit: Element) -> tuple[str, ...]:
    """The notes of a unit."""
    return tuple([child.text() for child in unit.children if child.__class__ is Element and child.name == "note"])


def _matches(unit: Element, target: Element | None) -> tuple[Quality, ...]:
    """The match qualities of proposals that are the target itself, where they are numbers."""
    proposals = [one for one in unit.children if one.__class__ is Element and one.name == "alt-trans"]
    if target is None or not proposals:
        return ()
    found = []
    text = target.text()
    for proposal in proposals:
        value = parse_xml_number(proposal.get("match-quality").strip().removesuffix("%"))
        proposed = proposal.child("target")
        if value is not None and proposed is not None and proposed.text() == text:
            found.append(Quality("match-quality", value, proposal.get("origin")))
    return tuple(found)


def _loaded_mt(unit: Element) -> Element | None:
    """The MT that the target was made of, where an export of this program has it."""
    proposals = (one for one in unit.elements() if one.name == "alt-trans" and one.get("extradata") == LOADED_STATE)
    return next((found for one in proposals if (found := one.child("target")) is not None), None)


def identity_content(content: Content) -> Content:
    """A content as it is, for dialects whose codes are elements."""
    return content


LabelsOf = Callable[[Element], Mapping[str, str]]
"""The labels of codes by their ids."""


@dataclass(frozen=True, slots=True)
class XliffDialect:
    """What a program adds: what it says of segments, codes that it writes as text, whether units without segments
    hold anything to translate, how it says statuses, and whether it says them of each segment of a unit.
    """

    name: str
    shown: str
    about: Callable[[Element, Element | None, Sequence[str]], Sequence[UnitMetadata]] = xliff12_metadata
    split: Callable[[Content], Content] = identity_content
    whole_units: bool = True
    statuses: StatusRule = STATUSES
    by_segment: bool = False
    labels: tuple[str, LabelsOf] | None = None
    """The element of a header that says what codes are, and what reads it; None where codes say it themselves."""


def dialect_reader(dialect: XliffDialect) -> Callable[[DecodedFile, ColumnChoice], Document]:
    """What reads files of a dialect."""

    def read(text: DecodedFile, choice: ColumnChoice) -> Document:
        return _Xliff12Reader(text, dialect).document(lambda other: read(other, choice))

    return read


class _Xliff12Reader:
    def __init__(self, text: DecodedFile, dialect: XliffDialect) -> None:
        self.text, self.dialect = text, dialect
        self.gathered = SegmentCollector(text)
        self.contents = ContentBuilder(text, inline_of)
        self.labels: dict[str, str] = {}
        self.header: Element | None = None
        self.its = text.has(NAMESPACE)
        self.ours = text.has(LOADED_STATE.encode())
        self.apart: StandoffIssues = standoff_issues(text) if self.its else {}
        self.without_place = self.file = 0
        self.parent: Element | None = None

    def document(self, again: Callable[[DecodedFile], Document]) -> Document:
        more = {} if self.dialect.labels is None else {self.dialect.labels[0]: self._define}
        root = parse_xml(self.text, {"trans-unit": self._unit, **more})
        file = next(root.all("file"), root)
        notes = self.gathered.notes()
        if self.without_place:
            lost = tr(
                "{n:,} {n:segment has|segments have} no place for a target: the target is not cut as the source is",
                "", self.without_place,
            )  # fmt: skip
            notes = (*notes, lost)
        return Document(
            self.text, self.dialect.name, self.dialect.shown, tuple(self.gathered.segments), again,
            file.get("source-language"), file.get("target-language"), notes, statuses=self.dialect.statuses,
        )  # fmt: skip

    def _define(self, element: Element) -> None:
        """Take over what a header says of codes; that of the next file may say other things of the same ids."""
        assert self.dialect.labels is not None
        if element.parent is not self.header:
            self.labels, self.header = {}, element.parent
        self.labels.update(self.dialect.labels[1](element))
        self.contents = ContentBuilder(self.text, self._labelled)

    def _labelled(self, element: Element) -> InlineElement:
        inline = inline_of(element)
        label = inline.label or self.labels.get(element.get("id"), "")
        return replace(inline, label=label) if label and element.name in ("g", "x") else inline

    def _unit(self, unit: Element) -> None:
        source = cut = target = None
        for child in unit.children:
            if child.__class__ is Element:
                name = child.name
                if name == "source":
                    source = source or child
                elif name == "target":
                    target = target or child
                elif name == "seg-source":
                    cut = cut or child
        if source is None:
            return
        name = unit.attributes.get("id", "")
        # real programs write some names twice, and no target goes by them
        if unit.parent is not self.parent:
            # many are in one element
            self.parent, self.file = unit.parent, file_index(unit)
        self.gathered.know(self.file, name, name, unit.line, False)
        marks = () if cut is None else segments_in(cut)
        if cut is not None and marks:
            self._segments(unit, cut, marks, target)
        elif self.dialect.whole_units:
            place: TargetLocation
            (said,) = self.dialect.about(unit, target, _WHOLE)
            if target is None:
                after = element_end(self.text, cut if cut is not None else source)
                place = FrameTarget(missing_element(self.text, source, "target", after), 0, said.restated, said.at)
            else:
                place = tuple.__new__(ElementTarget, (target.start, target.end, said.restated, said.at))
            self._add(name, unit, source, target, target, place, said, self._loaded(unit))

    def _segments(self, unit: Element, cut: Element, marks: Sequence[Element], target: Element | None) -> None:
        found = {mark.get("mid"): mark for mark in segments_in(target)} if target is not None else {}
        frame = None
        if target is None or (not found and not target.text().strip() and not any(target.elements())):
            frame = self._frame(cut, marks, target)
        mids = [mark.get("mid") for mark in marks]
        about_each = self.dialect.about(unit, target, mids)
        loaded = self._loaded(unit)
        for number_, (mark, mid, said) in enumerate(zip(marks, mids, about_each, strict=True)):
            name = f"{unit.get('id')}/{mid}"
            self.gathered.know(self.file, (unit.start, mid), name, unit.line)
            held = found.get(mid)
            if held is None and frame is None and not found and len(marks) == 1:
                held = target
            at = said.at if self.dialect.by_segment or len(marks) == 1 else NO_STATUS_LOCATION
            place: TargetLocation | None = None
            if frame is not None:
                place = FrameTarget(frame, number_, said.restated, at)
            elif held is not None:
                place = ElementTarget(held.start, held.end, said.restated, at)
            else:
                self.without_place += 1
            self._add(name, unit, mark, held, target, place, said, loaded)

    def _frame(self, cut: Element, marks: Sequence[Element], target: Element | None) -> ElementFrame:
        """A target that is cut as the source is, with nothing in its segments."""
        first, *between = split_around_content(self.text, cut, marks)
        if target is None:
            frame = missing_element(self.text, cut, "target", element_end(self.text, cut))
            begin, end = frame.pieces
            low = high = frame.start
        else:
            # its tag stays, for what it says of the status may change
            low, high = content_span(self.text, target)
            begin = end = ""
            if is_empty(self.text, target):
                begin, end = ">", f"</{name_of_tag(self.text, target)}>"
        return ElementFrame(low, high, (begin + first, *between[:-1], between[-1] + end))

    def _add(
        self, name: str, unit: Element, source: Element, held: Element | None, target: Element | None,
        place: TargetLocation | None, said: UnitMetadata, loaded: Content | None,
    ) -> None:  # fmt: skip
        split, content_of = self.dialect.split, self.contents.of
        written = content_of(source)
        translated = None if held is None else content_of(held)
        if split is not identity_content:
            written = split(written)
            translated = None if translated is None else split(translated)
        state, locked, origin, notes, qualities, _, _ = said
        issues: tuple[Issue, ...] = ()
        if self.its:
            qualities = (*qualities, *nearest_qualities(held, target, unit))
            issues = self._issues(unit, source, held)
        self.gathered.add(
            name, unit.line, written, translated, place, state, locked, origin, notes, qualities, issues, loaded
        )

    def _loaded(self, unit: Element) -> Content | None:
        """The MT that the target of a unit was made of, where the file has it."""
        loaded = _loaded_mt(unit) if self.ours else None
        return None if loaded is None else self.contents.of(loaded)

    def _issues(self, unit: Element, source: Element, held: Element | None) -> tuple[Issue, ...]:
        place = SourceLocation(self.text.name, unit.line)
        found = list(inline_issues(source, inline_of, self.apart, place, of_source=True))
        if held is not None:
            found += inline_issues(held, inline_of, self.apart, place, of_source=False)
        reference = unit.get("its:locQualityIssuesRef")
        if reference.startswith("#"):
            end = len(held.text()) if held is not None else 0
            found += [Issue(0, end, one.type, one.severity, one.comment) for one in self.apart.get(reference[1:], ())]
        return tuple(found)


def segments_in(element: Element) -> list[Element]:
    """The marks of segments in a source or target."""
    return [mark for mark in element.all("mrk") if mark.get("mtype") == "seg"]


_PLAIN = XliffDialect("xliff-1", tr("XLIFF 1.2"))
FORMAT = BilingualFormat(
    _PLAIN.name, _PLAIN.shown, lambda begins: 0.9 if begins.is_xliff("1.") else 0.0, dialect_reader(_PLAIN)
)
