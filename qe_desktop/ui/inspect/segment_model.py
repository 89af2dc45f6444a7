"""The list of segments as a table model: an array of segment numbers says which are shown and in which order."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from qe_desktop.corpus import Kind, LayerKey, TextRole
from qe_desktop.project import Change, Session
from qe_desktop.project.edits import Tags
from qe_desktop.ui.inspect.cursor import bad_places, disputed_places
from qe_desktop.ui.workspace import Workspace

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class SegmentColumn(enum.IntEnum):
    """The columns of the list."""

    NUMBER = 0
    DOCUMENT = 1
    SOURCE = 2
    MT = 3
    BAD = 4
    DISPUTED = 5
    AHEAD = 6


TITLES = {
    SegmentColumn.NUMBER: "#",
    SegmentColumn.DOCUMENT: "document",
    SegmentColumn.SOURCE: "source",
    SegmentColumn.MT: "MT",
    SegmentColumn.BAD: "BAD",
    SegmentColumn.DISPUTED: "≠",
    SegmentColumn.AHEAD: "ahead",
}
TIPS = {
    SegmentColumn.NUMBER: "The segment's number in the corpus",
    SegmentColumn.DOCUMENT: "The document that the segment belongs to",
    SegmentColumn.SOURCE: "The source",
    SegmentColumn.MT: "The translation; BAD words are underlined",
    SegmentColumn.BAD: "Places that the gold calls BAD (without gold: that any system calls BAD)",
    SegmentColumn.DISPUTED: "Places on which gold and systems are not all of one opinion",
    SegmentColumn.AHEAD: "Which of the two systems has more right tags here, and how many more",
}


NUMBERS = (SegmentColumn.NUMBER, SegmentColumn.BAD, SegmentColumn.DISPUTED)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class SegmentModel(QAbstractTableModel):
    """Rows are looked up only when they are painted, so a million segments cost no more than a thousand."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.segments: NDArray[np.int64] = np.zeros(0, np.int64)
        self.between: tuple[LayerKey, LayerKey] | None = None
        workspace.changed.connect(self._on_change)
        workspace.kind_changed.connect(self._repaint)

    def show_segments(self, segments: NDArray[np.int64], between: tuple[LayerKey, LayerKey] | None = None) -> None:
        """Show these segments, in this order; `between` are two systems that are set side by side."""
        self.beginResetModel()
        self.segments = segments
        self.between = between
        self.endResetModel()

    def row_of(self, segment: int) -> int | None:
        """The row that shows a segment, or None."""
        rows = np.flatnonzero(self.segments == segment)
        return int(rows[0]) if len(rows) else None

    def segment_at(self, row: int) -> int:
        """The segment that a row shows."""
        return int(self.segments[row])

    # --- the model

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """How many segments are shown."""
        return 0 if parent.isValid() else len(self.segments)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(SegmentColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Titles, with what they mean on hover."""
        if orientation == Qt.Orientation.Horizontal and 0 <= section < len(SegmentColumn):
            if role == Qt.ItemDataRole.DisplayRole:
                return TITLES[SegmentColumn(section)]
            if role == Qt.ItemDataRole.ToolTipRole:
                return TIPS[SegmentColumn(section)]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return RIGHT if section in NUMBERS else LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, alignment, and what a screen reader says of it."""
        session = self.workspace.session
        if session is None or not index.isValid() or index.row() >= len(self.segments):
            return None
        column = SegmentColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole and column in NUMBERS:
            return RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self.segment_at(index.row()), column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(self.segment_at(index.row()), column)
        return None

    def _text(self, segment: int, column: SegmentColumn) -> str:
        session = self.workspace.session
        assert session is not None
        corpus, kind = session.corpus, self.workspace.kind
        if column is SegmentColumn.NUMBER:
            return f"{segment + 1:,}"
        if column is SegmentColumn.DOCUMENT:
            return corpus.documents.name(segment) if corpus.documents is not None else ""
        if column in (SegmentColumn.SOURCE, SegmentColumn.MT):
            return " ".join(self.tokens(segment, column))
        if column is SegmentColumn.AHEAD:
            return self._ahead(session, segment)
        if column is SegmentColumn.BAD:
            count = len(bad_places(session, kind, segment))
        else:
            count = len(disputed_places(session, kind, segment))
        return str(count) if count else ""

    def _ahead(self, session: Session, segment: int) -> str:
        if self.between is None:
            return ""
        left, right = (session.segment_tags(key, segment) for key in self.between)
        reference = session.reference(self.workspace.kind)
        if reference is None:
            return f"{int((left != right).sum())} differ"
        gold = session.segment_tags(reference, segment)
        ahead = int((left == gold).sum()) - int((right == gold).sum())
        return f"{self.between[0 if ahead > 0 else 1].name} +{abs(ahead)}" if ahead else "even"

    def _spoken(self, segment: int, column: SegmentColumn) -> str:
        text = self._text(segment, column)
        if column is SegmentColumn.BAD:
            return f"{text or 'none'} BAD"
        if column is SegmentColumn.DISPUTED:
            return f"{text or 'none'} disputed"
        return f"segment {text}" if column is SegmentColumn.NUMBER else text

    def tokens(self, segment: int, column: SegmentColumn) -> list[str]:
        """The tokens that a text column shows."""
        corpus = self.workspace.corpus
        if corpus is None:
            return []
        return corpus.tokens(TextRole.SOURCE if column is SegmentColumn.SOURCE else TextRole.MT, segment)

    def marked(self, segment: int, column: SegmentColumn) -> Tags | None:
        """The tags that are underlined in a text column: the reference's, or those of the only one who tagged it."""
        session = self.workspace.session
        if session is None:
            return None
        kind = Kind.SOURCE if column is SegmentColumn.SOURCE else Kind.WORDS
        tracks = session.tracks(kind)
        key = session.reference(kind) or (tracks[0] if len(tracks) == 1 else None)
        return None if key is None else session.segment_tags(key, segment)

    # --- what changes

    def _on_change(self, change: Change) -> None:
        if change.layers:
            self._repaint()
        for segment in change.segments:
            row = self.row_of(segment)
            if row is not None:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(SegmentColumn) - 1))

    def _repaint(self) -> None:
        if len(self.segments):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.segments) - 1, len(SegmentColumn) - 1))
