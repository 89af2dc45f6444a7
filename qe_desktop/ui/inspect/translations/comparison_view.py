"""View of compared translations with a word cursor, and the legend of the highlights.

The view only displays an immutable `SideBySide`. A few lines are laid out per event-loop iteration.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.translations.diff_styles import DiffStyle, MarkSign, MarkStyle
from qe_desktop.levels.translations.side_by_side import SideBySide
from qe_desktop.ui.inspect.reader.layout_metrics import LayoutMetrics
from qe_desktop.ui.inspect.reader.overlay_scroll_area import ensure_rect_visible, scroll_by_pages
from qe_desktop.ui.inspect.translations.comparison_painter import (
    ComparisonLayout,
    ComparisonPainter,
    paint_sample,
    scores_width,
)
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.labels import announce, plain_tooltip
from qe_desktop.ui.widgets.legends import SAMPLE_LETTERS, InlineLegend

KEY = Qt.Key
PLAIN_MODIFIERS = Qt.KeyboardModifier.NoModifier | Qt.KeyboardModifier.KeypadModifier


class TranslationComparisonView(QWidget):
    """View of the displayed texts of a segment, one below the other, with a word cursor."""

    described = Signal(str)
    """Emitted with the description of the word under the mouse or else at the cursor; "" if there is no such word."""
    copy_requested = Signal()
    """Emitted when the Copy shortcut is pressed."""
    exited = Signal()
    """Emitted when Escape is pressed; the focus should then leave the view."""

    def __init__(self) -> None:
        super().__init__()
        self.comparison: SideBySide | None = None
        self.laid_out: ComparisonLayout | None = None
        self.word_cursor = (0, 0)
        self._hovered: tuple[int, int] | None = None
        self._scores: tuple[str, ...] = ()
        self._metrics: LayoutMetrics | None = None
        self._measure: Callable[[float], LayoutMetrics] | None = None
        self._direction, self._decimals = "auto", 3
        self._search_text = ""
        self._layout_timer = QTimer(self, singleShot=True, interval=0)
        self._layout_timer.timeout.connect(self._lay_out_next)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(tr("Translations"))
        themes.theme_changed.connect(self.update)

    # --- what is shown

    def show_texts(
        self, comparison: SideBySide | None, measure: Callable[[float], LayoutMetrics], direction: str, decimals: int
    ) -> None:
        """Show a comparison, or nothing if `comparison` is None; the layout is kept if the texts are unchanged.

        `measure` returns the layout metrics for a width in pixels. `direction` is the text direction of the
        translations, and `decimals` the number of decimals of scores.
        """
        before = self.comparison
        self.comparison, self._decimals = comparison, decimals
        self._scores = () if comparison is None else tuple(self._score(line.score) for line in comparison.lines)
        is_same_layout = measure(max(200, self.width())) == self._metrics and direction == self._direction
        self._measure, self._direction = measure, direction
        if comparison is not None and is_same_layout and self._try_update(comparison):
            self.update()
        else:
            self.lay_out()
        if before is None or comparison is None or before.segment != comparison.segment:
            self.word_cursor = (0, 0)
        self._hovered = None
        self._emit_description()

    def _try_update(self, comparison: SideBySide) -> bool:
        laid_out = self.laid_out
        if (
            laid_out is None
            or laid_out.width != max(200, self.width())
            or laid_out.scores_width != self._scores_width()
        ):
            return False
        return laid_out.update_lines(comparison.lines)

    def _score(self, score: float | None) -> str:
        return "" if score is None else format_score(score, self._decimals)

    def _scores_width(self) -> float:
        if self.comparison is None or self._metrics is None or not self.comparison.metric:
            return 0.0
        scores = (format_score(-100.0, self._decimals), *self._scores)
        return scores_width(self.comparison.metric, scores, self._metrics, max(200, self.width()))

    def lay_out(self) -> None:
        """Lay out all lines again: the first ones now, the others in later event-loop iterations or in `finish`."""
        self._layout_timer.stop()
        self.laid_out = None
        if self.comparison is not None and self._measure is not None:
            width = max(200, self.width())
            lines, self._metrics = self.comparison.lines, self._measure(width)
            self.laid_out = ComparisonLayout(lines, self._metrics, width, self._scores_width(), self._direction)
            self._lay_out_next()
        else:
            self.setMinimumHeight(0)
        self.update()

    def _lay_out_next(self) -> None:
        if self.laid_out is not None and self.laid_out.has_pending_lines:
            self.laid_out.lay_out_next()
            self.setMinimumHeight(round(self.laid_out.height))
            self.update()
            if self.laid_out.has_pending_lines:
                self._layout_timer.start()

    def finish(self) -> None:
        """Lay out all pending lines in one call."""
        while self.laid_out is not None and self.laid_out.has_pending_lines:
            self._lay_out_next()

    def show_search_matches(self, text: str) -> None:
        """Frame the matches of a search text in every line."""
        if text != self._search_text:
            self._search_text = text
            self.update()

    # --- descriptions

    def describe(self, where: tuple[int, int] | None = None) -> str:
        """Return a description of a word and its highlights; empty if the line of the word is not shown.

        `where` is the position (line, word) of the word; by default, it is the position of the cursor.
        """
        number, word = where or self.word_cursor
        if self.comparison is None or self.laid_out is None or number >= len(self.laid_out.laid_out_lines):
            return ""
        laid = self.laid_out.laid_out_lines[number]
        name = isolate_bidi(laid.line.name)
        if word >= len(laid.words):
            return tr("{name}: no words", name=name)
        start, end = laid.words[word]
        token, total = isolate_bidi(laid.line.text[start:end]), len(laid.words)
        position = tr("{name}, word {number} of {total}, “{word}”", name=name, number=word + 1, total=total, word=token)
        highlights = self.comparison.describe_range(laid.line, start, end)
        return join_localized("; ", [position, *highlights])

    def explain(self) -> None:
        """Describe the word at the cursor in a tooltip."""
        rect = self._cursor_rect()
        if not rect.isEmpty():
            ensure_rect_visible(self, rect, rect.height())
            QToolTip.showText(self.mapToGlobal(rect.bottomLeft().toPoint()), plain_tooltip(self.describe()), self)

    def _cursor_rect(self) -> QRectF:
        return QRectF() if self.laid_out is None else self.laid_out.word_rect(*self.word_cursor)

    def _emit_description(self) -> None:
        position = self._hovered or (self.word_cursor if self.hasFocus() else None)
        self.described.emit("" if position is None else self.describe(position))

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible lines."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), current().surface)
        if self.laid_out is not None and self.comparison is not None:
            visible, metric = QRectF(event.rect()), self.comparison.metric
            ComparisonPainter(
                self.laid_out,
                current(),
                visible,
                metric,
                self._scores,
                self.word_cursor,
                self.hasFocus(),
                self._search_text,
            ).paint(painter)
        painter.end()

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Claim the Copy shortcut before the window handles it; show tooltips with the descriptions of words."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            position = self._word_at(QPointF(event.pos()))
            if position is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), plain_tooltip(self.describe(position)), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys for moving the cursor, scrolling, copying and leaving the view."""
        key = KEY(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        elif event.modifiers() & ~PLAIN_MODIFIERS or not self._handle_key(key):
            super().keyPressEvent(event)

    def _handle_key(self, key: Qt.Key) -> bool:
        number, word = self.word_cursor
        if key in (KEY.Key_PageDown, KEY.Key_PageUp):
            scroll_by_pages(self, 1 if key == KEY.Key_PageDown else -1)
        elif key in (KEY.Key_Up, KEY.Key_Down):
            self.go_to(number + (1 if key == KEY.Key_Down else -1), word)
        elif key in (KEY.Key_Left, KEY.Key_Right):
            is_forward = (key == KEY.Key_Right) is not self._is_right_to_left(number)
            self.go_to(number, word + (1 if is_forward else -1))
        elif key in (KEY.Key_Home, KEY.Key_End):
            self.go_to(number, 0 if key == KEY.Key_Home else 1 << 30)
        elif key == KEY.Key_Escape:
            self.exited.emit()
        else:
            return False
        return True

    def _is_right_to_left(self, number: int) -> bool:
        laid = [] if self.laid_out is None else self.laid_out.laid_out_lines
        return number < len(laid) and laid[number].layout.right_to_left

    def go_to(self, number: int, word: int) -> None:
        """Move the cursor to a word in line `number`; if the line or word is out of range, use the nearest one."""
        if self.laid_out is None or not self.laid_out.laid_out_lines:
            return
        number = min(max(0, number), len(self.laid_out.laid_out_lines) - 1)
        word = min(max(0, word), max(0, len(self.laid_out.laid_out_lines[number].words) - 1))
        self.word_cursor, self._hovered = (number, word), None
        rect = self._cursor_rect()
        if not rect.isEmpty():
            ensure_rect_visible(self, rect, rect.height() * 1.5)
        text = self.describe()
        self.setAccessibleDescription(text)
        announce(self, text)
        self._emit_description()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor, and announce the word at the cursor unless the mouse moved the focus."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.go_to(*self.word_cursor)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        super().focusOutEvent(event)
        self._emit_description()
        self.update()

    # --- mouse

    def _word_at(self, point: QPointF) -> tuple[int, int] | None:
        return None if self.laid_out is None else self.laid_out.word_at(point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Describe the hovered word."""
        position = self._word_at(event.position())
        if position != self._hovered:
            self._hovered = position
            self._emit_description()

    def leaveEvent(self, event: QEvent) -> None:
        """Stop describing the hovered word."""
        self._hovered = None
        self._emit_description()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Move the cursor to the clicked word."""
        position = self._word_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and position is not None:
            self.go_to(*position)

    def resizeEvent(self, event: QEvent) -> None:
        """Lay out the lines again if the width has changed."""
        if self.laid_out is not None and self.laid_out.width != max(200, self.width()):
            self.lay_out()


SAMPLE_GAP = "a a"
"""Sample text for a highlight between words."""


class ComparisonLegend(InlineLegend[MarkSign]):
    """Legend of the signs of a comparison method; the description of the current word, if any, replaces them."""

    def __init__(self) -> None:
        super().__init__()
        self._signs: tuple[MarkSign, ...] = ()
        self.description = ""

    @property
    def entries(self) -> tuple[MarkSign, ...]:
        """Signs of the legend."""
        return self._signs

    def show_marking(self, marking: DiffStyle) -> None:
        """Show the signs of another comparison method."""
        self._signs = marking.signs
        self.setAccessibleDescription(join_localized(", ", [sign.label for sign in marking.signs]))
        self.setToolTip(marking.description)
        self.updateGeometry()
        self.update()

    def show_description(self, text: str) -> None:
        """Show the description of a word; "" shows the signs again."""
        if text != self.description:
            self.description = text
            self.update()

    def draw_sample(self, painter: QPainter, box: QRectF, entry: MarkSign, theme: Theme) -> None:
        """Draw the sample of a sign."""
        painter.setPen(theme.text)
        tick = entry.style is MarkStyle.TICK
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), SAMPLE_GAP if tick else SAMPLE_LETTERS)
        paint_sample(painter, box, entry.style, theme)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the signs or the description."""
        if not self.description:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        theme = current()
        painter.fillRect(self.rect(), theme.surface)
        painter.fillRect(0, 0, self.width(), 1, theme.border)
        text_rect = QRectF(16, 0, self.width() - 32, self.height())
        painter.setPen(theme.text)
        text = QFontMetricsF(self.font()).elidedText(
            escape_label(self.description), Qt.TextElideMode.ElideRight, text_rect.width()
        )
        painter.drawText(text_rect, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
        painter.end()
