"""Workspace: the open session that views show, its current segment and level, and signals for changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, QeError, View
from qe_desktop.formats.files_in_use import collect_hard_link_notes
from qe_desktop.levels import Level, all_levels, levels_of, tag_level
from qe_desktop.metrics.text.tokenization import DEFAULT_TOKENIZATION, Tokenization
from qe_desktop.project import Edit, Session, SessionChange
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.project_paths import display_project_name
from qe_desktop.ui.settings import Settings

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import FileJournal
    from qe_desktop.project.store import Project


MAX_UPDATED_WITH_SEGMENT = 1_000
"""Maximum number of segments changed by undo for which the first is shown before control returns to the event loop."""


class Workspace(QObject):
    """Session that is open, with its current segment and level; views connect to the signals of the workspace."""

    opened = Signal()
    """Emitted when a corpus or project has been opened or closed; `session` is None if no corpus is open."""
    input_requested = Signal()
    """Emitted before undo, redo, closing and reloading, so that editors first turn pending input into an edit."""
    closing = Signal()
    """Emitted before the session is closed or replaced, so that listeners commit unfinished edits to the session."""
    project_changed = Signal()
    """Emitted when `project` or `journal` has changed, either before `opened` or while a session remains open."""
    changed = Signal(object)
    """Emitted with a `SessionChange` when tags, reviews of segments or the list of layers have changed."""
    ratings_changed = Signal()
    """Emitted when ratings in the open project were saved, received, withdrawn or unblinded."""
    segment_changed = Signal(int)
    """Emitted with the 0-based index of the current segment when another segment has become current."""
    level_changed = Signal()
    """Emitted when the level that is scored and edited (words, gaps, source words and so on) has changed."""
    target_changed = Signal()
    """Emitted when another layer has become the target of edits."""
    row_order_changed = Signal()
    """Emitted when the order of the systems by score, and therefore `row_order`, has changed."""
    reference_changed = Signal()
    """Emitted when another reference has become current."""
    segment_requested = Signal(int)
    """Request to show a segment (0-based index); if filters hide the segment, they are cleared."""
    target_edit_requested = Signal()
    """Request to edit the target of the current segment, in the Inspect area."""
    segments_requested = Signal(object, object, str, object, object)
    """Request to show segments that cause a score difference: two layers, metric, `Level`, and reference (or None)."""
    ranks_requested = Signal(object)
    """Request to show the segments of the system in a `RankGap`, largest difference in rank first."""
    failed = Signal(object)
    """Emitted with a `QeError` that is to be shown to the user."""
    warning_posted = Signal(str)
    """Emitted with a warning about a computed result or a replaced file."""
    file_written = Signal(str, str)
    """Emitted when a file has been written, with a message that names the file, and with its path."""

    def __init__(self, settings: Settings, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings, self.jobs = settings, jobs
        self.session: Session | None = None
        self.view: View | None = None
        """Last published `View` of the session, from which widgets are painted; None if no session is open."""
        self.project: Project | None = None
        """Project that is open and stores the session; None if no project is open."""
        self.journal: FileJournal | None = None
        """Journal that stores a session of bilingual files outside a project; None if there is no journal."""
        self.segment, self.level = 0, all_levels()[0]
        self.tokenization = DEFAULT_TOKENIZATION
        """Tokenization that the user selected for metrics of the open texts; the default depends on the language."""
        self.system_order: tuple[str, ...] = ()
        """Names of the compared systems, in the order in which they are shown; empty if no systems are compared."""
        self.show_changed_segment: Callable[[int], object] = self.go_to
        """Function that goes to the first segment changed by undo or redo; replaced by `PostEditController`."""
        self._score_order: tuple[str, ...] = ()
        self._references: dict[str, LayerKey] = {}
        self._target: LayerKey | None = None
        self._notifications: deque[Callable[[], None]] = deque()
        self._is_notifying = False

    # --- notification

    def _notify(self, notification: Callable[[], None]) -> None:
        """Call `notification`; further notifications that listeners trigger meanwhile are queued until it returns."""
        self._notifications.append(notification)
        if self._is_notifying:
            return
        self._is_notifying = True
        try:
            while self._notifications:
                self._notifications.popleft()()
        finally:
            self._is_notifying = False

    def _on_change(self, session: Session, change: SessionChange) -> None:
        view = session.view

        def notify() -> None:
            # signals of a session that was closed in the meantime are ignored
            if session is self.session:
                level = self.level.of_view(view)
                is_level_changed, self.level = level is not self.level, level
                self.view = view
                self.changed.emit(change)
                if is_level_changed:
                    # the added layers have metrics of their own
                    self.level_changed.emit()

        self._notify(notify)

    # --- opening

    @property
    def corpus(self) -> Corpus | None:
        """Corpus that is open; None if no corpus is open."""
        return None if self.view is None else self.view.corpus

    def open(self, corpus: Corpus) -> None:
        """Open another corpus. The previous session is discarded, so the caller must ask the user first."""
        self._begin(Session(corpus, person=self.person), None)

    def open_files(self, session: Session, journal: FileJournal | None) -> None:
        """Open a session of files; `journal` is the journal that stores the session, if any."""
        self._begin(session, None, journal)

    def open_project(self, project: Project, session: Session | None) -> None:
        """Open a project; if `session` is None (for a rater on a server), only the project's campaigns are shown."""
        self._begin(session, project)

    def continue_in_project(self, project: Project) -> None:
        """Keep the session open after it has been stored in `project`, which replaces the journal, if any."""
        if self.journal is not None:
            self.journal.row_count_at_discard = None

        def notify() -> None:
            self.project, self.journal = project, None
            self.project_changed.emit()

        self._notify(notify)

    def stop_journal(self) -> None:
        """Keep the session open, but no longer store it in its journal."""
        if self.journal is not None and self.session is not None:
            self.journal.row_count_at_discard = None
            self.session.set_storage(None, self.session.person)

            def notify() -> None:
                self.journal = None
                self.project_changed.emit()

            self._notify(notify)

    @property
    def store(self) -> Project | None:
        """Project that stores the session: `project` or the project of `journal`; None if the session is not stored."""
        return self.project if self.journal is None else self.journal.project

    def close(self) -> None:
        """Close the session and the project, if any is open."""
        self._begin(None, None)

    def _begin(self, session: Session | None, project: Project | None, journal: FileJournal | None = None) -> None:
        def notify() -> None:
            if self.session is not None:
                self.closing.emit()
            is_new = project is not self.project or journal is not self.journal
            self.session, self.project, self.journal = session, project, journal
            self.view = None if session is None else session.view
            self.segment, self._target = 0, None
            self._references, self.tokenization = {}, DEFAULT_TOKENIZATION
            self.level = next(iter(self.levels()), all_levels()[0])
            if session is not None:
                session.subscribe(lambda change: self._on_change(session, change))
            if is_new:
                self.project_changed.emit()
            self.system_order = self._score_order = ()
            self.opened.emit()

        self._notify(notify)

    @property
    def document_name(self) -> str:
        """Name of the open project or files, or last saved name of a single bilingual file; empty if none is open."""
        if self.project is not None:
            return display_project_name(self.project.place)
        if self.session is None:
            return ""
        corpus, saved = self.session.corpus, self.session.written_files.get(0)
        if saved is not None and corpus.job is not None and len(corpus.job.files) == 1:
            return Path(saved.path).name
        return corpus.name

    @property
    def person(self) -> str:
        """Name of the user, which is recorded as the author of edits."""
        if self.project is not None:
            return self.project.person
        return self.settings.person.strip() or "me"

    def levels(self) -> list[Level]:
        """Return the levels for which the corpus has data, or else those for which the user can create tags."""
        return [] if self.view is None else levels_of(self.view, self.tokenization)

    def set_level(self, level: Level) -> None:
        """Set the level that is scored and edited."""
        if self.view is not None:
            # the levels of a view do not use the tokenizer that the user selected for the open texts
            level = level.with_tokenization(self.tokenization).of_view(self.view)
        if level is not self.level:
            self.level, self._target = level, None
            self._notify(self.level_changed.emit)

    def set_tokenizer(self, name: str) -> None:
        """Set the tokenizer for metrics until another corpus is opened; an empty `name` selects the language's default.

        `failed` is emitted if the tokenizer is not available.
        """
        view, chosen = self.view, Tokenization(name)
        if chosen == self.tokenization or view is None:
            return

        def choose() -> None:
            level = self.level.with_tokenization(chosen).of_view(view)
            self.tokenization = chosen
            if level is not self.level:
                self.level = level
                self._notify(self.level_changed.emit)

        self.attempt(choose)

    def references(self) -> list[LayerKey]:
        """Return the references that the current level can be scored against, with the default reference first."""
        return [] if self.view is None else self.level.references(self.view)

    @property
    def reference(self) -> LayerKey | None:
        """Current reference of the level: the user's selection or, without one, the default; None if none exists."""
        return None if self.view is None else self.level.reference(self.view, self._references.get(self.level.name))

    def set_reference(self, key: LayerKey) -> None:
        """Set the reference of the current level; this reference is kept until another corpus is opened."""
        if key != self.reference:
            self._references[self.level.name] = key
            self._notify(self.reference_changed.emit)

    @property
    def kind(self) -> Kind:
        """Kind of tags that are shown and edited; `Kind.WORDS` if the current level has no tags."""
        return self.level.tags or Kind.WORDS

    def kinds(self) -> list[Kind]:
        """Return the kinds of tags of the levels that `levels` returns."""
        return [level.tags for level in self.levels() if level.tags is not None]

    def set_kind(self, kind: Kind) -> None:
        """Set the kind of tags that are edited and scored."""
        self.set_level(tag_level(kind))

    def go_to(self, segment: int) -> None:
        """Set the current segment by its 0-based index; an index out of range selects the first or last segment."""
        if self.view is None or not self.view.corpus.size:
            return
        segment = min(max(0, segment), self.view.corpus.size - 1)
        if segment != self.segment:
            self.segment = segment
            self._notify(partial(self._notify_segment, segment))

    def _notify_segment(self, segment: int) -> None:
        # the list selects the segment it receives, so two queued segments would replace each other forever
        if segment == self.segment:
            self.segment_changed.emit(segment)

    @property
    def row_order(self) -> tuple[str, ...]:
        """Names of systems in tag row order: compared systems, then the others by score; unlisted systems come last."""
        return tuple(dict.fromkeys((*self.system_order, *self._score_order)))

    def set_score_order(self, names: tuple[str, ...]) -> None:
        """Set the order of the systems by score; `names` are the names of the systems, best score first."""
        if names != self._score_order:
            self._score_order = names
            self._notify(self.row_order_changed.emit)

    # --- editing

    @property
    def target(self) -> LayerKey | None:
        """Layer that is edited: the selected layer or, without one, the gold or an annotator's layer; else None."""
        if self.view is None:
            return None
        if self._target is not None and self._target in self.view.corpus.layers:
            return self._target
        reference = self.view.reference(self.kind)
        return None if reference is None or self.view.is_derived(reference) else reference

    @property
    def has_selected_target(self) -> bool:
        """Whether the user selected or created the layer that is edited."""
        return self._target is not None and self._target == self.target

    @property
    def copy_source(self) -> LayerKey | None:
        """Layer to copy to a new annotation layer: `target` or, without a target, the first tag layer; else None."""
        if self.view is None:
            return None
        return self.target or next(iter(self.view.tag_layers(self.kind)), None)

    def set_target(self, key: LayerKey) -> None:
        """Set the layer that is edited."""
        is_changed, self._target = key != self.target, key
        if is_changed:
            self._notify(self.target_changed.emit)

    def editable_layers(self) -> list[LayerKey]:
        """Return the layers of the current kind that can be edited."""
        view, kind = self.view, self.kind
        layers = [] if view is None else [key for key in view.tag_layers(kind) if not view.is_derived(key)]
        return [key for key in layers if key.provenance is not Provenance.SYSTEM]

    def add_own_layer(self, copy_of: LayerKey | None = None) -> None:
        """Add an annotation layer of the user for the current kind, unless it exists, and make it the target of edits.

        A new layer has the tags of `copy_of` or, if that is None, only OK tags. `failed` is emitted if the layer cannot
        be added.
        """
        if self.session is None:
            return
        session, name, kind = self.session, self.person, self.kind

        def add() -> None:
            key = session.add_person(name, kind, copy_of)
            # if another level was shown, show the edited one
            self.set_kind(kind)
            self._target = key
            # even if the new layer is the default target
            self._notify(self.target_changed.emit)

        self.attempt(add)

    def tag_from_scratch(self) -> None:
        """Add the user's annotation layer with only OK tags, and make it the target of edits."""
        self.add_own_layer()

    def edit(self, edit: Edit) -> None:
        """Apply an edit; emit `failed` if the edit cannot be applied."""
        if self.session is not None:
            self.attempt(partial(self.session.apply, edit))

    def undo(self) -> None:
        """Undo the user's last edit and go to the first segment that changes."""
        if self.session is not None:
            self._step(self.session.undo)

    def redo(self) -> None:
        """Redo the edit that the user undid last, and go to the first segment that changes."""
        if self.session is not None:
            self._step(self.session.redo)

    def _step(self, step: Callable[[], SessionChange | None]) -> None:
        self.input_requested.emit()

        def make() -> None:
            change = step()
            if change is not None and change.segments:
                show = partial(self.show_changed_segment, change.segments[0])
                QTimer.singleShot(0, self, show) if len(change.segments) > MAX_UPDATED_WITH_SEGMENT else show()

        self.attempt(make)

    def attempt(self, action: Callable[[], object], written_message: str = "", path: str = "") -> bool:
        """Call `action` and return True; if the action raises a QeError, emit `failed` and return False.

        On success, emit `file_written` with `written_message` and `path`, unless the message is empty, and emit
        `warning_posted` with a note for each file that the action replaced although the file had other hard links.
        """
        try:
            with collect_hard_link_notes() as notes:
                action()
        except QeError as error:
            self.failed.emit(error)
            return False
        if written_message:
            self.file_written.emit(written_message, path)
        for note in notes:
            self.warning_posted.emit(note)
        return True
