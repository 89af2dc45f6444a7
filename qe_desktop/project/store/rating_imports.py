"""Ratings from files: events of the project's campaigns, and other sets of ratings."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select

from qe_desktop.answers.event_history import (
    COMMENT,
    PROFILE,
    RANKS,
    REVEAL,
    SEEN,
    SKIP,
    EventHistory,
    EventValue,
    RatingEvent,
    group_by_rater,
    sort_events,
)
from qe_desktop.corpus import QeError, Ratings
from qe_desktop.corpus.ratings_merge import campaigns_of
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.events import (
    IMPORT_RESTORED,
    IMPORT_WITHDRAWN,
    RATINGS_IMPORTED,
    AuditRow,
    ImportRow,
    new_uid,
)
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.errors import translate_corruption
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
from qe_desktop.ratings.protocols import scale_title, skip_reason_text
from qe_desktop.ratings.rater_progress import imported_item_notes
from qe_desktop.ratings.rating_file_merge import RatingConflict, conflicts_without_systems, merge_ratings

_FIELD_TEXTS = {RANKS: tr("ranks"), SKIP: tr("skip", "event field"), COMMENT: tr("comment")}
"""Names of fields that are not scales."""


@dataclass(frozen=True, slots=True)
class EventConflict:
    """Conflicting values that a rater entered for the same item in two copies of the project.

    `segment` is the index of the item's segment; `field` is a scale, "ranks", "skip" or "comment". `project_value` is
    the value in the project, `file_value` the value in the file.
    """

    rater: str
    segment: int
    field: str
    project_value: EventValue
    file_value: EventValue
    file: str

    @property
    def item(self) -> str:
        """Description of the item."""
        return tr("segment {segment:,}", segment=self.segment + 1)

    @property
    def title(self) -> str:
        """Title of the scale, or name of a field that is not a scale."""
        return _FIELD_TEXTS.get(self.field) or scale_title(self.field)

    def value_text(self, value: EventValue) -> str:
        """Return the text of a value; “no value” if it is empty, as after undoing a skip."""
        if value is None or value == "":
            return tr("no value")
        if isinstance(value, tuple):
            return " ".join(str(rank) for rank in value)
        if isinstance(value, float | int):
            return f"{value:g}"
        return skip_reason_text(value) if self.field == SKIP else value

    def __str__(self) -> str:
        return tr(
            "{rater}, segment {segment:,}, {field}: {ours} in the project, {theirs} in {file}",
            rater=self.rater,
            segment=self.segment + 1,
            field=self.title,
            ours=self.value_text(self.project_value),
            theirs=self.value_text(self.file_value),
            file=self.file,
        )


def event_conflicts(
    stored: Sequence[RatingEvent], imported: Sequence[RatingEvent], file: str, segment: Callable[[str], int]
) -> list[EventConflict]:
    """Conflicts between the events of one rater in the project and in a file; `segment` maps screens to segments.

    If one side includes all events of the other side, the former is newer and nothing conflicts. Otherwise, fields that
    were changed on both sides conflict if their final values differ.
    """
    our_uids, their_uids = {event.uid for event in stored}, {event.uid for event in imported}
    changed_fields = _event_fields(event for event in stored if event.uid not in their_uids)
    changed_fields &= _event_fields(event for event in imported if event.uid not in our_uids)
    if not changed_fields:
        return []
    our_screens, their_screens = EventHistory(sort_events(stored)).screens, EventHistory(sort_events(imported)).screens
    conflicts = []
    for screen, field in sorted(changed_fields):
        our_value = our_screens[screen].values().get(field) if screen in our_screens else None
        their_value = their_screens[screen].values().get(field) if screen in their_screens else None
        if our_value != their_value:
            conflicts.append(EventConflict(stored[0].rater, segment(screen), field, our_value, their_value, file))
    return conflicts


def _event_fields(events: Iterable[RatingEvent]) -> set[tuple[str, str]]:
    return {(event.screen, event.field) for event in events if event.field not in (SEEN, REVEAL, PROFILE)}


MAX_LOGGED_ITEMS = 200
"""Maximum number of conflicts listed in the audit entry of an import."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Result of an import of ratings or events.

    `added` is the number of new ratings or events, `known` the number that the project already had. `invalid_count` is
    the number of invalid events, which were left out (see `notes`). `conflicts` are conflicts with existing values.
    """

    file: str
    added: int
    known: int = 0
    invalid_count: int = 0
    conflicts: tuple[RatingConflict | EventConflict, ...] = ()
    notes: tuple[str, ...] = ()
    uid: str = ""
    """Id of the import, with which it can be withdrawn; empty if nothing was added."""
    items: int = 0
    """Number of items with new events; 0 for ratings that do not belong to the items of a campaign."""


RESTORED_NOTE = tr("the import had been withdrawn and now counts again")
_OWNER_ONLY = tr("only the owner of the project can manage imported ratings")


class ImportWriter:
    """Writer of imports, each in one transaction with an audit entry.

    Its methods raise QeError for raters; methods that write also raise it for read-only projects.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def add_ratings(self, ratings: Ratings, *, file: str, sha256: str, who: str) -> ImportResult:
        """Store a set of ratings unless it is stored already; return the result. A withdrawn stored set counts again.

        Two sets are the same if their files have the same `sha256`; if `sha256` is empty, the ratings are compared.
        """
        self.database.require_owner(_OWNER_ONLY)
        with self._write_transaction() as connection:
            return write_rating_set(connection, ratings, file=file, sha256=sha256, who=who)[0]

    def add_events(
        self, campaign: str, events: Iterable[RatingEvent], *, file: str, sha256: str, who: str
    ) -> ImportResult:
        """Merge a file's events into a campaign, except those whose uid is already stored; return the result.

        All clients, including this one, receive new events as remote changes. If an event is already stored by a
        withdrawn import, that import counts again. Raises QeError for an unknown campaign.
        """
        self.database.require_owner(_OWNER_ONLY)
        table = schema.rating_events
        with self._write_transaction() as connection:
            screens = {screen.uid: screen for screen in read_screens(connection, campaign)}
            rated_campaign = read_campaign(connection, campaign)
            validator = EventValidator(rated_campaign, screens.values())
            valid, invalid = validator.split(_clean_event(event) for event in events)
            imported_events, invalid_count = group_by_rater(valid), sum(skipped.count for skipped in invalid)
            stored_events = group_by_rater(read_events(connection, table.c.campaign == campaign))
            uids = {event.uid for rater_events in imported_events.values() for event in rater_events}
            stored_uids = _column_of(connection, table.c.uid, uids)
            conflicts = [
                conflict
                for rater, rater_events in imported_events.items()
                for conflict in event_conflicts(
                    stored_events.get(rater, []), rater_events, file, lambda uid: screens[uid].segment
                )
            ]
            new = [
                event
                for rater_events in imported_events.values()
                for event in rater_events
                if event.uid not in stored_uids
            ]
            window = f"import {new_uid()}"
            notes: tuple[str, ...] = ()
            sources = _column_of(connection, table.c.window, stored_uids)
            for name in sorted(sources & withdrawn_imports(connection)):
                write_withdrawal(connection, name, file=file, who=who, away=False)
                _add_audit_entry(connection, who, IMPORT_RESTORED, {"file": file, "window": name, "campaign": campaign})
                notes = (RESTORED_NOTE,)
            if new:
                connection.execute(insert(table), [event_values(event, window) for event in new])
            total = sum(len(rater_events) for rater_events in imported_events.values())
            all_notes = (*notes, *skipped_notes(invalid))
            result = ImportResult(file, len(new), total - len(new), invalid_count, tuple(conflicts), all_notes)
            if new or conflicts:
                extra_details = {"sha256": sha256, "campaign": campaign, "window": window}
                uid = _log(connection, who, result, extra_details)
                # not logged: the notes in the log only state what was left out
                items = imported_item_notes(rated_campaign, screens.values(), valid, {event.uid for event in new})
                count = len({event.screen for event in new if event.screen})
                result = replace(result, uid=uid if new else "", notes=(*items, *all_notes), items=count)
        return result

    def all_imports(self) -> list[ImportRow]:
        """All imports that added something, including withdrawn ones, oldest first."""
        self.database.require_owner(_OWNER_ONLY)
        with self.database.reading() as connection:
            return _imports(connection)

    def withdraw_import(self, uid: str, *, who: str) -> ImportRow:
        """Withdraw and return an import; its rows stay in the project but no longer count.

        Raises QeError if the import does not exist or has already been withdrawn.
        """
        self.database.require_owner(_OWNER_ONLY)
        with self._write_transaction() as connection:
            row = next((row for row in _imports(connection) if row.uid == uid), None)
            if row is None:
                message = tr("import {uid} does not exist", uid=uid)
                raise QeError(message, hint=tr("List the imports and use one of their IDs."))
            if row.is_withdrawn:
                message = tr("the import of {file} has already been withdrawn", file=row.file)
                raise QeError(message, hint=tr("Import the file again to restore it."))
            write_withdrawal(connection, row.name, file=row.file, who=who, away=True)
            _add_audit_entry(connection, who, IMPORT_WITHDRAWN, {"file": row.file, "rows": row.added, "import": uid})
        return replace(row, is_withdrawn=True)

    @contextmanager
    def _write_transaction(self) -> Iterator[Connection]:
        """Context manager: write transaction; raises DamagedProjectError if rows read in the block are damaged."""
        with self.database.writing_with_checkpoint() as connection, translate_corruption(self.database.location):
            yield connection

    def sets(self) -> list[Ratings]:
        """Imported sets of ratings that are not withdrawn, oldest first; the origin of each set is its file."""
        self.database.require_owner(_OWNER_ONLY)
        with self.database.reading() as connection:
            return read_sets(connection)


