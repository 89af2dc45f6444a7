"""Repeated screens and quality-control items: selection and insertion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.drafts import DraftBlock, DraftOutput, ScreenDraft
from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.assignment.screen_order import BlockInserter

MIN_REPEAT_DISTANCE = 5
"""Minimum distance of a repeated screen from its original, if there are enough screens."""
MIN_DOCUMENT_REPEAT_DISTANCE = 2
"""Minimum distance of a repeated document from its original: at least one other document in between."""
Degrade = Callable[[DraftOutput], DraftOutput]


def share_count(share: float, items: int) -> int:
    """Return the number of items for a share, rounded: at least one unless the share or the number of items is 0."""
    return min(items, max(1, math.ceil(share * items - 0.5))) if share > 0 and items else 0


def repeat_blocks(blocks: Sequence[DraftBlock], share: float, draws: RandomStream, later: int) -> list[DraftBlock]:
    """Return copies of a share of the blocks, balanced by group, preferably of blocks followed by `later` others."""
    split = max(0, len(blocks) - later)
    chosen = _select_blocks(blocks[:split], blocks[split:], share, draws)
    return [
        DraftBlock(block.source, [_repeat_draft(draft, draws) for draft in block.drafts], block.group, copies=block)
        for block in chosen
    ]


def make_control_blocks(
    blocks: Sequence[DraftBlock], share: float, draws: RandomStream, degrade: Degrade
) -> list[DraftBlock]:
    """Return degraded copies of a share of the blocks, balanced by group.

    A screen with one output shows it degraded. A ranking shows the degraded copy, its original, and as many other
    outputs as fit the original number of outputs.
    """
    return [
        DraftBlock(block.source, [_control(draft, draws, degrade) for draft in block.drafts], block.group, copies=block)
        for block in _select_blocks(blocks, (), share, draws)
    ]


def insert_blocks(
    blocks: Sequence[DraftBlock],
    repeats: Sequence[DraftBlock],
    controls: Sequence[DraftBlock],
    inserter: BlockInserter,
    later: int,
) -> list[DraftBlock]:
    """Return the blocks with repeats after their originals and `controls` anywhere.

    Both are placed away from other blocks of the same source. If possible, a repeat is at least `later` blocks after
    its original.
    """
    of = {id(block): number for number, block in enumerate(blocks)}
    extras: list[tuple[int, int, DraftBlock]] = []
    for block in repeats:
        original = of[id(block.copies)]
        extras.append((inserter.place(block.source, min(original + later, len(blocks))), original, block))
    for block in controls:
        extras.append((inserter.place(block.source, 0), of[id(block.copies)], block))
    # at equal positions, in the order of their originals
    extras.sort(key=lambda extra: extra[:2])
    merged: list[DraftBlock] = []
    begin = 0
    for end, _, block in extras:
        merged += [*blocks[begin:end], block]
        begin = end
    return [*merged, *blocks[begin:]]


def _select_blocks(
    first: Sequence[DraftBlock], then: Sequence[DraftBlock], share: float, draws: RandomStream
) -> list[DraftBlock]:
    """Return blocks that amount to a share of all items, rounded to whole blocks, cycling through groups.

    Blocks in `first` are selected before those in `then`.
    """
    items = sum(map(len, first)) + sum(map(len, then))
    target_count = share_count(share, items)
    chosen: list[DraftBlock] = []
    count = 0
    for block in (*_cycle_groups(first, draws), *_cycle_groups(then, draws)) if target_count else ():
        if chosen and abs(count + len(block) - target_count) >= abs(count - target_count):
            break
        chosen.append(block)
        count += len(block)
    return chosen


def _cycle_groups(blocks: Sequence[DraftBlock], draws: RandomStream) -> list[DraftBlock]:
    """Return the blocks in random order, cycling through the groups."""
    turns: dict[int, int] = {}
    keyed: list[tuple[int, int]] = []
    for index in draws.permutation(len(blocks)):
        turn = turns[blocks[index].group] = turns.get(blocks[index].group, -1) + 1
        keyed.append((turn, index))
    # stable sort: within a turn, groups keep their random order
    return [blocks[index] for _, index in sorted(keyed, key=lambda pair: pair[0])]


def _repeat_draft(draft: ScreenDraft, draws: RandomStream) -> ScreenDraft:
    return ScreenDraft(draft.segment, _reorder_outputs(draft.shown, draws), ItemRole.REPEAT, draft)


def _reorder_outputs(outputs: tuple[DraftOutput, ...], draws: RandomStream) -> tuple[DraftOutput, ...]:
    """Return the same outputs in a different order, if possible."""
    reordered = tuple(draws.shuffled(outputs))
    return reordered if reordered != outputs or len(outputs) < 2 else (*reordered[1:], reordered[0])


def _control(draft: ScreenDraft, draws: RandomStream, degrade: Degrade) -> ScreenDraft:
    original, *other_outputs = draws.shuffled(draft.shown)
    if len(draft.shown) == 1 and len(original.systems) == 1:
        return ScreenDraft(draft.segment, (degrade(original),), ItemRole.BAD, draft)
    retained = other_outputs[: max(0, len(draft.shown) - 2)]
    outputs = tuple(draws.shuffled([original, degrade(original), *retained]))
    return ScreenDraft(draft.segment, outputs, ItemRole.BAD, draft)
