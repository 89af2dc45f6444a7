"""File names that look like options."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from qe_desktop.__main__ import run
from qe_desktop.arguments import SAMPLE_NAMES, drop_end_of_options, escape_dash_files
from qe_desktop.ui.shell.start_page import SAMPLES

OPTION_LIKE_NAME = "--qe=x=sh -c 'touch was-run' {mt} {out}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.mt").write_text("Er sagt ja .\n")
    for name in (OPTION_LIKE_NAME, "--json", "-o"):
        (tmp_path / name).write_text("Er sagt ja .\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_existing_file_names_are_not_parsed_as_options(folder):
    prefix = os.curdir + os.sep
    assert escape_dash_files(["a.mt", OPTION_LIKE_NAME, "-o", "--out", "--json"]) == [
        "a.mt", prefix + OPTION_LIKE_NAME, f"{prefix}-o", "--out", f"{prefix}--json",
    ]  # fmt: skip
    (folder / "--out").symlink_to("nowhere")
    assert escape_dash_files(["--out"]) == [f"{prefix}--out"]


def test_arguments_after_two_dashes_are_not_options():
    prefix = os.curdir + os.sep
    arguments = ["--qe=a=b", "--", "-x", "--", "-", "y"]
    assert escape_dash_files(arguments) == ["--qe=a=b", "--", f"{prefix}-x", "--", "-", "y"]
    assert drop_end_of_options(["a", "--", "b"]) == ["a", "b"]
    assert drop_end_of_options(["a"]) == ["a"]


@pytest.mark.process
@pytest.mark.parametrize(
    "before", [[], ["--"], ["tag"], ["tag", "-o", "out", "--"], ["info"], ["score", "words", "--system"]], ids=" ".join
)
def test_file_names_cannot_run_commands(folder, before):
    """Arguments as of `qe-desktop … *`; without a display, the window fails after its arguments are parsed."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["QT_QPA_PLATFORM"] = ""
    call = [sys.executable, "-m", "qe_desktop", *before, *sorted(os.listdir(folder))]
    completed = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True)
    assert "Traceback" not in completed.stderr
    assert not (folder / "was-run").exists()
    if before[:1] in ([], ["--"]):
        assert "display" in completed.stderr


def test_window_is_not_opened_if_no_argument_exists(folder, capsys, monkeypatch):
    opened: list[list[str]] = []
    monkeypatch.setattr("qe_desktop.ui.app.main", lambda argv, systems: opened.append(argv) or 0)
    assert run(["demoo"]) == 2
    assert capsys.readouterr().err == (
        "qe-desktop: error: demoo: no such command, file or folder (see qe-desktop --help)\n"
    )
    assert run(["demo", "xx"]) == 2
    assert capsys.readouterr().err == ("qe-desktop: error: xx: no such sample (samples: en-de, en-he, en-ja, job)\n")
    assert not opened
    # the window reports which of several files is missing
    arguments = [["a.mt", "demoo"], ["demo"], ["demo", "en-he"], ["postgresql://server/name"], []]
    assert [run(argv) for argv in arguments] == [0] * len(arguments)
    assert opened == arguments


def test_names_of_samples_are_those_of_the_start_page():
    assert [key for key, _, _ in SAMPLES] == list(SAMPLE_NAMES)


def test_help_names_the_samples_projects_and_servers(capsys):
    with pytest.raises(SystemExit):
        run(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    for name in (*SAMPLE_NAMES, "*.qedesk", "postgresql://"):
        assert name in text


def test_unknown_option_is_named(capsys):
    assert run(["--nosuch"]) == 2
    error = capsys.readouterr().err
    assert "unrecognized arguments: --nosuch" in error
    assert "See qe-desktop --help." in error


def test_unknown_option_of_a_subcommand_refers_to_its_own_help(capsys):
    for command in (["compare", "words"], ["score", "words"]):
        assert run([*command, "--gold", "g", "--system", "s", "--trails", "5"]) == 2
        error = capsys.readouterr().err
        assert error.startswith("qe-desktop: error: unrecognized arguments: --trails 5.")
        assert f"See qe-desktop {' '.join(command)} --help." in error


@pytest.mark.parametrize(("level", "offers_williams"), [("words", False), ("translations", False), ("sentences", True)])
def test_help_of_compare_offers_only_tests_that_apply(capsys, level, offers_williams):
    with pytest.raises(SystemExit):
        run(["compare", level, "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "randomisation,bootstrap" in text
    assert ("williams" in text) is offers_williams
    assert "--rounds R, --trials R" in text


@pytest.mark.process
def test_paths_after_two_dashes_are_opened_in_the_window(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["QT_QPA_PLATFORM"] = ""
    call = [sys.executable, "-m", "qe_desktop", "--", "-missing"]
    completed = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert completed.returncode == 2
    assert "-missing: no such command, file or folder" in completed.stderr
