"""Which campaigns ratings are of: told apart, and never mixed where they go by letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from qe_desktop.corpus.errors import Place, QeError
from qe_desktop.corpus.ratings import BLIND, PairRatings, Ratings, ScoreRatings
from qe_desktop.wording import tr


def marks_of(ratings: Ratings) -> list[str]:
    """The campaigns that ratings and comments are of, each with its mark where it is blind; "" for those of none."""
    found: dict[str, None] = {}
    for table in (ratings.scores, ratings.pairs):
        found |= dict.fromkeys(table.campaigns[place] for place in np.unique(table.campaign).tolist())
    found |= dict.fromkeys(comment.campaign for comment in ratings.comments)
    return sorted(found)


def campaigns_of(ratings: Ratings) -> list[str]:
    """The uids of the campaigns that ratings are of, blind or not."""
    return sorted({mark.removesuffix(BLIND) for mark in marks_of(ratings)} - {""})


def part_of(ratings: Ratings, marks: Sequence[str]) -> Ratings:
    """The ratings with one of these marks, in their order."""

    def chosen(table: ScoreRatings | PairRatings) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.array([name in marks for name in table.campaigns], bool)[table.campaign]

    return replace(
        ratings,
        scores=ratings.scores.take(chosen(ratings.scores)),
        pairs=ratings.pairs.take(chosen(ratings.pairs)),
        comments=tuple(comment for comment in ratings.comments if comment.campaign in marks),
    )


def refuse_mixed(parts: Sequence[Ratings]) -> None:
    """QeError where the letters of a blind campaign would stand beside other ratings: nobody knows whose they are."""
    marks = [set(marks_of(part)) for part in parts]
    for place, (part, own) in enumerate(zip(parts, marks, strict=True)):
        others = set().union(*marks[:place], *marks[place + 1 :])
        blind = sorted(mark for mark in own if mark.endswith(BLIND))
        if blind and others - {blind[0]}:
            raise QeError(
                tr(
                    "this is a blind export of the campaign {campaign}: its letters stand for systems "
                    "that only its own project can tell, so it cannot be joined with other ratings",
                    campaign=blind[0].removesuffix(BLIND),
                ),
                hint=tr("Unblind the campaign and export it again, or import the file into its project."),
                place=Place(part.origin) if part.origin else None,
            )
