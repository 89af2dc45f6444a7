"""Column roles of tables and workbooks, and the data of columns other than source and target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.corpus import EOS, Kind, LayerKey, Provenance, ReviewStatus, TagColumn, TextColumn, offsets_from_lengths
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.columns import (
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
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Code, Content, content_text
from qe_desktop.formats.bilingual.plain_lines import LineCode, split_line
from qe_desktop.formats.bilingual.reviewer_notes import CellText, split_note
from qe_desktop.formats.bilingual.segment_columns import SideColumns
from qe_desktop.formats.bilingual.segments import NoteLocation, Segment, SegmentCollector, TargetLocation
from qe_desktop.formats.bilingual.status_rules import STATUS_BY_NAME
from qe_desktop.formats.bilingual.word_tokenization import tokenize_column
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True)
class TableColumns:
    """0-based indices of source, target and other columns (-1: missing), and whether the table has no header row.

    `layers` maps the keys of layers to the indices of tag and score columns. In a table that this program wrote
    (`is_own_table`), texts are lines with codes, and the post-edit columns (`derived`) are skipped, because their
    layers are computed from MT and target.
    """

    source: int
    target: int
    notes: int = -1
    state: int = -1
    loaded: int = -1
    document: int = -1
    words: int = -1
    layers: Mapping[LayerKey, int] = field(default_factory=dict)
    derived: tuple[int, ...] = ()
    is_own_table: bool = False
    is_headerless: bool = False

    @classmethod
    def detect(cls, header: Sequence[str], source: int, target: int) -> TableColumns:
        """Detect the columns other than source and target in a header row."""
        is_own_table = is_qe_table(header)
        indices = (
            *(find_single_column(header, names) for names in (NOTES, STATES)),
            *(_column_index(header, name) if is_own_table else -1 for name in (LOADED, DOCUMENT, WORDS)),
        )
        # the user may select any of these columns as source or target
        notes, state, loaded, document, words = (-1 if index in (source, target) else index for index in indices)
        used_indices = {source, target, notes, state, loaded, document, words}
        layers: dict[LayerKey, int] = {}
        follow = []
        for index, name in enumerate(header):
            key = _layer(name) if index not in used_indices else None
            if key is not None and is_own_table and key.is_post_edit:
                follow.append(index)
            elif key is not None:
                layers.setdefault(key, index)
        return cls(source, target, notes, state, loaded, document, words, layers, tuple(follow), is_own_table)

    def content(self, text: str) -> Content:
        """Convert cell text to content; numbered codes in the text are parsed only in tables of this program."""
        if not self.is_own_table or "⟨" not in text:
            return (text,)
        return tuple([_code(piece) if isinstance(piece, LineCode) else piece for piece in split_line(text)])


def _column_index(header: Sequence[str], name: str) -> int:
    return header.index(name) if name in header else -1


def _layer(name: str) -> LayerKey | None:
    """Layer of the column `name`; None if it is not a layer column. A column named just “score” has system scores."""
    return (
        LayerKey(Provenance.SYSTEM, name, Kind.SCORES)
        if normalize_header(name) == SCORE.strip()
        else layer_from_title(name)
    )


def _code(line_code: LineCode) -> Code:
    return Code(line_code.kind, str(line_code.number), line_code.display_text, number=line_code.number)


def cell_text(content: Content, *, is_own_table: bool) -> str:
    """Format content as cell text; only in tables of this program, codes are written and each literal ⟨ is doubled."""
    if not is_own_table:
        return content_text(content)
    return "".join([run.raw if isinstance(run, Code) else run.replace("⟨", "⟨⟨") for run in content])


class TableRowCollector:
    """Collector of the segments, documents, words, tags and scores of a table or workbook, row by row."""

    def __init__(self, text: DecodedFile, columns: TableColumns) -> None:
        self._columns = columns
        self._segments = SegmentCollector(text, numbered=columns.is_own_table)
        indices = (*columns.layers.values(), *filter(lambda index: index >= 0, (columns.document, columns.words)))
        self._cells: dict[int, list[str]] = {index: [] for index in indices}
        self._sources: list[str] = []
        self._mts: list[str] = []

    def add(
        self,
        name: str,
        line: int,
        cell_at: Callable[[int], str],
        location: TargetLocation | None,
        note_place: Callable[[CellText], NoteLocation] | None,
    ) -> None:
        """Add a row as a segment.

        `cell_at` returns the text of the cell in a column, empty if the cell is missing. `note_place` is None if
        the row cannot store a note; otherwise, it returns the location of the reviewer's note, given the text by other
        authors in the note cell. If `name` is empty, the segment is named by its 1-based number. Raises QeError if a
        limit is exceeded.
        """
        columns = self._columns
        state, target_text = cell_at(columns.state), cell_at(columns.target)
        note_text, note = split_note(cell_at(columns.notes))
        source = columns.content(cell_at(columns.source))
        target = columns.content(target_text) if target_text else ()
        loaded = columns.content(cell_at(columns.loaded)) if columns.loaded >= 0 else None
        if self._cells:
            self._sources.append(content_text(source))
            self._mts.append(content_text(target if loaded is None else loaded))
            for index, cells in self._cells.items():
                cells.append(cell_at(index))
            self._segments.count_chars(sum(len(cells[-1]) for cells in self._cells.values()), line)
        self._segments.add(
            Segment(
                name or str(len(self._segments.segments) + 1),
                line,
                source,
                target,
                location,
                state,
                STATUS_BY_NAME.get(state) is ReviewStatus.LOCKED,
                notes=tuple(filter(None, (note_text.text_without_note,))),
                loaded_target=loaded,
                note=note,
                note_location=None if note_place is None else note_place(note_text),
            )
        )

    def segments(self) -> tuple[Segment, ...]:
        """Return the segments."""
        return tuple(self._segments.segments)

    def side_columns(self, header: Sequence[str] | Mapping[int, str]) -> tuple[SideColumns, tuple[str, ...]]:
        """Return the collected columns, and a message for each column that is ignored.

        A column is ignored if it is invalid, or if its values are computed from MT and target.
        """
        columns = self._columns
        word_cells = self._cells.get(columns.words)
        words, eos = (None, False) if word_cells is None else _words(word_cells)
        tag_columns: dict[LayerKey, TagColumn] = {}
        scores: dict[LayerKey, Scores] = {}
        notes = [
            tr("the column {name} is ignored: it is computed from MT and target", name=header[index])
            for index in columns.derived
        ]
        for key, index in columns.layers.items():
            cells, name = self._cells[index], header[index]
            if key.kind is Kind.SCORES:
                numbers = _numbers(cells)
                if numbers is None:
                    notes.append(tr("the column {name} is ignored: it contains values that are not numbers", name=name))
                else:
                    scores[key] = numbers
                continue
            tags = _tags(cells)
            if tags is None:
                notes.append(tr("the column {name} is ignored: it contains values other than OK and BAD", name=name))
            else:
                tag_columns[key] = tags
        fitting = self._matching_tag_columns(tag_columns, words, eos)
        notes += [
            tr("the column {name} is ignored: it does not have one tag per word or gap", name=header[index])
            for key, index in columns.layers.items() if key in tag_columns and key not in fitting
        ]  # fmt: skip
        documents = tuple(self._cells.get(columns.document, ()))
        return SideColumns(documents, fitting, scores, words, eos), tuple(notes)

    def _matching_tag_columns(
        self, tags: Mapping[LayerKey, TagColumn], words: TextColumn | None, eos: bool
    ) -> dict[LayerKey, TagColumn]:
        """Tag columns with the right number of tags for the MT words, gaps or source words of every segment."""
        if not tags:
            return {}
        counts = {Kind.WORDS: (tokenize_column(self._mts) if words is None else words).token_counts() + int(eos)}
        counts[Kind.GAPS] = counts[Kind.WORDS] + 1 - int(eos)
        if any(key.kind is Kind.SOURCE for key in tags):
            counts[Kind.SOURCE] = tokenize_column(self._sources).token_counts()
        return {key: column for key, column in tags.items() if np.array_equal(column.lengths(), counts[key.kind])}


def _words(cells: Sequence[str]) -> tuple[TextColumn, bool]:
    """Words of each MT, and whether all cells end in a virtual `<EOS>`, which is then removed from the words."""
    eos = bool(cells) and all(cell == EOS or cell.endswith(f" {EOS}") for cell in cells)
    texts = [cell.removesuffix(EOS).rstrip(" ") for cell in cells] if eos else cells
    return TextColumn.of([" ".join(filter(None, cell.split(" "))) for cell in texts]), eos


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
        numbers = np.asarray([float(cell) if cell.strip() else np.nan for cell in cells])
        is_filled = np.asarray([bool(cell.strip()) for cell in cells], bool)
        if np.isfinite(numbers[is_filled]).all():
            return numbers
    return None
