"""Warnings below a target: inline code problems with buttons for missing codes, and check messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from qe_desktop.formats.bilingual.plain_lines import CodeDifferences, LineCode
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import FlowLayout

NO_CODE_PROBLEMS = CodeDifferences()


class CodeProblemsBar(QWidget):
    """Bar with inline code problems and buttons for missing codes; hidden if there are no problems."""

    code_requested = Signal(object)
    """Emitted with a `LineCode` to insert at the cursor."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._aside = NO_CODE_PROBLEMS
        self._buttons: list[QToolButton] = []
        self.label = Label(token="warning", bold=True)
        self._flow = FlowLayout(self, gap=8, line_gap=4)
        self._flow.addWidget(self.label)
        self.hide()

    @property
    def missing(self) -> tuple[LineCode, ...]:
        """Inline codes missing from the target, in source order."""
        return self._aside.missing

    def show_aside(self, differences: CodeDifferences, labels: Mapping[int, str]) -> None:
        """Show the problems, and buttons for the missing codes; hide the bar if there are none."""
        if differences == self._aside:
            return
        self._aside = differences
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

    def _button(self, code: LineCode, about: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(code.shown)
        button.setAccessibleName(tr("Insert inline code {code}", code=code.shown))
        shown = tr("Insert {code}: {label}", code=code.shown, label=about) if about else button.accessibleName()
        button.setToolTip(plain_tooltip(shown))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.code_requested.emit(code))
        return button


def code_problems_text(differences: CodeDifferences) -> str:
    """Describe problems with inline codes; empty if there are none."""
    parts = []
    if differences.missing:
        parts.append(tr("Missing inline {n:code|codes}:", "", len(differences.missing)))
    if differences.extra:
        names = join_names([code.shown for code in differences.extra])
        parts.insert(0, tr("Extra inline {n:code|codes}: {codes}.", "", len(differences.extra), codes=names))
    if differences.early:
        names = join_names([code.shown for code in differences.early])
        parts.insert(0, tr("Closed before opened: {codes}.", codes=names))
    return " ".join(parts)


class CheckMessagesLabel(ElidedLabel):
    """Label with the messages of QA checks, shown in full in its tooltip; hidden if there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(token="warning", parent=parent)
        self.setAccessibleName(tr("QA checks"))
        self.hide()

    def show_reasons(self, reasons: Sequence[str]) -> None:
        """Show the messages in order, without duplicates."""
        text = check_messages_text(reasons)
        if text != self.text():
            self.setText(text)
        self.setVisible(bool(text))


def check_messages_text(reasons: Sequence[str]) -> str:
    """Join check messages on one line; empty if there are none."""
    unique = list(dict.fromkeys(reasons))
    return tr("QA checks: {reasons}", reasons=join_localized(" · ", unique)) if unique else ""
