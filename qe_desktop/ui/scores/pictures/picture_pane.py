"""A picture of a level in the window: made beside it when somebody looks, and what is pointed at in words below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey, QeError
from qe_desktop.levels.drawings import Goal, Numbers, Panels, ToPair, ToSegment
from qe_desktop.levels.level import Asked, Picture
from qe_desktop.report import Table
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.parts.plot_place import Plot, PlotPlace
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.wording import tr

HINT = tr("Point at something to read it in words; arrows walk from one to the next, Enter shows its segments.")
MAKING = tr("Drawing…")
STOPPED = tr("The drawing was stopped. It is done when the picture is next seen.")
PANELS = "qe_desktop.ui.scores.pictures.panels"
"""What draws pictures; it needs the plotting library."""
PIECE = 1_000
"""Rows of numbers that are written at once."""


class PicturePane(QWidget):
    """Shows one `Picture`. What is not on screen costs nothing: it is made when it is next seen."""

    def __init__(
        self, picture: Picture, scores: ScoreKeeper, comparison: ComparisonKeeper, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.picture = picture
        self._scores, self._comparison = scores, comparison
        self._chosen: LayerKey | None = None
        self._subjects: tuple[LayerKey, ...] = ()
        self._scored: tuple[object, ...] = ()
        self._job = f"picture-{picture.name}"
        self._late = True
        self.content: Panels | str = MAKING
        self.place = PlotPlace(scores.workspace, picture.title, self._build, numbers=self._numbers, draws=PANELS)
        self.words = Label(HINT, token="muted", narrow=True, selectable=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column_of(Placed(self.place, 1), self.words, on=self, gap=4, margins=(8, 8, 8, 0))
        self.words.hide()
        self.setFocusProxy(self.place)
        self._fit_words()

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

    def _fit_words(self) -> None:
        """Room for the longest sentence, so that the picture does not jump from point to point."""
        self.words.setFixedHeight(self.fontMetrics().lineSpacing() * 2 + 2)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_words()

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
                on_cancelled=self._on_cancelled, latest=self._job, owner=self,
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
        self.content = content
        self._say("")
        self.words.setVisible(not self.picture.at_once and not isinstance(content, str))
        self.place.refresh()

    def _on_cancelled(self) -> None:
        self._late = True
        self._show(STOPPED)

    def _on_failed(self, error: QeError) -> None:
        self._show(tr("There is no picture: {message}. {hint}", message=error.message, hint=error.hint))

    # --- what can be done

    def _build(self) -> Plot:
        """The plotting library is loaded by now."""
        from qe_desktop.ui.scores.pictures.panels import PanelGrid

        grid = PanelGrid(lambda: self.content)
        grid.said.connect(self._say)
        grid.wanted.connect(self._go)
        return grid

    def _say(self, sentence: str) -> None:
        self.words.setText(sentence or HINT)

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

    def _numbers(self) -> Callable[[], str] | None:
        """What writes the numbers of all panels, each table once."""
        if isinstance(self.content, str):
            return None
        tables = list(dict.fromkeys(panel.numbers for panel in self.content if panel.numbers is not None))
        return partial(_written, tuple(tables)) if tables else None


def _made(picture: Picture, asked: Asked, progress: Progress) -> Panels | str:
    return picture.make(asked)


def _written(tables: tuple[Callable[[], Numbers], ...]) -> str:
    return "\n".join(_tsv(made()) for made in tables)


def _tsv(numbers: Numbers) -> str:
    """A piece after the other: a hundred thousand rows at once would keep the window at clearing up after them."""
    pieces = [Table("", numbers.header, numbers.rows(0, PIECE)).tsv()]
    for begin in range(PIECE, len(numbers), PIECE):
        piece = Table("", numbers.header, numbers.rows(begin, begin + PIECE)).tsv()
        pieces.append(piece.partition("\n")[2])
    return "".join(pieces)
