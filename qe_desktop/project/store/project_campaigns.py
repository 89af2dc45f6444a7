"""The campaigns of an open project: set up, rated, watched."""

from __future__ import annotations

import threading
import time

from sqlalchemy import ColumnElement, Connection, func, insert, select, text, true

from qe_desktop.answers.events import RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.project.events import SET_UP, new_uid
from qe_desktop.project.store import schema
from qe_desktop.project.store.campaign_tables import (
    read_campaign,
    read_campaigns,
    read_design,
    read_outputs,
    read_passages,
    read_screens,
    shown_whole,
    write_design,
)
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.event_rows import read_event_rows, read_events
from qe_desktop.project.store.faults import damage_in_words
from qe_desktop.project.store.following import ByNumber, ByTransaction
from qe_desktop.project.store.rating_sets import counting, withdrawn
from qe_desktop.ratings.admitting import Admission, Said
from qe_desktop.ratings.campaign import Campaign, Design
from qe_desktop.ratings.rater_progress import progress_of
from qe_desktop.ratings.work import Work
from qe_desktop.wording import tr

Progress = dict[str, tuple[int, int]]


class ProjectCampaigns:
    """The part of an open project (`Project`) that is about its campaigns; remembers which ratings it has told of."""

    def __init__(self, database: Database, person: str) -> None:
        self._database = database
        self.person = database.user if database.role == "rater" else person
        self._lock = threading.Lock()
        self._counted: dict[str, tuple[tuple[int, tuple[str, ...]], Progress]] = {}
        self._admissions: dict[str, Admission] = {}
        self._following = ByTransaction(database.window) if database.is_server else ByNumber(database.window)
        with database.reading() as connection:
            self._known = {campaign.uid for campaign in read_campaigns(connection)}
            self._following.new(connection)

    def campaigns(self) -> list[Campaign]:
        """The campaigns that one takes part in (an owner: all), the oldest first."""
        with self._database.reading() as connection:
            return read_campaigns(connection)

    def add_campaign(self, design: Design) -> None:
        """Write a campaign with its key now, and log it. QeError for raters, or where it is there already."""
        self._database.refuse_raters(tr("The setting up of campaigns only the owner of the project may see"))
        campaign = design.campaign
        if self._database.is_server and not design.secret:
            raise QeError(
                tr(
                    "the campaign “{campaign}” has no secret, so that its raters could work out its key",
                    campaign=campaign.name,
                ),
                hint=tr("Set it up anew."),
            )
        details = {
            "campaign": campaign.uid, "name": campaign.name, "protocol": campaign.protocol,
            "raters": list(campaign.raters), "systems": list(design.setup.systems), "seed": design.setup.seed,
            "screens": len(design.screens), "design": campaign.design_hash,
        }  # fmt: skip
        with self._database.writing_whole() as connection, damage_in_words(self._database.location):
            write_design(connection, design)
            row = {"uid": new_uid(), "at": time.time(), "who": self.person, "what": SET_UP, "details": details}
            connection.execute(insert(schema.audit).values(row))
        self._known.add(campaign.uid)

    def design(self, uid: str) -> Design:
        """A campaign with its key. QeError for raters."""
        owners = tr("The key of a campaign only the owner of the project may see")
        with self._database.reading(owners=owners) as connection:
            return read_design(connection, uid)

    def work(self, uid: str, rater: str = "") -> Work:
        """A rater's work as it stands (empty: one's own). QeError where a rater asks for another's, and for a campaign
        that one does not see.
        """
        rater = rater or self.person
        self._refuse_others(rater)
        table = schema.rating_events.c
        with self._database.reading() as connection:
            campaign, screens = read_campaign(connection, uid), read_screens(connection, uid, rater=rater)
            outputs = read_outputs(connection, uid, as_designed=False)
            shown_whole(campaign, screens, outputs)
            return Work(
                campaign,
                screens,
                read_passages(connection, uid),
                outputs,
                read_events(connection, table.campaign == uid, table.rater == rater, self._counting(connection)),
                rater=rater,
            )

    def events(self, uid: str) -> list[RatingEvent]:
        """All that was rated in a campaign, in the order kept, but what `said` leaves out. QeError for raters."""
        return self.said(uid).events

    def said(self, uid: str) -> Said:
        """The same, and whose rows were left out, how many and why."""
        owners = tr("The ratings of all raters only the owner of the project may see")
        with self._database.reading(owners=owners) as connection:
            events, unread = read_event_rows(connection, schema.rating_events.c.campaign == uid, counting(connection))
            good, wrong = self._admission(connection, uid).split(events)
        return Said(good, (*unread, *wrong))

    def _admission(self, connection: Connection, uid: str) -> Admission:
        """What tells the events of a campaign that count; a campaign never changes."""
        with self._lock:
            held = self._admissions.get(uid)
        if held is None:
            held = Admission(read_campaign(connection, uid), read_screens(connection, uid))
            with self._lock:
                self._admissions[uid] = held
        return held

    def progress(self, uid: str) -> Progress:
        """How many items each rater has done or skipped, and how many there are; raters may know that, too.

        Training is left out.
        """
        with self._database.reading() as connection:
            campaign = read_campaign(connection, uid)
            if not self._database.is_server:
                return self._count(connection, campaign)
            rows = connection.execute(text("SELECT rater, done, total FROM progress(:uid)"), {"uid": uid})
            return dict.fromkeys(campaign.raters, (0, 0)) | {row.rater: (row.done, row.total) for row in rows}

    def _count(self, connection: Connection, campaign: Campaign) -> Progress:
        table = schema.rating_events.c
        newest = connection.execute(select(func.max(table.seq)).where(table.campaign == campaign.uid)).scalar() or 0
        last = newest, tuple(sorted(withdrawn(connection)))
        with self._lock:
            counted = self._counted.get(campaign.uid)
        if counted is None or counted[0] != last:
            events = read_events(connection, table.campaign == campaign.uid, counting(connection))
            counted = last, progress_of(campaign, read_screens(connection, campaign.uid), events)
            with self._lock:
                self._counted[campaign.uid] = counted
        return counted[1]

    def _counting(self, connection: Connection) -> ColumnElement[bool]:
        """The condition that events were not taken back, as far as one may know."""
        return counting(connection) if self._database.role == "owner" else true()

    def _refuse_others(self, rater: str) -> None:
        if self._database.role == "rater" and rater != self._database.user:
            raise QeError(
                tr("you are connected as {user} and cannot rate as {rater}", user=self._database.user, rater=rater),
                hint=tr("Connect with the role of that rater."),
                place=self._database.location.place,
            )

    def _new_ratings(self, connection: Connection) -> tuple[tuple[RatingEvent, ...], tuple[str, ...]]:
        """Ratings of other windows, and campaigns, that are new since the last look, as far as one may see them."""
        uids = {row.uid for row in connection.execute(select(schema.campaigns.c.uid))}
        new, self._known = uids - self._known, self._known | uids
        seqs = self._following.new(connection)
        table = schema.rating_events.c
        events = [
            event
            for low in range(0, len(seqs), 500)
            for event in read_events(connection, table.seq.in_(seqs[low : low + 500]))
        ]
        return tuple(events), tuple(sorted(new))
