"""Two programs on one translator's file, and files that others hold: nothing is overwritten unasked, nothing half."""

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
from qe_desktop.formats.io.file_locks import is_open_elsewhere
from qe_desktop.ui.settings import Settings
from tests.formats.bilingual.samples import FOLDER

fcntl = pytest.importorskip("fcntl", reason="only some systems have such locks")
pytestmark = pytest.mark.process
MINE, THEIRS = "Die Pumpe läuft an.", "Die Pumpe geht an."


class Window:
    """The program with a file, in a process of its own."""

    def __init__(self, file: Path, folder: Path, name: str) -> None:
        place = folder / f"{name}.ini"
        Settings(str(place)).save()
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QE_DESKTOP_SETTINGS": str(place)}
        self._log = (folder / f"{name}.log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.job_window", str(file)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment,
        )  # fmt: skip
        self._heard()

    def _heard(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, Path(self._log.name).read_text()
        return json.loads(line)

    def does(self, **order: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def correct(self, line: str, segment: int = 0) -> None:
        self.does(correct=[segment, line])

    def save(self, button: str | None = None, path: Path | str = "") -> dict[str, Any]:
        """Save, where what is asked is answered with a button; without one nothing may be asked."""
        found = self.does(save=button, **{"as": str(path)})
        assert button is not None or not found["asked"], found
        return found

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait() == 0, Path(self._log.name).read_text()
        self._process.stdout.close()
        self._log.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "job"
    place.mkdir()
    return Path(shutil.copy(FOLDER / "studio.sdlxliff", place / "job.sdlxliff"))


@pytest.fixture
def opened(file, tmp_path) -> Iterator[Callable[[str], Window]]:
    windows: list[Window] = []

    def start(name: str) -> Window:
        windows.append(Window(file, tmp_path, name))
        return windows[-1]

    yield start
    for one in windows:
        one.close()


def targets(file: Path) -> list[str]:
    return [one.target_line for one in parse_document(file.read_bytes(), file.name).segments]


def test_two_programs_never_overwrite_each_other_unasked(file, opened):
    """A opens, B opens and saves, A saves: it is asked, and what B wrote is there until A says otherwise."""
    first, second = opened("first"), opened("second")
    for one in (first, second):
        # the same work is no conflict
        one.correct(MINE)
        assert one.save()["saved"]
    first.correct(f"{MINE} 1.")
    second.correct(THEIRS)
    assert second.save()["saved"]
    theirs = file.read_bytes()
    assert targets(file)[0] == THEIRS
    found = first.save("Cancel")
    assert (found["saved"], found["modified"]) == (False, True)
    assert found["asked"] == ["Another program changed job.sdlxliff after it was read."]
    assert file.read_bytes() == theirs
    # who overwrites is found out by the other
    assert first.save("Overwrite")["saved"]
    assert targets(file)[0] == f"{MINE} 1."
    second.correct(f"{THEIRS} 2.")
    assert not second.save("Cancel")["saved"]
    elsewhere = file.with_name("theirs.sdlxliff")
    assert second.save("Save as…", elsewhere)["saved"]
    assert (targets(file)[0], targets(elsewhere)[0]) == (f"{MINE} 1.", f"{THEIRS} 2.")
    # each goes on with its own file, and nobody is asked
    for one, line in ((first, f"{MINE} 3."), (second, f"{THEIRS} 3.")):
        one.correct(line)
        assert one.save()["saved"]
    assert (targets(file)[0], targets(elsewhere)[0]) == (f"{MINE} 3.", f"{THEIRS} 3.")
    assert sorted(one.name for one in file.parent.iterdir()) == ["job.sdlxliff", "theirs.sdlxliff"]


def test_a_file_that_another_program_holds_is_asked_about(file, opened):
    window = opened("window")
    for lock in (fcntl.flock, fcntl.lockf):
        before = file.read_bytes()
        window.correct(f"{MINE} {lock.__name__}")
        with file.open("r+b") as held:
            lock(held, fcntl.LOCK_EX)
            found = window.save("Cancel")
            assert (found["saved"], found["asked"]) == (False, ["Another program has job.sdlxliff open."])
            assert file.read_bytes() == before
            assert window.save("Save anyway")["saved"]
            # whoever held it reads what was there, to the end
            assert held.read() == before
        assert targets(file)[0] == f"{MINE} {lock.__name__}"
    for name in (".~lock.job.sdlxliff#", "~$job.sdlxliff"):
        # what LibreOffice and Excel keep beside a file that they have open
        file.with_name(name).write_text("Ada")
        window.correct(name)
        assert window.save("Cancel")["asked"] == ["Another program has job.sdlxliff open."]
        file.with_name(name).unlink()
        assert window.save()["saved"]
    with file.open("rb") as reader:
        # who only reads is not in the way, and has the old one to the end
        fcntl.flock(reader, fcntl.LOCK_SH)
        before = file.read_bytes()
        window.correct(MINE)
        assert window.save()["saved"]
        assert reader.read() == before
    assert targets(file)[0] == MINE
    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_turned_read_only(file, opened):
    window = opened("window")
    before = file.read_bytes()
    window.correct(MINE)
    file.parent.chmod(0o500)
    try:
        found = window.save("Cancel")
        assert (found["saved"], found["modified"]) == (False, True)
        assert "cannot be written" in found["said"][0]
        assert file.read_bytes() == before
    finally:
        file.parent.chmod(0o700)
    assert window.save()["saved"]
    assert [one.name for one in file.parent.iterdir()] == ["job.sdlxliff"]


def test_who_asks_whether_a_file_is_held_holds_nothing(file):
    assert not is_open_elsewhere(file)
    with file.open("r+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert not is_open_elsewhere(file.with_name("missing"))
    assert not is_open_elsewhere(file.parent / "\0")
