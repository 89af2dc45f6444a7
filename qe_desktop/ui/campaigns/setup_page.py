"""Set-up page: form, summary, and the button that creates the campaign."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.assignment.design_validation import ReferenceNotConfirmedError
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.campaign_draft import DraftNote, make_campaign
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ui.campaigns.setup_footer import SetUpFooter, design_summary, workload_note
from qe_desktop.ui.campaigns.setup_form import SetUpForm
from qe_desktop.ui.jobs import DebounceTimer, Progress
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.workspace import Workspace

JOB = "campaign-design"
UPDATE_DELAY_MS = 60
"""Delay in milliseconds between a change in the form and the update of the notes and the summary."""


class SetUpPage(QWidget):
    """Page that creates campaigns.

    `save_design` is called on a worker thread to save a design, and raises QeError on failure. `used_names` returns the
    names of existing campaigns.
    """

    created = Signal(object)
    """Emitted with the `CampaignDesign` of a campaign that was created and saved."""
    cancelled = Signal()

    def __init__(
        self,
        workspace: Workspace,
        save_design: Callable[[CampaignDesign], object],
        used_names: Callable[[], Collection[str]] = tuple,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._save_design = save_design
        self._used_names = used_names
        self._notes: dict[str, DraftNote] = {}
        self._failure: DraftNote | None = None
        self.form = SetUpForm(workspace)
        self.footer = SetUpFooter()
        vbox(Stretched(self.form, 1), self.footer, on=self, gap=0)
        self._timer = DebounceTimer(self, UPDATE_DELAY_MS, self.refresh)
        self.form.changed.connect(self._on_changed)
        self.footer.create_requested.connect(self.create_campaign)
        self.footer.cancel_requested.connect(self.cancelled)
        self.footer.stop_requested.connect(self._stop)
        self.setFocusProxy(self.form.name)
        self.refresh()

    def begin(self, texts: CampaignTexts | None) -> None:
        """Reset the form for a new campaign with `texts`; None only clears the systems and segments.

        If the creation of another campaign is still running, it is cancelled.
        """
        self._stop()
        self._failure = None
        self.form.show_texts(texts, self._workspace.person)
        self.refresh()

    def refresh(self) -> None:
        """Update the notes, the summary and the message on the state of the form."""
        self.form.set_used_names(self._used_names())
        self._timer.stop()
        draft, texts = self.form.draft, self.form.texts
        self._notes = draft.notes(texts, self._used_names())
        self.form.show_notes(self._notes)
        errors = self._blocking_fields()
        self.footer.show_summary([] if texts is None else design_summary(draft, texts))
        if self._failure is not None:
            self.footer.show_message(self._failure.text, "error")
        elif not errors:
            complete = tr("The form is complete. Raters will not see system names.")
            self.footer.show_message(f"{complete} {workload_note(draft)}", "ok")
        else:
            sentences = [self._notes[errors[0]].text]
            if len(errors) > 1:
                sentences.append(tr("{n} more {n:problem|problems} to fix.", "", len(errors) - 1))
            self.footer.show_message(" ".join(sentences), "info")

    def create_campaign(self) -> None:
        """Create the campaign in the background or, if the form has errors, focus the first field with an error."""
        self._failure = None
        self.refresh()
        errors, texts = self._blocking_fields(), self.form.texts
        if errors or texts is None:
            self.form.focus_field(errors[0] if errors else "systems")
            return
        draft, keep, person = self.form.draft, self._save_design, self._workspace.settings.person.strip()

        def work(progress: Progress) -> CampaignDesign:
            design = make_campaign(draft, texts, person, progress.report)
            progress.report(0.8, tr("saving"))
            keep(design)
            return design

        self.footer.show_working(0.0)
        self._workspace.jobs.submit(
            tr("Creating the campaign"), work, self._on_created, self._on_failed, self._on_progress,
            on_cancelled=self._on_stopped, latest=JOB, computing=True,
        )  # fmt: skip

    # --- slots

    def _blocking_fields(self) -> list[str]:
        """Return the names of the fields whose errors prevent the creation of the campaign, in form order."""
        order = [
            name
            for fields in (self.form.task_fields, self.form.rating_fields, self.form.instruction_fields)
            for name in fields.notes
        ]
        return [name for name in order if name in self._notes and self._notes[name].is_error]

    def _on_changed(self) -> None:
        self._failure = None
        self._timer.start()

    def _on_progress(self, fraction: float, text: str) -> None:
        self.footer.show_working(fraction)

    def _on_created(self, design: CampaignDesign) -> None:
        self.footer.show_working(None)
        self.created.emit(design)

    def _on_failed(self, error: QeError) -> None:
        self.footer.show_working(None)
        if isinstance(error, ReferenceNotConfirmedError):
            # the form checks only a sample of the segments, so it may not have shown the check box yet
            self.form.offer_reference_rating(error.system)
            self.form.focus_field("reference")
        sentence = sentence_case(error.message).rstrip(".")
        self._failure = DraftNote(f"{sentence}. {error.hint}".strip())
        self.refresh()

    def _stop(self) -> None:
        self._workspace.jobs.cancel(JOB)

    def _on_stopped(self) -> None:
        self.footer.show_working(None)
        self.refresh()
