"""Controls of the filter bar (search, filters, sort order, counts) in one row, which adapts to a narrow window."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QComboBox, QLabel, QLineEdit, QToolButton, QWidget

from qe_desktop.corpus import LayerKey
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.settings import HIGHLIGHTS_KEY, Settings
from qe_desktop.ui.widgets.buttons import MenuButton, PanelButton, add_combo_items
from qe_desktop.ui.widgets.control_bar import FoldingBar, parts_to_fold
from qe_desktop.ui.widgets.form_controls import with_label
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, wrap_layout

GAP, SIDE_MARGIN = 8, 16
"""Distances in pixels: between the parts, and from the left and right edges."""
COUNT, VALUES, SUMMARY, SYSTEM, TITLE = "count", "values", "summary", "system", "title"
FOLD_ORDER = (COUNT, VALUES, SUMMARY, SYSTEM, TITLE)
"""Parts in the order in which they fold as the row becomes narrower.

`COUNT`, the segment count, is reduced to a number. `VALUES`, the names of the filters and of the sort order, are
hidden. `SUMMARY`, a summary of scores, and `SYSTEM`, the system combo box, move to the menu. `TITLE`, the title of a
comparison, is elided in the middle.
"""
PREFERRED_SEARCH_CHARS, MIN_SEARCH_PX = 20, 60
"""Width of the search field in characters below which other parts fold, and its minimum width in pixels."""
MIN_ORDER_CHARS, MAX_ORDER_CHARS = 11, 24
"""Minimum and maximum width of the sort order in characters; a longer text is elided."""
FOLDED_TITLE_CHARS = 14
"""Width in characters to which the title of a comparison is elided."""
_ALL = tr("all", "segments")


class FilterButton(PanelButton):
    """Button that opens the filter controls and shows the names or the number of the active filters."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__("", panel)
        self._filters: Sequence[str] = ()
        self._folded = False
        self.show_filters([])

    def show_filters(self, filters: Sequence[str]) -> None:
        """Show the names of the active filters or, if there are more than two, their number; the tooltip names all."""
        self._filters = filters
        self.setText(self._label(folded=self._folded))
        self.setToolTip(plain_tooltip(join_localized(", ", filters) or tr("Select which segments are listed")))

    def fold(self, is_folded: bool) -> None:
        """Show only the number of active filters if `is_folded`; otherwise show the text as in `show_filters`."""
        if is_folded is not self._folded:
            self._folded = is_folded
            self.setText(self._label(folded=is_folded))

    def needed_width(self, *, folded: bool) -> int:
        """Return the width in pixels that the button needs in its folded or unfolded state."""
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


class ViewButton(PanelButton):
    """Button that opens the view controls; its text says so if the highlights are hidden."""

    def __init__(self, panel: QWidget, settings: Settings) -> None:
        super().__init__("", panel)
        self._settings = settings
        settings.changed.connect(self._on_setting)
        self._on_setting(HIGHLIGHTS_KEY)

    def _on_setting(self, key: str) -> None:
        if key == HIGHLIGHTS_KEY:
            self.setText(tr("View") if self._settings.highlights else tr("View: highlights hidden"))


