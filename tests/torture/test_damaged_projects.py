"""Damaged projects are reported as readable errors: no traceback, no hang, no excessive memory.

QE_DESKTOP_TORTURE_PROJECTS is the number of files (2,500).
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

from tests.torture.damaged_projects_run import MEMORY
from tests.torture.valid_project import make_valid_project

NUMBER = int(os.environ.get("QE_DESKTOP_TORTURE_PROJECTS", "2500"))
FIRST = int(os.environ.get("QE_DESKTOP_TORTURE_FIRST", "0"))
SECONDS = 5.0
"""Maximum CPU time in seconds for everything that is done with one file."""
PATIENCE = 300.0
"""Seconds after which a file counts as one that never ends."""
WORKERS = 2


def run_range(template: Path, first: int, beyond: int) -> list[dict[str, Any]]:
    """Results of a range of damaged files; if the process dies at a file, a new one continues after it."""
    results: list[dict[str, Any]] = []
    while first < beyond:
        until = min(beyond, first + 50)
        command = [sys.executable, "-m", "tests.torture.damaged_projects_run", str(template), str(first), str(until)]
        env = os.environ | {"XDG_DATA_HOME": str(template.parent), "QE_DESKTOP_LOG": ""}
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=PATIENCE, check=False)
            lines, ended = done.stdout, f"ended with {done.returncode}: {done.stderr[-2000:]}"
        except subprocess.TimeoutExpired as error:
            lines, ended = (error.stdout or b"").decode(), f"not over after {PATIENCE:.0f} s"
        new_results = [json.loads(line) for line in lines.splitlines() if line.startswith('{"number"')]
        results += new_results
        first += len(new_results)
        if first < until:
            results.append({"number": first, "what": "", "fault": ended, "seconds": 0.0, "bytes": 0})
            first += 1
    return results


@pytest.mark.torture
def test_damaged_projects_cause_no_traceback_hang_or_excessive_memory(tmp_path):
    template = make_valid_project(tmp_path / "whole.qedesk")
    step = -(-NUMBER // WORKERS)
    begins = range(FIRST, FIRST + NUMBER, step)
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = pool.map(lambda first: run_range(template, first, min(first + step, FIRST + NUMBER)), begins)
        results = [file for part in parts for file in part]
    assert len(results) == NUMBER
    bad = [file for file in results if file["fault"] or file["seconds"] > SECONDS or file["bytes"] > MEMORY]
    report = "\n".join(
        f"{file['number']}: {file['what']} ({file['seconds']:.1f} s, {file['bytes'] >> 20} MB)\n{file['fault']}"
        for file in bad
    )
    assert not bad, f"{len(bad)} of {NUMBER}:\n{report}"
