"""Word alignments in Pharaoh format: one segment per line, as pairs i-j of 0-based source and MT token numbers."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import AlignmentColumn, Fault, Faults, offsets_from_lengths
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.files import MAX_SEGMENTS, check_line_count
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile, TokenBlock, iter_blocks, split_tokens
from qe_desktop.formats.tsv import parse_integers
from qe_desktop.i18n.messages import tr

HYPHEN = ord("-")


def read_alignments(opened: TextFile) -> AlignmentColumn:
    """Parse all alignments of a file. Raises QeError if a pair is invalid, or if there are too many lines."""
    check_line_count(opened.data, opened.name, MAX_SEGMENTS)
    pairs: list[NDArray[np.int32]] = []
    counts: list[Ints] = []
    faults, lines = Faults(), 0
    for _, block in iter_blocks(opened):
        parts = split_tokens(block)
        hyphens = np.append(np.flatnonzero(parts.codes == HYPHEN), len(parts.codes))
        hyphen_offsets = np.minimum(hyphens[np.searchsorted(hyphens, parts.starts)], parts.ends)
        source, first = parse_integers(parts.codes, parts.starts, hyphen_offsets)
        target, second = parse_integers(parts.codes, np.minimum(hyphen_offsets + 1, parts.ends), parts.ends)
        valid = first & second & (source < 1 << 30) & (target < 1 << 30)
        faults.add(np.flatnonzero(~valid), partial(_invalid_pair_error, opened, parts, lines))
        pairs.append(np.stack((source, target), axis=1).astype(np.int32))
        counts.append(parts.counts)
        lines += len(parts.counts)
    faults.raise_if_any(tr("Use pairs of source and MT token numbers, such as 0-0 1-2; numbering starts at 0."))
    return AlignmentColumn(np.concatenate(pairs), offsets_from_lengths(np.concatenate(counts)))


def _invalid_pair_error(opened: TextFile, parts: TokenBlock, lines: int, token: int) -> Fault:
    message = tr("{text} is not a pair of token numbers", text=quote_token(parts.text(token)))
    return Fault(opened.location(lines + parts.line_of(token)), message)


_PAIR = re.compile(rb"\d+-\d+")


def _confidence(head: bytes, name: str) -> float:
    tokens = head[:4096].split()[:-1] or head.split()
    if not tokens:
        return 0.0
    share = sum(map(bool, map(_PAIR.fullmatch, tokens))) / len(tokens)
    return share if share > (0.3 if "align" in name.lower() else 0.7) else 0.0


def _read(opened: TextFile) -> ParseResult:
    column = read_alignments(opened)
    pairs = len(column.values)
    text = tr("alignments, {n:,} {n:line|lines}, {pairs:,} {pairs:pair|pairs}", "", len(column), pairs=pairs)
    return ParseResult(FORMAT.name, text, column)


FORMAT = Format("alignments", _confidence, _read)
