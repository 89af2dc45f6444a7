"""Tour through every view of the real window that records its texts: `python -m tests.wording.window_texts OUT`.

It runs in its own process because the language must be set before the first text is made. The JSON output has texts
without the marks of the pseudo-language, marked texts that are cut off, controls without an accessible name, and
changes that a project rejected.
"""

from __future__ import annotations

import html
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QAccessible, QAction, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFontComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from qe_desktop import __main__ as program
from tests.wording.pseudo_language import BEGIN, END, unmarked_parts

SEGMENT_TEXT = "segment-text"
"""Name of labels with the text of a segment; their module must not be imported before the language is set."""
TOOLS = Path(__file__).parents[2] / "tools"
WORD = re.compile(r"[^\W\d_]{2,}")
ROLES = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole,
    Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole,
)  # fmt: skip
ARROW, FRAME = 24, 8
"""Pixels around the text of a combo box (with its arrow) and of a line edit."""
SEGMENT_MODULES = (
    "qe_desktop.ui.inspect.reader.word_layout", "qe_desktop.ui.inspect.reader.segment_",
    "qe_desktop.ui.inspect.segment_list.segment_",
)  # fmt: skip
"""Modules that paint or contain words of segments, which are in the languages of the corpus."""
SEGMENT_TABLE_MODULES = (
    "qe_desktop.ui.files.importing.plan_widgets", "qe_desktop.ui.inspect.postedit.history_dialog",
)  # fmt: skip
"""Dialogs with tables of segments: the preview of a file, and the history of a segment."""
ELIDED_WITH_TOOLTIP = (
    "qe_desktop.ui.widgets.labels", "qe_desktop.ui.widgets.plots.plot_base",
    "qe_desktop.ui.inspect.postedit.target_warnings",
)  # fmt: skip
"""Modules whose elided texts are complete in the tooltip."""


class TourRecord:
    """Texts recorded so far, and where they were shown."""

    def __init__(self) -> None:
        self.left_out: dict[str, str] = {}
        self.cut: dict[str, str] = {}
        self.unnamed: dict[str, str] = {}
        self.marked: set[str] = set()
        self.view = ""
        self.settled = False

    def text(self, text: object, where: str) -> None:
        """Record a text that is shown or read by a screen reader."""
        if not isinstance(text, str):
            return
        if BEGIN in text:
            self.marked.add(text)
        if WORD.search(unmarked_parts(text)):
            self.left_out.setdefault(text, f"{self.view}: {where}")

    def check_fit(self, text: str, has: float, needs: float, where: str) -> None:
        """Record a text as cut off if it needs more pixels (or characters) than it has."""
        if self.settled and BEGIN in text and needs > has + 1:
            self.cut.setdefault(text, f"{self.view}: {where} {has:.0f} of {needs:.0f}")


record = TourRecord()


def shows_segment(widget: object) -> bool:
    """Return whether a widget is a label with the text of a segment."""
    return isinstance(widget, QWidget) and widget.objectName() == SEGMENT_TEXT


