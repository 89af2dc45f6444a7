"""Tag columns from a word table, whose rows are selected, sorted, and checked for duplicate or missing words."""

from __future__ import annotations

import html
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    EOS,
    Fault,
    Faults,
    Kind,
    QeError,
    SourceLocation,
    TagColumn,
    TextColumn,
    TextRole,
    offsets_from_lengths,
    raise_for_rows,
)
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.errors import MAX_LISTED_FAULTS
from qe_desktop.formats.messages import MAX_LISTED_NAMES, list_names
from qe_desktop.formats.parsed_tables import (
    WordTable,
    check_segment_range,
    check_single_system,
    rows_for_pair,
    zero_based_segments,
)
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.tags.wmt23_gold import EMPTY_TOKEN
from qe_desktop.formats.tags.wmt_word_tables import parse_kind
from qe_desktop.formats.text_files import split_tokens
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True, eq=False)
class WordColumn:
    """Tags of one kind, sorted by segment and word, with the table's rows in the same order."""

    kind: Kind
    tags: TagColumn
    rows: WordTable
    notes: tuple[str, ...] = ()


def word_rows_for_pair(table: WordTable, language_pair: str = "") -> WordTable:
    """Rows of a language pair. Raises QeError if the pair is ambiguous or missing, or if there are several systems."""
    chosen = rows_for_pair(table, language_pair)
    check_single_system(table, chosen)
    if chosen.all():
        return table
    left_out = table.excluded[np.isin(table.excluded[:, 0], np.unique(table.pair[chosen]))]
    return replace(table.rows(chosen), excluded=left_out)


def word_columns(
    table: WordTable, sizes: dict[Kind, int] | None = None, dropped_segments: Ints | None = None
) -> dict[Kind, WordColumn]:
    """Tags of the table by kind; `sizes` are the expected numbers of segments, if known.

    MT words in `dropped_segments` (0-based) are dropped.

    Raises QeError if a word type is unknown, or if there are missing, surplus or duplicate rows.
    """
    if table.layout.kind is None:
        return {Kind.WORDS: _column(table, Kind.WORDS, sizes, dropped_segments)}
    numbers: dict[Kind, list[int]] = {}
    for number in np.unique(table.kind):
        kind = parse_kind(table.kinds[number])
        if kind is None:
            location = table.opened.location(int(table.line[table.kind == number][0]))
            message = tr("{text} is not a word type", text=quote_token(table.kinds[number]))
            raise QeError(message, hint=tr("Types are mt, gap and source."), place=location)
        # one kind may have several names, such as src and source
        numbers.setdefault(kind, []).append(int(number))
    columns: dict[Kind, WordColumn] = {}
    for kind, type_indices in numbers.items():
        mask = np.isin(table.kind, type_indices)
        of_kind = table if mask.all() else table.rows(mask)
        columns[kind] = _column(of_kind, kind, sizes, dropped_segments if kind is Kind.WORDS else None)
    return columns


def _column(
    table: WordTable, kind: Kind, sizes: dict[Kind, int] | None, dropped_segments: Ints | None = None
) -> WordColumn:
    if not len(table):
        message, hint = tr("no segment in this file has tags"), tr("At least one segment must have tags.")
        raise QeError(message, hint=hint, place=table.opened.location())
    size = (sizes or {}).get(kind)
    segments = np.concatenate((table.segment, table.excluded[:, 1])) if len(table.excluded) else table.segment
    segment_numbers, notes = zero_based_segments(segments, size)
    base = 1 if notes else 0
    excluded = table.excluded.copy()
    excluded[:, 1] = segment_numbers[len(table) :]
    table = _sort_table(replace(table, segment=segment_numbers[: len(table)], excluded=excluded))
    _reject_contradictions(table, base)
    last, opened = int(table.segment[-1]), table.opened
    if size is not None:
        check_segment_range(table, last, int(table.line[-1]), size)
        if len(excluded):
            highest = int(excluded[:, 1].argmax())
            check_segment_range(table, int(excluded[highest, 1]), int(excluded[highest, 2]), size)
    if dropped_segments is not None and np.isin(table.segment, dropped_segments).any():
        dropped = np.isin(table.segment, dropped_segments)
        note = tr(
            "the words of {n:,} {n:segment|segments} are left out, as in the gold",
            "", len(np.unique(table.segment[dropped])),
        )  # fmt: skip
        table, notes = table.rows(~dropped), (*notes, note)
    if size is None and last >= 2 * len(table) + 1000:
        message = tr(
            "there is a segment {segment:,}, but only {n:,} {n:row|rows}: most segments are missing",
            "",
            len(table),
            segment=last + base,
        )
        raise QeError(
            message, hint=tr("The file must contain all segments."), place=opened.location(int(table.line[-1]))
        )
    counts = np.bincount(table.segment, minlength=size or int(segment_numbers.max()) + 1)
    _reject_duplicates(table, base)
    _reject_missing_words(table, counts, base)
    tags = table.tag.copy()
    return WordColumn(kind, TagColumn(tags, offsets_from_lengths(counts)), table, notes)


