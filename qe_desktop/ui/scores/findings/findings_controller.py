"""Controller that connects the All metrics page to commands, dialogs, files and the segment list."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QModelIndex

from qe_desktop.corpus import LayerKey
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.findings import PairFindings
from qe_desktop.report.findings import FindingsReport
from qe_desktop.ui.scores.commands import FINDINGS_COPIES, FINDINGS_PAGE, FINDINGS_SAVES
from qe_desktop.ui.scores.findings.findings_service import (
    FindingsService,
    FolderFindingsService,
    SessionFindingsService,
    is_same_corpus,
)
from qe_desktop.ui.scores.findings.findings_table import deciding_layers, untested_sentence
from qe_desktop.ui.scores.page_controller import ExportSpec, PageContext, PageController
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.lazy_stack import BuildSteps

if TYPE_CHECKING:
    from qe_desktop.ui.scores.findings.findings_page import FindingsPage


class FindingsController(PageController):
    """Controller that builds the All metrics page, reads folders, and shows the segments behind a score."""

    copies, saves = FINDINGS_COPIES, FINDINGS_SAVES

    def __init__(self, context: PageContext) -> None:
        super().__init__(FINDINGS_PAGE, context, tr("Writing all metrics"), "findings")
        self.session_service, self.folder_service = (
            SessionFindingsService(context.comparison),
            FolderFindingsService(context.comparison),
        )
        for service in (self.session_service, self.folder_service):
            service.setParent(self)
        self._offered_cell: tuple[int, int] | None = None

    def parts(self) -> BuildSteps:
        """Build the page in steps, after importing its module."""
        from qe_desktop.ui.scores.findings.findings_page import FindingsPage

        yield 0
        page = FindingsPage(self.session_service, self.folder_service, self._pages)
        page.folder_selection_requested.connect(self.ask_folder)
        page.cell_activated.connect(self.show_segments)
        page.segments_button.clicked.connect(lambda: self.show_segments(page.view.currentIndex()))
        page.current_cell_changed.connect(self._forget_offer)
        page.drawn.connect(self._name_page)
        yield 0
        return page

    def build(self) -> BuildSteps:
        """Build the page in steps; its menus also export the plots."""
        widget = yield from super().build()
        page = cast("FindingsPage", widget)
        page.view.menu_requested.connect(page.add_chart_actions)
        page.add_chart_actions(page.copying)
        return widget

    @property
    def displayed_service(self) -> FindingsService:
        """Service whose results the page shows; before the page is built, the service for the open data."""
        page = self.built_page
        return self.session_service if page is None else page.displayed_service

    @property
    def shows_open_data(self) -> bool:
        """Whether the page shows the results for the open data; False if it shows those for a folder."""
        return self.displayed_service is self.session_service

    def _name_page(self) -> None:
        """Set the title in the page switch: “Language pairs” if the results have several pairs, else “All metrics”."""
        result = self.displayed_service.result
        has_several_pairs = result is not None and len(result.findings.pairs) > 1
        self._pages.set_title(FINDINGS_PAGE, tr("Language pairs") if has_several_pairs else tr("All metrics"))
        self.context.input_changed.emit()

    # --- a folder of a shared task

    def ask_folder(self) -> None:
        """Ask for a folder and compute the results for it."""
        settings = self.workspace.settings
        title = tr("Select a folder with one folder per language pair")
        folder = FileDialog.getExistingDirectory(self._pages.window(), title, self._initial_folder())
        if folder:
            settings.last_folder = folder
            self.read(Path(folder))

    def _initial_folder(self) -> str:
        """Return the last used folder or, if it is the folder of the open language pair, its parent folder."""
        last, corpus = self.workspace.settings.last_folder, self.workspace.corpus
        is_open = bool(last) and corpus is not None and bool(corpus.folder) and Path(last) == Path(corpus.folder)
        return str(Path(last).parent) if is_open else last

    def read(self, folder: Path) -> None:
        """Show the page, and compute the results for a folder in the background; they are shown when they are ready."""
        self._pages.show_page(FINDINGS_PAGE)
        self.folder_service.read(folder)
        self.context.area_requested.emit()

    # --- segments behind a value

    def show_segments(self, index: QModelIndex) -> None:
        """Show the segments that most separate the system in a cell from the system ranked next to it.

        If the data of the language pair are not open, offer to open them; a second request for the same cell opens
        them. If there is no other system, or if the metric has no segment scores, explain why no segments are shown.
        """
        target, result = self.page.view.target(index), self.displayed_service.result
        if target is None or result is None:
            return
        pair = result.findings.pairs[target.pair]
        metric = next(metric for metric in result.metrics if metric.name == target.metric)
        layers = deciding_layers(pair, target.system, metric)
        if not metric.family.has_independent_rows:
            self.page.show_message(untested_sentence(metric))
        elif layers is None:
            self.page.show_message(tr("Segments are shown for pairs of systems, but there is only one system."))
        elif self._is_open(pair, layers):
            self._forget_offer()
            self._show(pair, layers, metric.name)
        elif self._offered_cell == (index.row(), index.column()):
            self._open(pair, layers, metric.name)
        else:
            self._offered_cell = (index.row(), index.column())
            self._show_open_prompt(pair)

    def _is_open(self, pair: PairFindings, layers: tuple[LayerKey, LayerKey]) -> bool:
        """Return whether the open corpus has `layers` and the gold layer of `pair`.

        For folder results, the open corpus must also be the corpus of `pair`.
        """
        corpus = self.workspace.corpus
        if corpus is None or not all(key in corpus.layers for key in (*layers, pair.scoring.reference)):
            return False
        return self.displayed_service is self.session_service or is_same_corpus(corpus, pair.scoring.view.corpus)

    def _show_open_prompt(self, pair: PairFindings) -> None:
        text = tr("{pair} is not open. Press Enter again to open it and show the segments.", pair=pair.name)
        if self.workspace.session is not None:
            text = tr(
                "{pair} is not open. Press Enter again to close {other}, open {pair} and show the segments.",
                pair=pair.name, other=self.workspace.session.corpus.name,
            )  # fmt: skip
        self.page.show_message(text, tr("Open {pair}", pair=pair.name))

    def _forget_offer(self) -> None:
        self._offered_cell = None

    def _open(self, pair: PairFindings, layers: tuple[LayerKey, LayerKey], metric: str) -> None:
        """If the open data may be closed, open the corpus of `pair` without reading it again, and show the segments."""
        if not self.context.may_replace(partial(self._open, pair, layers, metric)):
            return
        corpus, level = pair.scoring.view.corpus, pair.scoring.level
        self.page.view.emit_description()
        self.workspace.open(corpus)
        if level.tokenization is not None:
            self.workspace.set_tokenizer(level.tokenization.tokenizer)
        self.workspace.set_level(level)
        self.workspace.set_reference(pair.scoring.reference)
        self.context.opened.emit(corpus.folder)
        self._show(pair, layers, metric)

    def _show(self, pair: PairFindings, layers: tuple[LayerKey, LayerKey], metric: str) -> None:
        if self.context.comparison.metric != metric:
            # Inspect shows the current metric of the open data, which may differ from the current metric of the folder
            self.context.comparison.set_metric(metric)
        # in Inspect, the rows of the two systems come first
        self.workspace.system_order = tuple(key.name for key in layers)
        self.workspace.segments_requested.emit(*layers, metric, pair.scoring.level, pair.scoring.reference)

    # --- export

    def export_spec(self) -> ExportSpec | None:
        """Return the export of the results, with the current metric first; None if there are no results."""
        result, metric = self.displayed_service.result, self.displayed_service.metric
        if result is None:
            return None
        title = tr("Save all metrics of {name}", name=isolate_bidi(result.title))
        remarks = (*result.file_remarks, *result.remarks)
        report = FindingsReport(result.findings.with_first_metric(metric), result.title, remarks)
        return ExportSpec(report, result.title, title)
