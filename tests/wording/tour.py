"""Goes through every view of the real window and writes down what it says: `python -m tests.wording.tour OUT`.

In a process of its own, because a language is set before the first text is made. What is written (JSON): texts that are
shown without the marks of the pseudo-language, and marked ones that are cut off.
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
from PySide6.QtGui import QAction, QFontMetrics, QFontMetricsF, QPainter
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
from tests.wording.pseudo import BEGIN, END, unmarked

TOOLS = Path(__file__).parents[2] / "tools"
WORD = re.compile(r"[^\W\d_]{2,}")
ROLES = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole,
    Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole,
)  # fmt: skip
ARROW, FRAME = 24, 8
"""Pixels beside the text of a box with an arrow, and of a line."""
OF_SEGMENTS = (
    "qe_desktop.ui.inspect.reader.word_layout", "qe_desktop.ui.inspect.reader.segment_",
    "qe_desktop.ui.inspect.reader.tooltips", "qe_desktop.ui.inspect.segment_list.segment_",
)  # fmt: skip
"""Modules that paint or hold the words of segments, which are in the languages of the corpus."""
WITH_SEGMENTS = ("qe_desktop.ui.files.importing.import_dialog", "qe_desktop.ui.inspect.postedit.history_dialog")
"""What holds tables of segments: a file's first ones, and what one was."""
WHOLE_ON_HOVER = ("qe_desktop.ui.widgets.labels",)
"""Where what is shortened stands in the tool tip, and only facts beside other things are."""


class Heard:
    """What was said so far, and where."""

    def __init__(self) -> None:
        self.left_out: dict[str, str] = {}
        self.cut: dict[str, str] = {}
        self.marked: set[str] = set()
        self.view = ""
        self.settled = False

    def text(self, text: object, where: str) -> None:
        """One text that is shown or spoken."""
        if not isinstance(text, str):
            return
        if BEGIN in text:
            self.marked.add(text)
        if WORD.search(unmarked(text)):
            self.left_out.setdefault(text, f"{self.view}: {where}")

    def room(self, text: str, has: float, needs: float, where: str) -> None:
        """How wide a text is and how wide its place."""
        if self.settled and BEGIN in text and needs > has + 1:
            self.cut.setdefault(text, f"{self.view}: {where} {has:.0f} of {needs:.0f}")


heard = Heard()


def listen() -> None:
    """Hear what is painted by our own widgets, and what they shorten."""
    draw, painter = QPainter.drawText, QPainter
    elide = {kind: kind.elidedText for kind in (QFontMetrics, QFontMetricsF)}

    def drawn(self: QPainter, *args: Any) -> Any:
        where = str(sys._getframe(1).f_globals.get("__name__"))
        text = next((arg for arg in args if isinstance(arg, str)), "")
        # what was shortened was heard whole
        if not where.startswith(OF_SEGMENTS) and text.count(BEGIN) == text.count(END):
            heard.text(text, where)
        place = args[0]
        flags = next((int(arg) for arg in args[1:] if isinstance(arg, int | Qt.AlignmentFlag | Qt.TextFlag)), 0)
        if isinstance(place, QRect | QRectF) and BEGIN in text:
            bounds = self.fontMetrics().boundingRect(QRectF(place).toRect(), flags, text)
            if flags & int(Qt.TextFlag.TextWordWrap):
                heard.room(text, place.height(), bounds.height(), f"{where} (height)")
            else:
                heard.room(text, place.width(), bounds.width(), where)
        return draw(self, *args)

    def shortened(kind: type) -> Callable[..., str]:
        def elided(self: Any, text: str, *args: Any) -> str:
            short: str = elide[kind](self, text, *args)
            where = str(sys._getframe(1).f_globals.get("__name__"))
            if not where.startswith(OF_SEGMENTS):
                heard.text(text, where)
            if short != text and where not in WHOLE_ON_HOVER:
                heard.room(text, len(short), len(text) + 2, f"{where} shortens")
            return short

        return elided

    painter.drawText = drawn  # type: ignore[method-assign,assignment]
    for kind in elide:
        kind.elidedText = shortened(kind)  # type: ignore[attr-defined]


def hear(widget: QWidget) -> None:
    """What one widget says, in every place where it says something, and whether it has the room."""
    where = f"{type(widget).__module__}.{type(widget).__name__} {widget.objectName()}".strip()
    for text in (*of_all(widget), *of_kind(widget)):
        heard.text(text, where)
    above = (widget.parent(), None if widget.parent() is None else widget.parent().parent())
    of_segments = any(type(one).__module__ in WITH_SEGMENTS for one in above)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None and not of_segments:
        for text in of_model(widget.model()):
            heard.text(text, where)
    if widget.isVisible() and not widget.visibleRegion().isEmpty():
        room_of(widget, where)


def of_all(widget: QWidget) -> Iterator[str]:
    """What any widget may say."""
    yield widget.windowTitle()
    yield plain(widget.toolTip())
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    yield widget.statusTip()
    for action in widget.actions():
        yield from of_action(action)


