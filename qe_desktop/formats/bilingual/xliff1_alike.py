"""Units of XLIFF 1 that are written as others before them, but for their names and texts; see `xml_alike`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from qe_desktop.formats.bilingual.about import About
from qe_desktop.formats.bilingual.codes import Content
from qe_desktop.formats.bilingual.quality import Quality
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.xml_alike import texts_of
from qe_desktop.formats.bilingual.xml_contents import Contents, Written
from qe_desktop.formats.bilingual.xml_targets import InElement, Restated
from qe_desktop.formats.bilingual.xml_tree import Element

MOST_KNOWN = 1000
"""Ways of writing a unit that are remembered; where each has its own, none is read by them."""
_TEXT = rb"([^<]*(?:<(?!/?(?:source|target|trans-unit))[^<]*)*)"
_UNIT = re.compile(
    rb"<trans-unit([^<>&']*?)\sid=\"([^\"<>&'\s]*)\"([^<>&']*)>\s*"
    rb"(<source[^<>]*>)" + _TEXT + rb"</source>\s*(<target[^<>]*>)" + _TEXT + rb"</target>\s*"
    rb"((?:<note[^<>]*>[^<]*</note>\s*)*)</trans-unit>\s*"
)
_NOTE = re.compile(rb"(<note[^<>]*>)([^<]*)</note>")


class Unit(NamedTuple):
    """A unit with a source and a target that are one segment, and what its dialect says of it."""

    unit: Element
    target: Element
    said: About


class Reading(Protocol):
    """What reads the units of a file."""

    contents: Contents
    whole: Unit | None
    """The unit that was read last, where it is one segment."""

    def add_whole(self, units: list[Segment]) -> None:
        """More units that are one segment each, in the element that those before are in."""
        ...


class _Said(NamedTuple):
    """What is said of all units of a way: as in `About`, with marks for places, which are the unit's or the target's."""

    state: str
    locked: bool
    origin: str
    qualities: tuple[Quality, ...]
    restated: tuple[tuple[bool, str, str | None], ...]
    at_unit: bool
    at_target: bool




class UnitsAlike:
    """Reads units for a `Reading`. What a dialect says of a unit must follow from its tags and what is around it."""

    pattern = _UNIT

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._ways: dict[tuple[bytes, ...], _Said] = {}
        """What is said of units by their tags as they are written, without their names."""
        self._taken: list[tuple[bytes, int, Written, Written, _Said, int, int, int, Written]] = []

    def forget(self) -> None:
        """What follows is in another element."""
        self._ways.clear()

    def take(self, found: re.Match[bytes], line: int) -> bool:
        """Take a unit that is written in a way that is known; False for another one, and where a code in it is new."""
        before, name, behind, source, written, target, translated, noted = found.groups()
        notes: tuple[bytes, ...] = ()
        if noted:
            tags, notes = zip(*_NOTE.findall(noted), strict=True)
            said = self._ways.get((before, behind, source, target, *tags))
        else:
            said = self._ways.get((before, behind, source, target))
        if said is None:
            return False
        known_of = self.reading.contents.known_of
        first = known_of(written) if b"<" in written else (written,) if written else ()
        second = known_of(translated) if b"<" in translated else (translated,) if translated else ()
        if first is None or second is None:
            return False
        self._taken.append((name, line, first, second, said, found.start(), found.start(6), found.end(7), notes))
        return True

    def read_taken(self) -> None:
        """Read all units that were taken."""
        if not self._taken:
            return
        names, lines, sources, targets, *others, notes_of = zip(*self._taken, strict=True)
        self._taken.clear()
        new, units = tuple.__new__, []
        texts = zip(
            texts_of(names), lines, _read(sources), _read(targets), *others, _read(notes_of), strict=True
        )
        for name, line, source, target, said, unit, start, end, notes in texts:
            state, locked, origin, qualities, restated, at_unit, at_target = said
            at = (unit if at_unit else -1, start if at_target else -1)
            if restated:
                restated = tuple([Restated(start if own else unit, name_, value) for own, name_, value in restated])
            place = new(InElement, (start, end, restated, at))
            # what a NamedTuple does when it is called, but for asking which argument is which
            units.append(
                new(Segment, (name, line, source, target, place, state, locked, origin, notes, qualities, ()))
            )
        self.reading.add_whole(units)

    def learn(self, found: re.Match[bytes]) -> None:
        """Learn the way in which a unit is written that the parser has just read."""
        whole = self.reading.whole
        before, name, behind, source, _, target, _, noted = found.groups()
        if whole is None or whole.unit.get("id") != name.decode() or whole.unit.start != found.start():
            return
        said, unit, start = whole.said, whole.unit.start, whole.target.start
        noting = _NOTE.findall(noted)
        is_own = all(one.start in (unit, start) for one in said.restated)
        if not is_own or said.at[0] not in (-1, unit) or said.at[1] not in (-1, start):
            return
        if said.notes != (tuple(texts_of([text for _, text in noting])) if noting else ()):
            return
        restated = tuple([(one.start == start, one.name, one.value) for one in said.restated])
        if len(self._ways) >= MOST_KNOWN:
            self._ways.clear()
        self._ways[before, behind, source, target, *[tag for tag, _ in noting]] = _Said(
            said.state, said.locked, said.origin, said.qualities, restated, said.at[0] >= 0, said.at[1] >= 0
        )


def _read(written: Sequence[Written]) -> list[Content]:
    """Contents whose texts are still as they stand in the file."""
    texts = iter(texts_of([run for runs in written for run in runs if run.__class__ is bytes]))
    return [
        (next(texts),) if len(runs) == 1 and runs[0].__class__ is bytes
        else tuple([next(texts) if run.__class__ is bytes else run for run in runs])
        for runs in written
    ]  # fmt: skip
