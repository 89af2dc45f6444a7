"""However a project's file is damaged, the program says so in words: no traceback, no hang, no memory used up.

QE_DESKTOP_TORTURE_PROJECTS says how many files are tried (2,500).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.torture.using_run import MEMORY
from tests.torture.whole_project import make

NUMBER = int(os.environ.get("QE_DESKTOP_TORTURE_PROJECTS", "2500"))
FIRST = int(os.environ.get("QE_DESKTOP_TORTURE_FIRST", "0"))
SECONDS = 5.0
"""Processor time that all that is done with one file may take together."""
PATIENCE = 300.0
"""Seconds after which a file that is still being looked at counts as one that never ends."""
WORKERS = 2


def through(template: Path, first: int, beyond: int) -> list[dict[str, Any]]:
    """What became of the files of a range, each damaged in its way; a process that died is taken up behind them."""
    found: list[dict[str, Any]] = []
    while first < beyond:
        until = min(beyond, first + 50)
        command = [sys.executable, "-m", "tests.torture.using_run", str(template), str(first), str(until)]
        env = os.environ | {"XDG_DATA_HOME": str(template.parent), "QE_DESKTOP_LOG": ""}
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=PATIENCE, check=False)
            lines, ended = done.stdout, f"ended with {done.returncode}: {done.stderr[-2000:]}"
        except subprocess.TimeoutExpired as error:
            lines, ended = (error.stdout or b"").decode(), f"not over after {PATIENCE:.0f} s"
        told = [json.loads(line) for line in lines.splitlines() if line.startswith('{"number"')]
        found += told
        first += len(told)
        if first < until:
            found.append({"number": first, "what": "", "fault": ended, "seconds": 0.0, "bytes": 0})
            first += 1
    return found


@pytest.mark.torture
def test_no_damaged_project_brings_a_traceback(tmp_path):
    template = make(tmp_path / "whole.qedesk")
    step = -(-NUMBER // WORKERS)
    begins = range(FIRST, FIRST + NUMBER, step)
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = pool.map(lambda first: through(template, first, min(first + step, FIRST + NUMBER)), begins)
        found = [one for part in parts for one in part]
    assert len(found) == NUMBER
    bad = [one for one in found if one["fault"] or one["seconds"] > SECONDS or one["bytes"] > MEMORY]
    said = "\n".join(
        f"{one['number']}: {one['what']} ({one['seconds']:.1f} s, {one['bytes'] >> 20} MB)\n{one['fault']}"
        for one in bad
    )
    assert not bad, f"{len(bad)} of {NUMBER}:\n{said}"
