"""Runs QE systems of one's own and plain checks in jobs; what they say becomes layers of the session."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, TextColumn, TextRole
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.external.command import DEFAULT_TIMEOUT_MINUTES, QeCommand
from qe_desktop.local_qe.external.command_runner import run_command
from qe_desktop.local_qe.external.process import terminate_all
from qe_desktop.local_qe.qa_checks.runner import CHECKS, CHECKS_NAME, run_checks
from qe_desktop.project import Session
from qe_desktop.ui.actions import ActionRegistry
from qe_desktop.ui.jobs import Job, Progress
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.local_qe.external.command import QeCommand


def saved_commands(settings: Settings) -> tuple[QeCommand, ...]:
    """Those that are kept, in their order; what is none of them by now is left out."""
    found: dict[str, QeCommand] = {}
    for row in settings.qe_systems:
        command = _command(row)
        if command is not None:
            found.setdefault(command.name, command)
    return tuple(found.values())


def _command(row: Mapping[str, Any]) -> QeCommand | None:
    name, line, minutes = row.get("name"), row.get("command"), row.get("minutes", DEFAULT_TIMEOUT_MINUTES)
    if not isinstance(name, str) or not isinstance(line, str) or not isinstance(minutes, int | float):
        return None
    try:
        return QeCommand(name, line, float(minutes))
    except QeError:
        return None


def save_commands(settings: Settings, commands: Iterable[QeCommand]) -> None:
    """Keep these, and no others."""
    settings.qe_systems = [
        {"name": command.name, "command": command.line, "minutes": command.minutes} for command in commands
    ]


RUN, CHECK = "edit.qe-run", "edit.qe-checks"
JOB, CHECK_JOB, TRY_JOB = "qe-system", "qe-checks", "qe-try"
TRIAL_SEGMENTS = 3
"""Segments that a system is tried on."""


class HighlightingController(QObject):
    """Two commands of the menu: run a system, and make or remove the checks.

    `said` are systems that the command line named: they are run on the first corpus that is opened. Systems run one
    after the other, so that the window's own jobs need not wait for them.
    """

    systems_wanted = Signal()
    """Show where QE systems are named."""
    begun = Signal()
    """A system or the checks run now: what was said of those before holds no longer."""
    told = Signal(str)
    failed = Signal(object)
    """A `QeError`: what was asked for last came to nothing."""

    def __init__(
        self, workspace: Workspace, commands: ActionRegistry, window: QWidget, said: Sequence[QeCommand] = ()
    ) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._commands = commands
        self._window = window
        self._said = tuple(said)
        self._asked = deque(said)
        self._waiting: deque[QeCommand] = deque()
        self._job: Job | None = None
        commands.connect_to(RUN, self.choose, enabled=False)
        commands.connect_to(CHECK, self.toggle_checks, enabled=False)
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._show)
        workspace.settings.changed.connect(self._on_setting)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(terminate_all)

    # --- what is there

    def systems(self) -> list[QeCommand]:
        """The systems that can be run: of the command line, and of Preferences."""
        named = {command.name: command for command in (*saved_commands(self.workspace.settings), *self._said)}
        return list(named.values())

    def _on_opened(self) -> None:
        jobs = self.workspace.jobs
        self._waiting.clear()
        for key in (JOB, CHECK_JOB):
            jobs.cancel(key)
        self._job = None
        self._show()
        if self.workspace.session is not None and self._asked:
            self._waiting.extend(self._asked)
            self._asked.clear()
            self._next()

    def _show(self) -> None:
        session = self.workspace.session
        may = session is not None and not session.read_only and bool(session.corpus.texts.get(TextRole.MT))
        self._commands[RUN].setEnabled(may)
        checks = may and session is not None and TextRole.SOURCE in session.corpus.texts
        self._commands[CHECK].setEnabled(checks)
        self._commands.rename(CHECK, tr("Remove what plain checks found") if self._checks_there() else "")

    def _checks_there(self) -> bool:
        session = self.workspace.session
        return session is not None and bool(_system_layers(session, CHECKS_NAME))

    # --- systems

    def choose(self) -> None:
        """Run the only system there is, or ask which; where there is none, show where they are named."""
        systems = self.systems()
        if not systems:
            self.systems_wanted.emit()
        elif len(systems) == 1:
            self.run(systems[0])
        else:
            menu = QMenu(self._window)
            for command in systems:
                menu.addAction(escape_label(command.name).replace("&", "&&"), partial(self.run, command))
            menu.addSeparator()
            menu.addAction(tr("QE systems…"), self.systems_wanted.emit)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self._window.mapToGlobal(self._window.rect().center()))
            menu.setActiveAction(menu.actions()[0])

    def run(self, command: QeCommand) -> None:
        """Run a system over what is open, after those that run already."""
        self._waiting.append(command)
        if self._job is None:
            self._next()
        else:
            self.told.emit(tr("{name} runs after the system that runs now", name=isolate_bidi(command.name)))

    def _next(self) -> None:
        session = self.workspace.session
        if session is None or not self._waiting:
            return
        command, corpus = self._waiting.popleft(), session.corpus
        self.begun.emit()

        def work(progress: Progress) -> tuple[Layer, ...]:
            _ensure_name_free(corpus, command.name)
            return run_command(command, corpus, progress.report)

        def done(layers: tuple[Layer, ...]) -> None:
            self._take(session, command.name, layers)
            self._ended()

        def failed(error: QeError) -> None:
            self.failed.emit(error)
            self._ended()

        self._job = self.workspace.jobs.submit(
            escape_label(command.name),
            work,
            done,
            failed,
            on_cancelled=self._ended,
            latest=JOB,
            owner=self,
            computing=True,
        )

    def _ended(self) -> None:
        self._job = None
        self._next()

    def try_out(self, command: QeCommand, tell: Callable[[str, bool], None], owner: QObject) -> Callable[[], None]:
        """Run a system on a few segments of what is open, or two of ours; tell what came, and whether all is well.

        What is returned stops it.
        """
        corpus = sample_corpus(self.workspace.corpus)

        def work(progress: Progress) -> tuple[Layer, ...]:
            return run_command(command, corpus, progress.report)

        def done(layers: tuple[Layer, ...]) -> None:
            tell(summarize_tags(layers, corpus.size), True)

        def failed(error: QeError) -> None:
            said = "\n".join(fault.message for fault in error.faults)
            tell(f"{error.message}. {error.hint}\n{said}".strip(), False)

        def stopped() -> None:
            tell(tr("It was stopped."), False)

        jobs = self.workspace.jobs
        jobs.submit(
            escape_label(command.name),
            work,
            done,
            failed,
            on_cancelled=stopped,
            latest=TRY_JOB,
            owner=owner,
            computing=True,
        )
        return partial(jobs.cancel, TRY_JOB)

    # --- checks

    def toggle_checks(self) -> None:
        """Make the checks, or remove what they found."""
        session = self.workspace.session
        if session is not None and self._checks_there():
            self.workspace.attempt(partial(session.remove, *_system_layers(session, CHECKS_NAME)))
        else:
            self.make_checks()

    def make_checks(self) -> None:
        """Make the checks that are switched on over what is open, beside the window."""
        session = self.workspace.session
        if session is None:
            return
        corpus, off = session.corpus, self.workspace.settings.checks_off
        checks = [check for check in CHECKS if check.name not in off]

        def work(progress: Progress) -> tuple[Layer, ...]:
            _ensure_name_free(corpus, CHECKS_NAME)
            return run_checks(corpus, checks, progress.report)

        self.begun.emit()
        take = partial(self._take, session, CHECKS_NAME)
        self.workspace.jobs.submit(
            tr("Checks"), work, take, self.failed.emit, latest=CHECK_JOB, owner=self, computing=True
        )

    def _on_setting(self, key: str) -> None:
        if key == "qe/checks-off" and self._checks_there():
            self.make_checks()

    def _take(self, session: Session, name: str, layers: Sequence[Layer]) -> None:
        """Put a system's layers in the place of those that it had."""
        if session is not self.workspace.session:
            return

        def put() -> None:
            session.refuse_read_only()
            _ensure_name_free(session.corpus, name)
            new = {layer.key: layer for layer in layers}
            gone = [session.corpus.layers[key] for key in _system_layers(session, name) if key not in new]
            if gone:
                # no step of a person's, which undo would take back before what they did
                session.close_layers(gone, tr("{name} said something else", name=isolate_bidi(name)))
            now = session.corpus
            session.extend(replace(now, layers={**now.layers, **new}))

        if self.workspace.attempt(put):
            self.told.emit(
                tr("{name}: {what}", name=isolate_bidi(name), what=summarize_tags(layers, session.corpus.size))
            )


