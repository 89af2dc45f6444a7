"""A picture of a level in the window: made beside it when somebody looks."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey, QeError
from qe_desktop.levels.drawings import Goal, Panels, ToPair, ToSegment
from qe_desktop.levels.level import Asked, Picture
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.pictures.panel_pane import PanelPane
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.wording import tr

MAKING = tr("Drawing…")
STOPPED = tr("The drawing was stopped. It is done when the picture is next seen.")


class PicturePane(PanelPane):
    """Shows one `Picture`. What is not on screen costs nothing: it is made when it is next seen."""

    def __init__(
        self, picture: Picture, scores: ScoreKeeper, comparison: ComparisonKeeper, parent: QWidget | None = None
    ) -> None:
        super().__init__(scores.workspace, picture.title, MAKING, parent)
        self.picture = picture
        self._scores, self._comparison = scores, comparison
        self._chosen: LayerKey | None = None
        self._subjects: tuple[LayerKey, ...] = ()
        self._scored: tuple[object, ...] = ()
        self._job = f"picture-{picture.name}"
        self._late = True
        self.wanted.connect(self._go)

    # --- what is shown

    def refresh(self, chosen: LayerKey | None) -> None:
        """Show the scores as they are now, and this of the systems; at once, or when it is next seen."""
        self._chosen, self._late = chosen, True
        scored = (self._scores.workspace.session, self._scores.reference, *self._scores.layers)
        if scored != self._scored:
            # of another corpus nothing stays, not even until there is something else
            self._scored = scored
            self._scores.workspace.jobs.cancel(self._job)
            self._show(MAKING)
        if self.isVisible():
            self._make()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        if self._late:
            self._make()

    def _make(self) -> None:
        asked = self._asked()
        self._late = False
        if asked is None:
            self._show("")
        elif self.picture.at_once:
            self._show(self.picture.make(asked))
        else:
            self._scores.workspace.jobs.submit(
                self.picture.title, partial(_made, self.picture, asked), self._show, self._on_failed,
                on_cancelled=self._on_cancelled, latest=self._job, owner=self, computing=True,
            )  # fmt: skip

    def _asked(self) -> Asked | None:
        scoring = self._scores.scoring()
        if scoring is None:
            return None
        self._subjects = scoring.subjects
        chosen = scoring.subjects.index(self._chosen) if self._chosen in scoring.subjects else 0
        number = partial(score_text, decimals=self._scores.workspace.settings.decimals)
        return Asked(
            scoring.view, scoring.reference, scoring.subjects, chosen, self._scores.scored().totals, number
        )  # fmt: skip

    def _show(self, content: Panels | str) -> None:
        self.show_content(content, worded=not self.picture.at_once)

    def _on_cancelled(self) -> None:
        self._late = True
        self._show(STOPPED)

    def _on_failed(self, error: QeError) -> None:
        self._show(tr("There is no picture: {message}. {hint}", message=error.message, hint=error.hint))

    def _go(self, goal: Goal) -> None:
        workspace = self._scores.workspace
        if isinstance(goal, ToSegment):
            workspace.segment_wanted.emit(goal.segment)
        elif isinstance(goal, ToPair):
            self._show_pair(goal)

    def _show_pair(self, pair: ToPair) -> None:
        workspace = self._scores.workspace
        between = self._subjects[pair.one], self._subjects[pair.other]
        workspace.segments_wanted.emit(*between, self._comparison.metric, workspace.level, self._scores.reference)


def _made(picture: Picture, asked: Asked, progress: Progress) -> Panels | str:
    return picture.make(asked)
