"""Status line of the significance matrix: title, state, progress and actions."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.comparisons import reach_note
from qe_desktop.significance import Comparison, get_test, unattainable_level
from qe_desktop.significance.comparison import ResamplingUnit
from qe_desktop.ui.scores.score_descriptions import (
    correction_and_units_text,
    method_sentence,
    resamples_text,
    split_documents_warning,
    test_sentence,
    too_few_text,
    trials_text,
)
from qe_desktop.ui.scores.significance.significance_matrix_model import SignificanceMatrixModel
from qe_desktop.ui.scores.significance.significance_service import SCORED_FRACTION, SignificanceService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.progress_bar import ProgressBar

_BUTTONS = {"working": tr("Cancel"), "waiting": tr("Run"), "failed": tr("Try again")}
"""Button texts by state."""


PEOPLE_GROUP = "people"
"""Level group whose scores also appear in the results of the Rate area."""
RATE_DIFFERENCE = tr(
    "For the same ratings, the Rate area can show other ranks and intervals, because it uses a rank-sum test and other "
    "random resamples."
)


class SignificanceStatusBar(QWidget):
    """Status line with buttons to run or cancel the test, increase the number of trials, and permute documents."""

    _line: QWidget | None = None
    """Line with title, state and buttons, as high as a button; None in a narrow panel, which has several lines."""

    def __init__(
        self,
        comparison: SignificanceService,
        matrix: SignificanceMatrixModel,
        parent: QWidget | None = None,
        *,
        small: bool = False,
    ) -> None:
        super().__init__(parent)
        self._small = small
        self._service = comparison
        self._matrix = matrix
        self._title = Label(bold=True)
        self._state = Label(token="muted", wraps=True) if small else ElidedLabel(token="muted")
        self.warning = Label(token="warning", wraps=True)
        self._bar = ProgressBar(tr("Progress of the significance test"), characters=16)
        self._button = QPushButton()
        self._button.clicked.connect(self._run_or_cancel)
        self.more_trials_button = QPushButton()
        self.more_trials_button.clicked.connect(self._use_more_trials)
        self._offered_rounds: int | None = None
        self._warned: tuple[Comparison | None, str, str] = None, "", ""
        """Last comparison, and its warnings in short and full form; cached, because every update requests them."""
        self.use_documents_button = QPushButton(tr("Use documents"))
        self.use_documents_button.setToolTip(plain_tooltip(tr("Permute and resample whole documents")))
        self.use_documents_button.clicked.connect(lambda: self._use_unit("document"))
        self.use_segments_button = QPushButton(tr("Use segments"))
        self.use_segments_button.setToolTip(plain_tooltip(tr("Permute and resample single segments again")))
        self.use_segments_button.clicked.connect(lambda: self._use_unit("segment"))
        self._can_return_to_segments = False
        """Whether the user selected documents as the unit with the button; if so, another button restores segments."""
        self._lay_out()
        comparison.changed.connect(self.refresh)
        comparison.progressed.connect(self._update_progress)
        matrix.modelReset.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        self._state.setMinimumWidth(1)
        if self._small:
            head = hbox(self._title, StretchSpace(), self._bar, self._button, gap=8)
            buttons = (self.more_trials_button, self.use_documents_button, self.use_segments_button)
            cautions = hbox(Stretched(self.warning, 1), *buttons, gap=8)
            vbox(head, hbox(Stretched(self._state, 1)), cautions, on=self, gap=2)
            return
        # next to the buttons, the warning would need more lines
        units = (self.use_documents_button, self.use_segments_button)
        actions = (self._bar, self._button, self.more_trials_button, *units)
        self._line = wrap_layout(hbox(self._title, Stretched(self._state, 1), *actions, gap=8))
        vbox(self._line, self.warning, on=self, gap=2)
        self._fit_line()

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the height of the line to a changed font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_line()

    def _fit_line(self) -> None:
        # the matrix below stays in place when the buttons disappear
        if self._line is not None:
            self._line.setMinimumHeight(self._button.sizeHint().height())

    def refresh(self) -> None:
        """Update the texts, the progress and the buttons."""
        service = self._service
        self._title.setText(tr("Significance, {metric}", metric=self._matrix.metric or service.metric))
        self._bar.setVisible(service.state == "working")
        self._update_progress()
        text = _BUTTONS.get(service.state, "")
        self._button.setVisible(bool(text))
        self._button.setText(text)
        short, warning = self._warnings()
        self.warning.setText(short or warning)
        self.warning.setToolTip(plain_tooltip(warning) if short else "")
        self.warning.setVisible(bool(warning))
        self._update_suggestions()

    def _update_progress(self) -> None:
        self._state.setText(self._state_text())
        self._state.setToolTip(plain_tooltip(self._tooltip_text()))
        if self._service.state == "working":
            self._bar.show_fraction(self._service.progress)

    def _update_suggestions(self) -> None:
        """Offer, where useful, more trials, documents as the resampling unit, or a return to segments."""
        service, unattainable = self._service, None
        if service.result is not None and service.state == "ready":
            unattainable = unattainable_level(service.result.comparison)
        rounds = None if unattainable is None else unattainable.rounds
        # with hundreds of systems, the required number may exceed the limit
        self._offered_rounds = rounds if rounds is not None and Settings.rounds.allowed(rounds) else None
        self.more_trials_button.setVisible(self._offered_rounds is not None)
        if self._offered_rounds is not None:
            self.more_trials_button.setText(tr("Use {n:,} {n:trial|trials}", "", self._offered_rounds))
        has_split_documents = (
            service.result is not None and service.state == "ready" and service.result.comparison.split_documents > 0
        )
        self.use_documents_button.setVisible(has_split_documents)
        has_documents = service.result is not None and service.result.comparison.options.unit == "document"
        self._can_return_to_segments &= service.options.unit == "document"
        self.use_segments_button.setVisible(self._can_return_to_segments and service.state == "ready" and has_documents)

    def _use_more_trials(self) -> None:
        if self._offered_rounds is not None:
            self._service.set_options(replace(self._service.options, rounds=self._offered_rounds))

    def _use_unit(self, unit: ResamplingUnit) -> None:
        options = replace(self._service.options, unit=unit)
        self._can_return_to_segments = unit == "document"
        self._service.set_options(options)

    def _state_text(self) -> str:
        service, result = self._service, self._service.result
        if service.state == "failed" and service.error is not None:
            return tr("Not compared: {reason}", reason=service.error.message)
        if service.state == "working":
            progress_text = self._progress_label()
            return progress_text if result is None else " · ".join((progress_text, tr("previous result shown")))
        if service.state == "waiting" and result is None:
            return tr("Not tested yet: select “Run” to start the significance test")
        if service.state == "waiting":
            return tr("The data, metric or options have changed: select “Run” to test again")
        return "" if result is None else test_sentence(result.comparison, outdated=service.is_data_outdated)

    def _caution(self) -> str:
        """Return the caution about the test; empty in a narrow panel, where cautions appear only in tooltips."""
        result = self._service.result
        return "" if self._small or result is None else get_test(result.comparison.options.test).caution

    def _progress_label(self) -> str:
        if not self._service.progress_text:
            return tr("starting")
        return tr("scoring") if self._service.progress <= SCORED_FRACTION else self._service.progress_text

    def _tooltip_text(self) -> str:
        service = self._service
        if service.result is None:
            return self._state_text()
        comparison = service.result.comparison
        state, outdated = self._state_text(), service.is_data_outdated
        if state == test_sentence(comparison, outdated=outdated):
            # the last sentence names the test
            state = correction_and_units_text(comparison, outdated=outdated)
        parts = [
            state + ".", trials_text(comparison), resamples_text(comparison), method_sentence(comparison.options),
        ]  # fmt: skip
        if service.workspace.level.group == PEOPLE_GROUP:
            parts.append(RATE_DIFFERENCE)
        return join_localized(" ", [part for part in parts if part])

    def _warnings(self) -> tuple[str, str]:
        """Return short and full forms of the warnings, which are empty if there are none.

        If the comparison failed, there is no short form, and the full form is the hint of the error.
        """
        service = self._service
        if service.state == "failed":
            return "", "" if service.error is None else service.error.hint
        if service.result is None:
            return "", ""
        comparison = service.result.comparison
        if self._warned[0] is not comparison:
            self._warned = comparison, self._short_warnings(comparison), self._full_warnings(comparison)
        return self._warned[1:]

    def _full_warnings(self, comparison: Comparison) -> str:
        notes = (reach_note(comparison), split_documents_warning(comparison), self._caution())
        return join_localized(" ", [note for note in notes if note])

    def _short_warnings(self, comparison: Comparison) -> str:
        """Return the warnings in short form (in a narrow panel, only the first); the tooltip has the full warnings."""
        caution, documents = too_few_text(comparison), documents_caution(comparison)
        if self._small:
            return caution or documents
        notes = (reach_note(comparison), documents, get_test(comparison.options.test).short_caution)
        return join_localized(" ", [note for note in notes if note])

    def _run_or_cancel(self) -> None:
        if self._service.state == "working":
            self._service.cancel()
        else:
            self._service.run()


def documents_caution(comparison: Comparison) -> str:
    """Return a short note if segments of the same document were permuted or resampled separately; empty otherwise."""
    return tr("Segments may be correlated.") if comparison.split_documents else ""
