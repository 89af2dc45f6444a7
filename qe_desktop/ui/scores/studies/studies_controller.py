"""Controller of the Studies page: commands, exports, and trivial baselines as layers of the open data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.studies.synthetic_labellings import LABELLINGS, synthetic_layer, synthetic_name
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.page_controller import ExportSpec, Handlers, PageContext, PageController
from qe_desktop.ui.scores.studies import commands as names
from qe_desktop.ui.scores.studies.labelling_study import SyntheticLabellings
from qe_desktop.ui.scores.studies.registry import STUDIES
from qe_desktop.ui.scores.studies.study import StudyResult
from qe_desktop.ui.scores.studies.study_service import StudyService
from qe_desktop.ui.scores.studies.threshold_controller import ThresholdController, export_study
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.lazy_stack import BuildSteps
from qe_desktop.ui.widgets.placeholder_page import EmptyState
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.ui.scores.studies.studies_page import StudiesPage

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
                self.message_posted.emit(tr("Added (see Inspect): {names}", names=names))

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
        from qe_desktop.ui.scores.studies.studies_page import StudiesPage
        from qe_desktop.ui.scores.studies.study_tabs import StudyTabs

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
        """Return why studies are not available for the open data; None if they are."""
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
