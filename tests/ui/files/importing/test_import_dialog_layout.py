"""Layout of the import dialog: hidden columns, column widths, row heights, and long messages."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats import Role, plan_imports
from qe_desktop.ui.files.importing.import_dialog import ImportDetailsDialog, ImportDialog
from qe_desktop.ui.files.importing.plan_model import PlanColumn, PlanModel
from qe_desktop.ui.files.importing.plan_widgets import PlanTable
from tests.ui.files.importing.plan_texts import row_of


def test_columns_remain_when_the_error_is_resolved_until_another_plan_is_shown(tmp_path, qtbot):
    """Regression: the notes disappeared with the error, so that the other columns moved."""
    for name in ("a.src", "a.mt", "a.tags"):
        (tmp_path / name).write_text("OK BAD\nOK\n")
    (plan,) = plan_imports([tmp_path])
    dialog = ImportDialog([plan], may_add=False, replaces="")
    qtbot.addWidget(dialog)
    table, model = dialog.table, dialog.model
    use = model.index(row_of(model, "a.tags"), PlanColumn.USE)
    assert table.isColumnHidden(PlanColumn.NOTES)
    dialog.show_error(QeError("Line 2 has 44 tags", place=SourceLocation(str(tmp_path / "a.tags"), 2)))
    assert not table.isColumnHidden(PlanColumn.NOTES)
    assert not table.isColumnHidden(PlanColumn.NAME)
    model.setData(use, (Role.IGNORED, None))
    assert not any(model.index(row, PlanColumn.NOTES).data() for row in range(model.rowCount()))
    assert not table.isColumnHidden(PlanColumn.NOTES)
    assert not table.isColumnHidden(PlanColumn.NAME)
    model.show_plan(plan)
    table.fit_columns()
    assert table.isColumnHidden(PlanColumn.NOTES)


def test_long_message_does_not_widen_the_dialog(folder, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    dialog = ImportDialog(plan_imports([folder]), may_add=False, replaces="", parent=window)
    dialog.show()
    before = dialog.width()
    dialog.show_error(QeError("it does not fit, and this is why: " * 12, hint="Change the file. " * 20))
    title = dialog.notices.current._title
    qtbot.waitUntil(lambda: title.height() > 2 * title.fontMetrics().height())
    assert dialog.width() == before
    assert title.width() < before


def test_columns_fit_into_the_table_and_empty_ones_are_hidden(tmp_path, qtbot):
    for name in ("sample.src", "sample.mt", "a-long-name-of-a-file-with-quality-tags.tags"):
        (tmp_path / name).write_text("OK BAD\nOK\n")
    (plan,) = plan_imports([tmp_path])
    dialog = ImportDetailsDialog(plan, (), {})
    qtbot.addWidget(dialog)
    dialog.show()
    table = dialog.table
    assert table.isColumnHidden(PlanColumn.NOTES)
    letter = table.fontMetrics().horizontalAdvance("0")
    for letters in (150, 70):
        dialog.resize(letter * letters, 400)
        QApplication.processEvents()
        assert table.horizontalHeader().length() <= table.viewport().width()


def test_cells_that_can_be_edited_have_an_arrow(folder, qtbot):
    (plan,) = plan_imports([folder])
    dialogs = ImportDialog([plan], may_add=False, replaces=""), ImportDetailsDialog(plan, (), {})
    pictures = []
    for dialog in dialogs:
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.table.setColumnWidth(PlanColumn.USE, 200)
        dialog.table.clearSelection()
        row = row_of(dialog.model, "a.tags")
        dialog.table.scrollTo(dialog.model.index(row, PlanColumn.USE))
        cell = dialog.table.visualRect(dialog.model.index(row, PlanColumn.USE))
        picture = dialog.table.viewport().grab(cell).toImage()
        line = [picture.pixel(x, cell.height() // 2) for x in range(cell.width() - 20, cell.width())]
        pictures.append(len(set(line)))
    assert pictures[0] > 1
    assert pictures[1] == 1


def test_notes_that_do_not_fit_are_wrapped(folder, qtbot):
    model = PlanModel(plan_imports([folder])[0])
    table = PlanTable(model)
    qtbot.addWidget(table)
    table.show()
    row, metrics = row_of(model, "broken.tags"), table.fontMetrics()
    note = model.index(row, PlanColumn.NOTES).data()
    heights = []
    for width in (2_000, 900):
        table.resize(width, 300)
        QApplication.processEvents()
        cell = table.visualRect(model.index(row, PlanColumn.NOTES))
        room = QRect(0, 0, cell.width() - 10, 2_000)
        assert metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, note).height() <= cell.height()
        heights.append(cell.height())
    assert heights[1] > heights[0]


def test_rows_whose_notes_fit_have_one_line(tmp_path, qtbot):
    paths = [tmp_path / "one-1.txt", tmp_path / "one-2.txt"]
    for path, text in zip(paths, ("One word\nTwo\n", "Ein Wort\nZwei\n"), strict=True):
        path.write_text(text, encoding="utf-8")
    dialog = ImportDialog(plan_imports(paths), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    table = dialog.table
    assert table.model().index(0, PlanColumn.NOTES).data()
    heights = {table.rowHeight(row) for row in range(table.model().rowCount())}
    assert heights == {table.verticalHeader().defaultSectionSize()}
    assert 1.5 * table.fontMetrics().height() <= max(heights) <= 2 * table.fontMetrics().height()
