"""The real window for a measurement in a separate process, with temporary settings and data."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from qe_desktop.ui import app as program
from qe_desktop.ui.garbage_collection import GarbageCollectionTimer
from qe_desktop.ui.preload import preload_modules
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.window import Shell

BY_THE_CLOCK = "--by-the-clock"
"""Argument that requests wall-clock times instead of processor times of the GUI thread."""


def measures_wall_clock() -> bool:
    """Return whether this process measures wall-clock times."""
    return BY_THE_CLOCK in sys.argv


def print_measurements(measure: Callable[..., Mapping[str, object]], *arguments: str) -> None:
    """Print as JSON what a function measures with the application, its window and the main controller."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(folder) / "settings.ini")
        os.environ["XDG_DATA_HOME"] = folder
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        sys.setswitchinterval(program.SWITCH_INTERVAL_S)
        app = program.create_application()
        # as in the program, where no event collects garbage at any other time
        collector = GarbageCollectionTimer()
        shell = Shell(Settings())
        shell.corpus_closing.connect(collector.collect_frozen_later)
        joined = program.build_main_controller(shell)
        shell.resize(1280, 800)
        shell.show()
        # as at the start of the program
        preload_modules(shell.jobs, shell)
        result = measure(app, shell, joined, *[argument for argument in arguments if argument != BY_THE_CLOCK])
        shell.close()
        shell.jobs.close()
        print(json.dumps(result))
        sys.stdout.flush()
