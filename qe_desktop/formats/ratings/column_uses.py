"""What a table's columns are taken for: what is not read is named, and what could be anything is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import QeError
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.tag_lines import shown

EXAMPLES = 3
NAMED = 12
"""Columns that a note names; of more it gives the number."""


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """A column: its name, what it is taken for (nothing where it is not read), and its first cells."""

    name: str
    taken_for: str
    examples: tuple[str, ...]


class UnsureTable(QeError):
    """A table that may hold ratings of this `form`, though nothing in it says so; `uses` are what it would be read as.

    It is read once a person says that it does.
    """

    def __init__(self, opened: OpenedFile, form: str, uses: Sequence[ColumnUse]) -> None:
        values = [use.name for use in uses if use.taken_for == (RATER if form == "wide" else VALUE)]
        what = "the values of raters" if form == "wide" else "ratings"
        message = f"nothing says that this table holds ratings: {_listed(values)} would be taken for {what}"
        more = f" or, with their names, --raters {','.join(values[:2])}" if form == "wide" else ""
        hint = f"If they are, say so: --table {form}{more}. If not, leave the file out."
        super().__init__(message, hint=hint, place=opened.place())
        self.path = opened.path
        self.form = form
        self.uses = tuple(uses)


RATER, VALUE = "rater", "rating"
"""What columns with values are taken for."""


def uses_of(header: Sequence[str], rows: Sequence[Sequence[str]], taken: dict[int, str]) -> tuple[ColumnUse, ...]:
    """All columns of a table with what those at some places are `taken` for."""
    return tuple(
        ColumnUse(name.strip(), taken.get(place, ""), tuple(row[place] for row in rows[:EXAMPLES] if place < len(row)))
        for place, name in enumerate(header)
    )


def unread_note(header: Sequence[str], read: Collection[int]) -> tuple[str, ...]:
    """Names the columns that are not read; nothing where all are."""
    left = [name.strip() or f"(column {place + 1})" for place, name in enumerate(header) if place not in read]
    if not left:
        return ()
    return (f"{'column' if len(left) == 1 else 'columns'} not read: {_listed(left)}",)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(shown(name) for name in names[:NAMED]) + more
