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

from qe_desktop.corpus import Place, Status
from qe_desktop.formats.bilingual.about import About
from qe_desktop.formats.bilingual.around import file_of, is_locked
from qe_desktop.formats.bilingual.codes import CodeKind, Content
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.its import NAMESPACE, Apart, issues_apart, issues_in, number, qualities_of
from qe_desktop.formats.bilingual.own_states import LOADED, XLIFF_1, told
from qe_desktop.formats.bilingual.quality import Issue, Quality
from qe_desktop.formats.bilingual.recognition import BilingualFormat, Choice
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.bilingual.splices import Splice
from qe_desktop.formats.bilingual.statuses import OF_MACHINES, StatusRule, of_finished
from qe_desktop.formats.bilingual.units import Gathered
from qe_desktop.formats.bilingual.xml_contents import Contents, Inline, opaque
from qe_desktop.formats.bilingual.xml_targets import (
    NOWHERE,
    Frame,
    InElement,
    InFrame,
    Restated,
    Said,
    inside_tag,
    missing_element,
    name_of_tag,
    stated,
    without_content,
)
from qe_desktop.formats.bilingual.xml_tree import Element, attribute_span, behind, is_empty, parse
from qe_desktop.wording import tr

_FINISHED = frozenset(("approved", "final", "signed-off"))
_WHOLE = ("",)
"""The one segment of a unit that is not cut into several."""
_UNTOUCHED_OR_FINAL = frozenset(("new", "needs-translation", "needs-l10n", "needs-adaptation", "final", "signed-off"))


def inline_of(element: Element) -> Inline:
    """The inline elements of XLIFF 1.2 (2.4)."""
    name, known = element.name, element.get("id")
    if name == "g":
        return Inline(CodeKind.OPEN, f"g:{known}", holds_text=True, label=element.get("ctype"))
    if name == "mrk":
        key = element.get("mid") or element.get("mtype")
        return Inline(
            CodeKind.OPEN, f"mrk:{key}", holds_text=True, label=element.get("comment") or element.get("mtype")
        )
    if name in ("bpt", "ept"):
        kind = CodeKind.OPEN if name == "bpt" else CodeKind.CLOSE
        return Inline(kind, f"bpt:{element.get('rid') or known}", label=element.text())
    if name in ("bx", "ex"):
        kind = CodeKind.OPEN if name == "bx" else CodeKind.CLOSE
        return Inline(kind, f"bx:{element.get('rid') or known}", label=element.get("equiv-text"))
    if name == "x":
        return Inline(CodeKind.ALONE, f"x:{known}", label=element.get("equiv-text") or element.get("ctype"))
    return opaque(element, known)


