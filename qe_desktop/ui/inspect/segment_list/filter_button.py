"""Button of the segment list that names the active filters and opens their controls."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.widgets.panel_button import PanelButton


class FilterButton(PanelButton):
    """Button that opens the filter controls, with the names or the number of the active filters."""

    def __init__(self, panel: QWidget, parent: QWidget | None = None) -> None:
        super().__init__("", panel, parent)
        self.show_filters([])

    def show_filters(self, filters: Sequence[str]) -> None:
        """Show the names of the active filters or, if there are more than two, their number; the tooltip names all."""
        names = filters or [tr("all", "segments")]
        self.setText(
            tr("Filter: {names}", names=join_localized(", ", names[:2])) if len(names) < 3
            else tr("Filter: {n} {n:condition|conditions}", "", len(names))
        )  # fmt: skip
        self.setToolTip(join_localized(", ", names))
