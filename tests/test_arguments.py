"""Names of files that look like options."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from qe_desktop.arguments import drop_end_of_options, escape_dash_files

EVIL = "--qe=x=sh -c 'touch was-run' {mt} {out}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.mt").write_text("Er sagt ja .\n")
    for name in (EVIL, "--json", "-o"):
        (tmp_path / name).write_text("Er sagt ja .\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_names_a_file_is_no_option(folder):
    here = os.curdir + os.sep
    assert escape_dash_files(["a.mt", EVIL, "-o", "--out", "--json"]) == [
        "a.mt", here + EVIL, f"{here}-o", "--out", f"{here}--json",
    ]  # fmt: skip
    (folder / "--out").symlink_to("nowhere")
    assert escape_dash_files(["--out"]) == [f"{here}--out"]


def test_behind_two_dashes_there_are_no_options():
    here = os.curdir + os.sep
    asked = ["--qe=a=b", "--", "-x", "--", "-", "y"]
    assert escape_dash_files(asked) == ["--qe=a=b", "--", f"{here}-x", "--", "-", "y"]
    assert drop_end_of_options(["a", "--", "b"]) == ["a", "b"]
    assert drop_end_of_options(["a"]) == ["a"]


@pytest.mark.process
@pytest.mark.parametrize(
    "before", [[], ["--"], ["tag"], ["tag", "-o", "out", "--"], ["info"], ["score", "words", "--system"]], ids=" ".join
)
def test_no_command_is_run_that_a_file_names(folder, before):
    """As a shell calls it for `qe-desktop … *`; the window is refused for want of a display, after its arguments."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["QT_QPA_PLATFORM"] = ""
    call = [sys.executable, "-m", "qe_desktop", *before, *sorted(os.listdir(folder))]
    done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert not (folder / "was-run").exists()
    if before[:1] in ([], ["--"]):
        assert "display" in done.stderr


@pytest.mark.process
def test_two_dashes_open_the_window(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["QT_QPA_PLATFORM"] = ""
    call = [sys.executable, "-m", "qe_desktop", "--", "-missing"]
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "-missing: there is no such command, file or folder" in done.stderr
