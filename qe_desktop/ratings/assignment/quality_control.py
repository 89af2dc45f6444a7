"""Repeated screens, and quality-control items, in which a phrase is replaced by one from another segment.

Outputs are degraded as in WMT's direct assessment (`_create_bad_ref` in create_wmt22_tasks.py), but the new phrase is
from another translation by the same system. The new phrase is as long as the replaced one, if possible. Careful raters
should score a quality-control item lower than the original translation.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence

from qe_desktop.corpus import ItemRole, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.assignment.screen_drafts import DraftBlock, DraftOutput, ScreenDraft
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


PHRASE_LENGTHS = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
"""Pairs (maximum segment length, length of the replaced phrase) in words; longer segments use `MAX_PHRASE_WORDS`."""
MAX_PHRASE_WORDS = 6  # the lengths are those of WMT, `_create_bad_ref` in create_wmt22_tasks.py
MAX_PHRASE_TRIES = 60
"""Number of random translations in which a new phrase is sought before all translations are searched."""
_SAMPLED_TEXTS = 200
_MIN_UNSPACED_WORD_LENGTH = 4.0
"""Mean number of characters between spaces above which texts mainly in `_UNSPACED` scripts count as unspaced."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def phrase_length(length: int, *, characters: bool = False) -> int:
    """Return the number of words to replace in a segment of `length` words.

    With `characters`, `length` and the result are numbers of characters, and the result is twice as large.
    """
    words = next((phrase for limit, phrase in PHRASE_LENGTHS if length <= limit), MAX_PHRASE_WORDS)
    return 2 * words if characters else words


def is_unspaced(texts: Sequence[str]) -> bool:
    """Return whether texts have no spaces between words, as in Chinese, Japanese, Thai, Lao, Khmer and Burmese.

    Tokenized texts in these scripts count as spaced.
    """
    sample = "\n".join(texts[index] for index in range(0, len(texts), max(1, len(texts) // _SAMPLED_TEXTS)))
    words = sample.split()
    word_characters = sum(map(len, words))
    return 2 * len(_UNSPACED.findall(sample)) > word_characters > _MIN_UNSPACED_WORD_LENGTH * len(words)


def phrase_units(text: str, *, characters: bool) -> list[str]:
    """Return the words of a text or, with `characters`, its characters, each with its combining marks."""
    if not characters:
        return text.split()
    pieces: list[str] = []
    for letter in text:
        if pieces and (unicodedata.category(letter) in ("Mn", "Mc", "Me") or letter in "\u200d\ufe0f"):
            pieces[-1] += letter
        else:
            pieces.append(letter)
    return pieces


def degrade_segment(texts: Sequence[str], segment: int, stream: RandomStream, *, characters: bool = False) -> str:
    """Return the translation of a segment, with one phrase replaced by a phrase from another segment.

    `texts` are the translations of all segments by one system. With `characters`, a phrase is a sequence of characters
    instead of words. In segments that are long enough, the replaced phrase is neither at the start nor at the end.
    Raises QeError if the other texts contain no phrase that differs from the replaced phrase.
    """
    pieces = phrase_units(texts[segment], characters=characters)
    length = min(phrase_length(len(pieces), characters=characters), len(pieces))
    max_begin = len(pieces) - length
    begin = 1 + stream.randbelow(max_begin - 1) if max_begin > 1 else stream.randbelow(max_begin + 1)
    old = pieces[begin : begin + length]
    new = _phrase(texts, segment, old, stream, characters=characters)
    separator = "" if characters else " "
    return separator.join((*pieces[:begin], *new, *pieces[begin + length :]))


def _phrase(texts: Sequence[str], segment: int, old: list[str], stream: RandomStream, *, characters: bool) -> list[str]:
    """Return a phrase from another segment that differs from `old`; the phrase is as long as `old`, if possible.

    Raises QeError if the other segments contain no phrase that differs from `old`.
    """
    for _ in range(MAX_PHRASE_TRIES):
        source = stream.randbelow(len(texts))
        pieces = phrase_units(texts[source], characters=characters) if source != segment else []
        max_begin = len(pieces) - len(old)
        if max_begin >= 0:
            begin = stream.randbelow(max_begin + 1)
            if pieces[begin : begin + len(old)] != old:
                return pieces[begin : begin + len(old)]
    best: list[str] = []
    for source in stream.permutation(len(texts)):
        pieces = phrase_units(texts[source], characters=characters)[: len(old)] if source != segment else []
        if len(pieces) > len(best) and pieces != old:
            best = pieces
    if not best:
        # every other text begins with the old phrase, so a different phrase can only follow it
        for source in stream.permutation(len(texts)):
            pieces = phrase_units(texts[source], characters=characters) if source != segment else []
            begins = range(len(pieces) - len(old) + 1)
            phrases = (pieces[begin : begin + len(old)] for begin in begins)
            best = next((phrase for phrase in phrases if phrase != old), [])
            if best:
                return best
        raise QeError(
            tr(
                "cannot create a quality-control item for segment {number:,}: "
                "in one system's translations of other segments, no words differ from those to be replaced",
                number=segment + 1,
            ),
            hint=tr("Set the share of quality-control items to 0."),
        )
    return best
