"""The note that is being written on a segment: it goes to the session whatever ends it, but for Escape."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.corpus import View
from qe_desktop.project.events import Reviewed, ReviewField
from qe_desktop.ui.inspect.correcting.panel import TargetPanel


class Noting:
    """Knows whose note `panel` shows to be written, and what of it nobody was given yet."""

    def __init__(self, panel: TargetPanel) -> None:
        self._panel = panel
        self._segment: int | None = None
        self._refused: str | None = None

    def write(self, view: View, segment: int) -> None:
        """Begin to write the note of a segment."""
        self._segment, self._refused = segment, None
        self._panel.note.setText(view.note(segment))
        self._panel.show_noting(True)
        self._panel.note.setFocus()

    def unsaid(self, view: View | None) -> Mapping[int, Mapping[ReviewField, Reviewed]]:
        """What was written and the session has not, by segment; an empty note takes one away."""
        text = self._panel.note.text().strip()
        if view is None or self._segment is None or text in (view.note(self._segment), self._refused):
            return {}
        return {self._segment: {ReviewField.NOTE: text or None}}

    def refuse(self) -> None:
        """The session would not have it: that is said once, and stays where it was written."""
        self._refused = self._panel.note.text().strip()

    def drop(self) -> bool:
        """Write no longer; whether the note had the focus."""
        self._segment = None
        had = self._panel.note.hasFocus()
        self._panel.show_noting(False)
        return had
