"""Files of ratings: one module for each family, behind one registry: recognise, read, write."""

from qe_desktop.formats.ratings.column_uses import ColumnUse, UnsureTable
from qe_desktop.formats.ratings.journal import Journal, JournalLine, read_journal, write_journal
from qe_desktop.formats.ratings.rating_format import RatingFormat
from qe_desktop.formats.ratings.registry import RATING_FORMATS, WRITTEN, read_ratings, recognise_ratings, write_ratings
from qe_desktop.formats.ratings.wmt_da import MEAN_OF_RATERS

__all__ = [
    "MEAN_OF_RATERS",
    "RATING_FORMATS",
    "WRITTEN",
    "ColumnUse",
    "Journal",
    "JournalLine",
    "RatingFormat",
    "UnsureTable",
    "read_journal",
    "read_ratings",
    "recognise_ratings",
    "write_journal",
    "write_ratings",
]
