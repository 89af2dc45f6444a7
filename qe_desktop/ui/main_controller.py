"""Main controller, which connects the window with its areas; the module is imported after the first paint."""

from __future__ import annotations

import os
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Qt, SignalInstance

from qe_desktop.corpus import Kind, TextRole
from qe_desktop.formats import CorpusPlan
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.external.command import parse_commands
from qe_desktop.project import SessionChange
from qe_desktop.ui.files.bilingual.bilingual_exporter import BilingualExporter
from qe_desktop.ui.files.bilingual.bilingual_saver import BilingualFileSaver
from qe_desktop.ui.files.bilingual.file_reloader import FileReloader
from qe_desktop.ui.files.bilingual.journal_controller import JournalController
from qe_desktop.ui.files.bilingual.prepared_file import save_offer_text, unsaved_text
from qe_desktop.ui.files.importing.file_opener import FileOpener
from qe_desktop.ui.files.importing.import_dialog import import_notes
from qe_desktop.ui.files.importing.name_matching_controller import NameMatchingController
from qe_desktop.ui.files.tag_saver import TagsSaver, ask_layer_to_close
from qe_desktop.ui.gold_from_post_edit import GoldFromPostEdit
from qe_desktop.ui.highlighting.highlighting_controller import CheckActions, HighlightingController
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS as INSPECT_ACTIONS
from qe_desktop.ui.inspect.corpus_counts import counts_text
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.inspect.postedit.activity_recorder import ActivityRecorder, RecordingCommands
from qe_desktop.ui.projects.project_controller import ProjectController
from qe_desktop.ui.rate.rate_controller import RateController
from qe_desktop.ui.scores.area import PAGES
from qe_desktop.ui.scores.commands import ACTIONS as SCORES_ACTIONS
from qe_desktop.ui.scores.live_score_service import SCORES_JOB, LiveScoreService
from qe_desktop.ui.scores.score_order import ScoreOrder
from qe_desktop.ui.scores.significance.significance_service import COMPARISON_JOB, SignificanceService
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.widgets.dialogs import raise_open_dialog
from qe_desktop.ui.widgets.lazy_stack import BuildSteps
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.ui.preferences_dialog import PreferencesDialog
    from qe_desktop.ui.scores.area import ScorePages
    from qe_desktop.ui.scores.findings.findings_controller import FindingsController
    from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel
    from qe_desktop.ui.shell.window import Shell


