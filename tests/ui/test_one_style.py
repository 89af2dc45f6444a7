"""One style in the whole window: one kind of tabs, one place for messages, spacing in multiples of 4 pixels."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel

from qe_desktop.ui import theme
from qe_desktop.ui.widgets.lazy_stack import LazyTabWidget
from qe_desktop.ui.widgets.tabs import TabWidget

UI = Path(theme.__file__).parent
SOURCES = {path.relative_to(UI).as_posix(): path.read_text(encoding="utf-8") for path in sorted(UI.rglob("*.py"))}
DISTANCES = {0, 1, 2, 4, 8, 16, 24, 32}
"""Pixels between widgets and around them; 1 and 2 are lines."""


def test_all_tabs_are_of_one_kind():
    assert [name for name, text in SOURCES.items() if "QTabWidget" in text] == ["widgets/tabs.py"]


def test_messages_are_notices():
    calls = [name for name, text in SOURCES.items() if re.search(r"status(Bar\(\))?\.showMessage", text)]
    assert calls == []


SHORTCUT = re.compile(r"\b(?:(?:Ctrl|Alt|Shift)\+\w|F\d{1,2}\b|[Pp]ress [A-Z0-9]\b)")
HANDLED_BY_WIDGETS = {
    "In the reader: Ctrl+C", "In the list: Ctrl+C",
    "← →: change match, Enter: list options, Delete: exclude, Backspace: keep name, Ctrl+Enter: continue",
    "{name}. Enter saves; Shift+Enter starts a new line.",
    "To change “Used as”, “Read as” or a name, double-click it or press F2.",
    "To change “Used as” or “Read as”, double-click it or press F2.",
    "To change “Used as” or a name, double-click it or press F2.", "To change “Used as”, double-click it or press F2.",
}  # fmt: skip
"""Texts with keys that the user cannot change."""


@pytest.mark.parametrize("name", SOURCES)
def test_texts_take_shortcuts_from_the_registry(name):
    """Texts name the shortcuts that the user has (`shortcut_text`), not the default ones."""
    calls = [node for node in ast.walk(ast.parse(SOURCES[name])) if isinstance(node, ast.Call)]
    texts = [node.args[0] for node in calls if getattr(node.func, "id", "") == "tr" and node.args]
    values = [text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)]
    # measures such as F1-BAD are not keys
    named = [text for text in values if SHORTCUT.search(re.sub(r"\bF1(?=[- ,.]|$)", "", text))]
    assert set(named) <= HANDLED_BY_WIDGETS


LAYOUT_CALLS = ("vbox", "hbox", "FlowLayout")
SPACE_CALLS = ("FixedSpace", "setSpacing", "setHorizontalSpacing", "setVerticalSpacing")


def _distances(text: str) -> list[int]:
    """Return the distances in calls that create layouts, or set the spaces in them."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        values = [word.value for word in node.keywords if word.arg in ("gap", "line_gap", "margins")]
        values = values if name in LAYOUT_CALLS else list(node.args) if name in SPACE_CALLS else []
        numbers = [part for value in values for part in getattr(value, "elts", [value])]
        found += [number.value for number in numbers if isinstance(getattr(number, "value", None), int)]
    return found


@pytest.mark.parametrize("name", SOURCES)
def test_layouts_have_common_distances(name):
    assert set(_distances(SOURCES[name])) <= DISTANCES


def test_titles_of_tabs_are_never_cut(qtbot):
    tabs = TabWidget()
    qtbot.addWidget(tabs)
    for number in range(12):
        tabs.addTab(QLabel(str(number)), f"A rather long title {number}")
    tabs.resize(300, 200)
    tabs.show()
    bar = tabs.tabBar()
    widths = {bar.tabRect(index).width() for index in range(12)}
    assert min(widths) >= bar.fontMetrics().horizontalAdvance("A rather long title 1")
    # the size does not depend on which tab is current
    tabs.setCurrentIndex(7)
    assert {bar.tabRect(index).width() for index in range(12)} == widths


@pytest.mark.parametrize("kind", [TabWidget, LazyTabWidget])
def test_current_tab_has_a_line_in_the_accent_colour(qtbot, kind):
    tabs = kind()
    qtbot.addWidget(tabs)
    for title in ("One", "Two"):
        if kind is TabWidget:
            tabs.addTab(QLabel(title), title)
        else:
            tabs.add(title, title, lambda title=title: QLabel(title))
    tabs.resize(300, 200)
    tabs.show()
    bar = tabs.tabBar() if kind is TabWidget else tabs.bar.tabs["One"]
    bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    picture = bar.grab().toImage()
    width = bar.tabRect(0).width() if kind is TabWidget else bar.width()
    assert QColor(picture.pixel(width // 2, picture.height() - 2)) == theme.current().accent


@pytest.mark.parametrize("kind", [TabWidget, LazyTabWidget])
def test_unavailable_tabs_are_grey_but_the_current_one_is_not(qtbot, kind):
    tabs = kind()
    qtbot.addWidget(tabs)
    for title in ("Words", "Words again"):
        if kind is TabWidget:
            tabs.addTab(QLabel(title), title)
        else:
            tabs.add(title, title, lambda title=title: QLabel(title))
    tabs.resize(400, 200)
    tabs.show()
    bar = tabs.tabBar() if kind is TabWidget else tabs.bar

    def grey(index: int, is_grey: bool) -> None:
        if kind is TabWidget:
            bar.setTabEnabled(index, not is_grey)
            tabs.setCurrentIndex(0)
        else:
            list(bar.tabs.values())[index].set_reason("No words." if is_grey else "")

    before = bar.grab().toImage()
    grey(0, True)
    assert bar.grab().toImage() == before
    grey(1, True)
    assert bar.grab().toImage() != before
