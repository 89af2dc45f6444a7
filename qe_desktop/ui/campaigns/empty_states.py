"""What the owner's pages say while there is nothing to show, and the buttons that help."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage

SAVE, OPEN = "file.project", "file.open-project"
SET_UP, PROGRESS = "set-up", "progress"
IMPORT, TRY_AGAIN = "import", "again"
"""Names of buttons: the window's commands, the pages that they lead to, and what a page does itself."""
_SAVE, _OPEN = (SAVE, tr("Save as project…")), (OPEN, tr("Open a project…"))
_SET_UP, _IMPORT = (SET_UP, tr("Set up a campaign…")), (IMPORT, tr("Import ratings…"))


class ContentOrPlaceholder(QStackedWidget):
    """Shows `content`, or in its place what stands in its way."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.quiet = PlaceholderPage()
        self.content = content
        self.addWidget(self.quiet)
        self.addWidget(content)

    def show_situation(self, now: EmptyState | None) -> None:
        """Show what stands in the way; the content where that is nothing."""
        shown = self.content if now is None else self.quiet
        self.setCurrentWidget(shown)
        self.setFocusProxy(shown)
        if now is not None:
            self.quiet.show_situation(now)


def campaigns_empty_state(service: CampaignService) -> EmptyState | None:
    """What stands in the way of any page; None where a campaign is there to be looked at."""
    if service.project is None:
        with_corpus = service.workspace.corpus is not None
        about = tr("A project is one file that holds the corpus, the campaigns and every rating, saved as it is given.")
        to_begin = (
            tr("Save what is open as a project to begin.") if with_corpus else tr("Open one, or open a corpus first.")
        )
        return EmptyState(
            tr("Campaigns are kept in a project"),
            f"{about} {to_begin}",
            (_SAVE, _OPEN) if with_corpus else (_OPEN,),
        )
    if not service.owned:
        return EmptyState(
            tr("Only the owner of the project sees this"),
            tr(
                "On this server you are a rater. Raters see their own items and how far everybody is, so that nobody’s "
                "ratings lean on another’s."
            ),
        )
    if service.state == "failed" and service.error is not None:
        said = service.error.message
        return EmptyState(sentence_case(said), service.error.hint, ((TRY_AGAIN, tr("Try again")),), "error")
    if service.state == "empty":
        return EmptyState(
            tr("There is no campaign yet"),
            tr(
                "A campaign says which translations are rated, by whom and how. Set one up, or import ratings that "
                "were given elsewhere: WMT rankings, Appraise exports, direct assessment, tables, JSON Lines."
            ),
            (_SET_UP, _IMPORT),
        )
    if service.view is None:
        return EmptyState(tr("Reading the campaigns…"), "", (), "rate")
    return None


def viewing_empty_state(service: CampaignService) -> EmptyState | None:
    """What stands in the way of results: as of campaigns, but ratings that came with a corpus need no project."""
    return None if service.view is not None else campaigns_empty_state(service)


def setup_empty_state(service: CampaignService) -> EmptyState | None:
    """What stands in the way of a new campaign; None where the form can be filled in."""
    project = service.project
    if project is None or not service.owned:
        return campaigns_empty_state(service)
    if project.read_only:
        return EmptyState(
            tr("Nothing can be changed in this project"),
            " ".join((project.read_only, tr("Save a copy of it elsewhere, and set the campaign up there."))),
            ((SAVE, tr("Save a copy of the project…")),),
        )
    if service.workspace.corpus is None:
        return EmptyState(
            tr("This project holds no texts"),
            tr(
                "A campaign needs a source and the systems’ translations. Open a corpus and save it as a project, or "
                "open a project that has one."
            ),
            (_OPEN,),
        )
    return None


def results_empty_state(results: CampaignResultsService) -> EmptyState | None:
    """What stands in place of results; None where there are some."""
    if results.state == "failed" and results.error is not None and results.computed is None:
        title = tr("No results: {why}", why=results.error.message)
        return EmptyState(title, results.error.hint, ((TRY_AGAIN, tr("Compute again")),), "error")
    if results.state == "working" and results.computed is None:
        return EmptyState(tr("Computing the results…"), "", (), "plot")
    if results.computed is None:
        return EmptyState(
            tr("Nothing has been rated yet"),
            tr(
                "Results appear with the first rating, and follow as more come in. Training, comments and skipped "
                "items alone make no results."
            ),
            ((PROGRESS, tr("See the progress")), _IMPORT),
        )
    return None
