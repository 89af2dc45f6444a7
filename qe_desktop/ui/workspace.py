"""The open session as the views see it: what is open, which segment is looked at, and one signal for every change."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, QeError, View
from qe_desktop.levels import Level, all_levels, levels_of, tag_level
from qe_desktop.metrics.text.tokenization import BY_LANGUAGE, Tokenization
from qe_desktop.project import Edit, Session, SessionChange
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.settings import Settings

if TYPE_CHECKING:
    from qe_desktop.project.store import Project


class Workspace(QObject):
    """Holds the session, the current segment and the level that is worked on; views connect to its signals."""

    opened = Signal()
    """Another corpus is open, or none (`session` is None)."""
    asked_to_close = Signal()
    """What is open may have to go, and people are asked about what is in no file: what is typed goes to the session."""
    closing = Signal()
    """What is open goes now, and is still there: whatever is half done in it comes to its end in its session."""
    project_changed = Signal()
    """Another project is open, or none; emitted before `opened`. The session may be unchanged."""
    changed = Signal(object)
    """A `Change` of the session: tags of some segments, or which layers there are."""
    segment_changed = Signal(int)
    """Another segment is looked at."""
    level_changed = Signal()
    """Something else is scored and edited: words, gaps, source words…"""
    target_changed = Signal()
    """Another layer is edited."""
    reference_changed = Signal()
    """The level is scored against something else."""
    segment_wanted = Signal(int)
    """Show this segment, whatever the list of segments shows now."""
    segments_wanted = Signal(object, object, str, object, object)
    """Two layers' keys, a metric's name, its level and what was scored against: show the segments that make the most of
    their difference.
    """
    ranks_wanted = Signal(object)
    """A `RankGap`: show a system's segments, those first that a metric and people rank most otherwise."""
    failed = Signal(object)
    """A `QeError` to be shown."""

    def __init__(self, settings: Settings, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self.jobs = jobs
        self.session: Session | None = None
        self.view: View | None = None
        """What is open, as last published: views store it and paint from it. None if nothing is open."""
        self.project: Project | None = None
        """Where everything is kept; None while plain files are open."""
        self.segment = 0
        self.level = all_levels()[0]
        self.tokenization = BY_LANGUAGE
        """How a person chose to tokenize the open texts for metrics."""
        self._references: dict[str, LayerKey] = {}
        self._target: LayerKey | None = None
        self._turns: deque[Callable[[], None]] = deque()
        self._telling = False

    # --- telling

    def _tell(self, turn: Callable[[], None]) -> None:
        """Take a turn: all who listen hear of one before the next begins, also where a listener causes it."""
        self._turns.append(turn)
        if self._telling:
            return
        self._telling = True
        try:
            while self._turns:
                self._turns.popleft()()
        finally:
            self._telling = False

    def _on_change(self, session: Session, change: SessionChange) -> None:
        view = session.view

        def turn() -> None:
            # signals of a session that was closed in the meantime are ignored
            if session is self.session:
                level = self.level.of_view(view)
                another, self.level = level is not self.level, level
                self.view = view
                self.changed.emit(change)
                if another:
                    # metrics came with what was added
                    self.level_changed.emit()

        self._tell(turn)

    # --- what is open

    @property
    def corpus(self) -> Corpus | None:
        """The open corpus, or None."""
        return None if self.view is None else self.view.corpus

    def open(self, corpus: Corpus) -> None:
        """Work on another corpus; what was open is gone, so ask before."""
        self._begin(Session(corpus, person=self.person), None)

    def open_project(self, project: Project, session: Session | None) -> None:
        """Work on a project; without a session there are only its campaigns (a rater's view of a server)."""
        self._begin(session, project)

    def adopt(self, project: Project) -> None:
        """Go on with what is open, from now on kept in a project."""

        def turn() -> None:
            self.project = project
            self.project_changed.emit()

        self._tell(turn)

    def close(self) -> None:
        """Work on nothing."""
        self._begin(None, None)

    def _begin(self, session: Session | None, project: Project | None) -> None:
        def turn() -> None:
            if self.session is not None:
                self.closing.emit()
            another = project is not self.project
            self.session, self.project = session, project
            self.view = None if session is None else session.view
            self.segment, self._target = 0, None
            self._references, self.tokenization = {}, BY_LANGUAGE
            self.level = next(iter(self.levels()), all_levels()[0])
            if session is not None:
                session.subscribe(lambda change: self._on_change(session, change))
            if another:
                self.project_changed.emit()
            self.opened.emit()

        self._tell(turn)

    @property
    def person(self) -> str:
        """Whose edits are made here."""
        if self.project is not None:
            return self.project.person
        return self.settings.person.strip() or "me"

    def levels(self) -> list[Level]:
        """The levels that there is anything of, or could be put on the texts that are open."""
        return [] if self.view is None else levels_of(self.view, self.tokenization)

    def set_level(self, level: Level) -> None:
        """Score and edit something else."""
        if self.view is not None:
            # levels of other views come without the tokenizer that was chosen for the open texts
            level = level.tokenized(self.tokenization).of_view(self.view)
        if level is not self.level:
            self.level = level
            self._target = None
            self._tell(self.level_changed.emit)

    def set_tokenizer(self, name: str) -> None:
        """Tokenize texts so for metrics, as long as this corpus is open; empty: by their language. One that does not
        work here is refused in words.
        """
        view, chosen = self.view, Tokenization(name)
        if chosen == self.tokenization or view is None:
            return

        def choose() -> None:
            level = self.level.tokenized(chosen).of_view(view)
            self.tokenization = chosen
            if level is not self.level:
                self.level = level
                self._tell(self.level_changed.emit)

        self.attempt(choose)

    def references(self) -> list[LayerKey]:
        """What the level can be scored against, the usual one first."""
        return [] if self.view is None else self.level.references(self.view)

    @property
    def reference(self) -> LayerKey | None:
        """What the level is scored against: what was chosen since the corpus was opened, else the usual one."""
        return None if self.view is None else self.level.reference(self.view, self._references.get(self.level.name))

    def set_reference(self, key: LayerKey) -> None:
        """Score the level against something else; it is kept for the level while this corpus is open."""
        if key != self.reference:
            self._references[self.level.name] = key
            self._tell(self.reference_changed.emit)

    @property
    def kind(self) -> Kind:
        """The kind of tags that are shown and edited."""
        return self.level.tags or Kind.WORDS

    def kinds(self) -> list[Kind]:
        """The kinds of tags that there are, or could be."""
        return [level.tags for level in self.levels() if level.tags is not None]

    def set_kind(self, kind: Kind) -> None:
        """Edit and score other tags."""
        self.set_level(tag_level(kind))

    def go_to(self, segment: int) -> None:
        """Look at another segment; out of range, the nearest."""
        if self.view is None or not self.view.corpus.size:
            return
        segment = min(max(0, segment), self.view.corpus.size - 1)
        if segment != self.segment:
            self.segment = segment
            self._tell(lambda: self.segment_changed.emit(segment))

    # --- editing

    @property
    def target(self) -> LayerKey | None:
        """The layer that edits go to: the one chosen, else the gold, else a person's; None where there is none."""
        if self.view is None:
            return None
        if self._target is not None and self._target in self.view.corpus.layers:
            return self._target
        reference = self.view.reference(self.kind)
        return None if reference is None or self.view.follows_text(reference) else reference

    @property
    def copied(self) -> LayerKey | None:
        """What a layer of one's own begins as a copy of: what is edited, else what is in view first; None without."""
        if self.view is None:
            return None
        return self.target or next(iter(self.view.tracks(self.kind)), None)

    def set_target(self, key: LayerKey) -> None:
        """Send edits to another layer."""
        if key != self.target:
            self._target = key
            self._tell(self.target_changed.emit)

    def editable(self) -> list[LayerKey]:
        """The layers of the current kind that edits may go to."""
        if self.view is None:
            return []
        tracks = [key for key in self.view.tracks(self.kind) if key.provenance is not Provenance.SYSTEM]
        return [key for key in tracks if not self.view.follows_text(key)]

    def own_layer(self, copy_of: LayerKey | None = None) -> None:
        """Add a layer of the person's own for the current kind, and edit that from now on."""
        if self.session is None:
            return
        session, name, kind = self.session, self.person, self.kind

        def add() -> None:
            key = session.add_person(name, kind, copy_of)
            # if another place was shown, show the edited one
            self.set_kind(kind)
            self.set_target(key)

        self.attempt(add)

    def tag_from_scratch(self) -> None:
        """Add an empty layer of the person's own, as gold: it must not begin as the tags of a system."""
        self.own_layer()

    def edit(self, edit: Edit) -> None:
        """Make an edit, or say why it cannot be made."""
        if self.session is not None:
            session = self.session
            self.attempt(lambda: session.apply(edit))

    def undo(self) -> None:
        """Take one's last edit back and look at its segment."""
        if self.session is not None:
            self._step(self.session.undo)

    def redo(self) -> None:
        """Make one's last undone edit again and look at its segment."""
        if self.session is not None:
            self._step(self.session.redo)

    def _step(self, step: Callable[[], SessionChange | None]) -> None:
        def make() -> None:
            change = step()
            if change is not None and change.segments:
                self.go_to(change.segments[0])

        self.attempt(make)

    def attempt(self, action: Callable[[], object]) -> bool:
        """Do something that may be refused with a QeError, which is then shown."""
        try:
            action()
        except QeError as error:
            self.failed.emit(error)
            return False
        return True
