"""Pharaoh alignments: one segment a line, pairs i-j of a source and an MT token, from 0."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import AlignmentColumn, Fault, Faults, offsets_of
from qe_desktop.formats.blocks import Split, blocks, split
from qe_desktop.formats.fields import integers
from qe_desktop.formats.limits import MOST_SEGMENTS, refuse_many_lines
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

HYPHEN = ord("-")


def read_alignments(opened: OpenedFile) -> AlignmentColumn:
    """All pairs of a file. QeError that names what is no pair."""
    refuse_many_lines(opened.data, opened.name, MOST_SEGMENTS)
    pairs: list[NDArray[np.int32]] = []
    counts: list[NDArray[np.int64]] = []
    faults, lines = Faults(), 0
    for _, block in blocks(opened):
        parts = split(block)
        hyphens = np.append(np.flatnonzero(parts.codes == HYPHEN), len(parts.codes))
        between = np.minimum(hyphens[np.searchsorted(hyphens, parts.starts)], parts.ends)
        source, first = integers(parts.codes, parts.starts, between)
        target, second = integers(parts.codes, np.minimum(between + 1, parts.ends), parts.ends)
        valid = first & second & (source < 1 << 30) & (target < 1 << 30)
        faults.add(np.flatnonzero(~valid), partial(_no_pair, opened, parts, lines))
        pairs.append(np.stack((source, target), axis=1).astype(np.int32))
        counts.append(parts.counts)
        lines += len(parts.counts)
    faults.refuse(tr("Alignments are pairs such as 0-0 1-2, a source and an MT token counted from 0."))
    return AlignmentColumn(np.concatenate(pairs), offsets_of(np.concatenate(counts)))


def _no_pair(opened: OpenedFile, parts: Split, lines: int, token: int) -> Fault:
    message = tr("{text} is no pair of tokens", text=shown(parts.text(token)))
    return Fault(opened.place(lines + parts.line_of(token)), message)


_PAIR = re.compile(rb"\d+-\d+")


def _confidence(head: bytes, name: str) -> float:
    tokens = head[:4096].split()[:-1] or head.split()
    if not tokens:
        return 0.0
    share = sum(map(bool, map(_PAIR.fullmatch, tokens))) / len(tokens)
    return share if share > (0.3 if "align" in name.lower() else 0.7) else 0.0


def _read(opened: OpenedFile) -> Reading:
    column = read_alignments(opened)
    pairs = len(column.values)
    text = tr("{n:,} {n:line|lines} of alignments, {pairs:,} {pairs:pair|pairs}", "", len(column), pairs=pairs)
    return Reading(FORMAT.name, text, column)


FORMAT = Format("alignments", _confidence, _read)
