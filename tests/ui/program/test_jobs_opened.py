"""What a person must say before translators' files and texts of any name open, and what is said of what is not read."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from qe_desktop.corpus import TextRole
from qe_desktop.formats import Role
from qe_desktop.formats.bilingual import ColumnChoice, parse_document
from qe_desktop.ui.files.importing.plan_model import PlanColumn
from tests.formats.bilingual.test_given_for_a_corpus import TMX
from tests.formats.bilingual.workbook import SHEET, packed, parts
from tests.ui.driving import Desk, drive
from tests.ui.program.jobs import correct, saves


def drop(controller: Desk, *paths) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(300, 300), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    )
    controller.shell.dropEvent(event)


def rows(controller: Desk) -> list[list[str]]:
    table = controller.wiring.opener.sheet.panel.rows
    return [
        [table.item(row, column).text() for column in range(table.columnCount())] for row in range(table.rowCount())
    ]


def test_two_texts_of_any_names_dropped_on_the_start_page_are_asked_about(qtbot, tmp_path):
    """Their names do not tell what they are: that was a dead end."""
    english, german = tmp_path / "english.txt", tmp_path / "german.txt"
    english.write_text("One word\nTwo\n")
    german.write_text("Ein Wort\nZwei\n")

    def script(controller):
        drop(controller, english, german)
        yield lambda: controller.wiring.opener.sheet is not None
        sheet = controller.wiring.opener.sheet
        assert "The names of 2 texts do not show their roles" in sheet._summary.text()
        assert not sheet.open_button.isEnabled()
        assert sheet.table.currentIndex().row() == 0
        yield lambda: rows(controller) == [["One word"], ["Two"], [""]]
        for row, role in enumerate((Role.SOURCE, Role.MT)):
            assert sheet.model.setData(sheet.model.index(row, PlanColumn.USE), (role, None))
        assert sheet.open_button.isEnabled()
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield controller.is_open
        corpus = controller.workspace.corpus
        assert corpus.text(TextRole.SOURCE)[0] == "One word"
        assert corpus.text(TextRole.MT)[1] == "Zwei"

    assert drive([], script) == 0


def test_languages_of_a_memory_are_chosen_in_the_sheet(qtbot, tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX)

    def script(controller):
        yield lambda: controller.wiring.opener.sheet is not None
        sheet = controller.wiring.opener.sheet
        assert "memory.tmx contains several languages" in sheet._summary.text()
        assert not sheet.open_button.isEnabled()
        panel = sheet.panel
        assert [panel.target.itemText(place) for place in range(panel.target.count())] == ["select…", "en", "de", "fr"]
        assert panel.source.currentText() == "en"
        panel.target.setCurrentIndex(3)
        panel.target.activated.emit(3)
        assert sheet.open_button.isEnabled()
        yield lambda: rows(controller) == [["One", "Un"]]
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield controller.is_open
        assert controller.workspace.corpus.mt_line(0) == "Un"

    assert drive([str(tmp_path / "memory.tmx")], script) == 0


def test_columns_of_a_table_are_chosen_in_the_sheet(qtbot, tmp_path):
    (tmp_path / "glossary.csv").write_text("Key;English;German\n1;One;Eins\n")

    def script(controller):
        yield lambda: controller.wiring.opener.sheet is not None
        sheet = controller.wiring.opener.sheet
        assert "the source and target columns of glossary.csv" in sheet._summary.text()
        yield lambda: rows(controller) == [["1", "One", "Eins"]]
        for box, place in ((sheet.panel.source, 2), (sheet.panel.target, 3)):
            assert not sheet.open_button.isEnabled()
            box.setCurrentIndex(place)
            box.activated.emit(place)
        yield lambda: rows(controller) == [["One", "Eins"]]
        assert sheet.model.index(0, PlanColumn.MEANING).data() == "English → German"
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield controller.is_open
        assert controller.workspace.corpus.source_line(0) == "One"

    assert drive([str(tmp_path / "glossary.csv")], script) == 0


def test_columns_of_a_workbook_are_chosen_in_the_sheet_and_it_is_saved(qtbot, tmp_path):
    """Of two sheets that both have a source and a target."""
    book = tmp_path / "book.xlsx"
    book.write_bytes(packed(parts(other=SHEET)))

    def script(controller):
        yield lambda: controller.wiring.opener.sheet is not None
        sheet = controller.wiring.opener.sheet
        assert "the source and target columns of book.xlsx" in sheet._summary.text()
        yield lambda: rows(controller)[:1] == [["source", "target", "", "notes"]]
        panel = sheet.panel
        for box, name in ((panel.source, "Text!source"), (panel.target, "Text!target")):
            assert not sheet.open_button.isEnabled()
            box.setCurrentIndex(box.findText(name))
            box.activated.emit(box.currentIndex())
        yield lambda: rows(controller)[:1] == [["Press “Stop”.", "Stopp drücken."]]
        QTest.mouseClick(sheet.open_button, Qt.MouseButton.LeftButton)
        yield controller.is_open
        correct(controller, 0, "Halt.")
        yield saves(controller)

    assert drive([str(book)], script) == 0
    document = parse_document(book.read_bytes(), "book", ColumnChoice("Text!source", "Text!target"))
    assert (document.segments[0].target_line, document.segments[0].name) == ("Halt.", "Text!B2")
    other = parse_document(book.read_bytes(), "book", ColumnChoice("Read me!source", "Read me!target"))
    assert other.segments[0].target_line == "Stopp drücken."


def test_what_is_not_read_is_named(qtbot, tmp_path):
    (tmp_path / "manual.pdf").write_bytes(b"%PDF-1.7\n")

    def script(controller):
        yield lambda: controller.shell.notices.notices()
        assert controller.shell.notices.notices()[0].message.title == "this is a PDF, which is not supported"
        assert controller.workspace.session is None

    assert drive([str(tmp_path / "manual.pdf")], script) == 0


def test_a_named_file_that_has_no_use_is_seen_before_the_others_open(qtbot, tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX.replace('<tuv xml:lang="fr"><seg>Un</seg></tuv>', ""))
    (tmp_path / "manual.pdf").write_bytes(b"%PDF-1.7\n")

    def script(controller):
        yield lambda: controller.wiring.opener.sheet is not None
        sheet = controller.wiring.opener.sheet
        place = next(row for row, file in enumerate(sheet.model.plan.files) if file.foreign)
        assert sheet.model.index(place, PlanColumn.REMARKS).data() == "this is a PDF, which is not supported"
        assert sheet.open_button.isEnabled()
        sheet.reject()
        yield lambda: controller.wiring.opener.sheet is None

    assert drive([str(tmp_path / "memory.tmx"), str(tmp_path / "manual.pdf")], script) == 0


def test_a_bilingual_file_without_segments_is_named(qtbot, job):
    """Beside one with segments, and beside plain texts."""
    empty = job.with_name("empty.xlf")
    empty.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" datatype="plaintext" '
        'source-language="en" target-language="de"><body></body></file></xliff>'
    )

    def script(controller: Desk):
        yield controller.is_open
        told = "1 bilingual file has no segments to translate: empty.xlf"
        yield lambda: any(told in notice.message.spoken() for notice in controller.shell.notices.notices())
        assert len(controller.workspace.corpus.job.files) == 2

    assert drive([str(job), str(empty)], script) == 0
