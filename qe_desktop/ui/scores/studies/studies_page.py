"""Studies page: study selection, options, main table of the study with descriptions, and tabs below the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import Panels
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.plots.plot_pane import NOTHING_TO_DRAW, ComputedPlotPane
from qe_desktop.ui.scores.result_page import DescribedTable, PageTexts, ResultPage, ResultTabs, SplitResultPage
from qe_desktop.ui.scores.studies.commands import PICTURE, SECOND_TABLE, THIRD_TABLE, VIEWS
from qe_desktop.ui.scores.studies.studies_toolbar import StudiesToolbar
from qe_desktop.ui.scores.studies.study import StudyTarget, TitledTable, activation_text
from qe_desktop.ui.scores.studies.study_service import StudyService
from qe_desktop.ui.widgets.layouts import Stretched, vbox, wrap_layout
from qe_desktop.ui.widgets.placeholder_page import EmptyState, StateAction
from qe_desktop.ui.widgets.tables.table_model import TableData
from qe_desktop.ui.workspace import Workspace


class StudyPlotPane(ComputedPlotPane):
    """Pane with the charts of a study for the current table cell."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, tr("Chart of the study"), "study-picture", parent)
        self._service: StudyService | None = None

    def show_study(self, service: StudyService) -> None:
        """Set the service whose study is shown; redraw the chart if it is visible and its inputs changed."""
        self._service = service
        self.refresh()

    def _subject(self) -> tuple[object, ...] | None:
        service = self._service
        if service is None or service.result is None:
            return None
        return service.result.report, service.target, self._workspace.settings.decimals

    def _begin(self) -> None:
        service, number = self._service, self._number()
        assert service is not None
        study, result, target = service.study, service.result, service.target
        assert result is not None

        def work(progress: Progress) -> Panels:
            return study.panels(result, target, number)

        self._submit(work, lambda panels: self.show_content(panels or NOTHING_TO_DRAW))


class StudyTablePage(DescribedTable):
    """Tab with one of the tables that follow the first table of a study."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace.settings, tr("Table of the study"), activation_text(None), parent)
        self.view.activation_text = activation_text
        self._make: Callable[[], TableData[StudyTarget]] | None = None

    def show_table(self, make: Callable[[], TableData[StudyTarget]]) -> None:
        """Show the table that `make` builds; while the tab is hidden, the table is not built."""
        self._make = make
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        make, self._make = self._make, None
        if make is not None:
            self.show_data(make())

    def showEvent(self, event: QShowEvent) -> None:
        """Build the table if that was deferred."""
        super().showEvent(event)
        self._fill()


class StudyTabs(ResultTabs):
    """Tab widget with a tab for each of `VIEWS`; the tabs of unused tables are hidden."""

    target_activated = Signal(object)
    target_selected = Signal(object)
    """`StudyTarget` of the current cell of a table."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = StudyPlotPane(workspace, self)
        self.tables = [StudyTablePage(workspace, self) for _ in (SECOND_TABLE, THIRD_TABLE)]
        self.add_views({PICTURE: self.picture, SECOND_TABLE: self.tables[0], THIRD_TABLE: self.tables[1]}, VIEWS)
        self.forward_descriptions(self.picture.described, *(table.described for table in self.tables))
        for table in self.tables:
            table.target_activated.connect(self.target_activated)
            table.target_selected.connect(self.target_selected)
        self.picture.plot_widget.drawn.connect(self.drawn)

    def show_tables(self, tables: list[TitledTable]) -> None:
        """Show the tables that follow the first table of a study, and hide unused tabs."""
        for index, page in enumerate(self.tables):
            tab = self.indexOf(page)
            is_used = index < len(tables)
            self.setTabVisible(tab, is_used)
            page.show_table(tables[index].make if is_used else TableData)
            if is_used:
                self.setTabText(tab, tables[index].title)
                page.view.setAccessibleName(tables[index].title)


