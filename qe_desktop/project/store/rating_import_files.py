"""Import of rating files: journals, copies of the project, and other ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import BLIND_SUFFIX, QeError, Ratings, SourceLocation, join_ratings
from qe_desktop.corpus.ratings_merge import campaign_marks, ratings_with_marks
from qe_desktop.formats.files import has_signature
from qe_desktop.formats.files_in_use import is_open_here
from qe_desktop.formats.parsed_tables import pair_key
from qe_desktop.formats.ratings import JournalLine, read_journal, read_ratings
from qe_desktop.formats.ratings.cell_parsing import Ranges
from qe_desktop.formats.ratings.journal import is_journal
from qe_desktop.formats.ratings.registry import detect_rating_format
from qe_desktop.formats.text_files import display_name, open_file
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.location import locate
from qe_desktop.project.store.project_opening import SQLITE_MAGIC, open_database
from qe_desktop.project.store.rating_imports import ImportResult, ImportWriter, import_hash
from qe_desktop.project.store.tables.campaign_tables import hidden_systems, read_campaigns, read_design
from qe_desktop.project.store.tables.event_table import read_events
from qe_desktop.project.store.tables.rating_table import not_withdrawn, read_sets
from qe_desktop.project.store.tables.schema import rating_events
from qe_desktop.ratings.blinding import BLIND_NAME_PATTERN, collect_ratings, design_letters, unblind_ratings
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.rating_file_merge import RatingConflict, conflicts_without_systems, new_ratings


@dataclass(frozen=True, slots=True, eq=False)
class ReimportedRatings:
    """Ratings of a file, with system names in place of the letters in a blind export.

    Ratings that the project's campaigns already have are left out; `known` is the number of these.
    """

    ratings: Ratings
    known: int
    conflicts: tuple[RatingConflict, ...]


def reconcile_ratings(database: Database, ratings: Ratings) -> ReimportedRatings:
    """Return the ratings of a file that the project's campaigns lack, and conflicts with the campaigns' ratings.

    Raises QeError for a blind export that belongs to another project's campaign or does not specify its campaign.
    """
    with database.reading() as connection:
        own_uids = {campaign.uid for campaign in read_campaigns(connection)}
        marks = campaign_marks(ratings)
        _reject_unknown_systems(ratings, marks, own_uids)
        matching = {mark.removesuffix(BLIND_SUFFIX) for mark in marks} & own_uids
        designs = [read_design(connection, uid) for uid in sorted(matching)]
        counted = not_withdrawn(connection)
        events = {uid: read_events(connection, rating_events.c.campaign == uid, counted) for uid in matching}
        hidden = hidden_systems(connection)
    remaining = ratings_with_marks(ratings, [mark for mark in marks if mark.removesuffix(BLIND_SUFFIX) not in matching])
    imported = [_reconcile_campaign(ratings, design, events[design.campaign.uid]) for design in designs]
    parts = [item.ratings for item in imported]
    parts += [remaining] if len(remaining.scores) or len(remaining.pairs) or not imported else []
    joined = replace(join_ratings(parts), origin=ratings.origin, notes=ratings.notes)
    conflicts = tuple(conflict for item in imported for conflict in item.conflicts)
    return ReimportedRatings(joined, sum(item.known for item in imported), conflicts_without_systems(conflicts, hidden))


def _reconcile_campaign(ratings: Ratings, design: CampaignDesign, events: Sequence[RatingEvent]) -> ReimportedRatings:
    uid = design.campaign.uid
    names = {letter: name for name, letter in design_letters(design).items()}
    unblinded = join_ratings([ratings_with_marks(ratings, [uid]), unblind_ratings(ratings, uid, names)])
    size = len(unblinded.scores) + len(unblinded.pairs)
    # values that were changed later are also known, and do not conflict
    values = {event.uid: event.value for event in events}
    scores, pairs = unblinded.scores, unblinded.pairs
    event_values = np.array([_number(values.get(name)) if name else np.nan for name in scores.uids])[scores.uid]
    known_pairs = np.array([bool(name) and name in values for name in pairs.uids], bool)[pairs.uid]
    remaining = replace(
        unblinded,
        scores=scores.take(event_values != scores.value),
        pairs=pairs.take(~known_pairs),
        origin=ratings.origin,
    )
    existing = replace(collect_ratings(design, events), origin=design.campaign.name)
    new = new_ratings(existing, remaining)
    return ReimportedRatings(new.ratings, size - len(new.ratings.scores) - len(new.ratings.pairs), new.conflicts)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _reject_unknown_systems(ratings: Ratings, marks: Sequence[str], own_uids: set[str]) -> None:
    source = SourceLocation(ratings.origin) if ratings.origin else None
    for mark in marks:
        if mark.endswith(BLIND_SUFFIX) and mark.removesuffix(BLIND_SUFFIX) not in own_uids:
            raise QeError(
                tr(
                    "this is a blind export of the campaign {campaign}, which is not in this project, "
                    "so it is unknown which systems its letters stand for",
                    campaign=mark.removesuffix(BLIND_SUFFIX),
                ),
                hint=tr(
                    "Import the file into the campaign's own project, or unblind the campaign in that project and "
                    "export the ratings again."
                ),
                place=source,
            )
    used = {ratings.scores.systems[index] for index in np.unique(ratings.scores.system).tolist()}
    used |= {ratings.pairs.units[index] for index in np.unique(ratings.pairs.first).tolist()}
    if own_uids and marks == [""] and used and all(BLIND_NAME_PATTERN.fullmatch(name) for name in used):
        raise QeError(
            tr("systems are named by letters, as in a blind export, but the campaign is not specified"),
            hint=tr("Export the ratings again; the new file will specify the campaign."),
            place=source,
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
    """Import a file; return one result per campaign or set of ratings.

    Events of this project's campaigns are merged; other ratings are stored as a set, without those that the campaigns
    already have. `language_pair` selects one of several language pairs in a file. `form` names the format; if it is
    empty, the format is detected. For a table, `raters` names the rater columns, and `ranges` are the ranges of the
    scales. Raises QeError for raters and if this project is read-only. Also raises QeError if the file is unreadable,
    is a blind export of another project's campaign, or is a project with nothing to import. In all these cases, nothing
    is imported.
    """
    imports = ImportWriter(database)
    name = display_name(path)
    if is_open_here(path) or has_signature(path, SQLITE_MAGIC):
        return _from_project(imports, path, name, who)
    own_uids = _campaigns(database)
    opened = open_file(path)
    # options change the ratings, so they are hashed too; without options, the hash is the same as in earlier versions
    options = repr((form, tuple(raters), tuple(ranges))).encode() if form or raters or ranges else b""
    sha256 = import_hash([bytes(opened.data), pair_key(language_pair).encode(), options])
    if not form and not raters and detect_rating_format(opened)[0].name == "jsonl" and is_journal(opened):
        journal = read_journal(path)
        lines = list(journal.lines)
        header = str(journal.campaign.get("campaign", ""))
        campaign_uids = {line.campaign or header for line in lines}
        if campaign_uids and campaign_uids <= own_uids:
            added = [
                imports.add_events(uid, _events(lines, uid, header), file=name, sha256=sha256, who=who)
                for uid in sorted(campaign_uids)
            ]
            return [replace(result, notes=(*journal.notes, *result.notes)) for result in added]
    ratings = read_ratings(path, language_pair, form=form, raters=raters, ranges=ranges)
    imported = reconcile_ratings(database, ratings)
    remaining = len(imported.ratings.scores) + len(imported.ratings.pairs)
    if imported.known and not remaining:
        return [ImportResult(name, 0, imported.known, conflicts=imported.conflicts, notes=ratings.notes)]
    done = imports.add_ratings(imported.ratings, file=name, sha256=sha256, who=who)
    all_conflicts = (*imported.conflicts, *done.conflicts)
    return [
        replace(done, known=done.known + imported.known, conflicts=all_conflicts, notes=(*ratings.notes, *done.notes))
    ]


def _campaigns(database: Database) -> set[str]:
    with database.reading() as connection:
        return {campaign.uid for campaign in read_campaigns(connection)}


def _events(lines: Sequence[JournalLine], uid: str, header: str) -> list[RatingEvent]:
    """Convert the journal lines of the campaign `uid` to events.

    Lines that name no campaign belong to the campaign `header`, which the header of the journal names.
    """
    return [
        RatingEvent(
            line.uid, uid, line.screen, line.rater, line.at, line.field, line.value, line.seconds,
            line.action, line.refers,
        )
        for line in lines
        if (line.campaign or header) == uid
    ]  # fmt: skip


def _from_project(imports: ImportWriter, path: Path, name: str, who: str) -> list[ImportResult]:
    """Import another project: the events of campaigns that both projects have, and its sets of imported ratings.

    Raises QeError if the other project has neither.
    """
    source = open_database(locate(path))
    try:
        shared = sorted(_campaigns(imports.database) & _campaigns(source))
        with source.reading() as connection:
            counted = not_withdrawn(connection)
            events = {uid: read_events(connection, rating_events.c.campaign == uid, counted) for uid in shared}
            sets = read_sets(connection)
            has_ratings = bool(sets) or any(read_events(connection, rating_events.c.campaign == uid) for uid in shared)
    finally:
        source.close()
    if not shared and not sets:
        raise QeError(
            tr("the project in this file has no campaign in common with the open project, and no imported ratings"),
            hint=tr("Import a copy of the open project, or a file of ratings."),
            place=locate(path).place,
        )
    if not has_ratings:
        return [ImportResult(name, 0, notes=(tr("the copy has no ratings"),))]
    results = [imports.add_events(uid, rows, file=name, sha256="", who=who) for uid, rows in events.items()]
    return results + [imports.add_ratings(ratings, file=ratings.origin or name, sha256="", who=who) for ratings in sets]
