"""Parsed tables of the shared tasks, and selection of one of their language pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError, SourceLocation, TextRole
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

_TWO_LETTER_CODES = {
    "cze": "cs", "ces": "cs", "deu": "de", "ger": "de", "eng": "en", "fin": "fi", "ron": "ro", "rum": "ro",
    "rus": "ru", "tur": "tr", "fra": "fr", "fre": "fr", "spa": "es", "isl": "is", "ice": "is", "jpn": "ja",
    "zho": "zh", "chi": "zh", "hin": "hi", "ukr": "uk", "hau": "ha", "pol": "pl", "kor": "ko", "fas": "fa",
    "ara": "ar", "lav": "lv", "est": "et", "lit": "lt", "hun": "hu", "ita": "it", "por": "pt", "nld": "nl",
}  # fmt: skip
"""Two-letter language codes, by the three-letter codes that the shared tasks use."""


class SeveralPairsError(QeError):
    """Error for a file with several language pairs when no pair is requested."""


def pair_key(pair: str) -> str:
    """Return a key that is equal for all spellings of a language pair; it is for comparison only.

    >>> pair_key("en-DE") == pair_key("eng_deu") == pair_key("en-de")
    True
    """
    return "-".join(_TWO_LETTER_CODES.get(code, code) for code in re.split(r"[-_ ]+", pair.strip().lower()) if code)


def has_pair(pairs: Iterable[str], pair: str) -> bool:
    """Return whether `pairs` contain the language pair `pair` in any spelling."""
    return pair_key(pair) in map(pair_key, pairs)


def unique_pairs(pairs: Iterable[str]) -> list[str]:
    """Return each language pair once, in its first spelling."""
    spellings: dict[str, str] = {}
    for pair in pairs:
        spellings.setdefault(pair_key(pair), pair)
    return list(spellings.values())


def select_pair(opened: TextFile, pairs: Sequence[str], language_pair: str) -> list[int]:
    """Indices of those `pairs` of a rating file that are spellings of the requested language pair.

    Returns all indices if the file names no pair, or if it names only one and no pair is requested. Raises QeError if
    the requested pair is missing, or if the file names several pairs and no pair is requested.
    """
    named = [pair for pair in pairs if pair_key(pair)]
    if language_pair and named:
        requested = [number for number, pair in enumerate(pairs) if pair_key(pair) == pair_key(language_pair)]
        if not requested:
            raise _wrong_pair_error(", ".join(pairs), language_pair, opened.location())
        return requested
    if not language_pair and len(unique_pairs(named)) > 1:
        raise _several_pairs_error(", ".join(named), opened.location())
    return list(range(len(pairs)))


def select_pair_rows(pairs: Sequence[str], language_pair: str, opened: TextFile, line: int) -> list[int]:
    """Indices of those `pairs` of a tag or score table that are to be read; empty if the table names no pair.

    Raises QeError if the requested pair is missing (this error is located at `line`), or if the table names several
    pairs and no pair is requested.
    """
    if pairs and language_pair:
        indices = [number for number, pair in enumerate(pairs) if pair_key(pair) == pair_key(language_pair)]
        if not indices:
            raise _wrong_pair_error(list_names(pairs), language_pair, opened.location(line))
        return indices
    if len(unique_pairs(pairs)) > 1:
        raise _several_pairs_error(list_names(pairs), opened.location())
    return list(range(len(pairs)))


def _wrong_pair_error(pairs: str, requested: str, location: SourceLocation) -> QeError:
    message = tr("the file is for {pairs}, not for {wanted}", pairs=pairs, wanted=requested)
    return QeError(message, hint=tr("Use a file that contains the requested language pair."), place=location)


def _several_pairs_error(pairs: str, location: SourceLocation) -> QeError:
    message = tr("the file contains several language pairs: {pairs}", pairs=pairs)
    hint, command_hint = tr("Select one language pair."), tr("Select one language pair with --language-pair.")
    return SeveralPairsError(message, hint=hint, command_hint=command_hint, place=location)


GOLD_METHODS = {"reference", "gold"}
"""Lower-case method names of gold rows."""
EXCLUDED_MARK = b"hallucination"
"""Placeholder for tags or a score in the golds of WMT23 if the MT is unrelated to the source.