def _system_layers(session: Session, name: str) -> list[LayerKey]:
    return [key for key in session.corpus.layers if key.provenance is Provenance.SYSTEM and key.name == name]


def _ensure_name_free(corpus: Corpus, name: str) -> None:
    """QeError where a system of this name came from a file: it is not replaced by another one."""
    for key, layer in corpus.layers.items():
        if key.provenance is Provenance.SYSTEM and key.name == name and layer.origin != name:
            message = tr("a system called {name} is open already, from {file}", name=name, file=layer.origin)
            raise QeError(message, hint=tr("Give the command another name in Preferences."))


def sample_corpus(corpus: Corpus | None) -> Corpus:
    """The first segments of a corpus as one of its own, or two of ours where there is none with an MT."""
    texts = {} if corpus is None else {role: column for role, column in corpus.texts.items() if role in _TRIAL_ROLES}
    if corpus is None or TextRole.MT not in texts or not corpus.size:
        texts = {
            TextRole.SOURCE: TextColumn.of(["The pump starts by itself .", "Press Stop twice ."]),
            TextRole.MT: TextColumn.of(["Die Pumpe startet von selbst .", "Drücken Sie zweimal Stopp ."]),
        }
        return Corpus("trial", 2, texts, language_pair="en-de")
    size = min(TRIAL_SEGMENTS, corpus.size)
    cut = {role: TextColumn.of([column[segment] for segment in range(size)]) for role, column in texts.items()}
    return Corpus("trial", size, cut, eos=corpus.eos, language_pair=corpus.language_pair, languages=corpus.languages)


