"""A table with a row for each system and its scores in columns, such as WMT's `ad-sys-scores.csv`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.sentences import few
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

SYSTEM_NAMES = {"sys", "system", "systems", "name", "model"}
"""What the column of systems is called."""
USUAL = ("z.scr", "z", "z_mean", "z-score", "zscore", "score", "mean", "human")
"""Columns that are what systems are compared by, where there are several, the first that is there."""
MOST_SYSTEMS = 10_000
_APART = re.compile(r"\t|,|;| +")


@dataclass(frozen=True, slots=True)
class SystemTable:
    """Scores of systems, by column and system."""

    columns: Mapping[str, Mapping[str, float]]

    def column(self, name: str, place: Place) -> Mapping[str, float]:
        """The column of this name, or of none the usual one; QeError where there is none, or several would do."""
        by_name = {column.lower(): values for column, values in self.columns.items()}
        if name:
            if name.lower() not in by_name:
                hint = tr("Its columns are {columns}.", columns=few(list(self.columns), joined=True))
                raise QeError(tr("no column of scores is called “{name}”", name=name), hint=hint, place=place)
            return by_name[name.lower()]
        usual = next((by_name[one] for one in USUAL if one in by_name), None)
        if usual is not None or len(by_name) == 1:
            return usual if usual is not None else next(iter(by_name.values()))
        message = tr(
            "this table has {n} {n:column|columns} of scores: {columns}",
            "",
            len(by_name),
            columns=few(list(self.columns)),
        )
        raise QeError(message, hint=tr("Say which is what people gave."), place=place)


def is_system_table(head: bytes) -> bool:
    """Whether a file that begins so has a row for each system."""
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    return len(lines) > 1 and any(name.lower() in SYSTEM_NAMES for name in _cells(lines[0]))


def read_system_table(opened: OpenedFile) -> SystemTable:
    """All columns that hold numbers. QeError for rows of another width, and for a system that stands there twice."""
    rows = [
        (number, _cells(line))
        for number, line in enumerate(bytes(opened.data[opened.start :]).decode("utf-8", "replace").splitlines(), 1)
        if line.strip()
    ]
    if len(rows) > MOST_SYSTEMS:
        raise QeError(tr("more than {n:,} systems", "", MOST_SYSTEMS), hint=_HINT, place=opened.place())
    header = rows[0][1]
    named = next(place for place, name in enumerate(header) if name.lower() in SYSTEM_NAMES)
    systems: dict[str, list[str]] = {}
    for number, cells in rows[1:]:
        if len(cells) != len(header):
            message = tr("the row has not {n} {n:column|columns}", "", len(header))
            raise QeError(message, hint=_HINT, place=opened.place(number))
        if cells[named] in systems:
            message = tr("{system} stands here again", system=shown(cells[named]))
            raise QeError(message, hint=tr("Give each system once."), place=opened.place(number))
        systems[cells[named]] = cells
    found = {}
    for place, name in enumerate(header):
        values = {system: _number(cells[place]) for system, cells in systems.items()}
        # counts of ratings are columns as well, and no scores
        if place != named and not name.upper().startswith("N") and not any(map(math.isnan, values.values())):
            found[name] = values
    if not found or not systems:
        raise QeError(tr("this table has no column of scores"), hint=_HINT, place=opened.place())
    return SystemTable(found)


_HINT = tr("Give a row for each system, with its name and its scores, below a header.")


def _cells(line: str) -> list[str]:
    return [cell.strip().strip('"') for cell in _APART.split(line.strip())]


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan
