"""Status bar: last action, word at the cursor or counts; recording, running job, messages and save state."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSpacerItem, QStatusBar, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import display_shortcut
from qe_desktop.ui.jobs import Job, JobRunner
from qe_desktop.ui.shell.notices import Notice, NoticeBar
from qe_desktop.ui.widgets.buttons import IconLink, LinkButton, link_height
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.progress_bar import ProgressBar

SHOW_DELAY_MS = 300
"""Milliseconds that a job runs before it is shown, so that short jobs do not cause flicker."""
TEXT_WIDTH_FRACTION = 0.4
"""Minimum fraction of the bar's width that a message leaves for the last action, the word at the cursor or counts."""
INFO_TEXT_WIDTH_FRACTION = 0.1
"""Like `TEXT_WIDTH_FRACTION`, but for informational messages without buttons, which are soon removed."""
GAP_PX = 8


class JobProgressWidget(QWidget):
    """Name and progress of the running job, with a button to cancel it."""

    def __init__(self, jobs: JobRunner, parent: QWidget) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._hidden_keys: frozenset[str] = frozenset()
        self._name = Label()
        self._bar = ProgressBar(tr("Progress"), characters=20)
        self._cancel = IconLink("close", tr("Cancel"))
        self._cancel.clicked.connect(self._stop)
        hbox(self._name, self._bar, self._cancel, on=self, gap=8, margins=(0, 0, 8, 0))
        # no taller than the text of the bar: a job that begins or ends must not move the page above
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(SHOW_DELAY_MS)
        self._wait.timeout.connect(self._show)
        jobs.changed.connect(self._update_visibility)
        self.hide()

    def set_hidden_keys(self, keys: frozenset[str]) -> None:
        """Do not show jobs that have one of `keys` as their `latest` key."""
        if keys != self._hidden_keys:
            self._hidden_keys = keys
            self._update_visibility()

    def _shown_jobs(self) -> list[Job]:
        return [job for job in self._jobs.running_jobs() if job.key not in self._hidden_keys]

    def _update_visibility(self) -> None:
        if not self._shown_jobs():
            self._wait.stop()
            self.hide()
        elif self.isVisible():
            self._show()
        elif not self._wait.isActive():
            self._wait.start()

    def _show(self) -> None:
        running = self._shown_jobs()
        if not running:
            return
        job = running[0]
        text, other_jobs = f"{job.name}: {job.text}" if job.text else job.name, len(running) - 1
        self._name.setText(tr("{job} (and {n} more)", "", other_jobs, job=text) if other_jobs else text)
        # a job without known progress is shown as busy
        self._bar.setRange(0, 100 if job.fraction > 0 else 0)
        self._bar.show_fraction(job.fraction)
        cancel = tr("Cancel: {job}", job=job.name)
        self._cancel.setToolTip(plain_tooltip(cancel))
        self._cancel.setAccessibleName(cancel)
        self.show()

    def _stop(self) -> None:
        running = self._shown_jobs()
        if running:
            self._jobs.cancel(running[0])


class ActionMessage(QWidget):
    """Last action of the user, or a hint; an action that can be undone has an undo link with its shortcut."""

    undo_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ElidedLabel()
        self.undo = LinkButton(tr("Undo"))
        self.undo.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.undo.clicked.connect(self.undo_requested)
        self.key = Label(token="muted")
        hbox(self.text, self.undo, self.key, StretchSpace(), on=self, gap=4)
        self.hide()

    def show_message(self, text: str, key: str, *, undoable: bool) -> None:
        """Show a text and, if `undoable`, the undo link with its shortcut `key`."""
        self.text.setText(text)
        self.undo.setVisible(undoable)
        self.key.setText(display_shortcut(key) if undoable and key else "")


