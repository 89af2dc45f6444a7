"""Page that lists all shortcuts by group and lets the user search and change them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.action_registry import Action, ActionRegistry, ShortcutConflict, display_shortcut
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label, scaled_font
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.tables.table_model import ModelIndex
from qe_desktop.ui.widgets.tables.table_view import soften_selection


class KeyField(QWidget):
    """Field for changing the first shortcut of a command; hidden until `show_for_command` is called."""

    keys_entered = Signal(list)
    """Emitted when the user confirms a change; the argument is the new list of all shortcuts of the command."""
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._other_keys: list[str] = []
        self._label = Label()
        self._edit = QKeySequenceEdit()
        self._edit.setMaximumSequenceLength(1)
        self._edit.setClearButtonEnabled(True)
        self._edit.setAccessibleName(tr("New shortcut"))
        row = hbox(self._label, Stretched(self._edit, 1), on=self, gap=8)
        for button, handler in (
            (FlatButton(tr("Set"), primary=True), self._emit_keys),
            (FlatButton(tr("Remove")), self._remove_keys),
            (FlatButton(tr("Cancel")), self._leave),
        ):
            button.clicked.connect(handler)
            row.addWidget(button)
        self.hide()

    def show_for_command(self, name: str, keys: Sequence[str]) -> None:
        """Show the field for a command whose current shortcuts are `keys`."""
        self._other_keys = list(keys[1:])
        self._label.setText(tr("{command}: press the new shortcut", command=name))
        self._edit.setKeySequence(QKeySequence(keys[0]) if keys else QKeySequence())
        self.show()
        self._edit.setFocus()

    def _emit_keys(self) -> None:
        text = self._edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        self.keys_entered.emit([text, *self._other_keys] if text else list(self._other_keys))

    def _remove_keys(self) -> None:
        self.keys_entered.emit([])

    def _leave(self) -> None:
        self.hide()
        self.closed.emit()


ID_ROLE = Qt.ItemDataRole.UserRole
KEYS_ROLE = Qt.ItemDataRole.UserRole + 1
_ABOUT = tr(
    "Shortcuts of an area, such as Inspect or Scores, work while that area is shown. To change a shortcut, select "
    "its row and press Enter."
)


class _KeysDelegate(QStyledItemDelegate):
    """Delegate that paints shortcuts as keys, with vertical padding."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        """Return the size of an item, with vertical padding."""
        size = super().sizeHint(option, index)
        return QSize(size.width(), option.fontMetrics.height() + 14)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw the item as usual, and its shortcuts as keys."""
        super().paint(painter, option, index)
        keys = index.data(KEYS_ROLE)
        if keys:
            shortcut_hints.paint_keys(painter, keys, option.rect.adjusted(8, 0, -8, 0), option.font, right=False)


