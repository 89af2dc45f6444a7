"""However a file is spoilt, it is read or refused in words: no traceback, no hang, no memory used up, nothing changed.

QE_DESKTOP_TORTURE says how many files are tried (20,000), QE_DESKTOP_TORTURE_FIRST which is the first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

NUMBER = int(os.environ.get("QE_DESKTOP_TORTURE", "20000"))
FIRST = int(os.environ.get("QE_DESKTOP_TORTURE_FIRST", "0"))
SECONDS = 5.0
"""Processor time that a file may take, in each way it is read."""
MEMORY = 1 << 30
"""Bytes that a process may take that reads one file in every way."""
WORKERS = 2
AT_ONCE = 500


def through(folder: Path, first: int, beyond: int) -> list[dict[str, Any]]:
    """What became of the files of a range."""
    command = [sys.executable, "-m", "tests.torture.reading_run", str(folder / str(first)), str(first), str(beyond)]
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.torture
def test_no_spoilt_file_brings_a_traceback(tmp_path):
    begins = range(FIRST, FIRST + NUMBER, AT_ONCE)
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = pool.map(lambda first: through(tmp_path, first, min(first + AT_ONCE, FIRST + NUMBER)), begins)
        found = [one for part in parts for one in part]
    assert len(found) == NUMBER
    assert sum(one.get("refusals", 0) for one in found) > NUMBER, "hardly any file was spoilt enough to be refused"
    bad = [one for one in found if one["fault"] or one["seconds"] > SECONDS or one["bytes"] > MEMORY]
    kinds = Counter(one["fault"].strip().splitlines()[-1] if one["fault"] else "too much" for one in bad)
    said = "\n".join(
        f"{one['number']}: {one['name']}, {one['size']:,} bytes ({one['seconds']:.1f} s {one.get('slowest', '')}, "
        f"{one['bytes'] >> 20} MB)\n{one['fault']}"
        for one in bad[:50]
    )
    assert not bad, f"{len(bad)} of {NUMBER}: {kinds.most_common()}\n{said}"
