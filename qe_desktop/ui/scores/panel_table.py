"""The score table in a narrow place: names shortened, no headers to sort by."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from qe_desktop.metrics import Metric
from qe_desktop.ui import theme
from qe_desktop.ui.comparing import ComparisonKeeper
from qe_desktop.ui.scores.copying import copy_text, selected_text
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.flash import Flash
from qe_desktop.ui.scores.flat_header import FlatHeader
from qe_desktop.ui.scores.score_delegate import PADDING, ScoreDelegate
from qe_desktop.ui.scores.score_model import NAME, ScoreModel
from qe_desktop.ui.scoring import ScoreKeeper

ROW_HEIGHT = 1.75


class PanelTable(QTableView):
    """Two metrics a system, the one looked at with bars; Enter on a value looks at its metric."""

    def __init__(
        self,
        scores: ScoreKeeper,
        comparison: ComparisonKeeper,
        metrics: Sequence[Metric],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self._settings = scores.workspace.settings
        self.scores_model = ScoreModel(scores, comparison, metrics, self, with_interval=False)
        self.scores_model.decimals = self._settings.decimals
        self._flash = Flash(self._settings, self)
        self.setHorizontalHeader(FlatHeader(self))
        self.verticalHeader().hide()
        self.setItemDelegate(ScoreDelegate(self._flash, self))
        self.setModel(self.scores_model)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Scores of the systems")
        self.scores_model.moved.connect(self._flash.start)
        self.scores_model.modelReset.connect(self._fit)
        self._flash.faded.connect(self.viewport().update)
        self._settings.changed.connect(self._on_setting)
        self.doubleClicked.connect(self._look_at)
        theme.themes.theme_changed.connect(self.viewport().update)
        self._fit()

    def _look_at(self, index: QModelIndex) -> None:
        metric = self.scores_model.metric(index.column())
        if metric is not None and metric.name != self._comparison.metric:
            self._comparison.set_metric(metric.name)

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.scores_model.set_decimals(self._settings.decimals)
            self._fit()

    def _fit(self) -> None:
        metrics, decimals = self.fontMetrics(), self.scores_model.decimals
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * ROW_HEIGHT))
        text = f"{score_text(-0.1, decimals + 1)} {score_text(-0.1, decimals)}"
        value = metrics.horizontalAdvance(text) + 2 * PADDING
        values = self.scores_model.columnCount() - 1
        for column in range(1, values + 1):
            self.setColumnWidth(column, value)
        self.setColumnWidth(NAME, max(metrics.averageCharWidth() * 8, self.viewport().width() - values * value))

    def natural_height(self) -> int:
        """The height that shows all rows."""
        rows = self.scores_model.rowCount() * self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + rows + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names take what values leave."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on the usual keys, look at the metric on Enter."""
        if event.matches(QKeySequence.StandardKey.Copy):
            text = selected_text(self.selectionModel())
            if text:
                copy_text(text)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._look_at(self.currentIndex())
        else:
            super().keyPressEvent(event)
