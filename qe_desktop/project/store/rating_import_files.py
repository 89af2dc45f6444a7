"""Importing ratings from a file: a journal, another copy of the project, or ratings from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import BLIND_SUFFIX, QeError, Ratings, SourceLocation, join_ratings
from qe_desktop.corpus.ratings_merge import campaign_marks, ratings_with_marks
from qe_desktop.formats.io.file_locks import is_open_here
from qe_desktop.formats.io.files import has_signature
from qe_desktop.formats.io.text_files import display_name, open_file
from qe_desktop.formats.ratings import JournalLine, read_journal, read_ratings
from qe_desktop.formats.ratings.cell_parsing import Ranges
from qe_desktop.formats.ratings.journal import is_journal
from qe_desktop.formats.ratings.registry import detect_rating_format
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.location import locate
from qe_desktop.project.store.project_opening import SQLITE_MAGIC, open_database
from qe_desktop.project.store.rating_imports import ImportResult, ImportWriter, import_hash
from qe_desktop.project.store.tables.campaign_tables import hidden_systems, read_campaigns, read_design
from qe_desktop.project.store.tables.event_table import read_events
from qe_desktop.project.store.tables.rating_table import read_sets
from qe_desktop.project.store.tables.schema import rating_events
from qe_desktop.ratings.blinding import BLIND_NAME_PATTERN, collect_ratings, design_letters, unblind_ratings
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.rating_merge import RatingConflict, conflicts_without_systems, new_ratings


@dataclass(frozen=True, slots=True, eq=False)
class ReimportedRatings:
    """A file's ratings with the names of systems, without those that the project's campaigns hold already."""

    ratings: Ratings
    known: int
    conflicts: tuple[RatingConflict, ...]


def reconcile_ratings(database: Database, ratings: Ratings) -> ReimportedRatings:
    """What a file says that the project does not know. QeError for a blind export of another project's campaign."""
    with database.reading() as connection:
        ours = {campaign.uid for campaign in read_campaigns(connection)}
        marks = campaign_marks(ratings)
        _reject_unknown_systems(ratings, marks, ours)
        named = {mark.removesuffix(BLIND_SUFFIX) for mark in marks} & ours
        designs = [read_design(connection, uid) for uid in sorted(named)]
        events = {uid: read_events(connection, rating_events.c.campaign == uid) for uid in named}
        hidden = hidden_systems(connection)
    rest = ratings_with_marks(ratings, [mark for mark in marks if mark.removesuffix(BLIND_SUFFIX) not in named])
    found = [_of_campaign(ratings, design, events[design.campaign.uid]) for design in designs]
    parts = [one.ratings for one in found]
    parts += [rest] if len(rest.scores) or len(rest.pairs) or not found else []
    whole = replace(join_ratings(parts), origin=ratings.origin, notes=ratings.notes)
    clashes = tuple(conflict for one in found for conflict in one.conflicts)
    return ReimportedRatings(whole, sum(one.known for one in found), conflicts_without_systems(clashes, hidden))


def _of_campaign(ratings: Ratings, design: CampaignDesign, events: Sequence[RatingEvent]) -> ReimportedRatings:
    uid = design.campaign.uid
    names = {letter: name for name, letter in design_letters(design).items()}
    plain = join_ratings([ratings_with_marks(ratings, [uid]), unblind_ratings(ratings, uid, names)])
    size = len(plain.scores) + len(plain.pairs)
    # what an event said that was given since another value is known, too, and no contradiction
    said = {event.uid: event.value for event in events}
    scores, pairs = plain.scores, plain.pairs
    given = np.array([_number(said.get(name)) if name else np.nan for name in scores.uids])[scores.uid]
    judged = np.array([bool(name) and name in said for name in pairs.uids], bool)[pairs.uid]
    left = replace(plain, scores=scores.take(given != scores.value), pairs=pairs.take(~judged), origin=ratings.origin)
    own = replace(collect_ratings(design, events), origin=design.campaign.name)
    new = new_ratings(own, left)
    return ReimportedRatings(new.ratings, size - len(new.ratings.scores) - len(new.ratings.pairs), new.conflicts)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _reject_unknown_systems(ratings: Ratings, marks: Sequence[str], ours: set[str]) -> None:
    place = SourceLocation(ratings.origin) if ratings.origin else None
    for mark in marks:
        if mark.endswith(BLIND_SUFFIX) and mark.removesuffix(BLIND_SUFFIX) not in ours:
            raise QeError(
                tr(
                    "this is a blind export of the campaign {campaign}, which is not in this project: "
                    "what its letters stand for is not known here",
                    campaign=mark.removesuffix(BLIND_SUFFIX),
                ),
                hint=tr("Import it into its own project, or unblind the campaign there and export it again."),
                place=place,
            )
    used = {ratings.scores.systems[place] for place in np.unique(ratings.scores.system).tolist()}
    used |= {ratings.pairs.units[place] for place in np.unique(ratings.pairs.first).tolist()}
    if ours and marks == [""] and used and all(BLIND_NAME_PATTERN.fullmatch(name) for name in used):
        raise QeError(
            tr("the systems go by letters, as in a blind export, and the file does not say of which campaign"),
            hint=tr("Export it again: exports say now which campaign they are of."),
            place=place,
        )


def import_file(
    database: Database,
    path: Path,
    *,
    language_pair: str,
    form: str,
    who: str,
    raters: Sequence[str] = (),
    ranges: Ranges = (),
) -> list[ImportResult]:
    """Take in what a file holds; several results where it holds several campaigns.

    Events of this project's campaigns are united with them; everything else is kept as a set of its own, without what
    those campaigns hold already. `form` names the format where it shall not be recognised, `raters` the columns of a
    table that are raters', `ranges` those of scales. QeError for what cannot be read, and for blind exports of
    campaigns of other projects; then nothing is taken in.
    """
    imports = ImportWriter(database)
    name = display_name(path)
    if is_open_here(path) or has_signature(path, SQLITE_MAGIC):
        return _from_project(imports, path, name, who)
    ours = _campaigns(database)
    opened = open_file(path)
    sha256 = import_hash([bytes(opened.data), language_pair.encode()])
    if not form and not raters and detect_rating_format(opened)[0].name == "jsonl" and is_journal(opened):
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
    found = reconcile_ratings(database, ratings)
    left = len(found.ratings.scores) + len(found.ratings.pairs)
    if found.known and not left:
        return [ImportResult(name, 0, found.known, conflicts=found.conflicts, notes=ratings.notes)]
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


def _from_project(imports: ImportWriter, path: Path, name: str, who: str) -> list[ImportResult]:
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
