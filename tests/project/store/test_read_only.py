"""Read-only projects; root may write everywhere, so another user opens them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing as closed
from pathlib import Path

import pytest

SCRIPT = """
import os, sys
from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
warm, path = sys.argv[1:]
with Project.open(warm, person="root") as project:
    project.corpus(); project.history(); project.campaigns(); project.new_changes()
from tests.project.store.small_projects import make_edit_row
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    with Project.open(path, person="ann") as project:
        print(project.read_only or "writable")
        changes = project.new_changes()
        print(len(project.corpus().layers), len(project.history()), len(changes.edits), project.campaigns())
        for act in (lambda: project.append([make_edit_row(project)]), lambda: project.extend(project.corpus())):
            try:
                act()
                print("written")
            except QeError as error:
                print("refused:", error.message)
except QeError as error:
    print("error:", error.message)
"""

READ_ONLY_MESSAGE = "The project is read-only: its file or folder is not writable."


@pytest.fixture
def open_folder(project_path: Path) -> Iterator[Path]:
    """Folder that every user may read, with a copy of the project."""
    folder = Path(tempfile.mkdtemp(prefix="qe-desktop-readable-"))
    folder.chmod(0o755)
    shutil.copy(project_path, folder / "a.qedesk")
    (folder / "a.qedesk").chmod(0o644)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def open_as_other_user(path: Path, warm: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(warm), str(path)], capture_output=True, text=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")
@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_a_project_in_a_read_only_file_or_folder_can_only_be_read(open_folder, project_path, what):
    copy = open_folder / "a.qedesk"
    if os.geteuid() == 0:
        # the other user, who opens the project, owns only the files that should be writable
        owner = 65534
        os.chown(copy, owner if what == "folder" else 0, -1)
        os.chown(open_folder, owner if what == "file" else 0, -1)
    if what != "folder":
        copy.chmod(0o444)
    if what != "file":
        open_folder.chmod(0o555)
    before = copy.read_bytes()
    output = open_as_other_user(copy, project_path)
    open_folder.chmod(0o755)
    assert output == [READ_ONLY_MESSAGE, "5 1 0 []", f"refused: {READ_ONLY_MESSAGE}", f"refused: {READ_ONLY_MESSAGE}"]
    assert copy.read_bytes() == before


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="rights are those of POSIX")
def test_an_unclosed_project_in_a_read_only_folder_is_reported(open_folder, project_path):
    copy = open_folder / "a.qedesk"
    with closed(sqlite3.connect(copy)) as connection:
        connection.execute("INSERT INTO settings(uid, \"window\", at, scope, name) VALUES ('u', 1, 0, '', 'n')")
        connection.commit()
        journal = Path(f"{copy}-wal").read_bytes()
        data = copy.read_bytes()
    copy.write_bytes(data)
    Path(f"{copy}-wal").write_bytes(journal)
    open_folder.chmod(0o555)
    output = open_as_other_user(copy, project_path)
    open_folder.chmod(0o755)
    (error,) = output
    assert error.startswith("error: the project was not closed properly")
