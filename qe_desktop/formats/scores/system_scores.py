"""Scores of many systems in one file, one `system⇥score` per line, as exchanged by the WMT metrics tasks.

The lines of a system are in segment order; the score of an unrated segment is `None`. If there is only one line per
system, it contains the score of the system's whole translation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, SourceLocation, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.layers import Scores
from qe_desktop.escaping import NUMBER_PATTERN
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.files import MAX_SEGMENTS, check_line_count
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import SystemScores
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile
from qe_desktop.formats.tsv import TsvBlock, decode_labels, table_rows
from qe_desktop.i18n.messages import tr

MISSING_SCORES = ("None", "nan", "NaN", "")
"""Placeholders for unrated segments."""
_LINE = re.compile(rf"[^\t\r\n]+\t(None|nan|NaN|{NUMBER_PATTERN})\r?".encode())
_COUNT_NAME = re.compile(r"n([._ -].*)?", re.IGNORECASE)
"""Pattern of the names of columns, such as `N.ALL`, that contain rating counts instead of scores."""
_HINT = tr(
    "Each line must have a system, a tab and a score (None if missing). Put the lines of each system in segment order."
)


def is_system_scores(head: bytes) -> bool:
    """Whether the first line of a file, and most of its first 50 lines, contain a system and its score."""
    lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50] or [head]
    right = [_LINE.fullmatch(line) is not None for line in lines]
    # a single invalid line is reported when the file is read
    return right[0] and 2 * sum(right) > len(right)


def scores_in_head(opened: TextFile) -> Scores:
    """Scores of all systems in the opened part of a file, shape (rows,); missing and invalid scores are NaN."""
    parts = [rows.decimals(1) for rows in table_rows(opened, 2, 0, Faults())]
    return np.concatenate([np.zeros(0), *(np.where(valid, values, np.nan) for values, valid in parts)])


def read_system_scores(opened: TextFile) -> SystemScores:
    """Read the scores of each system.

    Raises QeError if a line is invalid, if the file has no lines or too many, or if systems have different numbers of
    scores.
    """
    check_line_count(opened.data, opened.name, MAX_SEGMENTS)
    errors, names = Faults(), dict[bytes, int]()
    systems, scores, lines = [], [], []
    for rows in table_rows(opened, 2, 0, errors):
        values, valid = rows.decimals(1)
        wrong = [row for row in np.flatnonzero(~valid).tolist() if rows.text(row, 1).strip() not in MISSING_SCORES]
        if wrong:
            errors.add(wrong, partial(_invalid_score_error, opened, rows))
        systems.append(rows.labels(0, names))
        scores.append(np.where(valid, values, np.nan))
        lines.append(rows.lines)
    errors.raise_if_any(_HINT)
    if not names:
        raise QeError(tr("the file contains no scores"), hint=_HINT, place=opened.location())
    return _group_by_system(
        opened, decode_labels(names), np.concatenate(systems), np.concatenate(scores), np.concatenate(lines)
    )


def _invalid_score_error(opened: TextFile, rows: TsvBlock, row: int) -> Fault:
    return Fault(
        opened.location(int(rows.lines[row])), tr("{text} is not a number", text=quote_token(rows.text(row, 1)))
    )


def _group_by_system(
    opened: TextFile, names: tuple[str, ...], system: NDArray[np.int32], score: Scores, line: Ints
) -> SystemScores:
    counts = np.bincount(system, minlength=len(names))
    order = np.argsort(system, kind="stable")
    ends = np.cumsum(counts)

    def error(index: int) -> Fault:
        message = tr(
            "{system} has {n:,} {n:score|scores}, but {first} has {size:,}",
            "", int(counts[index]), system=quote_token(names[index]), first=quote_token(names[0]), size=int(counts[0]),
        )  # fmt: skip
        return Fault(opened.location(int(line[order[ends[index] - 1]])), message)

    raise_for_rows(np.flatnonzero(counts != counts[0]), error, tr("Use one line per segment for every system."))
    columns = score[order].reshape(len(names), -1)
    columns.flags.writeable = False
    return SystemScores(dict(zip(names, columns, strict=True)))


def _confidence(head: bytes, name: str) -> float:
    if not is_system_scores(head):
        return 0.0
    line_systems = [line.split(b"\t")[0] for line in head.split(b"\n")[:-1] if line.strip()]
    several = len(set(line_systems))
    # not plausible: words with numbers, of which only some are repeated, and numeric tags such as 0 and 1
    is_plausible = several == len(line_systems) or 2 * several <= len(line_systems)
    return 0.9 if is_plausible and not all(name.strip().isdigit() for name in line_systems) else 0.0


def _read(opened: TextFile) -> ParseResult:
    scores = read_system_scores(opened)
    systems = list_names(list(scores.systems))
    if scores.size == 1:
        description = tr(
            "one score per system, {n:,} {n:system|systems}: {systems}", "", len(scores.systems), systems=systems
        )
    else:
        description = tr(
            "scores of {n:,} {n:segment|segments} of {count:,} {count:system|systems}: {systems}",
            "", scores.size, count=len(scores.systems), systems=systems,
        )  # fmt: skip
    return ParseResult(FORMAT.name, description, scores)


FORMAT = Format("system scores", _confidence, _read)


SYSTEM_NAMES = {"sys", "system", "systems", "name", "model"}
"""Lower-case names that identify the column of systems."""
USUAL_SCORE_COLUMNS = ("z.scr", "z", "z_mean", "z-score", "zscore", "score", "mean", "human")
"""Lower-case names of default score columns, in order of preference."""
MAX_TABLE_SYSTEMS = 10_000
_DELIMITERS = re.compile(r"\t|,|;| +")


@dataclass(frozen=True, slots=True)
class SystemTable:
    """Score columns by name; each column maps the names of systems to scores."""

    columns: Mapping[str, Mapping[str, float]]

    def column(self, name: str, location: SourceLocation) -> Mapping[str, float]:
        """Score column `name`; if the name is empty, the default column (see `USUAL_SCORE_COLUMNS`) or the only one.

        Raises QeError at `location` if there is no column `name`, or if there are several columns and no default.
        """
        by_name = {column.lower(): values for column, values in self.columns.items()}
        if name:
            if name.lower() not in by_name:
                hint = tr(
                    "{n:The score column is|The score columns are} {columns}.", "", len(self.columns),
                    columns=list_names(list(self.columns), joined=True),
                )  # fmt: skip
                raise QeError(tr("no score column named “{name}”", name=name), hint=hint, place=location)
            return by_name[name.lower()]
        usual = next((by_name[candidate] for candidate in USUAL_SCORE_COLUMNS if candidate in by_name), None)
        if usual is not None or len(by_name) == 1:
            return usual if usual is not None else next(iter(by_name.values()))
        message = tr(
            "this table has {n} {n:score column|score columns}: {columns}",
            "",
            len(by_name),
            columns=list_names(list(self.columns)),
        )
        hint = tr("Specify the column of human scores.")
        command_hint = tr("Specify the column of human scores with --human-name NAME.")
        raise QeError(message, hint=hint, command_hint=command_hint, place=location)


def is_system_table(head: bytes) -> bool:
    """Whether a file has a header with a column of systems, and at least one row."""
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    return len(lines) > 1 and any(name.lower() in SYSTEM_NAMES for name in _cells(lines[0]))


def read_system_table(opened: TextFile) -> SystemTable:
    """Read all numeric columns, except rating counts such as N or N.ALL.

    The file must be a table of systems (`is_system_table`). Raises QeError if a row does not have as many cells as the
    header, if a system occurs twice, if two score columns have the same name (ignoring case), if there are too many
    systems, or if there is no score column.
    """
    rows = [
        (number, _cells(line))
        for number, line in enumerate(bytes(opened.data[opened.start :]).decode("utf-8", "replace").splitlines(), 1)
        if line.strip()
    ]
    if len(rows) - 1 > MAX_TABLE_SYSTEMS:
        raise QeError(
            tr("the table has more than {n:,} systems", "", MAX_TABLE_SYSTEMS),
            hint=_TABLE_HINT,
            place=opened.location(),
        )
    header = rows[0][1]
    system_index = next(index for index, name in enumerate(header) if name.lower() in SYSTEM_NAMES)
    systems: dict[str, list[str]] = {}
    for number, cells in rows[1:]:
        if len(cells) != len(header):
            message = tr("the row does not have {n} {n:column|columns}", "", len(header))
            raise QeError(message, hint=_TABLE_HINT, place=opened.location(number))
        if cells[system_index] in systems:
            message = tr("duplicate system {system}", system=quote_token(cells[system_index]))
            raise QeError(message, hint=tr("Each system may occur only once."), place=opened.location(number))
        systems[cells[system_index]] = cells
    columns: dict[str, dict[str, float]] = {}
    for index, name in enumerate(header):
        values = {system: _number(cells[index]) for system, cells in systems.items()}
        if index != system_index and not _COUNT_NAME.fullmatch(name) and not any(map(math.isnan, values.values())):
            if name.lower() in map(str.lower, columns):
                message = tr("there are two columns named {name}", name=quote_token(name))
                raise QeError(message, hint=tr("Use a unique name for each column."), place=opened.location(rows[0][0]))
            columns[name] = values
    if not columns or not systems:
        raise QeError(tr("this table has no score column"), hint=_TABLE_HINT, place=opened.location())
    return SystemTable(columns)


_TABLE_HINT = tr("Use a header row, and one row per system with its name and scores.")


def _cells(line: str) -> list[str]:
    return [cell.strip().strip('"') for cell in _DELIMITERS.split(line.strip())]


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan
