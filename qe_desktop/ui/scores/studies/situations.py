"""What stands where a study would: why there is none, and what helps."""

from __future__ import annotations

from qe_desktop.ui.parts.state_page import Button, Situation
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.studies.keeper import StudyKeeper
from qe_desktop.wording import tr

RUN, AGAIN = Button("run", tr("Make the study")), Button("again-study", tr("Try again"))
WORDS = Button("words", tr("Look at words"))


def situation(keeper: StudyKeeper) -> Situation:
    """Where there is no study: what is missing, what went wrong, or what is going on."""
    workspace, scores = keeper.workspace, keeper.comparison.scores
    if workspace.view is None:
        return Situation(
            tr("How do metrics behave?"),
            tr(
                "Open gold tags and the tags of systems: studies try metrics on labellings that are of no use, and on "
                "P(BAD) at every threshold."
            ),
            (of_scores.FOLDER,),
        )
    if workspace.level.tags is None:
        return _of_tags(keeper)
    missing = of_scores.situation(scores) or keeper.missing()
    if missing is not None:
        there = tuple(missing.buttons) or (of_scores.FILES,)
        words = not missing.buttons and workspace.kind.value != "words" and _has_words(keeper)
        return Situation(missing.title, missing.text, (WORDS,) if words else there, missing.icon)
    if keeper.state == "failed" and keeper.error is not None:
        return Situation(tr("The study could not be made"), keeper.error.line(), (AGAIN,), "error")
    if keeper.state == "waiting" and scores.state == "ready":
        about = tr("It takes a while, or it was stopped: it is made on request, and you can go on working meanwhile.")
        return Situation(tr("This study is not made yet"), about, (RUN,))
    return Situation(tr("The study is being made…"), "")


def _of_tags(keeper: StudyKeeper) -> Situation:
    """Other levels have no tags."""
    about = tr("They try metrics on tags: scores, translations and ratings have none.")
    title = tr("Studies are of words, gaps and source words")
    return Situation(title, about, (WORDS,) if _has_words(keeper) else (of_scores.FILES,))


def _has_words(keeper: StudyKeeper) -> bool:
    return bool(keeper.workspace.kinds())
