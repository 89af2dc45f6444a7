"""Translators' files saved where a disk, a right, a link or another program stands in the way."""

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
from tests.ui.driving import Desk, drive
from tests.ui.program.jobs import correct, said, saving

LINE = "Die Pumpe läuft an."
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")


@as_root
def test_owner_and_rights_stay(qtbot, job):
    os.chown(job, 12345, 23456)
    os.chmod(job, 0o604)

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        ended, over = saving(controller)
        yield over
        assert ended == [True]

    assert drive([str(job)], script) == 0
    found = job.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 23456, 0o604)
    assert LINE.encode() in job.read_bytes()


def test_another_name_of_the_file_is_told_of(qtbot, job):
    """The file is written whole and takes the old one's place, so a hard link keeps the old one."""
    before, other = job.read_bytes(), job.with_name("other name")
    os.link(job, other)

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        _, over = saving(controller)
        yield over
        (notice,) = controller.shell.notices.notices()
        assert "1 other hard link to job.sdlxliff" in notice.message.advice

    assert drive([str(job)], script) == 0
    assert other.read_bytes() == before
    assert LINE.encode() in job.read_bytes()


def test_what_may_not_be_written_is_said(qtbot, job, monkeypatch):
    """The folder may not be written to, in which the new file comes to stand beside the old one."""
    before = job.read_bytes()
    opened = Path.open

    def refuse(path, mode="r", *rest, **more):
        if mode == "xb":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", refuse)

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        ended, over = saving(controller)
        yield over
        assert ended == [False]
        assert "Permission denied" in said(controller)[0]
        assert controller.shell.isWindowModified()
        assert job.read_bytes() == before
        assert list(job.parent.iterdir()) == [job]
        monkeypatch.setattr(Path, "open", opened)
        ended, over = saving(controller)
        yield over
        assert ended == [True]
        # what went wrong is mended, and read no longer
        (title,) = said(controller)
        assert title.startswith("1 segment changed")
        correct(controller, 0, f"{LINE}!")
        _, over = saving(controller)
        yield over
        assert len(said(controller)) == 1

    assert drive([str(job)], script) == 0


def test_a_file_that_may_not_be_changed_is_saved_elsewhere(qtbot, job, answers, monkeypatch):
    before, elsewhere = job.read_bytes(), job.with_name("mine.sdlxliff")
    wanted, asked = answers
    # root may write anything, so the system is asked in vain
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != job)
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(elsewhere), ""))

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        wanted.append("Cancel")
        ended, over = saving(controller)
        yield over
        assert ended == [False]
        assert controller.shell.isWindowModified()
        assert not elsewhere.exists()
        wanted.append("Save as…")
        ended, over = saving(controller)
        yield over
        assert (ended, controller.shell.isWindowModified()) == ([True], False)
        # from now on it goes there, and nothing is asked
        correct(controller, 0, f"{LINE} Neu.")
        ended, over = saving(controller)
        yield over
        assert ended == [True]

    assert drive([str(job)], script) == 0
    assert asked == ["job.sdlxliff cannot be saved: the file is read-only."] * 2
    assert job.read_bytes() == before
    assert f"{LINE} Neu.".encode() in elsewhere.read_bytes()


def test_a_full_disk_leaves_the_file_and_what_was_written_before_it_is_known(qtbot, job, answers):
    """Two files, room for one: the first is written and never taken for another program's afterwards."""
    large = Path(shutil.copy(FOLDER / "two.xlf", job.parent / "two.xlf"))
    small = Path(shutil.copy(FOLDER / "catalogue.po", job.parent / "catalogue.po"))
    job.unlink()
    large.write_bytes(large.read_bytes() + b"\n" * 400_000)
    before = large.read_bytes()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def script(controller: Desk):
        yield controller.is_open
        files = {file.name: file for file in controller.workspace.corpus.job.files}
        assert list(files) == ["catalogue.po", "two.xlf"]
        document = parse_document(small.read_bytes(), "po")
        able = next(place for place, one in enumerate(document.segments) if one.source_line == one.source_line.strip())
        correct(controller, able, document.segments[able].source_line)
        correct(controller, files["two.xlf"].first + 3, "Drei Wörter")
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, old[1]))
        ended, over = saving(controller)
        yield over
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        assert ended == [False]
        message = controller.shell.notices.notices()[0].message
        assert message.title == "1 file was not saved: two.xlf"
        assert "cannot be written" in message.details[0]
        assert controller.workspace.session.places.keys() == {0}
        assert large.read_bytes() == before
        ended, over = saving(controller)
        yield over
        assert ended == [True]

    try:
        assert drive([str(job.parent)], script) == 0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)
    assert answers[1] == []
    assert "Drei Wörter".encode() in large.read_bytes()
    assert sorted(job.parent.iterdir()) == [small, large]