def patch_text_drawing() -> None:
    """Patch Qt's functions that draw and elide text, so that texts painted by own widgets are recorded."""
    draw, painter = QPainter.drawText, QPainter
    elide = {kind: kind.elidedText for kind in (QFontMetrics, QFontMetricsF)}

    def drawn(self: QPainter, *args: Any) -> Any:
        frame = sys._getframe(1)
        where = str(frame.f_globals.get("__name__"))
        text = next((arg for arg in args if isinstance(arg, str)), "")
        if shows_segment(frame.f_locals.get("self")):
            return draw(self, *args)
        # elided texts were recorded whole before
        if not where.startswith(SEGMENT_MODULES) and text.count(BEGIN) == text.count(END):
            record.text(text, where)
        target = args[0]
        flags = next((int(arg) for arg in args[1:] if isinstance(arg, int | Qt.AlignmentFlag | Qt.TextFlag)), 0)
        if isinstance(target, QRect | QRectF) and BEGIN in text:
            bounds = self.fontMetrics().boundingRect(QRectF(target).toRect(), flags, text)
            if flags & int(Qt.TextFlag.TextWordWrap):
                record.check_fit(text, target.height(), bounds.height(), f"{where} (height)")
            else:
                record.check_fit(text, target.width(), bounds.width(), where)
        return draw(self, *args)

    def shortened(kind: type) -> Callable[..., str]:
        def elided(self: Any, text: str, *args: Any) -> str:
            short: str = elide[kind](self, text, *args)
            frame = sys._getframe(1)
            where = str(frame.f_globals.get("__name__"))
            if not where.startswith(SEGMENT_MODULES) and not shows_segment(frame.f_locals.get("self")):
                record.text(text, where)
            if short != text and where not in ELIDED_WITH_TOOLTIP:
                record.check_fit(text, len(short), len(text) + 2, f"{where} shortens")
            return short

        return elided

    painter.drawText = drawn  # type: ignore[method-assign,assignment]
    for kind in elide:
        kind.elidedText = shortened(kind)  # type: ignore[attr-defined]


def record_widget(widget: QWidget) -> None:
    """Record every text of a widget, and whether its texts fit."""
    where = f"{type(widget).__module__}.{type(widget).__name__} {widget.objectName()}".strip()
    if shows_segment(widget):
        return
    for text in (*common_texts(widget), *widget_texts(widget)):
        record.text(text, where)
    above = (widget.parent(), None if widget.parent() is None else widget.parent().parent())
    of_segments = any(type(widget_above).__module__ in SEGMENT_TABLE_MODULES for widget_above in above)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None and not of_segments:
        for text in model_texts(widget.model()):
            record.text(text, where)
    if widget.isVisible() and not widget.visibleRegion().isEmpty():
        check_room(widget, where)
        if is_unnamed(widget):
            record.unnamed.setdefault(where, record.view)


def is_unnamed(widget: QWidget) -> bool:
    """Return whether a widget takes the keyboard focus, but has no name for screen readers."""
    if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or not widget.isEnabled() or widget.focusProxy() is not None:
        return False
    accessible = QAccessible.queryAccessibleInterface(widget)
    # containers pass the focus on
    is_control = accessible is not None and accessible.role() != QAccessible.Role.Client
    return is_control and not accessible.text(QAccessible.Text.Name).strip()


def common_texts(widget: QWidget) -> Iterator[str]:
    """Yield the texts that every kind of widget has."""
    yield widget.windowTitle()
    yield plain_tooltip(widget.toolTip())
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    yield widget.statusTip()
    for action in widget.actions():
        yield from action_texts(action)


def widget_texts(widget: QWidget) -> Iterator[str]:
    """Yield the texts that only this kind of widget has."""
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(index) for index in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(index) for index in range(widget.count()))
    elif isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        yield widget.placeholderText()


def action_texts(action: QAction) -> Iterator[str]:
    """Yield the texts of an action without its shortcut."""
    keys = f"({action.shortcut().toString()})"
    for text in (action.text(), plain_tooltip(action.toolTip()), action.statusTip()):
        yield text.removesuffix(keys)


def model_texts(model: QAbstractItemModel) -> Iterator[object]:
    """Yield the texts of cells and headers; cells with segments are skipped."""
    segments = type(model).__module__.startswith(SEGMENT_MODULES)
    rows = 0 if segments else min(50, model.rowCount())
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for role in ROLES:
        result = [model.index(row, column).data(role) for row in range(rows) for column in range(columns)]
        result += [model.headerData(index, Qt.Orientation.Horizontal, role) for index in range(columns)]
        result += [model.headerData(index, Qt.Orientation.Vertical, role) for index in range(rows)]
        yield from (plain_tooltip(text) if isinstance(text, str) else text for text in result)


def plain_tooltip(tip: str) -> str:
    """Return the text of a tooltip without the span around it and with its line breaks."""
    return html.unescape(re.sub(r"</?span>", "", tip).replace("<br>", "\n"))


