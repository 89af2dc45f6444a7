"""Ratings that come from files: events of the project's own campaigns, or sets of ratings from elsewhere."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, insert, select

from qe_desktop.answers.event_history import (
    PROFILE,
    REVEAL,
    SEEN,
    EventHistory,
    EventValue,
    RatingEvent,
    group_by_rater,
    sort_events,
)
from qe_desktop.corpus import QeError, Ratings
from qe_desktop.corpus.ratings_merge import campaigns_of
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.events import IMPORT_RESTORED, IMPORT_WITHDRAWN, RATINGS_IMPORTED, AuditRow, ImportRow, new_uid
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.error_messages import translate_corruption
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.campaign_tables import hidden_systems, read_campaign, read_screens
from qe_desktop.project.store.tables.event_table import event_values, read_events
from qe_desktop.project.store.tables.rating_table import (
    find_same_set,
    pack_ratings,
    read_sets,
    withdrawn_imports,
    write_set,
    write_withdrawal,
)
from qe_desktop.ratings.event_validation import EventValidator, clean_text, skipped_notes
from qe_desktop.ratings.rating_merge import RatingConflict, conflicts_without_systems, merge_ratings


@dataclass(frozen=True, slots=True)
class EventConflict:
    """One rater said different things of one item in two places that did not know each other.

    `segment` is that of the item, `field` a scale, "ranks", "skip" or "comment"; `ours` is what the project held,
    `theirs` what the file holds.
    """

    rater: str
    segment: int
    field: str
    ours: EventValue
    theirs: EventValue
    file: str

    @property
    def item(self) -> str:
        """The item in words."""
        return tr("segment {segment:,}", segment=self.segment + 1)

    def __str__(self) -> str:
        return tr(
            "{rater}, segment {segment:,}, {field}: {ours} here, {theirs} in {file}",
            rater=self.rater,
            segment=self.segment + 1,
            field=self.field,
            ours=_describe_value(self.ours),
            theirs=_describe_value(self.theirs),
            file=self.file,
        )


def event_conflicts(
    ours: Sequence[RatingEvent], theirs: Sequence[RatingEvent], file: str, segment: Callable[[str], int]
) -> list[EventConflict]:
    """Conflicts between what a project holds of one rater and what a file holds of the same; `segment` gives that of a
    screen.

    Where one of them holds all that the other does, it is simply newer. Else both went on without the other, and what
    both did something about is compared: what the project's events come to with what the file's come to.
    """
    mine, yours = {event.uid for event in ours}, {event.uid for event in theirs}
    touched = _touched(event for event in ours if event.uid not in yours)
    touched &= _touched(event for event in theirs if event.uid not in mine)
    if not touched:
        return []
    one, other = EventHistory(sort_events(ours)).screens, EventHistory(sort_events(theirs)).screens
    found = []
    for screen, field in sorted(touched):
        first = one[screen].values().get(field) if screen in one else None
        second = other[screen].values().get(field) if screen in other else None
        if first != second:
            found.append(EventConflict(ours[0].rater, segment(screen), field, first, second, file))
    return found


def _touched(events: Iterable[RatingEvent]) -> set[tuple[str, str]]:
    return {(event.screen, event.field) for event in events if event.field not in (SEEN, REVEAL, PROFILE)}


def _describe_value(value: EventValue) -> str:
    if value is None:
        return tr("nothing")
    if isinstance(value, tuple):
        return " ".join(str(rank) for rank in value)
    return f"{value:g}" if isinstance(value, float | int) else f"“{value}”"


MAX_LOGGED_ITEMS = 200
"""Conflicts that the audit lists; beyond these it counts."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did: `added` rows or events, `known` ones that were there before, `strange` events that are not in
    order and were left out (`notes` say whose and why), and the conflicts with what was there.
    """

    file: str
    added: int
    known: int = 0
    strange: int = 0
    conflicts: tuple[RatingConflict | EventConflict, ...] = ()
    notes: tuple[str, ...] = ()
    uid: str = ""
    """What the import is called, to take it back; empty where nothing was added."""


RESTORED_NOTE = tr("it was taken back, and counts again")
_OWNERS = tr("Imported ratings only the owner of the project may see")


class ImportWriter:
    """Writes what is imported, in one transaction each, with an entry of the audit."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add_ratings(self, ratings: Ratings, *, file: str, sha256: str, who: str) -> ImportResult:
        """Keep a set as it is. The same file (by its hash, or without one the same ratings) adds nothing twice."""
        self.database.refuse_raters(_OWNERS)
        with self._changing() as connection:
            return write_rating_set(connection, ratings, file=file, sha256=sha256, who=who)[0]

    def add_events(
        self, campaign: str, events: Iterable[RatingEvent], *, file: str, sha256: str, who: str
    ) -> ImportResult:
        """Unite a campaign's events with those of a file; each uid counts once.

        The events come as news to every window, this one too. QeError where there is no such campaign.
        """
        self.database.refuse_raters(_OWNERS)
        table = schema.rating_events
        with self._changing() as connection:
            screens = {screen.uid: screen for screen in read_screens(connection, campaign)}
            admission = EventValidator(read_campaign(connection, campaign), screens.values())
            good, wrong = admission.split(_clean_event(event) for event in events)
            theirs, strange = group_by_rater(good), sum(one.count for one in wrong)
            ours = group_by_rater(read_events(connection, table.c.campaign == campaign))
            known = {event.uid for own in ours.values() for event in own}
            found = [
                conflict
                for rater, own in theirs.items()
                for conflict in event_conflicts(ours.get(rater, []), own, file, lambda uid: screens[uid].segment)
            ]
            new = [event for own in theirs.values() for event in own if event.uid not in known]
            window = f"import {new_uid()}"
            notes: tuple[str, ...] = ()
            back = _windows(connection, known & {event.uid for own in theirs.values() for event in own})
            for name in sorted(back & withdrawn_imports(connection)):
                write_withdrawal(connection, name, file=file, who=who, away=False)
                _entry(connection, who, IMPORT_RESTORED, {"file": file, "window": name, "campaign": campaign})
                notes = (RESTORED_NOTE,)
            if new:
                connection.execute(insert(table), [event_values(event, window) for event in new])
            held = sum(len(own) for own in theirs.values())
            said = (*notes, *skipped_notes(wrong))
            result = ImportResult(file, len(new), held - len(new), strange, tuple(found), said)
            if new or found:
                more = {"sha256": sha256, "campaign": campaign, "window": window}
                uid = _log(connection, who, result, more)
                result = replace(result, uid=uid if new else "")
        return result

    def all(self) -> list[ImportRow]:
        """All imports that can be taken back, in the order in which they came."""
        self.database.refuse_raters(_OWNERS)
        with self.database.reading() as connection:
            return _imports(connection)

    def take_back(self, uid: str, *, who: str) -> ImportRow:
        """Let an import count no more; its rows stay. QeError where there is no such import, or it is back already."""
        self.database.refuse_raters(_OWNERS)
        with self._changing() as connection:
            row = next((row for row in _imports(connection) if row.uid == uid), None)
            if row is None:
                message = tr("there is no import {uid}", uid=uid)
                raise QeError(message, hint=tr("List the imports, and name one of them."))
            if row.away:
                message = tr("the import of {file} was taken back already", file=row.file)
                raise QeError(message, hint=tr("Import the file to have it again."))
            write_withdrawal(connection, row.name, file=row.file, who=who, away=True)
            _entry(connection, who, IMPORT_WITHDRAWN, {"file": row.file, "rows": row.added, "import": uid})
        return replace(row, away=True)

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """A transaction in which is also read what is there already."""
        with self.database.writing_whole() as connection, translate_corruption(self.database.location):
            yield connection

    def sets(self) -> list[Ratings]:
        """All imported sets, in the order in which they came, with the file as their origin."""
        self.database.refuse_raters(_OWNERS)
        with self.database.reading() as connection:
            return read_sets(connection)


