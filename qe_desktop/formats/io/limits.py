"""Limits on the size and content of files: beyond them, a mistake or an attack is more likely than a corpus."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qe_desktop.corpus import Fault, QeError, SourceLocation, TextColumn, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.text import LF
from qe_desktop.i18n.messages import tr

MAX_FILE_BYTES = 1 << 32
"""Maximum size of a file in bytes, both compressed and unpacked."""
UNPACKED_ALLOWANCE_BYTES = 1 << 24
"""Number of bytes to which any gzip file may unpack, regardless of its own size."""
MAX_COMPRESSION_RATIO = 50
"""Maximum ratio of unpacked to compressed size for files that unpack to more than `UNPACKED_ALLOWANCE_BYTES`.

Texts reach a ratio of 5, tags of 40, and zip bombs of 1,000.
"""
MAX_LINES = 1 << 25
COUNT_BLOCK_BYTES = 1 << 18
"""Number of bytes in which line feeds are counted at a time; a small number saves memory."""
MAX_SEGMENTS = 1 << 24
MAX_SEGMENT_LENGTH = 100_000
"""Maximum length of a segment's text: bytes in text files, characters in bilingual files.

Even a whole document on one line is far shorter; a longer line is probably a file that has lost its line breaks.
"""
MAX_SEGMENT_VALUES = MAX_SEGMENT_LENGTH + 1
"""Maximum number of tags or numbers in a segment, enough for the interleaved gaps and words of the longest text."""
MAX_FILES = 2000
"""Maximum number of files and folders examined in a folder; a folder with more is probably a whole disk."""


def check_line_count(data: bytes, name: str, max_lines: int = MAX_LINES) -> None:
    """Raise QeError if a file has more than `max_lines` lines; to be called before a column is built from `data`."""
    view = np.frombuffer(data, np.uint8)
    lines = sum(
        int(np.count_nonzero(view[offset : offset + COUNT_BLOCK_BYTES] == LF))
        for offset in range(0, len(view), COUNT_BLOCK_BYTES)
    )
    if lines > max_lines:
        message = tr("the file has {n:,} {n:line|lines}; the maximum is {most:,}", "", lines, most=max_lines)
        hint = tr("Check that it is the right file, or split it.")
        raise QeError(message, hint=hint, place=SourceLocation(name))


def check_line_lengths(text: TextColumn, name: str) -> None:
    """Raise QeError if a line of a text is too long for a segment."""
    sizes = text.ends - text.starts

    def error(line: int) -> Fault:
        return Fault(SourceLocation(name, line + 1), tr("the line has {n:,} bytes", "", int(sizes[line])))

    hint = tr("A segment may have at most {n:,} bytes. Check that the line breaks are intact.", "", MAX_SEGMENT_LENGTH)
    raise_for_rows(np.flatnonzero(sizes > MAX_SEGMENT_LENGTH), error, hint)


def check_segment_lengths(lengths: Ints, line_of: Callable[[int], int], name: str) -> None:
    """Raise QeError if a segment has too many tags or numbers; `line_of` maps segments to lines."""

    def error(segment: int) -> Fault:
        return Fault(
            SourceLocation(name, line_of(segment)),
            tr("the segment has {n:,} {n:value|values}", "", int(lengths[segment])),
        )

    hint = tr("A segment may have at most {n:,} values. Check that the line breaks are intact.", "", MAX_SEGMENT_VALUES)
    raise_for_rows(np.flatnonzero(lengths > MAX_SEGMENT_VALUES), error, hint)
