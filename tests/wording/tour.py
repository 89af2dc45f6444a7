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

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QRect, QRectF, Qt
from PySide6.QtGui import QAction, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from qe_desktop import __main__ as program
from tests.wording.pseudo import BEGIN, unmarked

TOOLS = Path(__file__).parents[2] / "tools"
WORD = re.compile(r"[^\W\d_]{2,}")
ROLES = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole,
    Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole,
)  # fmt: skip
OF_SEGMENTS = ("qe_desktop.ui.inspect.words", "qe_desktop.ui.inspect.page", "qe_desktop.ui.inspect.segment")
"""Modules that paint or hold the words of segments, which are in the languages of the corpus."""


class Heard:
    """What was said so far, and where."""

    def __init__(self) -> None:
        self.left_out: dict[str, str] = {}
        self.cut: dict[str, str] = {}
        self.marked: set[str] = set()
        self.view = ""

    def text(self, text: object, where: str) -> None:
        """One text that is shown or spoken."""
        if not isinstance(text, str):
            return
        if BEGIN in text:
            self.marked.add(text)
        if WORD.search(unmarked(text)):
            self.left_out.setdefault(text[:300], f"{self.view}: {where}")

    def room(self, text: str, has: float, needs: float, where: str) -> None:
        """How wide a text is and how wide its place."""
        if BEGIN in text and needs > has + 1:
            self.cut.setdefault(text[:300], f"{self.view}: {where} {has:.0f} of {needs:.0f}")


heard = Heard()


def listen() -> None:
    """Hear what is painted by our own widgets, and what they shorten."""
    draw, painter = QPainter.drawText, QPainter
    elide = {kind: kind.elidedText for kind in (QFontMetrics, QFontMetricsF)}

    def drawn(self: QPainter, *args: Any) -> Any:
        where = str(sys._getframe(1).f_globals.get("__name__"))
        text = next((arg for arg in args if isinstance(arg, str)), "")
        if not where.startswith(OF_SEGMENTS):
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
            if short != text and BEGIN in text:
                heard.cut.setdefault(text[:300], f"{heard.view}: {sys._getframe(1).f_globals.get('__name__')} elides")
            return short

        return elided

    painter.drawText = drawn  # type: ignore[method-assign,assignment]
    for kind in elide:
        kind.elidedText = shortened(kind)  # type: ignore[attr-defined]


def hear(widget: QWidget) -> None:
    """What one widget says, in every place where it says something, and whether it has the room."""
    where = f"{type(widget).__module__}.{type(widget).__name__} {widget.objectName()}".strip()
    for text in (widget.windowTitle(), plain(widget.toolTip()), widget.accessibleName(), widget.statusTip()):
        heard.text(text, where)
    heard.text(widget.accessibleDescription(), where)
    for action in widget.actions():
        heard_action(action)
    if isinstance(widget, QLabel | QAbstractButton | QGroupBox):
        text = widget.title() if isinstance(widget, QGroupBox) else widget.text()
        heard.text(text, where)
        if widget.isVisible() and not widget.visibleRegion().isEmpty():
            _room_of(widget, text, where)
    if isinstance(widget, QComboBox):
        for place in range(widget.count()):
            heard.text(widget.itemText(place), where)
    if isinstance(widget, QTabBar):
        for place in range(widget.count()):
            heard.text(widget.tabText(place), where)
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        heard.text(widget.placeholderText(), where)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None and not where.startswith(OF_SEGMENTS):
        for text in of_model(widget.model()):
            heard.text(text, where)


def _room_of(widget: QWidget, text: str, where: str) -> None:
    if isinstance(widget, QLabel) and type(widget).__name__ != "ElidedLabel":
        if widget.wordWrap():
            heard.room(text, widget.height(), widget.heightForWidth(widget.width()), f"{where} (height)")
        else:
            heard.room(text, widget.width(), widget.sizeHint().width(), where)
    elif isinstance(widget, QAbstractButton | QGroupBox):
        heard.room(text, widget.width(), widget.minimumSizeHint().width(), where)


def heard_action(action: QAction) -> None:
    """What a command says."""
    for text in (action.text(), plain(action.toolTip()), action.statusTip()):
        heard.text(text, "an action")


def of_model(model: QAbstractItemModel) -> Iterator[object]:
    """What cells and headings say."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for role in ROLES:
        found = [
            model.index(row, column).data(role) for row in range(min(50, model.rowCount())) for column in range(columns)
        ]
        found += [model.headerData(place, Qt.Orientation.Horizontal, role) for place in range(columns)]
        found += [model.headerData(place, Qt.Orientation.Vertical, role) for place in range(min(50, model.rowCount()))]
        yield from (plain(text) if isinstance(text, str) else text for text in found)


def plain(tip: str) -> str:
    """A tool tip without the span that stands around it."""
    return html.unescape(re.sub(r"</?span>", "", tip))


def main() -> int:
    """Hear all views, write down what was heard."""
    program._speak()
    sys.path.insert(0, str(TOOLS))
    from driver import Driver
    from rating_tour import rating_tour
    from screenshots import discard, tour

    class Listener(Driver):
        """Looks at every widget where a picture would be taken."""

        def save(self, name: str) -> None:
            heard.view = name
            super().save(name)
            for window in QApplication.topLevelWidgets():
                if window.isVisible():
                    for widget in (window, *window.findChildren(QWidget)):
                        hear(widget)
            for action in self.shell.findChildren(QAction):
                heard_action(action)

    out = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as settings:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(settings) / "settings.ini")
        listen()
        driver = Listener(out, (1280, 800), "light")
        rating_tour(driver)
        tour(driver)
        discard(driver)
        driver.shell.close()
    found = {"left_out": heard.left_out, "cut": heard.cut, "marked": sorted(heard.marked)}
    (out / "heard.json").write_text(json.dumps(found, ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
