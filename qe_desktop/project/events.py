"""Rows of the append-only tables of a project, and the changes that are read from these tables."""

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
"""Names of audit entries as stored in projects; they do not depend on the language of the interface."""


def new_uid() -> str:
    """Return a unique id of 32 hexadecimal digits."""
    return os.urandom(16).hex()


def new_uids(count: int) -> list[str]:
    """Return `count` unique ids, using a single system call because each call is expensive."""
    digits = os.urandom(16 * count).hex()
    return [digits[start : start + 32] for start in range(0, len(digits), 32)]


class EditAction(enum.IntEnum):
    """Kind of a row of tag edits or review edits; rows of every kind store the values that they set."""

    EDIT = 0
    UNDO = 1
    REDO = 2


@dataclass(frozen=True, slots=True)
class EditRow:
    """Row of tag edits: `tags[i]` replaced `before[i]` at `places[i]` of a segment.

    In UNDO and REDO rows, `refers` is the uid of the EDIT row that is reverted or restored. `person` is the author,
    `window` identifies the client process, `at` is the Unix time in seconds, and `text` is the stored English
    description (users see `edits.describe_row`). `seq` is the position among all edits of the project, 0 until stored.
    `layer_uid` identifies the layer, because a later layer can have the same key; it is empty if unknown. `step` is the
    step number, which is counted across all kinds of rows (`StepCounter`); 0 in rows of older versions.
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
    """Field of a segment that is set in review; the value of a member is the field's name in projects."""

    TARGET = "target"
    """Target, as a line with codes (see `TranslationJob`)."""
    STATUS = "status"
    """Status, as the integer value of a `ReviewStatus`."""
    NOTE = "note"

    # members are singletons, and reviews look them up millions of times
    __hash__ = object.__hash__


ReviewValue = str | int | None
"""Value of a `ReviewField`; None restores the loaded value."""


class ReviewRow(NamedTuple):
    """Row of review edits: `values[i]` replaced `befores[i]` in `fields[i]` of a segment.

    In UNDO and REDO rows, `refers` is the uid of the EDIT row that is reverted or restored. Rows with the same `group`
    were made in one step and are undone together. `text` is the stored English description. The other fields are as in
    `EditRow`. The class is a named tuple because thousands of rows are created at a time, and creating frozen
    dataclasses takes three times as long.
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
    """Recorded time and keystrokes of one visit to a segment; cannot be undone."""

    segment: int
    visit: Visit
    at: float = 0.0
    person: str = ""
    window: str = ""
    uid: str = field(default_factory=new_uid)
    seq: int = 0


@dataclass(frozen=True, slots=True)
class SettingRow:
    """Stored setting; the last row with a given name and scope applies.

    `value` is JSON-serializable, None if the setting was removed. `scope` is a person's name for personal settings
    (such as the current segment), empty for shared ones.
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
    """Row that adds a layer (`added`), or removes a layer together with its edits.

    In a row that adds a layer, `uid` is the uid of the layer. In a row that removes a layer, `closes` is the uid of the
    layer; if `closes` is empty, the layer that has `key` when the row is written is removed. `layer` is None if the row
    removes a layer and, in remote changes, if this process added the layer.
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
    """Audit entry, for example about the setup or unblinding of a campaign, an import of ratings, or a conflict."""

    at: float
    who: str
    what: str
    details: dict[str, Any]
    uid: str = field(default_factory=new_uid)

    def count(self, name: str) -> int:
        """Return the detail called `name` if it is a positive integer, else 0."""
        value = self.details.get(name)
        return value if type(value) is int and value > 0 else 0

    def names(self, name: str) -> tuple[str, ...]:
        """Return the strings in the detail called `name`; empty if the detail is not a list."""
        value = self.details.get(name)
        return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True)
class ImportRow:
    """State of an import: number of added rows, uids of their campaigns, and whether the import is withdrawn.

    `name` identifies the imported rows. It is the hash of their rating set or, if the rows are rating events
    (`has_events`), their `window`.
    """

    uid: str
    at: float
    who: str
    file: str
    added: int
    campaigns: tuple[str, ...]
    has_events: bool
    is_withdrawn: bool
    name: str


Row = EditRow | ReviewRow | VisitRow | SettingRow | LayerRow | AuditRow | RatingEvent


@dataclass(frozen=True, slots=True)
class RemoteChanges:
    """Rows added since the project was last read, by kind, in stored order.

    Ratings, settings, visits and campaigns are only those of other clients. Edits, reviews and layers include those of
    this client, so that all clients agree on the project's order. In `layers`, removed layers come first; a layer that
    was both added and removed is listed only as removed.
    """

    edits: tuple[EditRow, ...] = ()
    settings: tuple[SettingRow, ...] = ()
    layers: tuple[LayerRow, ...] = ()
    ratings: tuple[RatingEvent, ...] = ()
    campaigns: tuple[str, ...] = ()
    """Uids of new campaigns."""
    reviews: tuple[ReviewRow, ...] = ()
    visits: tuple[VisitRow, ...] = ()

    def __bool__(self) -> bool:
        return any((self.edits, self.settings, self.layers, self.ratings, self.campaigns, self.reviews, self.visits))