def _sort_table(table: WordTable) -> WordTable:
    segment_steps, index_steps = np.diff(table.segment), np.diff(table.index)
    if ((segment_steps > 0) | ((segment_steps == 0) & (index_steps > 0))).all():
        return table
    return table.rows(np.lexsort((table.index, table.segment)))


def _reject_contradictions(table: WordTable, base: int) -> None:
    """Raise QeError if excluded segments have words or are repeated; `base` is the first segment number in the file."""
    segments, lines = table.excluded[:, 1], table.excluded[:, 2]
    is_repeated = np.isin(segments, table.segment)
    is_repeated[np.setdiff1d(np.arange(len(segments)), np.unique(segments, return_index=True)[1])] = True

    def error(row: int) -> Fault:
        return Fault(
            table.opened.location(int(lines[row])), tr("duplicate segment {segment}", segment=segments[row] + base)
        )

    raise_for_rows(np.flatnonzero(is_repeated), error, tr("Each segment may occur only once."))


def _reject_duplicates(table: WordTable, base: int) -> None:
    def error(row: int) -> Fault:
        first, second = sorted((int(table.line[row - 1]), int(table.line[row])))
        message = tr(
            "duplicate word {word} of segment {segment}, which first occurs in line {line}",
            segment=table.segment[row] + base, word=table.index[row], line=first,
        )  # fmt: skip
        return Fault(table.opened.location(second), message)

    duplicates = np.flatnonzero((np.diff(table.segment) == 0) & (np.diff(table.index) == 0)) + 1
    raise_for_rows(duplicates, error, tr("Each word index may occur only once per segment."))


def _reject_missing_words(table: WordTable, counts: Ints, base: int) -> None:
    offsets = offsets_from_lengths(counts)
    expected = np.arange(len(table)) - offsets[table.segment]
    holes = np.flatnonzero((table.index != expected) & (np.diff(table.segment, prepend=-1) >= 0))
    # after the first gap, all following words of a segment have unexpected indices too
    holes = holes[np.diff(table.segment[holes], prepend=-1) > 0]

    def error(row: int) -> Fault:
        message = tr(
            "this is word {word} of segment {segment}, but word {due} is expected",
            word=table.index[row], segment=table.segment[row] + base, due=expected[row],
        )  # fmt: skip
        return Fault(table.opened.location(int(table.line[row])), message)

    raise_for_rows(holes, error, tr("Use one row per word; words are numbered from 0."))


def check_missing_segments(column: WordColumn, expected: NDArray[np.int32] | None, location: SourceLocation) -> None:
    """Raise QeError if a segment has no rows, although the gold does not exclude it and `expected` requires rows.

    `expected` is the number of rows of each segment, shape (segments,); if it is None, every segment requires rows.
    """
    lengths = column.tags.lengths()
    is_expected = np.ones(len(lengths), bool) if expected is None else expected > 0
    is_expected[column.rows.excluded[:, 1]] = False
    missing = np.flatnonzero((lengths == 0) & is_expected)
    if len(missing):
        named = list_names([f"{segment:,}" for segment in missing[:MAX_LISTED_NAMES]], of=len(missing))
        message = tr(
            "no rows for {n:segment|segments} {segments} (segments are numbered from 0)",
            "", len(missing), segments=named,
        )  # fmt: skip
        raise QeError(message, hint=tr("The file must contain all segments."), place=location)


MAX_COUNTED_FAULTS = 10_000
"""Number of mismatched words after which no more words are compared."""
MAX_CACHED_SPELLINGS = 10_000
_LOWER = np.arange(256, dtype=np.uint8)
_LOWER[ord("A") : ord("Z") + 1] += ord("a") - ord("A")


