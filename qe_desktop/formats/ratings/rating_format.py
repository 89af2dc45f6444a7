"""Format of ratings: detection, reading and, for some formats, writing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Ratings
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.ratings.header_aliases import ColumnUse


@dataclass(frozen=True, slots=True)
class RatingFormat:
    """Family of rating files. `confidence` rates from 0 to 1 how well a file fits, by its first bytes and name.

    `read` takes a file and the language pair to select (empty: the only one in the file). `write` writes the data that
    the format can contain and returns notes on the rest; None for read-only formats. `column_uses` determines, from a
    file's first bytes, the uses of its columns; None for formats whose tables are never ambiguous.
    """

    name: str
    display_name: str
    confidence: Callable[[bytes, str], float]
    read: Callable[[TextFile, str], Ratings]
    write: Callable[[Ratings, Path], tuple[str, ...]] | None = None
    column_uses: Callable[[bytes], tuple[ColumnUse, ...]] | None = None


AMBIGUOUS_CONFIDENCE = 0.3
"""Confidence for a table that may contain ratings but is not marked as such: the user is asked."""