_TRIAL_ROLES = (TextRole.SOURCE, TextRole.MT, TextRole.RAW_SOURCE, TextRole.RAW_MT)


def summarize_tags(layers: Sequence[Layer], segments: int) -> str:
    """What a system gave, in words."""
    said = []
    for layer in layers:
        kind = layer.key.kind
        if kind.is_tags:
            bad, total = int(layer.tags.values.sum()), len(layer.tags.values)
            said.append(_TAG_SUMMARIES[kind](bad, total))
        elif kind is Kind.PROBABILITIES:
            said.append(tr("{n:,} {n:probability|probabilities} of words", "", len(layer.numbers.values)))
        else:
            said.append(tr("{n:,} {n:score|scores} of segments", "", segments))
    return ", ".join(said)


_TAG_SUMMARIES: dict[Kind, Callable[[int, int], str]] = {
    Kind.WORDS: lambda bad, total: tr("{n:,} of {total:,} {total:word|words} {n:is|are} BAD", "", bad, total=total),
    Kind.GAPS: lambda bad, total: tr("{n:,} of {total:,} {total:gap|gaps} {n:is|are} BAD", "", bad, total=total),
    Kind.SOURCE: lambda bad, total: tr(
        "{n:,} of {total:,} source {total:word|words} {n:is|are} BAD", "", bad, total=total
    ),
}
