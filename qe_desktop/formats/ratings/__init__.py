"""Detection, reading and writing of rating files, with one module per family of formats and one registry."""

from qe_desktop.formats.ratings.journal import Journal, JournalLine, read_journal, write_journal
from qe_desktop.formats.ratings.rating_format import AmbiguousTableError, ColumnUse, RatingFormat
from qe_desktop.formats.ratings.registry import (
    RATING_FORMATS,
    WRITABLE_FORMATS,
    detect_rating_format,
    read_ratings,
    write_ratings,
)
from qe_desktop.formats.ratings.wmt_ratings import MEAN_RATER

__all__ = [
    "MEAN_RATER",
    "RATING_FORMATS",
    "WRITABLE_FORMATS",
    "AmbiguousTableError",
    "ColumnUse",
    "Journal",
    "JournalLine",
    "RatingFormat",
    "detect_rating_format",
    "read_journal",
    "read_ratings",
    "write_journal",
    "write_ratings",
]
