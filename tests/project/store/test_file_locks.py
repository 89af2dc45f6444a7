"""The locks of an open project persist, whatever else this program does with its files."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import Role, plan_imports
from qe_desktop.formats.atomic_write import write_text
from qe_desktop.formats.files import has_signature, open_regular
from qe_desktop.formats.files_in_use import begin_reading, end_reading, is_open_elsewhere, is_open_here
from qe_desktop.formats.text_files import open_beginning, open_file
from qe_desktop.project.store import Project
from tests.project.store.small_projects import make_edit_row, tags_project
from tests.timeouts import PATIENCE

fcntl = pytest.importorskip("fcntl")

PROBE = """
import fcntl, sys
states = []
for path in sys.argv[1:]:
    with open(path, "rb+") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            states.append("free")
        except OSError:
            states.append("locked")
print(*states)
"""


def held_locks(path: Path) -> list[str]:
    """State of the locks of a project's file and its journal's index, as seen by another process."""
    index = path.with_name(f"{path.name}-shm")
    done = subprocess.run([sys.executable, "-c", PROBE, path, index], check=True, capture_output=True, text=True)
    return done.stdout.split()


@pytest.fixture
def project_path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "corpus"
    folder.mkdir()
    project = tags_project(folder / "a.qedesk")
    project.append([make_edit_row(project)])
    assert project.flush(PATIENCE)
    yield folder / "a.qedesk"
    project.close()


def import_folder(path: Path) -> None:
    (path.parent / "x.mt").write_text("ein Wort\n")
    os.link(path, path.with_name("linked.data"))
    path.with_name("link.txt").symlink_to(path)
    (plan,) = plan_imports([path.parent])
    assert [file.path.name for file in plan.files if file.role is Role.MT] == ["x.mt"]
    descriptions = {file.path.name: file.description for file in plan.files}
    assert (
        descriptions["a.qedesk"]
        == descriptions["linked.data"]
        == descriptions["link.txt"]
        == descriptions["a.qedesk-shm"]
        == "project file"
    )


def open_related_files(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        related = path.with_name(path.name + suffix)
        for opening in (open_regular, open_file, lambda path_to_open: open_beginning(path_to_open, 100)):
            with pytest.raises(QeError, match="this is an open project"):
                opening(related)
        assert not has_signature(related, b"SQLite")
        assert is_open_elsewhere(related)


def write_over(path: Path) -> None:
    with pytest.raises(QeError, match="this is an open project"):
        write_text(path, "x")


def open_again(path: Path) -> None:
    Project.open(path, person="ben").close()


@pytest.mark.parametrize("act", [import_folder, open_related_files, write_over, open_again])
def test_locks_of_an_open_project_persist(project_path: Path, act: Callable[[Path], None]):
    assert held_locks(project_path) == ["locked", "locked"]
    act(project_path)
    assert held_locks(project_path) == ["locked", "locked"]


def test_the_probe_finds_a_dropped_lock(project_path: Path):
    project_path.read_bytes()
    assert held_locks(project_path)[0] == "free"


def test_opening_a_project_waits_until_its_file_is_no_longer_read(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "a.qedesk"
    tags_project(path).close()
    read = begin_reading(path)
    assert read is not None
    opened = threading.Event()
    projects: list[Project] = []

    def work() -> None:
        projects.append(Project.open(path, person="ann"))
        opened.set()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert not is_open_here(path)
        assert not opened.is_set()
    finally:
        end_reading(read)
        thread.join(PATIENCE)
    assert is_open_here(path)
    projects[0].close()
    assert not is_open_here(path)
    with open_regular(path):
        pass
