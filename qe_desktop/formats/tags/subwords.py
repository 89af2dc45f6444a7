"""Conversion of the log-probabilities of subword pieces to log-probabilities of the tokens that the pieces form.

In BPE, a piece that ends in `@@` is joined to the next piece. SentencePiece marks the beginning of a word with ▁, which
may be a separate piece. Apart from these marks, the pieces have the letters of the MT, however the MT is tokenized.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, NumberColumn, QeError, TextColumn, offsets_from_lengths, raise_for_rows
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.text_files import ByteArray, TextFile, TokenBlock, split_tokens
from qe_desktop.i18n.messages import tr

SENTENCEPIECE_MARK = "▁".encode()
"""SentencePiece's symbol for a space."""
QUOTE = ord('"')
"""Quotation mark. CSV tables double quotation marks, so pieces may have more of them than the MT."""
_ENTITIES = (
    (b"&#124;", b"|"), (b"&lt;", b"<"), (b"&gt;", b">"), (b"&apos;", b"'"),
    (b"&quot;", b'"'), (b"&#91;", b"["), (b"&#93;", b"]"), (b"&amp;", b"&"),
)  # fmt: skip
_JOINS = re.compile(rb"(?<=[^ \n])@@(?=[ \n])")
_LEADING_SPACES = re.compile(rb"^ +", re.MULTILINE)
_MARKS = re.compile(rb"(?:%b)+(?=[^ \n])" % SENTENCEPIECE_MARK)


@dataclass(frozen=True, slots=True, eq=False)
class _BlockLetters:
    """Letters (bytes) of a block's tokens; a separate ▁ has no letters.

    `codes` are the letters and `token` the index of each letter's token, shape (letters,). `counts` are the numbers of
    letters per line, shape (lines,).
    """

    codes: ByteArray
    token: Ints
    counts: Ints
    sizes: Ints
    """Number of letters of each token, shape (tokens,)."""

    def lines(self) -> list[ByteArray]:
        """Letters of each line."""
        return np.split(self.codes, np.cumsum(self.counts)[:-1])


def is_subword_text(head: bytes) -> bool:
    """Whether the first lines of a text seem to consist of BPE or SentencePiece pieces."""
    marks = max(head.count(b"@@ "), head.count(b" " + SENTENCEPIECE_MARK))
    return marks * 2 > head.count(b"\n")


def average_subwords(
    column: NumberColumn, pieces: TextColumn, mt: TextColumn, opened: TextFile
) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """Return the mean log-probability of each MT token's pieces, shape (tokens,), and notes.

    `column` contains the log-probabilities of the pieces. A piece that overlaps several tokens counts for each of them;
    a separate ▁ counts for the word after it. Raises QeError if the pieces do not match `column` or the MT. If the
    pieces differ from the MT only in the number of quotation marks, there is a note instead.
    """
    if len(pieces) != len(mt):
        message = tr(
            "the subword file has {n:,} {n:line|lines}, but the MT has {lines:,}", "", len(pieces), lines=len(mt)
        )
        raise QeError(message, hint=tr("Use the subword file of this MT."), place=opened.location())
    means: list[NDArray[np.float32]] = []
    odd_lines: list[int] = []
    for first, last in mt.blocks():
        piece_block = split_tokens(_normalize_pieces(_lines(pieces, first, last)))
        tokens = split_tokens(_lines(mt, first, last))
        numbers = column.values[column.offsets[first] : column.offsets[last]]
        if len(numbers) != len(piece_block.starts):
            message = tr(
                "the subword pieces of lines {first:,} to {last:,} cannot be separated", first=first + 1, last=last
            )
            hint = tr(
                "A piece must end in @@ if its word continues (BPE), or begin with ▁ if it starts a word "
                "(SentencePiece)."
            )
            raise QeError(message, hint=hint, place=opened.location(first + 1))
        piece_letters, token_letters = _letters(piece_block, mark=SENTENCEPIECE_MARK), _letters(tokens)
        differing = _differing_lines(piece_letters, token_letters)
        odd_lines += [first + line for line in differing]
        letter_pairs = (
            _match_letters(piece_letters, token_letters, differing, first, opened)
            if differing
            else (np.arange(len(token_letters.codes)),) * 2
        )
        means.append(_means(numbers, piece_block, piece_letters, token_letters, *letter_pairs))
        _reject_uncovered(means[-1], tokens, first, opened)
    return np.concatenate(means) if means else np.zeros(0, np.float32), _notes(pieces, odd_lines)