class StatusBar(QStatusBar):
    """Status bar. Left: last action, word at the cursor, or counts. Right: recording, job, message, save state.

    A message that does not fit next to these texts is shown above them, on several lines if necessary.
    """

    undo_requested = Signal()
    """Emitted when the user wants to undo the last action."""

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None, notices: NoticeBar | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._positive = Label(tr("Positive class: BAD"), token="muted")
        self._positive.setToolTip(plain_tooltip(term_meaning("positive-class")))
        self._separator = Label("·", token="muted")
        self._counts = ElidedLabel()
        self._word = ElidedLabel()
        for label in (self._counts, self._word):
            # the other widgets have the width that they need
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._shows_positive_class = self._shows_counts = self._shows_corpus = True
        self._saved = ElidedLabel(token="muted")
        self._saved.hide()
        self._unsaved = ""
        self._last_saved = ("", "")
        """Text and details of the last saved state, which undo can restore."""
        self._has_save_error = False
        self.save_link = LinkButton()
        self.save_link.hide()
        self.action = ActionMessage(self)
        self.action.undo_requested.connect(self.undo_requested)
        self._recording = Label()
        self._recording.hide()
        self.notices = notices or NoticeBar()
        state = hbox(self._saved, self.save_link, gap=GAP_PX)
        self._state = wrap_layout(state)
        counts = hbox(
            self._positive,
            self._separator,
            Stretched(self._counts, 1),
            Stretched(self._word, 1),
            Stretched(self.action, 1),
            gap=GAP_PX,
        )
        self._progress = JobProgressWidget(jobs, self)
        self._line = hbox(Stretched(counts, 1), self._recording, self._progress, self.notices, self._state, gap=GAP_PX)
        # sets the height of the line only: the same minimum height for the whole bar would keep it from growing
        self._strut = QSpacerItem(0, 0)
        self._line.addSpacerItem(self._strut)
        content = QWidget()
        self._rows = vbox(self._line, on=content, gap=4)
        self._reserve_line()
        self.setContentsMargins(8, 0, 8, 0)
        self.addWidget(content, 1)
        self._update_left_text()
        self.notices.resized.connect(self._fit)

    def _reserve_line(self) -> None:
        """Make the line of texts as high as a link, so that links and short messages do not move the page above it."""
        self._strut.changeSize(0, link_height(self.fontMetrics()), QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._line.invalidate()

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the height of the line of texts when the text size changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._reserve_line()

    def _fit(self) -> None:
        """Place the current message in the line of texts if it fits, and otherwise above the line.

        A message hides the save state unless there are unsaved changes or saving failed.
        """
        notice = self.notices.current
        path = None if notice is None else notice.path
        if path is not None:
            path.fit(None)
        needed, available = self.notices.line_width(), self._notice_width(notice)
        # an empty bar stays in the line; otherwise, the gap between the rows would move the page when a message comes
        in_line = notice is None or (needed is not None and needed <= available)
        if in_line != (self._line.indexOf(self.notices) >= 0):
            if in_line:
                self._rows.removeWidget(self.notices)
                self._line.insertWidget(self._line.indexOf(self._state), self.notices)
            else:
                self._line.removeWidget(self.notices)
                self._rows.insertWidget(0, self.notices)
        is_used = not (self._saved.isHidden() and self.save_link.isHidden())
        # one message at a time, but unsaved changes remain visible
        is_kept = self._has_save_error or bool(self._unsaved)
        self._state.setVisible(is_used and (notice is None or is_kept))
        if path is not None and in_line and needed is not None:
            missing = needed + self._texts_width() - self.width()
            if missing > 0:
                path.fit(path.fontMetrics().horizontalAdvance(path.text()) - missing)

    def _texts_width(self) -> int:
        """Return the width in pixels that the texts next to a message need with their margins."""
        texts = (self._positive, self._separator, self._counts, self._word, self.action, self._recording, self._state)
        return sum(text.sizeHint().width() + GAP_PX for text in texts if not text.isHidden()) + 4 * GAP_PX

    def _notice_width(self, notice: Notice | None) -> int:
        """Return the width in pixels that a notice may have in the line of texts.

        The width does not depend on the other texts, because they change often. It is larger for a transient message,
        because showing such a message above the line would move the buttons of the page.
        """
        is_transient = notice is not None and notice.message.is_transient
        share = INFO_TEXT_WIDTH_FRACTION if is_transient else TEXT_WIDTH_FRACTION
        return self.width() - round(self.width() * share) - 4 * GAP_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Reposition the message for the new width."""
        super().resizeEvent(event)
        self._fit()

    def hide_jobs(self, *keys: str) -> None:
        """Hide the progress of jobs with these `latest` keys, whose results are not on screen; show all other jobs.

        The names of the hidden jobs would mislead the user, who did not start these jobs.
        """
        self._progress.set_hidden_keys(frozenset(keys))

    def show_positive_class(self, visible: bool) -> None:
        """Show or hide the positive class, which applies only to tags."""
        self._shows_positive_class = visible
        self._update_left_text()

    def show_counts(self, visible: bool) -> None:
        """Show or hide the counts, which do not concern raters."""
        if visible is not self._shows_counts:
            self._shows_counts = visible
            self._update_left_text()

    def show_corpus(self, visible: bool) -> None:
        """Show or hide the counts and the positive class of the open corpus; pages that show a folder hide them."""
        if visible is not self._shows_corpus:
            self._shows_corpus = visible
            self._update_left_text()

    def _update_left_text(self) -> None:
        """Show the first of these that exists: the last action, the word at the cursor, the counts."""
        action, word = bool(self.action.text.text()), bool(self._word.text())
        self.action.setVisible(action)
        self._word.setVisible(word and not action)
        shows_corpus = self._shows_corpus and not action and not word
        self._counts.setVisible(self._shows_counts and shows_corpus)
        # without counts, nothing is open
        self._positive.setVisible(self._shows_positive_class and bool(self._counts.text()) and shows_corpus)
        self._separator.setVisible(not self._positive.isHidden())

    def set_counts(self, text: str) -> None:
        """Show counts, such as "1,000 segments · 3 tags edited"."""
        self._counts.setText(text)
        self._update_left_text()
        self._fit()

    def set_word(self, text: str) -> None:
        """Show a description of the word at the cursor instead of the counts; an empty text shows the counts again."""
        self._word.setText(text)
        self._update_left_text()
        self._fit()

    def set_action(self, text: str, key: str = "", *, undoable: bool = False) -> None:
        """Show the last action or a hint instead of the word at the cursor or the counts; an empty text removes it.

        `undoable` adds a link that undoes the action, with the undo shortcut `key`.
        """
        self.action.show_message(text, key, undoable=undoable)
        self._update_left_text()
        self._fit()

    def set_recording(self, text: str) -> None:
        """Show a text while work is being recorded; an empty text hides it."""
        self._recording.setText(text)
        self._recording.setVisible(bool(text))

    def set_saved(self, text: str, details: str = "", *, is_error: bool = False) -> None:
        """Show what was saved and when, or what is not saved yet; `is_error` means that saving failed.

        `details` are shown in the tooltip. An empty text hides the save state.
        """
        if not is_error:
            self._last_saved = text, details
        self._show_save_state(text, details, is_error=is_error)

    def _show_save_state(self, text: str, details: str = "", *, is_error: bool = False) -> None:
        self._saved.setText(f"⚠ {text}" if is_error else text)
        self._saved.set_token("warning" if is_error else "muted")
        if details:
            self._saved.setToolTip(plain_tooltip(details))
        self._has_save_error = is_error
        self._saved.setVisible(bool(text))
        self._fit()

    def set_unsaved(self, text: str) -> None:
        """Show what is not saved; if `text` is empty, show the last saved state unless `set_saved` was called since."""
        former, self._unsaved = self._unsaved, text
        if text:
            self._show_save_state(text)
        elif former and self._saved.text() == former:
            self._show_save_state(*self._last_saved)

    def remove_saved(self, *_: object) -> None:
        """Hide "Saved", because the user is typing; a text on unsaved changes or on an error remains."""
        if not self._unsaved and not self._has_save_error:
            self._show_save_state("")

    def set_save_link(self, text: str, tip: str = "") -> None:
        """Show a link next to the save state; an empty text hides the link."""
        self.save_link.setText(text)
        self.save_link.setToolTip(tip)
        self.save_link.setVisible(bool(text))
        self._fit()
