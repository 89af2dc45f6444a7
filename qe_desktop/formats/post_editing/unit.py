"""One segment that was post-edited, with all that any of the forms of this room writes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qe_desktop.corpus.highlighted import NOTHING, Highlighted, Stretch


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the text while it was edited: `after` seconds, at character `place`."""

    after: float
    place: int
    removed: str
    inserted: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A visit to the segment: `seconds` of work, all `seconds_open` there, pauses and absence included, and its keys
    by kind (`letter`, `digit`, `space`, `symbol`, `navigation`, `erase`, `copy`, `cut`, `paste`, `undo`, `command`).
    """

    person: str
    seconds: float
    seconds_open: float
    keys: Mapping[str, int] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A segment (numbered from 0) with its texts as people read them, and what was recorded.

    `document` is its document and `in_document` its number there from 0. `highlighted` says what was in its MT, and
    by whom. `person` made the post-edit.
    """

    segment: int
    document: str
    in_document: int
    source: str
    mt: str
    post_edit: str
    person: str = ""
    highlighted: Highlighted = NOTHING
    revisions: tuple[Revision, ...] = ()

    @property
    def highlights(self) -> tuple[Stretch, ...]:
        """Where words of the MT were highlighted."""
        return self.highlighted.stretches or ()
