"""Narrow panel of the scores in the Inspect area: two live metrics, and the significance matrix as symbols."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Provenance
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Metric
from qe_desktop.ui.action_registry import follow_shortcuts, with_shortcut
from qe_desktop.ui.scores.empty_states import ScoresOrPlaceholder, ScoringProgress
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.score_model import NAME_COLUMN
from qe_desktop.ui.scores.score_table_view import LiveScoreTable
from qe_desktop.ui.scores.significance.significance_matrix_pane import SignificanceMatrixPane
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.widgets.buttons import LinkButton
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, vbox, wrap_layout
from qe_desktop.ui.widgets.tables.table_delegate import PADDING

MIN_NAME_CHARS = 10
"""Minimum width of the name column, in characters."""
MAX_SYSTEM_CHARS = 24
"""Maximum length of the system's name in the summary, in characters."""


class SidePanelTable(LiveScoreTable):
    """Table of two metrics per system; values of the current metric have bars."""

    def __init__(
        self, scores: LiveScoreService, comparison: SignificanceService, parent: QWidget | None = None
    ) -> None:
        super().__init__(scores, comparison, parent, with_interval=False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fit()

    def visible_metrics(self) -> list[Metric]:
        """Return the current metric and its companion metric; a metric that the level does not have is left out."""
        level, chosen = self._scores.workspace.level, self._comparison.metric
        companion = level.main_metric if chosen == level.companion_metric else level.companion_metric
        return [level.metrics[name] for name in (chosen, companion) if name in level.metrics]

    def fit_columns(self) -> None:
        """Fit the value columns to their content; the name column takes the remaining width."""
        metrics, decimals = self.fontMetrics(), self.scores_model.decimals
        values, available_width = self.scores_model.columnCount() - 1, self.viewport().width()
        min_name_width = metrics.horizontalAdvance("0") * MIN_NAME_CHARS
        plain_width = metrics.horizontalAdvance(format_score(-0.1, decimals)) + 2 * PADDING
        changed = plain_width + metrics.horizontalAdvance(f"{format_score(-0.1, decimals + 1)} ")
        # hide changes before names become unreadable
        value = (
            changed
            if available_width - values * changed >= min_name_width
            else max(plain_width, (available_width - min_name_width) // max(1, values))
        )
        for column in range(1, values + 1):
            self.setColumnWidth(column, value)
        self.setColumnWidth(NAME_COLUMN, max(min_name_width, available_width - values * value))


class ScoreSummary(QObject):
    """Summary of the scores: a `button` with the name and score of the best system by the current metric.

    The button is to be placed outside the panel. Until then, and while there are no scores, it is hidden.
    """

    def __init__(self, scores: LiveScoreService, comparison: SignificanceService, panel: QWidget) -> None:
        super().__init__(panel)
        self._scores, self._comparison, self._panel = scores, comparison, panel
        self.button = LinkButton(parent=panel)
        follow_shortcuts(self._update_tooltip)
        for signal in (scores.reset, scores.scores_changed, comparison.changed, scores.workspace.settings.changed):
            signal.connect(self.refresh)
        self.refresh()

    def _update_tooltip(self) -> None:
        self.button.setToolTip(with_shortcut(tr("Show or hide the scores of all systems"), "inspect.panel"))

    def refresh(self) -> None:
        """Show the current scores."""
        scored, level = self._scores.snapshot(), self._scores.workspace.level
        metric = level.metrics.get(self._comparison.metric)
        text = ""
        if metric is not None and scored.layers and metric.name in scored.values:
            row = int(scored.order(metric.name, descending=metric.better > 0)[0])
            score = format_score(scored.value(metric, row), self._scores.workspace.settings.decimals)
            text = tr(
                "{metric}: {system} {score}", metric=escape_label(metric.name),
                system=escape_label(scored.layers[row].name, MAX_SYSTEM_CHARS), score=score,
            )  # fmt: skip
        self.button.setText(text)
        self.button.setVisible(bool(text) and self.button.parentWidget() is not self._panel)


class ScoreSidePanel(QWidget):
    """Narrow panel with the score table and the significance matrix; its values are those of the Scores area."""

    files_requested = Signal()
    """Emitted when the user wants to add files."""

    def __init__(
        self, scores: LiveScoreService, comparison: SignificanceService, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._scores = scores
        self.summary = ScoreSummary(scores, comparison, self)
        self.table = SidePanelTable(scores, comparison, self)
        self.matrix = SignificanceMatrixPane(comparison, self, small=True)
        hint = tr("Add a second system to test whether the two differ significantly.")
        self._single_system_label = Label(hint, token="muted", wraps=True)
        self._single_system_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._status_label = Label("", token="muted", wraps=True)
        matrix, working = Stretched(self.matrix, 1), ScoringProgress(scores, self)
        content = wrap_layout(
            vbox(
                working,
                self._status_label,
                self.table,
                FixedSpace(8),
                matrix,
                Stretched(self._single_system_label, 1),
                gap=8,
            )
        )
        body = ScoresOrPlaceholder(scores, content, opens=False)
        body.files_requested.connect(self.files_requested)
        vbox(body, on=self, margins=8)
        scores.reset.connect(self._on_reset)
        scores.scores_changed.connect(self._update_reviewed_count)
        self.setAccessibleName(tr("Scores"))
        self.setFocusProxy(self.table)
        self._on_reset()

    def _on_reset(self) -> None:
        several = len(self._scores.layers) > 1
        self.matrix.setVisible(several)
        self._single_system_label.setVisible(not several)
        self._update_reviewed_count()
        self._fit_table()

    def _update_reviewed_count(self) -> None:
        """Show the number of reviewed segments if an annotator is the gold and only these segments are scored."""
        scoring = self._scores.scoring()
        is_partial = (
            scoring is not None
            and scoring.reference.provenance is Provenance.PERSON
            and scoring.level.scored_segments(scoring) is not None
        )
        self._status_label.setVisible(is_partial)
        if scoring is not None and is_partial:
            self._status_label.setText(tr("Scored on {n:,} reviewed {n:segment|segments}", "", scoring.segments))

    def _fit_table(self) -> None:
        line = self.fontMetrics().height()
        below = self.matrix.minimumSizeHint().height() + 3 * line if self.matrix.isVisibleTo(self) else 0
        limit = max(min(self.height() * 2 // 5, self.height() - below), line * 6)
        self.table.setFixedHeight(min(self.table.natural_height(), limit))

    def event(self, event: QEvent) -> bool:
        """Fit the height of the table when the panel is resized or its font changes."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._fit_table()
        return handled
