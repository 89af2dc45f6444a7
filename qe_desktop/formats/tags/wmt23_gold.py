"""WMT23 word gold: a tab-separated table with the MT, its tokens and their tags; each row is a segment.

The columns are LP METHOD SEGMENT MT TOKENS TAGS, with or without a header line; the tokens end in `<EOS>`. Fields with
quotation marks are quoted as in CSV. Segments with `hallucination` in place of tags are excluded from the evaluation.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EOS, Fault, Faults, TagColumn, TextColumn, offsets_from_lengths
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.text import SPACE
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import EXCLUDED_MARK, TableLayout, WordTable
from qe_desktop.formats.tags.tag_lines import classify_tags, quote_token
from qe_desktop.formats.text_files import TextFile
from qe_desktop.formats.tsv import TsvBlock, decode_labels, first_row, table_rows, unquote_file
from qe_desktop.i18n.messages import tr

WMT23_GOLD = TableLayout("WMT23 gold", 6, segment=2, index=-1, word=4, tag=5, pair=0, method=1, text=3)
EMPTY_TOKEN = "␣"
"""Displayed form of an empty token, which has a tag but no text."""
_TAG = re.compile(rb"OK|BAD|GOOD", re.IGNORECASE)
_NUMBER = re.compile(rb"\d+(\.\d+)?")
_INTEGER = re.compile(rb"\d{1,15}")


def count_header_lines(head: bytes) -> int | None:
    """Number of header lines of a WMT23 gold table; None for any other file."""
    row, header = first_row(head)
    if len(row) != WMT23_GOLD.column_count or header > 3:
        return None
    if row[0].strip().lower() == b"lp" and row[-1].strip().lower() == b"tags":
        return header + 1
    tags, words = row[WMT23_GOLD.tag].split(), row[WMT23_GOLD.word]
    tagged = all(_TAG.fullmatch(tag) for tag in tags) and len(tags) in (len(words.split()), len(words.split(b" ")))
    # rows that begin with a number are words of WMT14, with a fine-grained, a coarse and a binary tag
    has_pair_and_segment = _INTEGER.fullmatch(row[WMT23_GOLD.segment]) and not _NUMBER.fullmatch(row[0])
    return header if has_pair_and_segment and tags and (tagged or tags == [EXCLUDED_MARK]) else None


def read_tagged_texts(opened: TextFile, skip: int) -> WordTable:
    """Read the words of a WMT23 gold table. Raises QeError if fields are invalid; the error lists their lines."""
    opened = unquote_file(opened)
    pairs: dict[bytes, int] = {}
    methods: dict[bytes, int] = {}
    errors = Faults()
    parts: list[tuple[NDArray[np.generic], ...]] = []
    excluded: list[Ints] = []
    for rows in table_rows(opened, WMT23_GOLD.column_count, skip, errors):
        pair, method = rows.labels(WMT23_GOLD.pair, pairs), rows.labels(WMT23_GOLD.method, methods)
        segment, valid = rows.integers(WMT23_GOLD.segment)
        errors.add(np.flatnonzero(~valid), partial(_invalid_segment_error, opened, rows))
        is_excluded = rows.equal_mask(WMT23_GOLD.tag, EXCLUDED_MARK)
        excluded.append(
            np.stack((pair[is_excluded], segment[is_excluded], rows.lines[is_excluded]), axis=1).astype(np.int64)
        )
        row, begin, end, tag, index = _words(opened, rows, ~is_excluded, errors)
        kind = np.zeros(len(row), np.int32)
        cells = (pair[row], method[row], kind, segment[row], index, begin + rows.offset, end + rows.offset, tag)
        parts.append((*cells, rows.lines[row]))
    errors.first.sort(key=lambda error: error.place.line or 0)
    errors.raise_if_any(tr("Rows must have the columns LP METHOD SEGMENT MT TOKENS TAGS, with one tag per token."))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    table = WordTable(opened, WMT23_GOLD, decode_labels(pairs), decode_labels(methods), (), *columns)
    return replace(table, excluded=np.concatenate(excluded))


def _words(
    opened: TextFile, rows: TsvBlock, row_mask: NDArray[np.bool_], errors: Faults
) -> tuple[Ints, Ints, Ints, NDArray[np.uint8], Ints]:
    """Return arrays with the row, start, stop, tag and index in the row of each word, for rows in `row_mask`.

    Rows with different numbers of words and tags are left out; errors are added to `errors`.
    """
    word_row, begin, end = _split_column(rows, WMT23_GOLD.word, row_mask)
    tag_row, starts, ends = _split_column(rows, WMT23_GOLD.tag, row_mask)
    retained = ends > starts
    tag_row, starts, ends = tag_row[retained], starts[retained], ends[retained]
    tag, valid = classify_tags(rows.codes, starts, ends)
    size = len(rows.lines)
    tags = np.bincount(tag_row, minlength=size)
    # two spaces in a row enclose an empty token if it has its own tag; otherwise they separate two tokens
    blank = np.bincount(word_row, minlength=size) != tags
    retained = (end > begin) | ~blank[word_row]
    word_row, begin, end = word_row[retained], begin[retained], end[retained]
    words = np.bincount(word_row, minlength=size)

    def tag_error(tag_index: int) -> Fault:
        text = rows.codes[starts[tag_index] : ends[tag_index]].tobytes().decode("utf-8", "replace")
        return Fault(
            opened.location(int(rows.lines[tag_row[tag_index]])), tr("{text} is not OK or BAD", text=quote_token(text))
        )

    def count_error(row: int) -> Fault:
        message = tr("{n:,} {n:tag|tags} for {words:,} {words:token|tokens}", "", int(tags[row]), words=int(words[row]))
        return Fault(opened.location(int(rows.lines[row])), message)

    wrong = np.flatnonzero(tags != words)
    errors.add(np.flatnonzero(~valid), tag_error)
    errors.add(wrong, count_error)
    is_matched = (tags == words)[word_row]
    first = np.repeat(np.cumsum(words) - words, words)
    index = np.arange(len(word_row)) - first
    tag = tag[(tags == words)[tag_row]]
    return word_row[is_matched], begin[is_matched], end[is_matched], tag, index[is_matched]


def _split_column(rows: TsvBlock, column: int, row_mask: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """Split the fields of a column at each space, in the rows of `row_mask`; return each part's row, start and stop."""
    row = np.flatnonzero(row_mask)
    starts, ends = rows.starts[row, column], rows.ends[row, column]
    spaces = np.flatnonzero(rows.codes == SPACE)
    first_space = np.searchsorted(spaces, starts)
    counts = np.searchsorted(spaces, ends) - first_space + 1
    part_index = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    space = np.repeat(first_space, counts) + part_index
    # the first and last parts of a field are limited by its ends
    padded = np.concatenate(([0], spaces, [0]))
    begin = np.where(part_index == 0, np.repeat(starts, counts), padded[space] + 1)
    end = np.where(part_index == np.repeat(counts, counts) - 1, np.repeat(ends, counts), padded[space + 1])
    return np.repeat(row, counts), begin, end


