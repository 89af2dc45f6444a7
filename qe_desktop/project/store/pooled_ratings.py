"""Pooling of all ratings of a project: those of its campaigns and those from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from qe_desktop.corpus import QeError, Ratings, SourceLocation, join_ratings
from qe_desktop.corpus.ratings_merge import campaigns_of, ratings_with_marks
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.campaign_views import FILES_CHOICE
from qe_desktop.ratings.rating_merge import merge_ratings


def pool_ratings(
    campaigns: Mapping[str, str],
    own: Callable[[str], Ratings],
    sets: Sequence[Ratings],
    wanted: str | None,
    place: SourceLocation,
) -> Ratings:
    """Ratings selected by `wanted`: a campaign's uid, `FILES_CHOICE`, or None for all.

    `campaigns` names the project's own, `own` returns the ratings of one, `sets` are the imported ones. Raises QeError
    if all are requested but belong to several campaigns, and for an unknown campaign.
    """
    foreign = sorted({uid for ratings in sets for uid in campaigns_of(ratings)} - set(campaigns))
    if wanted is None:
        if len(campaigns) + len(foreign) > 1:
            listed = [*campaigns.values(), *foreign, *([FILES_CHOICE] if _parts(sets, "") else [])]
            raise QeError(
                tr("ratings of different campaigns are not combined"),
                hint=tr("Select one campaign: {names}.", names=", ".join(listed)),
                command_hint=tr("Use --campaign with one of: {names}.", names=", ".join(listed)),
                place=place,
            )
        return _pool(list(campaigns.values()), [own(uid) for uid in campaigns], sets)
    parts = _parts(sets, "" if wanted == FILES_CHOICE else wanted)
    if wanted in campaigns:
        return _pool([campaigns[wanted]], [own(wanted)], parts)
    if wanted != FILES_CHOICE and wanted not in foreign:
        message = tr("no such campaign in the project")
        raise QeError(message, hint=tr("It may be in another project."), place=place)
    return _pool([], [], parts)


def _parts(sets: Sequence[Ratings], mark: str) -> list[Ratings]:
    """Parts of sets that belong to one campaign (or none, with an empty mark), without empty ones."""
    parts = [ratings_with_marks(ratings, [mark]) for ratings in sets]
    return [ratings for ratings in parts if len(ratings.scores) + len(ratings.pairs)]


def _pool(names: Sequence[str], own: Sequence[Ratings], sets: Sequence[Ratings]) -> Ratings:
    """Combine ratings of campaigns (`own`, called `names`) and imported `sets`, each rating once.

    A reimported export does not count twice. Notes list what was combined and how often files disagree.
    """
    parts = [*([join_ratings(own)] if own else []), *sets]
    if not parts:
        return Ratings.of()
    merged = merge_ratings(parts)
    notes = list(merged.ratings.notes)
    if len(own) + len(sets) > 1:
        files = [tr("{n} {n:imported file|imported files}", "", len(sets))] if sets else []
        notes.append(tr("combined: {names}", names=join_localized(", ", [*names, *files])))
    times = len(merged.conflicts)
    if times == 1:
        notes.append(tr("imported files disagree once; the first one counts"))
    elif times:
        notes.append(tr("imported files disagree {n:,} {n:time|times}; the first one counts", "", times))
    return replace(merged.ratings, notes=tuple(notes))
