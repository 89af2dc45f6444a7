"""Rater's pages: campaign selection, profile, instructions, items and end page."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ui.rate import empty_states
from qe_desktop.ui.rate.active_time import MonotonicClock, UserActivityFilter
from qe_desktop.ui.rate.campaign_access import CampaignAccess
from qe_desktop.ui.rate.campaign_chooser import CampaignChooserPage, CampaignSource
from qe_desktop.ui.rate.empty_states import ProjectPurpose as Purpose
from qe_desktop.ui.rate.introduction_pages import InstructionsPage, ProfilePage
from qe_desktop.ui.rate.item_page import ItemPage
from qe_desktop.ui.rate.rating_session import ADVANCE_DELAY_MS, RatingSession
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage


class RaterFlow(QWidget):
    """Sequence of the rater's pages. Ratings are sent to the `CampaignSource` immediately."""

    changed = Signal()
    """Emitted when the page, the item or an answer changed, which may change the available commands."""
    requested = Signal(str)
    """Emitted with the name of a clicked button that the window handles, such as `empty_states.OPEN`."""

    def __init__(
        self, settings: Settings, *, now: MonotonicClock = time.monotonic, advance_delay_ms: int = ADVANCE_DELAY_MS
    ) -> None:
        super().__init__()
        self._settings = settings
        self._make_session = partial(RatingSession, now=now, advance_delay_ms=advance_delay_ms, parent=self)
        self._source: CampaignSource | None = None
        self._access = CampaignAccess(None, settings)
        self._unblinded_uids: frozenset[str] = frozenset()
        self._asks_for_rater = False
        """Whether the user asked for another campaign or rater, so that no rater is selected automatically."""
        self._delivery = empty_states.Delivery()
        self.campaign: Campaign | None = None
        self._is_app_active = True
        self._sample_offer: EmptyState | None = None
        self._activity_filter = UserActivityFilter(self)
        self._activity_filter.activity_detected.connect(self._record_input)
        self.items: ItemPage | None = None
        self.placeholder = PlaceholderPage(centred=True, takes_focus=True)
        self.chooser = CampaignChooserPage()
        self.profile = ProfilePage()
        self.instructions = InstructionsPage()
        self.end = PlaceholderPage()
        # navigation keys also work on the end page; a focused button would take the arrow keys
        self.end.focuses_button = False
        self.end.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._stack = QStackedWidget()
        for page in (self.placeholder, self.chooser, self.profile, self.instructions, self.end):
            self._stack.addWidget(page)
        vbox(self._stack, on=self)
        self.placeholder.requested.connect(self.handle_button)
        self.chooser.campaign_chosen.connect(self.open_campaign)
        self.chooser.rater_chosen.connect(self._open_as)
        self.chooser.requested.connect(self.choose)
        self.profile.requested.connect(self._on_profile_button)
        self.instructions.requested.connect(self._on_instructions_button)
        self.end.requested.connect(self._on_end_button)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.applicationStateChanged.connect(self._on_application)
        self.set_source(None)

    # --- source and campaign

    @property
    def session(self) -> RatingSession | None:
        """Rating session of the open campaign; None if no campaign is open."""
        return self.items.session if self.items is not None else None

    @property
    def page(self) -> QWidget:
        """Visible page."""
        return self._stack.currentWidget() or self.placeholder

    def set_source(self, source: CampaignSource | None, purpose: Purpose = Purpose.CAMPAIGN) -> None:
        """Set the campaign source (None: no project); open the only campaign with open items, or else call `choose`."""
        self.leave()
        self._source, self._access, self._asks_for_rater = source, CampaignAccess(source, self._settings), False
        self._delivery = empty_states.Delivery("" if source is None else source.place, purpose)
        self.campaign = None
        self._open_or_choose()

    def set_sample_offer(self, offered: EmptyState | None) -> None:
        """Set the offer to rate the open sample; None removes the offer. It is shown only if no project is open."""
        if offered != self._sample_offer:
            self._sample_offer = offered
            if self._source is None:
                self._open_or_choose()

    def ask_campaign_or_rater(self) -> None:
        """Let the user select another campaign, if there are several, and then a rater."""
        self._asks_for_rater = True
        self.choose()

    def choose(self) -> None:
        """Let the user select a campaign. A single campaign is opened; if there is none, a message is shown."""
        self.leave()
        campaigns = self._campaigns()
        if campaigns is None:
            return
        own_campaigns = [campaign for campaign in campaigns if self._access.raters(campaign)]
        if not own_campaigns:
            self._show_state(empty_states.no_campaign_state(self._source, campaigns))
        elif len(own_campaigns) == 1:
            self._open(own_campaigns[0])
        else:
            counts = {campaign.uid: self._access.progress(campaign) for campaign in own_campaigns}
            # campaigns with open items for the user come first
            own_campaigns.sort(key=lambda campaign: not self._access.is_open(campaign, counts[campaign.uid]))
            self.chooser.ask_campaign(own_campaigns, self._access.user_name, counts)
            self._show(self.chooser)

    def _open_or_choose(self) -> None:
        """Open the campaign with open items for the user if there is exactly one; otherwise, call `choose`."""
        campaigns = self._campaigns()
        if campaigns is None:
            return
        waiting = [item for item in campaigns if self._access.is_open(item, self._access.progress(item))]
        if len(waiting) == 1:
            self.leave()
            self._open(waiting[0])
        else:
            self.choose()

    def refresh_campaigns(self) -> None:
        """Update the pages after campaigns changed, without interrupting an open session."""
        if self.session is None or self.items is None:
            self.choose()
            return
        self.items.set_has_several_campaigns(self._access.has_several_campaigns())
        if self.page is self.end:
            self._show_end(self.session)

    def set_unblinded_campaigns(self, uids: frozenset[str]) -> None:
        """Set the uids of the unblinded campaigns; empty unless the user owns the project."""
        self._unblinded_uids = uids
        if self.items is not None:
            self.items.set_unblinded(self.items.session.work.campaign.uid in uids)

    def show_new_campaign(self, uid: str) -> None:
        """Save pending input in the open campaign, if any; then open a campaign that was just created."""
        self.leave()
        self.open_campaign(uid)

    def open_campaign(self, uid: str, rater: str = "") -> None:
        """Open a campaign as `rater`; an unknown `uid` is ignored.

        By default, the rater is the user, if assigned, or else the campaign's only rater; otherwise, the user is asked.
        """
        for campaign in self._campaigns() or ():
            if campaign.uid == uid:
                self._open(campaign, rater)

    def _open(self, campaign: Campaign, rater: str = "") -> None:
        self.leave()
        self.campaign = campaign
        raters, has_others = self._access.raters(campaign), self._access.has_several_campaigns()
        # a list with one rater is shown only if no list of campaigns was shown before
        asks = self._asks_for_rater and (len(raters) > 1 or not has_others)
        if name := rater or ("" if asks else self._access.default_rater(campaign)):
            self._open_as(name)
        else:
            self.chooser.ask_rater(campaign, raters, self._access.progress(campaign), back=has_others)
            self._show(self.chooser)

    def _open_as(self, rater: str) -> None:
        source, campaign = self._source, self.campaign
        if source is None or campaign is None:
            return
        self._asks_for_rater = False
        try:
            work = source.rater_session(campaign.uid, rater)
        except QeError as error:
            self._show_state(empty_states.failed_state(error))
            return
        if not work.screens:
            self._show_state(empty_states.no_items_state(campaign, rater))
            return
        self.leave()
        session = self._make_session(work, source.rate, self._settings, read_only=source.read_only)
        # select the first item before its page exists; its time starts when it is shown
        session.open()
        session.leave()
        self.items = ItemPage(session)
        self._update_clock()
        self._stack.addWidget(self.items)
        self.items.set_has_several_campaigns(self._access.has_several_campaigns())
        self.items.set_unblinded(campaign.uid in self._unblinded_uids)
        self.items.instructions_requested.connect(self.toggle_instructions)
        self.items.campaigns_requested.connect(self.ask_campaign_or_rater)
        self.items.messages.changed.connect(self.changed)
        session.changed.connect(self.changed)
        session.screen_changed.connect(self._on_screen)
        has_started = any(event.screen for event in work.events)
        if work.profile is None and not source.read_only and not self._delivery.is_practice:
            self.profile.show_form(work, tr("Continue"), self._access.other_choices(campaign))
            self._show(self.profile)
        elif not has_started:
            self.show_instructions()
        else:
            self.show_items()

    def save_progress(self) -> None:
        """Commit pending input and save the time spent; the current item stays visible."""
        if self.items is not None:
            self.items.commit_input()
            self.items.session.save_time()

    def leave(self) -> None:
        """Commit pending input, save the time spent, and close the item page."""
        if self.items is not None:
            self.items.leave()
            self._stack.removeWidget(self.items)
            self.items.hide()
            self.items.deleteLater()
            self.items.session.deleteLater()
            self.items = None

    # --- pages

    def show_instructions(self, *, delivery_first: bool = False) -> None:
        """Show the instructions; `delivery_first`: begin with what to do with the ratings."""
        if self.items is not None:
            self.items.leave()
            has_started = self._has_started() or self.page is self.items
            work, delivery = self.items.session.work, self._delivery
            buttons = self._access.other_choices(work.campaign)
            options = {"has_started": has_started, "delivery_first": delivery_first}
            self.instructions.show_work(work, delivery, buttons=buttons, **options)
            self._show(self.instructions)

    def toggle_instructions(self) -> None:
        """Show the instructions or, if they are visible, return to the items."""
        if self.page is self.instructions:
            self.show_items()
        else:
            self.show_instructions()

    def show_profile(self) -> None:
        """Show the rater profile for editing."""
        if self.items is not None:
            self.items.leave()
            work, read_only = self.items.session.work, bool(self.items.session.read_only)
            self.profile.show_form(work, tr("Save"), read_only=read_only)
            self._show(self.profile)

    def show_items(self) -> None:
        """Show the current item or, if there is none, the end page."""
        if self.session is None or self.items is None:
            return
        if self.session.screen is None:
            self._show_end(self.session)
            self._show(self.end)
        else:
            self._show(self.items)
            self.session.clock.start()

    def _on_screen(self) -> None:
        at_end = self.session is not None and self.session.screen is None
        if at_end or self.page is not self.items:
            self.show_items()
        self.changed.emit()

    def _run_choice(self, name: str) -> bool:
        """Handle the button `name` if it is one that several pages have; return whether it was handled."""
        if name == empty_states.CAMPAIGNS:
            self.choose()
        elif name == empty_states.ANOTHER_RATER[0] and self.campaign is not None:
            self._asks_for_rater = True
            self._open(self.campaign)
        elif name == empty_states.COPY_PATH and self.items is not None:
            QGuiApplication.clipboard().setText(self._delivery.project_path)
            self.items.hint(tr("Path copied. Close the program before you send the file."))
            self.instructions.confirm_copy()
        else:
            return False
        return True

    def _on_profile_button(self, name: str) -> None:
        if self._run_choice(name) or self.session is None:
            return
        profile = self.profile.profile()
        if profile != self.session.work.profile and not self.session.read_only:
            self.session.set_profile(profile)
        if self._has_started():
            self.show_items()
        else:
            self.show_instructions()

    def _has_started(self) -> bool:
        """Return whether any item is done or skipped."""
        work = None if self.session is None else self.session.work
        return work is not None and any(work.is_handled(screen.uid) for screen in work.screens)

    def _show_end(self, session: RatingSession) -> None:
        others = self._access.has_several_campaigns()
        self.end.show_state(empty_states.end_state(session, self._delivery, has_others=others))

    def _on_instructions_button(self, name: str) -> None:
        if not self._run_choice(name):
            self.show_items()

    def _on_end_button(self, name: str) -> None:
        if self._run_choice(name) or self.session is None:
            return
        if name == empty_states.FIRST_OPEN_ITEM:
            self.session.open()
        elif name == empty_states.RESULTS:
            self.requested.emit(name)
        else:
            self.session.back()

    def empty_state(self) -> EmptyState | None:
        """Return the visible empty state; None if there is none, or if it is an error or the sample offer."""
        state = self.placeholder.state if self.page is self.placeholder else None
        return None if state is None or state.is_error or state is self._sample_offer else state

    def handle_button(self, name: str) -> None:
        """Handle a click on the button `name` of an empty state."""
        if name == empty_states.TRY_AGAIN:
            self.choose()
        else:
            self.requested.emit(name)

    def _show_state(self, state: EmptyState) -> None:
        self.leave()
        self.placeholder.show_state(state)
        self._show(self.placeholder)

    def _show(self, page: QWidget) -> None:
        self._stack.setCurrentWidget(page)
        self.setFocusProxy(page)
        # do not take the focus from another area
        if self.isVisible():
            page.setFocus()
        self.changed.emit()

    # --- data of the project

    def merge(self, events: Iterable[RatingEvent]) -> None:
        """Merge rating events from another window or computer; other raters' events are ignored."""
        if self.session is not None:
            self.session.merge(events)

    def _campaigns(self) -> list[Campaign] | None:
        if self._source is None:
            self._show_state(self._sample_offer or empty_states.no_project_state())
            return None
        try:
            return list(self._source.campaigns())
        except QeError as error:
            self._show_state(empty_states.failed_state(error))
            return None

    # --- activity

    def showEvent(self, event: QShowEvent) -> None:
        """Start tracking user activity when the widget is shown."""
        super().showEvent(event)
        self._activity_filter.watch(self.window().windowHandle())
        self._update_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        """Commit pending input and pause the clock when hidden."""
        super().hideEvent(event)
        if self.items is not None:
            self.items.commit_input()
            self.items.session.clock.pause()

    def _on_application(self, state: Qt.ApplicationState) -> None:
        """Pause the clock while another application is active."""
        self._is_app_active = state is Qt.ApplicationState.ApplicationActive
        self._update_clock()

    def _record_input(self) -> None:
        if self.session is not None and self.isVisible():
            self.session.clock.record_input()

    def _update_clock(self) -> None:
        if self.session is not None and self.isVisible() and self._is_app_active:
            self.session.clock.resume()
        elif self.session is not None:
            self.session.clock.pause()
