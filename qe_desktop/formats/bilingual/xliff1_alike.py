"""Units of XLIFF 1 that are written as others before them, but for their names and texts; see `xml_alike`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from qe_desktop.formats.bilingual.about import About
from qe_desktop.formats.bilingual.codes import Content
from qe_desktop.formats.bilingual.columns import Columns
from qe_desktop.formats.bilingual.quality import Quality
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.text_columns import PlainTexts
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
_NAME, _SOURCE, _TARGET_TAG, _TARGET = 2, 5, 6, 7
"""Its groups."""
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

    def add_whole(self, units: AlikeUnits) -> None:
        """More units that are one segment each, in the element that those before are in."""
        ...


class _Said(NamedTuple):
    """What is said of all units of a way: as in `About`, with marks for places, the unit's or the target's."""

    state: str
    locked: bool
    origin: str
    qualities: tuple[Quality, ...]
    restated: tuple[tuple[bool, str, str | None], ...]
    at_unit: bool
    at_target: bool


class _Taken(NamedTuple):
    """A unit as it stands in its file, the contents of its texts where they have codes, and what is said of it."""

    found: re.Match[bytes]
    line: int
    coded: tuple[Written, Written] | None
    said: _Said
    notes: tuple[bytes, ...]


class AlikeUnits:
    """Units that were taken one after the other, of which nothing is made yet but what a corpus needs.

    What is done with their texts is done here: they have just been read, and are let go.
    """

    def __init__(self, taken: list[_Taken], sources: list[bytes], targets: list[bytes]) -> None:
        self._taken = taken
        self.names = texts_of([one.found[_NAME] for one in taken])
        self.lines = [one.line for one in taken]
        self.longest = max(map(len, sources + targets))
        self._notes = [tuple(map(str, notes)) for notes in _read([one.notes for one in taken])]
        self._sources, self._targets = PlainTexts(sources), PlainTexts(targets)
        coded = {at: one.coded for at, one in enumerate(taken) if one.coded is not None}
        self._coded_sources = dict(zip(coded, _read([source for source, _ in coded.values()]), strict=True))
        self._coded_targets = dict(zip(coded, _read([target for _, target in coded.values()]), strict=True))

    def number(self, numbered: Callable[[Content, Content], tuple[Content, Content | None]]) -> None:
        """Give all codes the numbers that they get."""
        for at, source in self._coded_sources.items():
            self._coded_sources[at], target = numbered(source, self._coded_targets[at])
            self._coded_targets[at] = target or ()

    def segments(self) -> list[Segment]:
        """Each of them."""
        segments = []
        sources = self._contents(_SOURCE, self._coded_sources)
        targets = self._contents(_TARGET, self._coded_targets)
        rows = zip(self.names, sources, targets, self._notes, self._taken, strict=True)
        for name, source, target, notes, (found, line, _, said, _) in rows:
            state, locked, origin, qualities, restated, at_unit, at_target = said
            unit, begins = found.start(), found.start(_TARGET_TAG)
            at = (unit if at_unit else -1, begins if at_target else -1)
            own = tuple([Restated(begins if of_target else unit, key, value) for of_target, key, value in restated])
            place = InElement(begins, found.end(_TARGET), own, at)
            segments.append(Segment(name, line, source, target, place, state, locked, origin, notes, qualities))
        return segments

    def _contents(self, group: int, coded: Mapping[int, Content]) -> list[Content]:
        texts = texts_of([one.found[group] for one in self._taken])
        return [coded.get(at, (text,) if text else ()) for at, text in enumerate(texts)]

    def add_to(self, columns: Columns) -> None:
        """What a corpus needs of them."""
        columns.sources.add_plain(self._sources, self._coded_sources)
        columns.targets.add_plain(self._targets, self._coded_targets)
        said = [one.said for one in self._taken]
        columns.states += [one.state for one in said]
        columns.locks += [one.locked for one in said]
        columns.origins += [one.origin for one in said]
        columns.notes += self._notes
        columns.qualities += [one.qualities for one in said]


class UnitsAlike:
    """Reads units for a `Reading`. What a dialect says of a unit must follow from its tags and what is around it."""

    pattern = _UNIT

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._ways: dict[tuple[bytes, ...], _Said] = {}
        """What is said of units by their tags as they are written, without their names."""
        self._taken: list[_Taken] = []
        self._sources: list[bytes] = []
        self._targets: list[bytes] = []

    def forget(self) -> None:
        """What follows is in another element."""
        self._ways.clear()

    def take(self, found: re.Match[bytes], line: int) -> bool:
        """Take a unit that is written in a way that is known; False for another one, and where a code in it is new."""
        before, _, behind, source, written, target, translated, noted = found.groups()
        notes: tuple[bytes, ...] = ()
        if noted:
            tags, notes = zip(*_NOTE.findall(noted), strict=True)
            said = self._ways.get((before, behind, source, target, *tags))
        else:
            said = self._ways.get((before, behind, source, target))
        if said is None:
            return False
        coded = None
        if b"<" in written or b"<" in translated:
            known_of = self.reading.contents.known_of
            first, second = known_of(written), known_of(translated)
            if first is None or second is None:
                return False
            coded = first, second
            written, translated = _text_of(first), _text_of(second)
        self._sources.append(written)
        self._targets.append(translated)
        self._taken.append(tuple.__new__(_Taken, (found, line, coded, said, notes)))
        return True

    def read_taken(self) -> None:
        """Read all units that were taken."""
        if self._taken:
            units = AlikeUnits(self._taken, self._sources, self._targets)
            self._taken, self._sources, self._targets = [], [], []
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


def _text_of(written: Written) -> bytes:
    return b"".join([run for run in written if isinstance(run, bytes)])


def _read(written: Sequence[Written]) -> list[Content]:
    """Contents whose texts are still as they stand in the file."""
    texts = iter(texts_of([run for runs in written for run in runs if isinstance(run, bytes)]))
    return [tuple([next(texts) if isinstance(run, bytes) else run for run in runs]) if runs else () for runs in written]
