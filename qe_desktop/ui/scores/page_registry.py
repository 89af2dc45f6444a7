"""The pages of the Scores area beside that of systems. A new one is a package with its desk, and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.ui.actions import Action
from qe_desktop.ui.scores.findings import commands as findings
from qe_desktop.ui.scores.people import commands as people
from qe_desktop.ui.scores.post_editing import commands as post_editing
from qe_desktop.ui.scores.studies import commands as studies
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.ui.scores.page_desk import Around, PageDesk


class PageEntry(NamedTuple):
    """A page by its id and title, the command that shows it, all its commands, and the class of its desk.

    The desk is named, not imported: what the window needs before the area is looked at stands here alone.
    """

    id: str
    title: str
    show: str
    actions: tuple[Action, ...]
    module: str
    desk: str

    def join(self, around: Around) -> PageDesk:
        """The desk of the page; its module is imported now if it was not yet."""
        made: PageDesk = getattr(import_module(self.module), self.desk)(around)
        return made


_HERE = __name__.rpartition(".")[0]
PAGES = (
    PageEntry(findings.PAGE, tr("Findings"), findings.SHOW_FINDINGS, findings.ACTIONS,
              f"{_HERE}.findings.desk", "FindingsDesk"),
    PageEntry(people.PAGE, tr("Metrics and people"), people.SHOW, people.ACTIONS,
              f"{_HERE}.people.desk", "PeopleDesk"),
    PageEntry(studies.PAGE, tr("Studies"), studies.SHOW, studies.ACTIONS, f"{_HERE}.studies.desk", "StudiesDesk"),
    PageEntry(post_editing.PAGE, tr("Post-editing"), post_editing.SHOW, post_editing.ACTIONS,
              f"{_HERE}.post_editing.desk", "PostEditingDesk"),
)  # fmt: skip
"""In the order of their names above the page."""