def about(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[About]:
    """What XLIFF 1.2 itself says of the segments of a unit: the same of all."""
    said = about_unit(unit, target)
    return (said,) if len(mids) == 1 else (said,) * len(mids)


def about_unit(unit: Element, target: Element | None) -> About:
    """What XLIFF 1.2 itself says of a unit."""
    restated: tuple[Restated, ...] = ()
    state = origin = ""
    at = (unit.start, -1)
    if target is not None:
        at = (unit.start, target.start)
        # names without a prefix are those of the parser
        said = target.attributes
        if said:
            state, origin = said.get("state", ""), said.get("state-qualifier", "")
            own = XLIFF_1.status(state, origin)
            if own is not None and (own is Status.CONFIRMED or unit.attributes.get("approved") != "yes"):
                return _ours(unit, target, own)
            if state in _UNTOUCHED_OR_FINAL or (state == "translated" and origin not in OF_MACHINES):
                restated = (Restated(target.start, "state", "needs-review-translation"),)
    if unit.attributes.get("approved") == "yes":
        restated = (*restated, Restated(unit.start, "approved", "no"))
        state = state if state in _FINISHED else "approved"
    notes: tuple[str, ...] = ()
    qualities: tuple[Quality, ...] = ()
    if len(unit.children) > (1 if target is None else 2):
        notes = notes_of(unit)
        qualities = _matches(unit, target)
    return tuple.__new__(About, (state, is_locked(unit), origin, notes, qualities, restated, at))


def _ours(unit: Element, target: Element, status: Status) -> About:
    """What an export of this program says of a segment."""
    restated = (
        Restated(unit.start, "approved", "no"),
        Restated(target.start, "state", XLIFF_1.states[Status.EDITED]),
        Restated(target.start, XLIFF_1.attribute, XLIFF_1.word(Status.EDITED)),
    )
    at = (unit.start, target.start)
    return About(told(status), is_locked(unit), "", notes_of(unit), _matches(unit, target), restated, at)


def is_finished(segment: Segment) -> bool:
    """Whether the file says that a person finished the segment."""
    return segment.state in _FINISHED or (segment.state == "translated" and segment.origin not in OF_MACHINES)


def _say(text: Text, place: Target, confirmed: bool) -> list[Splice]:
    unit, target = at_of(place)
    approved, state = ("yes", "signed-off") if confirmed else ("no", "needs-review-translation")
    return [*stated(text, unit, "approved", approved), *stated(text, target, "state", state)]


def _say_ours(text: Text, place: Target, status: Status) -> list[Splice]:
    """What states a status where the target has one in our own words; nothing elsewhere."""
    unit, target = at_of(place)
    span = attribute_span(text, target, XLIFF_1.attribute) if target >= 0 else None
    if span is None or not XLIFF_1.is_ours(text.cut(span[1], span[2])):
        return []
    return [
        *stated(text, unit, "approved", "yes" if status is Status.CONFIRMED else "no"),
        *stated(text, target, "state", XLIFF_1.states[status]),
        *stated(text, target, XLIFF_1.attribute, XLIFF_1.word(status)),
    ]


def at_of(place: Target) -> Said:
    """Where the status of a segment is said, by the place of its target."""
    return place.at if isinstance(place, InElement | InFrame) else NOWHERE


STATUSES = of_finished(is_finished, _say, _say_ours)


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
        value = number(proposal.get("match-quality").strip().removesuffix("%"))
        proposed = proposal.child("target")
        if value is not None and proposed is not None and proposed.text() == text:
            found.append(Quality("match-quality", value, proposal.get("origin")))
    return tuple(found)


def _loaded(unit: Element) -> Element | None:
    """The MT that the target was made of, where an export of this program has it."""
    proposals = (one for one in unit.elements() if one.name == "alt-trans" and one.get("extradata") == LOADED)
    return next((found for one in proposals if (found := one.child("target")) is not None), None)


def nothing_to_split(content: Content) -> Content:
    """A content as it is, for dialects whose codes are elements."""
    return content


LabelsOf = Callable[[Element], Mapping[str, str]]
"""The labels of codes by their ids."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a program adds: what it says of segments, codes that it writes as text, whether units without segments
    hold anything to translate, how it says statuses, and whether it says them of each segment of a unit.
    """

    name: str
    shown: str
    about: Callable[[Element, Element | None, Sequence[str]], Sequence[About]] = about
    split: Callable[[Content], Content] = nothing_to_split
    whole_units: bool = True
    statuses: StatusRule = STATUSES
    by_segment: bool = False
    labels: tuple[str, LabelsOf] | None = None
    """The element of a header that says what codes are, and what reads it; None where codes say it themselves."""


def reader(dialect: Dialect) -> Callable[[Text, Choice], Document]:
    """What reads files of a dialect."""

    def read(text: Text, choice: Choice) -> Document:
        return _Reading(text, dialect).document(lambda other: read(other, choice))

    return read


class _Reading:
    def __init__(self, text: Text, dialect: Dialect) -> None:
        self.text, self.dialect = text, dialect
        self.gathered = Gathered(text)
        self.contents = Contents(text, inline_of)
        self.labels: dict[str, str] = {}
        self.header: Element | None = None
        self.its = text.has(NAMESPACE)
        self.ours = text.has(LOADED.encode())
        self.apart: Apart = issues_apart(text) if self.its else {}
        self.without_place = self.file = 0
        self.parent: Element | None = None

    def document(self, again: Callable[[Text], Document]) -> Document:
        more = {} if self.dialect.labels is None else {self.dialect.labels[0]: self._define}
        root = parse(self.text, {"trans-unit": self._unit, **more})
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
        self.contents = Contents(self.text, self._labelled)

    def _labelled(self, element: Element) -> Inline:
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
            self.parent, self.file = unit.parent, file_of(unit)
        self.gathered.know(self.file, name, name, unit.line, False)
        marks = () if cut is None else segments_in(cut)
        if cut is not None and marks:
            self._segments(unit, cut, marks, target)
        elif self.dialect.whole_units:
            place: Target
            (said,) = self.dialect.about(unit, target, _WHOLE)
            if target is None:
                after = behind(self.text, cut if cut is not None else source)
                place = InFrame(missing_element(self.text, source, "target", after), 0, said.restated, said.at)
            else:
                place = tuple.__new__(InElement, (target.start, target.end, said.restated, said.at))
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
            at = said.at if self.dialect.by_segment or len(marks) == 1 else NOWHERE
            place: Target | None = None
            if frame is not None:
                place = InFrame(frame, number_, said.restated, at)
            elif held is not None:
                place = InElement(held.start, held.end, said.restated, at)
            else:
                self.without_place += 1
            self._add(name, unit, mark, held, target, place, said, loaded)

    def _frame(self, cut: Element, marks: Sequence[Element], target: Element | None) -> Frame:
        """A target that is cut as the source is, with nothing in its segments."""
        first, *between = without_content(self.text, cut, marks)
        if target is None:
            frame = missing_element(self.text, cut, "target", behind(self.text, cut))
            begin, end = frame.pieces
            low = high = frame.start
        else:
            # its tag stays, for what it says of the status may change
            low, high = inside_tag(self.text, target)
            begin = end = ""
            if is_empty(self.text, target):
                begin, end = ">", f"</{name_of_tag(self.text, target)}>"
        return Frame(low, high, (begin + first, *between[:-1], between[-1] + end))

    def _add(
        self, name: str, unit: Element, source: Element, held: Element | None, target: Element | None,
        place: Target | None, said: About, loaded: Content | None,
    ) -> None:  # fmt: skip
        split, content_of = self.dialect.split, self.contents.of
        written = content_of(source)
        translated = None if held is None else content_of(held)
        if split is not nothing_to_split:
            written = split(written)
            translated = None if translated is None else split(translated)
        state, locked, origin, notes, qualities, _, _ = said
        issues: tuple[Issue, ...] = ()
        if self.its:
            qualities = (*qualities, *qualities_of(held, target, unit))
            issues = self._issues(unit, source, held)
        self.gathered.add(
            name, unit.line, written, translated, place, state, locked, origin, notes, qualities, issues, loaded
        )

    def _loaded(self, unit: Element) -> Content | None:
        """The MT that the target of a unit was made of, where the file has it."""
        loaded = _loaded(unit) if self.ours else None
        return None if loaded is None else self.contents.of(loaded)

    def _issues(self, unit: Element, source: Element, held: Element | None) -> tuple[Issue, ...]:
        place = Place(self.text.name, unit.line)
        found = list(issues_in(source, inline_of, self.apart, place, of_source=True))
        if held is not None:
            found += issues_in(held, inline_of, self.apart, place, of_source=False)
        reference = unit.get("its:locQualityIssuesRef")
        if reference.startswith("#"):
            end = len(held.text()) if held is not None else 0
            found += [Issue(0, end, one.type, one.severity, one.comment) for one in self.apart.get(reference[1:], ())]
        return tuple(found)


def segments_in(element: Element) -> list[Element]:
    """The marks of segments in a source or target."""
    return [mark for mark in element.all("mrk") if mark.get("mtype") == "seg"]


_PLAIN = Dialect("xliff-1", tr("XLIFF 1.2"))
FORMAT = BilingualFormat(
    _PLAIN.name, _PLAIN.shown, lambda begins: 0.9 if begins.is_xliff("1.") else 0.0, reader(_PLAIN)
)
