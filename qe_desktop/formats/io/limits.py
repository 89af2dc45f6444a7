"""How large a file and what is in it may be: beyond these, a mistake or an attack is likelier than a corpus."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, QeError, SourceLocation, TextColumn, raise_for_rows
from qe_desktop.corpus.text import LF
from qe_desktop.i18n.messages import tr

MAX_FILE_BYTES = 1 << 32
"""Bytes of a file, as it is and unpacked."""
UNPACKED_ALLOWANCE_BYTES = 1 << 24
"""Bytes that any gzip file may hold."""
MAX_COMPRESSION_RATIO = 50
"""How many times its size a gzip file may hold beyond that: texts reach 5, tags 40, and what is made to fill 1,000."""
MAX_LINES = 1 << 25
COUNT_BLOCK_BYTES = 1 << 18
"""Bytes in which line feeds are counted at once, so that counting them needs no memory."""
MAX_SEGMENTS = 1 << 24
MAX_SEGMENT_TOKENS = 100_000
"""Bytes of a segment's text. Documents in one line stay far below; what is above has lost its line ends."""
MAX_SEGMENT_VALUES = MAX_SEGMENT_TOKENS + 1
"""Tags or numbers of a segment: of gaps and words by turns, for a text of the longest kind."""
MAX_FILES = 2000
"""Files of a folder that are looked at; beyond, it is none of corpora but a whole disk."""


def check_line_count(data: bytes, name: str, most: int = MAX_LINES) -> None:
    """Refuse a file with more lines than any corpus has, before a column is made of them."""
    view = np.frombuffer(data, np.uint8)
    lines = sum(
        int(np.count_nonzero(view[low : low + COUNT_BLOCK_BYTES] == LF))
        for low in range(0, len(view), COUNT_BLOCK_BYTES)
    )
    if lines > most:
        message = tr("the file has {n:,} {n:line|lines}; the maximum is {most:,}", "", lines, most=most)
        hint = tr("Check that it is the right file, or split it.")
        raise QeError(message, hint=hint, place=SourceLocation(name))


def check_line_lengths(text: TextColumn, name: str) -> None:
    """Refuse a text with a line that no segment can be."""
    sizes = text.ends - text.starts

    def fault(line: int) -> Fault:
        return Fault(SourceLocation(name, line + 1), tr("the line has {n:,} bytes", "", int(sizes[line])))

    hint = tr("A segment may have at most {n:,} bytes. Check that the line breaks are intact.", "", MAX_SEGMENT_TOKENS)
    raise_for_rows(np.flatnonzero(sizes > MAX_SEGMENT_TOKENS), fault, hint)


def check_segment_lengths(lengths: NDArray[np.int64], line_of: Callable[[int], int], name: str) -> None:
    """Refuse tags or numbers of which a segment has more than any text has tokens; `line_of` says where it begins."""

    def fault(segment: int) -> Fault:
        return Fault(
            SourceLocation(name, line_of(segment)),
            tr("the segment has {n:,} {n:value|values}", "", int(lengths[segment])),
        )

    hint = tr("A segment may have at most {n:,}. Check that the line breaks are intact.", "", MAX_SEGMENT_VALUES)
    raise_for_rows(np.flatnonzero(lengths > MAX_SEGMENT_VALUES), fault, hint)