def check_same_words(column: WordColumn, text: TextColumn, role: TextRole) -> tuple[str, ...]:
    """Compare a table's words with the tokens of `text`; return notes.

    Each segment of the table may end in an additional word, `<EOS>`. Differences in case are accepted. Spellings that
    differ in HTML entities or in the Unicode normalization form are also accepted, with a note. Raises QeError if other
    words differ; the error lists their rows, and names the text by its `role`.
    """
    table, notes = column.rows, set[str]()
    table_codes, text_codes = np.frombuffer(table.opened.data, np.uint8), np.frombuffer(text.data, np.uint8)
    counts, offsets = text.token_counts(), column.tags.offsets
    errors = Faults()
    for first, last in text.blocks():
        block_start = int(text.starts[first])
        parts = split_tokens(text.data[block_start : int(text.ends[last - 1])] + b"\n")
        starts, ends = parts.starts + block_start, parts.ends + block_start
        extra = column.tags.lengths()[first:last] - counts[first:last]
        rows = np.arange(offsets[first], offsets[last])
        if extra.any():
            over = offsets[first + 1 : last + 1][extra == 1] - 1
            eos_codes = np.frombuffer(EOS.encode(), np.uint8)
            is_not_eos = _differs(table_codes, table.begin[over], table.end[over], eos_codes, None, None)
            errors.add(over[is_not_eos][:MAX_LISTED_FAULTS], lambda row: _word_mismatch_error(column, row, EOS, None))
            rows = np.delete(rows, over - offsets[first])
        begin, end = table.begin[rows], table.end[rows]
        differing = np.flatnonzero(_differs(table_codes, begin, end, text_codes, starts, ends))
        # a file may be in lower case, so these differences are not compared one by one
        differing = differing[
            _differs(
                table_codes, begin[differing], end[differing], text_codes, starts[differing], ends[differing], _LOWER
            )
        ]
        for index in differing:
            if errors.count >= MAX_COUNTED_FAULTS:
                break
            row = int(rows[index])
            text_word = text_codes[starts[index] : ends[index]].tobytes().decode("utf-8", "replace")
            table_word = table_codes[begin[index] : end[index]].tobytes().decode("utf-8", "replace")
            remark = _compare_spellings(table_word, text_word)
            if remark is None:
                errors.add([row], partial(_word_mismatch_error, column, expected_word=text_word, role=role))
            elif remark:
                notes.add(remark)
    errors.raise_if_any(tr("Use the file that belongs to this text, with unchanged tokens."))
    return tuple(sorted(notes))


@lru_cache(MAX_CACHED_SPELLINGS)
def _compare_spellings(table_word: str, text_word: str) -> str | None:
    """Return None if two words differ, else a note about their different spellings; empty if no note is needed."""
    if not table_word and text_word == EMPTY_TOKEN:
        return ""
    if table_word.lower() == text_word.lower():
        return ""
    unescaped_table_word, unescaped_text_word = html.unescape(table_word), html.unescape(text_word)
    if unescaped_table_word.lower() == unescaped_text_word.lower():
        return tr("some characters are written as HTML entities")
    if (
        unicodedata.normalize("NFC", unescaped_table_word).lower()
        == unicodedata.normalize("NFC", unescaped_text_word).lower()
    ):
        return tr("some characters differ from the text in their Unicode normalization form")
    return None


def _word_mismatch_error(column: WordColumn, row: int, expected_word: str, role: TextRole | None) -> Fault:
    """Error for a word that differs from the text; if `role` is None, for a word other than `<EOS>` at the end."""
    table = column.rows
    table_word = quote_token(table.opened.data[int(table.begin[row]) : int(table.end[row])].decode("utf-8", "replace"))
    if role is None:
        message = tr(
            "the word is {word}, but {other} is expected after the last token",
            word=table_word,
            other=quote_token(expected_word),
        )
    elif role is TextRole.SOURCE:
        message = tr("the word is {word}, but {other} in the source", word=table_word, other=quote_token(expected_word))
    else:
        message = tr("the word is {word}, but {other} in the MT", word=table_word, other=quote_token(expected_word))
    return Fault(table.opened.location(int(table.line[row])), message)


def _differs(
    table_codes: NDArray[np.uint8],
    begin: Ints,
    end: Ints,
    text_codes: NDArray[np.uint8],
    starts: Ints | None,
    ends: Ints | None,
    mapped: NDArray[np.uint8] | None = None,
) -> NDArray[np.bool_]:
    """Mask of the table fields that differ from the text fields, shape (fields,).

    Without `starts` and `ends`, each table field is compared with the whole of `text_codes`. If `mapped` is not None,
    each byte `b` is replaced by `mapped[b]` before the comparison.
    """
    if starts is None or ends is None:
        starts, ends = np.zeros(len(begin), np.int64), np.full(len(begin), len(text_codes), np.int64)
    lengths = end - begin
    differs: NDArray[np.bool_] = lengths != ends - starts
    alike = np.flatnonzero(~differs & (lengths > 0))
    if len(alike):
        sizes = lengths[alike]
        offsets = np.cumsum(sizes) - sizes
        inner = np.arange(int(sizes.sum())) - np.repeat(offsets, sizes)
        left = table_codes[np.repeat(begin[alike], sizes) + inner]
        right = text_codes[np.repeat(starts[alike], sizes) + inner]
        if mapped is not None:
            left, right = mapped[left], mapped[right]
        differs[alike] = np.logical_or.reduceat(left != right, offsets)
    return differs