RUN, RUN_AGAIN = StateAction("run", tr("Run")), StateAction("again-study", tr("Try again"))
CHANGE_ERRORS = StateAction("error-rates", tr("Change the error rates…"))
SHOW_WORDS = StateAction("words", tr("Switch to words"))


def study_empty_state(service: StudyService) -> EmptyState:
    """Return the empty state of a study page: missing data, failure, the explanation before a run, or progress."""
    workspace, scores = service.workspace, service.comparison.scores
    if workspace.view is None:
        return EmptyState(
            tr("How do metrics behave?"),
            tr(
                "Open gold tags and system tags. The studies apply metrics to trivial baselines, to sampled data sets, "
                "and to tags from every threshold on P(BAD)."
            ),
            empty_states.NOTHING_OPEN_ACTIONS,
        )
    if workspace.level.tags is None:
        return _tags_empty_state(service)
    missing = empty_states.scores_empty_state(scores) or service.unavailable_state()
    if missing is not None:
        buttons = tuple(missing.buttons) or (empty_states.FILES,)
        words = not missing.buttons and workspace.kind.value != "words" and _has_words(service)
        return EmptyState(missing.title, missing.text, (SHOW_WORDS,) if words else buttons, missing.icon)
    if service.state == "failed" and service.error is not None:
        # if options are wrong, the study fails again until they are changed
        buttons = (CHANGE_ERRORS, RUN_AGAIN) if "errors" in service.study.choices else (RUN_AGAIN,)
        return EmptyState(tr("The study failed"), service.error.line(), buttons, "error")
    if service.state == "waiting" and scores.state == "ready":
        first = tr("Select “Run” to start the study. You can continue working while it runs.")
        explanation = empty_states.waiting_text(first, is_cancelled=service.was_cancelled)
        return EmptyState(service.study.title, f"{service.study.about}\n\n{explanation}", (RUN,))
    return EmptyState(tr("Running the study…"), "")


def _tags_empty_state(service: StudyService) -> EmptyState:
    """Return the empty state for levels without tags."""
    explanation = tr("The open data or the selected level has no tags of words, gaps or source words.")
    title = tr("“Trivial baselines” and “Repeated sampling” need tags")
    return EmptyState(title, explanation, (SHOW_WORDS,) if _has_words(service) else (empty_states.FILES,))


def _has_words(service: StudyService) -> bool:
    return bool(service.workspace.kinds())


class StudyResultPage(ResultPage):
    """Base class of pages that show the study of a service in a table."""

    service: StudyService

    def empty_state(self) -> EmptyState:
        """Return the empty state of the page."""
        return study_empty_state(self.service)

    def warning(self) -> str:
        """Return the warning shown above the values; empty if there is none."""
        result = self.service.result
        return "" if result is None else self.service.study.warning(result)

    def _can_run_again(self) -> bool:
        service = self.service
        return (
            service.result is not None
            and service.state != "working"
            and (service.state == "failed" or service.is_outdated)
        )

    def _select_target(self, index: QModelIndex) -> None:
        target = self.view.target(index)
        if target is not None:
            self.service.select_target(target)

    def button_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the placeholder's buttons."""
        return {RUN.id: self.service.run, RUN_AGAIN.id: self.service.run, SHOW_WORDS.id: self._show_words}

    def _show_words(self) -> None:
        self.workspace.set_kind(self.workspace.kinds()[0])


