"""Layouts, pages of words, and lines that say how far something is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, StretchSpace, hbox, make_splitter, vbox, wrap_layout
from qe_desktop.ui.widgets.matrix.matrix_legend import MatrixLegend, MatrixLegendSwatch
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage, StateAction
from qe_desktop.ui.widgets.progress_bar import ProgressPanel

AGAIN = StateAction("again", "Try again")


def test_a_layout_is_what_its_call_says(qtbot: QtBot) -> None:
    holder, one, two = QWidget(), QLabel("one"), QLabel("two")
    qtbot.addWidget(holder)
    inner = hbox(one, StretchSpace(2), gap=3)
    layout = vbox(inner, FixedSpace(7), Stretched(two, 4), on=holder, gap=5, margins=(1, 2, 3, 4))
    margins = layout.contentsMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (1, 2, 3, 4)
    assert (layout.spacing(), inner.spacing(), inner.stretch(1), layout.stretch(2)) == (5, 3, 2, 4)
    assert layout.direction() == QBoxLayout.Direction.TopToBottom
    assert one.parentWidget() is two.parentWidget() is holder
    assert wrap_layout(vbox()).layout().contentsMargins().isNull()


def test_parts_of_a_split_cannot_be_closed(qtbot: QtBot) -> None:
    split = make_splitter(Qt.Orientation.Vertical, QLabel(), QLabel(), shares=(0, 1))
    qtbot.addWidget(split)
    assert not split.childrenCollapsible()
    assert [split.widget(place).sizePolicy().verticalStretch() for place in range(2)] == [0, 1]


@pytest.mark.parametrize("centred", [False, True])
def test_a_page_offers_what_helps(qtbot: QtBot, centred: bool) -> None:
    page = PlaceholderPage(icon="scores", centred=centred)
    qtbot.addWidget(page)
    page.show_situation(EmptyState("Nothing", "There is nothing.", (AGAIN,)))
    assert (page.title.text(), page.text.text(), list(page.buttons)) == ("Nothing", "There is nothing.", ["again"])
    with qtbot.waitSignal(page.asked) as asked:
        qtbot.keyClick(page, Qt.Key.Key_Return)
    assert asked.args == ["again"]
    page.show_situation(EmptyState("Still", "", icon=""))
    assert not page.buttons
    assert page.text.isHidden()
    assert page.sign.isHidden()


def test_a_line_says_how_far_something_is_and_stops_it(qtbot: QtBot) -> None:
    line = ProgressPanel("Progress", "Cancel")
    qtbot.addWidget(line)
    assert line.isHidden()
    line.show_progress("Counting…", 0.256)
    assert (line._text.text(), line._bar.value(), line._bar.accessibleName()) == ("Counting…", 26, "Progress")
    with qtbot.waitSignal(line.stopped):
        line._stop.click()


def test_a_legend_has_one_swatch_a_sign_that_can_occur(qtbot: QtBot) -> None:
    legend = MatrixLegend(SignificanceLevel.IDENTICAL, "identical", differences=False)
    qtbot.addWidget(legend)
    legend.explain("holm", 0.05)
    shown = [swatch.text for swatch in legend.findChildren(MatrixLegendSwatch) if not swatch.isHidden()]
    assert len(shown) == 4
    assert shown[-1] == "identical"
    assert legend.accessibleName().endswith("equals sign, identical")
