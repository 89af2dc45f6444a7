"""Tracker of the view that a page describes: the selections of its other tables are muted."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.ui import theme
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.tables.description_line import DescribedViewTracker
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableModel, text_column
from qe_desktop.ui.widgets.tables.table_view import DescribedTableView


def test_table_with_the_focus_is_described_and_the_other_selection_is_muted(tmp_path, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = text_column("name", "", lambda name: TableCell(name, f"about {name}"), "name")
    tables = []
    for names in (("a", "b"), ("c", "d")):
        model = TableModel((column,))
        model.show_rows([[TableCell(name, f"about {name}")] for name in names], (column,))
        table = DescribedTableView(model, Settings(str(tmp_path / "settings.ini")), "names", page)
        table.fit()
        tables.append(table)
    vbox(*tables, on=page)
    tracker = DescribedViewTracker(page)
    for table in tables:
        table.setCurrentIndex(table.model().index(1, 0))
    # without a focus in either, both look active
    assert all(table.is_described for table in tables)
    page.resize(300, 300)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    heard = []
    for table in tables:
        table.described.connect(heard.append)
    for table, name in zip(reversed(tables), "db", strict=True):
        table.setFocus(Qt.FocusReason.TabFocusReason)
        assert tracker.focused_view() is table
        assert heard[-1].endswith(f"about {name}")
        for other in tables:
            image = other.viewport().grab().toImage()
            middle = other.rowViewportPosition(1) + other.rowHeight(1) // 2
            fill = theme.current().selection if other is table else theme.current().raised
            assert image.pixelColor(other.columnWidth(0) - 6, middle) == fill
        # content that changes in the other table is not described
        (other,) = (other for other in tables if other is not table)
        heard.clear()
        other.model().dataChanged.emit(other.model().index(0, 0), other.model().index(1, 0))
        assert heard == []
