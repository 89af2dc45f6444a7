"""Columns or languages of source and target: the user's choice, and the names by which columns are detected."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.corpus import Kind, LayerKey, Provenance


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """Source and target selected by the user: languages or column names, or empty to detect them from the file."""

    source: str = ""
    target: str = ""

    def as_setting(self) -> dict[str, str]:
        """Non-empty selections by name (`source`, `target`), as stored in projects."""
        return {name: selected for name, selected in (("source", self.source), ("target", self.target)) if selected}


AUTO_COLUMNS = ColumnChoice()


class ChoiceKind(enum.Enum):
    """Whether source and target are selected from the languages or from the columns of a file."""

    LANGUAGES = "languages"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Languages or columns (`names`) from which source and target can be selected.

    `default` is the default selection, which is empty if the file does not determine it.
    """

    kind: ChoiceKind
    names: tuple[str, ...]
    default: ColumnChoice = AUTO_COLUMNS


DOCUMENT, SEGMENT, SOURCE, LOADED, TARGET, STATUS, NOTE_COLUMN = QE_COLUMNS = (
    "document", "segment", "source", "MT as loaded", "target", "status", "notes",
)  # fmt: skip
"""Names of the columns that this program writes in every table and workbook."""
WORDS = "MT words"
"""Name of the column with the MT words that tags refer to; omitted if `word_tokenization` yields the same words."""
TAGS, SCORE = "tags ", "score "
"""Prefixes of the names of tag and score columns; the title of the layer follows (`layer_title`)."""
SOURCES = frozenset((SOURCE, "src", "source text", "source segment", "source language"))
TARGETS = frozenset((TARGET, "tgt", "mt", "translation", "target text", "target segment", "target language"))
NOTES = frozenset((NOTE_COLUMN, "note", "comment", "comments"))
STATES = frozenset((STATUS, "state"))


def normalize_header(name: str) -> str:
    """Normalize a column name: use lower case, and a single space for each run of spaces, hyphens or underscores."""
    return re.sub(r"[\s_-]+", " ", name).strip().lower()


def find_columns(header: Sequence[str], requested_name: str, known_names: frozenset[str]) -> list[int]:
    """Indices of the columns named `requested_name` or, if it is empty, of all columns with a name in `known_names`."""
    return [
        index
        for index, name in enumerate(header)
        if (name == requested_name if requested_name else normalize_header(name) in known_names)
    ]


def find_single_column(header: Sequence[str], known_names: frozenset[str], requested_name: str = "") -> int:
    """Index of the only column that `find_columns` returns; -1 if there is none or more than one."""
    indices = find_columns(header, requested_name, known_names)
    return indices[0] if len(indices) == 1 else -1


def find_source_and_target(header: Sequence[str], source: str = "", target: str = "") -> tuple[int, int] | None:
    """Indices of the source and target columns; None unless exactly one column matches each.

    `source` and `target` are the names that the user selected; if a name is empty, known names are used instead.
    """
    indices = find_single_column(header, SOURCES, source), find_single_column(header, TARGETS, target)
    return None if -1 in indices else indices


def is_qe_table(header: Sequence[str]) -> bool:
    """Whether this program wrote the table with this header; its texts are then lines with codes (`plain_lines`)."""
    return set(QE_COLUMNS) <= set(header)


def is_job_table(header: Sequence[str]) -> bool:
    """Whether a table is a translation job: unlike a score table, it has source, target, and status or note columns."""
    has_texts = find_source_and_target(header) is not None
    return has_texts and (find_single_column(header, STATES) >= 0 or find_single_column(header, NOTES) >= 0)


_KINDS = {f" ({kind.value})": kind for kind in Kind if kind.is_tags}
_PROVENANCES = {provenance.value: provenance for provenance in Provenance}


def layer_title(key: LayerKey) -> str:
    """Title of a layer, which follows `TAGS` or `SCORE` in a column name.

    It consists of provenance, name and kind. The kind is omitted for scores, and for word layers unless the name
    ends in a kind in parentheses.
    """
    title = f"{key.provenance.value} {key.name}" if key.name else key.provenance.value
    omits_kind = key.kind is Kind.SCORES or (key.kind is Kind.WORDS and not title.endswith(tuple(_KINDS)))
    return title if omits_kind else f"{title} ({key.kind.value})"


def layer_from_title(title: str) -> LayerKey | None:
    """Key of the layer whose column is named `title`; None if `title` is not the name of a layer column.

    If `title` contains no provenance, the provenance is `Provenance.SYSTEM`.
    """
    if title.startswith(TAGS):
        return _key(title.removeprefix(TAGS), is_tags=True)
    return _key(title.removeprefix(SCORE), is_tags=False) if title.startswith(SCORE) else None


def _key(title: str, *, is_tags: bool) -> LayerKey | None:
    kind_suffix = next((suffix for suffix in _KINDS if title.endswith(suffix)), "") if is_tags else ""
    kind = _KINDS[kind_suffix] if kind_suffix else Kind.WORDS if is_tags else Kind.SCORES
    title = title.removesuffix(kind_suffix)
    first, _, name = title.partition(" ")
    if first in _PROVENANCES:
        return LayerKey(_PROVENANCES[first], name, kind)
    return LayerKey(Provenance.SYSTEM, title, kind) if title else None
