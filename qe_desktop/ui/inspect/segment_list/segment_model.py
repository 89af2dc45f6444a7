"""Table model of the segment list: an array of segment indices in display order."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from qe_desktop.corpus import DisplayText, Kind, TextRole, View, display_text
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.file_scores import file_score_meaning, file_score_title
from qe_desktop.corpus.languages import Direction
from qe_desktop.corpus.tag_voting import DEFAULT_VOTING_RULE, MarkArray, VotingRule
from qe_desktop.escaping import escape_label
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.postedit.status_symbols import status_description, status_symbol
from qe_desktop.ui.inspect.reader.word_decorations import PositionedCode, line_codes, positioned_codes
from qe_desktop.ui.inspect.reader.word_layout import AUTO, text_direction
from qe_desktop.ui.inspect.segment_list.row_tags import RowTagCache
from qe_desktop.ui.inspect.segment_list.score_columns import DifferenceColumn, ListScores, RankColumn
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_header import HEADER_ORDER_ROLE
from qe_desktop.ui.widgets.tables.table_model import ModelIndex, TableColumn

_INVALID_INDEX, _NO_SEGMENTS = QModelIndex(), np.zeros(0, np.int64)


class SegmentColumn(enum.IntEnum):
    """Columns of the segment list."""

    NUMBER = 0
    DOCUMENT = 1
    SOURCE = 2
    MT = 3
    BAD = 4
    DISPUTED = 5
    GOLD = 6
    SCORE = 7
    ERROR = 8
    DIFFERENCE = 9
    STATUS = 10


COLUMNS = {
    SegmentColumn.NUMBER: TableColumn("#", tr("Number of the segment"), is_right_aligned=True),
    SegmentColumn.DOCUMENT: TableColumn(tr("document"), tr("Document of the segment")),
    SegmentColumn.SOURCE: TableColumn(tr("source"), tr("Source text of the segment")),
    SegmentColumn.MT: TableColumn(
        tr("MT"), tr("MT of the segment; BAD words are underlined. Click to sort by MT length.")
    ),
    SegmentColumn.BAD: TableColumn(
        "BAD",
        tr(
            "Number of words or gaps tagged BAD in the gold. If there are no gold tags, a user's tags are used; if "
            "there are none of these either, the systems vote."
        ),
        is_right_aligned=True,
    ),
    SegmentColumn.DISPUTED: TableColumn(
        "≠",
        tr("Number of words or gaps whose tags differ between layers (gold, systems or users) or compared systems"),
        is_right_aligned=True,
    ),
    SegmentColumn.GOLD: TableColumn(tr("gold"), is_right_aligned=True),
    SegmentColumn.SCORE: TableColumn(tr("score"), is_right_aligned=True),
    SegmentColumn.ERROR: TableColumn(tr("error"), is_right_aligned=True),
    SegmentColumn.DIFFERENCE: TableColumn(tr("better"), tr("The better of the two systems in each segment")),
    SegmentColumn.STATUS: TableColumn(
        "○✓", tr("○ open, ✎ edited, ✓ confirmed, ✗ rejected, ⊘ locked in the file; ❝ with a note")
    ),
}
FLAG_COLUMNS = {
    SegmentColumn.MT: TableColumn(
        tr("target"),
        tr("Current translation; flagged words of an unedited MT are underlined. Click to sort by length."),
    ),
    SegmentColumn.BAD: TableColumn(
        tr("flagged"), tr("Number of flagged MT words; edits do not change this number"), is_right_aligned=True
    ),
}
"""Columns whose titles and tooltips are different in views that call BAD words “flagged”."""
TARGET_COLUMN = TableColumn(
    tr("target"), tr("Current translation; BAD words of an unedited MT are underlined. Click to sort by length.")
)
"""Title and tooltip of the MT column after targets have been edited, in views that do not call BAD words “flagged”."""
BAD_TITLES = {Kind.GAPS: tr("BAD gaps"), Kind.SOURCE: tr("BAD source")}
"""Titles of the `BAD` column if it counts gaps or source words instead of MT words."""
_LINE_BREAKS = re.compile("[\u2028\u2029\x85\v\f]")
MAX_SINGLE_UPDATES = 100
"""Maximum number of changed segments whose rows are updated individually; if more change, all rows are updated."""
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True, eq=False)
class SegmentListState:
    """Contents of the segment list: segments of a view in display order, with their tags of one kind.

    `difference` is the column of the difference between two systems or rankings, and `scores` are the score columns.
    `sorted_by` is the sort column with its direction. `agreement` is the voting rule that determines which words are
    marked. `view_mode` is the view of the Inspect area.
    """

    view: View
    kind: Kind
    segments: Ints
    difference: DifferenceColumn | RankColumn | None = None
    scores: ListScores | None = None
    sorted_by: tuple[SegmentColumn, Qt.SortOrder] | None = None
    agreement: VotingRule = DEFAULT_VOTING_RULE
    search_text: str = ""
    view_mode: InspectView = EVALUATION_VIEW


class SegmentModel(QAbstractTableModel):
    """Table model of a `SegmentListState`; cells are computed when painted, at a cost independent of the row count."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.list_state: SegmentListState | None = None
        self._row_tags: RowTagCache | None = None
        self._rows: Ints | None = None
        """Row of each segment, or −1 for segments that are not shown; None until it is needed."""

    @property
    def segments(self) -> Ints:
        """Segments that are shown, in display order."""
        return _NO_SEGMENTS if self.list_state is None else self.list_state.segments

    def show(self, listing: SegmentListState | None) -> None:
        """Show the contents of `listing`, or an empty list if `listing` is None."""
        self.beginResetModel()
        if listing is None or self.list_state is None or listing.segments is not self.list_state.segments:
            self._rows = None
        self.list_state = listing
        self._row_tags = None if listing is None else RowTagCache(listing.view, listing.agreement)
        self.endResetModel()

    def update_view(self, view: View, segments: Sequence[int]) -> None:
        """Switch to a view in which only `segments` have changed; keep the rows."""
        if self.list_state is None:
            return
        before, self.list_state = self.list_state.view, replace(self.list_state, view=view)
        if bool(before.review.targets) is not bool(view.review.targets):
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, SegmentColumn.MT, SegmentColumn.MT)
        if self._row_tags is not None:
            self._row_tags.update_view(view, segments)
        if len(segments) > MAX_SINGLE_UPDATES:
            self._emit_all_changed()
            return
        for segment in segments:
            if (row := self.row_of(segment)) is not None:
                self._emit_data_changed(row, row)

    def update_all_tags(self, view: View, kind: Kind) -> None:
        """Switch to a view in which any tags may have changed; keep the rows."""
        if self.list_state is not None:
            self.list_state = replace(self.list_state, view=view, kind=kind)
            self._row_tags = RowTagCache(view, self.list_state.agreement)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, SegmentColumn.MT, SegmentColumn.BAD)
            self._emit_all_changed()

    def show_difference(self, column: DifferenceColumn) -> None:
        """Update the difference column."""
        if self.list_state is not None:
            self.list_state = replace(self.list_state, difference=column)
            self._emit_all_changed()

    def show_scores(self, scores: ListScores) -> None:
        """Update the score columns."""
        if self.list_state is not None:
            self.list_state = replace(self.list_state, scores=scores)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, SegmentColumn.GOLD, SegmentColumn.ERROR)
            self._emit_all_changed()

    def _emit_all_changed(self) -> None:
        if len(self.segments):
            self._emit_data_changed(0, len(self.segments) - 1)

    def _emit_data_changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(SegmentColumn) - 1))

    def row_of(self, segment: int) -> int | None:
        """Return the row of a segment; None if the segment is not shown."""
        if self._rows is None:
            self._rows = _rows_by_segment(self.segments)
        row = int(self._rows[segment]) if 0 <= segment < len(self._rows) else -1
        return row if row >= 0 else None

    def segment_at(self, row: int) -> int:
        """Return the segment of a row."""
        return int(self.segments[row])

    # --- the model

    def rowCount(self, parent: ModelIndex = _INVALID_INDEX) -> int:
        """Return the number of segments shown."""
        return 0 if parent.isValid() else len(self.segments)

    def columnCount(self, parent: ModelIndex = _INVALID_INDEX) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(SegmentColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the title, tooltip, alignment or sort direction of a column."""
        if orientation == Qt.Orientation.Horizontal and 0 <= section < len(SegmentColumn):
            column = COLUMNS[SegmentColumn(section)]
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                title, tooltip = _column_header(self.list_state, SegmentColumn(section))
                return title if role == Qt.ItemDataRole.DisplayRole else tooltip
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if column.is_right_aligned or self._is_right_to_left(SegmentColumn(section)) else LEFT
            if role == HEADER_ORDER_ROLE:
                sorted_by = None if self.list_state is None else self.list_state.sorted_by
                return sorted_by[1] if sorted_by is not None and sorted_by[0] == section else None
        return None

    def _is_right_to_left(self, column: SegmentColumn) -> bool:
        """Return whether most texts of a column run right to left, so that its title is right-aligned."""
        role = {SegmentColumn.SOURCE: TextRole.SOURCE, SegmentColumn.MT: TextRole.MT}.get(column)
        text = None if self.list_state is None or role is None else self.list_state.view.corpus.text(role)
        return text is not None and text.direction() is Direction.RIGHT_TO_LEFT

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, alignment or accessible text of a cell."""
        listing = self.list_state
        if listing is None or self._row_tags is None or not index.isValid() or index.row() >= len(listing.segments):
            return None
        column = SegmentColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[column].is_right_aligned:
            return RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(listing, self._row_tags, self.segment_at(index.row()), column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _accessible_text(listing, self._row_tags, self.segment_at(index.row()), column)
        return None

    def displayed_text(self, segment: int, column: SegmentColumn) -> DisplayText:
        """Return the text of a segment in a text column; empty if nothing is open."""
        return DisplayText("", ()) if self.list_state is None else _segment_text(self.list_state.view, segment, column)

    def codes(self, segment: int, column: SegmentColumn, text: str) -> tuple[PositionedCode, ...]:
        """Return the inline codes, with their offsets, of `text`, which a column shows for a segment."""
        if self.list_state is None or self.list_state.view.corpus.job is None:
            return ()
        target, role = self.edited_target(segment, column), _role(column)
        if target is not None:
            return line_codes(target)
        return positioned_codes(self.list_state.view.corpus, role, segment, text)

    def edited_target(self, segment: int, column: SegmentColumn) -> str | None:
        """Return the edited target of a segment as a line with codes; None if it is unedited or `column` is not MT."""
        if self.list_state is None or column is not SegmentColumn.MT:
            return None
        view = self.list_state.view
        return view.target(segment) if view.is_edited(segment) else None

    def column_marks(self, segment: int, column: SegmentColumn) -> MarkArray | None:
        """Return the marks of a segment in a text column: one per word, or one per gap if `marks_gaps` is true.

        Return None if the segment has no marks. In an edited target, the MT words that it still contains are marked.
        """
        if self.list_state is None or self._row_tags is None:
            return None
        if column is SegmentColumn.MT and self.list_state.view.is_edited(segment):
            return None if self.marks_gaps(column) else self._row_tags.target_marks(segment)
        if column is SegmentColumn.SOURCE:
            return self._row_tags.marks(Kind.SOURCE, segment)
        return self._row_tags.marks(Kind.GAPS if self.marks_gaps(column) else Kind.WORDS, segment)

    def marks_gaps(self, column: SegmentColumn) -> bool:
        """Return whether a column marks gaps instead of words; the MT column does so if the list counts gaps."""
        return column is SegmentColumn.MT and self.list_state is not None and self.list_state.kind is Kind.GAPS

    def direction(self, segment: int, column: SegmentColumn, settings: Settings) -> str:
        """Return the text direction (see `text_direction`) of a segment in a text column."""
        role = _role(column)
        return AUTO if self.list_state is None else text_direction(self.list_state.view.corpus, segment, role, settings)

    @property
    def agreement(self) -> VotingRule:
        """Voting rule, which determines how many systems must tag a word BAD for the word to be marked."""
        return DEFAULT_VOTING_RULE if self.list_state is None else self.list_state.agreement

    @property
    def search_text(self) -> str:
        """Search text; empty if there is none."""
        return "" if self.list_state is None else self.list_state.search_text


def _column_header(listing: SegmentListState | None, column: SegmentColumn) -> tuple[str, str]:
    """Return the title and the tooltip of a column."""
    if listing is not None and listing.difference is not None and column is SegmentColumn.DIFFERENCE:
        return listing.difference.title, plain_tooltip(listing.difference.tooltip)
    if listing is not None and listing.scores is not None:
        scores = listing.scores
        if column is SegmentColumn.GOLD:
            return scores.gold_title, plain_tooltip(scores.gold_tooltip)
        if column is SegmentColumn.SCORE and scores.system is not None and listing.view_mode.flag_wording:
            meaning = file_score_meaning(scores.system.name) or scores.system_tooltip
            return file_score_title(scores.system.name), plain_tooltip(meaning)
        if column is SegmentColumn.SCORE:
            return scores.system_title, plain_tooltip(scores.system_tooltip)
        if column is SegmentColumn.ERROR:
            return COLUMNS[column].header, plain_tooltip(scores.error_tooltip)
    if listing is None:
        return COLUMNS[column].header, COLUMNS[column].tooltip
    column_texts = COLUMNS[column]
    if listing.view_mode.flag_wording:
        column_texts = FLAG_COLUMNS.get(column, column_texts)
    elif column is SegmentColumn.MT and listing.view.review.targets:
        column_texts = TARGET_COLUMN
    elif column is SegmentColumn.BAD:
        return BAD_TITLES.get(listing.kind, column_texts.header), column_texts.tooltip
    return column_texts.header, column_texts.tooltip


def _text(listing: SegmentListState, marks: RowTagCache, segment: int, column: SegmentColumn) -> str:
    view = listing.view
    documents = view.corpus.documents
    match column:
        case SegmentColumn.NUMBER:
            return f"{segment + 1:,}"
        case SegmentColumn.DOCUMENT:
            return escape_label(documents.name(segment)) if documents is not None else ""
        case SegmentColumn.SOURCE | SegmentColumn.MT:
            return replace_line_breaks(_segment_text(view, segment, column).text)
        case SegmentColumn.STATUS:
            return status_symbol(view, segment)
        case SegmentColumn.DIFFERENCE:
            return "" if listing.difference is None else listing.difference.text(segment)
        case SegmentColumn.BAD:
            return str(marks.bad_count(listing.kind, segment) or "")
        case SegmentColumn.DISPUTED:
            return str(marks.disputed_count(listing.kind, segment) or "")
        case _:
            return "" if listing.scores is None else _score(listing.scores, segment, column)


def _score(scores: ListScores, segment: int, column: SegmentColumn) -> str:
    if column is SegmentColumn.ERROR:
        return scores.error_text(segment)
    return scores.gold_text(segment) if column is SegmentColumn.GOLD else scores.system_text(segment)


def _rows_by_segment(segments: Ints) -> Ints:
    """Return the first row of each segment, shape (highest shown segment + 1,); −1 for segments that are not shown."""
    rows = np.full(int(segments.max(initial=-1)) + 1, -1, np.int64)
    rows[segments[::-1]] = np.arange(len(segments))[::-1]
    return rows


def _segment_text(view: View, segment: int, column: SegmentColumn) -> DisplayText:
    """Return the text of a segment in a column; in the MT column, the current target if the target was edited."""
    if column is SegmentColumn.MT and view.is_edited(segment):
        text = strip_codes(view.target(segment))
        return DisplayText(text, tuple(word_spans(text)))
    return display_text(view.corpus, _role(column), segment)


def _role(column: SegmentColumn) -> TextRole:
    return TextRole.SOURCE if column is SegmentColumn.SOURCE else TextRole.MT


def replace_line_breaks(text: str) -> str:
    """Replace each line break with one character, so that character offsets do not change."""
    return _LINE_BREAKS.sub("↵", text)


def _accessible_text(listing: SegmentListState, marks: RowTagCache, segment: int, column: SegmentColumn) -> str:
    match column:
        case SegmentColumn.NUMBER:
            return tr("segment {number:,}", number=segment + 1)
        case SegmentColumn.STATUS:
            return status_description(listing.view, segment)
        case SegmentColumn.BAD:
            count = marks.bad_count(listing.kind, segment)
            if listing.view_mode.flag_wording:
                return tr("{n} flagged", "", count) if count else tr("none flagged")
            return tr("{n} BAD", "", count) if count else tr("none BAD")
        case SegmentColumn.DISPUTED:
            count = marks.disputed_count(listing.kind, segment)
            return tr("{n} {n:disagreement|disagreements}", "", count) if count else tr("no disagreements")
        case SegmentColumn.GOLD | SegmentColumn.SCORE | SegmentColumn.ERROR:
            return f"{_column_header(listing, column)[0]}: {_text(listing, marks, segment, column)}"
        case _:
            return _text(listing, marks, segment, column)
