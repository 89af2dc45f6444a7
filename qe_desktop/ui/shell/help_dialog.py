"""Help dialog with the pages of keyboard shortcuts and glossary terms, and the dialog about the program."""

from __future__ import annotations

import platform
from collections.abc import Sequence

import PySide6
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from qe_desktop import __version__
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.action_registry import Action, ActionRegistry, ShortcutConflict, display_shortcut
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.shell.command_palette import synonymous_name
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.glossary.glossary_term import RATINGS, GlossaryTerm, matching_terms, metric_terms
from qe_desktop.ui.widgets.glossary.terms import TERMS
from qe_desktop.ui.widgets.labels import Label, scaled_font
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, StretchSpace, hbox, make_scroll_area, vbox, wrap_layout
from qe_desktop.ui.widgets.lazy_stack import LazyTabWidget
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
        self._none = Label(tr("No command or shortcut contains these words."), token="muted")
        self._none.hide()
        self._hint = Label(wraps=True)
        self._field = KeyField(self)
        self._field.keys_entered.connect(self._set_keys)
        self._field.closed.connect(self._tree.setFocus)
        vbox(
            self._find,
            self._none,
            Stretched(self._tree, 1),
            self._field,
            self._hint,
            self._buttons(),
            on=self,
            gap=8,
            margins=16,
        )
        self._fill()
        self._on_selection_changed()
        self.setFocusProxy(self._find)

    def wanted_width(self) -> int:
        """Return the preferred width in pixels: the longest action name plus 48 digits, but at least 100 digits."""
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
                    f"{group.text(0)} {item.text(0)} {synonymous_name(item.text(0))} "
                    f"{item.data(1, Qt.ItemDataRole.AccessibleTextRole)}"
                ).casefold()
                item.setHidden(not all(word in row_text for word in words))
            group.setHidden(all(item.isHidden() for item in items))
        self._none.setVisible(all(group is None or group.isHidden() for group in groups))

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


KEY = Qt.Key
_SCROLL_KEYS = (KEY.Key_Up, KEY.Key_Down, KEY.Key_PageUp, KEY.Key_PageDown)


class GlossaryPage(QWidget):
    """Page with a search field and the glossary terms in groups; arrow and page keys scroll the terms.

    The terms of the group `first_group`, if any, are listed first.
    """

    def __init__(self, parent: QWidget | None = None, *, first_group: str = "") -> None:
        super().__init__(parent)
        self._terms = sorted([*TERMS.values(), *metric_terms()], key=lambda term: term.group != first_group)
        self._find = QLineEdit()
        self._find.setPlaceholderText(tr("Find a term…"))
        self._find.setAccessibleName(tr("Find a term"))
        self._find.setClearButtonEnabled(True)
        self._find.addAction(icons.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._find.textChanged.connect(self.show_matching)
        self._find.installEventFilter(self)
        self._scroll: QScrollArea = make_scroll_area(QWidget())
        self._scroll.setAccessibleName(tr("Terms"))
        vbox(self._find, Stretched(self._scroll, 1), on=self, gap=8, margins=16)
        self.listed_terms: list[GlossaryTerm] = []
        self.show_matching("")
        self.setFocusProxy(self._find)

    def show_matching(self, text: str) -> None:
        """List the terms that contain every word of a text."""
        self.listed_terms = matching_terms(self._terms, text)
        parts: list[QWidget | FixedSpace | StretchSpace] = []
        group = ""
        for term in self.listed_terms:
            # search results are ordered by relevance, without headings
            if term.group != group and not text.strip():
                group = term.group
                parts += [FixedSpace(8), Label(group, scale=1.2, bold=True), FixedSpace(4)]
            parts += [Label(term.name, bold=True), Label(term.text, wraps=True, selectable=True), FixedSpace(8)]
        if not self.listed_terms:
            parts.append(Label(tr("No term contains these words."), token="muted"))
        self._scroll.setWidget(wrap_layout(vbox(*parts, StretchSpace(), gap=4, margins=(0, 0, 16, 0))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll the terms if Up, Down, Page Up or Page Down is pressed in the search field."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and KEY(event.key()) in _SCROLL_KEYS:
            bar = self._scroll.verticalScrollBar()
            pages = event.key() in (KEY.Key_PageUp, KEY.Key_PageDown)
            step = bar.pageStep() if pages else self.fontMetrics().lineSpacing() * 3
            bar.setValue(bar.value() + (step if event.key() in (KEY.Key_Down, KEY.Key_PageDown) else -step))
            return True
        return super().eventFilter(watched, event)


SHORTCUTS, GLOSSARY = "shortcuts", "glossary"


class HelpDialog(Dialog):
    """Dialog with two pages: shortcuts (F1) and glossary (Shift+F1). In the dialog, F1 and Ctrl+Tab switch pages.

    The glossary begins with the terms of ratings if `is_rating` is true.
    """

    def __init__(
        self, registry: ActionRegistry, parent: QWidget, page: str = SHORTCUTS, *, is_rating: bool = False
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Help"))
        self.shortcuts, self.glossary = ShortcutPage(registry), GlossaryPage(first_group=RATINGS if is_rating else "")
        self.pages = LazyTabWidget()
        self.pages.add(SHORTCUTS, tr("Keyboard shortcuts"), lambda: self.shortcuts)
        self.pages.add(GLOSSARY, tr("Glossary"), lambda: self.glossary)
        close = FlatButton(tr("Close"), primary=True)
        # Enter activates the selected row
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        buttons = wrap_layout(hbox(StretchSpace(), close, margins=(16, 0, 16, 16)))
        vbox(Stretched(self.pages, 1), buttons, on=self, gap=0)
        for keys in ("F1", "Ctrl+Tab"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.toggle_page)
        letter = self.fontMetrics().horizontalAdvance("0")
        width = self.shortcuts.wanted_width()
        self.resize(min(width, parent.width()), min(round(letter * 85), parent.height() - 48))
        self.pages.show_page(page)
        self.setFocusProxy(self.pages)
        self.pages.setFocus()

    def toggle_page(self) -> None:
        """Switch between the shortcuts and the glossary."""
        self.pages.show_page(GLOSSARY if self.pages.current == SHORTCUTS else SHORTCUTS)


class AboutDialog(Dialog):
    """Dialog about the program, with text that can be copied."""

    def __init__(self, settings: Settings, log_file: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About QE Desktop"))
        mark = QLabel()
        mark.setPixmap(icons.program_icon().pixmap(64, 64))
        versions = f"Python {platform.python_version()}, Qt {PySide6.__version__}, {platform.system()}"
        settings_text = tr("Settings: {file}", file=settings.path())
        log = tr("Log: {file}", file=log_file) if log_file else tr("Log: none in this run")
        close = FlatButton(tr("Close"), primary=True)
        close.setDefault(True)
        close.clicked.connect(self.reject)
        close.setFocus()
        words = vbox(
            Label(f"QE Desktop {__version__}", scale=1.4, bold=True),
            Label(tr("A desktop workbench for judging machine translation.")),
            Label(versions, token="muted", selectable=True),
            Label(f"{settings_text}\n{log}", token="muted", selectable=True),
            FixedSpace(8),
            Stretched(close, 0, Qt.AlignmentFlag.AlignRight),
            gap=8,
        )
        hbox(Stretched(mark, 0, Qt.AlignmentFlag.AlignTop), words, on=self, gap=16, margins=(24, 24, 24, 16))
