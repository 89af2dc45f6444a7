"""Commands of the meta-evaluation page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from qe_desktop.i18n.messages import tr
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.scores.commands import AREA, copy_commands, page_action

PAGE = "people"
"""Id of the page in the Scores area."""
SHOW, RUN_AGAIN, SAVE = "scores.page-people", "scores.people-again", "scores.save-people"
COPY_TABLE = "scores.copy-people-table"
FIGURE, AGGREGATION, ORIENTATION, SIDES, SEGMENTS, VIEW = (
    "scores.people-figure-", "scores.people-by-", "scores.people-differences-", "scores.people-sides-",
    "scores.people-segments-", "scores.people-view-",
)  # fmt: skip
"""Prefixes of command ids; each is followed by the name of a statistic, an option value or a view."""
SYSTEMS_ONLY, METRICS, RATINGS, ROUNDS, SEED = (
    "scores.people-systems-only", "scores.people-metrics", "scores.people-ratings", "scores.people-rounds",
    "scores.people-seed",
)  # fmt: skip
AGGREGATION_TEXTS = {
    "compared": tr("default of the protocol"),
    "mean": tr("mean"),
    "z": tr("mean z-score"),
}
"""Titles of the methods that aggregate ratings into system scores, by option value."""
ORIENTATION_TEXTS = {"ahead": tr("better − worse"), "listed": tr("as listed")}
"""Titles of the possible orders of two systems in a score difference, by option value."""
SIDES_TEXTS = {"two": tr("two-sided"), "one": tr("one-sided")}
"""Titles of the alternative hypotheses in tests of two metrics, by option value.

The one-sided alternative is that the metric with the higher value is better.
"""
SEGMENTS_TEXTS = {"common": tr("common to all"), "all": tr("all available per measure")}
"""Titles of the sets of segments over which statistics can be computed, by option value."""


class OptionChoice(NamedTuple):
    """Option with a command for each of its values.

    `field` is a field of `MetaEvaluationOptions`, `prefix` the prefix of the command ids, and `texts` maps values to
    titles. `command` returns the text of the command for a title.
    """

    field: str
    prefix: str
    texts: Mapping[str, str]
    command: Callable[[str], str]


CHOICES = (
    OptionChoice("by", AGGREGATION, AGGREGATION_TEXTS,
                 lambda title: tr("Aggregate ratings: {means}", means=title)),
    OptionChoice("orientation", ORIENTATION, ORIENTATION_TEXTS,
                 lambda title: tr("Score differences: {which}", which=title)),
    OptionChoice("sides", SIDES, SIDES_TEXTS, lambda title: tr("Significance tests of metrics: {sides}", sides=title)),
    OptionChoice("segments", SEGMENTS, SEGMENTS_TEXTS,
                 lambda title: tr("Meta-evaluation segments: {which}", which=title)),
)  # fmt: skip
"""Options whose values have commands."""
PICTURE = "picture"
"""Name of the chart view; unless the window is narrow, the chart is next to the tabs of the other views."""
VIEWS = {
    PICTURE: tr("Chart"),
    "better": tr("Significance"),
    "between": tr("Inter-metric correlation"),
    "systems": tr("Systems"),
    "recall": tr("Recall weight"),
    "references": tr("References"),
    "remarks": tr("Notes"),
}
"""Titles of the views, by name."""
VIEW_TOOLTIPS = {
    "better": tr("Whether the difference between two metrics is significant"),
    "between": tr("How strongly the scores of two metrics correlate"),
    "systems": tr("Systems, ranked by human scores and by each metric"),
    "recall": tr(
        "Agreement of the unigram F-score with human scores, by the weight of recall: 0 is precision only, 1 recall "
        "only"
    ),
    "references": tr("Agreement with human scores, by the number of references"),
}
"""Tooltips of the tabs of views, by name."""
_GROUP = tr("Scores: metrics against human scores")


def _make_action(id: str, text: str, *, checkable: bool = False, icon: str = "") -> Action:
    needs = tr("Open the page “Against human scores” and compute results first.")
    submenu = tr("Metric me&ta-evaluation")
    return Action(id, text, (), AREA, _GROUP, icon=icon, checkable=checkable, submenu=submenu, needs=needs)


COPIES = copy_commands("scores.copy-people-", lambda form: tr("Copy meta-evaluation as {form}", form=form))
"""Ids and texts of the copy commands, by format suffix."""
COPY_TABLE_TEXT = tr("Copy table as LaTeX")
"""Menu text of the command that copies only the agreement of the metrics."""
SAVES = (SAVE, tr("&Save meta-evaluation…"))
ACTIONS = (
    page_action(SHOW, tr("Show metrics against human scores (meta-evaluation)"), "Alt+3", tr("Against &human scores")),
    *(
        _make_action(
            f"{FIGURE}{statistic.name}", tr("Order metrics by {figure}", figure=statistic.title), checkable=True
        )
        for statistic in AGREEMENT_STATISTICS
    ),
    *(
        _make_action(f"{VIEW}{name}", tr("Meta-evaluation: show {view}", view=title), checkable=True)
        for name, title in VIEWS.items()
    ),
    *(
        _make_action(f"{choice.prefix}{name}", choice.command(title), checkable=True)
        for choice in CHOICES
        for name, title in choice.texts.items()
    ),
    _make_action(SYSTEMS_ONLY, tr("System level only, without segments"), checkable=True),
    _make_action(METRICS, tr("Select metrics for meta-evaluation…")),
    _make_action(RATINGS, tr("Select ratings for meta-evaluation")),
    _make_action(ROUNDS, tr("Set the number of trials for meta-evaluation")),
    _make_action(SEED, tr("Set the seed for meta-evaluation")),
    _make_action(RUN_AGAIN, tr("Run meta-evaluation again")),
    _make_action(COPY_TABLE, tr("Copy the table of metrics against human scores as LaTeX"), icon="export"),
    *(_make_action(id, text, icon="export") for id, text in COPIES.values()),
    _make_action(SAVE, tr("Save meta-evaluation…"), icon="export"),
)
"""Commands of the page; `MetaEvaluationController` connects them."""