class ShortcutPage(QWidget):
    """Page that lists the actions with their shortcuts; the actions of the area on screen come first.

    Pressing Enter or double-clicking a row opens a field for the first shortcut of its action.
    """

    def __init__(self, registry: ActionRegistry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._registry = registry
        self._find = QLineEdit()
        self._find.setPlaceholderText(tr("Find a command or shortcut…"))
        self._find.setAccessibleName(tr("Find a command or shortcut"))
        self._find.setClearButtonEnabled(True)
        self._find.addAction(icons.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._find.textChanged.connect(self._filter)
        self._tree = self._make_tree()
        self._hint = Label(wraps=True)
        self._field = KeyField(self)
        self._field.keys_entered.connect(self._set_keys)
        self._field.closed.connect(self._tree.setFocus)
        vbox(self._find, Stretched(self._tree, 1), self._field, self._hint, self._buttons(), on=self, gap=8, margins=16)
        self._fill()
        self._on_selection_changed()
        self.setFocusProxy(self._find)

    def wanted_width(self) -> int:
        """Return the width in pixels of the longest action name plus 48 digits for shortcuts; at least 100 digits."""
        metrics = self.fontMetrics()
        longest = max(metrics.horizontalAdvance(action.text) for action in self._registry.actions())
        return max(metrics.horizontalAdvance("0") * 100, longest + metrics.horizontalAdvance("0") * 48)

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.setRootIsDecorated(False)
        tree.setItemsExpandable(False)
        tree.setIndentation(12)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setAllColumnsShowFocus(True)
        tree.setUniformRowHeights(True)
        tree.setAccessibleName(tr("Shortcuts"))
        tree.setItemDelegate(_KeysDelegate(tree))
        soften_selection(tree)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        tree.header().setMinimumSectionSize(self.fontMetrics().horizontalAdvance("0") * 34)
        tree.header().setStretchLastSection(False)
        tree.currentItemChanged.connect(self._on_selection_changed)
        tree.itemActivated.connect(self._change)
        return tree

    def _buttons(self) -> QHBoxLayout:
        self._change_button = FlatButton(tr("Change shortcut…"))
        self._change_button.clicked.connect(self._change)
        self._reset_button = FlatButton(tr("Reset shortcut"))
        self._reset_button.clicked.connect(self._reset)
        reset_all = FlatButton(tr("Reset all"))
        reset_all.clicked.connect(self._reset_all)
        return hbox(self._change_button, self._reset_button, reset_all, StretchSpace(), gap=8)

    def _fill(self) -> None:
        chosen = self._selected_action()
        self._tree.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        for action in self._registry.actions_by_relevance():
            group = groups.get(action.group)
            if group is None:
                group = QTreeWidgetItem([action.group])
                group.setFlags(Qt.ItemFlag.ItemIsEnabled)
                group.setFont(0, scaled_font(1.0, bold=True))
                groups[action.group] = group
                self._tree.addTopLevelItem(group)
                group.setFirstColumnSpanned(True)
            item = self._item(action)
            group.addChild(item)
            if chosen is not None and action.id == chosen.id:
                self._tree.setCurrentItem(item)
        self._tree.expandAll()
        self._filter(self._find.text())

    def _item(self, action: Action) -> QTreeWidgetItem:
        keys = self._registry.listed_keys(action.id)
        item = QTreeWidgetItem([self._registry.text(action.id), ""])
        item.setData(0, ID_ROLE, action.id)
        item.setData(1, KEYS_ROLE, keys)
        spoken = ", ".join(map(display_shortcut, keys)) or tr("no shortcut")
        item.setData(1, Qt.ItemDataRole.AccessibleTextRole, spoken)
        item.setToolTip(1, tr("Custom shortcut") if self._registry.is_customized(action.id) else "")
        return item

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        groups = [self._tree.topLevelItem(row) for row in range(self._tree.topLevelItemCount())]
        for group in filter(None, groups):
            items = [item for item in map(group.child, range(group.childCount())) if item is not None]
            for item in items:
                row_text = (
                    f"{group.text(0)} {item.text(0)} {item.data(1, Qt.ItemDataRole.AccessibleTextRole)}".casefold()
                )
                item.setHidden(not all(word in row_text for word in words))
            group.setHidden(all(item.isHidden() for item in items))

    def _selected_action(self) -> Action | None:
        item = self._tree.currentItem()
        id = item.data(0, ID_ROLE) if item is not None else None
        return self._registry.action(id) if id else None

    def _on_selection_changed(self) -> None:
        action = self._selected_action()
        missing = tr("Select a command first.") if action is None else ""
        usual = action is not None and not self._registry.is_customized(action.id)
        set_needs(self._change_button, missing)
        set_needs(
            self._reset_button, missing or (tr("The shortcut of this command has not been changed.") if usual else "")
        )
        self._field.hide()
        self._hint.setText("" if action is not None else _ABOUT)

    def _change(self) -> None:
        action = self._selected_action()
        if action is not None:
            self._hint.setText("")
            self._field.show_for_command(self._registry.text(action.id), self._registry.keys(action.id))

    def _set_keys(self, keys: Sequence[str]) -> None:
        if self._assign_keys(keys):
            self._field.hide()
            self._tree.setFocus()

    def _reset(self) -> None:
        action = self._selected_action()
        if action is not None:
            self._assign_keys(action.keys)

    def _assign_keys(self, keys: Sequence[str]) -> bool:
        """Set the shortcuts of the selected command; return whether they were set, and show any conflict."""
        action = self._selected_action()
        if action is None:
            return False
        try:
            self._registry.set_keys(action.id, keys)
        except ShortcutConflict as taken:
            self._hint.setText(str(taken))
            return False
        self._fill()
        return True

    def _reset_all(self) -> None:
        self._registry.reset_all_keys()
        self._fill()
