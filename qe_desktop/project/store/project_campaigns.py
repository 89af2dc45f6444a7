"""Campaigns of an open project: setup, rating sessions, progress, and combined ratings."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, insert, select, text, true

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import QeError, Ratings, SourceLocation, join_ratings
from qe_desktop.corpus.ratings_merge import campaigns_of, ratings_with_marks
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.campaign_views import FILES_CHOICE
from qe_desktop.project.events import CAMPAIGN_SET_UP, new_uid
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.errors import translate_corruption
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.campaign_tables import (
    check_screens_complete,
    read_campaign,
    read_campaigns,
    read_design,
    read_outputs,
    read_passages,
    read_screens,
    write_design,
)
from qe_desktop.project.store.tables.event_table import read_event_rows, read_events
from qe_desktop.project.store.tables.rating_table import not_withdrawn, withdrawn_imports
from qe_desktop.project.store.tables.schema import rating_events
from qe_desktop.ratings.campaign import Campaign, CampaignDesign
from qe_desktop.ratings.event_validation import EventValidator, RaterEvents
from qe_desktop.ratings.rater_progress import rater_progress_counts
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ratings.rating_file_merge import merge_ratings


class SeqCursor:
    """Cursor for new rating events in SQLite, where writes are serialized, so new rows have the highest numbers."""

    def __init__(self, window: str) -> None:
        self._window = window
        self._last_seq: int | None = None

    def new_rows(self, connection: Connection) -> list[int]:
        """Return the `seq` of each row that other clients added since the last call, ascending.

        The first call returns an empty list.
        """
        table = rating_events.c
        last_seq = self._last_seq
        self._last_seq = connection.execute(select(func.coalesce(func.max(table.seq), 0))).scalar_one()
        if last_seq is None or self._last_seq == last_seq:
            return []
        query = select(table.seq).where(table.seq > last_seq, table.window != self._window).order_by(table.seq)
        return list(connection.execute(query).scalars())


class TxCursor:
    """Cursor for new rating events in PostgreSQL, where transactions commit out of order.

    Each call records the oldest open transaction. All older transactions have ended, so the next call need not read
    their rows again.
    """

    def __init__(self, window: str) -> None:
        self._window = window
        self._oldest: int | None = None
        self._read_transactions: set[int] = set()

    def new_rows(self, connection: Connection) -> list[int]:
        """Return the `seq` of each row that other clients added since the last call, ascending.

        The first call returns an empty list.
        """
        open_now = text("SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)")
        oldest = int(connection.execute(open_now).scalar_one())
        table = rating_events.c
        since = oldest if self._oldest is None else self._oldest
        rows: list[Any] = list(connection.execute(select(table.seq, table.tx, table.window).where(table.tx >= since)))
        new = sorted(row.seq for row in rows if row.seq not in self._read_transactions and row.window != self._window)
        first, self._oldest = self._oldest is None, oldest
        self._read_transactions = {row.seq for row in rows if row.tx >= oldest}
        return [] if first else new


Progress = dict[str, tuple[int, int]]


class ProjectCampaigns:
    """Base class of `Project` for its campaigns; tracks which ratings of other clients have been reported."""

    def __init__(self, database: Database, person: str) -> None:
        self._database = database
        self.person = database.user if database.role == "rater" else person
        self._lock = threading.Lock()
        self._progress_cache: dict[str, tuple[tuple[int, tuple[str, ...]], Progress]] = {}
        self._validators: dict[str, EventValidator] = {}
        self._cursor = TxCursor(database.window) if database.is_server else SeqCursor(database.window)
        with database.reading() as connection:
            self._known_uids = {campaign.uid for campaign in read_campaigns(connection)}
            self._cursor.new_rows(connection)

    def campaigns(self) -> list[Campaign]:
        """Campaigns that the user takes part in (for an owner: all), oldest first."""
        with self._database.reading() as connection:
            return read_campaigns(connection)

    def add_campaign(self, design: CampaignDesign) -> None:
        """Store a campaign with its key, and add an audit entry.

        Raises QeError for raters and read-only projects, if the campaign already exists or has an unknown protocol, and
        if the project is on a server and the design has no secret.
        """
        self._database.require_owner(tr("only the owner of the project can set up campaigns"))
        campaign = design.campaign
        if self._database.is_server and not design.secret:
            raise QeError(
                tr(
                    "the campaign “{campaign}” has no secret value, so raters could work out which system produced "
                    "which output",
                    campaign=campaign.name,
                ),
                hint=tr("Set it up again."),
            )
        details = {
            "campaign": campaign.uid, "name": campaign.name, "protocol": campaign.protocol,
            "raters": list(campaign.raters), "systems": list(design.setup.systems), "seed": design.setup.seed,
            "screens": len(design.screens), "design": campaign.design_hash,
        }  # fmt: skip
        with self._database.writing_with_checkpoint() as connection, translate_corruption(self._database.location):
            write_design(connection, design)
            row = {"uid": new_uid(), "at": time.time(), "who": self.person, "what": CAMPAIGN_SET_UP, "details": details}
            connection.execute(insert(schema.audit).values(row))
        self._known_uids.add(campaign.uid)

    def design(self, uid: str) -> CampaignDesign:
        """Return a campaign's design with its key. Raises QeError for raters, and the errors of `read_design`."""
        owners = tr("only the owner of the project can read the key of a campaign")
        with self._database.reading(owners=owners) as connection:
            return read_design(connection, uid)

    def is_copy_for_raters(self) -> bool:
        """Return whether the project is a copy for raters, which contains campaigns but not their keys."""
        with self._database.reading() as connection:
            counts = [
                connection.execute(select(func.count()).select_from(table)).scalar() or 0
                for table in (schema.campaigns, schema.campaign_setups)
            ]
        return counts[0] > 0 and counts[1] == 0

    def rater_session(self, uid: str, rater: str = "") -> RaterSession:
        """Current rating session of a rater (default: the user).

        Raises QeError if a rater requests another rater's session, or if the campaign is not visible to the user.
        """
        rater = rater or self.person
        self._require_own_session(rater)
        table = schema.rating_events.c
        with self._database.reading() as connection:
            campaign, screens = read_campaign(connection, uid), read_screens(connection, uid, rater=rater)
            outputs = read_outputs(connection, uid, as_designed=False)
            check_screens_complete(campaign, screens, outputs)
            # raters cannot read which imports are withdrawn
            is_counted = not_withdrawn(connection) if self._database.role == "owner" else true()
            events = read_events(connection, table.campaign == uid, table.rater == rater, is_counted)
            return RaterSession(campaign, screens, read_passages(connection, uid), outputs, events, rater=rater)

    def events(self, uid: str) -> list[RatingEvent]:
        """Rating events of a campaign in stored order, without withdrawn and invalid events.

        Raises QeError for raters, and for an unknown campaign.
        """
        return self.rater_events(uid).events

    def rater_events(self, uid: str) -> RaterEvents:
        """Rating events that `events` returns, and the number of omitted invalid events for each rater and reason.

        Raises QeError as `events` does.
        """
        owners = tr("only the owner of the project can read the ratings of all raters")
        with self._database.reading(owners=owners) as connection:
            events, unread = read_event_rows(
                connection, schema.rating_events.c.campaign == uid, not_withdrawn(connection)
            )
            valid, invalid = self._validator(connection, uid).split(events)
        return RaterEvents(valid, (*unread, *invalid))

    def _validator(self, connection: Connection, uid: str) -> EventValidator:
        """Validator of a campaign's events; cached, because a campaign never changes."""
        with self._lock:
            validator = self._validators.get(uid)
        if validator is None:
            validator = EventValidator(read_campaign(connection, uid), read_screens(connection, uid))
            with self._lock:
                self._validators[uid] = validator
        return validator

    def progress(self, uid: str) -> Progress:
        """Return, for each rater, the number of items done or skipped and the total number, without training items.

        Raters may also call this method. Raises QeError if the campaign is not visible to the user.
        """
        with self._database.reading() as connection:
            campaign = read_campaign(connection, uid)
            if not self._database.is_server:
                return self._count(connection, campaign)
            rows = connection.execute(text("SELECT rater, done, total FROM progress(:uid)"), {"uid": uid})
            return dict.fromkeys(campaign.raters, (0, 0)) | {row.rater: (row.done, row.total) for row in rows}

    def _count(self, connection: Connection, campaign: Campaign) -> Progress:
        table = schema.rating_events.c
        last_seq = connection.execute(select(func.max(table.seq)).where(table.campaign == campaign.uid)).scalar() or 0
        last = last_seq, tuple(sorted(withdrawn_imports(connection)))
        with self._lock:
            counted = self._progress_cache.get(campaign.uid)
        if counted is None or counted[0] != last:
            events = read_events(connection, table.campaign == campaign.uid, not_withdrawn(connection))
            counted = last, rater_progress_counts(campaign, read_screens(connection, campaign.uid), events)
            with self._lock:
                self._progress_cache[campaign.uid] = counted
        return counted[1]

    def _require_own_session(self, rater: str) -> None:
        if self._database.role == "rater" and rater != self._database.user:
            raise QeError(
                tr("you are connected as {user} and cannot rate as {rater}", user=self._database.user, rater=rater),
                hint=tr("Connect with the role of that rater."),
                place=self._database.location.place,
            )

    def _new_ratings(self, connection: Connection) -> tuple[tuple[RatingEvent, ...], tuple[str, ...]]:
        """Return other clients' new ratings and the uids of new campaigns, both only if visible to the user."""
        uids = {row.uid for row in connection.execute(select(schema.campaigns.c.uid))}
        new, self._known_uids = uids - self._known_uids, self._known_uids | uids
        seqs = self._cursor.new_rows(connection)
        table = schema.rating_events.c
        events = [
            event
            for start in range(0, len(seqs), 500)
            for event in read_events(connection, table.seq.in_(seqs[start : start + 500]))
        ]
        return tuple(events), tuple(sorted(new))


