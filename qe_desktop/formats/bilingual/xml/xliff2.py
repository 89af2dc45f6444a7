"""XLIFF 2.0, 2.1 and 2.2: units cut into segments, proposals in `mtc:matches`, issues between `sm` and `em`.

When a target changes, a `state` that says that nothing was done, or that it was reviewed, becomes `translated`, and
a `subState` goes with it, as the specification asks (4.3.1.32).

A segment is finished where its `state` is `reviewed` or `final`. Whoever confirms one makes it `reviewed`, also where
there is none yet, which means `initial`; opened again, it is `translated`. A `subState` goes here too, unless it is
one that this program wrote (`own_states`): then it tells all statuses. A match of the kind that it writes is the MT
that the target was made of.
"""

from __future__ import annotations

from qe_desktop.corpus import Place, Status
from qe_desktop.formats.bilingual.around import file_of, is_locked
from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.its import NAMESPACE, Apart, issues_apart, issues_in, number, qualities_of
from qe_desktop.formats.bilingual.own_states import LOADED, XLIFF_2, told
from qe_desktop.formats.bilingual.quality import Issue, Quality
from qe_desktop.formats.bilingual.recognition import AS_IT_TELLS, BilingualFormat, Choice
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.bilingual.splices import Splice
from qe_desktop.formats.bilingual.statuses import of_finished
from qe_desktop.formats.bilingual.units import Gathered
from qe_desktop.formats.bilingual.xml_contents import Contents, Inline, opaque
from qe_desktop.formats.bilingual.xml_targets import InElement, InFrame, Restated, missing_element, stated
from qe_desktop.formats.bilingual.xml_tree import Element, attribute_span, behind, parse
from qe_desktop.wording import tr

NAME, SHOWN = "xliff-2", tr("XLIFF 2")


def inline_of(element: Element) -> Inline:
    """The inline elements of XLIFF 2 (4.2.3). Those of one id are one code, however they are written."""
    name, known = element.name, element.get("id")
    label = element.get("disp") or element.get("equiv") or element.get("type")
    if name == "pc":
        return Inline(
            CodeKind.OPEN, f"code:{known}", True, element.get("dispStart") or element.get("equivStart") or label
        )
    if name in ("sc", "ec"):
        kind = CodeKind.OPEN if name == "sc" else CodeKind.CLOSE
        return Inline(kind, f"code:{element.get('startRef') or known}", label=label)
    if name == "mrk":
        return Inline(CodeKind.OPEN, f"mark:{known}", True, element.get("value") or label)
    if name in ("sm", "em"):
        kind = CodeKind.OPEN if name == "sm" else CodeKind.CLOSE
        return Inline(kind, f"mark:{element.get('startRef') or known}", label=element.get("value") or label)
    if name == "cp":
        return Inline(CodeKind.ALONE, f"cp:{element.get('hex')}", label=f"U+{element.get('hex')}")
    if name == "ph":
        return Inline(CodeKind.ALONE, f"code:{known}", label=label)
    return opaque(element, known)


def read(text: Text, choice: Choice = AS_IT_TELLS) -> Document:
    """All segments of a document. QeError with its line for what is no such document."""
    return _Reading(text).document()


class _Reading:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.gathered = Gathered(text)
        self.contents = Contents(text, inline_of)
        self.its = text.has(NAMESPACE)
        self.apart: Apart = issues_apart(text)

    def document(self) -> Document:
        root = parse(self.text, {"unit": self._unit})
        return Document(
            self.text, NAME, SHOWN, tuple(self.gathered.segments), read, root.get("srcLang"), root.get("trgLang"),
            statuses=STATUSES,
        )  # fmt: skip

    def _unit(self, unit: Element) -> None:
        name, file = unit.get("id"), file_of(unit)
        self.gathered.know(file, name, name, unit.line)
        notes = unit.child("notes")
        said = tuple(note.text() for note in notes.elements()) if notes is not None else ()
        matches = _Matches(unit.child("mtc:matches"))
        segments = [child for child in unit.elements() if child.name == "segment"]
        for place, segment in enumerate(segments):
            source = segment.child("source")
            if source is None:
                continue
            known = segment.get("id")
            if known:
                self.gathered.know(file, (name, known), f"{name}/{known}", unit.line)
            called = f"{name}/{known or place + 1}" if known or len(segments) > 1 else name
            self._segment(called, unit, segment, source, said, matches)

    def _segment(
        self, name: str, unit: Element, segment: Element, source: Element, notes: tuple[str, ...],
        matches: _Matches,
    ) -> None:  # fmt: skip
        text, target, state = self.text, segment.child("target"), segment.get("state")
        restated, at = tuple(_restated(segment)), (segment.start, -1)
        own = XLIFF_2.status(state, segment.get(XLIFF_2.attribute))
        state = state if own is None else told(own)
        place: Target
        if target is None:
            place = InFrame(missing_element(text, source, "target", behind(text, source)), 0, restated, at)
        else:
            place = InElement(target.start, target.end, restated, at)
        origin, qualities = matches.of(segment, target)
        issues: tuple[Issue, ...] = ()
        if self.its:
            qualities = (*qualities, *qualities_of(target, segment, unit))
            at_line = Place(text.name, unit.line)
            issues = tuple(issues_in(source, inline_of, self.apart, at_line, of_source=True))
            if target is not None:
                issues = (*issues, *issues_in(target, inline_of, self.apart, at_line, of_source=False))
        content = None if target is None else self.contents.of(target)
        self.gathered.add(
            name, unit.line, self.contents.of(source), content, place, state, is_locked(unit),
            origin, notes, qualities, issues, None if matches.loaded is None else self.contents.of(matches.loaded),
        )  # fmt: skip


