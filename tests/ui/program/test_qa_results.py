"""List of QA check results through main(argv): opened, navigated and corrected by keys, updated, exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect import qa_results_controller as module
from qe_desktop.ui.widgets.buttons import LinkButton
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.program.bilingual_saving import edit_target, notice_titles
from tests.ui.program_driver import ProgramDriver, run_script

KEY, SHIFT = Qt.Key, Qt.KeyboardModifier.ShiftModifier
PAIRS = [
    ("with 340 men", "mit 430 Mann"),
    ("All is well.", "Alles ist gut."),
    ("the the word", "das Wort (so"),
    ("The same.", "Dasselbe."),
    ("The same.", "Dasselbe."),
    ("see %s now", "siehe jetzt"),
]
UNIT = '<trans-unit id="{}"><source>{}</source><target state="translated">{}</target></trans-unit>'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return xliff(tmp_path / "job.xlf", PAIRS)


def xliff(path: Path, pairs: list[tuple[str, str]]) -> Path:
    units = "\n".join(UNIT.format(number, *pair) for number, pair in enumerate(pairs))
    path.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" '
        f'target-language="de" datatype="plaintext"><body>{units}</body></file></xliff>'
    )
    return path


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


class ResultList:
    """The list of a window, as the user sees it."""

    def __init__(self, driver: ProgramDriver) -> None:
        self.jobs = driver.shell.jobs
        self.area = driver.shell.area("inspect")
        self.qa_results = self.area.review.qa_results
        self.panel = self.qa_results.panel
        self.edit = self.area.review.controller.panel.edit

    def is_ready(self) -> bool:
        return self.qa_results.is_open and not self.panel.progress.isVisible() and self.jobs.is_idle()

    def rows(self) -> list[tuple[int, str]]:
        return [(finding.segment, finding.check) for finding in self.panel.listed.items]

    def title(self) -> str:
        return self.panel.title.text()


ROWS = [(0, "numbers"), (2, "brackets"), (5, "placeholders")]
MESSAGE = "The QA checks returned 3 results in 3 segments of the MT"


def test_results_are_opened_walked_and_corrected_by_keys(qtbot, file):
    def script(driver):
        yield driver.is_open
        result_list = ResultList(driver)
        press(KEY.Key_F7)
        assert result_list.panel.isVisible()
        assert not result_list.area.view.isVisible()
        # the text stays on screen
        assert result_list.area.reader.isVisible()
        yield result_list.is_ready
        assert result_list.rows() == ROWS
        assert result_list.title() == "3 QA check results in 3 segments"
        assert QApplication.focusWidget() is result_list.panel.table
        press(KEY.Key_F7)
        assert (driver.workspace.segment, result_list.edit.hasFocus(), result_list.edit.cursor_offset()) == (0, True, 4)
        # the corrected number is no longer listed; the next key goes to the next result
        for _ in "430":
            press(KEY.Key_Delete)
        QTest.keyClicks(result_list.edit, "340")
        press(KEY.Key_F7)
        assert result_list.rows() == ROWS[1:]
        assert (driver.workspace.segment, result_list.edit.cursor_offset()) == (2, 9)
        press(KEY.Key_F7)
        assert (driver.workspace.segment, result_list.edit.cursor_offset()) == (5, len("siehe jetzt"))
        press(KEY.Key_F7, SHIFT)
        assert (driver.workspace.segment, result_list.edit.hasFocus()) == (2, True)
        press(KEY.Key_F7, SHIFT)
        assert driver.workspace.segment == 5
        assert notice_titles(driver) == ["Start of the QA check results; continued at the last result"]
        # from the editor to the list, then to the segments
        press(KEY.Key_Escape)
        assert QApplication.focusWidget() is result_list.panel.table
        press(KEY.Key_Up)
        assert (driver.workspace.segment, result_list.edit.isVisible()) == (2, False)
        press(KEY.Key_Return)
        assert (result_list.edit.hasFocus(), result_list.edit.cursor_offset()) == (True, 9)
        press(KEY.Key_Escape)
        press(KEY.Key_Escape)
        assert QApplication.focusWidget() is result_list.area.view
        assert not result_list.panel.isVisible()

    assert run_script([str(file)], script) == 0


def test_list_follows_confirmations_undo_and_identical_segments(qtbot, file):
    def script(driver):
        yield driver.is_open
        result_list = ResultList(driver)
        press(KEY.Key_F7)
        yield result_list.is_ready
        yield lambda: result_list.area.review.live_checks.is_ready
        edit_target(driver, 3, "Das  Gleiche.")
        assert result_list.rows() == [*ROWS[:2], (3, "spaces"), (4, "consistency"), ROWS[2]]
        driver.shell.commands["edit.undo"].trigger()
        assert result_list.rows() == ROWS
        edit_target(driver, 3, "Das Gleiche.", ReviewStatus.CONFIRMED)
        assert result_list.rows() == [*ROWS[:2], (4, "consistency"), ROWS[2]]
        assert not result_list.qa_results._is_outdated
        # what the checks find now is what a new run finds
        before = result_list.panel.listed.items
        result_list.panel.check_again_button.click()
        yield result_list.is_ready
        assert result_list.panel.listed.items == before

    assert run_script([str(file)], script) == 0


def test_many_edits_expire_the_list_until_the_key_is_pressed(qtbot, file, monkeypatch):
    monkeypatch.setattr(module, "MAX_UPDATED_SEGMENTS", 1)

    def script(driver):
        yield driver.is_open
        result_list = ResultList(driver)
        press(KEY.Key_F7)
        yield result_list.is_ready
        yield lambda: result_list.area.review.live_checks.is_ready
        targets = {0: "mit 340 Mann", 5: "siehe %s jetzt"}
        driver.workspace.session.reviewing.set({key: {ReviewField.TARGET: text} for key, text in targets.items()})
        assert result_list.title() == "Outdated: press F7 to check again"
        assert not result_list.panel.export.isEnabled()
        press(KEY.Key_F7)
        yield result_list.is_ready
        assert result_list.rows() == [ROWS[1]]
        # changed checks expire it, too; then nothing is left
        driver.shell.settings.disabled_checks = ["brackets"]
        assert result_list.title().startswith("Outdated")
        press(KEY.Key_F7)
        yield result_list.is_ready
        assert result_list.panel.placeholder.isVisible()
        assert result_list.panel.placeholder.title.text() == "No check found a problem"
        assert "Turned off: Brackets" in result_list.panel.placeholder.text.text()
        press(KEY.Key_Escape)
        assert QApplication.focusWidget() is result_list.area.view

    assert run_script([str(file)], script) == 0


def test_message_after_the_checks_and_their_menu_list_the_results_in_any_area(qtbot, file):
    def script(driver):
        yield driver.is_open
        result_list = ResultList(driver)
        commands, notices = driver.shell.commands, driver.shell.notices
        assert commands["inspect.next-found"] in driver.shell.menus.checks.actions()
        commands["view.area-scores"].trigger()
        commands["edit.qe-checks"].trigger()
        yield lambda: notices.current is not None
        assert notices.current.message.title == MESSAGE
        links = notices.current.findChildren(LinkButton)
        button = next(child for child in links if child.text() == "List the results (F7)")
        button.click()
        assert notices.current is None
        assert result_list.panel.isVisible()
        yield result_list.is_ready
        assert result_list.rows() == ROWS
        # the message is not left over in other files
        commands["edit.qe-checks"].trigger()
        yield lambda: notices.current is not None
        # notices of this event-loop iteration would remain
        yield lambda: True
        driver.workspace.close()
        assert not notice_titles(driver)

    assert run_script([str(file)], script) == 0


def test_run_can_be_cancelled_and_search_returns_to_the_segments(qtbot, file, monkeypatch):
    def script(driver):
        yield driver.is_open
        result_list = ResultList(driver)
        driver.shell.commands["inspect.next-found"].trigger()
        result_list.panel.stop_requested.emit()
        assert result_list.panel.placeholder.title.text() == "No up-to-date results"
        yield result_list.jobs.is_idle
        press(KEY.Key_F7)
        yield result_list.is_ready
        assert result_list.rows() == ROWS
        driver.shell.commands["edit.find"].trigger()
        assert not result_list.panel.isVisible()
        assert result_list.area.filters.search.hasFocus()
        # an edit while the list is closed expires it
        edit_target(driver, 0, "mit 340 Mann")
        press(KEY.Key_F7)
        yield result_list.is_ready
        assert result_list.rows() == ROWS[1:]
        driver.workspace.close()
        assert not result_list.qa_results.is_open

    assert run_script([str(file)], script) == 0


def test_listed_results_are_exported_as_page_and_table(qtbot, file, tmp_path, monkeypatch):
    paths = iter(["a.html", "b", "missing/c.tsv", ""])
    proposed_names: list[str] = []

    def ask(*arguments):
        proposed_names.append(Path(arguments[2]).name)
        name = next(paths)
        complete = arguments[-1]
        return (complete(str(tmp_path / name), "") if name else "", "")

    monkeypatch.setattr(FileDialog, "getSaveFileName", staticmethod(ask))

    def script(driver):
        yield driver.is_open
        result_list = ResultList(driver)
        press(KEY.Key_F7)
        yield result_list.is_ready
        result_list.panel.export_requested.emit("html")
        yield lambda: "a.html written: 3 QA check results" in notice_titles(driver)
        result_list.panel.check_combo_box.setCurrentIndex(result_list.panel.check_combo_box.findData("numbers"))
        result_list.panel.check_combo_box.activated.emit(result_list.panel.check_combo_box.currentIndex())
        result_list.panel.export_requested.emit("tsv")
        yield lambda: "b.tsv written: 1 QA check result" in notice_titles(driver)
        result_list.panel.export_requested.emit("tsv")
        yield lambda: driver.shell.notices.notices()[-1].message.kind == "error"
        result_list.panel.export_requested.emit("tsv")
        yield result_list.jobs.is_idle

    assert run_script([str(file)], script) == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "QA checks of job.xlf" in page
    assert page.count("<tr>") == 4
    assert [line.split("\t")[2] for line in (tmp_path / "b.tsv").read_text().splitlines()] == ["check", "numbers"]
    assert proposed_names == ["job.qa.html", "job.qa.tsv", "job.qa.tsv", "job.qa.tsv"]


def test_word_lists_apply_to_the_list_and_their_errors_are_shown_there(qtbot, file, tmp_path):
    terms, forbidden = tmp_path / "terms.csv", tmp_path / "words.txt"
    terms.write_text("well,wohl\n")
    forbidden.write_text("# list\nWort\n")

    def script(driver):
        yield driver.is_open
        result_list = ResultList(driver)
        driver.shell.settings.terms_file, driver.shell.settings.forbidden_words_file = str(terms), str(forbidden)
        press(KEY.Key_F7)
        yield result_list.is_ready
        assert set(result_list.rows()) - set(ROWS) == {(1, "terms"), (2, "forbidden")}
        # the same lists apply while a target is edited
        yield lambda: result_list.area.review.live_checks.is_ready
        assert "terms" in {issue.check for issue in result_list.area.review.live_checks.current.issues(1, "Alles gut.")}
        terms.write_text("well,wohl\nmen\n")
        result_list.panel.check_again_button.click()
        yield result_list.is_ready
        assert result_list.panel.placeholder.title.text() == "The QA checks could not run"
        assert (
            "terms.csv:2: the row must have both a source term and a target term"
            in result_list.panel.placeholder.text.text()
        )
        driver.shell.settings.terms_file = ""
        press(KEY.Key_F7)
        yield result_list.is_ready
        assert set(result_list.rows()) - set(ROWS) == {(2, "forbidden")}

    assert run_script([str(file)], script) == 0


def test_confirming_a_segment_with_results_shows_a_notice(qtbot, file):
    def script(driver: ProgramDriver):
        yield driver.is_open
        area = driver.shell.area("inspect")
        area.review.live_checks.recheck_if_outdated()
        yield lambda: area.review.live_checks.is_ready
        driver.workspace.go_to(0)
        area.review.controller.confirm()
        yield lambda: any(title.startswith("Segment 1 is confirmed. QA checks: ") for title in notice_titles(driver))

    assert run_script([str(file)], script) == 0


def test_confirming_what_msgfmt_rejects_shows_a_notice(qtbot, tmp_path):
    path = tmp_path / "job.po"
    path.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: de\\n"\n\n'
        '#, c-format\nmsgid "%d files are open"\nmsgstr "%s Dateien sind offen"\n'
    )
    title = "Segment 1 is confirmed. QA checks: format argument 1 has a different type in the source"

    def script(driver: ProgramDriver):
        yield driver.is_open
        area = driver.shell.area("inspect")
        area.review.live_checks.recheck_if_outdated()
        yield lambda: area.review.live_checks.is_ready
        area.review.controller.confirm()
        yield lambda: notice_titles(driver)
        assert title in " ".join(notice_titles(driver))

    assert run_script([str(path)], script) == 0
