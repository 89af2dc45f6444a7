"""What a table's columns are taken for: what is not read is named, and what could be anything is asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import QeError
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

EXAMPLES = 3
NAMED = 12
"""Columns that a note names; of more it gives the number."""


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """A column: its name, what it is taken for (nothing where it is not read), and its first cells."""

    name: str
    taken_for: str
    examples: tuple[str, ...]

    @property
    def said(self) -> str:
        """What it is taken for, as people read it."""
        return _SAID.get(self.taken_for, self.taken_for)


class UnsureTable(QeError):
    """A table that may hold ratings of this `form`, though nothing in it says so; `uses` are what it would be read as.

    It is read once a person says that it does.
    """

    def __init__(self, opened: OpenedFile, form: str, uses: Sequence[ColumnUse]) -> None:
        values = [use.name for use in uses if use.taken_for == (RATER if form == "wide" else VALUE)]
        listed = _listed(values)
        if form == "wide":
            message = tr(
                "nothing says that this table holds ratings: {columns} would be taken for the values of raters",
                columns=listed,
            )
            command_hint = tr(
                "If they are, say so: --table {form} or, with their names, --raters {raters}. If not, leave the file "
                "out.",
                form=form, raters=",".join(values[:2]),
            )  # fmt: skip
        else:
            message = tr(
                "nothing says that this table holds ratings: {columns} would be taken for ratings", columns=listed
            )
            command_hint = tr("If they are, say so: --table {form}. If not, leave the file out.", form=form)
        hint = tr("If they are, say so. If not, leave the file out.")
        super().__init__(message, hint=hint, command_hint=command_hint, place=opened.place())
        self.path = opened.path
        self.form = form
        self.uses = tuple(uses)


RATER, VALUE = "rater", "rating"
"""What columns with values are taken for."""
_SAID = {
    RATER: tr("rater", "what a column holds"),
    VALUE: tr("rating", "what a column holds"),
    "segment": tr("segment", "what a column holds"),
    "system": tr("system", "what a column holds"),
    "scale": tr("scale", "what a column holds"),
    "document": tr("document", "what a column holds"),
    "pair": tr("pair", "what a column holds"),
    "screen": tr("screen", "what a column holds"),
    "systems": tr("systems", "what a column holds"),
    "ranks": tr("ranks", "what a column holds"),
    "role": tr("role", "what a column holds"),
    "flags": tr("flags", "what a column holds"),
    "started": tr("started", "what a column holds"),
    "time": tr("time", "what a column holds"),
    "campaign": tr("campaign", "what a column holds"),
    "uid": tr("uid", "what a column holds"),
    "range": tr("range", "what a column holds"),
    "seconds": tr("seconds", "what a column holds"),
}
"""What columns are taken for, as people read it."""


def of_rater(rater: str, extra: str) -> str:
    """What a further column of a rater is taken for, as people read it; `extra` is the end of its name."""
    return {
        "started": tr("{rater}, started", rater=rater),
        "seconds": tr("{rater}, seconds", rater=rater),
        "flags": tr("{rater}, flags", rater=rater),
        "rating id": tr("{rater}, rating id", rater=rater),
    }[extra]


def uses_of(header: Sequence[str], rows: Sequence[Sequence[str]], taken: dict[int, str]) -> tuple[ColumnUse, ...]:
    """All columns of a table with what those at some places are `taken` for."""
    return tuple(
        ColumnUse(name.strip(), taken.get(place, ""), tuple(row[place] for row in rows[:EXAMPLES] if place < len(row)))
        for place, name in enumerate(header)
    )


def unread_note(header: Sequence[str], read: Collection[int]) -> tuple[str, ...]:
    """Names the columns that are not read; nothing where all are."""
    left = [(name.strip(), place + 1) for place, name in enumerate(header) if place not in read]
    if not left:
        return ()
    names = _listed([name or tr("(column {place})", place=place) for name, place in left])
    return (tr("{n:column|columns} not read: {names}", "", len(left), names=names),)


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in names[:NAMED])
    if len(names) <= NAMED:
        return listed
    return tr("{names} and {n:,} more", "", len(names) - NAMED, names=listed)
