"""Why there are no scores, and what helps."""

from __future__ import annotations

from qe_desktop.ui.parts.state_page import Button, Situation
from qe_desktop.ui.scores.sentences import kind_name
from qe_desktop.ui.scoring import ScoreKeeper

FOLDER, FILES = Button("folder", "Open folder…"), Button("files", "Add files…")
OWN, AGAIN = Button("own", "Tag it myself"), Button("again", "Count again")


def situation(scores: ScoreKeeper) -> Situation | None:
    """What stands in the way of scores; None where nothing does."""
    session, kind = scores.workspace.session, scores.workspace.kind
    if scores.state == "failed" and scores.error is not None:
        return Situation(f"No scores: {scores.error.message}", scores.error.hint, (AGAIN,), "error")
    if scores.state != "empty":
        return None
    if session is None:
        return Situation(
            "Scores compare systems with gold tags",
            "Open a folder with a source, its translation, gold tags and the tags of one or more systems.",
            (FOLDER,),
        )
    name = kind_name(kind)
    if session.reference(kind) is None:
        return Situation(
            f"There is no gold for {name}",
            "Scores say how well systems find the words that are BAD in the gold. Add a file with gold tags, or tag "
            "the words yourself and score the systems against your own tags.",
            (FILES, OWN),
        )
    return Situation(
        f"There is nothing to score yet for {name}",
        "The gold is open. Add the tags of one system to see its scores, of two or more to compare them.",
        (FILES,),
    )
