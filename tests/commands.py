"""Commands run as a script runs them: what they answer, and how they refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qe_desktop.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """The exit code of a command, and what it writes to stdout and stderr."""
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """What a command that succeeds answers as JSON."""
    code, out, err = run(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line of error of a command that does nothing else."""
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("qe-desktop: error: ")
    return err
