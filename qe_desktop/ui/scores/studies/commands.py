"""Registry of studies, and the commands of the Studies page."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.scores.commands import AREA, copy_commands, page_action
from qe_desktop.ui.scores.studies.labelling_study import SyntheticLabellings
from qe_desktop.ui.scores.studies.sampling_study import RepeatedSampling
from qe_desktop.ui.scores.studies.study import Study
from qe_desktop.ui.scores.studies.threshold_study import ThresholdSearch

STUDIES: tuple[Study, ...] = (SyntheticLabellings(), RepeatedSampling())
"""Studies on the Studies page; the threshold search has its own view on the Systems page."""


PAGE = "studies"
"""Id of the Studies page in the Scores area."""
SHOW, RUN, CANCEL, SAVE = "scores.page-studies", "scores.study-run", "scores.study-cancel", "scores.save-study"
STUDY, VIEW = "scores.study-", "scores.study-view-"
"""Prefixes of command ids; the name of a study or of a view follows."""
THRESHOLDS = f"{STUDY}{ThresholdSearch.name}"
METRICS, ADD_BASELINES, REMOVE_BASELINES = "scores.study-metrics", "scores.study-add", "scores.study-remove"
PICTURE, SECOND_TABLE, THIRD_TABLE, REMARKS = "picture", "first", "second", "remarks"
VIEWS = {
    PICTURE: tr("Chart"),
    SECOND_TABLE: tr("second table"),
    THIRD_TABLE: tr("third table"),
    REMARKS: tr("Notes"),
}
"""Titles of the views below the main table, by name."""
_GROUP = tr("Scores: metrics without human scores")
_NEEDS_TAGS = tr("First open system tags and a complete gold with both BAD and OK tags.")
_NEEDS_BASELINES = tr("Run the study “Trivial baselines” first.")


def _make_action(
    id: str, text: str, *, checkable: bool = False, icon: str = "", needs: str = tr("Run the study first.")
) -> Action:
    submenu = tr("St&udies")
    return Action(id, text, (), AREA, _GROUP, icon=icon, checkable=checkable, submenu=submenu, needs=needs)


COPIES = copy_commands("scores.copy-study-", lambda form: tr("Copy study as {form}", form=form))
"""Maps format suffixes to the ids and texts of copy commands."""
SAVES = (SAVE, tr("&Save study…"))
ACTIONS = (
    page_action(SHOW, tr("Show metrics without human scores (studies)"), "Alt+4", tr("&Without human scores")),
    *(
        _make_action(f"{STUDY}{study.name}", tr("Study: {study}", study=study.title), checkable=True, needs=_NEEDS_TAGS)
        for study in STUDIES
    ),
    _make_action(
        THRESHOLDS,
        tr("Show the best thresholds on P(BAD)"),
        needs=tr("First open gold tags and a system with P(BAD)."),
    ),
    *(
        _make_action(f"{VIEW}{name}", tr("Study: show {view}", view=title), checkable=True)
        for name, title in VIEWS.items()
    ),
    _make_action(METRICS, tr("Select metrics for the study…"), needs=_NEEDS_TAGS),
    _make_action(RUN, tr("Run the study"), needs=_NEEDS_TAGS),
    _make_action(CANCEL, tr("Cancel the study"), needs=tr("No study is running.")),
    _make_action(ADD_BASELINES, tr("Add the trivial baselines to the open data"), needs=_NEEDS_BASELINES),
    _make_action(
        REMOVE_BASELINES,
        tr("Remove the trivial baselines from the open data"),
        needs=tr("Add trivial baselines first."),
    ),
    *(_make_action(id, text, icon="export") for id, text in COPIES.values()),
    _make_action(SAVE, tr("Save study…"), icon="export"),
)
"""Commands of the Studies page; `StudiesController` connects them."""