def _invalid_segment_error(opened: TextFile, rows: TsvBlock, row: int) -> Fault:
    text = quote_token(rows.text(row, WMT23_GOLD.segment))
    return Fault(opened.location(int(rows.lines[row])), tr("{text} is not a segment number", text=text))


def tagged_tokens_and_mt(table: WordTable, size: int) -> tuple[TextColumn, TextColumn]:
    """Tokens and raw MT of `size` segments; lines of excluded segments are empty.

    The table must be the `rows` of a `WordColumn`, which are sorted by segment and word.
    """
    data = table.opened.data
    blank = EMPTY_TOKEN.encode()
    words = [
        data[begin:end] or blank for begin, end in zip(table.begin.tolist(), table.end.tolist(), strict=True)
    ]  # fmt: skip
    offsets = offsets_from_lengths(np.bincount(table.segment, minlength=size)).tolist()
    tokens = [b" ".join(words[start:stop]) for start, stop in pairwise(offsets)]
    lines = data.split(b"\n")
    rows = [int(table.line[start]) if stop > start else 0 for start, stop in pairwise(offsets)]
    raw_lines = [lines[line - 1].split(b"\t")[WMT23_GOLD.text or 0] if line else b"" for line in rows]
    return _column(tokens), _column(raw_lines)


def mt_for_gold(tags: TagColumn, excluded_segments: Ints, mt: TextColumn) -> TextColumn:
    """Return a separately loaded MT in which the segments that the gold excludes are empty.

    If all other segments have one more tag than tokens, `<EOS>` is appended to each of them, as the token of the last
    tag. The MT is unchanged if no segment is excluded, or if `tags` and `mt` have different numbers of segments.
    """
    if not len(excluded_segments) or len(tags) != len(mt):
        return mt
    retained = np.ones(len(mt), bool)
    retained[excluded_segments] = False
    with_eos = bool((tags.lengths() - mt.token_counts() == 1)[retained].all())
    end = b" " + EOS.encode() if with_eos else b""
    return _column([mt.raw(segment) + end if is_stored else b"" for segment, is_stored in enumerate(retained.tolist())])


def _column(lines: list[bytes]) -> TextColumn:
    return TextColumn.from_bytes(b"".join(line + b"\n" for line in lines))


def describe_tagged_texts(table: WordTable) -> str:
    """One-line description of a WMT23 gold table."""
    excluded_count = len(table.excluded)
    segments, pairs = len(np.unique(table.line)) + excluded_count, list_names(table.pairs, joined=True)
    bad = 100 * float(table.tag.mean()) if len(table) else 0.0
    if excluded_count:
        return tr(
            "WMT23 gold with the MT and its tags, {n:,} {n:segment|segments} ({out:,} left out), {tags:,} "
            "{tags:tag|tags}, {pairs}, {bad:.1f} % BAD",
            "", segments, out=excluded_count, tags=len(table), pairs=pairs, bad=bad,
        )  # fmt: skip
    return tr(
        "WMT23 gold with the MT and its tags, {n:,} {n:segment|segments}, {tags:,} {tags:tag|tags}, {pairs}, "
        "{bad:.1f} % BAD",
        "", segments, tags=len(table), pairs=pairs, bad=bad,
    )  # fmt: skip


def tagged_text_notes(table: WordTable) -> tuple[str, ...]:
    """Notes on excluded segments and empty tokens of a WMT23 gold table."""
    notes = []
    if len(table.excluded):
        notes.append(tr(
            "{n:,} {n:segment|segments} without tags (“hallucination”) {n:was|were} left out; "
            "{n:its MT line was|their MT lines were} left empty",
            "", len(table.excluded),
        ))  # fmt: skip
    empty = np.unique(table.line[table.begin == table.end])
    if len(empty):
        named = list_names([f"{line:,}" for line in empty[:6].tolist()], of=len(empty))
        notes.append(tr(
            "{n:line|lines} {lines}: a token has a tag but no text; it is displayed as {mark}",
            "", len(empty), lines=named, mark=EMPTY_TOKEN,
        ))  # fmt: skip
    return tuple(notes)
