"""Formats of rating files: detection, reading and, for some formats, writing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Ratings
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.ratings.header_aliases import ColumnUse


@dataclass(frozen=True, slots=True)
class RatingFormat:
    """Format of rating files.

    `confidence` takes the first bytes and the name of a file; it returns a number, 0..1, that states how well the file
    fits the format. `read` takes a file and the language pair to select (empty: the only one in the file). `write`
    writes the data that the format can contain and returns notes on all other data; it is None for read-only formats.
    `column_uses` takes the first bytes of a file and returns the uses of its columns; it is None for formats whose
    tables are never ambiguous.
    """

    name: str
    display_name: str
    confidence: Callable[[bytes, str], float]
    read: Callable[[TextFile, str], Ratings]
    write: Callable[[Ratings, Path], tuple[str, ...]] | None = None
    column_uses: Callable[[bytes], tuple[ColumnUse, ...]] | None = None


AMBIGUOUS_CONFIDENCE = 0.3
"""Confidence if it is unclear whether a table contains ratings; the user is then asked."""
