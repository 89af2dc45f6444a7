"""CSV writer for tables of ratings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import PairRatings, QeError, Ratings, ScoreRatings, SourceLocation
from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import encode_utf8, escape_csv_cell
from qe_desktop.formats.io.atomic_write import atomic_write
from qe_desktop.formats.io.text_files import display_name
from qe_desktop.formats.ratings.cell_parsing import format_range
from qe_desktop.formats.ratings.csv_columns import ROWS_PER_CHUNK
from qe_desktop.i18n.messages import tr

_SIGN = re.compile("(?:^|[,;\t\"])'*[=+\\-@\t\r＝＋－＠]", re.MULTILINE)
"""Pattern that matches the beginning of each cell that a spreadsheet may interpret as a formula."""


def write_table(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """Write named columns of equal length as a table; cells are quoted if necessary.

    Cells that a spreadsheet would interpret as formulas are escaped: see `escape_csv_cell`. Raises QeError as
    `atomic_write` does.
    """
    rows = chain([tuple(columns)], zip(*columns.values(), strict=True))
    with atomic_write(path) as file:
        while some := list(islice(rows, ROWS_PER_CHUNK)):
            file.write(encode_utf8(_cells_text(some)))


def _cells_text(rows: Sequence[Sequence[Any]]) -> str:
    text = _rows_text(rows)
    if _SIGN.search(text):
        # few tables have such a cell, and checking each of a million cells takes longer than writing them
        rows = [[escape_csv_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
        text = _rows_text(rows)
    # the csv writer does not quote a carriage return, and no reader accepts an unquoted one
    return _rows_text(rows, quoted=True) if "\r" in text else text


def _rows_text(rows: Sequence[Sequence[Any]], *, quoted: bool = False) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL).writerows(rows)
    return text.getvalue()


def campaign_columns(*tables: ScoreRatings | PairRatings) -> dict[str, list[str]]:
    """Map headers to columns with the campaigns and rating ids of all rows in `tables`; empty columns are omitted."""
    columns = {}
    for header, column in (("campaign", "campaign"), ("rating id", "uid")):
        cells = [cell for table in tables for cell in table.texts(column)]
        if any(cells):
            columns[header] = cells
    return columns


def ranges_column(ratings: Ratings, scores: ScoreRatings) -> list[str]:
    """Range of each score's scale, as text; empty if the range is unknown."""
    range_texts = {scale: format_range(minimum, maximum) for scale, minimum, maximum in ratings.ranges}
    return [range_texts.get(scale, "") for scale in scores.texts("scale")]


def check_not_empty(count: int, path: Path, message: str, hint: str) -> None:
    """Raise QeError with `message` and `hint` if `count`, the number of ratings to be written to `path`, is 0."""
    if not count:
        raise QeError(message, hint=hint, place=SourceLocation(display_name(path)))


def check_names_round_trip(table: ScoreRatings | PairRatings, columns: Sequence[str], path: Path) -> None:
    """Raise QeError if a name in `columns` is empty, or has leading or trailing spaces, which are lost on reading."""
    for column in columns:
        for index in np.unique(getattr(table, column)).tolist():
            name = getattr(table, table.NAMES[column])[index]
            if not name or name != name.strip():
                message = tr(
                    "the name “{name}” would not be read back unchanged: it is empty or has leading or trailing spaces",
                    name=name,
                )
                raise QeError(
                    message, hint=tr("Use the JSON Lines format (jsonl)."), place=SourceLocation(display_name(path))
                )


def format_numbers(values: Floats) -> list[str]:
    """Format numbers with all their digits, and integers without a decimal point; NaN becomes an empty string."""
    return ["" if value != value else repr(value).removesuffix(".0") for value in values.tolist()]
