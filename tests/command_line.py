"""Run commands as a script does, and check their output or their error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qe_desktop.cli.main import main


def run_command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command and return its exit code, stdout and stderr."""
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def json_output(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """Run a command that succeeds and return its JSON output."""
    code, out, err = run_command(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def error_line(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Run a command that fails with a one-line error and return this line."""
    code, out, err = run_command(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("qe-desktop: error: ")
    return err
