"""View of the significance matrix with copying and export, and its pane with status line and legend."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QContextMenuEvent, QPalette
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.report.comparisons import ComparisonReport
from qe_desktop.report.render.output_formats import Report
from qe_desktop.report.render.tables import title_after_pair
from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui import theme
from qe_desktop.ui.scores.score_descriptions import test_sentence
from qe_desktop.ui.scores.significance.significance_matrix_model import SignificanceMatrixModel
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.scores.significance.significance_status_bar import SignificanceStatusBar
from qe_desktop.ui.widgets.image_export import ImageSource, add_image_save_menu, copy_image
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.legends import MatrixLegend
from qe_desktop.ui.widgets.matrix_view import MAX_NAME_CHARS, MatrixTableView
from qe_desktop.ui.widgets.report_export import OnScreenReport, OutdatedReport, ReportSource, add_report_menus

SMALL_NAME_CHARS = 12
"""Maximum number of characters of a name in a `small` matrix."""


class SignificanceMatrixView(MatrixTableView):
    """View of a `SignificanceMatrixModel`; cells show only symbols if there is no space for numbers."""

    def __init__(self, comparison: SignificanceService, parent: QWidget | None = None, *, small: bool = False) -> None:
        self._service = comparison
        self.matrix = SignificanceMatrixModel()
        self.report_source = ReportSource(tr("Significance matrix"), self.report, "significance")
        self.image_source = ImageSource(
            tr("Significance matrix"), self._create_image, subject=lambda: self.matrix.metric
        )
        self.matrix.decimals = comparison.workspace.settings.decimals
        max_name_chars = SMALL_NAME_CHARS if small else MAX_NAME_CHARS
        super().__init__(self.matrix, tr("Significance matrix"), parent, small=small, max_name_chars=max_name_chars)
        # in the Inspect area, the segments are already visible, so one click is enough
        for signal in (self.clicked if self._shows_only_signs else self.doubleClicked, self.cell_activated):
            signal.connect(self.show_segments)
        self._service.changed.connect(self._on_changed)
        self._service.workspace.settings.changed.connect(self._on_setting)
        self._on_changed()

    # --- content

    def _on_changed(self) -> None:
        self.matrix.show_state(self._service.snapshot())
        is_outdated = self._service.is_data_outdated or self.matrix.metric != self._service.metric
        if is_outdated != self._painter.is_outdated:
            self._painter.is_outdated = is_outdated
            self.viewport().update()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.matrix.set_decimals(self._service.workspace.settings.decimals)

    # --- actions

    def show_segments(self, index: QModelIndex) -> None:
        """Request that the segments that contribute most to the score difference of a cell be shown."""
        layers, compared = self.matrix.layers(index), self.matrix.compared
        if layers is not None and compared is not None:
            # in Inspect, the rows of the two systems come first
            self._service.workspace.system_order = self.matrix.system_order(index)
            signal = self._service.workspace.segments_requested
            signal.emit(*layers, self.matrix.metric, compared.level, compared.reference)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show a menu of actions for the current cell and the matrix."""
        menu = QMenu(self)
        index = self.currentIndex()
        show = menu.addAction(tr("&Show the segments behind the difference"))
        show.setEnabled(self.matrix.layers(index) is not None)
        show.triggered.connect(lambda: self.show_segments(self.currentIndex()))
        menu.addSeparator()
        self.add_block_copying(menu)
        self.add_copying(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def add_copying(self, menu: QMenu) -> None:
        """Add to `menu` the actions that copy and save the matrix."""
        workspace = self._service.workspace
        add_report_menus(menu, tr("Copy &matrix"), tr("Save matr&ix values"), self.report_source, workspace, self)
        menu.addAction(tr("Copy matrix as ima&ge"), self.copy_matrix_image)
        add_image_save_menu(menu, tr("&Save matrix as image"), self.image_source, workspace, self)

    def report(self) -> Report | None:
        """Return the report of the comparison by the displayed metric, marked if outdated; None if nothing is shown."""
        compared, view = self.matrix.compared, self._service.workspace.view
        if compared is None or view is None or not self.matrix.metric:
            return None
        comparison = replace(compared.comparison, metrics=(compared.comparison.of(self.matrix.metric),))
        scoring = Scoring(view, compared.reference, compared.layers, compared.level)
        report = OnScreenReport(
            ComparisonReport.build(scoring, comparison), self.matrix.full_table(), self.matrix.decimals
        )
        return OutdatedReport(report) if self._service.is_outdated else report

    def copy_matrix_image(self) -> None:
        """Copy the whole matrix as an image, with title and legend."""
        copy_image(self.image_source, self._service.workspace)

    def _create_image(self) -> QWidget:
        """Return a temporary widget with a title, the whole matrix and its legend; the widget is deleted later."""
        view, result = self._create_full_view(), self._service.result
        view.setFixedSize(view.size())
        corpus = self._service.workspace.corpus
        heading = tr("{metric}: significance", metric=self.matrix.metric)
        legend, test = MatrixLegend(OTHER_LEVELS, stacked=True), Label(token="muted")
        if result is not None:
            options = result.comparison.options
            legend.explain(options.correction, options.alpha, self.matrix.levels())
            test.setText(test_sentence(result.comparison, outdated=self._service.is_outdated))
        image = QWidget()
        title = Label(title_after_pair("" if corpus is None else corpus.name, heading), bold=True)
        vbox(title, view, legend, test, on=image, gap=PANE_GAP, margins=(8, 8, 8, 8))
        # the names of systems have the colour of the window behind them
        palette = image.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.current().surface)
        image.setPalette(palette)
        image.setFont(self.font())
        image.resize(image.sizeHint())
        image.deleteLater()
        return image

    def _create_full_view(self) -> SignificanceMatrixView:
        """Return a view of the whole matrix at full size."""
        view = SignificanceMatrixView(self._service)
        view.matrix.set_by_score(self.matrix.by_score)
        view.setFont(self.font())
        cell = view.full_cell()
        count = view.matrix.rowCount()
        view.resize(view.names_width() + count * cell.width(), view.names_width() + count * cell.height())
        view.fit()
        view.resize(view.natural_width(), view.natural_height())
        return view


