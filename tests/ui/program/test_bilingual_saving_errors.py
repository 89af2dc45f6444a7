"""Saving bilingual files with a full disk, missing permissions, links, or changes by another program."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import stat
from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.formats.bilingual.samples import FOLDER
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script
from tests.ui.save_dialog_answers import answer_save_dialogs

LINE = "Die Pumpe läuft an."
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")


@as_root
def test_owner_and_permissions_are_kept(qtbot, job):
    os.chown(job, 12345, 23456)
    os.chmod(job, 0o604)

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]

    assert run_script([str(job)], script) == 0
    status = job.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 23456, 0o604)
    assert LINE.encode() in job.read_bytes()


def test_hard_link_to_the_file_is_reported(qtbot, job):
    """Saving replaces the file, so that another hard link keeps the old content."""
    before, other = job.read_bytes(), job.with_name("other name")
    os.link(job, other)

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        _, is_over = start_recorded_save(driver)
        yield is_over
        (notice,) = driver.shell.notices.notices()
        assert "1 other hard link to job.sdlxliff" in notice.message.advice

    assert run_script([str(job)], script) == 0
    assert other.read_bytes() == before
    assert LINE.encode() in job.read_bytes()


def test_missing_write_permission_of_the_folder_is_reported(qtbot, job, monkeypatch):
    """The new file is first written next to the old one, which fails in a read-only folder."""
    before = job.read_bytes()
    opened = Path.open

    def refuse(path, mode="r", *rest, **more):
        if mode == "xb" and path.parent == job.parent:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", refuse)

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert "Permission denied" in notice_titles(driver)[0]
        assert driver.shell.isWindowModified()
        assert job.read_bytes() == before
        assert list(job.parent.iterdir()) == [job]
        monkeypatch.setattr(Path, "open", opened)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]
        # a successful save replaces the notice of the error
        (title,) = notice_titles(driver)
        assert title.startswith("Saved with 1 changed segment")
        edit_target(driver, 0, f"{LINE}!")
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert len(notice_titles(driver)) == 1

    assert run_script([str(job)], script) == 0


def test_read_only_file_is_saved_elsewhere(qtbot, job, answers, monkeypatch):
    before, elsewhere = job.read_bytes(), job.with_name("mine.sdlxliff")
    replies, questions = answers
    # root may write any file, so os.access is replaced
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != job)
    answer_save_dialogs(monkeypatch, elsewhere)

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        replies.append("Cancel")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert driver.shell.isWindowModified()
        assert not elsewhere.exists()
        replies.append("Save as…")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert (ended, driver.shell.isWindowModified()) == ([True], False)
        # later saves go there without a question
        edit_target(driver, 0, f"{LINE} Neu.")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]

    assert run_script([str(job)], script) == 0
    assert questions == ["job.sdlxliff cannot be saved: the file is read-only."] * 2
    assert job.read_bytes() == before
    assert f"{LINE} Neu.".encode() in elsewhere.read_bytes()


def test_full_disk_leaves_the_file_and_keeps_the_hash_of_written_files(qtbot, job, answers):
    """There is space for one of two files: it is written, and later not regarded as changed by another program."""
    large = Path(shutil.copy(FOLDER / "two.xlf", job.parent / "two.xlf"))
    small = Path(shutil.copy(FOLDER / "catalogue.po", job.parent / "catalogue.po"))
    job.unlink()
    large.write_bytes(large.read_bytes() + b"\n" * 400_000)
    before = large.read_bytes()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def script(driver: ProgramDriver):
        yield driver.is_open
        files = {file.name: file for file in driver.workspace.corpus.job.files}
        assert list(files) == ["catalogue.po", "two.xlf"]
        document = parse_document(small.read_bytes(), "po")
        index = next(
            number
            for number, segment in enumerate(document.segments)
            if segment.source_line == segment.source_line.strip()
        )
        edit_target(driver, index, document.segments[index].source_line)
        edit_target(driver, files["two.xlf"].first + 3, "Drei Wörter")
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, old[1]))
        ended, is_over = start_recorded_save(driver)
        yield is_over
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        assert ended == [False]
        message = driver.shell.notices.notices()[0].message
        assert message.title == "1 file was not saved: two.xlf"
        assert "cannot be written" in message.details[0]
        assert driver.workspace.session.written_files.keys() == {0}
        assert large.read_bytes() == before
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [True]

    try:
        assert run_script([str(job.parent)], script) == 0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)
    assert answers[1] == []
    assert "Drei Wörter".encode() in large.read_bytes()
    assert sorted(job.parent.iterdir()) == [small, large]


def test_folder_in_place_of_the_file_is_not_changed(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        job.unlink()
        job.mkdir()
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert ended == [False]
        assert "This is a folder" in notice_titles(driver)[0]
        assert driver.shell.isWindowModified()

    assert run_script([str(job)], script) == 0
    assert list(job.iterdir()) == []


def test_change_by_another_program_since_the_last_save_is_asked_about(qtbot, job, answers):
    """Also if nothing was edited since."""
    replies, questions = answers

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        _, is_over = start_recorded_save(driver)
        yield is_over
        changed_data = job.read_bytes().replace(LINE.encode(), b"Theirs.")
        job.write_bytes(changed_data)
        replies.append("Cancel")
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert (ended, job.read_bytes()) == ([False], changed_data)

    assert run_script([str(job)], script) == 0
    assert questions == ["Another program changed job.sdlxliff after it was read."]


@pytest.mark.parametrize("form", ["utf-16", "bom", "crlf"])
def test_encodings_and_line_endings_are_preserved(qtbot, job, form):
    """The file is saved twice and then opened again."""
    text = (FOLDER / "studio.sdlxliff").read_text("utf-8-sig").replace("\r\n", "\n")
    if form == "utf-16":
        job.write_bytes(text.replace("utf-8", "utf-16").encode("utf-16"))
    else:
        job.write_bytes(text.encode("utf-8-sig") if form == "bom" else text.replace("\n", "\r\n").encode())
    before = job.read_bytes()
    target = "⟨1⟩Halten⟨/1⟩ Sie sie an."

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 1, target, ReviewStatus.CONFIRMED)
        _, is_over = start_recorded_save(driver)
        yield is_over
        rewritten = parse_document(before, "job").with_targets({1: target}, {1: ReviewStatus.CONFIRMED})
        assert notice_titles(driver)[0] == "Saved with 1 changed segment; everything else is unchanged"
        assert job.read_bytes() == rewritten.data
        assert not driver.shell.isWindowModified()
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert "Nothing to save: no unsaved changes in job.sdlxliff" in notice_titles(driver)
        driver.shell.commands["edit.undo"].trigger()
        assert driver.shell.isWindowModified()
        driver.shell.commands["edit.redo"].trigger()
        assert not driver.shell.isWindowModified()

    def reopen(driver: ProgramDriver):
        yield driver.is_open
        view = driver.workspace.view
        assert (view.target(1), view.status(1)) == (target, ReviewStatus.CONFIRMED)

    assert run_script([str(job)], script) == 0
    assert job.read_bytes()[:2] == before[:2]
    assert (b"\r\n" in job.read_bytes()) == (b"\r\n" in before)
    assert run_script([str(job)], reopen) == 0


def test_saving_copies_to_a_folder_asks_before_overwriting(qtbot, job, tmp_path, answers, monkeypatch):
    """Two files of one name become two copies; if originals are in the folder, a question is asked."""
    replies, questions = answers
    other = job.parent / "more" / job.name
    other.parent.mkdir()
    shutil.copy(job, other)
    folder = job.parent
    monkeypatch.setattr(FileDialog, "getExistingDirectory", lambda *args: str(folder))
    before = job.read_bytes()
    out = tmp_path / "out"
    out.mkdir()

    def script(driver: ProgramDriver):
        yield driver.is_open
        nonlocal folder
        edit_target(driver, 0, LINE)
        replies.append("Cancel")
        driver.shell.commands["file.save-copy"].trigger()
        assert questions == ["1 file already exists in this folder."]
        folder = out
        ended: list[bool] = []
        driver.wiring.job_saver.ended.connect(ended.append)
        driver.shell.commands["file.save-copy"].trigger()
        yield lambda: ended
        assert ended == [True]

    assert run_script([str(job), str(other)], script) == 0
    assert job.read_bytes() == other.read_bytes() == before
    assert sorted(path.name for path in out.iterdir()) == ["job (2).sdlxliff", "job.sdlxliff"]
