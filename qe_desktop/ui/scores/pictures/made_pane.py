"""A picture of something found, made beside the window when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.pictures.panel_pane import HINT, PanelPane
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

POINT = tr("Point at something to read it in words; arrows walk from one to the next.")
NONE = tr("There is nothing to draw yet.")
MAKING = tr("Drawing…")
STOPPED = tr("The drawing was stopped. It is done when the picture is next seen.")


class MadePane(PanelPane):
    """Subclasses say what is drawn (`_subject`) and how it is made (`_begin`). `key` is that of the job."""

    def __init__(
        self, workspace: Workspace, title: str, key: str, parent: QWidget | None = None, *, hint: str = HINT
    ) -> None:
        super().__init__(workspace, title, NONE, parent, hint=hint)
        self._workspace, self._title, self._key = workspace, title, key
        self._drawn: tuple[object, ...] | None = None

    def refresh(self) -> None:
        """Draw what there is now, if somebody looks and it is another one."""
        if not self.isVisible():
            return
        now, before = self._subject(), self._drawn
        if now is not None and before is not None and now[0] is before[0] and now[1:] == before[1:]:
            return
        self._drawn = now
        if now is None:
            self.show_content(NONE)
        else:
            self._begin()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        self.refresh()

    def _subject(self) -> tuple[object, ...] | None:
        """What the picture depends on, first what was found; None where there is nothing."""
        raise NotImplementedError

    def _begin(self) -> None:
        """Make the picture of it."""
        raise NotImplementedError

    def _submit(self, work: Callable[[Progress], object], done: Callable[..., object]) -> None:
        if isinstance(self.content, str):
            self.show_content(MAKING)
        self._workspace.jobs.submit(
            self._title, work, done, self._on_failed, self._on_progress,
            on_cancelled=self._on_cancelled, latest=self._key, owner=self, computing=True,
        )  # fmt: skip

    def _number(self) -> Callable[[float], str]:
        return partial(score_text, decimals=self._workspace.settings.decimals)

    def _on_progress(self, fraction: float, text: str) -> None:
        """A picture is quickly made; what takes longer says so."""

    def _on_cancelled(self) -> None:
        self._drawn = None
        self.show_content(STOPPED)

    def _on_failed(self, error: QeError) -> None:
        self.show_content(tr("There is no picture: {message}. {hint}", message=error.message, hint=error.hint))