def join_subwords(pieces: TextColumn) -> TextColumn:
    """Join subword pieces into words; return the resulting text."""
    block = _lines(pieces, 0, len(pieces)) if len(pieces) else b""
    if SENTENCEPIECE_MARK not in block:
        return TextColumn.from_bytes(_normalize_pieces(block))
    block = block.replace(b" ", b"").replace(SENTENCEPIECE_MARK, b" ")
    return TextColumn.from_bytes(_LEADING_SPACES.sub(b"", block))


def _notes(pieces: TextColumn, odd_lines: list[int]) -> tuple[str, ...]:
    """Notes on the conversion of the pieces, and on `odd_lines` (0-based), whose quotation marks differ from the MT."""
    if SENTENCEPIECE_MARK in pieces.data:
        conversion_note = tr("the log-probability of a token is the mean over its SentencePiece pieces (▁)")
    else:
        conversion_note = tr("the log-probability of a token is the mean over its pieces")
    if not odd_lines:
        return (conversion_note,)
    lines = list_names([f"{line + 1:,}" for line in odd_lines])
    note = tr(
        "the pieces of {n:line|lines} {lines} have other quotation marks than the MT", "", len(odd_lines), lines=lines
    )
    return conversion_note, note


def _lines(text: TextColumn, first: int, last: int) -> bytes:
    return text.data[int(text.starts[first]) : int(text.ends[last - 1])].replace(b"\r\n", b"\n") + b"\n"


def _normalize_pieces(block: bytes) -> bytes:
    """Convert pieces to the form of the MT: remove `@@` or ▁, and undo the hyphen marks and escapes of Moses."""
    if SENTENCEPIECE_MARK in block:
        return _MARKS.sub(b"", block)
    block = _JOINS.sub(b"", block).replace(b" @-@ ", b" - ")
    for escape, character in _ENTITIES:
        block = block.replace(escape, character)
    return block


def _letters(parts: TokenBlock, mark: bytes = b"") -> _BlockLetters:
    """Letters of a block's tokens; tokens that equal `mark` have no letters."""
    sizes = parts.ends - parts.starts
    if mark:
        is_mark = sizes == len(mark)
        for index, byte in enumerate(mark):
            is_mark[is_mark] = parts.codes[parts.starts[is_mark] + index] == byte
        sizes = np.where(is_mark, 0, sizes)
    nonempty = sizes > 0
    inside = np.zeros(len(parts.codes) + 1, np.int8)
    inside[parts.starts[nonempty]] += 1
    inside[parts.ends[nonempty]] -= 1
    codes = parts.codes[np.cumsum(inside[:-1], dtype=np.int8) > 0]
    until = np.concatenate(([0], np.cumsum(sizes)))[np.cumsum(parts.counts)]
    return _BlockLetters(codes, np.repeat(np.arange(len(sizes)), sizes), np.diff(until, prepend=0), sizes)


def _differing_lines(piece_letters: _BlockLetters, token_letters: _BlockLetters) -> list[int]:
    """Indices of the lines whose letters differ between the pieces and the tokens."""
    if np.array_equal(piece_letters.counts, token_letters.counts) and np.array_equal(
        piece_letters.codes, token_letters.codes
    ):
        return []
    lines = zip(piece_letters.lines(), token_letters.lines(), strict=True)
    return [line for line, (spelt, meant) in enumerate(lines) if not np.array_equal(spelt, meant)]


