"""Status bar message of the item page: a temporary hint or, if there is none, the last judgement."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from qe_desktop.i18n.messages import sentence_case
from qe_desktop.ui.rate.rating_session import RatingSession


class RatingMessages(QObject):
    """Current message of a rating session: a temporary hint or, if there is none, the last judgement."""

    changed = Signal()
    """Emitted when the message may have changed."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__(session)
        self._session = session
        self._hint = ""
        self._is_sticky = False
        session.changed.connect(self._on_change)
        session.screen_changed.connect(self._on_screen)

    @property
    def text(self) -> str:
        """Hint or, if there is none, the last judgement, such as “Fluency 4, item 3”; empty if there is neither."""
        return self._hint or sentence_case(self._session.work.undo_text)

    @property
    def is_undoable(self) -> bool:
        """Whether the message states the last judgement, rather than a hint, and the judgement can be undone."""
        return not self._hint and bool(self._session.work.undo_text) and not self._session.read_only

    def hint(self, text: str, *, sticky: bool = False) -> None:
        """Show a hint until an answer changes or, unless `sticky`, until another item is shown."""
        self._hint, self._is_sticky = text, sticky
        self.changed.emit()

    def _on_change(self) -> None:
        self.hint("")

    def _on_screen(self) -> None:
        if self._is_sticky:
            self.changed.emit()
        else:
            self.hint("")