def pool_ratings(
    campaigns: Mapping[str, str],
    ratings_of_campaign: Callable[[str], Ratings],
    sets: Sequence[Ratings],
    selected: str | None,
    place: SourceLocation,
) -> Ratings:
    """Combine the ratings that `selected` selects: a campaign's uid, `FILES_CHOICE`, or None for all ratings.

    `campaigns` maps the uids of the project's campaigns to their names, `ratings_of_campaign` maps a uid to the ratings
    of that campaign, and `sets` are the imported ratings. Raises QeError if all ratings are requested but belong to
    several campaigns, and for an unknown campaign.
    """
    foreign = sorted({uid for ratings in sets for uid in campaigns_of(ratings)} - set(campaigns))
    if selected is None:
        if len(campaigns) + len(foreign) > 1:
            listed = [*campaigns.values(), *foreign, *([FILES_CHOICE] if _parts(sets, "") else [])]
            names = join_localized(", ", [tr("“{name}”", name=name) for name in listed])
            raise QeError(
                tr("ratings of different campaigns cannot be combined"),
                hint=tr("Select one of: {names}.", names=names),
                command_hint=tr("Use --campaign with one of: {names}.", names=names),
                place=place,
            )
        return _pool(list(campaigns.values()), [ratings_of_campaign(uid) for uid in campaigns], sets)
    parts = _parts(sets, "" if selected == FILES_CHOICE else selected)
    if selected in campaigns:
        return _pool([campaigns[selected]], [ratings_of_campaign(selected)], parts)
    if selected != FILES_CHOICE and selected not in foreign:
        message = tr("no such campaign in the project")
        raise QeError(message, hint=tr("It may be in another project."), place=place)
    return _pool([], [], parts)


