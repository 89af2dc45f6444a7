"""Warnings below a target: inline code problems with buttons for missing codes, and links to check results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QStyleOptionToolButton, QToolButton, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.formats.bilingual.plain_lines import CodeDifferences, LineCode, parse_line_codes
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.local_qe.qa_checks.live_checks import TargetIssue
from qe_desktop.ui.inspect.reader.word_decorations import (
    code_size,
    draw_code,
    draw_text_with_codes,
    width_with_codes,
)
from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.buttons import LINK_PADDING_PX, EnterButtonMixin, LinkButton
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import FlowLayout, StretchSpace, hbox
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin

NO_CODE_PROBLEMS = CodeDifferences()


class CodeButton(QToolButton):
    """Button on which an inline code is drawn as a symbol; its `text` is the code as plain text."""

    def __init__(self, code: LineCode, parent: QWidget) -> None:
        super().__init__(parent)
        self._code = code
        self.setText(code.display_text)
        themes.theme_changed.connect(self.update)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Replace the text with spaces of about the same width, because the code is drawn."""
        super().initStyleOption(option)
        option.text = " " * (2 * len(option.text))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button and the code in its middle."""
        super().paintEvent(event)
        painter = QPainter(self)
        rect = QRectF(QPointF(), code_size(self._code, QFontMetricsF(self.font())))
        rect.moveCenter(QRectF(self.rect()).center())
        draw_code(painter, rect, self._code, self.font(), current())
        painter.end()


class CodeProblemsBar(QWidget):
    """Bar with inline code problems and buttons for missing codes; hidden if there are no problems."""

    code_requested = Signal(object)
    """Emitted with a `LineCode` to insert at the cursor."""

    def __init__(self) -> None:
        super().__init__()
        self._problems = NO_CODE_PROBLEMS
        self._buttons: list[QToolButton] = []
        self.label = Label(token="warning", bold=True)
        self._flow = FlowLayout(self, gap=8, line_gap=4)
        self._flow.addWidget(self.label)
        self.hide()

    @property
    def missing_codes(self) -> tuple[LineCode, ...]:
        """Inline codes missing from the target, in source order."""
        return self._problems.missing

    def show_problems(self, differences: CodeDifferences, labels: Mapping[int, str]) -> None:
        """Show the problems, and buttons for the missing codes; hide the bar if there are no problems."""
        if differences == self._problems:
            return
        self._problems = differences
        text = code_problems_text(differences)
        self.label.setText(text)
        for button in self._buttons:
            self._flow.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self._buttons = [self._button(code, labels.get(code.number, "")) for code in differences.missing]
        for button in self._buttons:
            self._flow.addWidget(button)
            button.show()
        self.setVisible(bool(text))

    def _button(self, code: LineCode, label: str) -> QToolButton:
        button = CodeButton(code, self)
        button.setAccessibleName(tr("Insert inline code {code}", code=code.display_text))
        tooltip = (
            tr("Insert {code}: {label}", code=code.display_text, label=label) if label else button.accessibleName()
        )
        button.setToolTip(plain_tooltip(tooltip))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.code_requested.emit(code))
        return button


def code_problems_text(differences: CodeDifferences) -> str:
    """Return a description of problems with inline codes; empty if there are none."""
    parts = []
    if differences.missing:
        parts.append(tr("Missing inline {n:code|codes}:", "", len(differences.missing)))
    if differences.extra:
        names = join_names([code.display_text for code in differences.extra])
        parts.insert(0, tr("Extra inline {n:code|codes}: {codes}.", "", len(differences.extra), codes=names))
    if differences.unopened:
        names = join_names([code.display_text for code in differences.unopened])
        text = tr(
            "Inline {n:code|codes} closed before {n:it is|they are} opened: {codes}.",
            "", len(differences.unopened), codes=names,
        )  # fmt: skip
        parts.insert(0, text)
    return " ".join(parts)


class ResultLink(EnterButtonMixin, LinkButton):
    """Link with the height of a line of text; a text wider than the link is elided. Enter activates the link."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent)

    def show_text(self, text: str, width: int) -> None:
        """Show a text, at most `width` pixels wide; ampersands do not mark mnemonics."""
        self.setText(text)
        self.setShortcut(QKeySequence())
        self.setMaximumWidth(width + LINK_PADDING_PX)

    def shown_text(self) -> str:
        """Return the text, elided to the width of the link."""
        # the width of the text is rounded
        available_width = self.width() - LINK_PADDING_PX + 1
        if link_text_width(self.text(), self.fontMetrics()) <= available_width:
            return self.text()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, available_width)

    def sizeHint(self) -> QSize:
        """Return the width of the text with space for the focus frame, and the height of a line of text."""
        metrics = self.fontMetrics()
        return QSize(link_text_width(self.text(), metrics) + LINK_PADDING_PX, metrics.height())

    def draw_text(self, painter: QPainter, colours: Theme) -> None:
        """Draw the text, with its inline codes as symbols."""
        text = self.shown_text()
        if parse_line_codes(text):
            left = (self.width() - width_with_codes(text, QFontMetricsF(painter.font()))) / 2
            draw_text_with_codes(painter, QRectF(self.rect()).adjusted(left, 0, 0, 0), text, colours)
        else:
            super().draw_text(painter, colours)


