"""Importing ratings from a file: a journal, another copy of the project, or ratings from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from qe_desktop.answers.events import RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.formats.open_files import is_open_here
from qe_desktop.formats.opening import open_file, shown_name
from qe_desktop.formats.ratings import JournalLine, read_journal, read_ratings
from qe_desktop.formats.ratings.journal import is_journal
from qe_desktop.formats.ratings.registry import recognise_ratings
from qe_desktop.formats.ratings.scale_ranges import Ranges
from qe_desktop.formats.regular_files import begins_with
from qe_desktop.project.store.campaign_tables import read_campaigns
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.event_rows import read_events
from qe_desktop.project.store.imports import Imported, Imports, hash_of
from qe_desktop.project.store.open_project import MAGIC, open_database
from qe_desktop.project.store.own_exports import settled
from qe_desktop.project.store.place import locate
from qe_desktop.project.store.rating_sets import read_sets
from qe_desktop.project.store.schema import rating_events
from qe_desktop.wording import tr


def import_file(
    database: Database,
    path: Path,
    *,
    language_pair: str,
    form: str,
    who: str,
    raters: Sequence[str] = (),
    ranges: Ranges = (),
) -> list[Imported]:
    """Take in what a file holds; several results where it holds several campaigns.

    Events of this project's campaigns are united with them; everything else is kept as a set of its own, without what
    those campaigns hold already. `form` names the format where it shall not be recognised, `raters` the columns of a
    table that are raters', `ranges` those of scales. QeError for what cannot be read, and for blind exports of
    campaigns of other projects; then nothing is taken in.
    """
    imports = Imports(database)
    name = shown_name(path)
    if is_open_here(path) or begins_with(path, MAGIC):
        return _from_project(imports, path, name, who)
    ours = _campaigns(database)
    opened = open_file(path)
    sha256 = hash_of([bytes(opened.data), language_pair.encode()])
    if not form and not raters and recognise_ratings(opened)[0].name == "jsonl" and is_journal(opened):
        journal = read_journal(path)
        lines = list(journal.lines)
        named = {line.campaign or str(journal.campaign.get("campaign", "")) for line in lines}
        if named and named <= ours:
            added = [
                imports.add_events(uid, _events(lines, uid, named), file=name, sha256=sha256, who=who)
                for uid in sorted(named)
            ]
            return [replace(one, notes=(*journal.notes, *one.notes)) for one in added]
    ratings = read_ratings(path, language_pair, form=form, raters=raters, ranges=ranges)
    found = settled(database, ratings)
    left = len(found.ratings.scores) + len(found.ratings.pairs)
    if found.known and not left:
        return [Imported(name, 0, found.known, conflicts=found.conflicts, notes=ratings.notes)]
    done = imports.add_ratings(found.ratings, file=name, sha256=sha256, who=who)
    clashes = (*found.conflicts, *done.conflicts)
    return [replace(done, known=done.known + found.known, conflicts=clashes, notes=(*ratings.notes, *done.notes))]


def _campaigns(database: Database) -> set[str]:
    with database.reading() as connection:
        return {campaign.uid for campaign in read_campaigns(connection)}


def _events(lines: Sequence[JournalLine], uid: str, named: set[str]) -> list[RatingEvent]:
    """A journal's lines of one campaign as events; lines that name none are of the only one there is."""
    return [
        RatingEvent(
            line.uid, uid, line.screen, line.rater, line.at, line.field, line.value, line.seconds,
            line.action, line.refers,
        )
        for line in lines
        if line.campaign == uid or (not line.campaign and len(named) == 1)
    ]  # fmt: skip


def _from_project(imports: Imports, path: Path, name: str, who: str) -> list[Imported]:
    """What raters did in a copy of the project that was sent to them, and the sets imported there."""
    other = open_database(locate(path))
    try:
        shared = sorted(_campaigns(imports.database) & _campaigns(other))
        with other.reading() as connection:
            events = {uid: read_events(connection, rating_events.c.campaign == uid) for uid in shared}
            sets = read_sets(connection)
    finally:
        other.close()
    if not shared and not sets:
        raise QeError(
            tr("this project has no campaign in common with the open one"),
            hint=tr("Import copies of the same project, or ratings as files."),
            place=locate(path).place,
        )
    found = [imports.add_events(uid, held, file=name, sha256="", who=who) for uid, held in events.items()]
    return found + [imports.add_ratings(one, file=one.origin or name, sha256="", who=who) for one in sets]
