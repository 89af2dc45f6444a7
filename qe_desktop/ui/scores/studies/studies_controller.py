"""Controllers of the Studies page and of the Threshold view, which is a tab of the Systems page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.studies.synthetic_labellings import LABELLINGS, synthetic_layer, synthetic_name
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.area import SYSTEMS_PAGE
from qe_desktop.ui.scores.page_controller import ExportSpec, Handlers, PageContext, PageController
from qe_desktop.ui.scores.studies import commands as names
from qe_desktop.ui.scores.studies.commands import STUDIES
from qe_desktop.ui.scores.studies.labelling_study import SyntheticLabellings
from qe_desktop.ui.scores.studies.study import StudyResult
from qe_desktop.ui.scores.studies.study_service import StudyService
from qe_desktop.ui.scores.studies.threshold_study import ThresholdSearch
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.lazy_stack import BuildSteps
from qe_desktop.ui.widgets.placeholder_page import EmptyState, ReasonPopup
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.ui.scores.studies.studies_page import StudiesPage
    from qe_desktop.ui.scores.studies.threshold_page import ThresholdPage
    from qe_desktop.ui.scores.systems_page import SystemsPage


def export_study(result: StudyResult | None) -> ExportSpec | None:
    """Return the export of a result; None if `result` is None."""
    if result is None:
        return None
    report, of = result.report, result.request.scoring.view.corpus.name
    return ExportSpec(report, of, tr("Save the study of {name}", name=isolate_bidi(of)))


class ThresholdTab(QWidget):
    """Tab whose page is built when the tab is first shown."""

    def __init__(self, build: Callable[[], ThresholdPage], parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._build = build
        self._built: ThresholdPage | None = None
        vbox(on=self)

    @property
    def page(self) -> ThresholdPage:
        """Page of the tab, built on first access."""
        if self._built is None:
            self._built = self._build()
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self._built)
            self._built.show()
            self.setFocusProxy(self._built)
        return self._built

    @property
    def plot_widget(self) -> LazyPlotWidget | None:
        """Chart of the page; None before the page is built."""
        return None if self._built is None else self._built.picture.plot_widget

    def showEvent(self, event: QShowEvent) -> None:
        """Build the page if it has not been built yet."""
        super().showEvent(event)
        _ = self.page


class ThresholdController(PageController):
    """Controller that adds a Threshold tab to the Systems page, for the system and metric selected on the page."""

    copies, saves = names.COPIES, names.SAVES

    def __init__(self, context: PageContext) -> None:
        super().__init__(SYSTEMS_PAGE, context, tr("Writing the study"), "study")
        self.service: StudyService = StudyService(context.comparison, ThresholdSearch())
        self.service.setParent(self)
        self.tab = ThresholdTab(self._page, context.pages)
        self._systems: SystemsPage | None = None
        self._synced_result: StudyResult | None = None
        """Result to which the system and metric selected on the Systems page were last applied."""
        context.pages.call_when_built(SYSTEMS_PAGE, self._connect_systems_page)

    def _connect_systems_page(self) -> None:
        systems: Any = self.page
        self._systems = systems
        systems.gallery.add_view(self.tab, tr("Threshold"))
        self.service.changed.connect(self._update_tab)
        self.workspace.level_changed.connect(self._update_tab)
        self.context.comparison.changed.connect(self._sync_selection)
        systems.table.selectionModel().currentRowChanged.connect(self._sync_selection)
        systems.gallery.bar.explained.connect(self._explain)
        self._update_tab()

    def _explain(self, index: int) -> None:
        """If `index` is that of the Threshold tab, show why the tab is not available."""
        systems = self._systems
        if systems is not None and systems.gallery.indexOf(self.tab) == index:
            from qe_desktop.ui.scores.studies.studies_page import study_empty_state

            popup = ReasonPopup(
                study_empty_state(self.service), lambda name: self.tab.page.run_button_action(name), systems
            )
            popup.open_below(systems.gallery.bar)

    def _page(self) -> ThresholdPage:
        from qe_desktop.ui.scores.studies.threshold_page import ThresholdPage

        page = ThresholdPage(self.service, self.tab)
        page.folder_requested.connect(self.context.folder_requested)
        page.files_requested.connect(self.context.files_requested)
        for view in (page.view, page.ranking.view):
            view.menu_requested.connect(lambda menu, view=view: self.fill_export_menu(menu, view))
        self.fill_export_menu(page.copying, page.view)
        if self._systems is not None:
            page.described.connect(self._systems.gallery.described)
        self.service.changed.connect(self._on_result)
        self._on_result()
        return page

    def _update_tab(self) -> None:
        """Enable the tab if the threshold study can run on the open data; otherwise, disable it and set the reason."""
        if self._systems is None:
            return
        missing = self.service.unavailable_state()
        reason = "" if missing is None else join_localized(". ", (missing.title, missing.text))
        if missing is None and self.workspace.view is not None and self.workspace.level.tags is None:
            reason = tr("Thresholds turn P(BAD) of words into tags. Switch to words, or open files with word tags.")
        self._systems.gallery.set_reason(self.tab, reason, self.service.study.about)

    def _on_result(self) -> None:
        if self.service.result is not self._synced_result:
            self._synced_result = self.service.result
            self._sync_selection()

    def _sync_selection(self, *changed: object) -> None:
        """Show the chart of the system and metric that are selected on the Systems page."""
        systems = self._systems
        chosen = None if systems is None else systems.gallery.current_layer
        if chosen is not None:
            self.service.select_if_known(self.context.comparison.metric, chosen.name)

    def show(self) -> None:
        """Show the Threshold view, or the reason why it is not available."""
        self._pages.show_page(SYSTEMS_PAGE, self._show_tab)

    def _show_tab(self) -> None:
        if self._systems is None:
            return
        gallery = self._systems.gallery
        if not gallery.isTabEnabled(gallery.indexOf(self.tab)):
            self._explain(gallery.indexOf(self.tab))
            return
        gallery.setCurrentWidget(self.tab)
        self.tab.setFocus()

    def export_spec(self) -> ExportSpec | None:
        """Return the export of the result; None if there is no result."""
        return export_study(self.service.result)


JOB = "synthetic-layers"


class LabellingLayers(QObject):
    """Service that adds trivial baselines to the open data as layers, and removes them."""

    message_posted = Signal(str)
    """Status message about added or removed layers."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace

    def synthetic_keys(self) -> list[LayerKey]:
        """Return the keys of all synthetic layers in the open data, whatever their kind; empty if no data are open."""
        corpus = self._workspace.corpus
        return [] if corpus is None else [key for key in corpus.layers if key.provenance is Provenance.SYNTHETIC]

    def has_layer(self, labelling: str, kind: Kind) -> bool:
        """Return whether the open data have the baseline `labelling` as a layer of kind `kind`."""
        return self.key(labelling, kind) in self.synthetic_keys()

    def may_change(self) -> bool:
        """Return whether layers can be added and removed: True if data are open and not read-only."""
        session = self._workspace.session
        return session is not None and not session.read_only

    def add(self, result: StudyResult, labellings: Sequence[str]) -> None:
        """Add the first draw of each baseline, generated in the background from the gold and seed of `result`.

        Nothing is added if the open data are read-only or are closed before the layers are ready.
        """
        session, scoring = self._workspace.session, result.request.scoring
        if session is None or not self.may_change():
            return
        gold, kind, seed = scoring.view.tags(scoring.reference), scoring.reference.kind, result.request.options.seed

        def work(progress: Progress) -> list[Layer]:
            layers = []
            for name in labellings:
                progress.check()
                layers.append(synthetic_layer(gold, kind, name, seed))
            return layers

        def done(layers: list[Layer]) -> None:
            if session is not self._workspace.session:
                return
            corpus = session.corpus
            new_layers = {layer.key: layer for layer in layers}
            if self._workspace.attempt(lambda: session.extend(replace(corpus, layers={**corpus.layers, **new_layers}))):
                names = join_names([layer.key.name for layer in layers])
                self.message_posted.emit(tr("Added (shown in the Inspect area): {names}", names=names))

        self._workspace.jobs.submit(tr("Trivial baselines"), work, done, latest=JOB, owner=self, computing=True)

    def remove(self, keys: Sequence[LayerKey]) -> None:
        """Remove the layers with these keys; the workspace reports errors."""
        session = self._workspace.session
        if session is None:
            return
        removed = [key for key in keys if self._workspace.attempt(lambda key=key: session.remove(key))]  # type: ignore[misc]
        if removed:
            self.message_posted.emit(tr("Removed: {names}", names=join_names([key.name for key in removed])))

    def key(self, labelling: str, kind: Kind) -> LayerKey:
        """Return the key of a baseline's layer."""
        return LayerKey(Provenance.SYNTHETIC, synthetic_name(labelling), kind)