OTHER_LEVELS = {SignificanceLevel.IDENTICAL: tr("identical"), SignificanceLevel.UNTESTED: tr("not tested")}
"""Meanings of the symbols of pairs that were not tested."""
NOT_COMPARED_TEXT = tr("Run the significance test to see which systems differ significantly.")
PANE_GAP = 8
"""Space between the parts of the pane, in pixels."""
MIN_LINES = 5
"""Minimum height of the matrix, in lines of text."""


class SignificanceMatrixPane(QWidget):
    """Matrix with status line and legend.

    If `small`, cells show only symbols, and the current cell is described below the matrix.
    """

    _is_laid_out = False

    def __init__(self, comparison: SignificanceService, parent: QWidget | None = None, *, small: bool = False) -> None:
        super().__init__(parent)
        self._service = comparison
        self.view = SignificanceMatrixView(comparison, self, small=small)
        self.status_bar = SignificanceStatusBar(comparison, self.view.matrix, self, small=small)
        self._placeholder_label = Label(NOT_COMPARED_TEXT, token="muted", wraps=True)
        self._placeholder_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._description_label = Label(token="muted", narrow=True, selectable=True)
        self._description_label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._legend = MatrixLegend(OTHER_LEVELS)
        self._small = small
        # aligns the rows with those of the interval plot, whose axis is taller than the legend
        self._axis = QWidget()
        self._axis.setFixedHeight(0 if small else self.fontMetrics().height())
        parts = (
            self.status_bar,
            Stretched(self.view, 1),
            self._axis,
            Stretched(self._placeholder_label, 1),
            self._description_label,
            self._legend,
        )
        vbox(*parts, on=self, gap=PANE_GAP)
        self._is_laid_out = True
        self.view.described.connect(self._show_description)
        comparison.changed.connect(self._refresh)
        self._refresh()

    def needed_height(self) -> int:
        """Return the height in pixels at which all rows are visible, with numbers next to the symbols."""
        line, legend = (_height_at(widget, self.width()) for widget in (self.status_bar, self._legend))
        parts = (line, self.view.min_height_of_rows(), legend)
        return sum(parts) + (len(parts) - 1) * PANE_GAP

    def event(self, event: QEvent) -> bool:
        """If the rows need more space, hide the spacer that aligns them with the rows of the interval plot."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self._is_laid_out:
            axis = self._axis.minimumHeight() + PANE_GAP
            is_shown = not self._small and self.height() >= self.needed_height() + axis
            if is_shown == self._axis.isHidden():
                self._axis.setVisible(is_shown)
        return handled

    def _show_description(self, sentence: str) -> None:
        self._description_label.setText(sentence)
        self._description_label.setVisible(self._small and self.view.isVisibleTo(self) and bool(sentence))

    def _refresh(self) -> None:
        line = self.fontMetrics().lineSpacing()
        self.view.setMinimumHeight(line * MIN_LINES)
        result = self._service.result
        has_rows = self.view.matrix.rowCount() > 0
        self.view.setVisible(has_rows)
        self._legend.setVisible(has_rows)
        self._placeholder_label.setVisible(not has_rows)
        self._show_description(self.view.matrix.sentence(self.view.currentIndex()))
        options = result.comparison.options if result is not None else self._service.options
        self._legend.explain(options.correction, options.alpha, self.view.matrix.levels())


def _height_at(widget: QWidget, width: int) -> int:
    height = widget.heightForWidth(width)
    return height if height > 0 else widget.sizeHint().height()