Such segments are not scored.
"""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Layout of a table: its title, its number of columns, and 0-based field indices (None for missing fields)."""

    title: str
    column_count: int
    segment: int
    index: int
    word: int
    tag: int
    pair: int | None = None
    method: int | None = None
    kind: int | None = None
    text: int | None = None
    """Field index of the raw MT, in layouts whose rows each contain all words of a segment."""


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """Parsed rows, in file order. All arrays except `excluded` have shape (rows,).

    `pair`, `method` and `kind` are indices into `pairs`, `methods` and `kinds`; `begin` and `end` are byte offsets of
    the word in the file; `line` is the 1-based line of the row. `excluded` has shape (segments, 3): the pair, segment
    and line of each segment that is listed without tags.
    """

    opened: TextFile
    layout: TableLayout
    pairs: tuple[str, ...]
    methods: tuple[str, ...]
    kinds: tuple[str, ...]
    pair: NDArray[np.int32]
    method: NDArray[np.int32]
    kind: NDArray[np.int32]
    segment: Ints
    index: Ints
    begin: Ints
    end: Ints
    tag: NDArray[np.uint8]
    line: Ints
    excluded: Ints = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    def __len__(self) -> int:
        return len(self.tag)

    def rows(self, selection: NDArray[np.bool_] | Ints) -> WordTable:
        """Return a table of the selected rows; `selection` is a mask, or row indices in the order of the new table."""
        names = ("pair", "method", "kind", "segment", "index", "begin", "end", "tag", "line")
        columns: dict[str, Any] = {name: getattr(self, name)[selection] for name in names}
        return replace(self, **columns)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Parsed rows with one score each, in file order. All arrays except `gold` have shape (rows,).

    `pair` and `method` are indices into `pairs` and `methods`. `score` is NaN if the gold excludes a segment, and
    finite otherwise. `gold` contains the gold scores of each row, shape (rows, golds), and `golds` contains the names
    of the gold columns. `notes` are about the columns that are not read.
    """

    opened: TextFile
    pairs: tuple[str, ...]
    methods: tuple[str, ...]
    pair: NDArray[np.int32]
    method: NDArray[np.int32]
    segment: Ints
    score: Floats
    line: Ints
    golds: tuple[str, ...]
    gold: Floats
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ScoreGrid:
    """Parsed rows with one segment each, in file order; `values` has shape (rows, golds + systems).

    `segment` and `line` have shape (rows,). `column_count` is the number of columns, and `text_columns` are the column
    indices of the source and the MT. `notes` are about the columns that are not read.
    """

    opened: TextFile
    golds: tuple[str, ...]
    systems: tuple[str, ...]
    segment: Ints
    values: Floats
    line: Ints
    column_count: int
    text_columns: Mapping[TextRole, int]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Scores by system, in file order, as read-only arrays; missing scores are NaN.

    The arrays have shape (segments,), or shape (1,) for scores of whole translations.
    """

    systems: Mapping[str, Scores]

    @property
    def size(self) -> int:
        """Number of scores per system: the number of segments, or 1 for scores of whole translations."""
        return len(next(iter(self.systems.values())))


def rows_for_pair(table: WordTable | ScoreTable, language_pair: str) -> NDArray[np.bool_]:
    """Mask of a language pair's rows, shape (rows,).

    Raises QeError if the table does not contain the pair, or contains several pairs and `language_pair` is empty.
    """
    mask = np.ones(len(table.line), bool)
    selected_pairs = select_pair_rows(
        table.pairs, language_pair, table.opened, int(table.line[0]) if len(table.line) else 1
    )
    if len(selected_pairs) < len(table.pairs):
        mask = np.isin(table.pair, selected_pairs)
    return mask


def check_single_system(table: WordTable, mask: NDArray[np.bool_]) -> None:
    """Raise QeError if the rows selected by `mask` belong to several systems."""
    used = np.unique(table.method[mask]) if len(table.methods) > 1 else ()
    if len(used) > 1:
        systems = list_names([table.methods[number] for number in used])
        message = tr("the file contains several systems: {systems}", systems=systems)
        raise QeError(message, hint=tr("Use a separate file for each system."), place=table.opened.location())


def zero_based_segments(segment: Ints, size: int | None) -> tuple[Ints, tuple[str, ...]]:
    """0-based segment numbers, shape (rows,), and a note if the numbers in the file are 1-based.

    The numbers in the file count as 1-based if the lowest is 1 and, unless `size` is None, the highest is `size`.
    """
    if int(segment.min()) != 1 or (size is not None and int(segment.max()) != size):
        return segment, ()
    return segment - 1, (tr("segments are numbered from 1 in this file"),)


def check_segment_range(table: WordTable | ScoreTable | ScoreGrid, segment: int, line: int, size: int) -> None:
    """Raise QeError, located at `line`, if the 0-based segment number `segment` is not below `size`."""
    if segment >= size:
        message = tr(
            "segment {segment:,} does not exist: {n:,} {n:segment is|segments are} expected, numbered from 0",
            "", size, segment=segment,
        )  # fmt: skip
        hint = tr("The file must have the same segments as the other files.")
        raise QeError(message, hint=hint, place=table.opened.location(line))
