"""Screens that come again, and control items: what is chosen for them, and where it is put among the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.drafts import Block, Draft, Shown
from qe_desktop.ratings.assignment.draws import Draws
from qe_desktop.ratings.assignment.shuffling import Inserting

LATER = 5
"""A screen is repeated at least so many screens later, where there are so many."""
DOCUMENT_LATER = 2
"""The same for whole documents: at least one other comes between."""
Degrade = Callable[[Shown], Shown]


def how_many(share: float, items: int) -> int:
    """The number of items that a share of them stands for: at least one where a share is wanted."""
    return min(items, max(1, math.ceil(share * items - 0.5))) if share > 0 and items else 0


def repeated(blocks: Sequence[Block], share: float, draws: Draws, later: int) -> list[Block]:
    """Copies of a share of the blocks, chosen evenly by group, of those first that have `later` blocks after them."""
    early = max(0, len(blocks) - later)
    chosen = _chosen(blocks[:early], blocks[early:], share, draws)
    return [
        Block(block.source, [_again(draft, draws) for draft in block.drafts], block.group, copies=block)
        for block in chosen
    ]


def control_blocks(blocks: Sequence[Block], share: float, draws: Draws, degrade: Degrade) -> list[Block]:
    """Degraded copies of a share of the blocks, chosen evenly by group.

    On a screen with one output, that is degraded. On a ranking, the degraded copy comes beside its original and as many
    of the others as keep the number of outputs.
    """
    return [
        Block(block.source, [_control(draft, draws, degrade) for draft in block.drafts], block.group, copies=block)
        for block in _chosen(blocks, (), share, draws)
    ]


def put_in(blocks: Sequence[Block], repeats: Sequence[Block], controls: Sequence[Block], place: Inserting, later: int
) -> list[Block]:  # fmt: skip
    """The blocks with repeats after their originals, and controls anywhere, both away from others of their source."""
    of = {id(block): number for number, block in enumerate(blocks)}
    extras: list[tuple[int, int, Block]] = []
    for block in repeats:
        original = of[id(block.copies)]
        extras.append((place.place(block.source, min(original + later, len(blocks))), original, block))
    for block in controls:
        extras.append((place.place(block.source, 0), of[id(block.copies)], block))
    # of those in one place, the one whose original came first comes first
    extras.sort(key=lambda extra: extra[:2])
    merged: list[Block] = []
    begin = 0
    for end, _, block in extras:
        merged += [*blocks[begin:end], block]
        begin = end
    return [*merged, *blocks[begin:]]


def _chosen(first: Sequence[Block], then: Sequence[Block], share: float, draws: Draws) -> list[Block]:
    """Blocks up to a share of all items, as near as whole blocks come to it, taken in turn from each group."""
    items = sum(map(len, first)) + sum(map(len, then))
    wanted = how_many(share, items)
    chosen: list[Block] = []
    held = 0
    for block in (*_in_turn(first, draws), *_in_turn(then, draws)) if wanted else ():
        if chosen and abs(held + len(block) - wanted) >= abs(held - wanted):
            break
        chosen.append(block)
        held += len(block)
    return chosen


def _in_turn(blocks: Sequence[Block], draws: Draws) -> list[Block]:
    """Blocks at random, one of each group in turn."""
    turns: dict[int, int] = {}
    keyed: list[tuple[int, int]] = []
    for place in draws.order(len(blocks)):
        turn = turns[blocks[place].group] = turns.get(blocks[place].group, -1) + 1
        keyed.append((turn, place))
    # the sort is stable: within a turn, groups keep their random order
    return [blocks[place] for _, place in sorted(keyed, key=lambda pair: pair[0])]


def _again(draft: Draft, draws: Draws) -> Draft:
    return Draft(draft.segment, _other_order(draft.shown, draws), ItemRole.REPEAT, draft)


def _other_order(shown: tuple[Shown, ...], draws: Draws) -> tuple[Shown, ...]:
    """The same outputs in another order, where there is another one."""
    again = tuple(draws.shuffled(shown))
    return again if again != shown or len(shown) < 2 else (*again[1:], again[0])


def _control(draft: Draft, draws: Draws, degrade: Degrade) -> Draft:
    original, *others = draws.shuffled(draft.shown)
    if len(draft.shown) == 1 and len(original.systems) == 1:
        return Draft(draft.segment, (degrade(original),), ItemRole.BAD, draft)
    kept = others[: max(0, len(draft.shown) - 2)]
    shown = tuple(draws.shuffled([original, degrade(original), *kept]))
    return Draft(draft.segment, shown, ItemRole.BAD, draft)
