"""Controller that connects the meta-evaluation page to commands, exports and the segment list."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QMenu

from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import ChartGoal, PairGoal, SegmentGoal, SystemGoal
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.translation_level import system_key
from qe_desktop.report.render.output_formats import Report, get_output_format
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap, segment_rank_gap
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.meta_evaluation import commands as names
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_service import MetaEvaluationService
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_table import MetaEvaluationResult, MetricTarget
from qe_desktop.ui.scores.page_controller import ExportSpec, Handlers, PageContext, PageController
from qe_desktop.ui.scores.result_table import ResultTableView
from qe_desktop.ui.widgets.lazy_stack import BuildSteps
from qe_desktop.ui.widgets.placeholder_page import EmptyState
from qe_desktop.ui.widgets.report_export import OutdatedReport


class MetaEvaluationController(PageController):
    """Controller that builds the meta-evaluation page, and opens the segments that contribute to a value."""

    copies, saves = names.COPIES, names.SAVES

    def __init__(self, context: PageContext) -> None:
        super().__init__(names.PAGE, context, tr("Writing meta-evaluation"), "meta-evaluation")
        self.service: MetaEvaluationService = MetaEvaluationService(context.comparison)
        self.service.setParent(self)
        self.service.changed.connect(self.refresh)

    def parts(self) -> BuildSteps:
        """Build the tabs, then the page."""
        from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_page import MetaEvaluationPage
        from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_tabs import MetaEvaluationTabs

        yield 0
        views = MetaEvaluationTabs(self.service, self._pages)
        yield 0
        page = MetaEvaluationPage(self.service, views, self._pages)
        page.match_requested.connect(self.context.match_requested)
        views.currentChanged.connect(self.refresh)
        views.goal_requested.connect(self._open_goal)
        views.system_requested.connect(self._show_target)
        yield 0
        return page

    def unavailable_state(self) -> EmptyState | None:
        """Return the empty state that explains why the open data cannot be evaluated; None if they can be."""
        from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_page import meta_evaluation_empty_state

        return meta_evaluation_empty_state(self.service) if self.service.state == "empty" else None

    # --- commands

    def handlers(self) -> Handlers:
        """Return the handlers by command id."""
        service = self.service
        return {
            names.COPY_TABLE: self.copy_table,
            names.SYSTEMS_ONLY: service.toggle_systems_only,
            names.METRICS: self.on_page(lambda page: page.bar.metrics.open()),
            names.RATINGS: self.on_page(lambda page: page.bar.ratings.setFocus()),
            names.ROUNDS: self.on_page(lambda page: page.bar.focus_control(page.bar.rounds)),
            names.SEED: self.on_page(lambda page: page.bar.focus_control(page.bar.seed)),
            names.RUN_AGAIN: service.run_from_scratch,
            **{
                f"{names.FIGURE}{statistic.name}": partial(service.set_statistic, statistic.name)
                for statistic in AGREEMENT_STATISTICS
            },
            **{f"{names.VIEW}{name}": self.on_views(name) for name in names.VIEWS},
            **{
                f"{choice.prefix}{name}": partial(self._change_options, **{choice.field: name})
                for choice in names.CHOICES
                for name in choice.texts
            },
        }

    def _change_options(self, **changes: str) -> None:
        self.service.set_study_options(replace(self.service.study_options, **changes))  # type: ignore[arg-type]  # names of the commands

    def update_commands(self, commands: ActionRegistry) -> None:
        """Enable commands that apply to the current state, and mark the commands of the current options as checked."""
        service, page = self.service, self.built_page
        has_result, options = service.result is not None, service.study_options
        for name in (names.ROUNDS, names.SEED, names.METRICS, names.COPY_TABLE):
            commands[name].setEnabled(has_result)
        commands[names.RATINGS].setEnabled(service.result is not None and len(service.result.choices) > 1)
        has_data = service.state != "empty"
        commands[names.RUN_AGAIN].setEnabled(has_data)
        commands[names.SYSTEMS_ONLY].setEnabled(has_data)
        commands[names.SYSTEMS_ONLY].setChecked(options.systems_only)
        view = next(iter(names.VIEWS)) if page is None else page.views.current_view
        offered = (
            (names.FIGURE, [statistic.name for statistic in AGREEMENT_STATISTICS], service.statistic.name),
            (names.VIEW, names.VIEWS, view),
            *((choice.prefix, choice.texts, getattr(options, choice.field)) for choice in names.CHOICES),
        )
        for prefix, ends, chosen in offered:
            for end in ends:
                commands[f"{prefix}{end}"].setEnabled(has_data)
                commands[f"{prefix}{end}"].setChecked(end == chosen)

    # --- segments behind a value

    def _open_goal(self, goal: ChartGoal) -> None:
        result = self.service.result
        if result is None:
            return
        if isinstance(goal, SystemGoal):
            self.show_system(result, goal.index, self.service.metric)
        elif isinstance(goal, PairGoal):
            self._show_pair(result, goal)
        elif isinstance(goal, SegmentGoal):
            self.workspace.segment_requested.emit(goal.segment)

    def _show_target(self, target: MetricTarget) -> None:
        result = self.service.result
        if result is not None and target.system is not None:
            self.show_system(result, target.system, target.metric)

    def show_system(self, result: MetaEvaluationResult, system: int, metric: str) -> None:
        """Rank the segments of a system by a metric and by human scores, then request a list of them.

        Ranks are computed in the background. Segments with the largest difference between the two ranks come first.
        """
        data = result.data

        def work(progress: Progress) -> RankGap:
            return segment_rank_gap(data, system, metric)

        workspace = self.workspace
        workspace.jobs.submit(
            tr("Ranks"), work, workspace.ranks_requested.emit, workspace.failed.emit, latest="people-ranks", owner=self,
            computing=True,
        )  # fmt: skip

    def _show_pair(self, result: MetaEvaluationResult, pair: PairGoal) -> None:
        """Request the segments that contribute most to the difference between two systems.

        If the segments cannot be scored, post a message instead.
        """
        level = TRANSLATIONS.with_tokenization(result.options.tokenization).of_view(result.view)
        reference = level.reference(result.view, result.options.reference)
        metric = self.service.metric
        if reference is None or metric not in level.metrics:
            self.context.message_posted.emit(
                tr(
                    "To show the segments of a pair of systems, add translations and references, and select a text "
                    "metric."
                )
            )
            return
        systems = result.study.systems
        system_keys = system_key(systems[pair.first]), system_key(systems[pair.second])
        self.workspace.segments_requested.emit(*system_keys, metric, level, reference)

    # --- export

    def export_spec(self) -> ExportSpec | None:
        """Return the export of the study, with the curves computed so far; None without a result."""
        result, report = self.service.result, self.service.report()
        if result is None or report is None:
            return None
        of = result.view.corpus.name
        title = tr("Save meta-evaluation of {name}", name=isolate_bidi(of))
        return ExportSpec(report, of, title)

    def fill_export_menu(self, menu: QMenu, view: ResultTableView | None) -> None:
        """Add actions to `menu`: copy the selection or the table as LaTeX, and copy or save the whole study."""
        if view is not None:
            view.add_block_copying(menu)
        menu.addAction(names.COPY_TABLE_TEXT, self.copy_table)
        super().fill_export_menu(menu, None)

    def copy_table(self) -> None:
        """Copy the agreement of the metrics as LaTeX, as shown; do nothing if there is no result."""
        report = self.service.report()
        if report is not None:
            main: Report = replace(report, is_main_only=True)
            shown = OutdatedReport(main) if self.service.is_outdated else main
            self.files.copy_form(lambda form: get_output_format(form).text(shown), "tex")
