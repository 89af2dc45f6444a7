"""What happens in a project, as rows that are only ever added, and what comes back of them."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Layer, LayerKey
from qe_desktop.project.review.visits import Visit

CAMPAIGN_SET_UP, CAMPAIGN_UNBLINDED, RATINGS_EXPORTED = "campaign set up", "unblinded", "ratings exported"
COPIED_FOR_RATERS = "copy for raters saved"
RATINGS_IMPORTED, IMPORT_WITHDRAWN, IMPORT_RESTORED = "ratings imported", "import taken back", "import brought again"
"""What entries of the audit are called; kept as it is, whatever language is spoken."""


def new_uid() -> str:
    """A name that no other row has, 32 hexadecimal digits."""
    return os.urandom(16).hex()


def new_uids(count: int) -> list[str]:
    """As many such names, with one question to the system, which takes longer than the names."""
    digits = os.urandom(16 * count).hex()
    return [digits[place : place + 32] for place in range(0, len(digits), 32)]


class EditAction(enum.IntEnum):
    """What a row of the tag edits did. Each row holds the tags that it set, whatever its action."""

    EDIT = 0
    UNDO = 1
    REDO = 2


@dataclass(frozen=True, slots=True)
class EditRow:
    """Tags that were set: `tags[i]` went to `places[i]` of a segment, where `before[i]` had been.

    UNDO and REDO name in `refers` the uid of the row of action EDIT that they take back or make again. `person` is who
    did it, `window` the running program it was done in, `at` Unix time, `text` the edit in English words, as it is
    kept (`edits.shown` says it to people). `seq` is the row's place in the order of all edits of the project, 0 while
    it is not yet kept. `layer_uid` says which layer it was: one that was closed and one that came after it may have the
    same key; empty where nobody said. `step` counts what is done, across kinds of rows (`StepCounter`); 0 in rows of
    before that was counted.
    """

    uid: str
    layer: LayerKey
    segment: int
    places: tuple[int, ...]
    tags: tuple[int, ...]
    before: tuple[int, ...]
    action: EditAction = EditAction.EDIT
    refers: str = ""
    text: str = ""
    at: float = 0.0
    person: str = ""
    window: str = ""
    seq: int = 0
    layer_uid: str = ""
    step: int = 0


class ReviewField(enum.Enum):
    """What is set of a segment in review; the value is what projects call it."""

    TARGET = "target"
    """A line with codes (`Job`)."""
    STATUS = "status"
    """The number of a `Status`."""
    NOTE = "note"

    # members are there once, and a review of many segments looks them up a million times
    __hash__ = object.__hash__


ReviewValue = str | int | None
"""What a field is set to; None: nothing, it is as loaded."""


class ReviewRow(NamedTuple):
    """Fields of a segment that were set in review: `values` went where `befores` had been, in the same order.

    UNDO and REDO name in `refers` the uid of the row of action EDIT that they take back or make again. Rows of one
    `group` were made at once, and are taken back at once. `text` is what was done in English words, as it is kept. The
    rest is as in `EditRow`. Thousands of rows are made at once, and a named tuple is made in a third of the time that a
    frozen dataclass takes.
    """

    uid: str
    segment: int
    fields: tuple[ReviewField, ...]
    values: tuple[ReviewValue, ...]
    befores: tuple[ReviewValue, ...]
    action: EditAction = EditAction.EDIT
    refers: str = ""
    group: str = ""
    text: str = ""
    at: float = 0.0
    person: str = ""
    window: str = ""
    seq: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class VisitRow:
    """A segment was worked on for a while, and its time and keys were recorded; nothing of this can be undone."""

    segment: int
    visit: Visit
    at: float = 0.0
    person: str = ""
    window: str = ""
    uid: str = field(default_factory=new_uid)
    seq: int = 0


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A choice that is kept with the project; of several rows of one name and scope the last one holds.

    `value` is what JSON can hold, None where the choice was taken back. `scope` is a person's name for what is a
    matter of one person (such as the current segment), empty for what concerns all.
    """

    name: str
    value: Any
    scope: str = ""
    at: float = 0.0
    person: str = ""
    window: str = ""
    uid: str = field(default_factory=new_uid)
    seq: int = 0


@dataclass(frozen=True, slots=True)
class LayerRow:
    """A layer that came (`layer` holds it) or went (`layer` is None; its edits went with it).

    The `uid` of a row that adds a layer is that of the layer; a row that closes one names it in `closes` (empty: the
    one that has the key when the row is written). Where this very program added a layer, news do not hold it again.
    """

    key: LayerKey
    layer: Layer | None = None
    added: bool = True
    at: float = 0.0
    person: str = ""
    window: str = ""
    uid: str = field(default_factory=new_uid)
    seq: int = 0
    closes: str = ""


@dataclass(frozen=True, slots=True)
class AuditRow:
    """Something that has to be traceable: a campaign set up, ratings imported, a conflict, the key opened."""

    at: float
    who: str
    what: str
    details: dict[str, Any]
    uid: str = field(default_factory=new_uid)

    def count(self, name: str) -> int:
        """A detail that is a number of things; 0 where there is none."""
        value = self.details.get(name)
        return value if type(value) is int and value > 0 else 0

    def names(self, name: str) -> tuple[str, ...]:
        """A detail that is a list of names; those of its items that are."""
        value = self.details.get(name)
        return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True)
class ImportRow:
    """An import as it stands: what it added, of which campaigns, and whether it was taken back (`away`).

    `name` is what its rows are known by: the hash of a set, or the window of events.
    """

    uid: str
    at: float
    who: str
    file: str
    added: int
    campaigns: tuple[str, ...]
    events: bool
    away: bool
    name: str


Row = EditRow | ReviewRow | VisitRow | SettingRow | LayerRow | AuditRow | RatingEvent


@dataclass(frozen=True, slots=True)
class RemoteChanges:
    """What has been added since one last looked, each kind in the order it was kept.

    Of ratings, settings, visits and campaigns only what other windows and people did; of edits, reviews and layers all,
    so that everybody learns the one order that the project has them in. Of layers those that went come first, and one
    that came and went since is only among these.
    """

    edits: tuple[EditRow, ...] = ()
    settings: tuple[SettingRow, ...] = ()
    layers: tuple[LayerRow, ...] = ()
    ratings: tuple[RatingEvent, ...] = ()
    campaigns: tuple[str, ...] = ()
    """The uids of campaigns that were added."""
    reviews: tuple[ReviewRow, ...] = ()
    visits: tuple[VisitRow, ...] = ()

    def __bool__(self) -> bool:
        return any((self.edits, self.settings, self.layers, self.ratings, self.campaigns, self.reviews, self.visits))
