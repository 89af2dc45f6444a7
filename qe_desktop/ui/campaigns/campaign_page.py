"""Frame of the project owner's pages: campaign selector, buttons and summary, and the empty states."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, sentence_case, tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ratings.protocols import PROTOCOLS, language_name
from qe_desktop.report.format_values import format_moment
from qe_desktop.ui import icons
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.widgets.form_controls import DataComboBox, set_needs
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.placeholder_page import ContentOrPlaceholder, EmptyState

MAX_NAME_CHARS = 34
"""Maximum width of the campaign selector, in characters."""


class CampaignBar(QWidget):
    """Row with the campaign selector and buttons; the summary and the blinding status are below the row."""

    unblind_requested = Signal()

    def __init__(self, service: CampaignService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self.choice = DataComboBox(tr("Campaign"))
        self.choice.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MAX_NAME_CHARS)
        self._single_campaign = Label(bold=True)
        self._single_campaign.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MAX_NAME_CHARS)
        self.facts = ElidedLabel(token="muted")
        self.blind = ElidedLabel(token="muted")
        self.unblind = QPushButton(tr("&Unblind (show system names)…"))
        self.unblind.setToolTip(plain_tooltip(tr("Show names instead of letters. User, time and reason are logged.")))
        self.origin = Label(token="muted")
        self._row = hbox(self.choice, self._single_campaign, self.origin, self.unblind, StretchSpace(), gap=8)
        vbox(self._row, hbox(self.facts, self.blind, StretchSpace(), gap=16), on=self, gap=4)
        self.choice.activated.connect(self._on_chosen)
        self.unblind.clicked.connect(self.unblind_requested)
        service.changed.connect(self.refresh)
        self.refresh()

    def add_button(self, text: str, icon: str, handler: Callable[[], object], tooltip: str = "") -> QPushButton:
        """Add a button at the right end, and return it."""
        button = QPushButton(icons.icon(icon), text)
        button.setFlat(True)
        button.clicked.connect(handler)
        if tooltip:
            button.setToolTip(plain_tooltip(tooltip))
        self._row.addWidget(button)
        return button

    def refresh(self) -> None:
        """Update the selector, the summary and the blinding status from the `CampaignService`."""
        service, view = self._service, self._service.view
        self.choice.set_items((escape_label(title), uid) for uid, title in service.choices)
        if view is not None:
            self.choice.setCurrentIndex(max(0, self.choice.findData(view.uid)))
            self.choice.setToolTip(plain_tooltip(view.title))
        self._single_campaign.setVisible(len(service.choices) == 1)
        self._single_campaign.setText("" if view is None else view.title)
        facts = "" if view is None else campaign_summary(view)
        single = view is not None and view.campaign is not None
        self.origin.setText("" if single else facts)
        self.origin.setVisible(not single)
        self.facts.setText(facts if single else "")
        self.facts.setVisible(single)
        self.unblind.setVisible(view is not None and view.may_be_unblinded)
        set_needs(
            self.unblind, "" if service.is_writable else tr("The project is read-only, so the campaign stays blind.")
        )
        self.blind.setText("" if view is None else unblinded_text(view))
        self.blind.setVisible(bool(self.blind.text()))
        if view is not None and self.blind.text():
            # the text may be elided
            self.blind.setToolTip(plain_tooltip(join_localized(". ", (unblinded_text(view), _reason(view)))))

    def _on_chosen(self) -> None:
        self._service.choose(str(self.choice.currentData()))


class CampaignPage(QWidget):
    """Page that shows the empty state returned by `get_empty_state` or, if that is None, `content`."""

    requested = Signal(str)
    """Emitted with the name of the pressed button, such as `IMPORT`; the page itself handles `TRY_AGAIN`."""
    shown = Signal()
    """Emitted when the page becomes visible."""

    def __init__(
        self,
        service: CampaignService,
        content: QWidget,
        get_empty_state: Callable[[CampaignService], EmptyState | None],
    ) -> None:
        super().__init__()
        self._get_empty_state = get_empty_state
        self._service = service
        self.content = content
        self.bar = CampaignBar(service)
        self._stack = ContentOrPlaceholder(content)
        self.placeholder = self._stack.placeholder
        self.setFocusProxy(self._stack)
        self.bar.setContentsMargins(16, 8, 16, 4)
        vbox(self.bar, Stretched(self._stack, 1), on=self, gap=0)
        self.placeholder.requested.connect(self._on_requested)
        service.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the empty state or the content."""
        state = self._get_empty_state(self._service)
        self._stack.show_state(state)
        self.bar.setVisible(state is None)

    def showEvent(self, event: QShowEvent) -> None:
        """Register the page as visible with the `CampaignService`, and emit `shown`."""
        super().showEvent(event)
        self._service.set_page_visible(self, True)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Register the page as hidden with the `CampaignService`."""
        super().hideEvent(event)
        self._service.set_page_visible(self, False)

    def _on_requested(self, action: str) -> None:
        if action == TRY_AGAIN:
            self._service.refresh()
        else:
            self.requested.emit(action)


def campaign_summary(view: CampaignView) -> str:
    """Return a one-line summary of a campaign: protocol, languages, numbers of segments and raters, and date.

    If the view does not show a single campaign, return a note on where the ratings come from.
    """
    campaign, design = view.campaign, view.design
    if campaign is None or design is None:
        return view.source_note
    protocol = PROTOCOLS.get(campaign.protocol)
    source, target = (language_name(code) for code in (campaign.source_language, campaign.target_language))
    parts = [protocol.title if protocol is not None else campaign.protocol]
    if source and target:
        parts.append(tr("{source} to {target}", source=source, target=target))
    parts.append(tr("{n:,} {n:segment|segments}", "", len(design.setup.segments)))
    parts.append(tr("{n:,} {n:rater|raters}", "", len(campaign.raters)))
    if campaign.source_original is not None:
        parts.append(tr("original source") if campaign.source_original else tr("translated source"))
    if campaign.simulated:
        parts.append(tr("simulated"))
    elif campaign.created:
        parts.append(tr("since {day}", day=format_moment(campaign.created).partition(" ")[0]))
    return " · ".join(parts)


def unblinded_text(view: CampaignView) -> str:
    """Return the blinding status of a campaign as text; empty if the campaign was never blind."""
    row = view.unblinding
    if row is None:
        return tr("Blind: systems are shown as letters") if view.names else ""
    return tr("Unblinded by {person}, {when}", person=row.who, when=format_moment(row.at))


def _reason(view: CampaignView) -> str:
    row = view.unblinding
    if row is None:
        return tr("The letters were assigned to the systems at random. The assignment does not change.")
    reason = str(row.details.get("reason") or "")
    return tr("Reason: {reason}", reason=reason) if reason else tr("No reason was specified")


SAVE, OPEN = "file.project", "file.open-project"
SET_UP, PROGRESS = "set-up", "progress"
IMPORT, TRY_AGAIN = "import", "again"
"""Names of buttons: commands (`SAVE`, `OPEN`), pages (`SET_UP`, `PROGRESS`), and actions (`IMPORT`, `TRY_AGAIN`)."""
_SAVE, _OPEN = (SAVE, tr("Save as project…")), (OPEN, tr("Open project…"))
_RATE_SAMPLE = ("file.rate-sample", tr("Rate the sample"))
"""Command that also works while no file is open."""
_SET_UP, _IMPORT = (SET_UP, tr("Set up a campaign…")), (IMPORT, tr("Import ratings…"))


def campaigns_empty_state(service: CampaignService) -> EmptyState | None:
    """Return the empty state shared by the campaign pages; None if a campaign or imported ratings can be shown."""
    if service.project is None:
        explanation = tr(
            "A project contains the corpus, the campaigns and all ratings, in one file or on a server. Ratings are "
            "saved automatically."
        )
        title = tr("Campaigns require a project")
        if service.workspace.corpus is None:
            to_begin = tr("Open a project, or open a corpus and save it as a project. To try rating, rate the sample.")
            return EmptyState(title, f"{explanation} {to_begin}", (_OPEN, _RATE_SAMPLE))
        to_begin = tr("Save the open data as a project to begin.")
        return EmptyState(title, f"{explanation} {to_begin}", (_SAVE, _OPEN))
    if not service.is_owner:
        return EmptyState(
            tr("Only the project owner can see this page"),
            tr(
                "You are a rater in this project. Raters see their own items and everyone's progress, but not the "
                "ratings of others."
            ),
        )
    if service.state == "failed" and service.error is not None:
        message = service.error.message
        return EmptyState(sentence_case(message), service.error.hint, ((TRY_AGAIN, tr("Try again")),), "error")
    if service.state == "empty":
        return EmptyState(
            tr("No campaigns yet"),
            tr(
                "A campaign defines which translations are rated, by whom and how. Set one up, or import existing "
                "ratings: WMT rankings, Appraise exports, direct assessment, tables, JSON Lines."
            ),
            (_SET_UP, *([_IMPORT] if service.is_writable else [])),
        )
    if service.view is None:
        return EmptyState(tr("Reading campaigns…"), "", (), "rate")
    return None


def viewing_empty_state(service: CampaignService) -> EmptyState | None:
    """Return the empty state of the results page.

    Return None if a campaign, imported ratings or the ratings of the corpus can be shown.
    """
    return None if service.view is not None else campaigns_empty_state(service)


def missing_campaign(service: CampaignService) -> EmptyState | None:
    """Return the empty state that explains why there is no campaign to show.

    Return None if a campaign or imported ratings can be shown, if campaigns are being read, or if reading failed.
    """
    return None if service.state in ("working", "failed") else campaigns_empty_state(service)


def missing_ratings(service: CampaignService) -> EmptyState | None:
    """Return the empty state that explains why there are no results.

    Return None if there may be results, if campaigns are being read, or if reading failed.
    """
    if service.view is None:
        return missing_campaign(service)
    return None if service.view.is_begun or len(service.choices) > 1 else no_results_state()


def setup_empty_state(service: CampaignService) -> EmptyState | None:
    """Return the empty state of the set-up page; None if the form can be used."""
    project = service.project
    if project is None or not service.is_owner:
        return campaigns_empty_state(service)
    if project.read_only:
        return EmptyState(
            project.read_only.rstrip("."),
            tr("Save a copy elsewhere and set up the campaign there."),
            ((SAVE, tr("Save a copy of the project…")),),
        )
    if service.workspace.corpus is None:
        return EmptyState(
            tr("This project contains no texts"),
            tr(
                "A campaign needs a source and system translations. Open a corpus and save it as a project, or open a"
                " project that contains texts."
            ),
            (_OPEN,),
        )
    return None


def results_empty_state(results: CampaignResultsService, service: CampaignService | None) -> EmptyState | None:
    """Return the empty state of the results; None if there are results.

    If `service` offers another choice that includes ratings from files, the text mentions the title of that choice.
    """
    if results.state == "failed" and results.error is not None and results.result is None:
        title = tr("No results: {why}", why=results.error.message)
        return EmptyState(title, results.error.hint, ((TRY_AGAIN, tr("Run again")),), "error")
    if results.state == "working" and results.result is None:
        return EmptyState(tr("Computing results…"), "", (), "plot")
    if results.result is None:
        if service is None:
            return no_results_state()
        return no_results_state(_title_of_files(service), can_import=service.is_writable)
    return None


def no_results_state(files: str = "", *, can_import: bool = True) -> EmptyState:
    """Return the empty state shown while no rating counts; with `can_import`, it has an import button.

    `files` is the title of another choice, which includes ratings from files; empty if there is no such choice.
    """
    explanation = tr(
        "Results appear with the first rating that counts. Training and quality-control items, comments and skipped "
        "items do not count."
    )
    if files:
        explanation = " ".join(
            (explanation, tr("For ratings from files, select “{title}” in the list above.", title=files))
        )
    buttons = ((PROGRESS, tr("Show progress")), *([_IMPORT] if can_import else []))
    return EmptyState(tr("No results yet"), explanation, buttons)


def _title_of_files(service: CampaignService) -> str:
    """Return the title of the choice that includes ratings from files; the first one if there are several.

    Return an empty string if there is no such choice or if ratings from files are selected.
    """
    campaign_uids = {campaign.uid for campaign in service.campaigns}
    titles = {uid: title for uid, title in service.choices if uid not in campaign_uids}
    if service.view is not None and service.view.uid in titles:
        return ""
    return next(iter(titles.values()), "")
