"""The Scores area: pages, of which that of systems is there from the beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.parts.built_stack import Parts
from qe_desktop.ui.parts.in_turns import Turns
from qe_desktop.ui.parts.layouts import column_of
from qe_desktop.ui.parts.pages import Pages
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.needed import area_imported
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.ui.scores.systems_page import SystemsPage

SYSTEMS = "systems"
"""The id of the first page; whoever builds the area may add others."""


class ScoresArea(QWidget):
    """What its pages cannot do themselves they ask for: opening a folder, adding files."""

    folder_wanted = Signal()
    files_wanted = Signal()

    def __init__(self, comparison: ComparisonKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self.pages = Pages(self)
        self.pages.add(SYSTEMS, tr("Systems"), self._systems)
        column_of(self.pages, on=self, gap=0)
        self.setFocusProxy(self.pages)

    @property
    def systems(self) -> SystemsPage:
        """The page of systems, built now if it was not yet."""
        page: Any = self.pages.page(SYSTEMS)
        return page  # type: ignore[no-any-return]

    def parts(self) -> Turns:
        """Build the first page piece by piece."""
        return self.pages.parts(SYSTEMS)

    def _systems(self) -> Parts:
        yield from area_imported()
        from qe_desktop.ui.scores.systems_page import systems_in_parts

        page = yield from systems_in_parts(self._comparison, self)
        page.folder_wanted.connect(self.folder_wanted)
        page.files_wanted.connect(self.files_wanted)
        return page
