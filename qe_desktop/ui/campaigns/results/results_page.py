"""Campaign results: systems, pairs, agreement, raters and comments, computed in the background."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QStackedWidget, QWidget

from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.protocols import skip_reason_text
from qe_desktop.report.format_values import format_moment
from qe_desktop.significance import CORRECTION_LABELS
from qe_desktop.ui import icons
from qe_desktop.ui.campaigns import campaign_page
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.campaigns.results.rater_panes import AgreementPane, RaterPane
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService, ComputedResults
from qe_desktop.ui.campaigns.results.system_panes import PairPane, SystemsPane
from qe_desktop.ui.widgets.form_controls import make_combo_from_mapping
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.placeholder_page import ContentOrPlaceholder
from qe_desktop.ui.widgets.progress_bar import ProgressPanel
from qe_desktop.ui.widgets.tables.description_line import DescriptionLine
from qe_desktop.ui.widgets.tables.table_model import TableCell, number_column, text_column
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable
from qe_desktop.ui.widgets.tabs import TabWidget
from qe_desktop.ui.workspace import Workspace

COLUMNS = (
    text_column(tr("Rater"), "", lambda comment: comment.rater, "rater"),
    number_column(tr("Segment"), "", lambda comment: comment.segment, "segment"),
    text_column(tr("System"), "", lambda comment: ", ".join(comment.systems), "system"),
    text_column(
        tr("Kind"),
        "",
        lambda comment: TableCell(tr("skipped", "an item"), token="warning") if comment.skipped else tr("comment"),
        "kind",
    ),
    text_column(
        tr("Text"),
        "",
        lambda comment: (
            (skip_reason_text(comment.text) if comment.skipped else comment.text)
            or TableCell(tr("no reason given"), token="muted")
        ),
        "text",
        is_wide=True,
    ),
    text_column(
        tr("When"), "", lambda comment: "" if math.isnan(comment.started) else format_moment(comment.started), "when"
    ),
)


HINT = tr("Select a cell to read its full text.")


class CommentPane(QWidget):
    """Pane with the notes on the results, and the comments of raters below the notes."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes = Label(wraps=True, selectable=True)
        self._none = Label(tr("No comments and no skipped items."), token="muted")
        self.table = AutoWidthTable(workspace.settings, tr("Comments"), COLUMNS)
        self.sentence = DescriptionLine(HINT, self)
        self.table.described.connect(self.sentence.show_sentence)
        parts = (self.notes, self._none, Stretched(self.table, 1), self.sentence, StretchSpace(0))
        vbox(*parts, on=self, gap=16, margins=(0, 8, 0, 0))
        self.setFocusProxy(self.table)

    def show_computed(self, computed: ComputedResults | None) -> None:
        """Show the notes and comments in `computed`; None clears the pane."""
        comments = () if computed is None else computed.ratings.comments
        notes = [] if computed is None else [f"• {sentence_case(note)}" for note in computed.results.notes]
        self.notes.setText("\n".join(notes))
        self.notes.setVisible(bool(notes))
        self._none.setVisible(not comments)
        for widget in (self.table, self.sentence):
            widget.setVisible(bool(comments))
        self.table.show_items(comments)


CORRECTIONS = {
    "none": tr("none (as at WMT)"),
    "holm": CORRECTION_LABELS["holm"],
    "bonferroni": CORRECTION_LABELS["bonferroni"],
}
TABS = (tr("Systems"), tr("Pairs"), tr("Agreement"), tr("Raters"), tr("Comments and notes"))
Pane = SystemsPane | PairPane | AgreementPane | RaterPane | CommentPane


