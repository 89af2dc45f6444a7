"""Questions before bilingual files and texts with unknown names open, and notices about files that are not read."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from qe_desktop.corpus import TextRole
from qe_desktop.formats import Role
from qe_desktop.formats.bilingual import ColumnChoice, parse_document
from qe_desktop.ui.files.importing.plan_model import PlanColumn
from tests.formats.bilingual.test_bilingual_import import TMX
from tests.formats.bilingual.workbook import SHEET, pack_workbook, workbook_parts
from tests.ui.program.bilingual_saving import edit_target, start_save
from tests.ui.program_driver import ProgramDriver, run_script


def drop_files(driver: ProgramDriver, *paths) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(300, 300), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    )
    driver.shell.dropEvent(event)


def rows(driver: ProgramDriver) -> list[list[str]]:
    table = driver.wiring.opener.sheet.panel.rows
    return [
        [table.item(row, column).text() for column in range(table.columnCount())] for row in range(table.rowCount())
    ]


def test_roles_of_two_dropped_texts_with_unknown_names_are_asked(qtbot, tmp_path):
    """Regression: texts whose names do not show their roles could not be opened."""
    english, german = tmp_path / "english.txt", tmp_path / "german.txt"
    english.write_text("One word\nTwo\n")
    german.write_text("Ein Wort\nZwei\n")

    def script(driver):
        drop_files(driver, english, german)
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        assert "The contents of 2 text files are not clear from their names" in sheet._summary.text()
        assert not sheet.open_button.isEnabled()
        assert sheet.table.currentIndex().row() == 0
        yield lambda: rows(driver) == [["One word"], ["Two"]]
        for row, role in enumerate((Role.SOURCE, Role.MT)):
            assert sheet.model.setData(sheet.model.index(row, PlanColumn.USE), (role, None))
        assert sheet.open_button.isEnabled()
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield driver.is_open
        corpus = driver.workspace.corpus
        assert corpus.text(TextRole.SOURCE)[0] == "One word"
        assert corpus.text(TextRole.MT)[1] == "Zwei"

    assert run_script([], script) == 0


def test_languages_of_a_translation_memory_are_selected_in_the_sheet(qtbot, tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX)

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        assert "memory.tmx contains several languages" in sheet._summary.text()
        assert not sheet.open_button.isEnabled()
        panel = sheet.panel
        assert [panel.target.itemText(index) for index in range(panel.target.count())] == ["select…", "en", "de", "fr"]
        assert panel.source.currentText() == "en"
        panel.target.setCurrentIndex(3)
        panel.target.activated.emit(3)
        assert sheet.open_button.isEnabled()
        yield lambda: rows(driver) == [["One", "Un"]]
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield driver.is_open
        assert driver.workspace.corpus.mt_line(0) == "Un"

    assert run_script([str(tmp_path / "memory.tmx")], script) == 0


def test_columns_of_a_table_are_selected_in_the_sheet(qtbot, tmp_path):
    (tmp_path / "glossary.csv").write_text("Key;English;German\n1;One;Eins\n")

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        assert "the source and target columns of glossary.csv" in sheet._summary.text()
        yield lambda: rows(driver) == [["1", "One", "Eins"]]
        for box, index in ((sheet.panel.source, 2), (sheet.panel.target, 3)):
            assert not sheet.open_button.isEnabled()
            box.setCurrentIndex(index)
            box.activated.emit(index)
        yield lambda: rows(driver) == [["One", "Eins"]]
        assert sheet.model.index(0, PlanColumn.MEANING).data() == "English → German"
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield driver.is_open
        assert driver.workspace.corpus.source_line(0) == "One"

    assert run_script([str(tmp_path / "glossary.csv")], script) == 0


def test_columns_of_a_workbook_are_selected_in_the_sheet_and_saved(qtbot, tmp_path):
    """The workbook has two sheets with source and target columns."""
    book = tmp_path / "book.xlsx"
    book.write_bytes(pack_workbook(workbook_parts(other=SHEET)))

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        assert "the source and target columns of book.xlsx" in sheet._summary.text()
        yield lambda: rows(driver)[:1] == [["source", "target", "", "notes"]]
        panel = sheet.panel
        for box, name in ((panel.source, "Text!source"), (panel.target, "Text!target")):
            assert not sheet.open_button.isEnabled()
            box.setCurrentIndex(box.findText(name))
            box.activated.emit(box.currentIndex())
        yield lambda: rows(driver)[:1] == [["Press “Stop”.", "Stopp drücken."]]
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield driver.is_open
        edit_target(driver, 0, "Halt.")
        yield start_save(driver)

    assert run_script([str(book)], script) == 0
    document = parse_document(book.read_bytes(), "book", ColumnChoice("Text!source", "Text!target"))
    assert (document.segments[0].target_line, document.segments[0].name) == ("Halt.", "Text!B2")
    other = parse_document(book.read_bytes(), "book", ColumnChoice("Read me!source", "Read me!target"))
    assert other.segments[0].target_line == "Stopp drücken."


def test_unsupported_file_is_reported(qtbot, tmp_path):
    (tmp_path / "manual.pdf").write_bytes(b"%PDF-1.7\n")

    def script(driver):
        yield lambda: driver.shell.notices.notices()
        assert driver.shell.notices.notices()[0].message.title == "This is a PDF, which is not supported"
        assert driver.workspace.session is None

    assert run_script([str(tmp_path / "manual.pdf")], script) == 0


def test_unsupported_file_among_others_is_shown_before_opening(qtbot, tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX.replace('<tuv xml:lang="fr"><seg>Un</seg></tuv>', ""))
    (tmp_path / "manual.pdf").write_bytes(b"%PDF-1.7\n")

    def script(driver):
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        index = next(row for row, file in enumerate(sheet.model.plan.files) if file.unsupported_type)
        assert sheet.model.index(index, PlanColumn.NOTES).data() == "this is a PDF, which is not supported"
        assert sheet.open_button.isEnabled()
        sheet.reject()
        yield lambda: driver.wiring.opener.sheet is None

    assert run_script([str(tmp_path / "memory.tmx"), str(tmp_path / "manual.pdf")], script) == 0


def test_bilingual_file_without_segments_is_reported(qtbot, job):
    """It is opened together with a file that has segments."""
    empty = job.with_name("empty.xlf")
    empty.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" datatype="plaintext" '
        'source-language="en" target-language="de"><body></body></file></xliff>'
    )

    def script(driver: ProgramDriver):
        yield driver.is_open
        expected = "1 bilingual file has no segments to translate: empty.xlf"
        yield lambda: any(expected in notice.message.plain_text() for notice in driver.shell.notices.notices())
        assert len(driver.workspace.corpus.job.files) == 2

    assert run_script([str(job), str(empty)], script) == 0