def link_text_width(text: str, metrics: QFontMetrics) -> int:
    """Return the width in pixels of the text of a `ResultLink`."""
    if parse_line_codes(text):
        return math.ceil(width_with_codes(text, QFontMetricsF(metrics)))
    return metrics.horizontalAdvance(text)


class CheckLinksBar(ArrangedMixin, QWidget):
    """Line of links to QA check results, one link per reason; a menu contains the links that do not fit.

    The line is hidden if there are no results.
    """

    result_requested = Signal(object)
    """Emitted when a link is clicked, with one of its results (`TargetIssue`); repeated clicks cycle through them."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("QA checks"))
        self.label = Label(tr("QA checks:"), token="warning")
        self.links: list[ResultLink] = []
        self._results: dict[str, list[TargetIssue]] = {}
        self._last_requested: TargetIssue | None = None
        """Most recently requested result; None before the first request."""
        self._more_link = ResultLink(self)
        self._more_link.setAccessibleName(tr("More QA check results"))
        self._more_link.setMenu(QMenu(self._more_link))
        self._row = hbox(self.label, self._more_link, StretchSpace(), on=self, gap=2)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    def text(self) -> str:
        """Return the text of the whole line; empty without results."""
        return check_messages_text(tuple(self._results))

    def show_results(self, results: Sequence[TargetIssue]) -> None:
        """Show the results in order; results with the same reason share one link."""
        by_reason: dict[str, list[TargetIssue]] = {}
        for result in results:
            by_reason.setdefault(result.reason, []).append(result)
        before, self._results = list(self._results), by_reason
        if before != list(by_reason):
            self._show_links()
        self.setVisible(bool(by_reason))

    def _show_links(self) -> None:
        while len(self.links) < len(self._results):
            link = ResultLink(self)
            link.clicked.connect(self._on_clicked)
            link.setAccessibleDescription(tr("Select the problem in the target"))
            self._row.insertWidget(1 + len(self.links), link)
            self.links.append(link)
        for link, reason in zip(self.links, self._results, strict=False):
            link.setAccessibleName(reason)
            link.setToolTip(plain_tooltip(reason))
        self._arrange()

    def _on_clicked(self) -> None:
        link = self.sender()
        if isinstance(link, ResultLink):
            self._request(link.accessibleName())

    def _request(self, reason: str) -> None:
        results = sorted(self._results.get(reason, ()))
        if results:
            following = results.index(self._last_requested) + 1 if self._last_requested in results else 0
            self._last_requested = results[following % len(results)]
            self.result_requested.emit(self._last_requested)

    # --- size

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, because links that do not fit move to the menu, and the height of the line."""
        return QSize(0, super().minimumSizeHint().height())

    def _arrange(self) -> None:
        """Show as many links as fit, at least the first, which may be elided; move the others to the menu."""
        metrics, reasons = self.fontMetrics(), list(self._results)
        padding, gap = LINK_PADDING_PX, self._row.spacing()
        available_width = self.width() - self.label.sizeHint().width()
        more = metrics.horizontalAdvance(f"+{len(reasons)}") + padding + gap
        visible_count = 0
        for index, (link, reason) in enumerate(zip(self.links, reasons, strict=False)):
            available = available_width - gap - padding - (more if index + 1 < len(reasons) else 0)
            width = link_text_width(escape_label(reason), metrics)
            if index and available < width:
                break
            link.show_text(escape_label(reason), max(0, available))
            available_width -= min(width, available) + padding + gap
            visible_count += 1
        for index, link in enumerate(self.links):
            link.setVisible(index < visible_count)
        self._show_more(reasons[visible_count:])

    def _show_more(self, reasons: Sequence[str]) -> None:
        menu = self._more_link.menu()
        menu.clear()
        for reason in reasons:
            menu.addAction(escape_label(reason).replace("&", "&&"), partial(self._request, reason))
        text = f"+{len(reasons)}"
        self._more_link.show_text(text, self.fontMetrics().horizontalAdvance(text))
        self._more_link.setVisible(bool(reasons))


def check_messages_text(reasons: Sequence[str]) -> str:
    """Return a line with the distinct check messages; empty if there are none."""
    unique = list(dict.fromkeys(reasons))
    return tr("QA checks: {reasons}", reasons=join_localized(" · ", unique)) if unique else ""
