"""Statuses in files without attributes for them, and unconfirmed segments in translation memories: both questions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document
from tests.formats.bilingual.samples import FOLDER
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save
from tests.ui.program_driver import run_script
from tests.ui.save_dialog_answers import answer_save_dialogs

ADD, WITHOUT = "Add and save", "Save without adding it"
CONFIRMED = ReviewStatus.CONFIRMED


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder with a file whose targets have no state, and one whose targets have."""
    folder = tmp_path / "job"
    folder.mkdir()
    for name in ("okapi.xlf", "two.xlf"):
        shutil.copy(FOLDER / name, folder / name)
    return folder


def set_status(driver, segment: int, status: ReviewStatus) -> None:
    edit_target(driver, segment, driver.workspace.view.target(segment), status)


@pytest.mark.parametrize("answer", [ADD, WITHOUT])
def test_missing_attributes_are_asked_about_once_per_file(qtbot, folder, answers, answer):
    replies, questions = answers
    path = folder / "okapi.xlf"
    before = path.read_bytes()

    def script(driver):
        yield driver.is_open
        replies.append(answer)
        set_status(driver, 0, CONFIRMED)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]
        reviewing = driver.workspace.session.reviewing
        assert reviewing.unsaved_segments() == ([] if answer == ADD else [0])
        # the answer is remembered
        set_status(driver, 1, ReviewStatus.REJECTED)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]
        assert reviewing.unsaved_segments() == ([] if answer == ADD else [0, 1])
        assert driver.shell.isWindowModified() is (answer == WITHOUT)

    assert run_script([str(path)], script) == 0
    assert questions == ["okapi.xlf has no place yet for the status of 1 segment."]
    statuses = {0: CONFIRMED, 1: ReviewStatus.REJECTED}
    document_with_attributes = parse_document(before, path.name).with_targets({}, statuses, add_missing=True)
    assert path.read_bytes() == (document_with_attributes.data if answer == ADD else before)


def test_cancelling_saves_nothing_and_asks_again(qtbot, folder, answers):
    replies, questions = answers
    path = folder / "okapi.xlf"
    before = path.read_bytes()

    def script(driver):
        yield driver.is_open
        set_status(driver, 0, CONFIRMED)
        for reply, saved in (("Cancel", False), (ADD, True)):
            replies.append(reply)
            ended, is_over = start_recorded_save(driver)
            yield is_over
            assert ended == [saved]
            assert (path.read_bytes() != before) is saved

    assert run_script([str(path)], script) == 0
    assert len(questions) == 2


def test_only_files_that_lack_attributes_are_asked_about_and_changed(qtbot, folder, answers):
    replies, questions = answers
    before = (folder / "two.xlf").read_bytes()

    def script(driver):
        yield driver.is_open
        replies.append(ADD)
        set_status(driver, 0, CONFIRMED)
        edit_target(driver, 5, "Anders.", CONFIRMED)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]
        assert driver.workspace.session.reviewing.unsaved_segments() == []

    assert run_script([str(folder)], script) == 0
    assert len(questions) == 1
    assert parse_document(before, "two.xlf").with_targets({3: "Anders."}, {3: CONFIRMED}).data == (
        (folder / "two.xlf").read_bytes()
    )


@pytest.mark.parametrize(
    ("confirmed", "answer", "units"),
    [
        (1, "Export confirmed segments", 1), (1, "Export all segments", 2), (1, "Cancel", None),
        (0, "Export all segments", 2), (0, "Cancel", None), (2, "", 2),
    ],
)  # fmt: skip
def test_translation_memory_has_confirmed_segments_unless_all_are_wanted(
    qtbot, folder, answers, monkeypatch, confirmed, answer, units
):
    replies, questions = answers
    path = folder / "out.tmx"
    answer_save_dialogs(monkeypatch, path)

    def script(driver):
        yield driver.is_open
        for segment in range(confirmed):
            set_status(driver, segment, CONFIRMED)
        ended: list[bool] = []
        driver.wiring.exporter.ended.connect(ended.append)
        replies.extend([answer] if answer else [])
        driver.shell.commands["file.export-as"].trigger()
        yield lambda: ended
        assert ended == [units is not None]
        if units is not None:
            assert notice_titles(driver)[0].startswith(f"out.tmx written: {units} segment")

    assert run_script([str(folder / "okapi.xlf")], script) == 0
    assert questions == ([f"Confirmed: {confirmed} of 2 segments."] if answer else [])
    assert path.exists() is (units is not None)
    if units is not None:
        assert path.read_bytes().count(b"<tu>") + path.read_bytes().count(b"<tu ") == units