class ResultsView(QWidget):
    """View of the state and results of a `CampaignResultsService`.

    Buttons for actions of other pages emit `requested`.
    """

    requested = Signal(str)
    """Emitted with the name of the pressed button: `campaign_page.IMPORT` or `campaign_page.PROGRESS`."""

    def __init__(
        self, results: CampaignResultsService, campaigns: CampaignService | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._service, self._campaigns = results, campaigns
        workspace = results.workspace
        self._displayed: ComputedResults | None = None
        self._campaign_uid = ""
        """Uid of the selected campaign."""
        self.systems = SystemsPane(workspace)
        self.pairs = PairPane(workspace.settings)
        self.agreement = AgreementPane(workspace)
        self.raters = RaterPane(workspace)
        self.comments = CommentPane(workspace)
        self.working = ProgressPanel(tr("Computation progress"))
        self.facts = Label(token="muted", wraps=True)
        self.correction = make_combo_from_mapping(CORRECTIONS)
        self._panes: tuple[Pane, ...] = (self.systems, self.pairs, self.agreement, self.raters, self.comments)
        self._filled: list[QWidget] = []
        self._lay_out()
        self.tabs.currentChanged.connect(self._fill_visible_pane)
        results.changed.connect(self.refresh)
        results.progressed.connect(self._update_progress)
        if campaigns is not None:
            campaigns.changed.connect(self._on_campaign)
            self._on_campaign()
        self.correction.activated.connect(self._set_correction)
        self.working.stopped.connect(results.cancel)
        self.placeholder.requested.connect(self._on_requested)
        self.refresh()

    def _lay_out(self) -> None:
        label = QLabel(tr("Corr&ection"))
        label.setBuddy(self.correction)
        label.setToolTip(
            plain_tooltip(
                tr(
                    "Correction for multiple comparisons. Without it, some of many tested pairs can be significant by "
                    "chance."
                )
            )
        )
        copying = QPushButton(icons.icon("export"), tr("Copy"))
        copying.setFlat(True)
        menu = QMenu(copying)
        self.systems.add_copy_actions(menu)
        menu.addAction(tr("Copy p-values of all &pairs as TSV"), self.pairs.view.copy_tsv)
        # copy the current results even if their pane was not shown yet
        menu.aboutToShow.connect(lambda: self._fill(self.systems, self.pairs))
        copying.setMenu(menu)
        # progress is shown in place of the facts until the computation ends
        self._facts_or_progress = QStackedWidget()
        for widget in (self.facts, self.working):
            self._facts_or_progress.addWidget(widget)
        head = hbox(Stretched(self._facts_or_progress, 1), label, self.correction, copying, gap=8)
        self.tabs = TabWidget()
        for pane, name in zip(self._panes, TABS, strict=True):
            self.tabs.addTab(pane, name)
        full = wrap_layout(vbox(head, Stretched(self.tabs, 1), gap=4, margins=(16, 4, 16, 8)))
        full.setFocusProxy(self.tabs)
        self._container = ContentOrPlaceholder(full)
        self.placeholder = self._container.placeholder
        self.setFocusProxy(self._container)
        vbox(self._container, on=self)

    # --- content

    def refresh(self) -> None:
        """Show the results or a placeholder."""
        service = self._service
        self._container.show_state(campaign_page.results_empty_state(service, self._campaigns))
        self.correction.setCurrentIndex(self.correction.findData(service.options.correction))
        if service.state == "working":
            self._update_progress()
            self._facts_or_progress.setCurrentWidget(self.working)
        else:
            self._facts_or_progress.setCurrentWidget(self.facts)
        if service.result is not self._displayed:
            self._displayed = service.result
            self._filled = []
            self._fill_visible_pane()
        failed = service.state == "failed" and service.result is not None and service.error is not None
        if failed and service.error is not None:
            message, hint = service.error.message, service.error.hint
            self.facts.setText(tr("Results are outdated: {what}. {hint}", what=message, hint=hint))
        elif self._displayed is not None:
            self.facts.setText(" · ".join(filter(None, (self._displayed.summary, self._unrated_systems()))))

    def _update_progress(self) -> None:
        service = self._service
        doing = f"{sentence_case(service.progress_text)}…" if service.progress_text else tr("Computing…")
        self.working.show_progress(doing, service.progress)

    def _on_campaign(self) -> None:
        """Show the first tab if the campaign changed while this page was hidden; otherwise, keep the current tab."""
        view = None if self._campaigns is None else self._campaigns.view
        if view is not None and view.uid != self._campaign_uid:
            self._campaign_uid = view.uid
            if not self.isVisible():
                self.tabs.setCurrentIndex(0)

    def _unrated_systems(self) -> str:
        """Return a text that lists the unrated systems of the selected campaign; empty if all systems are rated."""
        view = None if self._campaigns is None else self._campaigns.view
        if view is None or view.design is None or self._displayed is None:
            return ""
        rated = {system.name for system in self._displayed.results.systems}
        names = {(view.names or {}).get(name, name) for name in view.design.setup.systems}
        unrated = sorted(names - rated)
        return tr("no ratings yet: {systems}", systems=list_names(unrated)) if unrated else ""

    def _fill_visible_pane(self) -> None:
        """Update the visible pane; the other panes are updated when they are shown."""
        self._fill(self._panes[self.tabs.currentIndex()])

    def _fill(self, *panes: Pane) -> None:
        for pane in panes:
            if pane not in self._filled:
                self._filled.append(pane)
                pane.show_computed(self._displayed)

    # --- requests

    def _set_correction(self) -> None:
        self._service.set_correction(self.correction.currentData())

    def _on_requested(self, action: str) -> None:
        if action == campaign_page.TRY_AGAIN:
            self._service.run()
        else:
            self.requested.emit(action)
