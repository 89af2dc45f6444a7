"""Order of systems in the output of `qe-desktop score`."""

from __future__ import annotations

import pytest

from tests.command_line import json_output, run_command

TAGS = {"worst": "BAD OK OK BAD", "best": "OK OK OK BAD", "middle": "OK OK BAD BAD"}


@pytest.fixture
def command(tmp_path):
    (tmp_path / "gold.tags").write_text("OK OK OK BAD\n")
    (tmp_path / "mt").write_text("a b c d\n")
    for name, line in TAGS.items():
        (tmp_path / f"{name}.tags").write_text(f"{line}\n")
    systems = [f"--system={name}={tmp_path / name}.tags" for name in TAGS]
    return ["score", "words", "--gold", tmp_path / "gold.tags", "--mt", tmp_path / "mt", *systems]


def names(lines):
    return [line.split()[0] for line in lines if line.split() and line.split()[0] in TAGS]


def test_terminal_table_is_sorted_best_first_and_files_are_not(capsys, command):
    _, out, _ = run_command(capsys, *command)
    assert names(out.splitlines())[0] == "best"
    assert "Sorted by F1-mult, best first." in out
    for form in ("tsv", "html", "latex"):
        _, out, _ = run_command(capsys, *command, "--format", form)
        positions = [out.index(name) for name in TAGS]
        assert positions == sorted(positions), form
        assert "Sorted by" not in out
    assert list(json_output(capsys, *command)["systems"]) == list(TAGS)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_terminal_table_names_the_command_for_tests(capsys, monkeypatch, command, is_terminal):
    monkeypatch.setattr("qe_desktop.cli.score.sys.stdout.isatty", lambda: is_terminal)
    _, _, err = run_command(capsys, *command)
    assert ("qe-desktop compare words" in err) is is_terminal
