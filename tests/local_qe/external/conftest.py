"""Fixtures of the tests of external QE commands."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from qe_desktop.local_qe.external.command import QeCommand


@pytest.fixture
def make_command(tmp_path: Path):
    """Function that makes a command from Python code, in which `source`, `mt` and `out` are names of files."""

    def make(
        code: str, name: str = "mine", placeholders: str = "{source} {mt} {out}", minutes: float = 5.0
    ) -> QeCommand:
        path = tmp_path / "a system.py"
        head = "import os, sys, time\nsource, mt, out = (sys.argv + [''] * 3)[1:4]\n"
        path.write_text(head + textwrap.dedent(code), encoding="utf-8")
        return QeCommand(name, f"'{sys.executable}' '{path}' {placeholders}", minutes)

    return make
