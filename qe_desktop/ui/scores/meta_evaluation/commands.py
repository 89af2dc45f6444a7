"""What can be done with metrics and people by name and key."""

from __future__ import annotations

from qe_desktop.report.forms import FILES
from qe_desktop.studies.figures import FIGURES
from qe_desktop.ui.actions import Action
from qe_desktop.ui.parts.written_files import Copies
from qe_desktop.wording import tr

AREA = "scores"
PAGE = "people"
"""The id of the page in the area."""
SHOW, AGAIN, SAVE = "scores.page-people", "scores.people-again", "scores.save-people"
FIGURE, MEANS, ORIENTATION, SIDES, SEGMENTS, VIEW = (
    "scores.people-figure-", "scores.people-by-", "scores.people-differences-", "scores.people-sides-",
    "scores.people-segments-", "scores.people-view-",
)  # fmt: skip
"""What ids begin with; a figure, means, an orientation or a view of the page follows."""
SYSTEMS_ONLY, METRICS, RATINGS, ROUNDS, SEED = (
    "scores.people-systems-only", "scores.people-metrics", "scores.people-ratings", "scores.people-rounds",
    "scores.people-seed",
)  # fmt: skip
BY = {
    "compared": tr("as results compare"),
    "mean": tr("the mean"),
    "z": tr("the mean of z"),
}
"""The means of ratings that systems can be compared by."""
ORIENTATIONS = {"ahead": tr("the better one first"), "listed": tr("as listed")}
"""Which of a pair of systems comes first in a differential."""
SIDED = {"two": tr("two-sided"), "one": tr("one-sided")}
"""Whether tests of two metrics are two-sided, or ask whether the metric with the higher figure is better."""
STUDIED = {"common": tr("common to all"), "all": tr("all of each figure")}
"""Which segments figures are of."""
VIEWS = {
    "picture": tr("Picture"),
    "better": tr("Which is better"),
    "between": tr("Metrics with each other"),
    "systems": tr("Systems"),
    "recall": tr("Weight of recall"),
    "references": tr("References"),
    "remarks": tr("Remarks"),
}
"""The views below the table, by their names."""
_GROUP = tr("Scores: metrics and people")


def _one(id: str, text: str, keys: tuple[str, ...] = (), *, checkable: bool = False, icon: str = "") -> Action:
    return Action(id, text, keys, AREA, _GROUP, icon=icon, checkable=checkable, submenu=tr("Metrics and &people"))


COPIES: Copies = {
    form.suffix: (f"scores.copy-people-{form.suffix}", tr("Copy metrics and people as {form}", form=form.title))
    for form in FILES
}
"""The commands that copy in a form, and what they are called."""
SAVES = (SAVE, tr("&Save metrics and people in a file…"))
ACTIONS = (
    Action(SHOW, tr("Show metrics and people: which metric agrees with them"), ("Alt+3",), AREA, tr("Scores")),
    *(
        _one(f"{FIGURE}{one.name}", tr("Order metrics by their agreement: {figure}", figure=one.title), checkable=True)
        for one in FIGURES
    ),
    *(
        _one(f"{VIEW}{name}", tr("Metrics and people: show {view}", view=title), checkable=True)
        for name, title in VIEWS.items()
    ),
    *(
        _one(f"{MEANS}{name}", tr("Take of people’s ratings: {means}", means=title), checkable=True)
        for name, title in BY.items()
    ),
    *(
        _one(f"{ORIENTATION}{name}", tr("Take differences of two systems: {which}", which=title), checkable=True)
        for name, title in ORIENTATIONS.items()
    ),
    *(
        _one(f"{SIDES}{name}", tr("Test which of two metrics is better: {sides}", sides=title), checkable=True)
        for name, title in SIDED.items()
    ),
    *(
        _one(
            f"{SEGMENTS}{name}",
            tr("Segments that metrics and people are compared on: {which}", which=title),
            checkable=True,
        )
        for name, title in STUDIED.items()
    ),
    _one(SYSTEMS_ONLY, tr("Compare systems alone, without segments"), checkable=True),
    _one(METRICS, tr("Choose the metrics that are set beside people…")),
    _one(RATINGS, tr("Choose the ratings that metrics are set beside")),
    _one(ROUNDS, tr("Choose the rounds of metrics and people")),
    _one(SEED, tr("Choose the seed of metrics and people")),
    _one(AGAIN, tr("Compute metrics and people again")),
    *(_one(id, text, icon="export") for id, text in COPIES.values()),
    _one(SAVE, tr("Save metrics and people in a file…"), icon="export"),
)
"""To be added to the window's table with the area; `PeopleDesk` says what they do."""
