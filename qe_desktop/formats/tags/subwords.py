"""Subword pieces: conversion of values of pieces to values of the tokens that they form.

BPE joins a piece to the next one with `@@` at its end; SentencePiece marks word beginnings with ▁, which may be a
separate piece. Both have the letters of the MT, regardless of its tokenization.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, NumberColumn, QeError, TextColumn, offsets_from_lengths, raise_for_rows
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.formats.io.line_blocks import ByteArray, TokenBlock, split_tokens
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

SENTENCEPIECE_MARK = "▁".encode()
"""SentencePiece's symbol for a space."""
QUOTE = ord('"')
"""Quotation mark, which CSV tables double, so that pieces may have more of them than the MT."""
_ENTITIES = (
    (b"&#124;", b"|"), (b"&lt;", b"<"), (b"&gt;", b">"), (b"&apos;", b"'"),
    (b"&quot;", b'"'), (b"&#91;", b"["), (b"&#93;", b"]"), (b"&amp;", b"&"),
)  # fmt: skip
_JOINS = re.compile(rb"(?<=[^ \n])@@(?=[ \n])")
_BEGINS = re.compile(rb"^ +", re.MULTILINE)
_MARKS = re.compile(rb"(?:%b)+(?=[^ \n])" % SENTENCEPIECE_MARK)


@dataclass(frozen=True, slots=True, eq=False)
class _BlockLetters:
    """Letters (bytes) of a block's tokens: the token of each letter, and the number of letters per line.

    `codes` and `token` have shape (letters,), `counts` shape (lines,). A ▁ by itself has no letters.
    """

    codes: ByteArray
    token: Ints
    counts: Ints
    sizes: Ints
    """Number of letters of each token, shape (tokens,)."""


def is_subword_text(head: bytes) -> bool:
    """Whether the first lines of a text are BPE or SentencePiece pieces."""
    marks = max(head.count(b"@@ "), head.count(b" " + SENTENCEPIECE_MARK))
    return marks * 2 > head.count(b"\n")


def average_subwords(
    column: NumberColumn, pieces: TextColumn, mt: TextColumn, opened: TextFile
) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """Average the numbers of the pieces of each MT token, shape (tokens,); also return notes.

    A piece that overlaps several tokens counts for each, and a ▁ by itself for the following word. Raises QeError if
    the pieces do not match the numbers or the MT; a different number of quotation marks is only noted.
    """
    if len(pieces) != len(mt):
        message = tr(
            "the subword file has {n:,} {n:line|lines}, but the MT has {lines:,}", "", len(pieces), lines=len(mt)
        )
        raise QeError(message, hint=tr("Use the subword file of this MT."), place=opened.place())
    means: list[NDArray[np.float32]] = []
    odd_lines: list[int] = []
    for first, last in mt.blocks():
        spelt = split_tokens(_plain(_lines(pieces, first, last)))
        tokens = split_tokens(_lines(mt, first, last))
        numbers = column.values[column.offsets[first] : column.offsets[last]]
        if len(numbers) != len(spelt.starts):
            message = tr(
                "the subword pieces of lines {first:,} to {last:,} cannot be separated", first=first + 1, last=last
            )
            hint = tr(
                "A piece must end in @@ if its word continues (BPE), or begin with ▁ if it starts a word "
                "(SentencePiece)."
            )
            raise QeError(message, hint=hint, place=opened.place(first + 1))
        theirs, ours = _letters(spelt, alone=SENTENCEPIECE_MARK), _letters(tokens)
        odd = _odd_lines(theirs, ours)
        odd_lines += [first + line for line in odd]
        at = _match_letters(theirs, ours, odd, first, opened) if odd else (np.arange(len(ours.codes)),) * 2
        means.append(_means(numbers, spelt, theirs, ours, *at))
        _reject_uncovered(means[-1], tokens, first, opened)
    return np.concatenate(means) if means else np.zeros(0, np.float32), _notes(pieces, odd_lines)


def join_subwords(pieces: TextColumn) -> TextColumn:
    """Join pieces into a text that is split into words."""
    block = _lines(pieces, 0, len(pieces)) if len(pieces) else b""
    if SENTENCEPIECE_MARK not in block:
        return TextColumn.from_bytes(_plain(block))
    block = block.replace(b" ", b"").replace(SENTENCEPIECE_MARK, b" ")
    return TextColumn.from_bytes(_BEGINS.sub(b"", block))


def _notes(pieces: TextColumn, odd_lines: list[int]) -> tuple[str, ...]:
    """Notes on the conversion of the pieces, and on lines that differ from the MT."""
    if SENTENCEPIECE_MARK in pieces.data:
        done = tr("the log-probability of a token is the mean over its SentencePiece pieces (▁)")
    else:
        done = tr("the log-probability of a token is the mean over its pieces")
    if not odd_lines:
        return (done,)
    lines = list_names([f"{line + 1:,}" for line in odd_lines])
    note = tr(
        "the pieces of {n:line|lines} {lines} differ from the MT in quotation marks", "", len(odd_lines), lines=lines
    )
    return done, note


def _lines(text: TextColumn, first: int, last: int) -> bytes:
    return text.data[int(text.starts[first]) : int(text.ends[last - 1])].replace(b"\r\n", b"\n") + b"\n"


def _plain(block: bytes) -> bytes:
    """Normalize pieces to their form in the text: no join marks, hyphen marks or escapes of the Moses tokenizer."""
    if SENTENCEPIECE_MARK in block:
        return _MARKS.sub(b"", block)
    block = _JOINS.sub(b"", block).replace(b" @-@ ", b" - ")
    for written, meant in _ENTITIES:
        block = block.replace(written, meant)
    return block


