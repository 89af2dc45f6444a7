"""The real window for a measurement in a process of its own, with settings and data that go with it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from qe_desktop.ui import app as program
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.startup.preload import preload_modules

BY_THE_CLOCK = "--by-the-clock"
"""What asks for the longest turns by the clock, instead of in processor time of the window's thread."""


def by_the_clock() -> bool:
    """Whether this process was asked to measure so."""
    return BY_THE_CLOCK in sys.argv


def print_measured(measure: Callable[..., Mapping[str, object]], *given: str) -> None:
    """What is measured of the application, its window and what that is joined to, as JSON."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(place) / "settings.ini")
        os.environ["XDG_DATA_HOME"] = place
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        sys.setswitchinterval(program.SWITCH_INTERVAL_S)
        app = program.create_application()
        shell = Shell(Settings())
        joined = program.build_main_controller(shell)
        shell.resize(1280, 800)
        shell.show()
        # as where the program is started
        preload_modules(shell.jobs, shell)
        found = measure(app, shell, joined, *[one for one in given if one != BY_THE_CLOCK])
        shell.close()
        shell.jobs.close()
        print(json.dumps(found))
        sys.stdout.flush()
