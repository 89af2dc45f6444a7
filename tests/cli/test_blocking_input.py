"""Input that would block a command forever or for minutes is rejected immediately with an error message."""

from __future__ import annotations

import os
import signal

import pytest

from qe_desktop.formats import files
from qe_desktop.formats.files import MAX_FILES
from qe_desktop.project.store import Project
from qe_desktop.project.store.location import is_project
from tests.command_line import error_line, run_command

TIMEOUT_SECONDS = 60
"""Seconds after which a command that waits for a pipe is aborted; a correct one takes milliseconds."""


@pytest.fixture(autouse=True)
def _timeout():
    def give_up(number, frame):
        raise AssertionError("the command waits for a pipe without a writer")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(TIMEOUT_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def folder(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "pipe.qedesk")
    (tmp_path / "x.tags").write_text("OK BAD\n")
    (tmp_path / "x.csv").write_text("rater,system,segment,score\na,b,1,3\n")
    Project.create(str(tmp_path / "p.qedesk"), None, person="me").close()
    return tmp_path


@pytest.mark.parametrize("pipe", ["pipe", "pipe.qedesk", "/dev/zero"])
@pytest.mark.parametrize(
    "command",
    [
        "score words --gold PIPE --system x.tags",
        "score words --gold x.tags --system PIPE",
        "score words --gold x.tags --system x.tags --mt PIPE",
        "compare words --gold x.tags --system a=x.tags b=x.tags --unit document --documents PIPE",
        "convert PIPE y.tags",
        "convert x.tags y.tags --mt PIPE",
        "convert x.tags y.tags --gaps PIPE",
        "ratings report PIPE",
        "ratings report x.csv PIPE",
        "ratings export PIPE --form long -o y.csv",
        "ratings import p.qedesk PIPE",
        "ratings import PIPE x.csv",
        "project info PIPE",
        "info PIPE",
        "project create q.qedesk PIPE",
    ],
)
def test_pipes_and_devices_are_refused_without_waiting(folder, capsys, monkeypatch, command, pipe):
    monkeypatch.chdir(folder)
    error = error_line(capsys, *command.replace("PIPE", pipe).split())
    if command.startswith("project create") and pipe.endswith(".qedesk"):
        # a file with the extension of projects is never read as part of a corpus
        assert "no usable texts, tags, scores or ratings found in these files" in error
    else:
        assert "not a regular file" in error
        assert pipe in error


def test_pipe_is_not_a_project(folder):
    """The window checks every path dropped on it this way."""
    assert not is_project(str(folder / "pipe"))


def test_pipe_in_a_folder_is_skipped(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "p.qedesk").unlink()
    code, _, _ = run_command(capsys, "score", "words", "--gold", "x.tags", "--system", ".")
    assert code == 0


@pytest.mark.parametrize("command", ["score words --gold x.tags --system many", "project create q.qedesk many"])
def test_folder_of_too_many_files_is_refused_before_any_is_opened(folder, capsys, monkeypatch, command):
    """Reading a hundred thousand files one after another took minutes."""
    monkeypatch.chdir(folder)
    (folder / "many").mkdir()
    for number in range(MAX_FILES + 1):
        (folder / f"many/{number}.tags").touch()
    opened: list[str] = []
    plain = files.open_regular

    def record(path):
        opened.append(path.name)
        return plain(path)

    monkeypatch.setattr(files, "open_regular", record)
    error = error_line(capsys, *command.split())
    assert f"more than {MAX_FILES:,} files" in error
    assert set(opened) <= {"x.tags"}