def _letters(parts: TokenBlock, alone: bytes = b"") -> _BlockLetters:
    """Bytes of a block without token separators; tokens equal to `alone` have no letters."""
    sizes = parts.ends - parts.starts
    if alone:
        same = sizes == len(alone)
        for place, byte in enumerate(alone):
            same[same] = parts.codes[parts.starts[same] + place] == byte
        sizes = np.where(same, 0, sizes)
    nonempty = sizes > 0
    inside = np.zeros(len(parts.codes) + 1, np.int8)
    inside[parts.starts[nonempty]] += 1
    inside[parts.ends[nonempty]] -= 1
    codes = parts.codes[np.cumsum(inside[:-1], dtype=np.int8) > 0]
    until = np.concatenate(([0], np.cumsum(sizes)))[np.cumsum(parts.counts)]
    return _BlockLetters(codes, np.repeat(np.arange(len(sizes)), sizes), np.diff(until, prepend=0), sizes)


def _odd_lines(theirs: _BlockLetters, ours: _BlockLetters) -> list[int]:
    """Indices of the lines whose letters differ."""
    if np.array_equal(theirs.counts, ours.counts) and np.array_equal(theirs.codes, ours.codes):
        return []
    mine, their = offsets_from_lengths(ours.counts), offsets_from_lengths(theirs.counts)
    return [
        line
        for line in range(len(ours.counts))
        if not np.array_equal(ours.codes[mine[line] : mine[line + 1]], theirs.codes[their[line] : their[line + 1]])
    ]


def _match_letters(
    theirs: _BlockLetters, ours: _BlockLetters, odd: list[int], first: int, opened: TextFile
) -> tuple[Ints, Ints]:
    """Offsets of corresponding letters on both sides. Raises QeError if more than quotation marks differ."""
    mine, their = offsets_from_lengths(ours.counts), offsets_from_lengths(theirs.counts)
    left: list[Ints] = []
    right: list[Ints] = []
    wrong, odd_lines = [], set(odd)
    for line in range(len(ours.counts)):
        spelt, meant = theirs.codes[their[line] : their[line + 1]], ours.codes[mine[line] : mine[line + 1]]
        if line not in odd_lines:
            pair = (np.arange(len(spelt)), np.arange(len(meant)))
        elif np.array_equal(spelt[spelt != QUOTE], meant[meant != QUOTE]):
            pair = _but_for_quotes(spelt, meant)
        else:
            wrong.append(line)
            continue
        left.append(pair[0] + their[line])
        right.append(pair[1] + mine[line])
    raise_for_rows(wrong, lambda line: _misspelt(opened, first + line), tr("Use the subword file of exactly this MT."))
    return np.concatenate(left), np.concatenate(right)


def _but_for_quotes(spelt: ByteArray, meant: ByteArray) -> tuple[Ints, Ints]:
    """Offsets of corresponding letters in two lines that differ only in quotation marks.

    Surplus marks of a run are assigned to the last mark of the run on the other side, or skipped if there is none.
    """
    left: list[int] = []
    right: list[int] = []
    ends = [np.append(np.flatnonzero(codes != QUOTE), len(codes)).tolist() for codes in (spelt, meant)]
    low, from_ = 0, 0
    for high, to in zip(*ends, strict=True):
        marks, due = high - low, to - from_
        both = range(max(marks, due) if marks and due else 0)
        left += [low + min(place, marks - 1) for place in both]
        right += [from_ + min(place, due - 1) for place in both]
        if high < len(spelt):
            left.append(high)
            right.append(to)
        low, from_ = high + 1, to + 1
    return np.asarray(left, np.int64), np.asarray(right, np.int64)


def _misspelt(opened: TextFile, line: int) -> Fault:
    return Fault(opened.place(line + 1), tr("the pieces of this line do not match the MT"))


def _means(
    numbers: NDArray[np.float32],
    spelt: TokenBlock,
    theirs: _BlockLetters,
    ours: _BlockLetters,
    left: Ints,
    right: Ints,
) -> NDArray[np.float32]:
    """Return each token's mean number; letters at `left` in the pieces match those at `right` in the tokens."""
    piece, token = theirs.token[left], ours.token[right]
    # for each letter, its piece and its token; each pair counts once
    new = np.ones(len(piece), bool)
    new[1:] = (piece[1:] != piece[:-1]) | (token[1:] != token[:-1])
    piece, token = piece[new], token[new]
    alone = np.flatnonzero(theirs.sizes == 0)
    if len(alone) and len(piece):
        # the first piece with letters after each mark, if it is on the same line
        line = np.repeat(np.arange(len(spelt.counts)), spelt.counts)
        behind = np.minimum(np.searchsorted(piece, alone), len(piece) - 1)
        kept = (piece[behind] > alone) & (line[piece[behind]] == line[alone])
        piece = np.concatenate((piece, alone[kept]))
        token = np.concatenate((token, token[behind[kept]]))
    count = len(ours.sizes)
    each = np.bincount(token, minlength=count)
    sums = np.bincount(token, weights=numbers[piece], minlength=count)
    means: Floats = np.divide(sums, each, out=np.full(count, np.nan), where=each > 0)
    return means.astype(np.float32)


def _reject_uncovered(means: NDArray[np.float32], tokens: TokenBlock, first: int, opened: TextFile) -> None:
    """Raise QeError, with the lines, if MT tokens have no piece."""
    bare = np.flatnonzero(np.isnan(means))
    lines = np.unique(np.searchsorted(np.cumsum(tokens.counts), bare, side="right"))
    raise_for_rows(lines, lambda line: _misspelt(opened, first + line), tr("Use the subword file of exactly this MT."))