def test_a_folder_in_the_place_of_the_file_is_left_alone(qtbot, job):
    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        job.unlink()
        job.mkdir()
        ended, over = saving(controller)
        yield over
        assert ended == [False]
        assert "this is a folder" in said(controller)[0]
        assert controller.shell.isWindowModified()

    assert drive([str(job)], script) == 0
    assert list(job.iterdir()) == []


def test_what_another_program_wrote_since_the_last_save_is_not_called_ours(qtbot, job, answers):
    """Also where nothing was changed here since."""
    wanted, asked = answers

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        _, over = saving(controller)
        yield over
        theirs = job.read_bytes().replace(LINE.encode(), b"Theirs.")
        job.write_bytes(theirs)
        wanted.append("Cancel")
        ended, over = saving(controller)
        yield over
        assert (ended, job.read_bytes()) == ([False], theirs)

    assert drive([str(job)], script) == 0
    assert asked == ["Another program changed job.sdlxliff after it was read."]


@pytest.mark.parametrize("form", ["utf-16", "bom", "crlf"])
def test_other_encodings_and_line_ends_stay_and_come_back(qtbot, job, form):
    """Saved twice, and read again as it was left."""
    text = (FOLDER / "studio.sdlxliff").read_text("utf-8-sig").replace("\r\n", "\n")
    if form == "utf-16":
        job.write_bytes(text.replace("utf-8", "utf-16").encode("utf-16"))
    else:
        job.write_bytes(text.encode("utf-8-sig") if form == "bom" else text.replace("\n", "\r\n").encode())
    before = job.read_bytes()
    target = "⟨1⟩Halten⟨/1⟩ Sie sie an."

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 1, target, ReviewStatus.CONFIRMED)
        _, over = saving(controller)
        yield over
        rewritten = parse_document(before, "job").with_targets({1: target}, {1: ReviewStatus.CONFIRMED})
        assert said(controller)[0] == f"1 segment changed, {rewritten.identical:,} other bytes identical"
        assert job.read_bytes() == rewritten.data
        assert not controller.shell.isWindowModified()
        _, over = saving(controller)
        yield over
        assert "Nothing to save: job.sdlxliff is up to date" in said(controller)
        controller.shell.commands["edit.undo"].trigger()
        assert controller.shell.isWindowModified()
        controller.shell.commands["edit.redo"].trigger()
        assert not controller.shell.isWindowModified()

    def again(controller: Desk):
        yield controller.is_open
        view = controller.workspace.view
        assert (view.target(1), view.status(1)) == (target, ReviewStatus.CONFIRMED)

    assert drive([str(job)], script) == 0
    assert job.read_bytes()[:2] == before[:2]
    assert (b"\r\n" in job.read_bytes()) == (b"\r\n" in before)
    assert drive([str(job)], again) == 0


def test_copies_into_a_folder_take_no_files_place_unasked(qtbot, job, tmp_path, answers, monkeypatch):
    """Two files of one name are two copies, and originals that lie in the folder are asked about."""
    wanted, asked = answers
    other = job.parent / "more" / job.name
    other.parent.mkdir()
    shutil.copy(job, other)
    folder = job.parent
    monkeypatch.setattr(FileDialog, "getExistingDirectory", lambda *args: str(folder))
    before = job.read_bytes()
    out = tmp_path / "out"
    out.mkdir()

    def script(controller: Desk):
        yield controller.is_open
        nonlocal folder
        correct(controller, 0, LINE)
        wanted.append("Cancel")
        controller.shell.commands["file.save-copy"].trigger()
        assert asked == ["1 file already exists in this folder."]
        folder = out
        ended: list[bool] = []
        controller.wiring.job_saver.ended.connect(ended.append)
        controller.shell.commands["file.save-copy"].trigger()
        yield lambda: ended
        assert ended == [True]

    assert drive([str(job), str(other)], script) == 0
    assert job.read_bytes() == other.read_bytes() == before
    assert sorted(one.name for one in out.iterdir()) == ["job (2).sdlxliff", "job.sdlxliff"]
