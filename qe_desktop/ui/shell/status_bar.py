"""Status bar: positive class, counts, recording, running job and save state."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStatusBar, QToolButton, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.action_registry import display_shortcut
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.widgets.buttons import LinkButton
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox
from qe_desktop.ui.widgets.progress_bar import ProgressBar

SHOW_DELAY_MS = 300
"""Milliseconds that a job runs before it is shown, so that short jobs do not cause flicker."""


class JobProgressWidget(QWidget):
    """Name and progress of the running job, with a button to cancel it."""

    def __init__(self, jobs: JobRunner, parent: QWidget) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._name = Label()
        self._bar = ProgressBar(tr("Progress"), letters=20)
        self._cancel = QToolButton()
        self._cancel.setIcon(icons.icon("close"))
        self._cancel.setText(tr("Cancel"))
        self._cancel.setAutoRaise(True)
        self._cancel.clicked.connect(self._stop)
        hbox(self._name, self._bar, self._cancel, on=self, gap=8, margins=(0, 0, 8, 0))
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(SHOW_DELAY_MS)
        self._wait.timeout.connect(self._show)
        jobs.changed.connect(self._follow)
        self.hide()

    def _follow(self) -> None:
        if not self._jobs.running():
            self._wait.stop()
            self.hide()
        elif self.isVisible():
            self._show()
        elif not self._wait.isActive():
            self._wait.start()

    def _show(self) -> None:
        running = self._jobs.running()
        if not running:
            return
        job = running[0]
        text, others = f"{job.name}: {job.text}" if job.text else job.name, len(running) - 1
        self._name.setText(tr("{job} (and {n} more)", "", others, job=text) if others else text)
        # a job without known progress is shown as busy
        self._bar.setRange(0, 100 if job.fraction > 0 else 0)
        self._bar.show_fraction(job.fraction)
        cancel = tr("Cancel: {job}", job=job.name)
        self._cancel.setToolTip(plain_tooltip(cancel))
        self._cancel.setAccessibleName(cancel)
        self.show()

    def _stop(self) -> None:
        running = self._jobs.running()
        if running:
            self._jobs.cancel(running[0])


class ActionMessage(QWidget):
    """Last action of the user, with a link that undoes it and its shortcut, or a hint without the link."""

    undo_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ElidedLabel()
        self.undo = LinkButton(tr("Undo"))
        self.undo.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.undo.clicked.connect(self.undo_wanted)
        self.key = Label(token="muted")
        hbox(self.text, self.undo, self.key, StretchSpace(), on=self, gap=4)
        self.hide()

    def show_message(self, text: str, key: str, *, undoable: bool) -> None:
        """Show a text; `key` is the shortcut of undo."""
        self.text.setText(text)
        self.undo.setVisible(undoable)
        self.key.setText(display_shortcut(key) if undoable and key else "")


class StatusBar(QStatusBar):
    """Status bar. Left: last action, word at the cursor, or counts. Middle: running job. Right: save state."""

    undo_wanted = Signal()
    """Emitted when the user wants to undo the last action."""

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._positive = Label(tr("Positive class: BAD"), token="muted")
        self._positive.setToolTip(tr("Precision, recall and F1 are those of BAD tags"))
        self._between = Label("·", token="muted")
        self._between.hide()
        self._counts = ElidedLabel()
        self._word = ElidedLabel()
        self._word.hide()
        self._is_positive = True
        self._saved = ElidedLabel(token="muted")
        self._unsaved = ""
        self.offer = LinkButton()
        self.offer.hide()
        self.setContentsMargins(8, 0, 8, 0)
        self.addWidget(self._positive)
        self.addWidget(self._between)
        self.addWidget(self._counts)
        self.addWidget(self._word, 1)
        self.act = ActionMessage(self)
        self.act.undo_wanted.connect(self.undo_wanted)
        self.addWidget(self.act, 1)
        self._recording = Label(token="warning")
        self._recording.hide()
        self.addPermanentWidget(self._recording)
        self.addPermanentWidget(JobProgressWidget(jobs, self))
        self.addPermanentWidget(self._saved)
        self.addPermanentWidget(self.offer)

    def show_positive(self, shown: bool) -> None:
        """Show or hide the positive class, which matters only for tags."""
        self._is_positive = shown
        self._show_left()

    def _show_left(self) -> None:
        """Show the last action, the word at the cursor, or the counts."""
        act, word = bool(self.act.text.text()), bool(self._word.text())
        self.act.setVisible(act)
        self._word.setVisible(word and not act)
        self._counts.setVisible(not act and not word)
        self._positive.setVisible(self._is_positive and not act and not word)
        self._between.setVisible(bool(self._counts.text()) and not self._positive.isHidden())

    def set_counts(self, text: str) -> None:
        """Show counts, such as "1,000 segments · 3 tags edited"."""
        self._counts.setText(text)
        self._show_left()

    def set_word(self, text: str) -> None:
        """Describe the word at the cursor instead of the counts; an empty text shows the counts again."""
        self._word.setText(text)
        self._show_left()

    def set_act(self, text: str, key: str = "", *, undoable: bool = False) -> None:
        """Show the last action or a hint instead of the counts; an empty text shows these again.

        `undoable` adds a link that undoes the action, with its shortcut `key`.
        """
        self.act.show_message(text, key, undoable=undoable)
        self._show_left()

    def set_recording(self, text: str) -> None:
        """Show that work is recorded; an empty text hides the message."""
        self._recording.setText(text)
        self._recording.setVisible(bool(text))

    def set_saved(self, text: str, *, troubled: bool = False) -> None:
        """Show what was saved and when, or what is not saved yet; `troubled` marks a text about a failure to save."""
        self._saved.setText(f"⚠ {text}" if troubled else text)
        self._saved.set_token("warning" if troubled else "muted")

    def set_unsaved(self, text: str) -> None:
        """Show what is not saved; an empty text removes the message if it is still shown."""
        if text or self._saved.text() == self._unsaved:
            self.set_saved(text)
        self._unsaved = text

    def set_offer(self, text: str, tip: str = "") -> None:
        """Show a link next to the save state; an empty text hides it."""
        self.offer.setText(text)
        self.offer.setToolTip(tip)
        self.offer.setVisible(bool(text))
