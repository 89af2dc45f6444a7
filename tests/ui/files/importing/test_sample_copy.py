"""The sample bilingual file of the start page is a copy in a writable folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.ui import icons
from qe_desktop.ui.files.importing.sample_copy import FOLDER_NAME, SAMPLE_FILES, copy_sample, documents_folder
from qe_desktop.ui.shell.start_page import SAMPLES
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_save
from tests.ui.program_driver import run_script

BUNDLED = icons.resource_folder() / "samples"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_sample_is_copied_once_and_again_if_an_unchanged_copy_is_requested(tmp_path):
    expected = {Path(name).name: (BUNDLED / name).read_bytes() for name in SAMPLE_FILES}
    folder = copy_sample(BUNDLED, tmp_path / "documents")
    assert (folder.name, contents(folder)) == (FOLDER_NAME, expected)
    assert os.access(folder / "manuals.sdlxliff", os.W_OK)
    assert copy_sample(BUNDLED, tmp_path / "documents") == folder
    (folder / "manuals.sdlxliff").write_bytes(b"edited")
    assert copy_sample(BUNDLED, tmp_path / "documents") == folder
    second = copy_sample(BUNDLED, tmp_path / "documents", unchanged=True)
    assert (second.name, contents(second)) == (f"{FOLDER_NAME} 2", expected)
    assert (folder / "manuals.sdlxliff").read_bytes() == b"edited"
    assert copy_sample(BUNDLED, tmp_path / "documents") == second
    # an incomplete copy is neither reused nor changed
    (second / "sample-qe.tags").unlink()
    assert copy_sample(BUNDLED, tmp_path / "documents") == folder
    assert copy_sample(BUNDLED, tmp_path / "documents", unchanged=True).name == f"{FOLDER_NAME} 3"


def test_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(QeError, match="cannot copy the sample files to") as error:
        copy_sample(BUNDLED, tmp_path / "file" / "below")
    assert str(tmp_path) in str(error.value)


def test_documents_folder_is_with_the_settings_or_in_the_home_folder(tmp_path, monkeypatch):
    assert documents_folder() == Path(os.environ["QE_DESKTOP_SETTINGS"]).parent
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("QE_DESKTOP_SETTINGS", os.devnull)
    assert documents_folder() == home
    (home / "Documents").mkdir()
    assert documents_folder() in (home, home / "Documents")
    monkeypatch.delenv("QE_DESKTOP_SETTINGS")
    assert documents_folder() in (home, home / "Documents")


def test_sample_opens_at_a_flagged_segment_and_saves_into_the_copy(qtbot):
    before = {name: (BUNDLED / name).read_bytes() for name in SAMPLE_FILES}
    assert "job" in [key for key, _, _ in SAMPLES]

    def script(driver):
        yield driver.is_open
        corpus, view = driver.workspace.corpus, driver.workspace.view
        folder = documents_folder() / FOLDER_NAME
        assert Path(corpus.folder) == folder
        assert notice_titles(driver)[-1] == f"This is a practice copy of the sample, in {folder}"
        area = driver.shell.area("inspect")
        tally = area.review.filter_bar.buttons["doubtful"].text()
        assert int(tally.split()[-1]) >= 5
        assert area.review.controller.review_queue.flagged_unfinished(view)[driver.workspace.segment]
        # the quality estimates of Studio come before the match percentages
        assert [key.name for key in corpus.layers][:2] == ["quality_estimation", "percent"]
        edit_target(driver, driver.workspace.segment, "Ganz anders.")
        yield start_save(driver)
        assert "Ganz anders." in (folder / "manuals.sdlxliff").read_text(encoding="utf-8-sig")

    assert run_script(["demo", "job"], script) == 0
    assert {name: (BUNDLED / name).read_bytes() for name in SAMPLE_FILES} == before


def test_sample_is_opened_again_with_its_edits_unless_the_user_starts_over(qtbot):
    segments = []

    def edit(driver):
        yield driver.is_open
        segments.append(driver.workspace.segment)
        assert not driver.shell.notices.current.message.buttons
        edit_target(driver, segments[0], "Ganz anders.")
        yield start_save(driver)

    def start_over(driver):
        yield driver.is_open
        assert Path(driver.workspace.corpus.folder) == documents_folder() / FOLDER_NAME
        assert driver.workspace.view.target(segments[0]) == "Ganz anders."
        message = next(
            notice.message for notice in driver.shell.notices.notices() if "practice copy" in notice.message.title
        )
        [(text, handler)] = message.buttons
        assert text == "Start with a new copy"
        handler()
        yield lambda: driver.workspace.corpus.folder.endswith(f"{FOLDER_NAME} 2")
        assert driver.workspace.view.target(segments[0]) != "Ganz anders."

    assert run_script(["demo", "job"], edit) == 0
    assert run_script(["demo", "job"], start_over) == 0


def test_first_correction_of_the_sample_needs_only_keys(qtbot):
    """Start, correct the selected segment, confirm it and save: no question, and the file has the new target."""
    key, control = Qt.Key, Qt.KeyboardModifier.ControlModifier

    def script(driver):
        yield driver.is_open
        segment = driver.workspace.segment
        yield lambda: QApplication.focusWidget() is not None
        QTest.keyClick(QApplication.focusWidget(), key.Key_Return)
        edit = driver.shell.area("inspect").review.controller.panel.edit
        yield edit.hasFocus
        QTest.keyClick(edit, key.Key_A, control)
        QTest.keyClicks(edit, "Ganz anders.")
        QTest.keyClick(edit, key.Key_Return, control)
        assert driver.workspace.segment != segment
        saved = []
        driver.wiring.job_saver.ended.connect(saved.append)
        QTest.keyClick(QApplication.focusWidget(), key.Key_S, control)
        yield lambda: saved and not driver.shell.jobs.running_jobs()
        assert saved == [True]
        assert QApplication.activeModalWidget() is None
        assert driver.workspace.view.status(segment) is ReviewStatus.CONFIRMED
        assert "Ganz anders." in (documents_folder() / FOLDER_NAME / "manuals.sdlxliff").read_text("utf-8-sig")

    assert run_script(["demo", "job"], script) == 0
