"""Spelling controller: underlines misspelled words of the target, and suggests corrections in a menu.

When a bilingual file is opened, the controller looks up whether there is a dictionary for its target language. The
dictionary is opened in the background when a target is first edited. Each word is checked once, in the background;
results are cached by `SpellChecker`, so that typing costs only lookups.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from qe_desktop.corpus import QeError
from qe_desktop.escaping import escape_label
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.spelling.spell_checker import (
    CheckedWord,
    SpellChecker,
    checked_words,
    missing_dictionary_reason,
    open_checker,
    unavailable_reason,
    words_to_ignore,
)
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.inspect.postedit.target_diff import SegmentContext, TargetDiff
from qe_desktop.ui.inspect.spelling_menu import SpellingMenu
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.settings import SPELLING_KEY
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.workspace import Workspace

MAX_DICTIONARIES = 4
"""Maximum number of languages whose dictionaries are open at once; each open dictionary has its own process."""
OPEN_JOB, CHECK_JOB, SUGGESTION_JOB = "spelling-dictionary", "spelling-words", "spelling-suggestions"


class SpellingController(QObject):
    """Controller that underlines misspelled words; the first edit of a target opens the dictionary of its language."""

    ready = Signal()
    """Emitted when a dictionary has been opened or is unavailable (see `reason`).

    Also emitted when a target is opened whose language is already `language`, and when spell checking is switched on.
    """

    def __init__(self, workspace: Workspace, controller: PostEditController) -> None:
        super().__init__(controller)
        self.workspace, self.controller = workspace, controller
        self.folder: Path | None = None
        """Folder of the user's data; None for the default folder."""
        self.language: str | None = None
        """Target language of `checker` and `reason`; None until a dictionary is needed, and after `close`."""
        self._checkers: dict[str | None, SpellChecker | str] = {}
        """Spell checker of each language, or the reason why there is none; least recently used language first."""
        self._is_checking, self._is_typing_word, self._reports_state = False, False, False
        self._draft: TargetDiff | None = None
        self._is_outdated = False
        """Whether text has been typed since `_draft` was computed; a new draft will follow."""
        self._context: SegmentContext | None = None
        self._ignored_words: frozenset[str] = frozenset()
        self._words: list[CheckedWord] = []
        workspace.closing.connect(self.close)
        workspace.opened.connect(self._on_opened)
        workspace.settings.changed.connect(self._on_setting)
        controller.opened.connect(self._start)
        controller.typed.connect(self._on_typed)
        controller.draft_changed.connect(self._on_draft_changed)
        controller.panel.edit.menu_opening.connect(self._extend_menu)

    @property
    def checker(self) -> SpellChecker | None:
        """Spell checker for `language`; None if its dictionary is unavailable or not open yet."""
        opened = self._checkers.get(self.language)
        return opened if isinstance(opened, SpellChecker) else None

    @property
    def reason(self) -> str:
        """Reason why `language` has no spell checker; empty if it has one, or if the reason is not known yet."""
        opened = self._checkers.get(self.language, "")
        return opened if isinstance(opened, str) else ""

    def connect_action(self, commands: ActionRegistry) -> None:
        """Connect the command that switches the spell checker on and off; if there is no checker, its text says so."""
        action = commands.connect_to("inspect.spelling", self.toggle)

        def show_state() -> None:
            reason = self.reason if self.workspace.settings.spelling else ""
            action.setChecked(self.workspace.settings.spelling and not reason)
            language = escape_label(self.language or tr("this language"))
            text = tr("Check spelling (not available for {language}; select for details)", language=language)
            commands.set_text("inspect.spelling", text if reason else "")
            if reason:
                action.setToolTip(plain_tooltip(reason))

        def on_setting(key: str) -> None:
            if key == SPELLING_KEY:
                show_state()

        self.workspace.settings.changed.connect(on_setting)
        self.ready.connect(show_state)
        self.workspace.opened.connect(show_state)
        show_state()
        self._look_up()

    def toggle(self) -> None:
        """Switch spell checking on or off, and post a message with the new state.

        If spell checking is on but unavailable, look for a dictionary again.
        """
        settings = self.workspace.settings
        is_unavailable = self.checker is None and bool(self.reason)
        if is_unavailable:
            # a dictionary may have been installed in the meantime
            self._drop(self.language)
            self.language = None
        settings.spelling = self._reports_state = not settings.spelling or is_unavailable
        if not settings.spelling:
            self.controller.message_posted.emit(tr("Spell checking is off"))
        else:
            self._start()

    # --- dictionary

    def _on_opened(self) -> None:
        self.close()
        self._draft = self._context = None
        self._is_outdated = False
        self._look_up()

    def _look_up(self) -> None:
        """Look up in the background whether there is a dictionary for the bilingual file; if not, the command says so.

        The dictionary itself is opened only when a target is edited.
        """
        corpus = self.workspace.corpus
        if corpus is None or corpus.job is None or self.language is not None or not self.workspace.settings.spelling:
            return
        language, folder = corpus.target_language_of(self.workspace.segment), self.folder

        def work(progress: Progress) -> str:
            # imported on demand, because importing the store takes long
            from qe_desktop.project.store.spool import data_folder

            return missing_dictionary_reason(language, folder or data_folder())

        def done(reason: str) -> None:
            if reason and self.language is None:
                self.language = language
                self._set_checker(language, reason)

        self.workspace.jobs.submit(tr("Looking for a dictionary"), work, done, latest=OPEN_JOB, owner=self)

    def close(self) -> None:
        """Close all dictionaries; they are opened again when needed."""
        self._cancel_jobs()
        for language in list(self._checkers):
            self._drop(language)
        self.language = None

    def _cancel_jobs(self) -> None:
        for job in (OPEN_JOB, CHECK_JOB, SUGGESTION_JOB):
            self.workspace.jobs.cancel(job)
        self._is_checking = False

    def _drop(self, language: str | None) -> None:
        _close_checker(self._checkers.pop(language, ""))

    def _on_setting(self, key: str) -> None:
        if key != SPELLING_KEY:
            return
        if self.workspace.settings.spelling and self.controller.segment is not None:
            self._start()
        self._show()

    def _start(self) -> None:
        """Open the dictionary for the current segment's target language if necessary, unless spell checking is off."""
        corpus = self.workspace.corpus
        if corpus is None or not self.workspace.settings.spelling:
            return
        language = corpus.target_language_of(self.workspace.segment)
        if self.language == language:
            self._report()
            return
        self._cancel_jobs()
        self.language = language
        opened = self._checkers.pop(language, "") or unavailable_reason(language)
        if opened:
            self._set_checker(language, opened)
            return
        folder = self.folder

        def work(progress: Progress) -> SpellChecker | str:
            # imported on demand, because importing the store takes long
            from qe_desktop.project.store.spool import data_folder

            return open_checker(language, folder or data_folder())

        self.workspace.jobs.submit(
            tr("Opening the dictionary"),
            work,
            partial(self._set_checker, language),
            self._fail,
            on_cancelled=self._forget,
            latest=OPEN_JOB,
            owner=self,
            discard=_close_checker,
        )

    def _set_checker(self, language: str, opened: SpellChecker | str) -> None:
        """Store the spell checker of a language, or the reason why there is none."""
        self._checkers[language] = opened
        for oldest in list(self._checkers)[:-MAX_DICTIONARIES]:
            self._drop(oldest)
        self._report()
        self._show()

    def _forget(self) -> None:
        """Allow the dictionary to be opened again after the user cancelled opening it."""
        self.language = None

    def _fail(self, error: QeError) -> None:
        """Disable spell checking for `language`, with the error as the reason; ignore errors after `close`."""
        language = self.language
        if language is None:
            return
        self._cancel_jobs()
        self._drop(language)
        self.language = language
        self._set_checker(language, tr("Spell checking is off: {reason}", reason=escape_label(str(error))))

    def _report(self) -> None:
        """Emit `ready`; also post a message with the state if the user has just switched spell checking on."""
        if self._reports_state and (self.checker is not None or self.reason):
            self._reports_state = False
            name = "" if self.checker is None else escape_label(self.checker.name)
            self.controller.message_posted.emit(
                self.reason or tr("Spell checking is on, with the dictionary {name}", name=name)
            )
        self.ready.emit()

    # --- words

    def _on_typed(self, offset: int, removed: str, inserted: str) -> None:
        self._is_typing_word = self._is_outdated = True

    def _on_draft_changed(self, draft: TargetDiff | None) -> None:
        self._draft, self._is_outdated = draft, False
        self._show()

    def _show(self) -> None:
        """Underline the words known to be misspelled, and check words without a cached result in the background."""
        if self._is_outdated:
            return
        edit, checker = self.controller.panel.edit, self.checker
        draft = self._draft if self.controller.segment is not None else None
        if draft is None or checker is None or not self.workspace.settings.spelling:
            edit.show_misspelled(())
            return
        if draft.context is not self._context:
            self._context, self._ignored_words = draft.context, words_to_ignore(draft.context.source)
        spans = draft.words if draft.context.tokenize is word_spans else None
        self._words = words = checked_words(draft.text, self._ignored_words, spans)
        result = checker.known_misspellings(self._drop_typed_word(words))
        edit.show_misspelled(result.spans)
        if result.unchecked and not self._is_checking:
            self._is_checking = True
            unchecked = result.unchecked

            def work(progress: Progress) -> SpellChecker:
                checker.check(unchecked, progress.check)
                return checker

            self.workspace.jobs.submit(
                tr("Spelling"),
                work,
                self._on_checked,
                self._fail,
                on_cancelled=self._stop,
                latest=CHECK_JOB,
                owner=self,
            )

    def _drop_typed_word(self, words: list[CheckedWord]) -> list[CheckedWord]:
        """Return the words except the word being typed, which is checked only after the cursor has left it."""
        if not self._is_typing_word:
            return words
        offset = self.controller.panel.edit.cursor_offset()
        complete = [word for word in words if not word.start < offset <= word.stop]
        self._is_typing_word = len(complete) < len(words)
        return complete

    def _on_checked(self, checker: SpellChecker) -> None:
        self._is_checking = False
        if checker is self.checker:
            self._show()

    def _stop(self) -> None:
        self._is_checking = False

    # --- context menu

    def _extend_menu(self, menu: QMenu, offset: int) -> None:
        """Add entries for the misspelled word at `offset` to `menu`, or an entry that says why words are unchecked."""
        if not self.workspace.settings.spelling:
            return
        if self.checker is None:
            if self.reason:
                SpellingMenu(menu).show_reason(self.reason, self.controller.message_posted.emit)
            return
        misspelled = self.checker.known_misspellings(self._words).spans
        span = next(((start, stop) for start, stop in misspelled if start <= offset <= stop), None)
        if span is not None and self._draft is not None:
            self._add_suggestions(SpellingMenu(menu), self._draft.text[slice(*span)], span)

    def _add_suggestions(self, menu: SpellingMenu, word: str, span: tuple[int, int]) -> None:
        checker = self.checker
        assert checker is not None

        def show(suggestions: tuple[str, ...]) -> None:
            if shiboken6.isValid(menu):
                menu.show_suggestions(suggestions)

        menu.show_word(word)
        menu.replacement_chosen.connect(lambda text: self._replace(word, span, text))
        menu.addition_chosen.connect(lambda: self._add(checker, word))
        self.workspace.jobs.submit(
            tr("Spelling suggestions"), lambda _: checker.suggest(word), show, self._fail, latest=SUGGESTION_JOB,
            owner=self,
        )  # fmt: skip

    def _replace(self, word: str, span: tuple[int, int], text: str) -> None:
        """Replace `word` at `span` with `text`, unless the target has changed there in the meantime."""
        if self._draft is not None and self._draft.text[slice(*span)] == word:
            self.controller.panel.edit.replace_span(*span, text)
            self.controller.panel.edit.setFocus()

    def _add(self, checker: SpellChecker, word: str) -> None:
        def work(progress: Progress) -> None:
            checker.add(word)

        def done(_: None) -> None:
            self.controller.message_posted.emit(tr("Added “{word}” to your dictionary", word=escape_label(word)))
            self._show()

        self.workspace.jobs.submit(tr("Spelling"), work, done, self.workspace.failed.emit, owner=self)


def _close_checker(opened: SpellChecker | str) -> None:
    if isinstance(opened, SpellChecker):
        opened.close()
