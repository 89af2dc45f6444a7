"""All ratings of a project together: its campaigns' and those from files, and what a reader must know of that."""

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
    """What is meant by `wanted`, a campaign's uid, `FILES` or None for all, as one.

    `campaigns` names the project's own, `own` gives the ratings of one of them, `sets` are those that were imported.
    QeError where all is wanted and there are several campaigns, of the project or of files, and where none is so
    called.
    """
    foreign = sorted({uid for one in sets for uid in campaigns_of(one)} - set(campaigns))
    if wanted is None:
        if len(campaigns) + len(foreign) > 1:
            listed = [*campaigns.values(), *foreign, *([FILES_CHOICE] if _parts(sets, "") else [])]
            raise QeError(
                tr("the project has several campaigns, whose ratings are not joined"),
                hint=tr("Choose one of them; there are: {names}.", names=", ".join(listed)),
                command_hint=tr("Name one with --campaign; there are: {names}.", names=", ".join(listed)),
                place=place,
            )
        return _pool(list(campaigns.values()), [own(one) for one in campaigns], sets)
    parts = _parts(sets, "" if wanted == FILES_CHOICE else wanted)
    if wanted in campaigns:
        return _pool([campaigns[wanted]], [own(wanted)], parts)
    if wanted != FILES_CHOICE and wanted not in foreign:
        message = tr("there is no such campaign in the project")
        raise QeError(message, hint=tr("It may be in another project."), place=place)
    return _pool([], [], parts)


def _parts(sets: Sequence[Ratings], mark: str) -> list[Ratings]:
    """What sets hold of one campaign, or with no mark of none; those that hold anything of it."""
    parts = [ratings_with_marks(one, [mark]) for one in sets]
    return [one for one in parts if len(one.scores) + len(one.pairs)]


def _pool(names: Sequence[str], own: Sequence[Ratings], sets: Sequence[Ratings]) -> Ratings:
    """The ratings of campaigns (`own`, called `names`) and of imported `sets` as one, each rating once.

    An export of a campaign that comes back is no second opinion. Notes say what was taken together, and how often
    files disagree.
    """
    parts = [*([join_ratings(own)] if own else []), *sets]
    if not parts:
        return Ratings.of()
    found = merge_ratings(parts)
    notes = list(found.ratings.notes)
    if len(own) + len(sets) > 1:
        files = [tr("{n} {n:imported file|imported files}", "", len(sets))] if sets else []
        notes.append(tr("taken together: {names}", names=join_localized(", ", [*names, *files])))
    times = len(found.conflicts)
    if times == 1:
        notes.append(tr("imported files disagree once; the first one counts"))
    elif times:
        notes.append(tr("imported files disagree {n:,} {n:time|times}; the first one counts", "", times))
    return replace(found.ratings, notes=tuple(notes))
