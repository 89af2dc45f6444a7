"""Format of rating files, and the names of columns, scales and roles that the formats share."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, QeError, Ratings
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.formats.ratings.cell_parsing import split_scale_name
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import join_localized, tr


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


SYNONYMS: dict[str, tuple[str, ...]] = {
    "rater": (
        "rater", "judge", "annotator", "user", "worker", "evaluator", "assessor", "raterid", "judgeid", "annotatorid",
        "userid", "username", "workerid", "evaluatorid", "login",
    ),
    "system": ("system", "sys", "systemid", "sysid", "systemname", "mt", "mtsystem", "engine", "model"),
    "segment": (
        "segment", "seg", "segid", "segmentid", "segno", "sid", "item", "itemid", "line", "lineid", "sentence",
        "sentenceid", "sentid", "srcindex", "sourceid", "unit", "id",
    ),
    "document": ("document", "doc", "docid", "documentid"),
    "scale": ("scale", "annotype", "criterion", "dimension", "aspect", "measure", "field", "question"),
    "value": ("value", "score", "rating", "rawscore", "da", "directassessment"),
    "adequacy": ("adequacy", "ad", "adq", "adequacyscore", "accuracy"),
    "fluency": ("fluency", "fl", "flu", "fluencyscore"),
    "z": ("z", "zscore", "zscr", "standardised", "standardized", "stnd"),
    "systems": ("systems", "outputs", "order"),
    "ranks": ("ranks", "ranking"),
    "screen": ("screen", "screenid", "rankingid", "task", "taskid"),
    "role": ("role",),
    "type": ("type", "itemtype"),
    "started": ("started", "start", "at", "timestamp", "when", "starttime", "date"),
    "time": ("time",),
    "seconds": ("seconds", "duration", "timespent", "elapsed", "sec"),
    "flags": ("flags",),
    "range": ("range", "scalerange"),
    "campaign": ("campaign", "campaignid", "campaignuid"),
    "uid": ("ratingid", "ratinguid"),
    "pair": ("langpair", "languagepair", "lp"),
    "counts": ("numannot", "n", "count", "annotators", "binlabel", "meanscore", "mean"),
}  # fmt: skip
"""Maps each meaning of a column to headers with this meaning, in lower case and with letters and digits only."""

_MEANING = {name: meaning for meaning, names in SYNONYMS.items() for name in names}
_NON_ALPHANUMERIC = re.compile(r"[^a-z0-9]+")

SCALES = {
    "ad": "adequacy", "adq": "adequacy", "adequacy": "adequacy", "fl": "fluency", "flu": "fluency",
    "fluency": "fluency", "da": "score", "score": "score", "directassessment": "score", "z": "z", "zscore": "z",
}  # fmt: skip
"""Maps names and abbreviations of scales, in lower case and with letters and digits only, to full names."""

ROLES = {
    "": ItemRole.SYSTEM, "system": ItemRole.SYSTEM, "tgt": ItemRole.SYSTEM, "sys": ItemRole.SYSTEM,
    "repeat": ItemRole.REPEAT, "chk": ItemRole.REPEAT, "rep": ItemRole.REPEAT,
    "bad": ItemRole.BAD, "bad_ref": ItemRole.BAD, "badref": ItemRole.BAD, "control": ItemRole.BAD,
    "reference": ItemRole.REFERENCE, "ref": ItemRole.REFERENCE,
    "training": ItemRole.TRAINING,
}  # fmt: skip
"""Maps the lower-case names of roles in files to roles."""


def header_meaning(header: str) -> str:
    """Meaning of a column header, as a key of `SYNONYMS`; empty if unknown. A range in the header is ignored."""
    header = split_scale_name(header)[0]
    return _MEANING.get(_NON_ALPHANUMERIC.sub("", header.lower()), "")


def header_meanings(header: Sequence[str]) -> dict[str, int]:
    """Map each meaning to the index of the first column with this meaning."""
    columns: dict[str, int] = {}
    for index, name in enumerate(header):
        meaning = header_meaning(name)
        if meaning:
            columns.setdefault(meaning, index)
    return columns


def full_scale_name(name: str) -> str:
    """Full name of a scale, without a range; a name that is not a known abbreviation is kept."""
    name = split_scale_name(name)[0]
    return SCALES.get(_NON_ALPHANUMERIC.sub("", name.lower()), name)


def parse_role_code(cell: str) -> float:
    """Parse the name of a role, and return the role as a number. Raises ValueError if the name is unknown."""
    role = ROLES.get(cell.strip().lower())
    if role is None:
        raise ValueError(
            tr("{text} is not a role: use system, repeat, bad, reference or training", text=quote_token(cell))
        )
    return float(role)


def format_roles(roles: NDArray[np.uint8]) -> list[str]:
    """Lower-case name of each role."""
    words = [role.name.lower() for role in ItemRole]
    return [words[role] for role in roles]


def rename_codes(names: Sequence[str], codes: NameCodes, new: Sequence[str]) -> tuple[tuple[str, ...], NameCodes]:
    """Replace each of the names in a column with the name at the same position in `new`, which may have duplicates.

    `codes` are the rows' indices into `names`. Returns the distinct new names, and the rows' indices into them.
    """
    index_by_name: dict[str, int] = {}
    into = np.fromiter((index_by_name.setdefault(name, len(index_by_name)) for name in new), np.int32, len(names))
    return tuple(index_by_name), into[codes] if len(names) else codes


MAX_EXAMPLES = 3
MAX_LISTED_COLUMNS = 12
"""Maximum number of columns listed in a note."""


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """Description of a column: its name, its use (empty if the column is not read), and its first cells."""

    name: str
    use: str
    examples: tuple[str, ...]

    @property
    def display_name(self) -> str:
        """Localized name of the column's use; empty if the column is not read."""
        return _USE_LABELS.get(self.use, self.use)


