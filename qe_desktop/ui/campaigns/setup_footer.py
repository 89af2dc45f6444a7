"""Footer of the set-up form: workload summary, state and buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign_draft import CampaignDraft, estimate_workload
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import IconLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.progress_bar import ProgressBar
from qe_desktop.ui.widgets.themed_widget import ThemedWidget


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """Formatted number in the summary, with its label and tooltip."""

    number: str
    label: str
    tooltip: str = ""


class SetUpFooter(ThemedWidget):
    """Footer with the summary, the state of the form, and buttons that emit signals."""

    create_requested = Signal()
    cancel_requested = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sums: list[tuple[Label, Label]] = []
        self._row = hbox(gap=24)
        self._sign = IconLabel("info")
        self.message_label = Label(narrow=True)
        self._bar = ProgressBar(tr("Campaign creation progress"), characters=17)
        self.cancel = FlatButton(tr("Cancel"))
        self.stop = FlatButton(tr("Cancel"))
        self.create_button = FlatButton(tr("Create campaign"), "next", primary=True)
        state_row = hbox(Stretched(self._sign, 0, Qt.AlignmentFlag.AlignTop), Stretched(self.message_label, 1), gap=8)
        row = hbox(self._row, StretchSpace(), self._bar, gap=8)
        vbox(state_row, row, on=self, gap=8, margins=(16, 8, 16, 8))
        for button, signal in (
            (self.stop, self.stop_requested),
            (self.cancel, self.cancel_requested),
            (self.create_button, self.create_requested),
        ):
            row.addWidget(button)
            button.clicked.connect(signal)
        self.show_working(None)

    def show_summary(self, sums: Sequence[SummaryItem]) -> None:
        """Show the items of the summary."""
        while len(self.sums) < len(sums):
            self.sums.append(self._add_figure())
        for index, (number, text) in enumerate(self.sums):
            used = index < len(sums)
            number.setVisible(used)
            text.setVisible(used)
            if used:
                number.setText(sums[index].number)
                text.setText(sums[index].label)
                text.setToolTip(plain_tooltip(sums[index].tooltip))
                number.setToolTip(plain_tooltip(sums[index].tooltip))

    def _add_figure(self) -> tuple[Label, Label]:
        number, text = Label(scale=1.5, bold=True), Label(token="muted")
        column = vbox(number, text, gap=0)
        self._row.addLayout(column)
        return number, text

    def show_message(self, text: str, sign: str) -> None:
        """Show `text` as the state of the form, with the icon named `sign`: "ok", "info" or "error"."""
        self.message_label.setText(text)
        self._sign.setVisible(bool(text))
        self._sign.show_icon(sign)

    def show_working(self, fraction: float | None) -> None:
        """Show the progress `fraction` (0..1) and a stop button; None shows the Cancel and Create buttons instead."""
        working = fraction is not None
        self._bar.setVisible(working)
        self.stop.setVisible(working)
        self.cancel.setVisible(not working)
        self.create_button.setVisible(not working)
        if fraction is not None:
            self._bar.show_fraction(fraction)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the background with a line at the top."""
        painter.fillRect(self.rect(), colours.surface)
        painter.fillRect(0, 0, self.width(), 1, colours.border)


def design_summary(draft: CampaignDraft, texts: CampaignTexts | None) -> list[SummaryItem]:
    """Return the workload summary of a draft; empty if there are no texts or too few selected systems."""
    if texts is None or len(draft.systems) < draft.selected_protocol.outputs[0]:
        return []
    work = estimate_workload(draft.campaign(), draft.setup(texts))
    screens, seconds = list(work.screens.values()), list(work.seconds.values())
    judged = [round(count) for count in work.judgements.values()]
    longest = max(seconds, default=0.0)
    counts = {rater: f"{count:,}" for rater, count in work.screens.items()}
    times = {rater: format_duration(spent) for rater, spent in work.seconds.items()}
    pace = tr(
        "All raters together, assuming {n:,} {n:second|seconds} per item, also for training",
        "",
        _seconds_per_item(draft),
    )
    return [
        SummaryItem(_format_range(screens), tr("items/rater"), _per_rater(counts)),
        SummaryItem(_duration_or_dash(longest), tr("per rater", "below a duration"), _per_rater(times)),
        SummaryItem(_format_range(judged), tr("judgements/system"), tr("All raters together")),
        SummaryItem(_duration_or_dash(work.total_seconds), tr("total", "below a duration"), pace),
    ]


def workload_note(draft: CampaignDraft) -> str:
    """Return a sentence that says what the numbers of `design_summary` include and assume."""
    seconds = _seconds_per_item(draft)
    if draft.training:
        return tr(
            "Items include training; times are rounded and assume {n:,} {n:second|seconds} per item.", "", seconds
        )
    return tr("Times are rounded and assume {n:,} {n:second|seconds} per item.", "", seconds)


def _seconds_per_item(draft: CampaignDraft) -> int:
    return round(draft.selected_protocol.estimated_seconds(1, draft.systems_on_screen()))


def _duration_or_dash(seconds: float) -> str:
    return format_duration(seconds) if seconds else "–"


def _format_range(numbers: list[int]) -> str:
    """Return a range of numbers as text: one number if all are equal, a dash if there are none or all are 0.

    >>> _format_range([3, 3]), _format_range([3, 5]), _format_range([])
    ('3', '3–5', '–')
    """
    if not numbers or not max(numbers):
        return "–"
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def _per_rater(texts: Mapping[str, str]) -> str:
    """Return "name: text" for each of the first 20 raters, separated by commas."""
    return ", ".join(f"{rater}: {text}" for rater, text in list(texts.items())[:20])
