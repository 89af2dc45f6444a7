"""Why there are no scores, and what helps."""

from __future__ import annotations

from qe_desktop.ui.parts.state_page import Button, Situation
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.wording import tr

FOLDER, FILES = Button("folder", tr("Open folder…")), Button("files", tr("Add files…"))
OWN, AGAIN = Button("own", tr("Tag it myself")), Button("again", tr("Count again"))


def situation(scores: ScoreKeeper) -> Situation | None:
    """What stands in the way of scores; None where nothing does."""
    view, level = scores.workspace.view, scores.workspace.level
    if scores.state == "failed" and scores.error is not None:
        title = tr("No scores: {reason}", reason=scores.error.message)
        return Situation(title, scores.error.hint, (AGAIN,), "error")
    if scores.state != "empty":
        return None
    if view is None:
        return Situation(
            tr("Scores compare systems with gold tags"),
            tr("Open a folder with a source, its translation, gold tags and the tags of one or more systems."),
            (FOLDER,),
        )
    if level.reference(view) is None:
        missing = level.without_reference()
        return Situation(missing.title, missing.text, (FILES, OWN) if level.tags is not None else (FILES,))
    missing = level.without_subjects()
    return Situation(missing.title, missing.text, (FILES,))
