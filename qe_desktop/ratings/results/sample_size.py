"""How much ratings can be of: what is beyond is refused in words, before a table of all pairs is made of it."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus import TOGETHER, Place, QeError, Ratings
from qe_desktop.ratings.aggregation.units import RATED, has_role
from qe_desktop.wording import tr

MOST_SYSTEMS = 1_000
"""Systems that are compared: each with each other, in tables of systems × systems."""
MOST_SCALES = 50
MOST_RATERS = 20_000
MOST_JUDGEMENTS = 20_000_000
"""Judgements between single systems, once identical outputs that were shown as one are each system's own."""
MOST_SHARED = 50_000_000
"""Pairs of ratings of one output by two raters."""
MOST_PAIRS = 500_000
"""Pairs of raters: 1,000 raters who all rated the same are so many."""
MOST_MEANS = 10_000
"""Means of systems, one on each scale, whose intervals are drawn together."""
_SYSTEMS = tr("Perhaps another column was taken for that of the systems: look at its names.")


def refuse_beyond(ratings: Ratings) -> None:
    """QeError where there is more to compare with each other than a computer can."""
    scores, pairs = ratings.scores, ratings.pairs
    rows = np.flatnonzero(has_role(scores, RATED))
    systems, scales = (len(np.unique(column[rows])) for column in (scores.system, scores.scale))
    _refuse(ratings, systems, MOST_SYSTEMS, "systems", _SYSTEMS)
    _refuse(ratings, scales, MOST_SCALES, "scales", tr("Perhaps another column was taken for that of the scales."))
    raters = tr("Perhaps another column was taken for that of the raters: look at its names.")
    for table in (scores, pairs):
        _refuse(ratings, len(np.unique(table.rater)), MOST_RATERS, "raters", raters)
    _refuse(ratings, systems * scales, MOST_MEANS, "means", _SYSTEMS)
    shared, some = _shared(ratings, rows), len(np.unique(scores.rater[rows]))
    _refuse(ratings, shared, MOST_SHARED, "shared", raters)
    _refuse(ratings, min(shared, some * (some - 1) // 2), MOST_PAIRS, "pairs", raters)
    _refuse_crowds(ratings)


def _shared(ratings: Ratings, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    scores = ratings.scores
    if not len(rows):
        return 0
    keys = scores.system[rows].astype(np.int64) * max(1, len(scores.segments)) + scores.segment[rows]
    keys = keys * max(1, len(scores.scales)) + scores.scale[rows]
    counts = np.unique(keys, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _refuse_crowds(ratings: Ratings) -> None:
    """Units of many identical outputs: the judgement of two is one for each system of the one and each of the other."""
    pairs = ratings.pairs
    used = np.zeros(len(pairs.units), bool)
    used[pairs.first] = used[pairs.second] = True
    sizes = np.fromiter((unit.count(TOGETHER) + 1 for unit in pairs.units), np.int64, len(pairs.units))
    names = {name for unit, there in zip(pairs.units, used, strict=True) if there for name in unit.split(TOGETHER)}
    _refuse(ratings, len(names), MOST_SYSTEMS, "systems", _SYSTEMS)
    single = int((sizes[pairs.first] * sizes[pairs.second]).sum())
    joined = tr("Names of systems that are joined by + stand for identical outputs: check that they are.")
    _refuse(ratings, single, MOST_JUDGEMENTS, "judgements", joined)


def _refuse(ratings: Ratings, count: int, most: int, what: str, hint: str) -> None:
    if count > most:
        message = _beyond(count, most)[what]
        raise QeError(message, hint=hint, place=Place(ratings.origin) if ratings.origin else None)


def _beyond(count: int, most: int) -> dict[str, str]:
    """The sentences by what there are too many of."""
    return {
        "systems": tr(
            "there are {n:,} systems, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "scales": tr(
            "there are {n:,} scales, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "raters": tr(
            "there are {n:,} raters, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "means": tr(
            "there are {n:,} means of systems on scales, of which no more than {most:,} can be compared with each "
            "other", "", count, most=most,
        ),
        "shared": tr(
            "there are {n:,} {n:pair|pairs} of ratings of the same output, of which no more than "
            "{most:,} can be compared with "
            "each other", "", count, most=most,
        ),
        "pairs": tr(
            "there are {n:,} {n:pair|pairs} of raters, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "judgements": tr(
            "there are {n:,} {n:judgement|judgements} between two systems, of which no more than "
            "{most:,} can be compared with each "
            "other", "", count, most=most,
        ),
    }  # fmt: skip
