"""The part of the reader with the translations: its bar, the lines, and what joins them to what is chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.inspect.beside.bar import BesideBar
from qe_desktop.ui.inspect.beside.copying import segment_tsv
from qe_desktop.ui.inspect.beside.keeper import BesideKeeper
from qe_desktop.ui.inspect.beside.legend import BesideLegend
from qe_desktop.ui.inspect.beside.view import BesideView
from qe_desktop.ui.inspect.direction import AUTO, direction_of_translations
from qe_desktop.ui.inspect.page import Sizes, names_of
from qe_desktop.ui.parts.copying import copy_text
from qe_desktop.ui.parts.layouts import Placed, column_of


class BesideSection(QWidget):
    """Shows what a keeper found; its legend stands outside, where it does not scroll."""

    left = Signal()
    """The focus goes back to where it came from."""

    def __init__(self, keeper: BesideKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.keeper = keeper
        self.bar, self.view, self.legend = BesideBar(), BesideView(), BesideLegend()
        column_of(self.bar, Placed(self.view, 1), on=self, gap=0)
        self.view.told.connect(self.legend.tell)
        self.view.copy_wanted.connect(self.copy)
        self.view.left.connect(self.left)
        self.bar.marking_chosen.connect(self.set_marking)
        self.bar.base_chosen.connect(self.set_base)
        self.bar.every_chosen.connect(self._set_every)
        keeper.changed.connect(self._show)
        keeper.workspace.settings.changed.connect(self._on_setting)

    def refresh(self) -> None:
        """Show what the keeper has; for whoever has given this its place."""
        self._show()

    def _show(self) -> None:
        keeper = self.keeper
        asked, shown = keeper.asked, keeper.shown
        there = asked is not None and shown is not None and bool(shown.lines)
        self.setVisible(there)
        self.legend.setVisible(there and asked is not None and bool(asked.marking.signs))
        if asked is not None and there:
            self.bar.show_choices(asked, keeper.choices, len(keeper.texts) - len(keeper.hidden))
            self.legend.show_marking(asked.marking)
        settings, view = keeper.workspace.settings, keeper.workspace.view
        direction = AUTO if view is None else direction_of_translations(view.corpus, settings)
        self.view.show_texts(shown if there else None, self._measure(), direction, settings.decimals)

    def _measure(self) -> Callable[[float], Sizes]:
        """What gives the sizes for a width, the same as those of the reader above."""
        view, settings, font = self.keeper.workspace.view, self.keeper.workspace.settings, self.font()
        names = [*([] if view is None else names_of(view)), *self.keeper.names]
        return lambda width: Sizes.of(font, settings, names, width)

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/") or key == "view/decimals":
            self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew in another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._show()

    # --- commands

    def enter(self) -> None:
        """Put the keyboard on the translations."""
        if self.isVisible():
            self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_marking(self, name: str) -> None:
        """Mark in another way, and remember it."""
        self.keeper.workspace.settings.marking = name

    def set_base(self, key: str) -> None:
        """Mark against another text, and remember it."""
        self.keeper.workspace.settings.base = key

    def toggle_every(self) -> None:
        """Show all texts, or the first few."""
        self._set_every(not self.keeper.choices.every)

    def _set_every(self, every: bool) -> None:
        self.keeper.workspace.settings.all_translations = every

    def copy(self) -> None:
        """Put the segment with the texts that are shown on the clipboard as TSV."""
        shown = self.keeper.shown
        if shown is not None:
            copy_text(segment_tsv(shown))