def _parts(sets: Sequence[Ratings], mark: str) -> list[Ratings]:
    """Return the non-empty parts of `sets` that belong to the campaign `mark`, or to no campaign if `mark` is empty."""
    parts = [ratings_with_marks(ratings, [mark]) for ratings in sets]
    return [ratings for ratings in parts if len(ratings.scores) + len(ratings.pairs)]


def _pool(names: Sequence[str], campaign_ratings: Sequence[Ratings], sets: Sequence[Ratings]) -> Ratings:
    """Combine the ratings of campaigns with imported `sets`; `names` are the names of the campaigns.

    Identical ratings count once, for example those of an export that was imported again. The notes of the result list
    what was combined and how often ratings disagree.
    """
    parts = [*([join_ratings(campaign_ratings)] if campaign_ratings else []), *sets]
    if not parts:
        return Ratings.of()
    merged = merge_ratings(parts)
    notes = list(merged.ratings.notes)
    if len(campaign_ratings) + len(sets) > 1:
        files = [tr("{n} {n:imported file|imported files}", "", len(sets))] if sets else []
        notes.append(tr("combined: {names}", names=join_localized(", ", [*names, *files])))
    times = len(merged.conflicts)
    if times == 1:
        notes.append(tr("the combined ratings disagree once; the first rating counts"))
    elif times:
        notes.append(tr("the combined ratings disagree {n:,} {n:time|times}; the first rating counts", "", times))
    return replace(merged.ratings, notes=tuple(notes))
