"""What stands where findings would: why there are none, and what helps."""

from __future__ import annotations

from qe_desktop.ui.parts.state_page import Button, Situation
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.findings.folder_keeper import FolderFindings
from qe_desktop.ui.scores.findings.keeper import FindingsKeeper, OpenFindings
from qe_desktop.wording import tr

FOLDER = Button("findings-folder", tr("Findings of a folder…"))
RUN, AGAIN = Button("run", tr("Compute the findings")), Button("again-findings", tr("Try again"))
ELSEWHERE = Button("findings-folder", tr("Choose another folder…"))


def situation(opened: OpenFindings, folder: FolderFindings) -> Situation:
    """Where neither has found anything: what is going on, what went wrong, or what to do."""
    if folder.state == "working" and folder.asked is not None:
        return Situation(tr("Computing the findings of {folder}…", folder=folder.asked.folder.name), "")
    if folder.state == "failed" and folder.error is not None:
        return Situation(tr("No findings of the folder"), folder.error.line(), (ELSEWHERE, AGAIN), "error")
    if opened.state == "failed" and opened.error is not None:
        return Situation(tr("No findings"), opened.error.line(), (AGAIN, FOLDER), "error")
    return _of_open(opened)


def _of_open(opened: OpenFindings) -> Situation:
    scores = opened.comparison.scores
    if opened.workspace.view is None:
        return Situation(
            tr("Findings set all systems beside each other"),
            tr(
                "Scores by every metric, with intervals, clusters and ranks: of what is open, or of a shared task that "
                "has a folder for each language pair."
            ),
            (FOLDER, of_scores.FOLDER),
        )
    missing = of_scores.situation(scores)
    if missing is not None:
        return Situation(missing.title, missing.text, (*missing.buttons, FOLDER), missing.icon)
    if opened.state == "waiting":
        about = tr("What is open is large, or the computing was stopped: it is computed on request.")
        return Situation(tr("There are no findings yet"), about, (RUN, FOLDER))
    return Situation(tr("Computing the findings…"), "")


def working(opened: OpenFindings, folder: FolderFindings, shown: FindingsKeeper) -> FindingsKeeper | None:
    """What is being computed and is to be told of."""
    return next((keeper for keeper in (folder, shown, opened) if keeper.state == "working"), None)
