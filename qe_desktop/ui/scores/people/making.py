"""A study of what is open, made beside the window: which ratings, what is set beside what, and the figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qe_desktop.corpus import BLIND, QeError, Ratings, View
from qe_desktop.corpus.campaigns import campaigns_of, part_of
from qe_desktop.project.campaign_views import ALL, FILES, ratings_kept
from qe_desktop.significance.randomisation import Watch
from qe_desktop.studies.humans import STEPS, study_humans
from qe_desktop.studies.open_inputs import ask_of
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.people.values import Beside, RatingsChoice, Wish
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.project.store import Project

READ, COUNTED = 0.1, 0.5
"""The shares of the work that are done when ratings are read, and when translations are counted."""


class NoRatings(QeError):
    """Nobody rated anything of what is open."""


class Hidden(QeError):
    """Systems go by letters in the ratings that were chosen, which no metric knows."""


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """What a study is made of: the view, and the project that is open with it, where its ratings may be read."""

    view: View
    project: Project | None = None


def made(opened: Opened, wish: Wish, progress: Progress) -> Beside:
    """Read the ratings, count, and study. QeError for what stands in the way of it."""
    choices = _choices(opened)
    chosen = _chosen(choices, wish.ratings)
    ratings = _ratings(opened, chosen)
    progress.report(READ, tr("ratings"))

    def counted(share: float) -> None:
        progress.report(READ + (COUNTED - READ) * share, tr("counting"))

    asked = ask_of(opened.view, ratings, wish.chosen(), counted)
    study = study_humans(asked.systems, asked.metrics, asked.people, wish.options, _watch(progress, COUNTED))
    return Beside(opened.view, wish, asked, study, chosen.uid, choices)


def studied_anew(before: Beside, wish: Wish, progress: Progress) -> Beside:
    """The same scores under other options."""
    asked = before.asked
    study = study_humans(asked.systems, asked.metrics, asked.people, wish.options, _watch(progress, 0.0))
    return replace(before, wish=wish, study=study, curves={})


def _choices(opened: Opened) -> tuple[RatingsChoice, ...]:
    """The ratings of the project, or those that came with what is open, each campaign by itself."""
    brought = opened.view.corpus.ratings
    if opened.project is not None:
        kept = ratings_kept(opened.project, brought=brought is not None)
        return tuple(RatingsChoice(one.uid, one.title, one.hidden) for one in kept)
    if brought is None:
        return ()
    campaigns = campaigns_of(brought)
    if len(campaigns) < 2:
        return (RatingsChoice(ALL, tr("Ratings from files")),)
    found = [RatingsChoice(uid, tr("Campaign {uid}, from files", uid=uid)) for uid in campaigns]
    others = part_of(brought, [""])
    if len(others.scores):
        found.append(RatingsChoice(FILES, tr("Ratings from files")))
    return tuple(found)


def _chosen(choices: tuple[RatingsChoice, ...], wanted: str | None) -> RatingsChoice:
    """The ratings that are wanted, else the first in which systems have names."""
    if not choices:
        message = tr("nobody rated the translations that are open")
        raise NoRatings(message, hint=tr("Add a file of ratings, or rate in the Rate area."))
    named = [one for one in choices if not one.hidden]
    found = next((one for one in choices if one.uid == wanted), (named or list(choices))[0])
    if found.hidden:
        message = tr("systems go by letters in “{ratings}”, so no metric can be set beside them", ratings=found.title)
        raise Hidden(message, hint=tr("Unblind the campaign in the Rate area; who does it, when and why is logged."))
    return found


def _ratings(opened: Opened, chosen: RatingsChoice) -> Ratings:
    if opened.project is not None:
        return opened.project.ratings(chosen.uid or None)
    brought = opened.view.corpus.ratings
    assert brought is not None, "there was something to choose"
    if chosen.uid == ALL:
        return brought
    mark = "" if chosen.uid == FILES else chosen.uid
    return part_of(brought, [mark, mark + BLIND] if mark else [mark])


def _watch(progress: Progress, begin: float) -> Watch:
    """Tells what the study does, of what is left of the work."""

    def watch(done: int, total: int) -> None:
        share = done / max(1, total)
        told = tr("drawing segments") if share * STEPS <= 1 else tr("permuting segments")
        progress.report(begin + (1 - begin) * share, told)

    return watch
