"""What stands where metrics and people would be beside each other: why they are not, and what helps."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import QeError
from qe_desktop.formats.sentences import few
from qe_desktop.studies.humans import LEAST
from qe_desktop.studies.open_inputs import has_metrics
from qe_desktop.studies.set_beside import Names, NamesDiffer
from qe_desktop.ui.parts.state_page import Button, Situation
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.making import Hidden, NoRatings
from qe_desktop.wording import side_by_side, tr

RUN, AGAIN = Button("run", tr("Compute it")), Button("again-people", tr("Try again"))
MATCH = Button("match", tr("Match the names…"))
ALONE = Button("systems-only", tr("Compare systems alone"))


def names_differ(keeper: PeopleKeeper) -> Names | None:
    """The names that people and metrics have, where names on both sides are of no use; None where nothing is amiss."""
    if isinstance(keeper.error, NamesDiffer) and keeper.state == "failed":
        return keeper.error.names
    if keeper.found is not None and keeper.found.asked.names.differ:
        return keeper.found.asked.names
    return None


def situation(keeper: PeopleKeeper) -> Situation:
    """Where there is no study: what is missing, what went wrong, or what is going on."""
    corpus = keeper.workspace.corpus
    if corpus is None:
        return Situation(
            tr("Which metric agrees with people?"),
            tr(
                "Open translations of {n} or more systems with a reference, or scores by metrics, and people’s ratings "
                "of the same systems.",
                "", LEAST,
            ),
            (of_scores.FOLDER,),
        )  # fmt: skip
    if not has_metrics(corpus):
        about = tr("Add the translations of systems and a reference, or a file of scores by a metric.")
        return Situation(tr("There is no metric to set beside people"), about, (of_scores.FILES,))
    if keeper.state == "empty":
        return _no_ratings()
    if keeper.state == "failed" and keeper.error is not None:
        return _failed(keeper.error)
    if keeper.state == "waiting":
        about = tr("What is open is large, or the computing was stopped: it is computed on request.")
        return Situation(tr("Metrics are not set beside people yet"), about, (RUN,))
    return Situation(tr("Setting metrics beside people…"), "")


def _no_ratings() -> Situation:
    about = tr("Add a file of ratings of these systems, or rate them: then metrics are set beside what people say.")
    return Situation(tr("There are no ratings"), about, (of_scores.FILES,))


def _failed(error: QeError) -> Situation:
    if isinstance(error, NamesDiffer):
        return _too_few(error.names)
    if isinstance(error, NoRatings):
        return _no_ratings()
    if isinstance(error, Hidden):
        return Situation(error.message, error.hint, (AGAIN,))
    return Situation(tr("Metrics could not be set beside people"), error.line(), (AGAIN,), "error")


def _too_few(names: Names) -> Situation:
    title = tr("People and metrics have {n} {n:system|systems} in common", "", len(names.common))
    needed = tr("A correlation needs {n} at the least.", "", LEAST)
    people, metrics = _others(names.people, names.common), _others(names.metrics, names.common)
    if not (people and metrics):
        return Situation(title, side_by_side(" ", (needed, tr("Add more systems, or ratings of more of them."))),
                         (of_scores.FILES,))  # fmt: skip
    said = tr("People rated {people}; metrics scored {metrics}.", people=people, metrics=metrics)
    helps = tr("Where these are the same systems, their names have to be matched.")
    return Situation(title, side_by_side(" ", (needed, said, helps)), (MATCH, of_scores.FILES))


def _others(names: Sequence[str], common: Sequence[str]) -> str:
    """Those that not all have, each of them only if there is any."""
    left = [name for name in names if name not in common]
    return few(left) if left else ""
