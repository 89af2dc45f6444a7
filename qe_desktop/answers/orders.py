"""Ranks of the outputs on one screen: tuples of small numbers, 1 the best, equal ones a tie, 0 where there is none."""

from __future__ import annotations

from qe_desktop.wording import tr

LETTERS = "ABCDE"
"""What the outputs of a screen are called, in the order shown."""
Order = tuple[int, ...]


def no_ranks(count: int) -> Order:
    """Nothing ranked yet."""
    return (0,) * count


def ranked(ranks: Order, place: int, rank: int) -> Order:
    """With another rank for one output."""
    return (*ranks[:place], rank, *ranks[place + 1 :])


def moved(ranks: Order, place: int, by: int) -> Order:
    """One output `by` rows down (up, where negative), no further than the first or last row.

    An output without a rank comes in at the bottom going up, and at the top going down.

    >>> moved((0, 1, 3), 0, -1), moved((2, 1, 3), 0, -1), moved((1, 1, 3), 0, -1)
    ((3, 1, 3), (1, 1, 3), (1, 1, 3))
    """
    last = len(ranks)
    before = ranks[place] or (last + 1 if by < 0 else 0)
    return ranked(ranks, place, min(max(1, before + by), last))


def unranked(ranks: Order) -> list[int]:
    """The places that have no rank yet."""
    return [place for place, rank in enumerate(ranks) if not rank]


def following(ranks: Order, place: int) -> int:
    """The next output without a rank, after `place` and then from the beginning; `place` where all have one."""
    later = [other for other in unranked(ranks) if other > place]
    return next(iter(later or unranked(ranks)), place)


def rows(ranks: Order) -> dict[int, list[int]]:
    """The places by rank, only the ranks that are used, the best first."""
    return {rank: [place for place, own in enumerate(ranks) if own == rank] for rank in sorted(set(ranks) - {0})}


def spoken(ranks: Order) -> str:
    """The whole ranking in one line.

    >>> spoken((2, 1, 2)), spoken((1, 0)), spoken((0, 0))
    ('B > A = C', 'A', 'nothing ranked')
    """
    parts = [" = ".join(LETTERS[place] for place in places) for places in rows(ranks).values()]
    return " > ".join(parts) or tr("nothing ranked")