class MainController(QObject):
    """Controller that builds the workspace and the areas, and connects the commands to their controllers."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        self.workspace = Workspace(shell.settings, shell.jobs, self)
        self.inspecting = InspectViewController.of(self.workspace)
        self.scores = LiveScoreService(self.workspace)
        self.comparison = SignificanceService(self.workspace, self.scores)
        ScoreOrder(self.scores, self.comparison)
        self.saver = TagsSaver(self.workspace, shell)
        self.exporter = BilingualExporter(self.workspace, shell)
        self.job_saver = BilingualFileSaver(self.workspace, shell, self.exporter)
        self.saver.guards.append(self.job_saver.may_close)
        self.projects = ProjectController(shell, self.workspace, self.saver)
        self.post_edit_gold = GoldFromPostEdit(self.workspace, shell.commands, shell)
        qe_systems = parse_commands(shell.qe_systems, os.getcwd())
        self.highlighting = HighlightingController(self.workspace, shell.commands, shell, qe_systems)
        slot = partial(NoticeSlot, shell.notices)
        self._opening_notices, self._save_notices, self._export_notices = slot("open"), slot("save"), slot("export")
        self._system_notices, self._action_notices, self._change_notices = slot("systems"), slot("act"), slot("change")
        self.matching = NameMatchingController(self.workspace, shell.commands, shell)
        self.score_pages: ScorePages | None = None
        self.recording = ActivityRecorder(self.workspace, self)
        self.opener = FileOpener(self.workspace, self.projects.may_close, shell)
        self.reloader = FileReloader(self.workspace, self.opener)
        self.journals = JournalController(shell, self.workspace, self.opener, self.projects.last_position)
        self._add_areas()
        self._connect()
        shell.set_openers(self._open, self._open_sample)

    def _add_areas(self) -> None:
        tip = tr("View segments, and edit tags and translations")
        self.shell.add_area(
            "inspect", tr("Inspect"), "inspect", self._build_inspect_area, tip=tip, actions=INSPECT_ACTIONS
        )
        CheckActions(self.shell.settings, self.shell.commands, self.shell.menus.checks)
        scores = (*(action for page in PAGES for action in page.actions), *SCORES_ACTIONS)
        self.shell.add_area(
            "scores", tr("Scores"), "scores", self._build_scores_area, tip=tr("Compare systems"),
            # the menu begins with the pages
            actions=sorted(scores, key=lambda action: bool(action.submenu)),
        )  # fmt: skip
        RecordingCommands(self.recording, self.workspace, self.shell.commands, self.shell.status.set_recording)
        self.rating = RateController(self.shell, self.workspace, self.projects)

    @cached_property
    def _score_panel(self) -> ScoreSidePanel:
        from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel

        panel = ScoreSidePanel(self.scores, self.comparison, self.shell)
        panel.files_requested.connect(self.shell.commands["file.open-files"].trigger)
        return panel

    def _build_inspect_area(self) -> InspectArea:
        panel = self._score_panel
        area = InspectArea(self.workspace, panel)
        button = panel.summary.button
        area.filters.row.add_summary(area.score_panel_visibility.add_summary(button), button)
        panel.summary.refresh()
        area.connect_actions(self.shell.commands)
        area.reader.word_described.connect(self.shell.status.set_word)
        # replaces the notice that the gold is locked
        area.reader.message_posted.connect(self._change_notices.add)
        controller = area.review.controller
        controller.message_posted.connect(self._action_notices.add)
        controller.codes_notice.slot = NoticeSlot(self.shell.notices, "codes")
        # a connection does not own the slot
        self._remaining_text_notices = NoticeSlot(self.shell.notices, "remains")
        area.review.live_checks.remaining_text_changed.connect(self._remaining_text_notices.add)
        area.review.propagation.notices = NoticeSlot(self.shell.notices, "equal")
        self.recording.watch(controller, controller.panel.edit)
        controller.typed.connect(lambda *_: self._save_notices.remove_messages("info"))
        controller.typed.connect(self.shell.status.remove_saved)
        self.journals.watch(
            controller, controller.typed, controller.panel.note.textEdited, controller.panel.note.cancelled
        )
        self._update_search_commands()
        return area

    def _begin_inspect(self) -> None:
        self.shell.areas.begin("inspect")

    def _build_scores_area(self) -> BuildSteps:
        """Build the scores area incrementally; its pages can be shown after the first step."""
        from qe_desktop.ui.scores.area import ScorePages, ScoresArea
        from qe_desktop.ui.scores.page_controller import PageContext

        shell = self.shell
        area = ScoresArea(self.comparison, shell.areas)
        context = PageContext(self.comparison, area.pages)
        for requester in (area, context):
            requester.folder_requested.connect(shell.commands["file.open-folder"].trigger)
            requester.files_requested.connect(shell.commands["file.open-files"].trigger)
        context.match_requested.connect(self.matching.ask)
        context.area_requested.connect(partial(shell.show_area, "scores"))
        context.opened.connect(shell.add_recent)
        context.message_posted.connect(self._export_notices.info)
        context.failed.connect(self._export_notices.error)
        context.may_replace = self.projects.may_close
        self.score_pages = ScorePages(context, shell.commands)
        for changed in (area.pages.shown, context.input_changed):
            changed.connect(self._update_status_bar)
        for bar in (area.pages.bar, area.pages.switch):
            bar.chosen.connect(shell.notices.remove_reports)
        yield from area.parts()
        from qe_desktop.ui.scores.scores_controller import ScoresController

        ScoresController(area, self.comparison, self.shell.commands)
        return area

    def _connect(self) -> None:
        commands, workspace = self.shell.commands, self.workspace
        self.inspecting.connect_actions(commands)
        for changed in (self.inspecting.switched, workspace.level_changed):
            changed.connect(self._update_status_bar)
            changed.connect(self._update_window)
        commands.connect_to("file.save", self._save, enabled=False)
        commands.connect_to("file.export", self.saver.ask_and_save, enabled=False)
        commands.connect_to("file.save-copy", self.job_saver.save_copy, enabled=False)
        commands.connect_to("file.export-as", self.exporter.ask_and_export, enabled=False)
        self.job_saver.message_posted.connect(self._save_notices.show)
        self.job_saver.reload_requested.connect(self.reloader.reload)
        self.reloader.refused.connect(self._save_notices.error)
        self.reloader.reloaded.connect(self._save_notices.show)
        self.exporter.message_posted.connect(self._export_notices.show)
        workspace.file_written.connect(self._export_notices.info)
        self.job_saver.saved.connect(self.shell.status.set_saved)
        commands.connect_to("file.close", self._close, enabled=False)
        commands.connect_to("file.recognised", self.opener.show_import_details, enabled=False)
        commands.connect_to("file.findings", lambda: self.findings.ask_folder())
        commands.connect_to("edit.undo", self._undo, enabled=False)
        commands.connect_to("edit.redo", self._redo, enabled=False)
        self.shell.areas.shown.connect(self._update_status_bar)
        self.shell.areas.shown.connect(self._update_search_commands)
        commands.connect_to("edit.own-layer", lambda: workspace.add_own_layer(workspace.copy_source), enabled=False)
        commands.connect_to("edit.close-layer", lambda: ask_layer_to_close(workspace, self.shell), enabled=False)
        commands.connect_to("edit.preferences", self._show_preferences)
        workspace.opened.connect(self._on_opened)
        workspace.opened.connect(self._update_status_bar)
        workspace.closing.connect(self.shell.corpus_closing)
        for changed in (workspace.reference_changed, workspace.project_changed, self.rating.changed):
            changed.connect(self._update_window)
        workspace.changed.connect(self.shell.notices.remove_reports)
        workspace.changed.connect(self._on_change)
        for request in (workspace.segments_requested, workspace.segment_requested, workspace.ranks_requested):
            request.connect(partial(self._show_inspect, request))
        # most files are viewed segment by segment, so the area and its panel are built while files are loaded
        self.opener.planning_started.connect(lambda: self._score_panel)
        self.opener.reading_started.connect(self._begin_inspect, Qt.ConnectionType.QueuedConnection)
        self.opener.failed.connect(self._opening_notices.error)
        self.opener.message_posted.connect(self._opening_notices.show)
        self.opener.opened.connect(self._on_plan)
        self.opener.comparison_requested.connect(lambda folder: self.findings.read(Path(folder)))
        self.opener.opened.connect(self.matching.on_scores_added)
        self.matching.message_posted.connect(self._action_notices.add)
        self.highlighting.started.connect(self._system_notices.remove_earlier)
        self.highlighting.message_posted.connect(self._system_notices.show)
        self.highlighting.failed.connect(self._system_notices.error)
        self.highlighting.systems_requested.connect(self._show_systems)
        self.saver.saved.connect(self.shell.status.set_saved)
        self.saver.saved.connect(self._save_notices.remove_earlier)
        self.saver.failed.connect(self._save_notices.error)
        self.saver.hard_links_found.connect(self._save_notices.info)
        self.shell.status.save_link.clicked.connect(self._on_save_link)
        self._update_commands()

    # --- reactions to changes

    def _on_save_link(self) -> None:
        """Save to the bilingual files if they can store edits; otherwise, save as a project."""
        session = self.workspace.session
        has_storable_edits = session is not None and self.job_saver.has_storable_edits(session)
        (self.shell.commands["file.save"].trigger if has_storable_edits else self.projects.save_as)()

    def _open(self, paths: list[str]) -> None:
        self._opening_notices.remove_earlier()
        if not self.projects.open_project(paths):
            self.opener.open_paths(paths)

    def _open_sample(self, key: str) -> None:
        self._opening_notices.remove_earlier()
        self.opener.open_sample(key)

    @property
    def findings(self) -> FindingsController:
        """Controller of the All metrics page; the scores area is built first if it does not exist yet."""
        self.shell.areas.begin("scores")
        assert self.score_pages is not None
        return cast("FindingsController", self.score_pages.controller("findings"))

    def _on_opened(self) -> None:
        self.shell.notices.clear()
        self.shell.status.set_saved(self.projects.service.text())
        corpus = self.workspace.corpus
        # showing an area also updates the window
        if corpus is not None and not corpus.size:
            # the corpus contains only ratings
            self.rating.show_results()
        elif corpus is not None:
            stays_in_scores = self.shell.areas.current == "scores" and bool(self.workspace.references())
            is_readable = bool(corpus.texts) or any(key.kind is not Kind.SCORES for key in corpus.layers)
            default_area = "scores" if stays_in_scores or not is_readable else "inspect"
            self.shell.show_area(self.rating.practice_area or default_area)
        elif self.workspace.project is not None:
            # a rater on a server sees only the texts of the campaigns
            self.shell.show_area("rate")
        else:
            self.shell.areas.show_start()

    def _undo(self) -> None:
        self._remove_action_notices()
        (self.rating.visible_area or self.workspace).undo()

    def _redo(self) -> None:
        self._remove_action_notices()
        (self.rating.visible_area or self.workspace).redo()

    def _remove_action_notices(self) -> None:
        """Before undo or redo, remove messages on the last edit and QE run."""
        self._action_notices.remove_messages()
        self._system_notices.remove_messages()

    def _undo_redo_texts(self) -> tuple[str, str]:
        """Return descriptions of the next undo and redo in the visible area; empty if there is no such step."""
        session = self.workspace.session
        undo_owner = self.rating.visible_area or (None if session is None or session.read_only else session)
        return ("", "") if undo_owner is None else (undo_owner.undo_text, undo_owner.redo_text)

    def _save(self) -> None:
        """Save the bilingual files, if there are any, or else the open project; without a project, save tags to a file.

        Projects are saved automatically; saving one only retries writing pending rows, and shows the save state.
        """
        self._save_notices.remove_earlier()
        corpus = self.workspace.corpus
        if corpus is not None and corpus.job is not None:
            self.job_saver.save()
        elif self.workspace.project is None:
            self.saver.ask_and_save()
        else:
            self.projects.service.flush()
            self.projects.service.update_text()

    def _update_status_bar(self) -> None:
        # tags and the positive class are irrelevant to raters and scores
        area, workspace = self.shell.areas.current, self.workspace
        levels = [workspace.level] if area == "scores" and workspace.view is not None else workspace.levels()
        is_translating = area == "inspect" and self.inspecting.view_mode.flag_wording
        is_irrelevant = area in ("", "rate") or is_translating
        pages = self.score_pages if area == "scores" else None
        if pages is not None:
            is_irrelevant = not pages.uses_tags
        self.shell.status.show_positive_class(not is_irrelevant and any(level.positive for level in levels))
        self.shell.status.show_corpus(pages is None or pages.shows_open_data)
        self.shell.status.hide_jobs(*((SCORES_JOB, COMPARISON_JOB) if is_translating else ()))

    def _update_search_commands(self) -> None:
        """Enable Find only if the area on screen shows texts, and Replace only if the MT is one of them."""
        view = self.workspace.view if self.shell.areas.current == "inspect" else None
        texts = {} if view is None else view.corpus.texts
        self.shell.commands["edit.find"].setEnabled(bool(texts))
        self.shell.commands["edit.replace"].setEnabled(TextRole.MT in texts or TextRole.RAW_MT in texts)

    def _on_plan(self, plan: CorpusPlan) -> None:
        if Path(plan.folder).resolve().is_relative_to(resource_folder() / "samples"):
            # samples need no notes
            return
        if plan.folder:
            self.shell.add_recent(*self.opener.reopen_paths)
        if (message := import_notes(plan, self.workspace.corpus)) is not None:
            self._opening_notices.show(message)

    def _on_change(self, change: SessionChange) -> None:
        if change.had_no_effect:
            self._action_notices.info(change.text)
        self._update_window()

    def _show_inspect(self, request: SignalInstance, *arguments: object) -> None:
        # the area is also connected to the signal, and selects the segments
        is_new = not self.shell.areas.is_built("inspect")
        self.shell.show_area("inspect")
        cast("InspectArea", self.shell.area("inspect")).view.setFocus()
        if is_new:
            # a signal is not delivered to connections that are made while it is emitted
            request.emit(*arguments)

    def _close(self) -> None:
        if self.projects.may_close(self._close):
            self.workspace.close()

    def _show_preferences(self) -> PreferencesDialog:
        from qe_desktop.ui.preferences_dialog import PreferencesDialog

        preferences = raise_open_dialog(self.shell, PreferencesDialog)
        if preferences is None:
            preferences = PreferencesDialog(self.shell.settings, self.shell, self.highlighting.try_out, self.shell.jobs)
            preferences.show()
        return preferences

    def _show_systems(self) -> None:
        preferences = self._show_preferences()
        preferences.pages.setCurrentWidget(preferences.systems)

    def _update_window(self) -> None:
        session, commands = self.workspace.session, self.shell.commands
        self._update_commands()
        undo, redo = self._undo_redo_texts()
        commands["edit.undo"].setEnabled(bool(undo))
        commands.set_text("edit.undo", tr("Undo: {what}", what=undo) if undo else "")
        commands["edit.redo"].setEnabled(bool(redo))
        commands.set_text("edit.redo", tr("Redo: {what}", what=redo) if redo else "")
        unsaved = session is not None and (session.reviewing.is_unsaved or bool(session.unsaved_layers()))
        self.shell.set_document(self.workspace.document_name, modified=unsaved)
        person = "" if self.workspace.project is None else self.workspace.person
        counts = (self.workspace.reference, person, self.inspecting.view_mode)
        self.shell.status.set_counts("" if session is None else counts_text(session, *counts))
        has_storable_edits = session is not None and unsaved and self.job_saver.has_storable_edits(session)
        # only one way to save is offered: to the bilingual files if they can store edits
        offer = save_offer_text() if has_storable_edits else tr("Save as project…") if unsaved else ""
        tip = "" if has_storable_edits else tr("A project saves every edit automatically")
        self.shell.status.set_save_link(offer, tip)
        text = unsaved_text(session, has_storable_edits=has_storable_edits) if session is not None and unsaved else ""
        self.shell.status.set_unsaved(text)

    def _update_commands(self) -> None:
        self._update_search_commands()
        session, project, commands = self.workspace.session, self.workspace.project, self.shell.commands
        names = ("file.save", "file.export", "file.export-as", "file.project", "edit.own-layer", "edit.close-layer")
        for name in names:
            commands[name].setEnabled(session is not None)
        job = session is not None and session.corpus.job is not None
        commands["file.save-copy"].setEnabled(job)
        commands["file.recognised"].setEnabled(session is not None and project is None)
        commands["file.close"].setEnabled(session is not None or project is not None)
        commands["file.project-server"].setEnabled(session is not None and project is None)
        commands.enable_area("inspect", session is not None, tr("Open files first."))
        commands["file.findings"].setEnabled(session is not None or project is None)
        for id in ("inspect", "scores"):
            # a rater on a server sees no corpus
            self.shell.set_area_available(id, session is not None or project is None)
        is_project = project is not None
        commands.set_text("file.project", tr("Save a copy of the project…") if is_project else "")
        autosave_text = tr("Save (projects are saved automatically)") if is_project else ""
        commands.set_text("file.save", tr("Save to the bilingual file") if job else autosave_text)
        commands["file.export"].setVisible(is_project or job)
