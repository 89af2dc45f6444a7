"""Controller that runs QE systems and QA checks in the background, and commands that turn checks on and off."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.corpus import Corpus, Layer, LayerKey, Provenance, QeError, TextColumn, TextRole
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.external.command import QeCommand
from qe_desktop.local_qe.external.command_runner import run_command
from qe_desktop.local_qe.external.process import terminate_all
from qe_desktop.local_qe.qa_checks.runner import CHECKS, CHECKS_NAME, run_checks
from qe_desktop.project import Session
from qe_desktop.ui.action_registry import Action, ActionRegistry, shortcut_text
from qe_desktop.ui.highlighting.highlighting_settings import CHECK_SETTINGS, CheckSettings, saved_commands
from qe_desktop.ui.highlighting.layer_summaries import CheckSummary, summarize_tags
from qe_desktop.ui.jobs import Job, Progress
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.workspace import Workspace

CHECK_ALL, CHECK_NONE = "edit.check-all", "edit.check-none"
LIST_COMMAND = "inspect.next-found"
"""Id of the command that lists the results."""


def check_command_id(name: str) -> str:
    """Return the id of the command that turns a check on or off."""
    return f"edit.check-{name}"


class CheckActions(QObject):
    """Checkable actions, one per QA check, and actions to turn all checks on or off; synchronized with Preferences.

    The menu also has the command that lists the results, which must be in the registry already.

    If results of the checks are open, the checks run again whenever one is turned on or off.
    """

    def __init__(self, settings: Settings, commands: ActionRegistry, menu: QMenu) -> None:
        super().__init__(commands)
        self._settings, self._commands = settings, commands
        menu.addAction(commands[LIST_COMMAND])
        menu.addSeparator()
        group = tr("Edit")
        for check in CHECKS:
            text = tr("QA check: {title}", title=check.title)
            action = Action(
                check_command_id(check.name), text, group=group, tip=check.description, menu=check.title, checkable=True
            )
            menu.addAction(commands.add(action, partial(self._toggle, check.name)))
        menu.addSeparator()
        all_checks = [check.name for check in CHECKS]
        for id, text, short, off, needs in (
            (CHECK_ALL, tr("Turn on all QA checks"), tr("&All"), [], tr("All QA checks are on.")),
            (CHECK_NONE, tr("Turn off all QA checks"), tr("&None"), all_checks, tr("All QA checks are off.")),
        ):
            action = Action(id, text, group=group, menu=short, needs=needs)
            menu.addAction(commands.add(action, partial(self._set_disabled_checks, off)))
        settings.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        off = self._settings.disabled_checks
        for check in CHECKS:
            self._commands[check_command_id(check.name)].setChecked(check.name not in off)
        self._commands[CHECK_ALL].setEnabled(bool(off))
        self._commands[CHECK_NONE].setEnabled(any(check.name not in off for check in CHECKS))

    def _toggle(self, name: str) -> None:
        off = self._settings.disabled_checks
        self._set_disabled_checks({*off} ^ {name})

    def _set_disabled_checks(self, off: Iterable[str]) -> None:
        # keep the order of Preferences, so that equal selections are stored as equal settings
        names = set(off)
        self._settings.disabled_checks = [check.name for check in CHECKS if check.name in names]


RUN_COMMAND, CHECKS_COMMAND, REMOVE_COMMAND = "edit.qe-run", "edit.qe-checks", "edit.qe-checks-remove"
JOB, CHECK_JOB, TRY_JOB = "qe-system", "qe-checks", "qe-try"
TRIAL_SEGMENTS = 3
"""Maximum number of segments used to test a system."""


class HighlightingController(QObject):
    """Controller that runs QE systems and QA checks, and removes the layers of the QA checks.

    `command_line_systems` are the systems specified on the command line; they run on the first corpus that is opened.
    Systems run one at a time, so that the other jobs of the window are not delayed.
    """

    systems_requested = Signal()
    """Emitted to open the QE systems page of Preferences."""
    started = Signal()
    """Emitted when a system or the QA checks start to run, or files are opened, so that old messages can be removed."""
    message_posted = Signal(object)
    """Emitted with a `Message` for the user."""
    failed = Signal(object)
    """Emitted with the `QeError` of a failed run."""

    def __init__(
        self,
        workspace: Workspace,
        commands: ActionRegistry,
        window: QWidget,
        command_line_systems: Sequence[QeCommand] = (),
    ) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._commands = commands
        self._window = window
        self._command_line_systems = tuple(command_line_systems)
        self._initial_systems = deque(command_line_systems)
        self._queue: deque[QeCommand] = deque()
        self._job: Job | None = None
        commands.connect_to(RUN_COMMAND, self.run_or_show_menu, enabled=False)
        commands.connect_to(CHECKS_COMMAND, self.start_checks, enabled=False)
        commands.connect_to(REMOVE_COMMAND, self.remove_checks, enabled=False)
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._show)
        workspace.settings.changed.connect(self._on_setting)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(terminate_all)

    # --- available systems

    def systems(self) -> list[QeCommand]:
        """Return the systems from Preferences and the command line, which overrides Preferences for equal names."""
        by_name = {
            command.name: command for command in (*saved_commands(self.workspace.settings), *self._command_line_systems)
        }
        return list(by_name.values())

    def _on_opened(self) -> None:
        jobs = self.workspace.jobs
        self._queue.clear()
        self.started.emit()
        for key in (JOB, CHECK_JOB):
            jobs.cancel(key)
        self._job = None
        self._show()
        if self.workspace.session is not None and self._initial_systems:
            self._queue.extend(self._initial_systems)
            self._initial_systems.clear()
            self._run_next()

    def _show(self) -> None:
        session = self.workspace.session
        can_run = session is not None and not session.read_only and bool(session.corpus.texts.get(TextRole.MT))
        self._commands[RUN_COMMAND].setEnabled(can_run)
        checks = can_run and session is not None and TextRole.SOURCE in session.corpus.texts
        self._commands[CHECKS_COMMAND].setEnabled(checks)
        self._commands[REMOVE_COMMAND].setEnabled(checks and self._has_check_results())

    def _has_check_results(self) -> bool:
        session = self.workspace.session
        return session is not None and bool(_system_layers(session, CHECKS_NAME))

    # --- systems

    def run_or_show_menu(self) -> None:
        """Run the only system, show a menu if there are several, or emit `systems_requested` if there is none."""
        systems = self.systems()
        if not systems:
            self.systems_requested.emit()
        elif len(systems) == 1:
            self.run(systems[0])
        else:
            menu = QMenu(self._window)
            for command in systems:
                menu.addAction(escape_label(command.name).replace("&", "&&"), partial(self.run, command))
            menu.addSeparator()
            menu.addAction(tr("QE systems…"), self.systems_requested.emit)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self._window.mapToGlobal(self._window.rect().center()))
            menu.setActiveAction(menu.actions()[0])

    def run(self, command: QeCommand) -> None:
        """Run a system on the open corpus, after the systems that are already queued."""
        self._queue.append(command)
        if self._job is None:
            self._run_next()
        else:
            text = tr("{name} is queued: QE systems run one at a time", name=isolate_bidi(command.name))
            self.message_posted.emit(Message(text))

    def _run_next(self) -> None:
        session = self.workspace.session
        if session is None or not self._queue:
            return
        command, corpus = self._queue.popleft(), session.corpus
        self.started.emit()

        def work(progress: Progress) -> tuple[Layer, ...]:
            _ensure_name_free(corpus, command.name)
            return run_command(command, corpus, progress.report)

        def done(layers: tuple[Layer, ...]) -> None:
            summary = tr("{name}: {what}", name=isolate_bidi(command.name), what=summarize_tags(layers, corpus.size))
            self._store_layers(session, command.name, layers, Message(summary))
            self._on_job_ended()

        def failed(error: QeError) -> None:
            self.failed.emit(error)
            self._on_job_ended()

        self._job = self.workspace.jobs.submit(
            escape_label(command.name),
            work,
            done,
            failed,
            on_cancelled=self._on_job_ended,
            latest=JOB,
            owner=self,
            computing=True,
        )

    def _on_job_ended(self) -> None:
        self._job = None
        self._run_next()

    def try_out(self, command: QeCommand, on_result: Callable[[str, bool], None], owner: QObject) -> Callable[[], None]:
        """Run a system on the first segments of the open corpus or, if no MT is open, on two sample segments.

        Returns a function that stops the run. At the end of the run, `on_result` receives the result and whether the
        run succeeded, unless `owner` was destroyed.
        """
        corpus = sample_corpus(self.workspace.corpus)

        def work(progress: Progress) -> tuple[Layer, ...]:
            return run_command(command, corpus, progress.report)

        def done(layers: tuple[Layer, ...]) -> None:
            on_result(summarize_tags(layers, corpus.size), True)

        def failed(error: QeError) -> None:
            details = "\n".join(detail.message for detail in error.faults)
            on_result(f"{error.message}. {error.hint}\n{details}".strip(), False)

        def stopped() -> None:
            on_result(tr("Test stopped."), False)

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

    def remove_checks(self) -> None:
        """Remove the layers of the QA checks, if there are any."""
        session = self.workspace.session
        if session is not None and self._has_check_results():
            self.workspace.attempt(partial(session.remove, *_system_layers(session, CHECKS_NAME)))

    def start_checks(self) -> None:
        """Run the enabled checks on the open corpus in the background."""
        session = self.workspace.session
        if session is None:
            return
        view, settings = session.view, CheckSettings.of(self.workspace.settings)
        if settings.are_all_off():
            self._close_results(session)
            return

        def work(progress: Progress) -> tuple[tuple[Layer, ...], CheckSummary]:
            _ensure_name_free(view.corpus, CHECKS_NAME)
            checks = settings.checks()
            layers = run_checks(view.corpus, checks, progress.report)
            return layers, CheckSummary.of(view, layers, checks, progress.report)

        def done(result: tuple[tuple[Layer, ...], CheckSummary]) -> None:
            layers, summary = result
            key, list_results = shortcut_text(LIST_COMMAND), self._commands[LIST_COMMAND].trigger
            label = tr("List the results ({key})", key=key) if key else tr("List the results")
            buttons = ((label, list_results),) if summary.results else ()
            self._store_layers(session, CHECKS_NAME, layers, Message(summary.text, buttons=buttons))

        self.started.emit()
        self.workspace.jobs.submit(
            tr("QA checks"), work, done, self.failed.emit, latest=CHECK_JOB, owner=self, computing=True
        )

    def _close_results(self, session: Session) -> None:
        """Close the results after all checks were turned off; without results, tell the user to turn a check on."""
        self.started.emit()
        self.workspace.jobs.cancel(CHECK_JOB)
        layers = [session.corpus.layers[key] for key in _system_layers(session, CHECKS_NAME)]
        if not layers:
            hint = tr("Turn on at least one check in Edit ▸ QA checks.")
            self.failed.emit(QeError(tr("all QA checks are off"), hint=hint))
            return
        text = tr("Closed the results of the QA checks, because all checks are off")
        # not a user action: undo must not revert it before the user's own edits
        if self.workspace.attempt(partial(session.close_layers, layers, text)):
            self.message_posted.emit(Message(text))

    def _on_setting(self, key: str) -> None:
        if key in CHECK_SETTINGS and self._has_check_results():
            self.start_checks()

    def _store_layers(self, session: Session, name: str, layers: Sequence[Layer], message: Message) -> None:
        """Replace the layers of a system and post `message`, unless another session was opened in the meantime."""
        if session is not self.workspace.session:
            return

        def replace_layers() -> None:
            session.require_writable()
            _ensure_name_free(session.corpus, name)
            new = {layer.key: layer for layer in layers}
            removed = [session.corpus.layers[key] for key in _system_layers(session, name) if key not in new]
            if removed:
                # not a user action: undo must not revert it before the user's own edits
                session.close_layers(
                    removed, tr("Closed the layers that {name} did not return in this run", name=isolate_bidi(name))
                )
            current_corpus = session.corpus
            session.extend(replace(current_corpus, layers={**current_corpus.layers, **new}))

        if self.workspace.attempt(replace_layers):
            self.message_posted.emit(message)


def _system_layers(session: Session, name: str) -> list[LayerKey]:
    return [key for key in session.corpus.layers if key.provenance is Provenance.SYSTEM and key.name == name]


def _ensure_name_free(corpus: Corpus, name: str) -> None:
    """Raise QeError if a system with this name was read from a file; such systems are never replaced."""
    for key, layer in corpus.layers.items():
        if key.provenance is Provenance.SYSTEM and key.name == name and layer.origin != name:
            message = tr("a system named {name} is already open, from {file}", name=name, file=layer.origin)
            raise QeError(
                message,
                hint=tr("Close its layers or, if a QE system in Preferences has this name, rename the QE system."),
            )


def sample_corpus(corpus: Corpus | None) -> Corpus:
    """Return a corpus of the first `TRIAL_SEGMENTS` segments (source and MT) or, without MT, of two sample segments."""
    texts = {} if corpus is None else {role: column for role, column in corpus.texts.items() if role in _TRIAL_ROLES}
    if corpus is None or TextRole.MT not in texts or not corpus.size:
        texts = {
            TextRole.SOURCE: TextColumn.of(["The pump starts by itself .", "Press Stop twice ."]),
            TextRole.MT: TextColumn.of(["Die Pumpe startet von selbst .", "Drücken Sie zweimal Stopp ."]),
        }
        return Corpus("trial", 2, texts, language_pair="en-de")
    size = min(TRIAL_SEGMENTS, corpus.size)
    columns = {role: TextColumn.of([column[segment] for segment in range(size)]) for role, column in texts.items()}
    return Corpus(
        "trial", size, columns, eos=corpus.eos, language_pair=corpus.language_pair, languages=corpus.languages
    )


_TRIAL_ROLES = (TextRole.SOURCE, TextRole.MT, TextRole.RAW_SOURCE, TextRole.RAW_MT)
