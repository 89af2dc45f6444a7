"""Panel with the texts of a segment, and the header bar above them.

In a narrow window, parts of the header are hidden or move to a menu, in the order of `FOLD_ORDER`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QAction, QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QWidget

from qe_desktop.corpus import Provenance
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import shortcut_text, with_shortcut
from qe_desktop.ui.icons import icon
from qe_desktop.ui.inspect.fold_bar import FoldBar
from qe_desktop.ui.inspect.postedit.review_feature import ReviewFeature
from qe_desktop.ui.inspect.postedit.status_symbols import can_reopen
from qe_desktop.ui.inspect.postedit.target_panel import TargetPanel
from qe_desktop.ui.inspect.reader.segment_descriptions import scores_tooltip
from qe_desktop.ui.inspect.reader.segment_pane import SegmentPane
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_scores_table import SegmentScoresTable, has_scores_only
from qe_desktop.ui.inspect.tag_threshold_toolbar import TagThresholdToolbar
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.widgets.buttons import BarButton, MenuButton, add_combo_items
from qe_desktop.ui.widgets.control_bar import parts_to_fold
from qe_desktop.ui.widgets.form_controls import make_tool_button, set_needs
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, tooltip_of_lines
from qe_desktop.ui.widgets.layouts import (
    Stretched,
    StretchSpace,
    hbox,
    layout_widgets,
    set_side_margins,
    vbox,
    wrap_layout,
)
from qe_desktop.ui.widgets.tables.table_delegate import PADDING

GAP, SIDE_MARGIN, VERTICAL_MARGIN = 8, 16, 4
"""Distances in pixels: between the controls, from the left and right edges, and from the top and bottom edges."""
REOPEN = "reopen"
MENU_BUTTONS = ("note", "history", REOPEN)
"""Names of the segment commands that are only in the menu; `REOPEN` only if the segment can be reopened."""
KEYS = "keys"
"""Name of a part of the header: the shortcuts shown on the command buttons."""
SCORE, STATISTICS, LAYER, KIND, REJECT, DOCUMENT = "score", "figures", "layer", "kind", "reject", "document"
FOLD_ORDER = (KEYS, SCORE, STATISTICS, LAYER, KIND, REJECT, DOCUMENT)
"""Parts in the order in which they are hidden or move to the menu as the window becomes narrower."""


class SegmentHeaderBar(QWidget):
    """Bar that identifies the segment shown in the reader and contains the controls for tags and review."""

    legend_requested = Signal(bool)
    """Emitted to show or hide the legend."""

    def __init__(self, reader: SegmentTagEditor, tags: TagThresholdToolbar, panel: TargetPanel) -> None:
        super().__init__()
        self._reader, self._panel, self._tags = reader, panel, tags
        self.number = Label()
        font = self.number.font()
        font.setBold(True)
        self.number.setFont(font)
        self.document, self.score = ElidedLabel(token="muted"), ElidedLabel(token="muted")
        self.menu_button = MenuButton("⋯", arrow=False)
        self.menu_button.setToolTip(tr("More commands for this segment"))
        self.menu_button.setAccessibleName(tr("More commands for this segment"))
        self.menu_button.popup.aboutToShow.connect(self.fill_menu)
        for name in MENU_BUTTONS:
            # without a parent it would be a window
            panel.buttons[name].setParent(self)
            panel.buttons[name].hide()
        self.legend = make_tool_button("?", tr("Explain the marks in this segment"), checkable=True)
        self.legend.setAccessibleName(tr("Legend"))
        self.legend.toggled.connect(self.legend_requested)
        self.lock = make_tool_button("", checkable=True)
        self.lock.setAutoRaise(True)
        self.lock.setAccessibleName(tr("Gold is locked"))
        self.lock.clicked.connect(reader.toggle_lock)
        self._separator = QFrame()
        self._separator.setFrameShape(QFrame.Shape.VLine)
        self._separator.setForegroundRole(QPalette.ColorRole.Mid)
        self._commands = [button for name, button in panel.buttons.items() if name not in MENU_BUTTONS]
        # the tag toolbar determines whether there is a choice of layer and kind
        self._layer, self._kind = (wrap_layout(hbox(box)) for box in (tags.target, tags.kind))
        self._parts: dict[str, QWidget] = {
            SCORE: self.score, STATISTICS: panel.statistics_label, LAYER: self._layer, KIND: self._kind,
            REJECT: panel.buttons["reject"], DOCUMENT: self.document,
        }  # fmt: skip
        self.folded_parts: Sequence[str] = ()
        """Names of the parts that are hidden or in the menu."""
        self._row: QBoxLayout = hbox(
            self.number, self.document, self.score, self._separator, self.lock, self._layer, self._kind,
            panel.statistics_label, StretchSpace(), panel.status, *self._commands, self.menu_button, self.legend,
            on=self, gap=GAP, margins=(0, VERTICAL_MARGIN, 0, VERTICAL_MARGIN),
        )  # fmt: skip
        set_side_margins(self._row, SIDE_MARGIN, SIDE_MARGIN)
        reader.laid_out.connect(self._show_segment)
        for signal in (reader.lock_changed, reader.workspace.target_changed, reader.workspace.opened):
            signal.connect(self._show_lock)
        panel.header_changed.connect(self._fit)
        for part in (panel, tags.target, tags.kind):
            part.installEventFilter(self)
        self._show_segment()
        self.show_shortcuts()
        self._show_controls()

    # --- menu

    def fill_menu(self) -> None:
        """Fill the menu with the parts that do not fit into the bar, and with the commands in `MENU_BUTTONS`."""
        menu, panel = self.menu_button.popup, self._panel
        menu.clear()
        for name, label in ((DOCUMENT, self.document), (SCORE, self.score), (STATISTICS, panel.statistics_label)):
            if name in self.folded_parts and label.text():
                menu.addAction(label.text().replace("&", "&&")).setEnabled(False)
        menu.setToolTipsVisible(True)
        for name, title, box in ((LAYER, tr("Layer"), self._tags.target), (KIND, tr("Tags"), self._tags.kind)):
            if name in self.folded_parts and self._has_choice(name):
                add_combo_items(menu.addMenu(title), box)
        view = self._reader.workspace.view
        is_reopenable = view is not None and can_reopen(view, self._reader.workspace.segment)
        for name in (*((REJECT,) if REJECT in self.folded_parts else ()), *MENU_BUTTONS):
            if name == REOPEN and not is_reopenable:
                continue
            button = panel.buttons[name]
            key = shortcut_text(f"inspect.{name}")
            action = QAction(f"{button.text()}\t{key}" if key else button.text(), menu)
            action.setToolTip(button.toolTip())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
            menu.addAction(action)

    def _has_choice(self, name: str) -> bool:
        return not (self._tags.target if name == LAYER else self._tags.kind).isHidden()

    # --- contents

    def show_shortcuts(self) -> None:
        """Show the current shortcuts on the buttons, and in the tooltips of the legend button and the lock."""
        for name, button in self._panel.buttons.items():
            button.set_key(shortcut_text(f"inspect.{name}"))
        self.legend.setToolTip(with_shortcut(tr("Explain the marks in this segment"), "inspect.legend"))
        self._show_lock()

    def _show_segment(self) -> None:
        page = self._reader.page
        set_needs(self, tr("No segment is shown.") if page is None else "")
        # document and score begin where the texts begin
        self.number.setMinimumWidth(0 if page is None else round(page.metrics.left - page.metrics.margin) - GAP)
        self.number.setText("" if page is None else f"{page.segment + 1:,}")
        self.document.setText("" if page is None else page.document)
        self.score.setText("" if page is None else page.score)
        lines = "" if page is None or not page.score else f"{page.header_text}\n{scores_tooltip(page)}".strip()
        self.score.setToolTip(tooltip_of_lines(lines) if lines else "")
        self._fit()

    def _show_lock(self) -> None:
        """Show the lock if edits would change gold tags; otherwise hide it."""
        target, locked = self._reader.workspace.target, self._reader.is_locked
        self.lock.setVisible(target is not None and target.provenance is Provenance.GOLD and self._tags.has_targets)
        self.lock.setChecked(locked)
        self.lock.setIcon(icon("lock" if locked else "unlock"))
        tooltip = tr("Unlock the gold to edit its tags") if locked else tr("Lock the gold")
        self.lock.setToolTip(with_shortcut(tooltip, "inspect.lock"))
        self._fit()

    def _show_controls(self) -> None:
        """Show the review status and the review commands if the target panel is shown; otherwise hide them."""
        visible = not self._panel.isHidden()
        for widget in (self._panel.status, self.menu_button, *self._commands):
            if widget is not self._panel.buttons[REJECT]:
                widget.setVisible(visible)
        self._fit()

    # --- size

    def _fit(self) -> None:
        """Hide, or move to the menu, as many parts as the width requires."""
        self.folded_parts = parts_to_fold(FOLD_ORDER, self._needed_width, self.width())
        for button in self._panel.buttons.values():
            button.fold_key(KEYS in self.folded_parts)
        for name, part in self._parts.items():
            part.setVisible(self._is_used(name) and name not in self.folded_parts)
        facts, controls = (self.document, self.score), (self.lock, self._layer, self._kind)
        has_controls = any(not part.isHidden() for part in controls) or bool(self._panel.statistics_label.text())
        self._separator.setVisible(has_controls and any(not part.isHidden() for part in facts))

    def _is_used(self, name: str) -> bool:
        """Return whether a part of the header has something to show."""
        if name in (LAYER, KIND):
            return self._has_choice(name)
        if name in (SCORE, DOCUMENT):
            return bool((self.score if name == SCORE else self.document).text())
        return not self._panel.isHidden()

    def _needed_width(self, folded: Sequence[str]) -> int:
        """Return the width in pixels that the bar needs without the `folded` parts."""
        parts = self._parts.items()
        unfolded = [part for name, part in parts if name not in folded and self._is_used(name)]
        fixed = [widget for widget in layout_widgets(self._row) if widget not in self._parts.values()]
        widgets = [widget for widget in fixed if widget is self._separator or not widget.isHidden()]
        widths = [_part_width(part, with_key=KEYS not in folded) + GAP for part in (*unfolded, *widgets)]
        return sum(widths) + 2 * SIDE_MARGIN - GAP

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move parts to the menu or back to the bar, depending on the new width."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the bar when the target panel, the layer combo box or the tag kind combo box is shown or hidden."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            if watched is self._panel:
                self._show_controls()
            else:
                self._show_lock()
        return False


def _part_width(part: QWidget, *, with_key: bool) -> int:
    """Return the width in pixels that a part of the header needs; a button includes its shortcut if `with_key`."""
    if isinstance(part, BarButton):
        return part.needed_width(with_key=with_key)
    return max(part.sizeHint().width(), part.minimumSizeHint().width(), part.minimumWidth())


class SegmentTextPanel(QWidget):
    """Panel with the texts of the current segment, a header bar above them and a fold bar below them."""

    def __init__(
        self,
        reader: SegmentTagEditor,
        comparison: TranslationComparisonPanel,
        review: ReviewFeature,
        tags: TagThresholdToolbar,
    ) -> None:
        super().__init__()
        panel = review.controller.panel
        self.pane = SegmentPane(reader, comparison, panel)
        self.fold_bar = FoldBar(reader, comparison)
        self.header = SegmentHeaderBar(reader, tags, panel)
        self.pane.space_distributed.connect(lambda: self.fold_bar.set_suppressed(reader.is_compact))
        self._reader = reader
        # the text in the cells, which have padding, is aligned with the segment number
        self._scores_row = hbox(margins=(SIDE_MARGIN - PADDING, 0, SIDE_MARGIN, 0))
        self._scores_box = wrap_layout(self._scores_row)
        self._scores_box.hide()
        # the hint is below the texts, so that they do not move when it disappears
        vbox(
            self.header, Stretched(self.pane, 1), Stretched(self._scores_box, 1), tags.no_tags_hint, self.fold_bar,
            on=self, gap=0,
        )  # fmt: skip
        reader.laid_out.connect(self._show_scores)
        reader.workspace.opened.connect(self._show_scores)

    @cached_property
    def scores(self) -> SegmentScoresTable:
        """Table of the scores of the segment, created when it is first shown, because few corpora need it."""
        table = SegmentScoresTable(self._reader.workspace.settings)
        self._scores_row.addWidget(table)
        table.show()
        return table

    def _show_scores(self) -> None:
        """Show the scores of the segment in place of the texts if the corpus has only scores."""
        workspace = self._reader.workspace
        has_only_scores = has_scores_only(workspace.corpus)
        self.pane.setVisible(not has_only_scores)
        self._scores_box.setVisible(has_only_scores)
        if has_only_scores and workspace.view is not None:
            self.scores.show_segment(workspace.view, workspace.segment)
