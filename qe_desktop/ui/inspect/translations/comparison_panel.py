"""Comparison panel: toolbar and translations, connected to the settings and the `ComparisonHighlightService`."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import SideBySideRequest, possible_bases, text_label
from qe_desktop.ui.inspect.clipboard_text import segment_table
from qe_desktop.ui.inspect.reader.layout_metrics import LayoutMetrics, label_names
from qe_desktop.ui.inspect.reader.word_layout import AUTO, translations_direction
from qe_desktop.ui.inspect.translations.comparison_service import (
    USE_DEFAULT,
    ComparisonHighlightService,
    ComparisonOptions,
    default_marking,
    settings_key,
)
from qe_desktop.ui.inspect.translations.comparison_view import ComparisonLegend, TranslationComparisonView
from qe_desktop.ui.widgets.background_export import copy_text
from qe_desktop.ui.widgets.form_controls import make_combo_box, make_tool_button, set_combo_data, set_combo_items
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox


class ComparisonToolbar(QWidget):
    """Toolbar to select the comparison method, the text to compare with, and whether all texts are shown."""

    marking_chosen = Signal(str)
    """Emitted with the name of the selected comparison method, or with `USE_DEFAULT`."""
    base_chosen = Signal(str)
    """Emitted with the settings key of the selected text, or with `USE_DEFAULT`."""
    show_all_toggled = Signal(bool)
    """Emitted with True to show all texts, or with False to show only the first few."""

    def __init__(self) -> None:
        super().__init__()
        self.marking = make_combo_box(tr("Comparison method"))
        self.base = make_combo_box(tr("Compare with"), tr("Text that each translation is compared with"))
        self.all_button = make_tool_button("", checkable=True)
        for box in (self.marking, self.base):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        letter = self.fontMetrics().horizontalAdvance("0")
        for box, chars, min_chars in ((self.marking, 34, 18), (self.base, 22, 27)):
            box.setMinimumContentsLength(chars)
            # boxes shrink if texts are wide (large font, long words), so that the button fits
            box.setMinimumWidth(letter * min_chars)
        marks, with_label = QLabel(tr("Co&mpare by")), QLabel(tr("&with", "translations are marked against"))
        marks.setBuddy(self.marking)
        with_label.setBuddy(self.base)
        hbox(
            marks, self.marking, with_label, self.base, self.all_button, StretchSpace(), on=self, gap=8,
            margins=(16, 2, 16, 2),
        )  # fmt: skip
        self.marking.activated.connect(lambda: self.marking_chosen.emit(self.marking.currentData()))
        self.base.activated.connect(lambda: self.base_chosen.emit(self.base.currentData()))
        self.all_button.toggled.connect(self.show_all_toggled)

    def show_choices(self, request: SideBySideRequest, choices: ComparisonOptions, text_count: int) -> None:
        """Show the current options; `text_count` is the number of available texts."""
        marking, base = default_marking(request)
        metric = "" if request.scored is None else escape_label(request.scored.metric)
        default_title = tr("{metric}: {marking}", metric=metric, marking=marking.title) if metric else marking.title
        set_combo_items(
            self.marking, [(default_title, USE_DEFAULT), *((style.title, style.name) for style in DIFF_STYLES.values())]
        )
        set_combo_data(self.marking, choices.marking if choices.marking in DIFF_STYLES else USE_DEFAULT)
        self.marking.setToolTip(request.diff_style.description)
        first = tr("auto: {text}", text=escape_label(text_label(base)))
        bases = [(escape_label(text_label(key)), settings_key(key)) for key in possible_bases(request.texts)]
        set_combo_items(self.base, [(first, USE_DEFAULT), *bases])
        is_listed = any(value == choices.base for _, value in bases)
        set_combo_data(self.base, choices.base if is_listed else USE_DEFAULT)
        with QSignalBlocker(self.all_button):
            self.all_button.setChecked(choices.show_all)
        hidden = text_count - len(request.displayed_keys)
        self.all_button.setText(
            tr("Show fewer texts") if choices.show_all else tr("Show all {n:,} {n:text|texts}", "", text_count)
        )
        self.all_button.setVisible(choices.show_all or hidden > 0)


class TranslationComparisonPanel(QWidget):
    """Panel that compares translations and highlights their differences; its legend is in the legend popup."""

    exited = Signal()
    """Emitted when the focus should return to the segment list."""

    def __init__(self, service: ComparisonHighlightService) -> None:
        super().__init__()
        self.service = service
        self.is_folded = False
        """Whether the translations are folded (hidden); if they are the main content, they are shown nevertheless."""
        self.toolbar, self.view, self.legend = ComparisonToolbar(), TranslationComparisonView(), ComparisonLegend()
        vbox(self.toolbar, Stretched(self.view, 1), on=self, gap=0)
        self.view.described.connect(self.legend.show_description)
        self.view.copy_requested.connect(self.copy)
        self.view.exited.connect(self.exited)
        self.toolbar.marking_chosen.connect(self.set_marking)
        self.toolbar.base_chosen.connect(self.set_base)
        self.toolbar.show_all_toggled.connect(self._set_all_texts)
        service.changed.connect(self.refresh)
        service.workspace.settings.changed.connect(self._on_setting)

    def refresh(self) -> None:
        """Update the toolbar, translations and legend; must also be called after the panel was added to a layout."""
        service = self.service
        request, comparison = service.request, service.comparison
        has_lines = request is not None and comparison is not None and bool(comparison.lines)
        is_shown = has_lines and (service.are_main_content or not self.is_folded)
        self.setVisible(is_shown)
        self.legend.setVisible(is_shown and request is not None and bool(request.diff_style.signs))
        if request is not None and has_lines:
            self.toolbar.show_choices(request, service.choices, len(service.texts) - len(service.hidden_texts))
            self.legend.show_marking(request.diff_style)
        settings, view = service.workspace.settings, service.workspace.view
        direction = AUTO if view is None else translations_direction(view.corpus, service.workspace.segment, settings)
        self.view.show_texts(comparison if has_lines else None, self._measure(), direction, settings.decimals)

    def _measure(self) -> Callable[[float], LayoutMetrics]:
        """Return a function that uses the reading settings to compute the layout metrics for a width."""
        view, settings, font = self.service.workspace.view, self.service.workspace.settings, self.font()
        names = [*([] if view is None else label_names(view)), *self.service.names]
        return lambda width: LayoutMetrics.of(font, settings, names, width)

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/") or key == "view/decimals":
            self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Update the layout after a font change."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self.refresh()

    def fold(self, folded: bool) -> None:
        """Fold (hide) or unfold the translations."""
        if folded is not self.is_folded:
            self.is_folded = folded
            self.refresh()

    # --- commands

    def focus_view(self) -> None:
        """Move the focus to the translations if they are visible."""
        if self.isVisible():
            self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_marking(self, name: str) -> None:
        """Set and save the comparison method."""
        self.service.workspace.settings.marking = name

    def set_base(self, key: str) -> None:
        """Set and save the text to compare with, identified by its settings key."""
        self.service.workspace.settings.base = key

    def toggle_all_texts(self) -> None:
        """Toggle between showing all texts and only the first few; do nothing if there are no translations."""
        if self.service.request is not None:
            self._set_all_texts(not self.service.choices.show_all)

    def _set_all_texts(self, show_all: bool) -> None:
        self.service.workspace.settings.all_translations = show_all

    def copy(self) -> None:
        """Copy the displayed texts of the segment to the clipboard as TSV, with the source and scores if available."""
        comparison = self.service.comparison
        if comparison is not None:
            copy_text(segment_table(comparison).tsv())
