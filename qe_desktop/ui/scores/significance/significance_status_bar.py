"""The line over the matrix: which comparison this is, how far it is, and what can be done about it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.comparisons import reach_note
from qe_desktop.significance import Comparison, get_test, unattainable_level
from qe_desktop.ui.scores.score_descriptions import (
    method_sentence,
    split_documents_warning,
    too_few_text,
    trials_sentence,
)
from qe_desktop.ui.scores.significance.significance_matrix_model import SignificanceMatrixModel
from qe_desktop.ui.scores.significance.significance_service import COUNTED_FRACTION, SignificanceService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.progress_bar import ProgressBar

MAX_LINES = 3
"""Lines that are said of a comparison at the most."""
_BUTTONS = {"working": tr("Cancel"), "waiting": tr("Run"), "failed": tr("Try again")}
"""What can be done about it, by the state that it is in."""


class SignificanceStatusBar(QWidget):
    """Title, state, progress, and one button: cancel, compare, or try again; and where rounds are too few, another."""

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
        self._state = Label(token="muted", wraps=True)
        self.warning = Label(token="warning", wraps=True)
        self._bar = ProgressBar(tr("Progress of the significance test"), letters=16)
        self._button = QPushButton()
        self._button.clicked.connect(self._act)
        self.more = QPushButton()
        self.more.clicked.connect(self._take_more)
        self._wanted: int | None = None
        self.documents = QPushButton(tr("Use documents"))
        self.documents.clicked.connect(self._take_documents)
        self._lay_out()
        comparison.changed.connect(self.refresh)
        matrix.modelReset.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        self._state.setMinimumWidth(1)
        vbox(
            hbox(self._title, StretchSpace(), self._bar, self._button, gap=8),
            hbox(Stretched(self._state, 1)),
            hbox(Stretched(self.warning, 1), self.more, self.documents, gap=8),
            on=self,
            gap=2,
        )

    def refresh(self) -> None:
        """Say how things are now."""
        service = self._service
        self._title.setText(tr("Significance, {metric}", metric=self._matrix.metric or service.metric))
        self._show_state()
        self._state.setToolTip(plain_tooltip(self._told()))
        working = service.state == "working"
        self._bar.setVisible(working)
        if working:
            self._bar.show_fraction(service.progress)
        text = _BUTTONS.get(service.state, "")
        self._button.setVisible(bool(text))
        self._button.setText(text)
        warning = self._warned()
        # in a narrow place the reasons stand in the tip
        shortened = self._small and service.state != "failed"
        short = _first_caution(service.result.comparison) if shortened and service.result is not None else ""
        self.warning.setText(short or warning)
        self.warning.setToolTip(plain_tooltip(warning) if short else "")
        self.warning.setVisible(bool(warning))
        self._offer()

    def _show_state(self) -> None:
        """With what to beware of, where that leaves the matrix its room; it is in the tip as well."""
        said, caution = self._said(), self._caution()
        whole = join_localized(" · ", [one for one in (said, caution) if one])
        metrics, wraps = self._state.fontMetrics(), int(Qt.TextFlag.TextWordWrap)
        height = metrics.boundingRect(QRect(0, 0, max(1, self.width()), 1 << 20), wraps, whole).height()
        self._state.setText(whole if height <= MAX_LINES * metrics.lineSpacing() else said)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._show_state()

    def _offer(self) -> None:
        """Offer as many rounds as suffice, where there are too few."""
        service, missed = self._service, None
        if service.result is not None and service.state == "ready":
            missed = unattainable_level(service.result.comparison)
        wanted = None if missed is None else missed.rounds
        # hundreds of systems would need more than anybody waits for
        self._wanted = wanted if wanted is not None and Settings.rounds.allowed(wanted) else None
        self.more.setVisible(self._wanted is not None)
        if self._wanted is not None:
            self.more.setText(tr("Use {n:,} {n:trial|trials}", "", self._wanted))
        split = service.result is not None and service.state == "ready" and service.result.comparison.documents > 0
        self.documents.setVisible(split)

    def _take_more(self) -> None:
        if self._wanted is not None:
            self._service.set_options(replace(self._service.options, rounds=self._wanted))

    def _take_documents(self) -> None:
        self._service.set_options(replace(self._service.options, unit="document"))

    def _said(self) -> str:
        service, result = self._service, self._service.result
        if service.state == "failed" and service.error is not None:
            return tr("Not compared: {reason}", reason=service.error.message)
        if service.state == "working":
            doing = self._doing()
            return doing if result is None else " · ".join((doing, tr("previous result shown")))
        if service.state == "waiting" and result is None:
            return tr("Large corpus: start the significance test when you need it")
        if service.state == "waiting":
            return tr("Edited since the last run. Large corpus: run the significance test again when you need it")
        return "" if result is None else trials_sentence(result.comparison, stale=service.stale)

    def _caution(self) -> str:
        """What to beware of in reading the matrix; in a narrow place it is in the tip."""
        result = self._service.result
        return "" if self._small or result is None else get_test(result.comparison.options.test).caution

    def _doing(self) -> str:
        if not self._service.progress_text:
            return tr("starting")
        return tr("scoring") if self._service.progress <= COUNTED_FRACTION else self._service.progress_text

    def _told(self) -> str:
        service = self._service
        if service.result is None:
            return self._said()
        return f"{self._said()}. {method_sentence(service.result.comparison.options)}"

    def _warned(self) -> str:
        """What a reader must know about the options; the hint of a failure."""
        service = self._service
        if service.state == "failed" and service.error is not None:
            return service.error.hint
        if service.result is None:
            return ""
        comparison = service.result.comparison
        return join_localized(
            " ", [one for one in (reach_note(comparison), split_documents_warning(comparison)) if one]
        )

    def _act(self) -> None:
        if self._service.state == "working":
            self._service.cancel()
        else:
            self._service.run()


def _first_caution(comparison: Comparison) -> str:
    """The first thing to beware of, for a narrow place."""
    return too_few_text(comparison) or (tr("Segments of documents are permuted.") if comparison.documents else "")