def write_rating_set(
    connection: Connection, ratings: Ratings, *, file: str, who: str, sha256: str = ""
) -> tuple[ImportResult, str]:
    """Keep a set as `Imports.add_ratings` does, in a transaction that is open: what it did, and the uid of the set."""
    packed, table = pack_ratings(ratings), schema.rating_sets
    sha256 = sha256 or find_same_set(connection, ratings) or hashlib.sha256(packed).hexdigest()
    known = connection.execute(select(table.c.rows, table.c.uid).where(table.c.sha256 == sha256)).first()
    if known is not None:
        if sha256 not in withdrawn_imports(connection):
            return ImportResult(file, 0, known.rows), known.uid
        write_withdrawal(connection, sha256, file=file, who=who, away=False)
        uid = _entry(connection, who, IMPORT_RESTORED, {"file": file, "rows": known.rows, "sha256": sha256})
        return ImportResult(file, known.rows, notes=(RESTORED_NOTE,), uid=uid), known.uid
    clashes = _conflicts(read_sets(connection), replace(ratings, origin=file))
    found = conflicts_without_systems(clashes, hidden_systems(connection)) if clashes else ()
    held, rows = write_set(connection, ratings, packed, file=file, sha256=sha256, who=who)
    result = ImportResult(file, rows, conflicts=found)
    uid = _log(connection, who, result, {"sha256": sha256, "campaigns": campaigns_of(ratings)})
    return replace(result, uid=uid), held


