"""The line under a target that says what is wrong with its codes, and puts in those that are missing."""

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
    """Hidden where the codes are right."""

    wanted = Signal(object)
    """A `LineCode` is to be put where the cursor stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._aside = NO_CODE_PROBLEMS
        self._buttons: list[QToolButton] = []
        self.said = Label(token="warning", bold=True)
        self._flow = FlowLayout(self, gap=6, line_gap=4)
        self._flow.addWidget(self.said)
        self.hide()

    @property
    def missing(self) -> tuple[LineCode, ...]:
        """The codes that the target lacks, in the order of the source."""
        return self._aside.missing

    def show_aside(self, aside: CodeDifferences, labels: Mapping[int, str]) -> None:
        """Say what is wrong."""
        if aside == self._aside:
            return
        self._aside = aside
        text = code_problems_text(aside)
        self.said.setText(text)
        for button in self._buttons:
            self._flow.removeWidget(button)
            button.setParent(None)
            button.deleteLater()
        self._buttons = [self._button(code, labels.get(code.number, "")) for code in aside.missing]
        for button in self._buttons:
            self._flow.addWidget(button)
            button.show()
        self.setVisible(bool(text))

    def _button(self, code: LineCode, about: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(code.shown)
        button.setAccessibleName(tr("Insert the code {code}", code=code.shown))
        shown = tr("Insert {code}: {label}", code=code.shown, label=about) if about else button.accessibleName()
        button.setToolTip(plain_tooltip(shown))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.wanted.emit(code))
        return button


def code_problems_text(aside: CodeDifferences) -> str:
    """What is wrong with codes, in words; empty where nothing is."""
    parts = []
    if aside.missing:
        parts.append(tr("{n:Code|Codes} missing:", "", len(aside.missing)))
    if aside.extra:
        names = join_names([code.shown for code in aside.extra])
        parts.insert(0, tr("{n:Code|Codes} too many: {codes}.", "", len(aside.extra), codes=names))
    if aside.early:
        names = join_names([code.shown for code in aside.early])
        parts.insert(
            0, tr("Ends before {n:its beginning|their beginnings}: {codes}.", "", len(aside.early), codes=names)
        )
    return " ".join(parts)


class CheckMessagesLabel(ElidedLabel):
    """Hidden where nothing is found; all of it on hover where there is no room for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(token="warning", parent=parent)
        self.setAccessibleName(tr("Checks"))
        self.hide()

    def show_reasons(self, reasons: Sequence[str]) -> None:
        """Say what is wrong, the first thing first; the same is said once."""
        text = check_messages_text(reasons)
        if text != self.text():
            self.setText(text)
        self.setVisible(bool(text))


def check_messages_text(reasons: Sequence[str]) -> str:
    """What is wrong, in a line; empty where nothing is."""
    each = list(dict.fromkeys(reasons))
    return tr("Checks: {reasons}", reasons=join_localized(" · ", each)) if each else ""