def _restated(segment: Element) -> list[Restated]:
    state = segment.get("state")
    if XLIFF_2.status(state, segment.get(XLIFF_2.attribute)) is not None:
        return [
            Restated(segment.start, "state", XLIFF_2.states[Status.EDITED]),
            Restated(segment.start, XLIFF_2.attribute, XLIFF_2.word(Status.EDITED)),
        ]
    if state not in ("initial", "reviewed", "final"):
        return []
    found = [Restated(segment.start, "state", "translated")]
    return [*found, Restated(segment.start, "subState", None)] if segment.get("subState") else found


def _is_finished(segment: Segment) -> bool:
    return segment.state in ("reviewed", "final")


def _say(text: Text, place: Target, confirmed: bool) -> list[Splice]:
    start = place.at[0] if isinstance(place, InElement | InFrame) else -1
    state = "reviewed" if confirmed else "translated"
    return [*stated(text, start, "state", state, added="state"), *stated(text, start, "subState", None)]


def _say_ours(text: Text, place: Target, status: Status) -> list[Splice]:
    """What states a status where the segment has one in our own words; nothing elsewhere."""
    start = place.at[0] if isinstance(place, InElement | InFrame) else -1
    span = attribute_span(text, start, XLIFF_2.attribute) if start >= 0 else None
    if span is None or not XLIFF_2.is_ours(text.cut(span[1], span[2])):
        return []
    return [
        *stated(text, start, "state", XLIFF_2.states[status], added="state"),
        *stated(text, start, XLIFF_2.attribute, XLIFF_2.word(status)),
    ]


STATUSES = of_finished(_is_finished, _say, _say_ours)


class _Matches:
    """The proposals of a unit, by the names of the segments and marks that they are for."""

    def __init__(self, matches: Element | None) -> None:
        proposals = [] if matches is None else [*matches.elements()]
        ours = (one.child("target") for one in proposals if one.get("subType") == LOADED)
        self.loaded = next((target for target in ours if target is not None), None)
        """The MT that the target was made of, where an export of this program has it."""
        self._by_name: dict[str, dict[str, tuple[int, Element]]] = {}
        for place, one in enumerate(proposals):
            target = one.child("target")
            if one.name == "mtc:match" and target is not None:
                name = one.get("ref").removeprefix("#").rpartition("=")[2]
                self._by_name.setdefault(name, {}).setdefault(target.text(), (place, one))

    def of(self, segment: Element, target: Element | None) -> tuple[str, tuple[Quality, ...]]:
        """Where a target comes from, and how good it is said to be: of the proposal that it is, word by word."""
        if target is None or not self._by_name:
            return "", ()
        text = target.text()
        names = {"", segment.get("id"), *(one.get("id") for one in segment.all("mrk"))}
        found = [self._by_name[name][text] for name in names if text in self._by_name.get(name, {})]
        if not found:
            return "", ()
        proposal = min(found, key=lambda one: one[0])[1]
        given = ((name, number(proposal.get(name))) for name in ("matchQuality", "matchSuitability", "similarity"))
        system = proposal.get("origin")
        return proposal.get("type"), tuple(Quality(name, value, system) for name, value in given if value is not None)


FORMAT = BilingualFormat(NAME, SHOWN, lambda begins: 0.9 if begins.is_xliff("2.") else 0.0, read)
