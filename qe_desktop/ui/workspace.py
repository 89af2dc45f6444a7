"""Workspace: the open session that the views show, its current segment and level, and signals for all changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, QeError, View
from qe_desktop.formats.io.hard_links import collect_hard_link_notes
from qe_desktop.levels import Level, all_levels, levels_of, tag_level
from qe_desktop.metrics.text.tokenization import DEFAULT_TOKENIZATION, Tokenization
from qe_desktop.project import Edit, Session, SessionChange
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.project_paths import display_project_name
from qe_desktop.ui.settings import Settings

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import FileJournal
    from qe_desktop.project.store import Project


class Workspace(QObject):
    """Open session with its current segment and level; views connect to the signals of the workspace."""

    opened = Signal()
    """Emitted when a corpus or project was opened or closed; `session` is None without a corpus."""
    input_requested = Signal()
    """Emitted before undo, redo and questions about unsaved changes, so that pending input becomes an edit first."""
    closing = Signal()
    """Emitted before the session is replaced, so that unfinished edits are committed to it."""
    project_changed = Signal()
    """Emitted when `project` or `journal` changed: before `opened`, or while the session remains open."""
    changed = Signal(object)
    """Emitted with a `SessionChange` after tags, reviews of segments or the list of layers changed."""
    segment_changed = Signal(int)
    """Emitted when another segment became current."""
    level_changed = Signal()
    """Emitted when another level is scored and edited: words, gaps, source words…"""
    target_changed = Signal()
    """Emitted when another layer became the target of edits."""
    row_order_changed = Signal()
    """Emitted when the order by score, and therefore `row_order`, changed."""
    reference_changed = Signal()
    """Emitted when another reference became current."""
    segment_requested = Signal(int)
    """Request to show a segment, even if the list of segments is filtered."""
    segments_requested = Signal(object, object, str, object, object)
    """Request to show the segments that contribute most to a difference.

    Arguments: the keys of two layers, the name of a metric, its level, and the reference.
    """
    ranks_requested = Signal(object)
    """Request with a `RankGap` to show a system's segments, largest difference between metric and human rank first."""
    failed = Signal(object)
    """Emitted with a `QeError` to show."""
    warning_posted = Signal(str)
    """Emitted with a caution about a result that was computed or a file that was replaced."""
    file_written = Signal(str)
    """Emitted with a message that names an exported file."""

    def __init__(self, settings: Settings, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self.jobs = jobs
        self.session: Session | None = None
        self.view: View | None = None
        """Last published `View` of the session, which widgets store and paint from; None if nothing is open."""
        self.project: Project | None = None
        """Open project, which stores the session; None if there is none."""
        self.journal: FileJournal | None = None
        """Journal that stores the session of bilingual files without a project; None if there is none."""
        self.segment = 0
        self.level = all_levels()[0]
        self.tokenization = DEFAULT_TOKENIZATION
        """Tokenization that the user selected for metrics on the open texts; by default, it depends on the language."""
        self.system_order: tuple[str, ...] = ()
        """Names of systems in the order in which they are compared; empty if they are not compared."""
        self._score_order: tuple[str, ...] = ()
        self._references: dict[str, LayerKey] = {}
        self._target: LayerKey | None = None
        self._notifications: deque[Callable[[], None]] = deque()
        self._is_notifying = False

    # --- notification

    def _notify(self, notification: Callable[[], None]) -> None:
        """Run a notification; those that its listeners cause are queued until all listeners have received it."""
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
        """Open corpus; None if there is none."""
        return None if self.view is None else self.view.corpus

    def open(self, corpus: Corpus) -> None:
        """Open another corpus. The previous session is discarded, so ask the user first."""
        self._begin(Session(corpus, person=self.person), None)

    def open_files(self, session: Session, journal: FileJournal | None) -> None:
        """Open the session of files, with their journal if there is one."""
        self._begin(session, None, journal)

    def open_project(self, project: Project, session: Session | None) -> None:
        """Open a project; if `session` is None, only its campaigns are shown, as for a rater on a server."""
        self._begin(session, project)

    def continue_in_project(self, project: Project) -> None:
        """Continue with the open session, which is now stored in a project."""
        if self.journal is not None:
            self.journal.row_count_at_discard = None

        def notify() -> None:
            self.project, self.journal = project, None
            self.project_changed.emit()

        self._notify(notify)

    def stop_journal(self) -> None:
        """Continue with the open session without its journal."""
        if self.journal is not None and self.session is not None:
            self.journal.row_count_at_discard = None
            self.session.set_storage(None, self.session.person)

            def notify() -> None:
                self.journal = None
                self.project_changed.emit()

            self._notify(notify)

    @property
    def store(self) -> Project | None:
        """Project that stores the session, either `project` or the project of `journal`; None if there is none."""
        return self.project if self.journal is None else self.journal.project

    def close(self) -> None:
        """Close the session."""
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
        """Name of the open project or files; for a single bilingual file, its last saved name. Empty without data."""
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
        """Return the levels that the open corpus contains or whose tags can be added to its texts."""
        return [] if self.view is None else levels_of(self.view, self.tokenization)

    def set_level(self, level: Level) -> None:
        """Set the level that is scored and edited."""
        if self.view is not None:
            # the levels of a view do not use the tokenizer that the user selected for the open texts
            level = level.with_tokenization(self.tokenization).of_view(self.view)
        if level is not self.level:
            self.level = level
            self._target = None
            self._notify(self.level_changed.emit)

    def set_tokenizer(self, name: str) -> None:
        """Set the tokenizer for metrics until another corpus is opened; if `name` is empty, the language determines it.

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
        """Return the references that the level can be scored against, the default first."""
        return [] if self.view is None else self.level.references(self.view)

    @property
    def reference(self) -> LayerKey | None:
        """Current reference of the level: the user's selection, else the default; None if there is none."""
        return None if self.view is None else self.level.reference(self.view, self._references.get(self.level.name))

    def set_reference(self, key: LayerKey) -> None:
        """Set the reference of the level; it is kept while this corpus is open."""
        if key != self.reference:
            self._references[self.level.name] = key
            self._notify(self.reference_changed.emit)

    @property
    def kind(self) -> Kind:
        """Kind of tags that are shown and edited; words if the level has no tags."""
        return self.level.tags or Kind.WORDS

    def kinds(self) -> list[Kind]:
        """Return the kinds of tags that exist or can be added."""
        return [level.tags for level in self.levels() if level.tags is not None]

    def set_kind(self, kind: Kind) -> None:
        """Set the kind of tags that are edited and scored."""
        self.set_level(tag_level(kind))

    def go_to(self, segment: int) -> None:
        """Set the current segment; an index out of range selects the nearest segment."""
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
        """System names in the order of tag rows: compared systems, then others by score. Unlisted systems are last."""
        return tuple(dict.fromkeys((*self.system_order, *self._score_order)))

    def set_score_order(self, names: tuple[str, ...]) -> None:
        """Set the names of the systems in the order of their scores, best first."""
        if names != self._score_order:
            self._score_order = names
            self._notify(self.row_order_changed.emit)

    # --- editing

    @property
    def target(self) -> LayerKey | None:
        """Layer that edits go to: the selected layer, else the gold or an annotator's layer; None if there is none."""
        if self.view is None:
            return None
        if self._target is not None and self._target in self.view.corpus.layers:
            return self._target
        reference = self.view.reference(self.kind)
        return None if reference is None or self.view.is_derived(reference) else reference

    @property
    def has_selected_target(self) -> bool:
        """Whether the user selected or created the layer that edits go to."""
        return self._target is not None and self._target == self.target

    @property
    def copy_source(self) -> LayerKey | None:
        """Layer that a new annotation layer copies: the target, else the first tag layer; None if there is none."""
        if self.view is None:
            return None
        return self.target or next(iter(self.view.tag_layers(self.kind)), None)

    def set_target(self, key: LayerKey) -> None:
        """Set the layer that edits go to."""
        is_changed, self._target = key != self.target, key
        if is_changed:
            self._notify(self.target_changed.emit)

    def editable_layers(self) -> list[LayerKey]:
        """Return the layers of the current kind that can be edited."""
        if self.view is None:
            return []
        layers = [key for key in self.view.tag_layers(self.kind) if key.provenance is not Provenance.SYSTEM]
        return [key for key in layers if not self.view.is_derived(key)]

    def add_own_layer(self, copy_of: LayerKey | None = None) -> None:
        """Add an annotation layer of the user for the current kind, and make it the target of edits.

        It is a copy of `copy_of` or, if that is None, all its tags are OK. `failed` is emitted if it cannot be added.
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
        """Add an annotation layer of the user in which all tags are OK, instead of a copy of a system's tags."""
        self.add_own_layer()

    def edit(self, edit: Edit) -> None:
        """Apply an edit; emit `failed` if that is not possible."""
        if self.session is not None:
            session = self.session
            self.attempt(lambda: session.apply(edit))

    def undo(self) -> None:
        """Undo the user's last edit and go to its segment."""
        if self.session is not None:
            self._step(self.session.undo)

    def redo(self) -> None:
        """Redo the user's last undone edit and go to its segment."""
        if self.session is not None:
            self._step(self.session.redo)

    def _step(self, step: Callable[[], SessionChange | None]) -> None:
        self.input_requested.emit()

        def make() -> None:
            change = step()
            if change is not None and change.segments:
                self.go_to(change.segments[0])

        self.attempt(make)

    def attempt(self, action: Callable[[], object], written_message: str = "") -> bool:
        """Call an action, and emit `failed` if it raises a QeError; return whether it succeeded.

        On success, emit `file_written` with the text `written_message`, if any. If the action replaces a file that has
        other hard links, emit `warning_posted` with a note.
        """
        try:
            with collect_hard_link_notes() as notes:
                action()
        except QeError as error:
            self.failed.emit(error)
            return False
        if written_message:
            self.file_written.emit(written_message)
        for note in notes:
            self.warning_posted.emit(note)
        return True
