"""Merging of ratings by campaign; ratings of a blind campaign are never mixed with others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from qe_desktop.corpus.errors import QeError, SourceLocation
from qe_desktop.corpus.ratings import BLIND_SUFFIX, PairRatings, Ratings, RatingTable, ScoreRatings
from qe_desktop.i18n.messages import tr


def campaign_marks(ratings: Ratings) -> list[str]:
    """Campaign uids of ratings and comments, with `BLIND_SUFFIX` if blind; includes "" if some have no campaign."""
    marks: dict[str, None] = {}
    for table in (ratings.scores, ratings.pairs):
        marks |= dict.fromkeys(table.campaigns[index] for index in np.unique(table.campaign).tolist())
    marks |= dict.fromkeys(comment.campaign for comment in ratings.comments)
    return sorted(marks)


def campaigns_of(ratings: Ratings) -> list[str]:
    """Uids of the campaigns of ratings and comments, without the suffix of blind campaigns."""
    return sorted({mark.removesuffix(BLIND_SUFFIX) for mark in campaign_marks(ratings)} - {""})


def ratings_with_marks(ratings: Ratings, marks: Sequence[str]) -> Ratings:
    """Select the ratings and comments of some campaigns, in their original order.

    `marks` are uids of campaigns as `campaign_marks` returns them.
    """

    def row_mask(table: ScoreRatings | PairRatings) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.array([name in marks for name in table.campaigns], bool)[table.campaign]

    return replace(
        ratings,
        scores=ratings.scores.take(row_mask(ratings.scores)),
        pairs=ratings.pairs.take(row_mask(ratings.pairs)),
        comments=tuple(comment for comment in ratings.comments if comment.campaign in marks),
    )


def check_not_mixed(parts: Sequence[Ratings]) -> None:
    """Raise QeError if a blind campaign would be merged with other ratings: its letters stand for unknown systems."""
    marks = [set(campaign_marks(part)) for part in parts]
    all_marks = set().union(*marks)
    for part, part_marks in zip(parts, marks, strict=True):
        blind = sorted(mark for mark in part_marks if mark.endswith(BLIND_SUFFIX))
        if blind and all_marks - {blind[0]}:
            raise QeError(
                tr(
                    "this blind export of the campaign {campaign} identifies systems only by letters, so it cannot be "
                    "combined with other ratings",
                    campaign=blind[0].removesuffix(BLIND_SUFFIX),
                ),
                hint=tr(
                    "Unblind the campaign and export its ratings again, or import this file into the "
                    "campaign's project."
                ),
                place=SourceLocation(part.origin) if part.origin else None,
            )


RatingTableT = TypeVar("RatingTableT", bound=RatingTable[Any])


def added_ratings(current: Ratings | None, previous: Ratings | None) -> Ratings | None:
    """Ratings in `current` that are not in `previous`; None if there are none.

    `current` must be `previous` with other ratings appended (`join_ratings`). The result has the notes and origins that
    are not in `previous`. If `current` has no new origin, for example because a file of the same name was added, the
    result has all origins of `current`. The ranges of the result are those of `current`.
    """
    if current is None or current is previous:
        return None
    if previous is None:
        return current
    scores, pairs = _rows_from(current.scores, len(previous.scores)), _rows_from(current.pairs, len(previous.pairs))
    comments = current.comments[len(previous.comments) :]
    if not (len(scores) or len(pairs) or comments):
        return None
    origins = current.origin.removeprefix(previous.origin).removeprefix(", ") or current.origin
    notes = tuple(note for note in current.notes if note not in previous.notes)
    return Ratings(scores, pairs, comments, origins, notes, current.ranges)


def _rows_from(table: RatingTableT, first: int) -> RatingTableT:
    """Rows of a table from index `first` on, with only the names that these rows use."""
    rows = table.take(np.arange(first, len(table)))
    columns: dict[str, Any] = {}
    for tuple_name in dict.fromkeys(table.NAMES.values()):
        coded = [name for name, names in table.NAMES.items() if names == tuple_name]
        used = np.unique(np.concatenate([getattr(rows, name) for name in coded]))
        names = getattr(table, tuple_name)
        columns[tuple_name] = tuple(names[index] for index in used.tolist())
        columns |= {name: np.searchsorted(used, getattr(rows, name)).astype(np.int32) for name in coded}
    return replace(rows, **columns)
