"""Two programs with one bilingual file, and locked files: nothing is overwritten without a question."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.files_in_use import is_open_elsewhere
from qe_desktop.ui.settings import Settings
from tests.formats.bilingual.samples import FOLDER

fcntl = pytest.importorskip("fcntl", reason="only some systems have such locks")
pytestmark = pytest.mark.process
MINE, THEIRS = "Die Pumpe läuft an.", "Die Pumpe geht an."


class ProgramProcess:
    """The program with a file, in a process of its own."""

    def __init__(self, file: Path, folder: Path, name: str) -> None:
        settings_path = folder / f"{name}.ini"
        Settings(str(settings_path)).save()
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QE_DESKTOP_SETTINGS": str(settings_path)}
        self._log = (folder / f"{name}.log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.app_process", str(file)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment,
        )  # fmt: skip
        self._read_reply()

    def _read_reply(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, Path(self._log.name).read_text()
        return json.loads(line)

    def send(self, **order: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._read_reply()

    def edit_target(self, line: str, segment: int = 0) -> None:
        self.send(edit=[segment, line])

    def save(self, button: str | None = None, path: Path | str = "") -> dict[str, Any]:
        """Save and answer a question with a button; without a button, no question may be asked."""
        reply = self.send(save=button, **{"as": str(path)})
        assert button is not None or not reply["asked"], reply
        return reply

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait() == 0, Path(self._log.name).read_text()
        self._process.stdout.close()
        self._log.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    job_folder = tmp_path / "job"
    job_folder.mkdir()
    return Path(shutil.copy(FOLDER / "studio.sdlxliff", job_folder / "job.sdlxliff"))


@pytest.fixture
def open_window(file, tmp_path) -> Iterator[Callable[[str], ProgramProcess]]:
    windows: list[ProgramProcess] = []

    def start(name: str) -> ProgramProcess:
        windows.append(ProgramProcess(file, tmp_path, name))
        return windows[-1]

    yield start
    for window in windows:
        window.close()


def targets(file: Path) -> list[str]:
    return [segment.target_line for segment in parse_document(file.read_bytes(), file.name).segments]


def test_programs_do_not_overwrite_each_other_without_a_question(file, open_window):
    """Each program must ask before it overwrites what the other program saved."""
    first, second = open_window("first"), open_window("second")
    for window in (first, second):
        # identical changes are not a conflict
        window.edit_target(MINE)
        assert window.save()["saved"]
    first.edit_target(f"{MINE} 1.")
    second.edit_target(THEIRS)
    assert second.save()["saved"]
    second_version = file.read_bytes()
    assert targets(file)[0] == THEIRS
    reply = first.save("Cancel")
    assert (reply["saved"], reply["modified"]) == (False, True)
    assert reply["asked"] == ["Another program changed job.sdlxliff after it was read."]
    assert file.read_bytes() == second_version
    # the other program detects that its version was overwritten
    assert first.save("Overwrite")["saved"]
    assert targets(file)[0] == f"{MINE} 1."
    second.edit_target(f"{THEIRS} 2.")
    assert not second.save("Cancel")["saved"]
    other_path = file.with_name("theirs.sdlxliff")
    assert second.save("Save as…", other_path)["saved"]
    assert (targets(file)[0], targets(other_path)[0]) == (f"{MINE} 1.", f"{THEIRS} 2.")
    # each program continues with its own file without a question
    for window, line in ((first, f"{MINE} 3."), (second, f"{THEIRS} 3.")):
        window.edit_target(line)
        assert window.save()["saved"]
    assert (targets(file)[0], targets(other_path)[0]) == (f"{MINE} 3.", f"{THEIRS} 3.")
    assert sorted(window.name for window in file.parent.iterdir()) == ["job.sdlxliff", "theirs.sdlxliff"]


def test_saving_a_file_locked_by_another_program_asks_first(file, open_window):
    window = open_window("window")
    for lock in (fcntl.flock, fcntl.lockf):
        before = file.read_bytes()
        window.edit_target(f"{MINE} {lock.__name__}")
        with file.open("r+b") as handle:
            lock(handle, fcntl.LOCK_EX)
            reply = window.save("Cancel")
            assert (reply["saved"], reply["asked"]) == (False, ["Another program has job.sdlxliff open."])
            assert file.read_bytes() == before
            assert window.save("Save anyway")["saved"]
            # a program with an open handle still reads the old contents
            assert handle.read() == before
        assert targets(file)[0] == f"{MINE} {lock.__name__}"
    for name in (".~lock.job.sdlxliff#", "~$job.sdlxliff"):
        # lock files that LibreOffice and Excel create next to an open file
        file.with_name(name).write_text("Ada")
        window.edit_target(name)
        assert window.save("Cancel")["asked"] == ["Another program has job.sdlxliff open."]
        file.with_name(name).unlink()
        assert window.save()["saved"]
    with file.open("rb") as reader:
        # a reader does not block saving and still reads the old contents
        fcntl.flock(reader, fcntl.LOCK_SH)
        before = file.read_bytes()
        window.edit_target(MINE)
        assert window.save()["saved"]
        assert reader.read() == before
    assert targets(file)[0] == MINE
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_saving_into_a_folder_that_became_read_only_is_reported(file, open_window):
    window = open_window("window")
    before = file.read_bytes()
    window.edit_target(MINE)
    file.parent.chmod(0o500)
    try:
        reply = window.save("Cancel")
        assert (reply["saved"], reply["modified"]) == (False, True)
        assert "cannot be written" in reply["notices"][0]
        assert file.read_bytes() == before
    finally:
        file.parent.chmod(0o700)
    assert window.save()["saved"]
    assert [path.name for path in file.parent.iterdir()] == ["job.sdlxliff"]


def test_checking_for_a_lock_takes_no_lock(file):
    assert not is_open_elsewhere(file)
    with file.open("r+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert not is_open_elsewhere(file.with_name("missing"))
    assert not is_open_elsewhere(file.parent / "\0")
