"""Programs that a test starts by forking and kills, and the rows that they report as saved."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from qe_desktop.project.store.tables.cell_codec import row_from_json
from qe_desktop.ui.settings import Settings
from tests.timeouts import wait_until


class ForkServer:
    """Process with all modules imported, so that starting the program takes only a fork and a window."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(str(folder / "settings.ini"))
        settings.person = "Anna"
        settings.save()
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "QE_DESKTOP_SETTINGS": str(folder / "settings.ini"),
            "XDG_DATA_HOME": str(folder / "data"),
            "OPENBLAS_NUM_THREADS": "1",
        }
        self._log = (folder / "fork-server.log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.fork_server"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment,
        )  # fmt: skip
        assert self._answer() == "ready"

    def start(self, project: Path, report: Path, seed: int, **options: object) -> int:
        assert self._process.stdin is not None
        order = {"project": str(project), "report": str(report), "seed": seed, **options}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._answer())

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        self._process.communicate()
        self._log.close()
        assert self._process.returncode == 0


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def kill(pid: int) -> None:
    assert is_running(pid), "the program ended by itself"
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_running(pid))


def wait_for_reports(pid: int, report: Path, kind: type, min_rows: int) -> None:
    """Wait until at least a number of rows of a type are reported as saved."""

    def are_enough() -> bool:
        assert is_running(pid), "the program ended by itself"
        return sum(isinstance(row, kind) for row in reported_rows(report).values()) >= min_rows

    wait_until(are_enough, f"fewer than {min_rows} rows of {kind.__name__} were saved")


def report_lines(report: Path) -> list[dict]:
    """Return the lines of a report; a last line that the kill truncated is not a report."""
    if not report.exists():
        return []
    *complete_lines, _ = report.read_text().split("\n")
    return [json.loads(line) for line in complete_lines]


def reported_rows(report: Path) -> dict[str, object]:
    """Return the rows that were reported as saved, by uid."""
    return {line["uid"]: row_from_json(line) for line in report_lines(report) if "uid" in line}
