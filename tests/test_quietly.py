"""The script `tools/quietly`, which runs long commands of the Makefile with one line of output."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "tools" / "quietly"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell script")


def run(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TMPDIR": str(folder)}
    return subprocess.run(
        [SCRIPT, "Installing", "sh", "-c", command], env=environment, capture_output=True, text=True, check=False
    )


def test_successful_command_prints_one_line(tmp_path):
    completed = run(tmp_path, "echo much; echo more >&2; cat")
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, "Installing …\n", "")
    assert list(tmp_path.iterdir()) == []


def test_failed_command_shows_its_exit_code_and_last_lines(tmp_path):
    completed = run(tmp_path, "for n in $(seq 30); do echo line $n; done; echo wrong >&2; exit 7")
    assert (completed.returncode, completed.stdout) == (7, "Installing …\n")
    lines = completed.stderr.splitlines()
    assert lines[0] == "Installing failed (exit code 7). The last lines of its output:"
    assert lines[1:] == [*(f"line {number}" for number in range(12, 31)), "wrong"]
    assert list(tmp_path.iterdir()) == []