class FilterBarRow(FoldingBar):
    """Row of the controls of a filter bar; parts that do not fit are shortened or move to its menu."""

    def __init__(self, search: QLineEdit, filters: FilterButton, order: QComboBox, system: QComboBox) -> None:
        super().__init__()
        self._filter, self._order, self._system = filters, order, system
        search.setMinimumWidth(MIN_SEARCH_PX)
        self.count = QLabel()
        self.count.setTextFormat(Qt.TextFormat.PlainText)
        self._counts = ("", "")
        """Texts of the segment count: in full, and with the number only."""
        self.title = QToolButton()
        self.title.hide()
        self._title = ""
        self.sort = MenuButton(tr("Sort"))
        self.sort.setAccessibleName(order.accessibleName())
        self.sort.popup.aboutToShow.connect(self._fill_sort)
        order.currentTextChanged.connect(lambda text: self.sort.setToolTip(plain_tooltip(text)))
        self.menu_button = MenuButton("⋯", arrow=False)
        self.menu_button.setToolTip(tr("More controls for scores"))
        self.menu_button.setAccessibleName(tr("More controls for scores"))
        self.menu_button.popup.aboutToShow.connect(self.fill_menu)
        self._labelled_order = with_label(tr("Sort:"), order)
        self._labelled_system = with_label(tr("Score:"), system)
        self._summary_box: QWidget = wrap_layout(hbox())
        self._summary: tuple[QWidget, QAbstractButton] | None = None
        self._has_order = self._has_system = True
        self.folded_parts: Sequence[str] = ()
        """Parts that are currently folded (see `FOLD_ORDER`)."""
        self._row: QBoxLayout = hbox(
            Stretched(search, 1000), filters, self._labelled_order, self.sort, self._labelled_system, self.title,
            StretchSpace(), self.count, self._summary_box, self.menu_button, on=self, gap=GAP, margins=(SIDE_MARGIN,
            4, SIDE_MARGIN, 4),
        )  # fmt: skip
        self._buttons: list[QWidget] = []
        self._show_parts()

    def add_button(self, button: QWidget) -> None:
        """Add a button after the controls of the sort order."""
        self._row.insertWidget(self._row.indexOf(self.title), button)
        self._buttons.append(button)

    def add_summary(self, widget: QWidget, button: QAbstractButton) -> None:
        """Add `widget`, which contains `button`, after the segment count.

        If the widget is folded, a menu entry replaces the button.
        """
        layout = self._summary_box.layout()
        assert layout is not None
        layout.addWidget(widget)
        self._summary = widget, button
        self._fold()

    def show_choices(self, *, order: bool, system: bool) -> None:
        """Show or hide the controls that select the sort order and the system whose scores are shown."""
        self._has_order, self._has_system = order, system
        self._show_parts()
        self._fold()

    def show_title(self, title: str, compared_layers: Sequence[LayerKey] | None = None) -> None:
        """Show the title of a comparison or segment list on the title button; hide the button if `title` is empty."""
        tooltip = tr("Clear filters and sorting")
        if compared_layers and all(key.kind.is_tags for key in compared_layers):
            tooltip = tr(
                "Only the tags of the compared systems, and those of gold and users, are shown. Click to show the tags "
                "of all systems, and to clear filters and sorting."
            )
        self.title.setToolTip(plain_tooltip(tooltip))
        self._title = title
        self.title.setVisible(bool(title))
        self._fold()

    def show_count(self, words: str, number: str) -> None:
        """Show the segment count as `words` or, in a narrow row, as `number`."""
        self._counts = (words, number)
        self.count.setText(words)
        self._fold()

    # --- menus

    def _fill_sort(self) -> None:
        self.sort.popup.clear()
        add_combo_items(self.sort.popup, self._order)

    def fill_menu(self) -> None:
        """Fill the menu with the parts that have moved to it."""
        menu = self.menu_button.popup
        menu.clear()
        menu.setToolTipsVisible(True)
        if SUMMARY in self.folded_parts and self._summary is not None and self._has_summary:
            button = self._summary[1]
            action = menu.addAction(button.text().replace("&", "&&"))
            action.setToolTip(button.toolTip())
            action.triggered.connect(button.click)
        if SYSTEM in self.folded_parts and self._has_system:
            add_combo_items(menu.addMenu(tr("Score")), self._system)

    @property
    def _has_summary(self) -> bool:
        return self._summary is not None and not any(part.isHidden() for part in self._summary)

    # --- size

    def minimumSizeHint(self) -> QSize:
        """Return the size of the row with all parts folded, which limits how narrow the window can become."""
        return QSize(self._needed_width(FOLD_ORDER, MIN_SEARCH_PX), super().minimumSizeHint().height())

    def _fit_order(self) -> None:
        """Make the combo box wide enough for the current sort order."""
        metrics, text = self._order.fontMetrics(), self._order.currentText()
        chars = ceil(metrics.horizontalAdvance(text) / metrics.horizontalAdvance("X"))
        self._order.setMinimumContentsLength(min(max(MIN_ORDER_CHARS, chars), MAX_ORDER_CHARS))

    def _fold(self) -> None:
        self._fit_order()
        if self.isVisible():
            # before the row is laid out, its width is arbitrary
            self.folded_parts = parts_to_fold(FOLD_ORDER, self._needed_width, self.width())
        self._filter.fold(VALUES in self.folded_parts)
        text = self._shown_title(self.folded_parts)
        if self.title.text() != text:
            self.title.setText(text)
        self.count.setText(self._counts[COUNT in self.folded_parts])
        self._show_parts()

    def _show_parts(self) -> None:
        short = VALUES in self.folded_parts
        self._labelled_order.setVisible(self._has_order and not short)
        self.sort.setVisible(self._has_order and short)
        self.sort.setToolTip(plain_tooltip(self._order.currentText()))
        self._labelled_system.setVisible(self._has_system and SYSTEM not in self.folded_parts)
        self._summary_box.setVisible(self._summary is not None and SUMMARY not in self.folded_parts)
        self.menu_button.setVisible(self._needs_menu(self.folded_parts))

    def _needs_menu(self, folded: Sequence[str]) -> bool:
        return (SUMMARY in folded and self._has_summary) or (SYSTEM in folded and self._has_system)

    def _shown_title(self, folded: Sequence[str]) -> str:
        metrics, title = self.fontMetrics(), self._title
        if TITLE in folded:
            width = metrics.horizontalAdvance("0") * FOLDED_TITLE_CHARS
            title = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, width)
        return f"{title}  ✕".replace("&", "&&") if title else ""

    def _needed_width(self, folded: Sequence[str], search: int = 0) -> int:
        """Return the width in pixels that the row needs with the parts `folded`.

        `search` is the width of the search field; if it is 0, `PREFERRED_SEARCH_CHARS` determines the width.
        """
        metrics = self.fontMetrics()
        widths = [search or metrics.horizontalAdvance("0") * PREFERRED_SEARCH_CHARS]
        widths.append(self._filter.needed_width(folded=VALUES in folded))
        widgets = [button for button in self._buttons if not button.isHidden()]
        if self._has_order:
            widgets.append(self.sort if VALUES in folded else self._labelled_order)
        if self._has_system and SYSTEM not in folded:
            widgets.append(self._labelled_system)
        if self._has_summary and SUMMARY not in folded and self._summary is not None:
            widgets.append(self._summary[0])
        if self._needs_menu(folded):
            widgets.append(self.menu_button)
        widths += [max(part.sizeHint().width(), part.minimumSizeHint().width()) for part in widgets]
        widths.append(metrics.horizontalAdvance(self._counts[COUNT in folded]) + 1)
        if not self.title.isHidden():
            text = metrics.horizontalAdvance(self._shown_title(folded)) - metrics.horizontalAdvance(self.title.text())
            widths.append(self.title.sizeHint().width() + text)
        return sum(widths) + GAP * len(widths) + 2 * SIDE_MARGIN
