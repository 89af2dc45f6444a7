"""Button of the segment list that names the active filters and opens their controls."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.panel_button import PanelButton

_ALL = tr("all", "segments")


class FilterButton(PanelButton):
    """Button that opens the filter controls, with the names or the number of the active filters."""

    def __init__(self, panel: QWidget, parent: QWidget | None = None) -> None:
        super().__init__("", panel, parent)
        self._filters: Sequence[str] = ()
        self._folded = False
        self.show_filters([])

    def show_filters(self, filters: Sequence[str]) -> None:
        """Show the names of the active filters or, if there are more than two, their number; the tooltip names all."""
        self._filters = filters
        self.setText(self._label(folded=self._folded))
        self.setToolTip(plain_tooltip(join_localized(", ", filters or [_ALL])))

    def fold(self, folded: bool) -> None:
        """Show the number of the active filters instead of their names, or their names again."""
        if folded is not self._folded:
            self._folded = folded
            self.setText(self._label(folded=folded))

    def needed_width(self, *, folded: bool) -> int:
        """Return the width of the folded or the unfolded button."""
        metrics = self.fontMetrics()
        change = metrics.horizontalAdvance(self._label(folded=folded)) - metrics.horizontalAdvance(self.text())
        return self.sizeHint().width() + change

    def _label(self, *, folded: bool) -> str:
        filters = self._filters
        if folded:
            return tr("Filter: {n}", "", len(filters)) if filters else tr("Filter")
        if len(filters) < 3:
            # a button shows && as &
            return tr("Filter: {names}", names=join_localized(", ", filters or [_ALL]).replace("&", "&&"))
        return tr("Filter: {n} {n:condition|conditions}", "", len(filters))
