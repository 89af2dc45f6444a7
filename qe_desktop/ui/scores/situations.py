"""Why there are no scores, and what helps."""

from __future__ import annotations

from qe_desktop.ui.parts.state_page import Button, Situation
from qe_desktop.ui.scoring import ScoreKeeper

FOLDER, FILES = Button("folder", "Open folder…"), Button("files", "Add files…")
OWN, AGAIN = Button("own", "Tag it myself"), Button("again", "Count again")


def situation(scores: ScoreKeeper) -> Situation | None:
    """What stands in the way of scores; None where nothing does."""
    view, level = scores.workspace.view, scores.workspace.level
    if scores.state == "failed" and scores.error is not None:
        return Situation(f"No scores: {scores.error.message}", scores.error.hint, (AGAIN,), "error")
    if scores.state != "empty":
        return None
    if view is None:
        return Situation(
            "Scores compare systems with gold tags",
            "Open a folder with a source, its translation, gold tags and the tags of one or more systems.",
            (FOLDER,),
        )
    if level.reference(view) is None:
        missing = level.without_reference()
        return Situation(missing.title, missing.text, (FILES, OWN) if level.tags is not None else (FILES,))
    missing = level.without_subjects()
    return Situation(missing.title, missing.text, (FILES,))