def _conflicts(earlier: Sequence[Ratings], new: Ratings) -> list[RatingConflict]:
    """Where a new set and earlier ones differ; what the earlier ones differ in is known already."""
    named = new
    while any(one.origin == named.origin for one in earlier):
        named = replace(named, origin=f"{named.origin} (new)")
    return [
        one for one in merge_ratings([*earlier, named]).conflicts if any(file == named.origin for file, _ in one.values)
    ]


def _clean_event(event: RatingEvent) -> RatingEvent:
    """An event from a file as the database takes it."""
    return replace(event, value=clean_text(event.value)) if isinstance(event.value, str) else event


def _imports(connection: Connection) -> list[ImportRow]:
    table, gone = schema.audit.c, withdrawn_imports(connection)
    rows = connection.execute(select(schema.audit).where(table.what == RATINGS_IMPORTED).order_by(table.seq)).all()
    found = []
    for held in rows:
        row = AuditRow(held.at, held.who, held.what, held.details if isinstance(held.details, dict) else {}, held.uid)
        campaign = str(row.details.get("campaign") or "")
        name = str(row.details.get("window" if campaign else "sha256") or "")
        if name and row.count("added"):
            found.append(ImportRow(
                row.uid, row.at, row.who, str(row.details.get("file", "")), row.count("added"),
                (campaign,) if campaign else row.names("campaigns"), bool(campaign), name in gone, name,
            ))  # fmt: skip
    return found


def _windows(connection: Connection, uids: set[str]) -> set[str]:
    """The windows of imports that these events came with."""
    table, found = schema.rating_events.c, set[str]()
    listed = sorted(uids)
    for low in range(0, len(listed), 500):
        wanted = select(table.window).where(table.uid.in_(listed[low : low + 500])).distinct()
        found |= set(connection.execute(wanted).scalars())
    return found


def _log(connection: Connection, who: str, result: ImportResult, more: dict[str, Any]) -> str:
    details: dict[str, Any] = {
        "file": result.file, "added": result.added, "known": result.known, "left out": result.strange, **more,
        **({"left out because": to_english(result.notes)} if result.notes else {}),
        "conflicts": len(result.conflicts),
        "listed": [to_english(str(conflict)) for conflict in result.conflicts[:MAX_LOGGED_ITEMS]],
    }  # fmt: skip
    return _entry(connection, who, RATINGS_IMPORTED, details)


def _entry(connection: Connection, who: str, what: str, details: dict[str, Any]) -> str:
    row = {"uid": new_uid(), "at": time.time(), "who": who, "what": what, "details": details}
    connection.execute(insert(schema.audit).values(row))
    return str(row["uid"])


def import_hash(parts: Sequence[bytes]) -> str:
    """The SHA-256 of a file and of what it was read with."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part)
    return whole.hexdigest()
