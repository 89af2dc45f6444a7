"""Meta-evaluation page: table of the agreement of metrics with human scores, and views with details."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.meta_evaluation import MetaEvaluationReport
from qe_desktop.report.meta_evaluation_notes import power_note
from qe_desktop.studies.meta_eval.agreement_statistics import FEW_SYSTEMS_MARK, unattainable_metric_level
from qe_desktop.studies.meta_eval.meta_eval_inputs import has_metrics
from qe_desktop.studies.meta_eval.meta_evaluation import MIN_SYSTEMS
from qe_desktop.studies.meta_eval.score_join import MetaEvalNames, NamesDifferError
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_service import (
    BlindedRatingsError,
    MetaEvaluationService,
    NoRatingsError,
)
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_table import (
    MetaEvaluationResult,
    describe_study,
    metrics_table,
)
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_tabs import MetaEvaluationTabs
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_toolbar import MetaEvaluationToolbar
from qe_desktop.ui.scores.meta_evaluation.metric_sentences import answer_sentence
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.result_page import PageTexts, SplitResultPage
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.layouts import Stretched, hbox, make_splitter, vbox, wrap_layout
from qe_desktop.ui.widgets.placeholder_page import EmptyState, StateAction
from qe_desktop.ui.widgets.tables.table_model import TableData

RUN, RUN_AGAIN = StateAction("run", tr("Run")), StateAction("again-people", tr("Try again"))
MATCH = StateAction("match", tr("Match system names…"))
SYSTEMS_ALONE = StateAction("systems-only", tr("Use system level only"))


def mismatched_names(service: MetaEvaluationService) -> MetaEvalNames | None:
    """Return the system names if some of them may have to be matched, else None.

    This is the case if too few systems have both human and metric scores, or if there are unmatched names on both
    sides.
    """
    if isinstance(service.error, NamesDifferError) and service.state == "failed":
        return service.error.names
    if service.result is not None and service.result.data.names.has_unmatched_names:
        return service.result.data.names
    return None


def meta_evaluation_empty_state(service: MetaEvaluationService) -> EmptyState:
    """Return the empty state of the page for missing data, for a failure, or for a study that is waiting or running."""
    corpus = service.workspace.corpus
    if corpus is None:
        return EmptyState(
            tr("Which metric agrees with human scores?"),
            tr(
                "Open human ratings of {n} or more systems, and either their metric scores, or their translations and "
                "a reference.",
                "", MIN_SYSTEMS,
            ),
            empty_states.NOTHING_OPEN_ACTIONS,
        )  # fmt: skip
    if not has_metrics(corpus) and not service.has_ratings:
        explanation = tr(
            "Add human ratings of the systems, and either a file of metric scores, or translations and a reference."
        )
        return EmptyState(tr("No metric scores and no human ratings"), explanation, (empty_states.FILES,))
    if not has_metrics(corpus):
        explanation = tr("Add system translations and a reference, or a file of metric scores.")
        return EmptyState(tr("No metric scores to evaluate"), explanation, (empty_states.FILES,))
    if service.state == "empty":
        return _no_ratings_state()
    if service.state == "failed" and service.error is not None:
        return _failed_state(service.error)
    if service.state == "waiting":
        explanation = empty_states.waiting_text(empty_states.LARGE_DATA, is_cancelled=service.was_cancelled)
        return EmptyState(tr("Meta-evaluation has not been run"), explanation, (RUN,))
    return EmptyState(tr("Computing metric–human agreement…"), "")


def _no_ratings_state() -> EmptyState:
    explanation = tr(
        "Add a file of human ratings of the systems, or rate translations in the Rate area. Metrics are then compared "
        "with the human scores."
    )
    return EmptyState(tr("No ratings"), explanation, (empty_states.FILES,))


def _failed_state(error: QeError) -> EmptyState:
    if isinstance(error, NamesDifferError):
        return _too_few_state(error.names)
    if isinstance(error, NoRatingsError):
        return _no_ratings_state()
    if isinstance(error, BlindedRatingsError):
        return EmptyState(error.message, error.hint, (RUN_AGAIN,))
    return EmptyState(tr("The meta-evaluation failed"), error.line(), (RUN_AGAIN,), "error")


def _too_few_state(names: MetaEvalNames) -> EmptyState:
    title = tr("{n} {n:system|systems} with both human and metric scores", "", len(names.common))
    needed = tr("A correlation needs at least {n} systems.", "", MIN_SYSTEMS)
    human_only, metrics = (
        _missing_names_text(names.human, names.common),
        _missing_names_text(names.metrics, names.common),
    )
    if not (human_only and metrics):
        return EmptyState(title, join_localized(" ", (needed, tr("Add more systems, or ratings of more systems."))),
                         (empty_states.FILES,))  # fmt: skip
    text = tr("Human scores only: {people}; metric scores only: {metrics}.", people=human_only, metrics=metrics)
    advice = tr("If these are the same systems, match their names.")
    return EmptyState(title, join_localized(" ", (needed, text, advice)), (MATCH, empty_states.FILES))


def _missing_names_text(names: Sequence[str], common: Sequence[str]) -> str:
    missing = [name for name in names if name not in common]
    return list_names(missing) if missing else ""


CHART_SIZES = (840, 312)
"""Initial widths, in pixels: the table with the tabs below it, and the chart."""
MIN_CHART_CHARS = 140
"""Width of the page, in characters, below which the chart is in a tab instead of next to the table."""
HINT = tr("Select a value for details; press Enter to plot the metric against human scores.")


class MetaEvaluationPage(SplitResultPage):
    """Meta-evaluation page; `match_requested` requests the dialog for matching system names."""

    splitter_key, max_table_fraction = "people-rows", 0.55
    match_requested = Signal()
    """Emitted when the user wants to match the system names of human and metric scores."""

    def __init__(
        self, service: MetaEvaluationService, views: MetaEvaluationTabs, parent: QWidget | None = None
    ) -> None:
        progress = tr("Meta-evaluation progress")
        named = PageTexts(tr("Metrics against human scores"), tr("Show the &chart"), progress, HINT)
        super().__init__(service.workspace, named, parent)
        self.service: MetaEvaluationService = service
        self.views = views
        self._following = False
        self.bar = MetaEvaluationToolbar(service, self)
        self.systems_only_button, self.match_button = QPushButton(SYSTEMS_ALONE.text), QPushButton(MATCH.text)
        self.more_trials_button = QPushButton()
        self.more_trials_button.clicked.connect(self._use_more_trials)
        warning = hbox(
            Stretched(self.error, 1), self.more_trials_button, self.systems_only_button, self.match_button, gap=8
        )
        left = wrap_layout(vbox(self.head(), Stretched(self._create_splitter(views), 1), gap=4))
        self.sides = make_splitter(Qt.Orientation.Horizontal, left, views.chart_pane, shares=(1, 1))
        self.sides.setSizes(CHART_SIZES)
        self.lay_out_with_options(self.bar, wrap_layout(vbox(warning, Stretched(self.sides, 1), gap=8)))
        self._connect(
            self._progress_panel,
            self.run_again_button,
            self._copy,
            self.more_trials_button,
            self.systems_only_button,
            self.match_button,
            self.view,
            views,
            views.chart_pane,
        )
        views.described.connect(self._show_description)
        service.changed.connect(self.refresh)
        service.progressed.connect(self._update_progress)
        self.view.sort_requested.connect(service.set_statistic)
        self.view.selectionModel().currentRowChanged.connect(self._on_row)
        self.view.clicked.connect(lambda index: self.show_picture(index, focus=False))
        self.view.cell_activated.connect(self.show_picture)
        self.systems_only_button.clicked.connect(service.toggle_systems_only)
        self.match_button.clicked.connect(self.match_requested)
        self.refresh()

    def _size(self) -> None:
        """Show the chart next to the table or, if the page is narrow, in a tab; then fit the table to its rows."""
        is_narrow = self.width() < self.fontMetrics().horizontalAdvance("0") * MIN_CHART_CHARS
        if is_narrow and not self.views.has_chart:
            self.views.add_chart()
        elif not is_narrow and self.views.has_chart:
            self.sides.addWidget(self.views.release_chart())
            self.views.chart_pane.show()
            self.sides.setSizes(CHART_SIZES)
        super()._size()

    # --- content

    def empty_state(self) -> EmptyState:
        """Return the empty state of the page."""
        return meta_evaluation_empty_state(self.service)

    def warning(self) -> str:
        """Return the warning shown above the table; empty if there is none."""
        return next(iter(self._warnings()), "") or self._too_few_trials()

    def _warnings(self) -> list[str]:
        result = self.service.result
        return [] if result is None else self._report(result).warnings()

    def _report(self, result: MetaEvaluationResult) -> MetaEvaluationReport:
        """Return the report; numbers in its warnings have the format of the table."""
        options = self.service.options
        report = result.report(options.correction, options.alpha)
        return replace(report, number=lambda value: format_score(value, self._settings.decimals))

    def _too_few_trials(self) -> str:
        """Return a note if no difference between metrics can be significant because there are too few trials or units.

        Otherwise, return an empty string.
        """
        service, result = self.service, self.service.result
        if result is None:
            return ""
        judged = service.options.correction, service.options.alpha
        missed = unattainable_metric_level(result.study, service.statistic, *judged)
        return power_note(result.study, service.statistic, *judged) if missed is not None and missed.is_alpha else ""

    def _sufficient_trials(self) -> int | None:
        """Return a sufficient number of trials; None if there are enough trials or no allowed number is sufficient."""
        service, result = self.service, self.service.result
        if result is None or service.state != "ready" or not self._too_few_trials():
            return None
        options = service.options
        missed = unattainable_metric_level(result.study, service.statistic, options.correction, options.alpha)
        rounds = None if missed is None else missed.rounds
        # with hundreds of metrics, the required number may exceed the limit
        return rounds if rounds is not None and Settings.study_rounds.allowed(rounds) else None

    def _remarks(self, result: MetaEvaluationResult) -> str:
        """Return the notes and the signature of the report, and a note on the trials of the shown tests."""
        report, options, study = self._report(result), self.service.options, result.study
        # the table shows a caution above its columns instead of the mark for few systems
        notes = [note.removeprefix(f"{FEW_SYSTEMS_MARK} ") for note in report.notes()]
        power = power_note(study, self.service.statistic, options.correction, options.alpha)
        return "\n".join(dict.fromkeys([*notes, *([power] if power else []), report.signature]))

    def _draw(self) -> None:
        """Rebuild the table if its content changed; while the page is hidden, the update is deferred."""
        service, result, decimals = self.service, self.service.result, self._settings.decimals
        study = None if result is None else result.study
        is_outdated = service.is_outdated
        judged = (service.options.correction, service.options.alpha)
        now = (study, service.statistic, service.metric, decimals, is_outdated, judged)
        if now == self._painted_key:
            return
        self.drawn.emit()
        if result is not None and not self.isVisible():
            return
        is_changed = not self._painted_key or study is not self._painted_key[0]
        self._painted_key = now
        if result is None or study is None:
            self.view.show_data(TableData())
            return
        answer = "" if is_outdated else answer_sentence(study, service.statistic, *judged, decimals)
        self.sentence.set_hint(answer or HINT)
        self.view.show_data(
            metrics_table(study, service.statistic, service.metric, decimals, judged, is_outdated=is_outdated)
        )
        self._follow_metric()
        self.views.show_remarks(self._remarks(result))
        if is_changed:
            self._title.setText(describe_study(result))
            self._size()

    def _follow_metric(self) -> None:
        """Make the row of the current metric the current row after the rows were reordered."""
        index = self.view.currentIndex()
        rows = [row[0].text for row in self.view.cells.rows]
        row = rows.index(self.service.metric)
        if index.isValid() and index.row() != row:
            self._following = True
            self.view.setCurrentIndex(self.view.cells.index(row, index.column()))
            self._following = False

    def _update_progress(self) -> None:
        super()._update_progress()
        rounds = self._sufficient_trials()
        self.more_trials_button.setVisible(rounds is not None and not self._warnings() and not self._failure())
        if rounds is not None:
            self.more_trials_button.setText(tr("Use {n:,} {n:trial|trials}", "", rounds))
        self.systems_only_button.setVisible(bool(self._warnings()) and not self._failure())
        self.match_button.setVisible(self.service.result is not None and mismatched_names(self.service) is not None)

    # --- actions

    def show_picture(self, index: QModelIndex, *, focus: bool = True) -> None:
        """Plot the metric of a table row against human scores; the chart gets the focus unless `focus` is false."""
        if index.isValid():
            self.service.set_metric(self.view.cells.rows[index.row()][0].text)
            self.views.show_view("picture", focus=focus)

    def _use_more_trials(self) -> None:
        rounds = self._sufficient_trials()
        if rounds is not None:
            self.service.set_study_options(replace(self.service.study_options, rounds=rounds))

    def _on_row(self, current: QModelIndex) -> None:
        if current.isValid() and not self._following:
            self.service.set_metric(self.view.cells.rows[current.row()][0].text)

    def button_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the placeholder's buttons."""
        return {RUN.id: self.service.run, RUN_AGAIN.id: self.service.run, MATCH.id: self.match_requested.emit}

    def _on_setting(self, key: str) -> None:
        super()._on_setting(key)
        if key == "view/decimals":
            for view in (self.views.systems, self.views.significance_page, self.views.correlation):
                view.refresh()
            for pane in (self.views.chart_pane, *self.views.curves.values()):
                pane.refresh()
