"""Damaged input files are read or rejected with a readable error: no traceback, no hang, no excessive memory.

QE_DESKTOP_TORTURE is the number of files (20,000), QE_DESKTOP_TORTURE_FIRST the number of the first one.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.torture.file_damage import LARGE, PACKED, SMALL

NUMBER = int(os.environ.get("QE_DESKTOP_TORTURE", "20000"))
FIRST = int(os.environ.get("QE_DESKTOP_TORTURE_FIRST", "0"))
SECONDS = 5.0
"""Maximum CPU time in seconds of each way of reading a file."""
MEMORY = 1 << 30
"""Maximum memory in bytes of a process that reads one file."""
WORKERS = 2
FILES_PER_RUN = 500


def run_range(folder: Path, first: int, beyond: int) -> list[dict[str, Any]]:
    """Results of the files of a range."""
    command = [
        sys.executable,
        "-m",
        "tests.torture.damaged_files_run",
        str(folder / str(first)),
        str(first),
        str(beyond),
    ]
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("content", [b"\n", b" \n\n", b"x"])
def test_every_damage_can_be_done_to_a_small_file(content):
    for number, step in enumerate((*SMALL, *LARGE, *PACKED)):
        assert isinstance(step(content, random.Random(number)), bytes), step.__name__


@pytest.mark.torture
def test_damaged_input_files_cause_no_traceback_hang_or_excessive_memory(tmp_path):
    begins = range(FIRST, FIRST + NUMBER, FILES_PER_RUN)
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = pool.map(lambda first: run_range(tmp_path, first, min(first + FILES_PER_RUN, FIRST + NUMBER)), begins)
        damaged_files = [file for part in parts for file in part]
    assert len(damaged_files) == NUMBER
    assert sum(file.get("refusals", 0) for file in damaged_files) > NUMBER, (
        "hardly any file was spoilt enough to be refused"
    )
    bad = [file for file in damaged_files if file["fault"] or file["seconds"] > SECONDS or file["bytes"] > MEMORY]
    kinds = Counter(file["fault"].strip().splitlines()[-1] if file["fault"] else "too much" for file in bad)
    report = "\n".join(
        f"{file['number']}: {file['name']}, {file['size']:,} bytes ({file['seconds']:.1f} s {file.get('slowest', '')}, "
        f"{file['bytes'] >> 20} MB)\n{file['fault']}"
        for file in bad[:50]
    )
    assert not bad, f"{len(bad)} of {NUMBER}: {kinds.most_common()}\n{report}"