def check_room(widget: QWidget, where: str) -> None:
    """Record whether the texts of a widget fit."""
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        check_cell_room(widget, where)
    if isinstance(widget, QLabel | QAbstractButton):
        shown = widget.visibleRegion().boundingRect().width()
        record.check_fit(widget.text(), shown, widget.width(), f"{where} (beyond its window)")
    if isinstance(widget, QLabel) and not any(kind.__name__ == "ElidedLabel" for kind in type(widget).__mro__):
        if widget.wordWrap():
            record.check_fit(widget.text(), widget.height(), widget.heightForWidth(widget.width()), f"{where} (height)")
        else:
            record.check_fit(widget.text(), widget.width(), widget.sizeHint().width(), where)
    elif isinstance(widget, QAbstractButton):
        record.check_fit(widget.text(), widget.width(), widget.minimumSizeHint().width(), where)
    elif isinstance(widget, QComboBox):
        text = widget.currentText()
        record.check_fit(text, widget.width() - ARROW, widget.fontMetrics().horizontalAdvance(text), where)
    elif isinstance(widget, QLineEdit) and not widget.text() and widget.toolTip() != widget.placeholderText():
        text = widget.placeholderText()
        record.check_fit(text, widget.width() - FRAME, widget.fontMetrics().horizontalAdvance(text), where)


def check_cell_room(view: QAbstractItemView, where: str) -> None:
    """Record whether cells that Qt draws fit; delegates that draw text were recorded while drawing."""
    # not before the language is set
    from qe_desktop.ui.widgets.tables.table_model import PARTS_ROLE

    model = view.model()
    for row in range(min(50, model.rowCount())):
        for at in [model.index(row, 0), *(model.index(below, 0, model.index(row, 0)) for below in range(20))]:
            text, rect = at.data(), view.visualRect(at)
            if isinstance(text, str) and not rect.isEmpty():
                # a part of the text may be on a second line
                lines = [line for line in at.data(PARTS_ROLE) or () if line] or [text]
                needed = max(map(view.fontMetrics().horizontalAdvance, lines))
                record.check_fit(text, rect.width(), needed, f"{where} (cell)")


def own_widgets(window: QWidget) -> Iterator[QWidget]:
    """Yield a window and its widgets without font boxes and the unused menus of the plotting library."""
    yield window
    for widget in window.findChildren(QWidget):
        above: QObject | None = widget
        while above is not None and not isinstance(above, QMenu | QFontComboBox):
            above = above.parent()
        if above is None:
            yield widget


def main() -> int:
    """Record the texts of all views and write them to a file."""
    program.apply_language_setting()
    sys.path.insert(0, str(TOOLS))
    from driver import Driver
    from rating_tour import rating_tour
    from reviewing_tour import reviewing_tour
    from screenshots import discard, driver_samples, studies, tour

    from qe_desktop.project.store.spool import data_folder

    class Listener(Driver):
        """Driver that records the texts of every widget instead of only taking screenshots."""

        def save(self, name: str) -> None:
            record.view = name
            self.settle()
            record.settled = True
            super().save(name)
            for window in QApplication.topLevelWidgets():
                if window.isVisible():
                    for widget in own_widgets(window):
                        record_widget(widget)
            for known in self.shell.commands.actions():
                for text in action_texts(self.shell.commands[known.id]):
                    record.text(text, f"the command {known.id}")
            record.settled = False

    out = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as settings:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(settings) / "settings.ini")
        patch_text_drawing()
        driver = Listener(out, (1280, 800), "light")
        rating_tour(driver)
        reviewing_tour(driver, Path(driver_samples()), discard)
        tour(driver)
        studies(driver)
        discard(driver)
        driver.shell.close()
        rejected = [path.read_text(encoding="utf-8") for path in (data_folder() / "unsaved").glob("*.refused")]
    result = {
        "left_out": record.left_out, "cut": record.cut, "unnamed": record.unnamed, "marked": sorted(record.marked),
        "rejected": rejected,
    }  # fmt: skip
    (out / "heard.json").write_text(json.dumps(result, ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