class StudiesPage(StudyResultPage, SplitResultPage):
    """Page that shows one study at a time; `labelling_requested` requests the addition or removal of a baseline."""

    splitter_key, max_table_fraction = "studies-rows", 0.55
    needs_result = False
    labelling_requested = Signal(str)
    """Emitted with the name of the baseline to add or remove; an empty name requests the addition of all baselines."""

    def __init__(self, services: Mapping[str, StudyService], views: StudyTabs, parent: QWidget | None = None) -> None:
        self.services = services
        self.service: StudyService = next(iter(services.values()))
        named = PageTexts(
            tr("Metrics without human scores"),
            activation_text(None),
            tr("Progress of the study"),
            self.service.study.hint,
        )
        super().__init__(self.service.workspace, named, parent)
        self.view.activation_text = activation_text
        self.views = views
        self.bar = StudiesToolbar(services, self.service, self)
        self.baseline_button = QPushButton()
        self.baseline_button.hide()
        splitter_item = Stretched(self._create_splitter(views), 1)
        self.lay_out_with_options(
            self.bar, wrap_layout(vbox(self.head(after=(self.baseline_button,)), self.error, splitter_item, gap=8))
        )
        self._connect(
            *self.bar.tab_stops,
            self._progress_panel,
            self.run_again_button,
            self.baseline_button,
            self._copy,
            self.view,
            views,
        )
        for service in services.values():
            service.changed.connect(self.refresh)
            service.progressed.connect(self._update_progress)
        self.bar.study_chosen.connect(self.show_study)
        self.view.selectionModel().currentChanged.connect(lambda index, _: self._select_target(index))
        self.view.cell_activated.connect(lambda index: self.activate_target(self.view.target(index)))
        views.described.connect(self._show_description)
        views.target_activated.connect(self.activate_target)
        views.target_selected.connect(lambda target: self.service.select_target(target))
        self.baseline_button.clicked.connect(lambda: self.labelling_requested.emit(self.service.target.labelling))
        self.refresh()

    def button_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the placeholder's buttons."""
        return {**super().button_handlers(), CHANGE_ERRORS.id: lambda: self.bar.focus_control(self.bar.errors)}

    # --- study

    def show_study(self, name: str) -> None:
        """Show the study `name`; if another study is running, it continues."""
        if self.service is not self.services[name]:
            self.service.set_page_visible(False)
            self.service = self.services[name]
            self.bar.show_service(self.service)
            self.refresh()
            self._watch()

    # --- content

    def refresh(self) -> None:
        """Update the page."""
        super().refresh()
        self.views.picture.show_study(self.service)

    def _draw(self) -> None:
        """Rebuild the tables if their content changed; while the page is hidden, the update is deferred."""
        service, result, decimals = self.service, self.service.result, self._settings.decimals
        now = (None if result is None else result.report, service.is_outdated, decimals)
        if now == self._painted_key or (result is not None and not self.isVisible()):
            if result is None:
                self.drawn.emit()
            return
        self.sentence.set_hint(join_localized(" ", (service.study.about, service.study.hint)))
        is_changed = not self._painted_key or now[0] is not self._painted_key[0]
        self._painted_key = now
        if result is None:
            self.view.show_data(TableData())
            self.drawn.emit()
            return
        first, *tables = service.study.tables(result, decimals, service.is_outdated)
        self.view.show_data(first.make())
        self.view.setAccessibleName(first.title)
        self.views.show_tables(tables)
        self._title.setText(self._describe_study())
        if is_changed:
            signature = getattr(result.report, "signature", "")
            self.views.show_remarks("\n".join([*result.report.notes(), signature]))
            self._size()
        self.drawn.emit()

    def _describe_study(self) -> str:
        service = self.service
        if service.result is None:
            return ""
        scoring = service.result.request.scoring
        parts = [service.study.title, scoring.level.report_summary(scoring)]
        if service.is_data_outdated:
            parts.append(tr("outdated"))
        elif service.is_outdated:
            parts.append(tr("options have changed"))
        return join_localized(" · ", parts)

    # --- actions

    def activate_target(self, target: StudyTarget | None) -> None:
        """Select a target.

        If the target refers to a baseline, request that the baseline be added or removed; otherwise, show the chart.
        """
        if target is None:
            return
        self.service.select_target(target)
        if target.labelling:
            self.labelling_requested.emit(target.labelling)
        else:
            self.views.show_view(PICTURE)
