"""A place for panels: drawn when somebody looks, and what is pointed at in words below."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.levels.drawings import Numbers, Panels
from qe_desktop.report import Table
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.parts.picture_files import Surroundings
from qe_desktop.ui.parts.plot_place import Plot, PlotPlace
from qe_desktop.wording import tr

HINT = tr("Point at something to read it in words; arrows walk from one to the next, Enter shows its segments.")
PANELS = "qe_desktop.ui.scores.pictures.panels"
"""What draws pictures; it needs the plotting library."""
PIECE = 1_000
"""Rows of numbers that are written at once."""


class PanelPane(QWidget):
    """Shows `content`: panels, or words where there is nothing to be seen. Whoever makes them says `show_content`.

    `hint` stands below while nothing is pointed at.
    """

    wanted = Signal(object)
    """The `Goal` of what was clicked."""

    def __init__(
        self,
        around: Surroundings,
        title: str,
        content: Panels | str,
        parent: QWidget | None = None,
        *,
        hint: str = HINT,
    ) -> None:
        super().__init__(parent)
        self._hint = hint
        self.content: Panels | str = content
        self.place = PlotPlace(around, title, self._build, numbers=self._numbers, draws=PANELS)
        self.words = Label(hint, token="muted", narrow=True, selectable=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column_of(Placed(self.place, 1), self.words, on=self, gap=4, margins=(8, 8, 8, 0))
        self.words.hide()
        self.setFocusProxy(self.place)
        self._fit_words()

    def show_content(self, content: Panels | str, *, worded: bool = True) -> None:
        """Show something else; `worded`: what is pointed at can be said."""
        self.content = content
        self._say("")
        self.words.setVisible(worded and not isinstance(content, str))
        self.place.refresh()

    def _fit_words(self) -> None:
        """Room for the longest sentence, so that the picture does not jump from point to point."""
        self.words.setFixedHeight(self.fontMetrics().lineSpacing() * 2 + 2)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_words()

    def _build(self) -> Plot:
        """The plotting library is loaded by now."""
        from qe_desktop.ui.scores.pictures.panels import PanelGrid

        grid = PanelGrid(lambda: self.content)
        grid.said.connect(self._say)
        grid.wanted.connect(self.wanted)
        return grid

    def _say(self, sentence: str) -> None:
        self.words.setText(sentence or self._hint)

    def _numbers(self) -> Callable[[], str] | None:
        """What writes the numbers of all panels, each table once."""
        if isinstance(self.content, str):
            return None
        tables = list(dict.fromkeys(panel.numbers for panel in self.content if panel.numbers is not None))
        return partial(_written, tuple(tables)) if tables else None


def _written(tables: tuple[Callable[[], Numbers], ...]) -> str:
    return "\n".join(_tsv(made()) for made in tables)


def _tsv(numbers: Numbers) -> str:
    """A piece after the other: a hundred thousand rows at once would keep the window at clearing up after them."""
    pieces = [Table("", numbers.header, numbers.rows(0, PIECE)).tsv()]
    for begin in range(PIECE, len(numbers), PIECE):
        piece = Table("", numbers.header, numbers.rows(begin, begin + PIECE)).tsv()
        pieces.append(piece.partition("\n")[2])
    return "".join(pieces)