class StudiesController(PageController):
    """Controller that builds the Studies page, and adds trivial baselines to the open data as layers."""

    copies, saves = names.COPIES, names.SAVES

    def __init__(self, context: PageContext) -> None:
        super().__init__(names.PAGE, context, tr("Writing the study"), "study")
        self.services = {study.name: StudyService(context.comparison, study) for study in STUDIES}
        for service in self.services.values():
            service.setParent(self)
            service.changed.connect(self.refresh)
        self.thresholds = ThresholdController(context)
        self.layers = LabellingLayers(self.workspace, self)
        self.layers.message_posted.connect(context.message_posted)
        self.workspace.opened.connect(self.refresh)
        self.workspace.changed.connect(self.refresh)

    def parts(self) -> BuildSteps:
        """Build the tabs and then the Studies page, in steps; return the page."""
        from qe_desktop.ui.scores.studies.studies_page import StudiesPage, StudyTabs

        yield 0
        views = StudyTabs(self.workspace, self._pages)
        yield 0
        page = StudiesPage(self.services, views, self._pages)
        views.currentChanged.connect(self.refresh)
        page.labelling_requested.connect(self.toggle_baseline)
        yield 0
        self._name_button(page)
        return page

    @property
    def displayed_service(self) -> StudyService:
        """Service of the study on the page; before the page is built, the service of the first study."""
        page = self.built_page
        return next(iter(self.services.values())) if page is None else page.displayed_service

    def unavailable_state(self) -> EmptyState | None:
        """Return the empty state that explains why studies are not available for the open data; None if they are."""
        from qe_desktop.ui.scores.studies.studies_page import study_empty_state

        scores, service = self.context.comparison.scores, next(iter(self.services.values()))
        no_scores = scores.state == "empty" or self.workspace.view is None or self.workspace.level.tags is None
        return study_empty_state(service) if no_scores or service.unavailable_state() is not None else None

    # --- commands

    def handlers(self) -> Handlers:
        """Return the handlers by command id."""
        return {
            names.METRICS: self.on_page(lambda page: page.bar.metrics.open()),
            names.RUN: self.on_page(lambda page: page.displayed_service.run()),
            names.CANCEL: lambda: self.displayed_service.cancel(),
            names.THRESHOLDS: self.thresholds.show,
            names.ADD_BASELINES: self.add_all,
            names.REMOVE_BASELINES: self.remove_all,
            **{f"{names.STUDY}{name}": self._show_handler(name) for name in self.services},
            **{f"{names.VIEW}{name}": self.on_views(name) for name in names.VIEWS},
        }

    def _show_handler(self, study: str) -> Callable[[], None]:
        return self.on_page(lambda page: page.show_study(study))

    def refresh(self) -> None:
        """Update the commands and the page's baseline button."""
        super().refresh()
        if self.built_page is not None:
            self._name_button(self.built_page)

    def update_commands(self, commands: ActionRegistry) -> None:
        """Enable or disable the commands, and mark those of the current study and view as checked."""
        has_result, service, page = self.displayed_service.result is not None, self.displayed_service, self.built_page
        possible = service.scoring() is not None and service.unavailable_state() is None
        commands[names.RUN].setEnabled(possible)
        commands[names.METRICS].setEnabled(service.scoring() is not None)
        commands[names.CANCEL].setEnabled(service.state == "working")
        commands[names.ADD_BASELINES].setEnabled(self._labellings() is not None and self.layers.may_change())
        commands[names.REMOVE_BASELINES].setEnabled(bool(self.layers.synthetic_keys()) and self.layers.may_change())
        for name, listed in self.services.items():
            commands[f"{names.STUDY}{name}"].setChecked(listed is service)
        for name in names.VIEWS:
            commands[f"{names.VIEW}{name}"].setEnabled(has_result and page is not None and page.views.has(name))
            commands[f"{names.VIEW}{name}"].setChecked(
                has_result and page is not None and page.views.current_view == name
            )

    # --- baselines as layers

    def _labellings(self) -> StudyResult | None:
        """Return the result of the trivial-baseline study; None if there is no result."""
        return self.services[SyntheticLabellings.name].result

    def _name_button(self, page: StudiesPage) -> None:
        """Update the button that adds or removes the current baseline or, if none is current, adds all baselines."""
        button, service = page.baseline_button, page.service
        result = service.result
        button.setVisible(result is not None and service.study.name == SyntheticLabellings.name)
        if result is None:
            return
        kind, name = result.request.scoring.reference.kind, service.target.labelling
        set_needs(button, "" if self.layers.may_change() else tr("The open data are read-only or have been closed."))
        if not name:
            button.setText(tr("Add all baselines"))
        elif self.layers.has_layer(name, kind):
            button.setText(tr("Remove {labelling}", labelling=name))
        else:
            button.setText(tr("Add {labelling} to open data", labelling=name))

    def toggle_baseline(self, labelling: str) -> None:
        """Add a baseline, or remove it if it is already a layer; if `labelling` is empty, add all missing baselines."""
        result = self._labellings()
        if result is None:
            return
        kind = result.request.scoring.reference.kind
        if not labelling:
            self.add_all()
        elif self.layers.has_layer(labelling, kind):
            self.layers.remove([self.layers.key(labelling, kind)])
        else:
            self.layers.add(result, [labelling])

    def add_all(self) -> None:
        """Add all baselines that have not been added yet."""
        result = self._labellings()
        if result is not None:
            kind = result.request.scoring.reference.kind
            missing_names = [name for name in LABELLINGS if not self.layers.has_layer(name, kind)]
            if missing_names:
                self.layers.add(result, missing_names)

    def remove_all(self) -> None:
        """Remove all synthetic layers from the open data."""
        self.layers.remove(self.layers.synthetic_keys())

    # --- export

    def export_spec(self) -> ExportSpec | None:
        """Return the export of the displayed result; None if no result is displayed."""
        return export_study(self.displayed_service.result)
