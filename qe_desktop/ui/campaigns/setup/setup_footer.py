"""Footer of the form: workload summary, state and buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.workload import Workload, estimate_workload
from qe_desktop.ratings.campaign_draft import CampaignDraft
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import IconLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.progress_bar import ProgressBar


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """One figure of the summary: number as text, label and tooltip."""

    number: str
    text: str
    about: str = ""


class SetUpFooter(QWidget):
    """Shows the summary, the state of the form and the buttons; contains no logic."""

    create_asked = Signal()
    cancel_asked = Signal()
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sums: list[tuple[Label, Label]] = []
        self._row = hbox(gap=28)
        self._sign = IconLabel("info")
        self.words = Label(narrow=True)
        self._bar = ProgressBar(tr("Progress of creating the campaign"), letters=17)
        self.cancel = FlatButton(tr("Cancel"))
        self.stop = FlatButton(tr("Stop"))
        self.make = FlatButton(tr("Create campaign"), "next", primary=True)
        state_row = hbox(Stretched(self._sign, 0, Qt.AlignmentFlag.AlignTop), Stretched(self.words, 1), gap=8)
        row = hbox(self._row, StretchSpace(), self._bar, gap=10)
        vbox(state_row, row, on=self, gap=6, margins=(16, 8, 16, 10))
        for button, signal in (
            (self.stop, self.stop_asked),
            (self.cancel, self.cancel_asked),
            (self.make, self.create_asked),
        ):
            row.addWidget(button)
            button.clicked.connect(signal)
        theme.themes.theme_changed.connect(self.update)
        self.show_working(None)

    def show_sums(self, sums: Sequence[SummaryItem]) -> None:
        """Show the figures of the summary."""
        while len(self.sums) < len(sums):
            self.sums.append(self._new_sum())
        for index, (number, text) in enumerate(self.sums):
            used = index < len(sums)
            number.setVisible(used)
            text.setVisible(used)
            if used:
                number.setText(sums[index].number)
                text.setText(sums[index].text)
                text.setToolTip(plain_tooltip(sums[index].about))
                number.setToolTip(plain_tooltip(sums[index].about))

    def _new_sum(self) -> tuple[Label, Label]:
        number, text = Label(scale=1.5, bold=True), Label(token="muted")
        column = vbox(number, text, gap=0)
        self._row.addLayout(column)
        return number, text

    def show_words(self, text: str, sign: str) -> None:
        """Show the state of the form; `sign` is "ok", "info" or "error"."""
        self.words.setText(text)
        self._sign.setVisible(bool(text))
        self._sign.show_icon(sign)

    def show_working(self, fraction: float | None) -> None:
        """Show progress, 0..1; None if no campaign is being created."""
        working = fraction is not None
        self._bar.setVisible(working)
        self.stop.setVisible(working)
        self.cancel.setVisible(not working)
        self.make.setVisible(not working)
        if fraction is not None:
            self._bar.show_fraction(fraction)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background with a line at the top."""
        colours = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), colours.surface)
        painter.fillRect(0, 0, self.width(), 1, colours.border)
        painter.end()


def design_summary(draft: CampaignDraft, texts: CampaignTexts | None) -> list[SummaryItem]:
    """Workload summary of a draft."""
    if texts is None or len(draft.systems) < draft.rules.outputs[0]:
        return []
    work = estimate_workload(draft.campaign(), draft.setup(texts))
    screens, seconds = list(work.screens.values()), list(work.seconds.values())
    judged = list(work.judgements.values())
    longest = max(seconds, default=0.0)
    hours = format_duration(work.total_seconds) if seconds else "–"
    return [
        SummaryItem(_format_range(screens), tr("screens/rater"), _screens_per_rater(work)),
        SummaryItem(
            format_duration(longest) if longest else "–", tr("per rater", "below a duration"), _time_per_rater(work)
        ),
        SummaryItem(
            _format_range([round(count) for count in judged]), tr("judgements/system"), tr("All raters together")
        ),
        SummaryItem(
            hours if work.total_seconds else "–",
            tr("total", "below a duration"),
            tr("All raters together, at the typical pace of the protocol"),
        ),
    ]


def _format_range(numbers: list[int]) -> str:
    """Range of numbers as text; one number if all are equal.

    >>> _format_range([3, 3]), _format_range([3, 5]), _format_range([])
    ('3', '3–5', '–')
    """
    if not numbers or not max(numbers):
        return "–"
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def _screens_per_rater(work: Workload) -> str:
    return ", ".join(f"{rater}: {count:,}" for rater, count in list(work.screens.items())[:20])


def _time_per_rater(work: Workload) -> str:
    return ", ".join(f"{rater}: {format_duration(seconds)}" for rater, seconds in list(work.seconds.items())[:20])
