"""How large a file and what is in it may be: beyond these, a mistake or an attack is likelier than a corpus."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Place, QeError, TextColumn, refuse_all
from qe_desktop.corpus.text import LF
from qe_desktop.wording import tr

LARGEST = 1 << 32
"""Bytes of a file, as it is and unpacked."""
UNPACKED = 1 << 24
"""Bytes that any gzip file may hold."""
RATIO = 50
"""How many times its size a gzip file may hold beyond that: texts reach 5, tags 40, and what is made to fill 1,000."""
MOST_LINES = 1 << 25
PIECE = 1 << 18
"""Bytes in which line feeds are counted at once, so that counting them needs no memory."""
MOST_SEGMENTS = 1 << 24
LONGEST = 100_000
"""Bytes of a segment's text. Documents in one line stay far below; what is above has lost its line ends."""
MOST_VALUES = LONGEST + 1
"""Tags or numbers of a segment: of gaps and words by turns, for a text of the longest kind."""
MOST_FILES = 2000
"""Files of a folder that are looked at; beyond, it is none of corpora but a whole disk."""


def refuse_many_lines(data: bytes, name: str, most: int = MOST_LINES) -> None:
    """Refuse a file with more lines than any corpus has, before a column is made of them."""
    view = np.frombuffer(data, np.uint8)
    lines = sum(int(np.count_nonzero(view[low : low + PIECE] == LF)) for low in range(0, len(view), PIECE))
    if lines > most:
        message = tr("the file has {n:,} {n:line|lines}; at most {most:,} are read", "", lines, most=most)
        hint = tr("Check that it is the file you meant, or give it in parts.")
        raise QeError(message, hint=hint, place=Place(name))


def refuse_long_lines(text: TextColumn, name: str) -> None:
    """Refuse a text with a line that no segment can be."""
    sizes = text.ends - text.starts

    def fault(line: int) -> Fault:
        return Fault(Place(name, line + 1), tr("the line has {n:,} bytes", "", int(sizes[line])))

    hint = tr("A segment has {n:,} bytes at most. Check that its line ends were not lost.", "", LONGEST)
    refuse_all(np.flatnonzero(sizes > LONGEST), fault, hint)


def refuse_long_segments(lengths: NDArray[np.int64], line_of: Callable[[int], int], name: str) -> None:
    """Refuse tags or numbers of which a segment has more than any text has tokens; `line_of` says where it begins."""

    def fault(segment: int) -> Fault:
        return Fault(
            Place(name, line_of(segment)), tr("the segment has {n:,} {n:value|values}", "", int(lengths[segment]))
        )

    hint = tr("A segment has {n:,} at most. Check that its line ends were not lost.", "", MOST_VALUES)
    refuse_all(np.flatnonzero(lengths > MOST_VALUES), fault, hint)
