"""Command palette, in which the user finds a command by a few letters of its name and runs it with Enter."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QRect,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QAction, QColor, QGuiApplication, QKeyEvent, QPainter, QPen, QWindow
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons, theme
from qe_desktop.ui.action_registry import Action, ActionRegistry, display_shortcut
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.tables.table_model import ModelIndex

ROWS_SHOWN = 10
MAX_FOCUS_WAIT_MS = 300
"""Maximum time in milliseconds that a command waits for the window to get the focus back."""
_MOVES = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: ROWS_SHOWN - 1,
    Qt.Key.Key_PageUp: 1 - ROWS_SHOWN,
}


class _Commands(QAbstractListModel):
    """Model of the available commands that match the query: best match first, or by area if the query is empty."""

    def __init__(self, registry: ActionRegistry, parent: QObject) -> None:
        super().__init__(parent)
        self._registry = registry
        self._all = registry.available_actions()
        self._matches: list[tuple[Action, list[int]]] = [(action, []) for action in self._all]

    def filter(self, query: str) -> None:
        """List the commands whose names match the query."""
        self.beginResetModel()
        matches = [(_match_name(query, self._registry.text(action.id)), action) for action in self._all]
        hits = [(match[0], match[1], action) for match, action in matches if match is not None]
        if query.strip():
            hits.sort(key=lambda hit: -hit[0])
        self._matches = [(action, positions) for _, positions, action in hits]
        self.endResetModel()

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return the number of matching commands."""
        return 0 if parent.isValid() else len(self._matches)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the name of a command, or its accessible text: name, heading and keys."""
        if not index.isValid():
            return None
        action = self._matches[index.row()][0]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._registry.text(action.id)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(
                [
                    self._registry.text(action.id),
                    action.group,
                    *map(display_shortcut, self._registry.listed_keys(action.id)),
                ]
            )
        return None

    def action(self, row: int) -> Action:
        """Return the action in a row."""
        return self._matches[row][0]

    def display_parts(self, row: int) -> tuple[str, list[int], list[str]]:
        """Return the name of the command in a row, the positions of matching letters in the name, and the keys."""
        action, positions = self._matches[row]
        return self._registry.text(action.id), positions, self._registry.listed_keys(action.id)


class _CommandDelegate(QStyledItemDelegate):
    """Delegate that paints a command: icon, name with the matching letters highlighted, heading and first shortcut."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        """Return the size of one line with padding."""
        return QSize(0, option.fontMetrics.height() + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw the row."""
        model = index.model()
        if not isinstance(model, _Commands):
            return
        action = model.action(index.row())
        name, matched, keys = model.display_parts(index.row())
        colours = theme.current()
        rect: QRect = option.rect
        font = option.font
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colours.selection)
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), colours.accent)
        inner = rect.adjusted(16, 0, -16, 0)
        side = option.fontMetrics.height()
        if action.icon:
            icons.paint_icon(painter, action.icon, QRect(inner.left(), rect.top(), side, rect.height()), colours.muted)
        x = inner.left() + side + 12
        for index_in_name, letter in enumerate(name):
            font.setBold(index_in_name in matched)
            painter.setFont(font)
            painter.setPen(colours.accent if index_in_name in matched else colours.text)
            painter.drawText(QRect(x, rect.top(), 100, rect.height()), Qt.AlignmentFlag.AlignVCenter, letter)
            x += painter.fontMetrics().horizontalAdvance(letter)
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(colours.muted)
        painter.drawText(
            QRect(x + 12, rect.top(), inner.right() - x, rect.height()), Qt.AlignmentFlag.AlignVCenter, action.group
        )
        shortcut_hints.paint_keys(painter, keys[:1], inner, font)
        painter.restore()


