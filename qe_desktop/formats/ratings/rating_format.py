"""What a format of ratings is: how a file in it is recognised, read and, for some, written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Ratings
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.ratings.header_aliases import ColumnUse


@dataclass(frozen=True, slots=True)
class RatingFormat:
    """A family of files. `confidence` says from a file's first bytes and its name how well it fits, 0..1.

    `read` takes a file and the language pair to choose (empty: the only one). `write` writes what the format can hold
    and gives notes on what it left out; None for formats that are only read. `uses` says what the columns of a table
    are taken for, where that may be a question.
    """

    name: str
    title: str
    confidence: Callable[[bytes, str], float]
    read: Callable[[TextFile, str], Ratings]
    write: Callable[[Ratings, Path], tuple[str, ...]] | None = None
    uses: Callable[[bytes], tuple[ColumnUse, ...]] | None = None


AMBIGUOUS_CONFIDENCE = 0.3
"""The confidence in a table that may hold ratings but does not say so: it is asked for."""
