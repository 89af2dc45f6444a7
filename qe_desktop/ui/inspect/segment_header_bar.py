"""Header above the texts of a segment: its number and scores, the edited layer, its status and its commands."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from qe_desktop.corpus import Provenance
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.icons import icon
from qe_desktop.ui.inspect.postedit.target_panel import TargetPanel
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.reader.tooltips import scores_tooltip
from qe_desktop.ui.inspect.tag_threshold_toolbar import TagThresholdToolbar
from qe_desktop.ui.widgets.form_controls import make_tool_button
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox
from qe_desktop.ui.widgets.panel_button import MenuButton

GAP = 8
"""Distance between the controls in pixels."""
MENU_BUTTONS = ("note", "history")
"""Commands of a segment that are in the menu."""


class SegmentHeaderBar(QWidget):
    """Bar that names the segment of the reader and contains the controls of its tags and of its review."""

    legend_wanted = Signal(bool)
    """Emitted to show or hide the legend."""

    def __init__(
        self, reader: SegmentTagEditor, tags: TagThresholdToolbar, panel: TargetPanel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._reader, self._panel = reader, panel
        self.number = Label()
        font = self.number.font()
        font.setBold(True)
        self.number.setFont(font)
        self.facts = ElidedLabel(token="muted")
        self.more = MenuButton("⋯", arrow=False)
        self.more.setToolTip(tr("More commands for this segment"))
        self.more.setAccessibleName(tr("More commands for this segment"))
        self._fill_menu(self.more.popup)
        self.legend = make_tool_button("?", tr("Show the signs in this segment"), checkable=True)
        self.legend.setAccessibleName(tr("Legend"))
        self.legend.toggled.connect(self.legend_wanted)
        self.lock = make_tool_button("", checkable=True)
        self.lock.setAutoRaise(True)
        self.lock.setAccessibleName(tr("Gold is locked"))
        self.lock.clicked.connect(reader.toggle_lock)
        self._line = QFrame()
        self._line.setFrameShape(QFrame.Shape.VLine)
        self._commands = [button for name, button in panel.buttons.items() if name not in MENU_BUTTONS]
        hbox(
            self.number, self.facts, self._line, self.lock, tags.target, tags.kind, Stretched(panel.figures, 1),
            panel.status, *self._commands, self.more, self.legend, on=self, gap=GAP, margins=(16, 5, 16, 5),
        )  # fmt: skip
        reader.laid_out.connect(self._show_segment)
        for signal in (reader.lock_changed, reader.workspace.target_changed, reader.workspace.opened):
            signal.connect(self._show_lock)
        panel.installEventFilter(self)
        self._show_segment()
        self._show_lock()
        self._show_controls()

    def _fill_menu(self, menu: QMenu) -> None:
        for name in MENU_BUTTONS:
            button = self._panel.buttons[name]
            action = QAction(button.text(), menu)
            action.setToolTip(button.toolTip())
            action.triggered.connect(button.click)
            menu.addAction(action)
            # without a parent it would be a window
            button.setParent(self)
            button.hide()

    def _show_segment(self) -> None:
        page = self._reader.page
        self.setEnabled(page is not None)
        # the facts begin where the texts begin
        self.number.setMinimumWidth(0 if page is None else round(page.sizes.left - page.sizes.margin) - GAP)
        self.number.setText("" if page is None else f"{page.segment + 1:,}")
        self.facts.setText("" if page is None else page.facts)
        tooltip = "" if page is None else scores_tooltip(page)
        self.facts.setToolTip(plain_tooltip(tooltip) if tooltip else "")
        self._line.setVisible(bool(page is not None and page.facts) and self._reader.shown.inspected.tag_editing)

    def _show_lock(self) -> None:
        """Show the lock if the gold is edited."""
        target, locked = self._reader.workspace.target, self._reader.is_locked
        self.lock.setVisible(
            target is not None and target.provenance is Provenance.GOLD and self._reader.shown.inspected.tag_editing
        )
        self.lock.setChecked(locked)
        self.lock.setIcon(icon("lock" if locked else "unlock"))
        self.lock.setToolTip(tr("Unlock the gold to edit its tags (L)") if locked else tr("Lock the gold (L)"))

    def _show_controls(self) -> None:
        """Show the status and the commands of the review with its panel."""
        for widget in (self._panel.status, self._panel.figures, *self._commands, self.more):
            widget.setVisible(not self._panel.isHidden())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the panel of the review."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._show_controls()
        return False