class CommandPalette(Dialog):
    """Popup with an input field and the list of matching commands, near the top of the window."""

    def __init__(self, registry: ActionRegistry, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(tr("Commands"))
        self._registry = registry
        self._model = _Commands(registry, self)
        self._field = QLineEdit()
        self._field.setPlaceholderText(tr("Find a command…"))
        self._field.setAccessibleName(tr("Find a command"))
        self._field.setFrame(False)
        self._field.setTextMargins(8, 8, 8, 8)
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(_CommandDelegate(self._list))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setAccessibleName(tr("Matching commands"))
        self._none = QLabel(tr("No command matches these letters."))
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._none.setMargin(16)
        self._none.hide()
        vbox(self._field, self._list, self._none, on=self, gap=0, margins=1)
        self._field.textChanged.connect(self._filter)
        self._field.installEventFilter(self)
        self._list.clicked.connect(self._run)
        self._filter("")
        self._lay_out(parent)

    def _lay_out(self, parent: QWidget) -> None:
        row = self._list.sizeHintForRow(0) if self._model.rowCount() else 32
        width = min(parent.width() - 32, self.fontMetrics().horizontalAdvance("0") * 80)
        self.resize(width, self._field.sizeHint().height() + row * ROWS_SHOWN + 2)
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - width) // 2, corner.y() + parent.height() // 8)
        self._field.setFocus()

    def _filter(self, query: str) -> None:
        self._model.filter(query)
        has_matches = self._model.rowCount() > 0
        self._list.setVisible(has_matches)
        self._none.setVisible(not has_matches)
        if has_matches:
            self._list.setCurrentIndex(self._model.index(0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Apply arrow keys, page keys and Enter in the input field to the list."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        key = Qt.Key(event.key())
        if key in _MOVES and self._model.rowCount():
            row = self._list.currentIndex().row() + _MOVES[key]
            self._list.setCurrentIndex(self._model.index(max(0, min(row, self._model.rowCount() - 1))))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
            return True
        return False

    def _run(self) -> None:
        index = self._list.currentIndex()
        if not index.isValid():
            return
        action = self._registry[self._model.action(index.row()).id]
        self.close()
        QTimer.singleShot(0, action, partial(_run_with_focus, action))

    def paintEvent(self, event: object) -> None:
        """Draw the background and a border."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.current().surface)
        painter.setPen(QPen(QColor(theme.current().border), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class _FocusTimer(QTimer):
    """Timer that runs an action when a window has the focus again, or after `MAX_FOCUS_WAIT_MS` without focus."""

    def __init__(self, action: QAction, app: QGuiApplication) -> None:
        super().__init__(action, singleShot=True, interval=MAX_FOCUS_WAIT_MS)
        app.focusWindowChanged.connect(self._on_focus)
        self.timeout.connect(action.trigger)
        self.timeout.connect(self.deleteLater)
        self.start()

    def _on_focus(self, window: QWindow | None) -> None:
        # the focus events, which would close a tooltip, are delivered before the timer fires
        self.setInterval(0 if window is not None else MAX_FOCUS_WAIT_MS)


def _run_with_focus(action: QAction) -> None:
    """Run an action as soon as a window has the focus, so that it applies to the focused widget."""
    app = QGuiApplication.instance()
    if isinstance(app, QGuiApplication) and app.focusWindow() is None:
        _FocusTimer(action, app)
    else:
        action.trigger()


_SYNONYMS = ((tr("inline code"), tr("tag", "inline code")),)
"""Terms in names of commands, each with a word that users of other programs search for instead."""


def synonymous_name(name: str) -> str:
    """Return the name of a command with its terms replaced by their synonyms."""
    for term, synonym in _SYNONYMS:
        name = name.replace(term, synonym)
    return name


def _match_name(query: str, name: str) -> tuple[float, list[int]] | None:
    """Match a query with a name and with its synonymous name; return the better match, or None without a match.

    A match with the synonymous name has no positions.
    """
    match, synonymous = fuzzy_match(query, name), synonymous_name(name)
    synonym_match = fuzzy_match(query, synonymous) if synonymous != name else None
    if synonym_match is None or (match is not None and match[0] >= synonym_match[0]):
        return match
    return synonym_match[0], []


_WORD_START_BONUS, _WITHIN_WORD_BONUS = 2000.0, 1000.0
"""Bonuses for matches at the starts of words, and for matches of whole query words elsewhere.

Both exceed the score of any match without a bonus.
"""


def fuzzy_match(query: str, text: str) -> tuple[float, list[int]] | None:
    """Match the letters of `query` in `text`, in order; return the score and positions, or None without a match.

    The score is highest if every word of `query`, or every matching letter, is at the start of a word of `text`. It is
    lower if words of `query` are within words of `text`, and lowest if matching letters are scattered. Among matches
    of the same kind, the score is higher for letters at the start of words, for adjacent letters, and for shorter
    texts. If `query` is blank, every text matches, and the list of positions is empty.

    >>> fuzzy_match("of", "Open folder…")[1]
    [0, 5]
    >>> fuzzy_match("xq", "Open folder…") is None
    True
    """
    characters = [letter for letter in query.casefold() if not letter.isspace()]
    folded = [letter.casefold() for letter in text]
    best = _match_words(query.casefold().split(), folded)
    starts = (
        [position for position, letter in enumerate(folded) if characters and letter == characters[0]]
        if characters
        else [0]
    )
    for start in starts:
        positions = _match_positions(characters, folded, start)
        if positions is not None:
            value = _match_score(positions, folded) + _WORD_START_BONUS * all(
                _is_word_start(folded, position) for position in positions
            )
            if best is None or value > best[0]:
                best = (value, positions)
    return best


def _match_words(words: list[str], folded: list[str]) -> tuple[float, list[int]] | None:
    """Match the query words in order, each as adjacent letters and, if possible, all at the starts of words.

    Return the score and the positions; None if `words` is empty or a word does not match.
    """
    for only_word_starts in (True, False):
        positions: list[int] = []
        for word in words:
            at = positions[-1] + 1 if positions else 0
            fits = (
                position
                for position in range(at, len(folded) - len(word) + 1)
                if folded[position : position + len(word)] == list(word)
                and (_is_word_start(folded, position) or not only_word_starts)
            )
            start = next(fits, None)
            if start is None:
                break
            positions += range(start, start + len(word))
        else:
            return (
                (
                    _match_score(positions, folded) + (_WORD_START_BONUS if only_word_starts else _WITHIN_WORD_BONUS),
                    positions,
                )
                if positions
                else None
            )
    return None


def _match_positions(characters: list[str], folded: list[str], start: int) -> list[int] | None:
    positions: list[int] = []
    at = start
    for letter in characters:
        candidates = [position for position in range(at, len(folded)) if folded[position] == letter]
        if not candidates:
            return None
        nearest = candidates[0]
        # the start of a later word is a better match than a letter within this word
        position = (
            nearest
            if nearest == at
            else next((index for index in candidates if _is_word_start(folded, index)), nearest)
        )
        remaining = characters[len(positions) + 1 :]
        if position != nearest and not _matches_at(remaining, folded, position + 1):
            position = nearest
        positions.append(position)
        at = position + 1
    return positions


def _matches_at(characters: list[str], folded: list[str], start: int) -> bool:
    following = iter(folded[start:])
    return all(letter in following for letter in characters)


def _is_word_start(folded: list[str], index: int) -> bool:
    return index == 0 or not folded[index - 1].isalnum()


def _match_score(positions: list[int], folded: list[str]) -> float:
    value = 0.0
    for index, position in enumerate(positions):
        value += 3.0 if _is_word_start(folded, position) else 1.0
        if index and position == positions[index - 1] + 1:
            value += 2.0
    return value - len(folded) / 100 - (positions[0] if positions else 0) / 50
