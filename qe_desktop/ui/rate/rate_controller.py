"""Controller that connects the Rate area to the window: project, saving, remote changes and undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.project_paths import is_address, is_practice
from qe_desktop.ui.projects.project_controller import ProjectController
from qe_desktop.ui.projects.project_sync import ProjectSync
from qe_desktop.ui.rate.commands import ACTIONS, OWNER_ACTIONS, RATE_SAMPLE
from qe_desktop.ui.rate.sample_campaign import SampleCampaign
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.shell.start_page import SAMPLES
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.answers.event_history import RatingEvent
    from qe_desktop.project.events import RemoteChanges
    from qe_desktop.project.store import Project
    from qe_desktop.project.store.rating_imports import ImportResult
    from qe_desktop.ui.campaigns.campaign_controller import CampaignController
    from qe_desktop.ui.rate.area import RateArea
    from qe_desktop.ui.rate.empty_states import ProjectPurpose

AREA = "rate"


class ProjectCampaignSource:
    """Campaign source for an open project; rating events are saved through `ProjectSync`."""

    def __init__(self, project: Project, service: ProjectSync) -> None:
        self.person, self.role, self.read_only = project.person, project.role, project.read_only
        self.place = "" if is_address(project.place) else project.place
        self.campaigns, self.rater_session, self.progress = project.campaigns, project.rater_session, project.progress
        self._service = service
        self.last_rated_uid = ""
        """Uid of the campaign to which the most recent rating belongs; empty once ratings have been saved."""

    def rate(self, event: RatingEvent) -> None:
        """Queue a rating event for saving. Raises QeError if the project is read-only or closed."""
        self._service.append([event])
        self.last_rated_uid = event.campaign


class RateController(QObject):
    """Controller of the pages for raters and campaign owners, which are created when the Rate area is first shown."""

    changed = Signal()
    """Emitted when the undo or redo state may have changed."""

    def __init__(self, shell: Shell, workspace: Workspace, projects: ProjectController) -> None:
        super().__init__(shell)
        self.shell = shell
        self.workspace = workspace
        self.projects = projects
        self.service = projects.service
        self.area: RateArea | None = None
        self._export_notices = NoticeSlot(shell.notices, "export")
        self.campaign_controller: CampaignController | None = None
        self._source: ProjectCampaignSource | None = None
        self.practice = SampleCampaign(workspace, projects.opener, self)
        self.practice.ready.connect(self._on_practice)
        actions = (*ACTIONS, *OWNER_ACTIONS)
        tooltip = tr("Rate translations and view results")
        shell.add_area(AREA, tr("Rate"), "rate", self._build, tip=tooltip, actions=actions)
        shell.areas.shown.connect(self.changed)
        shell.areas.shown.connect(self._show_message)
        shell.status.undo_requested.connect(shell.commands["edit.undo"].trigger)
        shell.commands.add(RATE_SAMPLE, self.show_sample)

    @property
    def visible_area(self) -> RateArea | None:
        """Rate area if it is visible, in which case undo applies to ratings; otherwise None."""
        return self.area if self.shell.areas.current == AREA else None

    @property
    def practice_area(self) -> str:
        """Id of the Rate area if it is visible and the open corpus is a sample for practice; otherwise empty."""
        return AREA if self.visible_area is not None and self.practice.is_possible else ""

    def show_sample(self) -> None:
        """Show the Rate area with the offer to rate a sample; open the first sample unless a sample is open."""
        # if the area is visible, opening a sample does not switch to another area
        self.shell.show_area(AREA)
        if self.practice.is_possible:
            if self.area is not None:
                self.area.show_page(AREA)
        else:
            self.shell.open_sample(SAMPLES[0][0])

    def show_results(self) -> None:
        """Show the results page."""
        from qe_desktop.ui.campaigns.campaign_controller import RESULTS

        self.shell.show_area(AREA)
        if self.area is not None:
            self.area.show_page(RESULTS)

    def _build(self) -> QWidget:
        from qe_desktop.ui.campaigns.campaign_controller import CampaignController
        from qe_desktop.ui.rate.area import RateArea

        area = self.area = RateArea(self.shell.settings)
        # connected before the owner's pages, which would make the rater page read a closed project
        self.workspace.project_changed.connect(self._on_project)
        owner = self.campaign_controller = CampaignController(self.workspace, area, area)
        area.connect_actions(self.shell.commands)
        owner.connect_actions(self.shell.commands)
        owner.files.message_posted.connect(self._export_notices.info)
        area.rater.requested.connect(self._on_requested)
        # information notices would take height from the texts of all items
        for action in (area.rater.instructions.requested, area.pages.bar.chosen):
            action.connect(self.shell.notices.remove_reports)
        area.changed.connect(self.changed)
        area.changed.connect(self._show_message)
        owner.command_requested.connect(self._run)
        owner.created.connect(area.rater.show_new_campaign)
        owner.service.changed.connect(self._on_campaigns)
        # these actions write to the project without `ProjectSync`
        for is_done in (owner.created, owner.service.imports_undone):
            is_done.connect(self.service.record_save)
        owner.service.imported.connect(self._on_imported)
        self.projects.about_to_close.connect(area.rater.save_progress)
        self.service.saved.connect(self._on_saved)
        self.service.remote_changes_received.connect(self._on_remote_changes)
        self.workspace.opened.connect(self._update_practice_offer)
        self._on_project()
        if self.workspace.project is None and owner.service.view is not None and not self.practice.is_possible:
            area.show_page("results")
        return area

    def _on_project(self) -> None:
        if self.area is not None:
            project = self.workspace.project
            purpose = _purpose(project)
            # a copy for raters has nothing for the owner's pages
            is_owners = project is not None and project.role == "owner" and purpose.has_owner_pages
            self.area.show_pages(all_of_them=project is None or is_owners)
            self._source = None if project is None else ProjectCampaignSource(project, self.service)
            self.area.rater.set_source(self._source, purpose)
            self._update_practice_offer()

    def _update_practice_offer(self) -> None:
        if self.area is not None:
            from qe_desktop.ui.rate.empty_states import sample_state

            offer = sample_state(is_started=bool(self.practice.last_path)) if self.practice.is_possible else None
            self.area.rater.set_sample_offer(offer)

    def _on_practice(self, uid: str) -> None:
        """Open a practice campaign at its first item; the header of the item gives the instructions."""
        if self.area is not None and self.campaign_controller is not None:
            # a notice that the practice was saved as a project would move the text
            self.shell.notices.remove_messages("", ("info",))
            self.campaign_controller.service.select_new(uid)
            self.area.show_page(AREA)
            self.area.rater.open_campaign(uid)
            self.area.rater.show_items()

    def _on_campaigns(self) -> None:
        if self.area is not None:
            self.area.rater.refresh_campaigns()
            if self.campaign_controller is not None:
                self.area.rater.set_unblinded_campaigns(self.campaign_controller.service.unblinded_uids)

    def _on_saved(self, text: str) -> None:
        if self.campaign_controller is not None:
            # other saved changes, such as a new campaign, do not change the selected campaign
            rated = "" if self._source is None else self._source.last_rated_uid
            if self._source is not None:
                self._source.last_rated_uid = ""
            if rated:
                self.workspace.ratings_changed.emit()
            current = None if self.area is None else self.area.rater.campaign
            # the time of an item is saved when another campaign is opened
            self.campaign_controller.service.on_saved(rated if current is None or current.uid == rated else "")

    def _on_imported(self, results: list[ImportResult]) -> None:
        if any(result.uid for result in results):
            self.service.record_save()

    def _show_message(self) -> None:
        """Show the last judgement or a hint in the status bar if an item is visible; otherwise clear the text."""
        items = None if self.visible_area is None else self.visible_area.items
        self.shell.status.show_counts(self.visible_area is None)
        keys = self.shell.commands.keys("edit.undo")
        if items is None:
            self.shell.status.set_action("")
        else:
            self.shell.status.set_action(items.messages.text, keys[0] if items.messages.is_undoable and keys else "",
                                      undoable=items.messages.is_undoable)  # fmt: skip

    def _on_remote_changes(self, changes: RemoteChanges) -> None:
        if self.area is not None and self.campaign_controller is not None:
            self.area.rater.merge(changes.ratings)
            self.campaign_controller.service.on_remote_changes(changes)
            if changes.campaigns:
                self._on_campaigns()

    def _on_requested(self, name: str) -> None:
        from qe_desktop.ui.campaigns.campaign_page import OPEN, SET_UP
        from qe_desktop.ui.rate import empty_states

        if name == empty_states.SET_UP and self.area is not None:
            self.area.show_page(SET_UP)
        elif name == empty_states.OPEN:
            self._run(OPEN)
        elif name == empty_states.RATE_SAMPLE:
            self.practice.begin()
        elif name == empty_states.CONTINUE_PRACTICE:
            self.shell.open_paths([self.practice.last_path])
        elif name == empty_states.RESULTS:
            self.show_results()

    def _run(self, command: str) -> None:
        self.shell.commands[command].trigger()


def _purpose(project: Project | None) -> ProjectPurpose:
    """Return the purpose of a project; CAMPAIGN if `project` is None."""
    from qe_desktop.ui.campaigns.campaign_service import is_copy_for_raters
    from qe_desktop.ui.rate.empty_states import ProjectPurpose

    if project is not None and is_practice(project.place):
        return ProjectPurpose.PRACTICE
    is_copy = project is not None and is_copy_for_raters(project)
    return ProjectPurpose.COPY if is_copy else ProjectPurpose.CAMPAIGN
