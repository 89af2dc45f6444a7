"""Exports of the project's own campaigns that come back: letters are told, and what is known counts once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from qe_desktop.answers.events import RatingEvent
from qe_desktop.corpus import BLIND, Place, QeError, Ratings, joined
from qe_desktop.corpus.campaigns import marks_of, part_of
from qe_desktop.project.store.campaign_tables import hidden_systems, read_campaigns, read_design
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.event_rows import read_events
from qe_desktop.project.store.schema import rating_events
from qe_desktop.ratings.blinding import LETTERS, letters_of, resolved
from qe_desktop.ratings.campaign import Design
from qe_desktop.ratings.collect import collect
from qe_desktop.ratings.merging import Conflict, beyond, without_systems
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A file's ratings with the names of systems, without those that the project's campaigns hold already."""

    ratings: Ratings
    known: int
    conflicts: tuple[Conflict, ...]


def settled(database: Database, ratings: Ratings) -> Settled:
    """What a file says that the project does not know. QeError for a blind export of another project's campaign."""
    with database.reading() as connection:
        ours = {campaign.uid for campaign in read_campaigns(connection)}
        marks = marks_of(ratings)
        _refuse_strangers(ratings, marks, ours)
        named = {mark.removesuffix(BLIND) for mark in marks} & ours
        designs = [read_design(connection, uid) for uid in sorted(named)]
        events = {uid: read_events(connection, rating_events.c.campaign == uid) for uid in named}
        hidden = hidden_systems(connection)
    rest = part_of(ratings, [mark for mark in marks if mark.removesuffix(BLIND) not in named])
    found = [_of_campaign(ratings, design, events[design.campaign.uid]) for design in designs]
    parts = [one.ratings for one in found]
    parts += [rest] if len(rest.scores) or len(rest.pairs) or not found else []
    whole = replace(joined(parts), origin=ratings.origin, notes=ratings.notes)
    clashes = tuple(conflict for one in found for conflict in one.conflicts)
    return Settled(whole, sum(one.known for one in found), without_systems(clashes, hidden))


def _of_campaign(ratings: Ratings, design: Design, events: Sequence[RatingEvent]) -> Settled:
    uid = design.campaign.uid
    names = {letter: name for name, letter in letters_of(design).items()}
    plain = joined([part_of(ratings, [uid]), resolved(ratings, uid, names)])
    size = len(plain.scores) + len(plain.pairs)
    # what an event said that was given since another value is known, too, and no contradiction
    said = {event.uid: event.value for event in events}
    scores, pairs = plain.scores, plain.pairs
    given = np.array([_number(said.get(name)) if name else np.nan for name in scores.uids])[scores.uid]
    judged = np.array([bool(name) and name in said for name in pairs.uids], bool)[pairs.uid]
    left = replace(plain, scores=scores.take(given != scores.value), pairs=pairs.take(~judged), origin=ratings.origin)
    own = replace(collect(design, events), origin=design.campaign.name)
    new = beyond(own, left)
    return Settled(new.ratings, size - len(new.ratings.scores) - len(new.ratings.pairs), new.conflicts)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _refuse_strangers(ratings: Ratings, marks: Sequence[str], ours: set[str]) -> None:
    place = Place(ratings.origin) if ratings.origin else None
    for mark in marks:
        if mark.endswith(BLIND) and mark.removesuffix(BLIND) not in ours:
            raise QeError(
                tr(
                    "this is a blind export of the campaign {campaign}, which is not in this project: "
                    "what its letters stand for is not known here",
                    campaign=mark.removesuffix(BLIND),
                ),
                hint=tr("Import it into its own project, or unblind the campaign there and export it again."),
                place=place,
            )
    used = {ratings.scores.systems[place] for place in np.unique(ratings.scores.system).tolist()}
    used |= {ratings.pairs.units[place] for place in np.unique(ratings.pairs.first).tolist()}
    if ours and marks == [""] and used and all(LETTERS.fullmatch(name) for name in used):
        raise QeError(
            tr("the systems go by letters, as in a blind export, and the file does not say of which campaign"),
            hint=tr("Export it again: exports say now which campaign they are of."),
            place=place,
        )