def _match_letters(
    piece_letters: _BlockLetters, token_letters: _BlockLetters, differing: list[int], first: int, opened: TextFile
) -> tuple[Ints, Ints]:
    """Offsets of corresponding letters in the pieces and in the tokens.

    Raises QeError if letters other than quotation marks differ.
    """
    token_offsets = offsets_from_lengths(token_letters.counts)
    piece_offsets = offsets_from_lengths(piece_letters.counts)
    left: list[Ints] = []
    right: list[Ints] = []
    wrong, odd_lines = [], set(differing)
    for line, (piece_codes, token_codes) in enumerate(zip(piece_letters.lines(), token_letters.lines(), strict=True)):
        if line not in odd_lines:
            pair = (np.arange(len(piece_codes)), np.arange(len(token_codes)))
        elif np.array_equal(piece_codes[piece_codes != QUOTE], token_codes[token_codes != QUOTE]):
            pair = _align_ignoring_quotes(piece_codes, token_codes)
        else:
            wrong.append(line)
            continue
        left.append(pair[0] + piece_offsets[line])
        right.append(pair[1] + token_offsets[line])
    raise_for_rows(
        wrong, lambda line: _mismatch_error(opened, first + line), tr("Use the subword file of exactly this MT.")
    )
    return np.concatenate(left), np.concatenate(right)


def _align_ignoring_quotes(piece_codes: ByteArray, token_codes: ByteArray) -> tuple[Ints, Ints]:
    """Offsets of corresponding letters in two lines that differ only in quotation marks.

    If a run of quotation marks is longer in one line, its surplus marks correspond to the last mark of the run in the
    other line; if the other line has no mark there, the marks are skipped.
    """
    left: list[int] = []
    right: list[int] = []
    ends = [np.append(np.flatnonzero(codes != QUOTE), len(codes)).tolist() for codes in (piece_codes, token_codes)]
    left_start, right_start = 0, 0
    for left_stop, right_stop in zip(*ends, strict=True):
        left_marks, right_marks = left_stop - left_start, right_stop - right_start
        indices = range(max(left_marks, right_marks) if left_marks and right_marks else 0)
        left += [left_start + min(index, left_marks - 1) for index in indices]
        right += [right_start + min(index, right_marks - 1) for index in indices]
        if left_stop < len(piece_codes):
            left.append(left_stop)
            right.append(right_stop)
        left_start, right_start = left_stop + 1, right_stop + 1
    return np.asarray(left, np.int64), np.asarray(right, np.int64)


def _mismatch_error(opened: TextFile, line: int) -> Fault:
    return Fault(opened.location(line + 1), tr("the pieces of this line do not match the MT"))


def _means(
    numbers: NDArray[np.float32],
    piece_block: TokenBlock,
    piece_letters: _BlockLetters,
    token_letters: _BlockLetters,
    left: Ints,
    right: Ints,
) -> NDArray[np.float32]:
    """Return the mean of `numbers` over each token's pieces, shape (tokens,); NaN for a token without pieces.

    The letters at `left` in the pieces match the letters at `right` in the tokens.
    """
    piece, token = piece_letters.token[left], token_letters.token[right]
    # for each letter, its piece and its token; each pair counts once
    new = np.ones(len(piece), bool)
    new[1:] = (piece[1:] != piece[:-1]) | (token[1:] != token[:-1])
    piece, token = piece[new], token[new]
    marks = np.flatnonzero(piece_letters.sizes == 0)
    if len(marks) and len(piece):
        # the first piece with letters after each mark, if it is on the same line
        line = np.repeat(np.arange(len(piece_block.counts)), piece_block.counts)
        following = np.minimum(np.searchsorted(piece, marks), len(piece) - 1)
        is_followed = (piece[following] > marks) & (line[piece[following]] == line[marks])
        piece = np.concatenate((piece, marks[is_followed]))
        token = np.concatenate((token, token[following[is_followed]]))
    count = len(token_letters.sizes)
    letter_counts = np.bincount(token, minlength=count)
    sums = np.bincount(token, weights=numbers[piece], minlength=count)
    means: Floats = np.divide(sums, letter_counts, out=np.full(count, np.nan), where=letter_counts > 0)
    return means.astype(np.float32)


def _reject_uncovered(means: NDArray[np.float32], tokens: TokenBlock, first: int, opened: TextFile) -> None:
    """Raise QeError if MT tokens have no piece; the error lists the lines with such tokens."""
    uncovered = np.flatnonzero(np.isnan(means))
    lines = np.unique(np.searchsorted(np.cumsum(tokens.counts), uncovered, side="right"))
    raise_for_rows(
        lines, lambda line: _mismatch_error(opened, first + line), tr("Use the subword file of exactly this MT.")
    )
