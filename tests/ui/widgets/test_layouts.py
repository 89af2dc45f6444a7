"""Layout helpers, placeholder pages, progress panels and matrix legends."""

from __future__ import annotations

from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QLayout, QLayoutItem, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import (
    FixedSpace,
    Stretched,
    StretchSpace,
    hbox,
    layout_widgets,
    make_scroll_area,
    make_splitter,
    vbox,
    wrap_layout,
)
from qe_desktop.ui.widgets.legends import MatrixLegend, MatrixLegendSwatch
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage, StateAction
from qe_desktop.ui.widgets.progress_bar import ProgressPanel

AGAIN = StateAction("again", "Try again")


def test_layout_helpers_set_spacing_margins_and_stretch(qtbot: QtBot) -> None:
    holder, first, second = QWidget(), QLabel("one"), QLabel("two")
    qtbot.addWidget(holder)
    inner = hbox(first, StretchSpace(2), gap=3)
    layout = vbox(inner, FixedSpace(7), Stretched(second, 4), on=holder, gap=5, margins=(1, 2, 3, 4))
    margins = layout.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (1, 2, 3, 4)
    assert (layout.spacing(), inner.spacing(), inner.stretch(1), layout.stretch(2)) == (5, 3, 2, 4)
    assert layout.direction() == QBoxLayout.Direction.TopToBottom
    assert first.parentWidget() is second.parentWidget() is holder
    assert wrap_layout(vbox()).layout().contentsMargins().isNull()


def _items() -> int:
    """Return the number of layout items that Python refers to and considers valid."""
    return sum(
        isinstance(value, QLayoutItem) and not isinstance(value, QLayout) for value in shiboken6.getAllValidWrappers()
    )


def test_widgets_of_a_layout_are_listed_without_its_items(qtbot: QtBot) -> None:
    holder, placed = QWidget(), [QLabel() for _ in range(3)]
    qtbot.addWidget(holder)
    layout = vbox(hbox(placed[0], vbox(placed[1])), StretchSpace(), placed[2], on=holder)
    QLabel("not in the layout", holder)
    before = _items()
    assert layout_widgets(layout) == placed
    assert _items() == before


def test_python_keeps_an_item_that_qt_deletes(qtbot: QtBot) -> None:
    """The reason why `itemAt` of a layout is never called; if this fails, PySide has been fixed."""
    holder, label = QWidget(), QLabel()
    qtbot.addWidget(holder)
    layout = hbox(label, on=holder)
    before = _items()
    assert layout.itemAt(0).widget() is label
    label.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert (layout.count(), _items()) == (0, before + 1)


def test_items_of_layouts_are_not_requested() -> None:
    folder = Path(theme.__file__).parent
    callers = [path.name for path in sorted(folder.rglob("*.py")) if ".itemAt" in path.read_text(encoding="utf-8")]
    assert callers == []


def test_splitter_panes_cannot_be_collapsed(qtbot: QtBot) -> None:
    split = make_splitter(Qt.Orientation.Vertical, QLabel(), QLabel(), shares=(0, 1))
    qtbot.addWidget(split)
    assert not split.childrenCollapsible()
    assert [split.widget(index).sizePolicy().verticalStretch() for index in range(2)] == [0, 1]


@pytest.mark.parametrize("centred", [False, True])
def test_placeholder_page_shows_its_state_and_actions(qtbot: QtBot, centred: bool) -> None:
    page = PlaceholderPage(icon="scores", centred=centred)
    qtbot.addWidget(page)
    page.show_state(EmptyState("Nothing", "There is nothing.", (AGAIN,)))
    assert (page.title.text(), page.text.text(), list(page.buttons)) == ("Nothing", "There is nothing.", ["again"])
    with qtbot.waitSignal(page.requested) as request:
        qtbot.keyClick(page, Qt.Key.Key_Return)
    assert request.args == ["again"]
    page.show_state(EmptyState("Still", "", icon=""))
    assert not page.buttons
    assert page.text.isHidden()
    assert page.icon_label.isHidden()


def test_progress_panel_shows_progress_and_can_stop(qtbot: QtBot) -> None:
    panel = ProgressPanel("Progress", "Cancel")
    qtbot.addWidget(panel)
    assert panel.isHidden()
    panel.show_progress("Counting…", 0.256)
    assert (panel._text.text(), panel._bar.value(), panel._bar.accessibleName()) == ("Counting…", 26, "Progress")
    with qtbot.waitSignal(panel.stopped):
        panel._stop.click()


def test_legend_explains_the_signs_that_occur(qtbot: QtBot) -> None:
    other = {SignificanceLevel.IDENTICAL: "identical", SignificanceLevel.UNTESTED: "not tested"}
    legend = MatrixLegend(other)
    qtbot.addWidget(legend)

    def explained(signs: str) -> list[str]:
        legend.explain("holm", 0.05, {level for level in SignificanceLevel if level.sign in signs})
        texts = [swatch.text for swatch in legend.findChildren(MatrixLegendSwatch) if not swatch.isHidden()]
        assert texts.pop() == "column − row"
        return texts

    assert explained("●◐○=") == ["adjusted p < .01", "adjusted p ≤ .05", "not significant", "identical"]
    assert "equals sign, identical; below the diagonal, column − row" in legend.accessibleName()
    assert explained("●–") == ["adjusted p < .01", "not tested"]
    spoken = "filled circle, adjusted p < .01; dash, not tested; below the diagonal, column − row"
    assert legend.accessibleName() == f"Legend: {spoken}"


def test_scrolled_notes_show_only_whole_lines(qtbot: QtBot) -> None:
    area = make_scroll_area(Label("\n".join("note" for _ in range(30)), wraps=True), whole_lines=True)
    qtbot.addWidget(area)
    line = area.fontMetrics().lineSpacing()
    area.show()
    for height in (5 * line, 5 * line + 7, 3 * line - 1):
        area.resize(200, height)
        qtbot.waitUntil(lambda height=height: area.viewport().height() == height // line * line)
