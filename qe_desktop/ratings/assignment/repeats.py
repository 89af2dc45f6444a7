"""Repeated screens and quality-control items: selection and insertion."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.drafts import DraftBlock, DraftOutput, ScreenDraft
from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.assignment.screen_order import BlockInserter

MIN_REPEAT_DISTANCE = 5
"""Minimum distance, in screens, between a screen and its repeat; shorter only if there are too few screens."""
MIN_DOCUMENT_REPEAT_DISTANCE = 2
"""Minimum distance, in blocks, between a document and its repeat (one block in between); shorter only if necessary."""
Degrade = Callable[[DraftOutput], DraftOutput]


def share_count(share: float, items: int) -> int:
    """Return `share` (0..1) times `items`, rounded to a whole number; at least 1 unless `share` or `items` is 0."""
    return min(items, max(1, math.ceil(share * items - 0.5))) if share > 0 and items else 0


def repeat_blocks(
    blocks: Sequence[DraftBlock], share: float, stream: RandomStream, min_distance: int
) -> list[DraftBlock]:
    """Select blocks with a `share` of all items, balanced by group, and return repeats of these blocks.

    The last `min_distance` blocks, which are too close to the end, are repeated only if necessary.
    """
    split = max(0, len(blocks) - min_distance)
    chosen = _select_blocks(blocks[:split], blocks[split:], share, stream)
    return [
        DraftBlock(block.source, [_repeat_draft(draft, stream) for draft in block.drafts], block.group, copies=block)
        for block in chosen
    ]


def make_control_blocks(
    blocks: Sequence[DraftBlock], share: float, stream: RandomStream, degrade: Degrade
) -> list[DraftBlock]:
    """Select blocks with a `share` of all items, balanced by group, and return degraded copies of these blocks.

    If a screen shows a single system, its copy shows only the degraded output. The copy of a ranking shows one original
    output, the degraded version of this output, and enough other outputs to keep the number of outputs.
    """
    return [
        DraftBlock(
            block.source, [_control(draft, stream, degrade) for draft in block.drafts], block.group, copies=block
        )
        for block in _select_blocks(blocks, (), share, stream)
    ]


def insert_blocks(
    blocks: Sequence[DraftBlock],
    repeats: Sequence[DraftBlock],
    controls: Sequence[DraftBlock],
    inserter: BlockInserter,
    min_distance: int,
) -> list[DraftBlock]:
    """Return all blocks in order, with repeats inserted after their originals, and control blocks anywhere.

    Repeats and control blocks are placed away from other blocks of the same source. If possible, a repeat is at least
    `min_distance` blocks after its original.
    """
    block_indices = {id(block): number for number, block in enumerate(blocks)}
    insertions: list[tuple[int, int, DraftBlock]] = []
    for block in repeats:
        original = block_indices[id(block.copies)]
        insertions.append((inserter.place(block.source, min(original + min_distance, len(blocks))), original, block))
    for block in controls:
        insertions.append((inserter.place(block.source, 0), block_indices[id(block.copies)], block))
    # at equal positions, in the order of their originals
    insertions.sort(key=lambda extra: extra[:2])
    merged: list[DraftBlock] = []
    begin = 0
    for end, _, block in insertions:
        merged += [*blocks[begin:end], block]
        begin = end
    return [*merged, *blocks[begin:]]


def _select_blocks(
    preferred: Sequence[DraftBlock], remaining: Sequence[DraftBlock], share: float, stream: RandomStream
) -> list[DraftBlock]:
    """Return random blocks with a `share` of all items, rounded to whole blocks, taken from each group in turn.

    Blocks in `remaining` are selected only after all blocks in `preferred`.
    """
    items = sum(map(len, preferred)) + sum(map(len, remaining))
    target_count = share_count(share, items)
    chosen: list[DraftBlock] = []
    count = 0
    for block in (*_cycle_groups(preferred, stream), *_cycle_groups(remaining, stream)) if target_count else ():
        if chosen and abs(count + len(block) - target_count) >= abs(count - target_count):
            break
        chosen.append(block)
        count += len(block)
    return chosen


def _cycle_groups(blocks: Sequence[DraftBlock], stream: RandomStream) -> list[DraftBlock]:
    """Return the blocks in random order, taken from each group in turn."""
    turn_by_group: dict[int, int] = {}
    keyed: list[tuple[int, int]] = []
    for index in stream.permutation(len(blocks)):
        turn = turn_by_group[blocks[index].group] = turn_by_group.get(blocks[index].group, -1) + 1
        keyed.append((turn, index))
    # stable sort: within a turn, groups keep their random order
    return [blocks[index] for _, index in sorted(keyed, key=lambda pair: pair[0])]


def _repeat_draft(draft: ScreenDraft, stream: RandomStream) -> ScreenDraft:
    return ScreenDraft(draft.segment, _reorder_outputs(draft.outputs, stream), ItemRole.REPEAT, draft)


def _reorder_outputs(outputs: tuple[DraftOutput, ...], stream: RandomStream) -> tuple[DraftOutput, ...]:
    """Return the outputs in a random order that differs from the given order, if possible."""
    reordered = tuple(stream.shuffled(outputs))
    return reordered if reordered != outputs or len(outputs) < 2 else (*reordered[1:], reordered[0])


def _control(draft: ScreenDraft, stream: RandomStream, degrade: Degrade) -> ScreenDraft:
    original, *other_outputs = stream.shuffled(draft.outputs)
    if len(draft.outputs) == 1 and len(original.systems) == 1:
        return ScreenDraft(draft.segment, (degrade(original),), ItemRole.BAD, draft)
    retained = other_outputs[: max(0, len(draft.outputs) - 2)]
    outputs = tuple(stream.shuffled([original, degrade(original), *retained]))
    return ScreenDraft(draft.segment, outputs, ItemRole.BAD, draft)
