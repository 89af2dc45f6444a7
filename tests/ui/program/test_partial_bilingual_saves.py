"""Bilingual files with segments that cannot be written, and several files some of which cannot: others are saved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.ui.files.bilingual import prepared_file
from qe_desktop.ui.files.bilingual.save_dialogs import InvalidSegmentsDialog
from qe_desktop.ui.files.bilingual.save_questions import TargetLanguageDialog
from tests.formats.bilingual.samples import FOLDER
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save, start_save
from tests.ui.program_driver import ProgramDriver, run_script


def test_missing_codes_are_asked_about_and_the_segment_is_shown(qtbot, job, monkeypatch):
    before = job.read_bytes()
    listed = []

    def go_to_segment(question):
        listed.append([question.list.item(row).text() for row in range(question.list.count())])
        question.go.click()

    monkeypatch.setattr(InvalidSegmentsDialog, "open", go_to_segment)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 1, "Halten Sie sie an.")
        ended = []
        driver.wiring.job_saver.ended.connect(ended.append)
        driver.shell.commands["file.save"].trigger()
        yield lambda: ended
        assert listed == [["segment 2: the codes ⟨1⟩ and ⟨/1⟩ are missing"]]
        assert driver.workspace.segment == 1
        controller = driver.shell.area("inspect").review.controller
        assert controller.segment == 1
        assert driver.shell.focusWidget() is controller.panel.edit
        driver.shell.commands["inspect.insert-code"].trigger()
        assert "⟨1⟩" in controller.panel.edit.line
        driver.workspace.undo()
        assert job.read_bytes() == before
        monkeypatch.setattr(InvalidSegmentsDialog, "open", InvalidSegmentsDialog.accept)
        yield start_save(driver)
        assert b"Halten Sie sie an.</mrk>" in job.read_bytes()

    assert run_script([str(job)], script) == 0


def test_codes_that_were_accepted_once_are_not_asked_about_again(qtbot, job, monkeypatch):
    asked = []

    def accept(question):
        asked.append(question.list.count())
        question.accept()

    monkeypatch.setattr(InvalidSegmentsDialog, "open", accept)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 1, "Halten Sie sie an.")
        yield start_save(driver)
        edit_target(driver, 0, "Die Pumpe läuft.")
        yield start_save(driver)
        assert asked == [1]
        assert "Die Pumpe läuft." in job.read_text()
        # another target is another decision
        edit_target(driver, 1, "Halten Sie an.")
        yield start_save(driver)
        assert asked == [1, 1]

    assert run_script([str(job)], script) == 0

    def reopen(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        yield start_save(driver)
        assert asked == [1, 1]
        assert "Die Pumpe läuft an." in job.read_text()

    assert run_script([str(job)], reopen) == 0


def test_codes_that_the_file_cannot_store_are_refused(qtbot, job, monkeypatch):
    before = job.read_bytes()
    shown = []

    def cancel(question):
        shown.append((question.list.count(), question.save.isVisibleTo(question), question.save.text()))
        question.reject()

    monkeypatch.setattr(InvalidSegmentsDialog, "open", cancel)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 1, "⟨9/⟩ Halten")
        ended = []
        driver.wiring.job_saver.ended.connect(ended.append)
        driver.shell.commands["file.save"].trigger()
        yield lambda: ended
        # the segment itself cannot be saved anyway, and there are no other segments to save
        assert shown == [(1, False, "Save the other segments")]
        assert set(driver.workspace.session.reviewing.unsaved_segments()) == {1}

    assert run_script([str(job)], script) == 0
    assert job.read_bytes() == before


def test_other_segments_are_saved_if_one_is_invalid(qtbot, job, monkeypatch):
    before = job.read_bytes()
    monkeypatch.setattr(InvalidSegmentsDialog, "open", lambda question: question.save.click())

    def script(driver):
        yield driver.is_open
        edit_target(driver, 1, "⟨9/⟩ Halten")
        edit_target(driver, 5, "Noch kein Ziel.")
        yield start_save(driver)
        assert job.read_bytes() == parse_document(before, "job").with_targets({5: "Noch kein Ziel."}).data
        # the segment that was omitted stays unsaved
        assert set(driver.workspace.session.reviewing.unsaved_segments()) == {1}
        driver.shell.commands["edit.undo"].trigger()
        driver.shell.commands["edit.undo"].trigger()

    assert run_script([str(job)], script) == 0


def test_unencodable_character_omits_only_its_segment(qtbot, tmp_path, monkeypatch):
    path = tmp_path / "a.po"
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=ISO-8859-1\\n"\n\n'
    path.write_text(head + 'msgid "price"\nmsgstr "x"\n\nmsgid "green"\nmsgstr "y"\n')
    shown: list[str] = []

    def save_others(question: InvalidSegmentsDialog) -> None:
        shown.extend(question.list.item(row).text() for row in range(question.list.count()))
        question.save.click()

    monkeypatch.setattr(InvalidSegmentsDialog, "open", save_others)

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, "5 €")
        edit_target(driver, 1, "grün")
        yield start_save(driver)
        assert len(shown) == 1
        assert "segment 1" in shown[0]
        assert "U+20AC" in shown[0]
        assert path.read_bytes().endswith('msgstr "x"\n\nmsgid "green"\nmsgstr "grün"\n'.encode("latin-1"))
        assert set(driver.workspace.session.reviewing.unsaved_segments()) == {0}
        driver.shell.commands["edit.undo"].trigger()
        driver.shell.commands["edit.undo"].trigger()

    assert run_script([str(path)], script) == 0


def test_confirmed_empty_target_does_not_prevent_saving(qtbot, tmp_path):
    path = tmp_path / "a.po"
    entry = '#, fuzzy\nmsgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgstr "{}"\n'
    path.write_text(entry.format("y"))

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, "", ReviewStatus.CONFIRMED)
        edit_target(driver, 1, "z")
        yield start_save(driver)
        assert path.read_text() == entry.format("z")
        (notice,) = driver.shell.notices.notices()
        assert notice.message.title.startswith("Saved with 1 changed segment")
        assert "The file cannot store 1 confirmation." in str(notice.message)

    assert run_script([str(path)], script) == 0


def copy_files(job: Path) -> list[Path]:
    """Three files in one folder, in the order in which they are saved."""
    return [job, *(Path(shutil.copy(FOLDER / name, job.parent / name)) for name in ("okapi.xlf", "two.xlf"))]


def edit_each_file(driver: ProgramDriver) -> dict[str, int]:
    """Change a segment without codes in each file; return the segments by file name."""
    of_file = {"job.sdlxliff": 0, "okapi.xlf": 1, "two.xlf": 3}
    changed = {file.name: file.first + of_file[file.name] for file in driver.workspace.corpus.job.files}
    for segment in changed.values():
        edit_target(driver, segment, "Anders.")
    return changed


def test_other_files_are_saved_if_one_cannot_be_written(qtbot, job, monkeypatch):
    first, second, third = copy_files(job)
    before = first.read_bytes()
    write = prepared_file.write_job_file

    def fail(path: Path, data: bytes, expected: str | None):
        if path == first:
            raise QeError("the disk is broken", hint="Use another.")
        return write(path, data, expected)

    monkeypatch.setattr(prepared_file, "write_job_file", fail)

    def script(driver):
        yield driver.is_open
        changed = edit_each_file(driver)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert first.read_bytes() == before
        assert b"Anders." in second.read_bytes()
        assert b"Anders." in third.read_bytes()
        message = driver.shell.notices.notices()[-1].message
        assert message.title == "1 file was not saved: job.sdlxliff"
        assert message.location == "Saved: okapi.xlf, two.xlf"
        assert message.details == ("job.sdlxliff: the disk is broken",)
        assert driver.workspace.session.reviewing.unsaved_segments() == [changed["job.sdlxliff"]]
        assert driver.shell.isWindowModified()
        monkeypatch.setattr(prepared_file, "write_job_file", write)
        yield start_save(driver)
        assert b"Anders." in first.read_bytes()
        assert not driver.shell.isWindowModified()

    assert run_script([str(job.parent)], script) == 0


def test_other_files_are_saved_if_one_is_cancelled_or_unreadable(qtbot, job, answers):
    replies, _ = answers
    first, second, third = copy_files(job)

    def script(driver):
        yield driver.is_open
        changed = edit_each_file(driver)
        first.write_bytes(b"of another program")
        second.unlink()
        second.mkdir()
        replies.append("Cancel")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert first.read_bytes() == b"of another program"
        assert b"Anders." in third.read_bytes()
        message = driver.shell.notices.notices()[-1].message
        assert message.title.startswith("2 files were not saved: ")
        assert message.location == "Saved: two.xlf"
        assert "job.sdlxliff: cancelled" in message.details
        assert any(line.startswith("okapi.xlf: ") for line in message.details)
        unsaved = driver.workspace.session.reviewing.unsaved_segments()
        assert sorted(unsaved) == sorted(segment for name, segment in changed.items() if name != "two.xlf")

    assert run_script([str(job.parent)], script) == 0


XLIFF_2 = (
    '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en"><file id="f"><unit id="1">'
    "<segment><source>Stop.</source>{}</segment></unit></file></xliff>"
)


@pytest.fixture
def languages(monkeypatch) -> list[str | None]:
    """Languages that are entered in the next questions; None cancels."""
    replies: list[str | None] = []

    def answer(dialog):
        language = replies.pop(0)
        if language is None:
            dialog.reject()
            return
        assert not dialog.add.isEnabled()
        dialog.language.setText("not a language")
        assert not dialog.add.isEnabled()
        dialog.language.setText(language)
        dialog.add.click()

    monkeypatch.setattr(TargetLanguageDialog, "open", answer)
    return replies


def test_a_target_language_that_xliff_2_requires_is_asked_for_once_and_added(qtbot, tmp_path, languages):
    path = tmp_path / "job.xlf"
    path.write_text(XLIFF_2.format(""))

    def script(driver):
        yield driver.is_open
        assert notice_titles(driver) == []
        edit_target(driver, 0, "Halt.")
        languages.append(None)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert (ended, path.read_text()) == ([False], XLIFF_2.format(""))
        languages.append("de")
        yield start_save(driver)
        edit_target(driver, 0, "Halt!")
        yield start_save(driver)
        language = XLIFF_2.replace('srcLang="en"', 'srcLang="en" trgLang="de"')
        assert path.read_text() == language.format("<target>Halt!</target>")

    assert run_script([str(path)], script) == 0

    def reopen(driver):
        yield driver.is_open
        edit_target(driver, 0, "Stopp!")
        # the journal stores the file as it was first read
        yield start_save(driver)
        assert 'trgLang="de"' in path.read_text()
        assert "Stopp!" in path.read_text()

    assert run_script([str(path)], reopen) == 0
    assert languages == []


def test_opening_names_targets_without_a_language_with_their_line_and_what_saving_does(qtbot, tmp_path, languages):
    path = tmp_path / "job.xlf"
    path.write_text("\n" + XLIFF_2.format("<target>Halt.</target>"))

    def script(driver):
        yield driver.is_open
        (notice,) = driver.shell.notices.notices()
        begin = "job.xlf: line 2: the targets have no language (trgLang), which XLIFF 2 requires. You will be asked"
        assert notice.message.advice.startswith(begin)
        # without an edit, nothing is written
        yield start_save(driver)
        driver.workspace.go_to(0)
        edit_target(driver, 0, "Stopp.")
        languages.append("de")
        yield start_save(driver)
        assert 'trgLang="de"' in path.read_text()

    assert run_script([str(path)], script) == 0
