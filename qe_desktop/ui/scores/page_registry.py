"""Pages of the Scores area except Systems. A new page is a package with a controller and an entry here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.scores.findings import commands as findings
from qe_desktop.ui.scores.meta_evaluation import commands as people
from qe_desktop.ui.scores.post_editing import commands as post_editing
from qe_desktop.ui.scores.studies import commands as studies

if TYPE_CHECKING:
    from qe_desktop.ui.scores.page_controller import PageContext, PageController


class PageEntry(NamedTuple):
    """Page by id and title, its commands, and the class of its controller.

    The controller is named, not imported, so that start-up stays fast.
    """

    id: str
    title: str
    show: str
    actions: tuple[Action, ...]
    module: str
    controller: str

    def join(self, around: PageContext) -> PageController:
        """Create the controller; its module is imported here."""
        made: PageController = getattr(import_module(self.module), self.controller)(around)
        return made


_PACKAGE = __name__.rpartition(".")[0]
PAGES = (
    PageEntry(findings.PAGE, tr("All metrics"), findings.SHOW_FINDINGS, findings.ACTIONS,
              f"{_PACKAGE}.findings.findings_controller", "FindingsController"),
    PageEntry(people.PAGE, tr("Metric meta-evaluation"), people.SHOW, people.ACTIONS,
              f"{_PACKAGE}.meta_evaluation.meta_evaluation_controller", "MetaEvaluationController"),
    PageEntry(studies.PAGE, tr("Metric checks"), studies.SHOW, studies.ACTIONS,
              f"{_PACKAGE}.studies.studies_controller", "StudiesController"),
    PageEntry(post_editing.PAGE, tr("Post-editing"), post_editing.SHOW, post_editing.ACTIONS,
              f"{_PACKAGE}.post_editing.post_editing_controller", "PostEditingController"),
)  # fmt: skip
"""In tab order."""