def of_kind(widget: QWidget) -> Iterator[str]:
    """What stands on a widget of its kind."""
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QGroupBox):
        yield widget.title()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    elif isinstance(widget, QTabBar):
        yield from (widget.tabText(place) for place in range(widget.count()))
    elif isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        yield widget.placeholderText()


def of_action(action: QAction) -> Iterator[str]:
    """What a command says; the keys behind it are not said."""
    keys = f"({action.shortcut().toString()})"
    for text in (action.text(), plain(action.toolTip()), action.statusTip()):
        yield text.removesuffix(keys)


def of_model(model: QAbstractItemModel) -> Iterator[object]:
    """What cells and headings say; the texts of segments are in the languages of the corpus."""
    segments = type(model).__module__.startswith(OF_SEGMENTS)
    rows = 0 if segments else min(50, model.rowCount())
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for role in ROLES:
        found = [model.index(row, column).data(role) for row in range(rows) for column in range(columns)]
        found += [model.headerData(place, Qt.Orientation.Horizontal, role) for place in range(columns)]
        found += [model.headerData(place, Qt.Orientation.Vertical, role) for place in range(rows)]
        yield from (plain(text) if isinstance(text, str) else text for text in found)


def plain(tip: str) -> str:
    """A tool tip without the span that stands around it."""
    return html.unescape(re.sub(r"</?span>", "", tip))


def room_of(widget: QWidget, where: str) -> None:
    """Whether what stands on a widget is seen whole."""
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        room_of_cells(widget, where)
    if isinstance(widget, QLabel | QAbstractButton):
        shown = widget.visibleRegion().boundingRect().width()
        heard.room(widget.text(), shown, widget.width(), f"{where} (beyond its window)")
    if isinstance(widget, QLabel) and not any(kind.__name__ == "ElidedLabel" for kind in type(widget).__mro__):
        if widget.wordWrap():
            heard.room(widget.text(), widget.height(), widget.heightForWidth(widget.width()), f"{where} (height)")
        else:
            heard.room(widget.text(), widget.width(), widget.sizeHint().width(), where)
    elif isinstance(widget, QAbstractButton):
        heard.room(widget.text(), widget.width(), widget.minimumSizeHint().width(), where)
    elif isinstance(widget, QComboBox):
        text = widget.currentText()
        heard.room(text, widget.width() - ARROW, widget.fontMetrics().horizontalAdvance(text), where)
    elif isinstance(widget, QLineEdit) and not widget.text() and widget.toolTip() != widget.placeholderText():
        text = widget.placeholderText()
        heard.room(text, widget.width() - FRAME, widget.fontMetrics().horizontalAdvance(text), where)


def room_of_cells(view: QAbstractItemView, where: str) -> None:
    """Whether the cells on screen are seen whole, where Qt draws them; what draws them itself was heard."""
    model = view.model()
    for row in range(min(50, model.rowCount())):
        for at in [model.index(row, 0), *(model.index(below, 0, model.index(row, 0)) for below in range(20))]:
            text, place = at.data(), view.visualRect(at)
            if isinstance(text, str) and not place.isEmpty():
                heard.room(text, place.width(), view.fontMetrics().horizontalAdvance(text), f"{where} (cell)")


def ours(window: QWidget) -> Iterator[QWidget]:
    """A window and what stands in it, but for names of fonts, and menus of the plotting library that nobody opens."""
    yield window
    for widget in window.findChildren(QWidget):
        above: QObject | None = widget
        while above is not None and not isinstance(above, QMenu | QFontComboBox):
            above = above.parent()
        if above is None:
            yield widget


def main() -> int:
    """Hear all views, write down what was heard."""
    program.apply_language_setting()
    sys.path.insert(0, str(TOOLS))
    from driver import Driver
    from rating_tour import rating_tour
    from reviewing_tour import reviewing_tour
    from screenshots import discard, driver_samples, tour

    class Listener(Driver):
        """Looks at every widget where a picture would be taken."""

        def save(self, name: str) -> None:
            heard.view = name
            self.settle()
            heard.settled = True
            super().save(name)
            for window in QApplication.topLevelWidgets():
                if window.isVisible():
                    for widget in ours(window):
                        hear(widget)
            for known in self.shell.commands.actions():
                for text in of_action(self.shell.commands[known.id]):
                    heard.text(text, f"the command {known.id}")
            heard.settled = False

    out = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as settings:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(settings) / "settings.ini")
        listen()
        driver = Listener(out, (1280, 800), "light")
        rating_tour(driver)
        reviewing_tour(driver, Path(driver_samples()), discard)
        tour(driver)
        discard(driver)
        driver.shell.close()
    found = {"left_out": heard.left_out, "cut": heard.cut, "marked": sorted(heard.marked)}
    (out / "heard.json").write_text(json.dumps(found, ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
