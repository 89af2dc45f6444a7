"""Which columns of a table or a workbook hold what, and what stands in those beside source and target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.corpus import EOS, Kind, LayerKey, Provenance, TagColumn, TextColumn, offsets_from_lengths
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.inline_codes import Code, Content, content_text
from qe_desktop.formats.bilingual.plain_lines import LineCode, split_line
from qe_desktop.formats.bilingual.segment_columns import SideColumns
from qe_desktop.formats.bilingual.tabular.column_names import (
    DOCUMENT,
    LOADED,
    NOTES,
    SCORE,
    STATES,
    WORDS,
    find_single_column,
    is_qe_table,
    layer_from_title,
    normalize_header,
)
from qe_desktop.formats.bilingual.tokenization import tokenize_column
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Where source, target and the rest stand, from 0 (-1: nowhere), and whether the first row is a segment.

    `layers` are the columns of tags and scores, by layer. In a table that this program wrote (`own`) texts are lines
    with codes, and columns of post-edits (`follow`) are not read: their layers would stand beside those that are made
    of MT and target here.
    """

    source: int
    target: int
    notes: int = -1
    state: int = -1
    loaded: int = -1
    document: int = -1
    words: int = -1
    layers: Mapping[LayerKey, int] = field(default_factory=dict)
    follow: tuple[int, ...] = ()
    own: bool = False
    first_is_one: bool = False

    @classmethod
    def named(cls, header: Sequence[str], source: int, target: int) -> TableColumns:
        """Those that a first row names, beside those of source and target."""
        own = is_qe_table(header)
        notes, state = find_single_column(header, NOTES), find_single_column(header, STATES)
        loaded, document, words = (_column_index(header, name) if own else -1 for name in (LOADED, DOCUMENT, WORDS))
        taken = {source, target, notes, state, loaded, document, words}
        layers: dict[LayerKey, int] = {}
        follow = []
        for place, name in enumerate(header):
            key = _layer(name) if place not in taken else None
            if key is not None and own and key.is_post_edit:
                follow.append(place)
            elif key is not None:
                layers.setdefault(key, place)
        return cls(source, target, notes, state, loaded, document, words, layers, tuple(follow), own)

    def content(self, text: str) -> Content:
        """The text of a cell: in a table of our own a line with codes, which have their numbers."""
        if not self.own or "⟨" not in text:
            return (text,)
        return tuple([_code(piece) if isinstance(piece, LineCode) else piece for piece in split_line(text)])


def _column_index(header: Sequence[str], name: str) -> int:
    return header.index(name) if name in header else -1


def _layer(name: str) -> LayerKey | None:
    """The layer of a column; one that is called a score and nothing else is a system's of that name."""
    return (
        LayerKey(Provenance.SYSTEM, name, Kind.SCORES)
        if normalize_header(name) == SCORE.strip()
        else layer_from_title(name)
    )


def _code(one: LineCode) -> Code:
    return Code(one.kind, str(one.number), one.shown, number=one.number)


def cell_text(content: Content, *, own: bool) -> str:
    """A content as the text of a cell."""
    if not own:
        return content_text(content)
    return "".join([run.raw if isinstance(run, Code) else run.replace("⟨", "⟨⟨") for run in content])


class SideColumnCollector:
    """The columns beside the texts, as they are gathered row by row."""

    def __init__(self, columns: TableColumns) -> None:
        self._columns = columns
        self._places = [*columns.layers.values(), *(one for one in (columns.document, columns.words) if one >= 0)]
        self._cells: dict[int, list[str]] = {place: [] for place in self._places}
        self._sources: list[str] = []
        self._mts: list[str] = []

    def add(self, cell_at: Callable[[int], str], source: Content, mt: Content) -> None:
        """One more row, whose cells are told by their places; empty where there is none."""
        if self._places:
            self._sources.append(content_text(source))
            self._mts.append(content_text(mt))
            for place, cells in self._cells.items():
                cells.append(cell_at(place))

    def beside(self, header: Sequence[str] | Mapping[int, str]) -> tuple[SideColumns, tuple[str, ...]]:
        """What was gathered, and what is to be said of the columns that are not what they are called."""
        columns = self._columns
        written = self._cells.get(columns.words)
        words, eos = (None, False) if written is None else _words(written)
        found: dict[LayerKey, TagColumn] = {}
        scores: dict[LayerKey, Scores] = {}
        notes = [
            tr("the column {name} follows from MT and target, and is not read", name=header[place])
            for place in columns.follow
        ]
        for key, place in columns.layers.items():
            cells, name = self._cells[place], header[place]
            if key.kind is Kind.SCORES:
                numbers = _numbers(cells)
                if numbers is None:
                    notes.append(tr("the column {name} holds more than numbers, and is not read", name=name))
                else:
                    scores[key] = numbers
                continue
            tags = _tags(cells)
            if tags is None:
                notes.append(tr("the column {name} holds more than OK and BAD, and is not read", name=name))
            else:
                found[key] = tags
        fitting = self._fitting(found, words, eos)
        notes += [
            tr("the column {name} has other tags than one for each word, and is not read", name=header[place])
            for key, place in columns.layers.items() if key in found and key not in fitting
        ]  # fmt: skip
        documents = tuple(self._cells.get(columns.document, ()))
        return SideColumns(documents, fitting, scores, words, eos), tuple(notes)

    def _fitting(
        self, tags: Mapping[LayerKey, TagColumn], words: TextColumn | None, eos: bool
    ) -> dict[LayerKey, TagColumn]:
        """The tags that are one for each word."""
        if not tags:
            return {}
        counts = {Kind.WORDS: (tokenize_column(self._mts) if words is None else words).token_counts() + int(eos)}
        counts[Kind.GAPS] = counts[Kind.WORDS] + 1 - int(eos)
        if any(key.kind is Kind.SOURCE for key in tags):
            counts[Kind.SOURCE] = tokenize_column(self._sources).token_counts()
        return {key: one for key, one in tags.items() if np.array_equal(one.lengths(), counts[key.kind])}


def _words(cells: Sequence[str]) -> tuple[TextColumn, bool]:
    """The words of each MT, and whether there is a virtual one behind all of them."""
    eos = bool(cells) and all(cell == EOS or cell.endswith(f" {EOS}") for cell in cells)
    held = [cell.removesuffix(EOS).rstrip(" ") for cell in cells] if eos else cells
    return TextColumn.of([" ".join(filter(None, cell.split(" "))) for cell in held]), eos


def _tags(cells: Sequence[str]) -> TagColumn | None:
    rows = [cell.split() for cell in cells]
    flat = [tag for row in rows for tag in row]
    if not set(flat) <= {"OK", "BAD"}:
        return None
    return TagColumn(
        np.asarray([tag == "BAD" for tag in flat], np.uint8), offsets_from_lengths([len(row) for row in rows])
    )


def _numbers(cells: Sequence[str]) -> Scores | None:
    with suppress(ValueError):
        found = np.asarray([float(cell) if cell.strip() else np.nan for cell in cells])
        given = np.asarray([bool(cell.strip()) for cell in cells], bool)
        if np.isfinite(found[given]).all():
            return found
    return None