def write_rating_set(
    connection: Connection, ratings: Ratings, *, file: str, who: str, sha256: str = ""
) -> tuple[ImportResult, str]:
    """Store a set in an open transaction, as `ImportWriter.add_ratings` does; return the result and the set's uid."""
    packed, table = pack_ratings(ratings), schema.rating_sets
    sha256 = sha256 or find_same_set(connection, ratings) or hashlib.sha256(packed).hexdigest()
    stored = connection.execute(select(table.c.rows, table.c.uid).where(table.c.sha256 == sha256)).first()
    if stored is not None:
        if sha256 not in withdrawn_imports(connection):
            return ImportResult(file, 0, stored.rows), stored.uid
        write_withdrawal(connection, sha256, file=file, who=who, away=False)
        _add_audit_entry(connection, who, IMPORT_RESTORED, {"file": file, "rows": stored.rows, "sha256": sha256})
        uid = next((row.uid for row in _imports(connection) if row.name == sha256), "")
        return ImportResult(file, stored.rows, notes=(RESTORED_NOTE,), uid=uid), stored.uid
    comments = len(ratings.comments)
    if not (len(ratings.scores) or len(ratings.pairs) or comments):
        return ImportResult(file, 0), ""
    merge_conflicts = _conflicts(read_sets(connection), replace(ratings, origin=file))
    conflicts = conflicts_without_systems(merge_conflicts, hidden_systems(connection)) if merge_conflicts else ()
    set_uid, rows = write_set(connection, ratings, packed, file=file, sha256=sha256, who=who)
    only_comments = comments if not rows else 0
    note = tr(
        "the file has no ratings, only {n:,} {n:comment or skipped item|comments and skipped items}", "", only_comments
    )
    result = ImportResult(file, rows, conflicts=conflicts, notes=(note,) if only_comments else ())
    extra_details = {"sha256": sha256, "campaigns": campaigns_of(ratings)}
    uid = _log(connection, who, result, extra_details | ({"comments": only_comments} if only_comments else {}))
    return replace(result, uid=uid), set_uid