class AmbiguousTableError(QeError):
    """Error raised if it is unclear whether a table contains ratings.

    `form` is the name of the rating format; `uses` describes the columns of the table. The table can be read once the
    user has confirmed that it contains ratings.
    """

    def __init__(self, opened: TextFile, form: str, uses: Sequence[ColumnUse]) -> None:
        values = [use.name for use in uses if use.use == (RATER if form == "wide" else VALUE)]
        listed = _list_columns(values)
        if form == "wide":
            message = tr(
                "it is unclear whether this is a table of ratings: the {n:column|columns} {columns} would be read as "
                "{n:the ratings of one rater|the ratings of one rater each}",
                "",
                len(values),
                columns=listed,
            )
            command_hint = tr(
                "If these are ratings, use --table {form}, or name the rater columns, as in --raters {raters}. If not, "
                "leave the file out.",
                form=form, raters=",".join(values[:2]),
            )  # fmt: skip
        else:
            message = tr(
                "it is unclear whether this is a table of ratings: the {n:column|columns} {columns} would be read as "
                "ratings",
                "",
                len(values),
                columns=listed,
            )
            command_hint = tr("If these are ratings, use --table {form}. If not, leave the file out.", form=form)
        hint = tr("If these are ratings, confirm that. If not, leave the file out.")
        super().__init__(message, hint=hint, command_hint=command_hint, place=opened.location())
        self.path = opened.path
        self.form = form
        self.uses = tuple(uses)


RATER, VALUE = "rater", "rating"
"""Uses of columns with ratings: `RATER` for the ratings of one rater, `VALUE` for those of all raters."""
_USE_LABELS = {
    RATER: tr("rater", "what a column holds"),
    VALUE: tr("rating", "what a column holds"),
    "segment": tr("segment", "what a column holds"),
    "system": tr("system", "what a column holds"),
    "scale": tr("scale", "what a column holds"),
    "document": tr("document", "what a column holds"),
    "pair": tr("language pair", "what a column holds"),
    "screen": tr("ranking ID", "what a column holds"),
    "systems": tr("systems", "what a column holds"),
    "ranks": tr("ranks", "what a column holds"),
    "role": tr("role", "what a column holds"),
    "flags": tr("flags", "what a column holds"),
    "started": tr("start time", "what a column holds"),
    "time": tr("time", "what a column holds"),
    "campaign": tr("campaign", "what a column holds"),
    "uid": tr("rating ID", "what a column holds"),
    "range": tr("range", "what a column holds"),
    "seconds": tr("seconds", "what a column holds"),
}
"""Localized names of column uses."""


def rater_column_use(rater: str, extra: str) -> str:
    """Localized name of the use of an additional column of a rater; `extra` is the suffix of the column name."""
    return {
        "started": tr("{rater}, start time", rater=rater),
        "seconds": tr("{rater}, seconds", rater=rater),
        "flags": tr("{rater}, flags", rater=rater),
        "rating id": tr("{rater}, rating ID", rater=rater),
    }[extra]


def column_uses(
    header: Sequence[str], rows: Sequence[Sequence[str]], use_by_index: dict[int, str]
) -> tuple[ColumnUse, ...]:
    """Describe all columns of a table; `use_by_index` maps the indices of columns to their uses."""
    return tuple(
        ColumnUse(
            name.strip(),
            use_by_index.get(index, ""),
            tuple(row[index] for row in rows[:MAX_EXAMPLES] if index < len(row)),
        )
        for index, name in enumerate(header)
    )


def unread_note(header: Sequence[str], read_indices: Collection[int]) -> tuple[str, ...]:
    """Note on the columns that are not read; empty if all columns are read."""
    unread_columns = [(name.strip(), column + 1) for column, name in enumerate(header) if column not in read_indices]
    if not unread_columns:
        return ()
    names = _list_columns([name or tr("(column {place})", place=column) for name, column in unread_columns])
    return (tr("{n:column|columns} not read: {names}", "", len(unread_columns), names=names),)


def unread_fields_note(names: Sequence[str]) -> tuple[str, ...]:
    """Note on the fields of JSON objects that are not read; empty if there are none."""
    if not names:
        return ()
    return (tr("{n:field|fields} not read: {names}", "", len(names), names=_list_columns(names)),)


def _list_columns(names: Sequence[str]) -> str:
    listed = join_localized(", ", (quote_token(name) for name in names[:MAX_LISTED_COLUMNS]))
    if len(names) <= MAX_LISTED_COLUMNS:
        return listed
    return tr("{names} and {n:,} more", "", len(names) - MAX_LISTED_COLUMNS, names=listed)
