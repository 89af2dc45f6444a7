"""Whether the words that a submission repeats are those of the text it belongs to."""

from __future__ import annotations

import html
import unicodedata
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EOS, Fault, Faults, TextColumn, TextRole
from qe_desktop.corpus.errors import SHOWN
from qe_desktop.formats.blocks import Places, split
from qe_desktop.formats.tag_lines import shown
from qe_desktop.formats.tagged_texts import EMPTY
from qe_desktop.formats.word_columns import WordColumn
from qe_desktop.wording import tr

LOOKED_AT = 10_000
"""How many words that are not equal byte for byte are looked at one by one, for case and spelling."""


def refuse_other_words(column: WordColumn, text: TextColumn, role: TextRole) -> tuple[str, ...]:
    """Compare a table's words with the tokens of `text`, of this role; a last word `<EOS>` beyond them is fine.

    Differences of case are accepted, and HTML entities and Unicode forms of the same word, which a note says.
    QeError that names the rows with other words.
    """
    table, notes = column.rows, set[str]()
    theirs, ours = np.frombuffer(table.opened.data, np.uint8), np.frombuffer(text.data, np.uint8)
    counts, offsets = text.token_counts(), column.tags.offsets
    faults, looked = Faults(), 0
    for first, last in text.blocks():
        low = int(text.starts[first])
        parts = split(text.data[low : int(text.ends[last - 1])] + b"\n")
        starts, ends = parts.starts + low, parts.ends + low
        extra = column.tags.lengths()[first:last] - counts[first:last]
        rows = np.arange(offsets[first], offsets[last])
        if extra.any():
            over = offsets[first + 1 : last + 1][extra == 1] - 1
            unlike = _differs(theirs, table.begin[over], table.end[over], _of(EOS), None, None)
            faults.add(over[unlike][:SHOWN], lambda row: _other(column, row, EOS, None))
            rows = np.delete(rows, over - offsets[first])
        begin, end = table.begin[rows], table.end[rows]
        odd = np.flatnonzero(_differs(theirs, begin, end, ours, starts, ends))
        for place in odd[: max(0, LOOKED_AT - looked)]:
            looked += 1
            row = int(rows[place])
            mine = ours[starts[place] : ends[place]].tobytes().decode("utf-8", "replace")
            their = theirs[begin[place] : end[place]].tobytes().decode("utf-8", "replace")
            remark = _same(their, mine)
            if remark is None:
                faults.add([row], partial(_other, column, mine=mine, role=role))
            elif remark:
                notes.add(remark)
        if faults.count and looked >= LOOKED_AT:
            break
    faults.refuse(tr("Give the file for this text, with its tokens unchanged."))
    return tuple(sorted(notes))


def _same(their: str, mine: str) -> str | None:
    """None for another word; else what about it must be said, or nothing."""
    if not their and mine == EMPTY:
        return ""
    if their.lower() == mine.lower():
        return ""
    plain, own = html.unescape(their), html.unescape(mine)
    if plain.lower() == own.lower():
        return tr("the file writes some characters as HTML entities")
    if unicodedata.normalize("NFC", plain).lower() == unicodedata.normalize("NFC", own).lower():
        return tr("the file writes some characters in another Unicode form")
    return None


def _other(column: WordColumn, row: int, mine: str, role: TextRole | None) -> Fault:
    """Another word than in the text of this role; without one, than at the end of the line."""
    table = column.rows
    their = shown(table.opened.data[int(table.begin[row]) : int(table.end[row])].decode("utf-8", "replace"))
    if role is None:
        message = tr("the word is {word}, but {other} in the end of the line", word=their, other=shown(mine))
    elif role is TextRole.SOURCE:
        message = tr("the word is {word}, but {other} in the source", word=their, other=shown(mine))
    else:
        message = tr("the word is {word}, but {other} in the MT", word=their, other=shown(mine))
    return Fault(table.opened.place(int(table.line[row])), message)


def _of(word: str) -> NDArray[np.uint8]:
    return np.frombuffer(word.encode(), np.uint8)


def _differs(
    theirs: NDArray[np.uint8],
    begin: Places,
    end: Places,
    ours: NDArray[np.uint8],
    starts: Places | None,
    ends: Places | None,
) -> NDArray[np.bool_]:
    """Which fields differ; without `starts` and `ends` each is compared with the whole of `ours`."""
    if starts is None or ends is None:
        starts, ends = np.zeros(len(begin), np.int64), np.full(len(begin), len(ours), np.int64)
    lengths = end - begin
    differs: NDArray[np.bool_] = lengths != ends - starts
    alike = np.flatnonzero(~differs & (lengths > 0))
    if len(alike):
        sizes = lengths[alike]
        offsets = np.cumsum(sizes) - sizes
        inner = np.arange(int(sizes.sum())) - np.repeat(offsets, sizes)
        left = theirs[np.repeat(begin[alike], sizes) + inner]
        right = ours[np.repeat(starts[alike], sizes) + inner]
        differs[alike] = np.logical_or.reduceat(left != right, offsets)
    return differs
