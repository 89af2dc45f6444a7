"""Open a very large number of ratings in the real window, and print as JSON how long the event loop was blocked.

Run in a separate process: python -m tests.benchmarks.many_ratings_run WITHOUT FOLDER PROJECT

WITHOUT is a folder without ratings, which is opened first, because the first corpus builds the areas. PROJECT is
created.
"""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import SystemNameMapping
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.blocking_run import MeasuredWindow
from tests.benchmarks.measured_window import print_measurements

PEOPLE = "people"


def measure(
    app: QApplication, shell: Shell, joined: MainController, without: str, folder: str, project: str
) -> dict[str, float]:
    window = MeasuredWindow(app, shell, joined)
    workspace = joined.workspace
    window.settle()

    def open_path(path: str) -> float:
        window.iterations.take_longest()
        shell.open_paths([path])
        window.iterations.until(lambda: workspace.corpus is not None)
        window.settle()
        return window.iterations.take_longest()

    open_path(without)
    shell.show_area("scores")
    workspace.close()
    window.settle()
    times = {"opened": open_path(folder)}
    times["scored"] = show_human_scores(window, joined)
    session = workspace.session
    assert session is not None
    times["matched"] = window.longest(lambda: session.match("", SystemNameMapping({"s0": "other"})))
    assert joined.scores.layers[0].name == "other"
    joined.projects.opener.create(project)
    window.iterations.until(lambda: workspace.project is not None)
    workspace.close()
    window.settle()
    times["project"] = max(open_path(project), show_human_scores(window, joined))
    return times


def show_human_scores(window: MeasuredWindow, joined: MainController) -> float:
    """Show the human scores in the Scores area."""
    workspace = joined.workspace
    window.shell.show_area("scores")
    window.settle()
    level = next(level for level in workspace.levels() if level.name == PEOPLE)
    longest = window.longest(lambda: workspace.set_level(level))
    assert joined.scores.state == "ready"
    return longest


if __name__ == "__main__":
    print_measurements(measure, *sys.argv[1:])