def _conflicts(earlier: Sequence[Ratings], new: Ratings) -> list[RatingConflict]:
    """Return the conflicts of a new set with earlier sets, but not conflicts among the earlier sets."""
    renamed = new
    while any(ratings.origin == renamed.origin for ratings in earlier):
        renamed = replace(renamed, origin=tr("{file} (new)", file=renamed.origin))
    return [
        item
        for item in merge_ratings([*earlier, renamed]).conflicts
        if any(file == renamed.origin for file, _ in item.values)
    ]


def _clean_event(event: RatingEvent) -> RatingEvent:
    """Return a copy of an imported event in which characters that the database rejects are replaced."""
    return replace(event, value=clean_text(event.value)) if isinstance(event.value, str) else event


def _imports(connection: Connection) -> list[ImportRow]:
    table, withdrawn = schema.audit.c, withdrawn_imports(connection)
    rows = connection.execute(select(schema.audit).where(table.what == RATINGS_IMPORTED).order_by(table.seq)).all()
    imports = []
    for entry in rows:
        row = AuditRow(
            entry.at, entry.who, entry.what, entry.details if isinstance(entry.details, dict) else {}, entry.uid
        )
        campaign = str(row.details.get("campaign") or "")
        name = str(row.details.get("window" if campaign else "sha256") or "")
        if name and (row.count("added") or row.count("comments")):
            imports.append(ImportRow(
                row.uid, row.at, row.who, str(row.details.get("file", "")), row.count("added"),
                (campaign,) if campaign else row.names("campaigns"), bool(campaign), name in withdrawn, name,
            ))  # fmt: skip
    return imports


def _column_of(connection: Connection, column: ColumnElement[str], uids: set[str]) -> set[str]:
    """Return the distinct values of `column` in the events with the given uids, including unreadable events."""
    values, listed = set[str](), sorted(uids)
    for start in range(0, len(listed), 500):
        query = select(column).where(schema.rating_events.c.uid.in_(listed[start : start + 500])).distinct()
        values |= set(connection.execute(query).scalars())
    return values


def _log(connection: Connection, who: str, result: ImportResult, extra_details: dict[str, Any]) -> str:
    details: dict[str, Any] = {
        "file": result.file, "added": result.added, "known": result.known, "left out": result.invalid_count,
        **extra_details,
        **({"left out because": to_english(result.notes)} if result.notes else {}),
        "conflicts": len(result.conflicts),
        "listed": [to_english(str(conflict)) for conflict in result.conflicts[:MAX_LOGGED_ITEMS]],
    }  # fmt: skip
    return _add_audit_entry(connection, who, RATINGS_IMPORTED, details)


def _add_audit_entry(connection: Connection, who: str, event: str, details: dict[str, Any]) -> str:
    row = {"uid": new_uid(), "at": time.time(), "who": who, "what": event, "details": details}
    connection.execute(insert(schema.audit).values(row))
    return str(row["uid"])


def import_hash(parts: Sequence[bytes]) -> str:
    """SHA-256 of all `parts`: the content of a file and its import options."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
